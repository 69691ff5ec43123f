package command

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"greenroom/engine/device/choose"
	"greenroom/engine/settings"
)

// output is what a command printed and returned.
type output struct {
	code     int
	out, err string
}

// greenroom runs a command line.
func greenroom(t *testing.T, arguments ...string) output {
	t.Helper()
	return greenroomUntil(t.Context(), arguments...)
}

func greenroomUntil(ctx context.Context, arguments ...string) output {
	var out, err bytes.Buffer
	code := run(ctx, arguments, Streams{Out: &out, Err: &err})
	return output{code, out.String(), err.String()}
}

// plate writes a small plate with a subject before a green screen and returns its path.
func plate(t *testing.T, dir, name string) string {
	t.Helper()
	m := image.NewNRGBA(image.Rect(0, 0, 96, 64))
	for y := range 64 {
		for x := range 96 {
			c := color.NRGBA{40, 160, 50, 255}
			if (x-48)*(x-48)+(y-32)*(y-32) < 400 {
				c = color.NRGBA{180, 140, 120, 255}
			}
			m.SetNRGBA(x, y, c)
		}
	}
	return save(t, dir, name, m)
}

func save(t *testing.T, dir, name string, m image.Image) string {
	t.Helper()
	var data bytes.Buffer
	if err := png.Encode(&data, m); err != nil {
		t.Fatal(err)
	}
	return write(t, dir, name, data.Bytes())
}

func write(t *testing.T, dir, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// bomb is a small PNG that claims 65536 x 65536 pixels.
func bomb() []byte {
	data := []byte("\x89PNG\r\n\x1a\n")
	chunk := func(kind string, body []byte) {
		data = binary.BigEndian.AppendUint32(data, uint32(len(body)))
		data = append(append(data, kind...), body...)
		data = binary.BigEndian.AppendUint32(data, crc32.ChecksumIEEE(data[len(data)-len(body)-4:]))
	}
	chunk("IHDR", []byte{0, 1, 0, 0, 0, 1, 0, 0, 8, 2, 0, 0, 0})
	chunk("IDAT", make([]byte, 1000))
	chunk("IEND", nil)
	return data
}

// pickleBomb is a PyTorch file whose pickle would run a command.
func pickleBomb(t *testing.T) []byte {
	t.Helper()
	var data bytes.Buffer
	z := zip.NewWriter(&data)
	w, err := z.Create("archive/data.pkl")
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(w, "\x80\x02cos\nsystem\nX\x04\x00\x00\x00true\x85R.")
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return data.Bytes()
}

func TestBadInputGivesOneClearError(t *testing.T) {
	dir := t.TempDir()
	good := plate(t, dir, "good.png")
	whole, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	blocked := write(t, dir, "a file", nil)
	grey := save(t, dir, "grey.png", image.NewGray(image.Rect(0, 0, 96, 64)))
	for name, c := range map[string]struct {
		arguments []string
		says      []string
	}{
		"missing":         {[]string{filepath.Join(dir, "gone.png")}, []string{"gone.png", "no such file"}},
		"empty":           {[]string{write(t, dir, "empty.png", nil)}, []string{"empty.png", "empty"}},
		"cut short":       {[]string{write(t, dir, "cut.png", whole[:len(whole)/2])}, []string{"cut.png", "cut short"}},
		"text":            {[]string{write(t, dir, "text.png", []byte("these are words, not pixels\n"))}, []string{"text.png", "text"}},
		"a folder":        {[]string{dir}, []string{filepath.Base(dir)}},
		"a bomb":          {[]string{write(t, dir, "bomb.png", bomb())}, []string{"bomb.png", "65536 x 65536"}},
		"no screen":       {[]string{grey}, []string{"grey.png", "--hint"}},
		"another aspect":  {[]string{good, "--hint", save(t, dir, "wide.png", image.NewGray(image.Rect(0, 0, 200, 50)))}, []string{"wide.png", "200x50", "96x64"}},
		"no such hint":    {[]string{good, "--hint", filepath.Join(dir, "nohint.png")}, []string{"nohint.png", "no such file"}},
		"out is a file":   {[]string{good, "--out", blocked}, []string{"a file"}},
		"out under file":  {[]string{good, "--out", filepath.Join(blocked, "keys")}, []string{"a file"}},
		"unknown model":   {[]string{good, "--model", "nono"}, []string{"nono", "nano"}},
		"an LFS pointer":  {[]string{good, "--model", write(t, dir, "lfs.safetensors", []byte("version https://git-lfs.github.com/spec/v1\noid sha256:"+strings.Repeat("a", 64)+"\nsize 398847216\n"))}, []string{"lfs.safetensors", "LFS"}},
		"damaged model":   {[]string{good, "--model", write(t, dir, "damaged.safetensors", []byte("\xff\xff\xff\xff\xff\xff\xff\x7f{}"))}, []string{"damaged.safetensors"}},
		"hostile pickle":  {[]string{good, "--model", write(t, dir, "hostile.pth", pickleBomb(t))}, []string{"hostile.pth", "os"}},
		"a picture model": {[]string{good, "--model", good}, []string{"good.png"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := greenroom(t, append([]string{"key"}, c.arguments...)...)
			if got.code != exitFailed {
				t.Errorf("exit code %d, want %d", got.code, exitFailed)
			}
			if !strings.HasPrefix(got.err, "greenroom: ") || strings.Count(got.err, "\n") != 1 || got.out != "" {
				t.Errorf("not one line of error:\n%s%s", got.out, got.err)
			}
			for _, part := range c.says {
				if !strings.Contains(got.err, part) {
					t.Errorf("%q does not say %q", got.err, part)
				}
			}
		})
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() == "keys" {
			t.Error("a failed key made keys/")
		}
	}
}

func TestReadOnlyFolderIsNamed(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("the superuser may write everywhere")
	}
	dir := t.TempDir()
	good := plate(t, dir, "good.png")
	closed := filepath.Join(dir, "closed")
	if err := os.Mkdir(closed, 0o555); err != nil {
		t.Fatal(err)
	}
	got := greenroom(t, "key", good, "--out", closed)
	if got.code != exitFailed || !strings.Contains(got.err, "closed") || strings.Count(got.err, "\n") != 1 {
		t.Errorf("%+v", got)
	}
}

func TestBadUsageIsCodeTwo(t *testing.T) {
	dir := t.TempDir()
	good := plate(t, dir, "good.png")
	other := choose.Metal // a device that this system cannot have
	if slices.Contains(choose.Names(), other) {
		other = choose.Vulkan
	}
	for _, line := range []string{
		"--nonsense", "kye", "key --nonsense", "key --tile", "key --tile x", "key --tile 33", "key --overlap -1",
		"key --refine sideways", "key --frame 100", "key --set fast=on", "key --set slim", "key --set slim=maybe",
		"key --set tile=33", "key --screen red", "key --space rec2020", "key --device OTHER",
		"key --device gpu", "key --format gif", "key --passes key,alpha", "key --passes=",
		"key --clip 0.5", "key --clip 1,0", "key --clip a,b", "key --clip NaN,1", "key --despill 2", "key --despeckle -4",
		"key --background red", "key --background 0.1,0.2", "key --background 0.1,0.2,3", "key PLATE PLATE --hint PLATE",
		"key PLATE PLATE --core PLATE", "key PLATE PLATE --garbage PLATE", "key PLATE PLATE --pick 3,3", "key PLATE --hint PLATE --pick 3,3",
		"key PLATE --exr-matte a", "key PLATE --exr-matte y --format png", "key PLATE --exr-matte rgba --format tiff",
		"key PLATE --exr-depth 16", "key PLATE --exr-depth float --format png", "key PLATE --comp-depth 12 --passes comp",
		"key PLATE --comp-depth 8", "key PLATE --comp-depth 8 --passes comp --format exr",
		"key PLATE --background-space p3", "key PLATE --background grey --background-space p3", "key PLATE --background PLATE --background-space teal",
		"key --gamma 9", "key --grow 21", "key --grow=-21", "key --grow x", "key --soften -1", "key --refiner 2", "key --chroma-smooth -2", "key --key-exposure 4.5", "key --space teal",
		"key --despeckle-by hand", "key --edge-colour red", "key --edge-extend 999", "key --despill-limit least", "key --keep 0.1,0.2",
		"key --keep 0.1,0.2,0.3,4", "key --keep 1,2,3", "key --keep NaN,0,0", "key --pick 5", "key --pick 5,6,7", "key --back-offset 5",
		"key --hint-channel=", "key --hint-channel teal", "key --screen=", "key --keep=-0.1,0,0", "key --place left", "key --back-scale 0", "key --back-exposure 99", "key --blend add",
		"machine --as nothing", "preset", "preset recommend --size 0", "preset recommend --as M4", "preset lists",
		"model", "model fetch", "selftest --device abacus", "bench --device=", "bench 512", "bench --sweep quick",
	} {
		arguments := strings.Fields(strings.NewReplacer("PLATE", good, "OTHER", other).Replace(line))
		got := greenroom(t, arguments...)
		if got.code != exitUsage || got.out != "" {
			t.Errorf("%s: code %d, out %q", line, got.code, got.out)
		}
		if !strings.HasPrefix(got.err, "greenroom: bad usage: ") || strings.Count(got.err, "\n") != 1 || !strings.Contains(got.err, "--help)") {
			t.Errorf("%s: %q", line, got.err)
		}
		if command := arguments[0]; Wanted(arguments) && command[0] != '-' && !strings.HasSuffix(got.err, "(see greenroom "+command+" --help)\n") {
			t.Errorf("%s: its help is not named: %q", line, got.err)
		}
	}
}

func TestABadPlaceIsToldByAnExampleOfAPlace(t *testing.T) {
	for line, want := range map[string]string{
		"key --pick=5": `--pick: "5" is not two numbers such as 120,80 `, "key --back-offset=x": `--back-offset: "x" is not two numbers such as 120,80 `,
		"key --clip=5": `--clip: "5" is not two numbers such as 0.02,0.98 `,
	} {
		if got := greenroom(t, strings.Fields(line)...); !strings.Contains(got.err, want) {
			t.Errorf("%s: %q", line, got.err)
		}
	}
}

func TestHelpIsShownForEveryCommand(t *testing.T) {
	for _, line := range []string{"--help", "help", "-h", "key --help", "help key", "model fetch --help", "preset recommend -h", "machine -h", "bench -h", "selftest -h"} {
		got := greenroom(t, strings.Fields(line)...)
		if got.code != exitDone || !strings.HasPrefix(got.out, "Usage: greenroom") || got.err != "" {
			t.Errorf("%s: %+v", line, got)
		}
	}
}

func TestOnlyCommandsAndFlagsAreForTheCommandLine(t *testing.T) {
	for line, want := range map[string]bool{
		"": false, "key a.png": true, "key": true, "machine": true, "preset list": true, "model list": true, "selftest": true,
		"--help": true, "-h": true, "help": true, "plate.png": false, "plate.png hint.png": false, "./key": false, "bench": true,
	} {
		if got := Wanted(strings.Fields(line)); got != want {
			t.Errorf("%q: %v, want %v", line, got, want)
		}
	}
}

// decodeLines reads JSON objects, one a line.
func decodeLines(t *testing.T, text string) []map[string]any {
	t.Helper()
	var list []map[string]any
	for line := range strings.Lines(text) {
		var object map[string]any
		if err := json.Unmarshal([]byte(line), &object); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		list = append(list, object)
	}
	return list
}

func keysOf(v any) []string {
	m, _ := v.(map[string]any)
	return slices.Sorted(maps.Keys(m))
}

func TestKeyJSONHasTheDocumentedShape(t *testing.T) {
	dir := t.TempDir()
	good, gone := plate(t, dir, "good.png"), filepath.Join(dir, "gone.png")
	got := greenroom(t, "key", gone, good, "--json", "--set", "sdpa=off,compile=off", "--tile", "64", "--overlap", "16")
	if got.code != exitFailed {
		t.Errorf("code %d with a plate that is not there", got.code)
	}
	objects := decodeLines(t, got.out)
	if len(objects) != 2 {
		t.Fatalf("%d objects for 2 plates:\n%s", len(objects), got.out)
	}
	if o := objects[0]; !slices.Equal(keysOf(o), []string{"error", "plate"}) || o["plate"] != gone {
		t.Errorf("a failed plate: %v", o)
	}
	o := objects[1]
	want := []string{
		"adjusted", "device", "files", "model", "peak_bytes", "plate", "seams", "seconds", "settings", "tiles", "warnings", "worst_seam",
	}
	if !slices.Equal(keysOf(o), want) {
		t.Errorf("keys %q, want %q", keysOf(o), want)
	}
	if !slices.Equal(keysOf(o["seconds"]), []string{"key", "load", "post", "read", "total", "write"}) {
		t.Errorf("seconds %v", o["seconds"])
	}
	if !slices.Equal(keysOf(o["files"]), []string{"key", "matte"}) {
		t.Errorf("files %v", o["files"])
	}
	names := slices.Clone(settings.Names())
	slices.Sort(names)
	if !slices.Equal(keysOf(o["settings"]), names) {
		t.Errorf("settings %v", o["settings"])
	}
	s := o["settings"].(map[string]any)
	if s["sdpa"] != false || s["compile"] != false || s["slim"] != true || s["tile"] != 64.0 || s["refine"] != "tile" {
		t.Errorf("settings %v", s)
	}
	if o["model"] != "nano" || o["device"] != "cpu" || o["tiles"].(float64) < 2 {
		t.Errorf("object %v", o)
	}
	if seam := keysOf(o["worst_seam"]); !slices.Equal(seam, []string{"steps", "x", "y"}) {
		t.Errorf("worst seam %v", o["worst_seam"])
	}
	for _, list := range []string{"adjusted", "warnings"} {
		if _, ok := o[list].([]any); !ok {
			t.Errorf("%s is %v, not a list", list, o[list])
		}
	}
	for _, file := range o["files"].(map[string]any) {
		if _, err := os.Stat(file.(string)); err != nil {
			t.Error(err)
		}
	}
}

func TestPlatesOfOneNameDoNotOverwriteEachOther(t *testing.T) {
	dir := t.TempDir()
	for _, sub := range []string{"a", "b"} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	a, b := plate(t, filepath.Join(dir, "a"), "shot.png"), plate(t, filepath.Join(dir, "b"), "shot.png")
	out := filepath.Join(dir, "out")
	for _, extra := range [][]string{nil, {"--overwrite"}} {
		got := greenroom(t, append([]string{"key", a, b, "--json", "--passes", "matte", "--format", "tiff", "--out", out}, extra...)...)
		if got.code != exitDone {
			t.Fatalf("%+v", got)
		}
		objects := decodeLines(t, got.out)
		first := objects[0]["files"].(map[string]any)["matte"]
		second := objects[1]["files"].(map[string]any)["matte"]
		if first == second || filepath.Base(first.(string)) != "shot_matte.tif" {
			t.Errorf("%v: wrote %v and %v", extra, first, second)
		}
	}
}

func TestKeyTellsPeopleWhatItWroteAndChanged(t *testing.T) {
	dir := t.TempDir()
	good := plate(t, dir, "good.png")
	got := greenroom(t, "key", good, "--tile", "64", "--overlap", "16", "--set", "bf16=on")
	if got.code != exitDone {
		t.Fatalf("%+v", got)
	}
	for _, part := range []string{"good.png: keyed in", "good_key.png", "good_matte.png", "good_key.toml", "tiles"} {
		if !strings.Contains(got.out, part) {
			t.Errorf("the summary lacks %q:\n%s", part, got.out)
		}
	}
	black := save(t, dir, "black.png", image.NewGray(image.Rect(0, 0, 96, 64)))
	got = greenroom(t, "key", good, "--hint", black)
	if got.code != exitDone || !strings.Contains(got.err, "empty") {
		t.Errorf("a black hint: %+v", got)
	}
}

func TestKeyWithoutAPlateKeysTheSample(t *testing.T) {
	t.Chdir(t.TempDir())
	got := greenroom(t, "key", "--json", "--tile", "256")
	if got.code != exitDone {
		t.Fatalf("%+v", got)
	}
	if _, err := os.Stat(filepath.Join("keys", "sample_key.png")); err != nil {
		t.Error(err)
	}
}

func TestInterruptEndsTheRun(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	dir := t.TempDir()
	got := greenroomUntil(ctx, "key", plate(t, dir, "a.png"), plate(t, dir, "b.png"))
	if got.code != exitInterrupted || got.err != "greenroom: interrupted\n" || got.out != "" {
		t.Errorf("%+v", got)
	}
	if _, err := os.Stat(filepath.Join(dir, "keys")); err == nil {
		t.Error("an interrupted run left keys/")
	}
}

func TestVersionIsTheAppsOwn(t *testing.T) {
	app, err := os.ReadFile(filepath.Join("..", "..", "FyneApp.toml"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(app), fmt.Sprintf("Version = %q", Version)) {
		t.Errorf("FyneApp.toml does not say version %s", Version)
	}
	var out bytes.Buffer
	if code := run(t.Context(), []string{"--version"}, Streams{Out: &out, Err: io.Discard}); code != exitDone || out.String() != "greenroom "+Version+"\n" {
		t.Errorf("exit %d, %q", code, out.String())
	}
}
