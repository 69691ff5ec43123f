package keying

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"greenroom/engine/hint"
	"greenroom/engine/imageio"
	"greenroom/engine/imageio/exr"
	"greenroom/engine/picture"
)

// brightPlate writes an OpenEXR plate of w x h with a layer "cam": a disc of light up to 8 before a green screen. Its
// main layer, and so the picture, is black.
func brightPlate(t *testing.T, path string, w, h int) {
	t.Helper()
	o := exr.Output{X: 7, Y: -3, W: w, H: h, Type: exr.Half, Text: map[string]string{"comments": "take 4"}}
	for c, name := range []string{"R", "G", "B"} {
		o.Channels = append(o.Channels, exr.Samples{Name: name, Row: func(dst []float32, _ int) { clear(dst) }})
		o.Channels = append(o.Channels, exr.Samples{Name: "cam." + name, Row: func(dst []float32, y int) {
			for x := range dst {
				dst[x] = [3]float32{0.04, 0.5, 0.06}[c]
				dx, dy := 2*x-w, 2*y-h
				if 2*(dx*dx+dy*dy) < min(w, h)*min(w, h) {
					dst[x] = [3]float32{8, 6, 5}[c] * float32(x) / float32(w)
				}
			}
		}})
	}
	err := imageio.Replace(t.Context(), path, func(w io.WriteSeeker) error { return exr.Write(w, o) })
	if err != nil {
		t.Fatal(err)
	}
}

func TestHighlightsOfAnOpenEXRPlateComeThrough(t *testing.T) {
	e, o := bench(t)
	o.Plate = filepath.Join(t.TempDir(), "bright.exr")
	o.Layer, o.Format = "cam", "" // OpenEXR, as the plate is in floating point
	// The matte is made solid where the light is: what a network makes of it does not matter here.
	core := filepath.Join(filepath.Dir(o.Plate), "core.png")
	solid := picture.New(128, 96, 1)
	for y := 30; y < 66; y++ {
		for x := 46; x < 82; x++ {
			solid.Row(y)[x] = 1
		}
	}
	err := imageio.Replace(t.Context(), core, func(w io.WriteSeeker) error {
		return imageio.WritePNG16(w, solid, picture.Image{}, imageio.Meta{})
	})
	if err != nil {
		t.Fatal(err)
	}
	brightPlate(t, o.Plate, 128, 96)
	o.Core = core
	r, err := Run(t.Context(), e, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, pass := range o.Passes {
		if !strings.HasSuffix(r.Files[pass], "bright_"+string(pass)+".exr") {
			t.Errorf("the %s went to %s", pass, r.Files[pass])
		}
	}
	plate, err := imageio.OpenLayer(o.Plate, "cam", imageio.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	key, err := imageio.Open(r.Files[PassKey], imageio.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if key.EXR.X != 7 || key.EXR.Y != -3 || !strings.HasPrefix(key.EXR.Comment, "take 4\nKeyed by Greenroom with the model nano (SHA-256 ") {
		t.Errorf("the key says %+v", key.EXR)
	}
	for y := 44; y < 52; y++ {
		for x := 60; x < 68; x++ {
			at := y*128 + x
			if a := key.Picture.Alpha.Pix[at]; a != 1 {
				t.Fatalf("the matte is %v at %d, %d", a, x, y)
			}
			for c := range 3 {
				if got, want := key.Picture.RGB.Pix[3*at+c], plate.Picture.RGB.Pix[3*at+c]; got != want || want < 2 {
					t.Fatalf("%d, %d is %v, want %v", x, y, got, want)
				}
			}
		}
	}
	like, err := ReadLike(r.Sidecar)
	if err != nil {
		t.Fatal(err)
	}
	again, same, err := like.Order(Order{Plate: o.Plate, Look: o.Look}, Export{})
	if err != nil || !same || again.Layer != "cam" {
		t.Errorf("like it: layer %q, the same plate %v, error %v", again.Layer, same, err)
	}
}

func TestTheMatteOfAnOpenEXRKeyHasTheChannelsThatWereChosen(t *testing.T) {
	e, o := bench(t)
	dir := t.TempDir()
	o.Plate, o.Format = filepath.Join(dir, "shot.png"), FormatEXR
	plate(t, o.Plate, 96, 64)
	var mattes []picture.Image
	for _, c := range []struct {
		asked MatteChannels
		want  []string
	}{{"", []string{"A", "B", "G", "R"}}, {MatteRGBA, []string{"A", "B", "G", "R"}}, {MatteY, []string{"Y"}}} {
		o.MatteChannels, o.Out = c.asked, filepath.Join(dir, string(c.asked))
		r, err := Run(t.Context(), e, o)
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(r.Files[PassMatte])
		if err != nil {
			t.Fatal(err)
		}
		f, err := exr.Open(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, channel := range f.Parts[0].Channels {
			names = append(names, channel.Name)
		}
		if !slices.Equal(names, c.want) {
			t.Errorf("%q has the channels %q", c.asked, names)
		}
		if side := readSidecar(t, r.Sidecar); side.MatteChannels != c.asked {
			t.Errorf("%q: the sidecar says %q", c.asked, side.MatteChannels)
		}
		read, err := imageio.Open(r.Files[PassMatte], imageio.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		found, err := hint.FromPicture(read.Picture, 96, 64)
		if err != nil {
			t.Fatal(err)
		}
		mattes = append(mattes, found.Matte)
	}
	for _, m := range mattes[1:] {
		if !slices.Equal(m.Pix, mattes[0].Pix) {
			t.Error("the mattes differ")
		}
	}
	o.Format, o.Out = FormatTIFF, filepath.Join(dir, "tiff")
	r, err := Run(t.Context(), e, o)
	if err != nil || !says(r.Notes, "the matte is in grey: only OpenEXR has it as y, and this is TIFF") {
		t.Errorf("notes %q, %v", r.Notes, err)
	}
}

// TestFilesHaveTheDepthThatWasChosen writes OpenEXR in half floats and floats, and comps of 8 and 16 bits.
func TestFilesHaveTheDepthThatWasChosen(t *testing.T) {
	e, o := bench(t)
	dir := t.TempDir()
	o.Plate, o.Passes = filepath.Join(dir, "shot.png"), []Pass{PassKey, PassMatte, PassComp}
	plate(t, o.Plate, 96, 64)
	for i, c := range []struct {
		format    Format
		float     bool
		compDepth int
		// The depths of key, matte and comp.
		want [3]int
		note string
	}{
		{FormatPNG, false, 0, [3]int{16, 16, 16}, ""},
		{FormatPNG, false, 8, [3]int{16, 16, 8}, ""},
		{FormatTIFF, false, 8, [3]int{16, 16, 8}, ""},
		{FormatTIFF, true, 16, [3]int{16, 16, 16}, "floats of 32 bits are for OpenEXR, and this is TIFF"},
		{FormatEXR, false, 0, [3]int{16, 16, 16}, ""},
		{FormatEXR, true, 0, [3]int{32, 32, 32}, ""},
		{FormatEXR, false, 8, [3]int{16, 16, 16}, "8 bits are for PNG and TIFF"},
	} {
		o.Format, o.Depth, o.CompDepth, o.Out = c.format, DepthHalf, c.compDepth, filepath.Join(dir, fmt.Sprint(i))
		if c.float {
			o.Depth = DepthFloat
		}
		r, err := Run(t.Context(), e, o)
		if err != nil {
			t.Fatal(err)
		}
		for k, pass := range o.Passes {
			h, err := imageio.ReadHeader(r.Files[pass], imageio.Limits{})
			if err != nil || h.Depth != c.want[k] || h.Pass != string(pass) {
				t.Errorf("%+v: the %s has %d bits (%v)", c, pass, h.Depth, err)
			}
		}
		if c.note != "" && !says(r.Notes, c.note) || c.note == "" && says(r.Notes, "are for") {
			t.Errorf("%+v: notes %q", c, r.Notes)
		}
		if side := readSidecar(t, r.Sidecar); side.Float != c.float || side.CompDepth != c.compDepth {
			t.Errorf("%+v: the sidecar says %v, %d", c, side.Float, side.CompDepth)
		}
	}
}

func TestFormatSuitsThePlate(t *testing.T) {
	for _, c := range []struct {
		asked Format
		float bool
		want  Format
	}{{"", false, FormatPNG}, {"", true, FormatEXR}, {FormatTIFF, true, FormatTIFF}, {FormatEXR, false, FormatEXR}} {
		if got := c.asked.Suits(imageio.Header{Float: c.float}); got != c.want {
			t.Errorf("%q for a plate in floating point (%v) is %s, want %s", c.asked, c.float, got, c.want)
		}
	}
}
