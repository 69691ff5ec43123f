package command

import (
	"bytes"
	"image"
	"image/color"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"greenroom/app/keying"
	"greenroom/engine/settings"
)

// parsed is the key command of a line.
func parsed(t *testing.T, arguments ...string) *keyCommand {
	t.Helper()
	var g grammar
	parser, err := newParser(&g, Streams{Out: &strings.Builder{}, Err: &strings.Builder{}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.Parse(joinNegative(append([]string{"key"}, arguments...))); err != nil {
		t.Fatal(err)
	}
	return &g.Key
}

func TestEveryControlHasItsFlag(t *testing.T) {
	dir := t.TempDir()
	back := save(t, dir, "back.png", image.NewGray(image.Rect(0, 0, 4, 4)))
	o, err := parsed(
		t, "--screen", "blue", "--chroma-smooth", "2.5", "--key-exposure", "-1.5", "--refiner", "0.25", "--clip", "0.1,0.9", "--gamma", "1.5", "--grow", "-0.5",
		"--soften", "3", "--despeckle", "77", "--despeckle-by", "reference", "--edge-colour", "plate", "--edge-extend", "12",
		"--no-source-detail", "--despill-limit", "screen", "--despill", "0.8", "--neutral-return", "0.2",
		"--keep", "0.1,0.5,0.2", "--keep", "0.2,0.6,0.2,0.15", "--background", back, "--place", "1:1", "--back-scale", "2",
		"--back-offset", "-7,8.5", "--back-exposure", "-1.5", "--blend", "display", "--pick", "10,20", "--pick", "30.5,40",
		"--core", "c.png", "--garbage", "g.png", "--letterbox", "--check", "--background-space", "ACEScg", "--exr-matte", "y",
		"--exr-depth", "float", "--passes", "comp", "--comp-depth", "8",
		"--hint-channel", "luminance", "--hint-strength", "-0.5", "--hint-invert", "--hint-grow", "-3.5", "--hint-soften", "4",
	).order(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := settings.Look{
		Screen: settings.ScreenBlue, ChromaSmooth: 2.5, KeyExposure: -1.5, Refiner: 0.25, ClipBlack: 0.1, ClipWhite: 0.9, Gamma: 1.5, Grow: -0.5,
		Soften: 3, Despeckle: 77, DespeckleBy: settings.DespeckleReference, EdgeColour: settings.EdgePlate, EdgeExtend: 12,
		DespillLimit: settings.DespillScreen, Despill: 0.8, NeutralReturn: 0.2, Background: settings.BackgroundPicture,
		Comp: settings.Comp{
			Placement: settings.PlaceActual, Scale: 2, OffsetX: -7, OffsetY: 8.5, Exposure: -1.5, Blend: settings.BlendDisplay,
		},
	}
	if o.Look != want {
		t.Errorf("the look is %+v, want %+v", o.Look, want)
	}
	if edit := (settings.HintEdit{Channel: settings.ChannelLuminance, Strength: -0.5, Invert: true, Grow: -3.5, Soften: 4}); o.Edit != edit {
		t.Errorf("the hint's edit is %+v, want %+v", o.Edit, edit)
	}
	if o.BackdropSpace != "acescg" || o.MatteChannels != keying.MatteY || o.Depth != keying.DepthFloat || o.CompDepth != 8 {
		t.Errorf("a background in %q, a matte as %q, of %q, a comp of %d bits", o.BackdropSpace, o.MatteChannels, o.Depth, o.CompDepth)
	}
	kept := []settings.KeptColour{
		{Colour: settings.Colour{0.1, 0.5, 0.2}, Tolerance: settings.DefaultTolerance},
		{Colour: settings.Colour{0.2, 0.6, 0.2}, Tolerance: 0.15},
	}
	if !slices.Equal(o.Marks.Kept, kept) || !slices.Equal(o.Picks, []settings.Point{{X: 10, Y: 20}, {X: 30.5, Y: 40}}) {
		t.Errorf("kept %v, picks %v", o.Marks.Kept, o.Picks)
	}
	if o.Backdrop != back || o.Core != "c.png" || o.Garbage != "g.png" || !o.Letterbox || !o.Check {
		t.Errorf("%+v", o)
	}
}

func TestBackgroundsAreWordsColoursOrFiles(t *testing.T) {
	for text, want := range map[string]settings.Background{
		"checker": settings.BackgroundChecker, "white": settings.BackgroundWhite, "0.1, 0.2,1": settings.BackgroundColour,
	} {
		o, err := parsed(t, "--background", text).order(nil, nil)
		if err != nil || o.Look.Background != want || o.Backdrop != "" {
			t.Errorf("%s: %+v, %v", text, o.Look, err)
		}
	}
	o, err := parsed(t, "--chroma-smooth", "auto").order(nil, nil)
	if err != nil || o.Look != settings.DefaultLook() {
		t.Errorf("auto: %+v, %v", o.Look, err)
	}
}

func TestKeyWithMasksIsCheckedAndRepeated(t *testing.T) {
	dir := t.TempDir()
	good := plate(t, dir, "good.png")
	mask := func(name string, r image.Rectangle) string {
		m := image.NewGray(image.Rect(0, 0, 96, 64))
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				m.SetGray(x, y, color.Gray{255})
			}
		}
		return save(t, dir, name, m)
	}
	core, garbage := mask("core.png", image.Rect(40, 10, 60, 54)), mask("garbage.png", image.Rect(50, 0, 96, 64))
	first := filepath.Join(dir, "first")
	got := greenroom(t, "key", good, "--core", core, "--garbage", garbage, "--grow", "-0.5", "--check", "--json", "--out", first)
	if got.code != exitDone {
		t.Fatalf("%+v", got)
	}
	object := decodeLines(t, got.out)[0]
	if keys := keysOf(object["check"]); !slices.Equal(keys, []string{"clear", "findings", "more", "solid", "translucent"}) {
		t.Errorf("the check is %v", object["check"])
	}
	f, err := os.Open(filepath.Join(first, "good_matte.png"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, _, err := image.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	level := func(x, y int) uint32 { v, _, _, _ := m.At(x, y).RGBA(); return v }
	if level(44, 12) != 0xffff || level(52, 32) != 0 || level(90, 60) != 0 {
		t.Errorf("the core is %d, the garbage %d and %d", level(44, 12), level(52, 32), level(90, 60))
	}
	side := filepath.Join(first, "good_key.toml")
	second := filepath.Join(dir, "second")
	if got := greenroom(t, "key", good, "--like", side, "--out", second); got.code != exitDone {
		t.Fatalf("%+v", got)
	}
	for _, name := range []string{"good_key.png", "good_matte.png"} {
		a, errA := os.ReadFile(filepath.Join(first, name))
		b, errB := os.ReadFile(filepath.Join(second, name))
		if errA != nil || errB != nil || !bytes.Equal(a, b) {
			t.Errorf("%s was not repeated bit for bit (%v, %v)", name, errA, errB)
		}
	}
	// Another plate, with one control of its own.
	other := plate(t, dir, "other.png")
	if err := os.WriteFile(other, append(must(os.ReadFile(other)), 0), 0o666); err != nil {
		t.Fatal(err)
	}
	got = greenroom(t, "key", other, "--like", side, "--despill", "0.5", "--check", "--out", second)
	if got.code != exitDone || !strings.Contains(got.out, "another plate") || !strings.Contains(got.out, "translucent") {
		t.Errorf("%+v", got)
	}
	text := string(must(os.ReadFile(filepath.Join(second, "other_key.toml"))))
	if !strings.Contains(text, "grow = -0.5") || !strings.Contains(text, "despill = 0.5") || strings.Contains(text, "core.png") {
		t.Errorf("the other sidecar:\n%s", text)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestLikeTellsWhatIsWrong(t *testing.T) {
	dir := t.TempDir()
	good := plate(t, dir, "good.png")
	for name, c := range map[string]struct {
		arguments []string
		says      string
	}{
		"no such sidecar": {[]string{"--like", filepath.Join(dir, "gone.toml")}, "gone.toml"},
		"a picture":       {[]string{"--like", good}, "no sidecar"},
		"no such core":    {[]string{"--core", filepath.Join(dir, "gone.png")}, "gone.png"},
		"another aspect":  {[]string{"--garbage", save(t, dir, "wide.png", image.NewGray(image.Rect(0, 0, 200, 50)))}, "wide.png"},
		"picked outside":  {[]string{"--pick", "500,2"}, "500,2"},
		"picked the disc": {[]string{"--pick", "48,32"}, "not green"},
	} {
		got := greenroom(t, append([]string{"key", good}, c.arguments...)...)
		if got.code != exitFailed || !strings.Contains(got.err, c.says) || strings.Count(got.err, "\n") != 1 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestNegativeNumbersAreNoFlags(t *testing.T) {
	for line, want := range map[string]string{
		"key a --grow -0.5 --json":  "key a --grow=-0.5 --json",
		"key --back-offset -7,-8 a": "key --back-offset=-7,-8 a",
		"key --grow=1 -5":           "key --grow=1 -5",
		"key -- -5":                 "key -- -5",
		"key --grow -x":             "key --grow -x",
		"key --json --grow -.5":     "key --json --grow=-.5",
	} {
		if got := strings.Join(joinNegative(strings.Fields(line)), " "); got != want {
			t.Errorf("%q became %q, want %q", line, got, want)
		}
	}
}
