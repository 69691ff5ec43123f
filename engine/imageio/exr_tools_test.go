package imageio

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"greenroom/engine/colour"
	"greenroom/engine/imageio/disktest"
	"greenroom/engine/imageio/exr"
	"greenroom/engine/picture"
	"greenroom/engine/picture/picturetest"
)

// tool returns a command of another program; the test is skipped where it is not installed.
func tool(t *testing.T, name string, args ...string) *exec.Cmd {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed here", name)
	}
	return exec.CommandContext(t.Context(), path, args...)
}

func output(t *testing.T, c *exec.Cmd) string {
	t.Helper()
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(c.Args, " "), err, out)
	}
	return string(out)
}

// channelsOf reads every channel of a part, by its name, over the display window.
func channelsOf(t *testing.T, path string) map[string]picture.Image {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := exr.Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	p := f.Parts[0]
	all := map[string]picture.Image{}
	for i, c := range p.Channels {
		m := picture.New(int(p.Display.W()), int(p.Display.H()), 1)
		if _, err := f.Read(t.Context(), 0, []exr.Destination{{Channel: i, Image: m}}); err != nil {
			t.Fatalf("%s, %s: %v", path, c.Name, err)
		}
		all[c.Name] = m
	}
	return all
}

// checkAgainst holds every channel of a file against what another program makes of it: an uncompressed file of
// floats.
func checkAgainst(t *testing.T, path, plain string, exact bool) {
	t.Helper()
	want, got := channelsOf(t, plain), channelsOf(t, path)
	if len(want) != len(got) {
		t.Fatalf("%s has %d channels, want %d", path, len(got), len(want))
	}
	different, most := 0, 0.0
	for name, w := range want {
		g := got[name]
		if !g.SameSize(w) {
			t.Fatalf("%s, %s: %d x %d, want %d x %d", path, name, g.W, g.H, w.W, w.H)
		}
		for i, v := range w.Pix {
			if d := math.Abs(float64(g.Pix[i] - v)); d > 0 {
				different++
				most = max(most, d/(math.Abs(float64(v))+0.001))
			}
		}
	}
	// DWA ends in a rounding to halves: another order of its sums may take the next one.
	if exact && different > 0 || most > 0.01 {
		t.Errorf("%s: %d values differ, by up to %v", filepath.Base(path), different, most)
	}
}

func TestEXRIsReadAsOpenImageIOReadsIt(t *testing.T) {
	dir := picturetest.Shared(t, "plates", "formats")
	files, err := filepath.Glob(filepath.Join(dir, "*.exr"))
	if err != nil || len(files) == 0 {
		t.Skip("no OpenEXR files here")
	}
	dir = t.TempDir()
	var args []string
	plain := map[string]string{}
	for _, path := range files {
		if f, err := Open(path, Limits{}); err != nil || f.Format != EXR {
			continue // TestRealFiles says with which words
		}
		plain[path] = filepath.Join(dir, filepath.Base(path))
		args = append(args, path, "-d", "float", "--compression", "none", "-o", plain[path])
	}
	output(t, tool(t, "oiiotool", args...))
	for path, plain := range plain {
		checkAgainst(t, path, plain, !strings.Contains(path, "dwa"))
	}
}

func TestEXROfEveryCompressionIsReadAsOpenImageIOReadsIt(t *testing.T) {
	dir := t.TempDir()
	base := filepath.Join(dir, "base.exr")
	m := picture.New(101, 67, 3)
	for i := range m.Pix {
		m.Pix[i] = float32(0.5 + 0.4*math.Sin(float64(i)*0.01) + 0.01*float64(i*7919%13))
	}
	alpha := picture.New(101, 67, 1)
	for i := range alpha.Pix {
		alpha.Pix[i] = float32(i%7) / 6
	}
	var b disktest.File
	if err := WriteEXR(&b, m, alpha, Meta{Space: colour.LinearRec709}, EXROptions{Float: true}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(base, b.Bytes, 0o600); err != nil {
		t.Fatal(err)
	}
	var pack, unpack []string
	plain := map[string]string{}
	for _, compression := range []string{"none", "rle", "zips", "zip", "piz", "pxr24", "b44", "b44a", "dwaa", "dwab"} {
		for _, kind := range []string{"half", "float"} {
			for _, layout := range [][]string{{"--scanline"}, {"--tile", "32", "32"}} {
				path := filepath.Join(dir, compression+"_"+kind+layout[0]+".exr")
				plain[path] = path + ".plain.exr"
				pack = append(pack, base, "-d", kind, "--compression", compression)
				pack = append(append(pack, layout...), "-o", path)
				unpack = append(unpack, path, "-d", "float", "--compression", "none", "-o", plain[path])
			}
		}
	}
	output(t, tool(t, "oiiotool", pack...))
	output(t, tool(t, "oiiotool", unpack...))
	for path, plain := range plain {
		checkAgainst(t, path, plain, !strings.Contains(path, "dwa"))
	}
}

func TestOtherProgramsReadOurEXR(t *testing.T) {
	m, alpha := picture.New(123, 45, 3), picture.New(123, 45, 1)
	for i := range m.Pix {
		m.Pix[i] = float32(i%1000)/500 - 0.3
	}
	for i := range alpha.Pix {
		alpha.Pix[i] = float32(i%5) / 4
	}
	dir := t.TempDir()
	var paths, unpack []string
	for _, float := range []bool{false, true} {
		for name, c := range map[string][2]picture.Image{"key": {m, alpha}, "fg": {m, {}}, "matte": {alpha, {}}, "y": {alpha, {}}} {
			path := filepath.Join(dir, fmt.Sprintf("%s_%v.exr", name, float))
			var b disktest.File
			info := &EXRInfo{X: -7, Y: 30, PixelAspect: 2, Comment: "a note"}
			if err := WriteEXR(&b, c[0], c[1], Meta{Pass: name, Space: colour.SRGB, EXR: info}, EXROptions{Float: float, Luminance: name == "y"}); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, b.Bytes, 0o600); err != nil {
				t.Fatal(err)
			}
			paths = append(paths, path)
			unpack = append(unpack, path, "-d", "float", "--compression", "none", "-o", path+".plain.exr")
		}
	}
	heads := output(t, tool(t, "exrheader", paths...))
	for _, want := range []string{"zip, multi-scanline", "(-7 30) - (115 74)", "pixelAspectRatio (type float): 2", `comments (type string): "a note"`, `"Greenroom"`} {
		if n := strings.Count(heads, want); n < len(paths) {
			t.Errorf("%d of %d headers have %s:\n%s", n, len(paths), want, heads)
		}
	}
	output(t, tool(t, "oiiotool", unpack...))
	for _, path := range paths {
		checkAgainst(t, path, path+".plain.exr", true)
	}
}

func TestEXRStoresHalvesLowByteFirst(t *testing.T) {
	// A byte order that is wrong on both sides would agree with itself: one value by hand.
	one := picture.New(1, 1, 1)
	one.Pix[0] = 1.5
	var b disktest.File
	if err := WriteEXR(&b, one, picture.Image{}, Meta{}, EXROptions{Luminance: true}); err != nil {
		t.Fatal(err)
	}
	if got := binary.LittleEndian.Uint16(b.Bytes[len(b.Bytes)-2:]); got != 0x3e00 {
		t.Errorf("1.5 is stored as %#x", got)
	}
}
