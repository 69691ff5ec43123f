package keying

import (
	"bytes"
	"image"
	"image/color"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/BurntSushi/toml"

	"greenroom/engine"
	"greenroom/engine/colour"
	"greenroom/engine/device"
	"greenroom/engine/device/choose"
	"greenroom/engine/settings"
)

// marked is an order with a look, marks, masks and a background that are all other than the usual ones, in dir.
func marked(t *testing.T, o Order, dir string) Order {
	t.Helper()
	o.Plate = filepath.Join(dir, "shot.png")
	plate(t, o.Plate, 160, 120)
	mask := func(name string, r image.Rectangle) string {
		m := image.NewGray(image.Rect(0, 0, 160, 120))
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				m.SetGray(x, y, color.Gray{255})
			}
		}
		path := filepath.Join(dir, name)
		save(t, path, m)
		return path
	}
	o.Core, o.Garbage = mask("core.png", image.Rect(70, 50, 90, 70)), mask("garbage.png", image.Rect(0, 0, 30, 120))
	o.Backdrop = filepath.Join(dir, "back.png")
	plate(t, o.Backdrop, 90, 90)
	o.BackdropSpace = string(colour.AdobeRGB)
	dab := func(x, y, value float64) settings.Stroke {
		return settings.Stroke{Points: []settings.Point{{X: x, Y: y}, {X: x + 10.25, Y: y + 1.0/3}}, Size: 12.5, Softness: 0.4, Value: value}
	}
	o.Marks = settings.Marks{
		Hint:        []settings.Stroke{dab(20, 20, settings.PaintTranslucent), dab(80, 60, settings.PaintSubject)},
		Core:        settings.Region{Strokes: []settings.Stroke{dab(60, 60, settings.PaintSubject)}},
		Garbage:     settings.Region{Boxes: []settings.Box{{X0: 140.5, Y0: 0, X1: 160, Y1: 33.3}}},
		Kept:        []settings.KeptColour{{Colour: settings.Colour{0.5, 0.6, 0.5}, Tolerance: 0.07}},
		KeptStrokes: []settings.Stroke{dab(90, 70, settings.PaintSubject)},
	}
	o.Picks = []settings.Point{{X: 3, Y: 3}, {X: 150, Y: 110}}
	o.Edit = settings.HintEdit{Strength: 0.25, Grow: -1.5, Soften: 2.0 / 3}
	l := &o.Look
	l.KeyExposure, o.Space = 0.25, string(colour.DisplayP3)
	l.ChromaSmooth, l.Refiner, l.ClipBlack, l.Gamma, l.Grow, l.Soften = 0.5, 0.7, 0.03, 1.1, -0.5, 0.3
	l.Despeckle, l.EdgeColour, l.EdgeExtend, l.DespillLimit, l.Despill, l.NeutralReturn = 100, settings.EdgePlate, 12, settings.DespillScreen, 0.9, 1.0/3
	l.Background, l.Comp.Scale, l.Comp.OffsetX, l.Comp.Exposure, l.Comp.Blend = settings.BackgroundPicture, 1.5, 7, -1, settings.BlendDisplay
	o.Asked = []Setting{{Name: "tile", Value: "128"}, {Name: "overlap", Value: "32"}, {Name: "compile", Value: "off"}}
	o.Passes = Passes()
	return o
}

// sameFiles compares the pictures of two reports byte by byte.
func sameFiles(t *testing.T, a, b *Report) {
	t.Helper()
	if len(a.Files) == 0 || len(a.Files) != len(b.Files) {
		t.Fatalf("%d files and %d", len(a.Files), len(b.Files))
	}
	for pass, path := range a.Files {
		x, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		y, err := os.ReadFile(b.Files[pass])
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(x, y) {
			t.Errorf("the %s is another", pass)
		}
	}
}

// keyedLike keys a plate and reads what its sidecar says.
func keyedLike(t *testing.T, e *engine.Engine, o Order) (*Report, *Like) {
	t.Helper()
	r, err := Run(t.Context(), e, o)
	if err != nil {
		t.Fatal(err)
	}
	like, err := ReadLike(r.Sidecar)
	if err != nil {
		t.Fatal(err)
	}
	return r, like
}

func TestAKeyIsRepeatedBitForBitFromItsSidecar(t *testing.T) {
	e, base := bench(t)
	dir := t.TempDir()
	for name, make := range map[string]func() Order{
		"everything": func() Order { return marked(t, base, dir) },
		"defaults": func() Order {
			o := base
			o.Plate, o.Passes = filepath.Join(dir, "plain.png"), Passes()
			plate(t, o.Plate, 97, 64)
			return o
		},
	} {
		first, like := keyedLike(t, e, make())
		again := base
		again.Plate, again.Out, again.Passes, again.Look = make().Plate, filepath.Join(dir, name), Passes(), like.Look()
		again.Edit = like.Edit()
		again, same, err := like.Order(again, Export{})
		if err != nil || !same {
			t.Fatalf("%s: the same plate: %v, %v", name, same, err)
		}
		second, err := Run(t.Context(), e, again)
		if err != nil {
			t.Fatal(err)
		}
		sameFiles(t, first, second)
		// And the second sidecar is as good as the first.
		a, b := readSidecar(t, first.Sidecar), readSidecar(t, second.Sidecar)
		if a.Look != b.Look || a.Edit != b.Edit || a.Edit != make().Edit || !reflect.DeepEqual(a.Marks, b.Marks) || a.Files != b.Files || a.Screen != b.Screen {
			t.Errorf("%s: the sidecars differ: %+v and %+v", name, a, b)
		}
	}
}

// TestAKeyIsWrittenAgainAsItWas where nothing else is asked for, and as asked where it is.
func TestAKeyIsWrittenAgainAsItWas(t *testing.T) {
	e, base := bench(t)
	dir := t.TempDir()
	for _, c := range []struct {
		name         string
		then         func(o *Order)
		asked        func(o *Order)
		passes       []Pass
		format       Format
		matte        MatteChannels
		depth        EXRDepth
		comp         int
		otherContent bool
	}{
		{
			name: "OpenEXR in floats, the matte in Y",
			then: func(o *Order) {
				o.Format, o.MatteChannels, o.Depth, o.Passes = FormatEXR, MatteY, DepthFloat, []Pass{PassMatte, PassFG}
			},
			passes: []Pass{PassMatte, PassFG}, format: FormatEXR, matte: MatteY, depth: DepthFloat,
		},
		{
			name:   "TIFF with a comp of 8 bits over a picture",
			then:   func(o *Order) { o.Format, o.CompDepth, o.Passes = FormatTIFF, 8, []Pass{PassComp, PassKey} },
			passes: []Pass{PassComp, PassKey}, format: FormatTIFF, comp: 8,
		},
		{
			name:   "OpenEXR asked for as PNG: what is only of OpenEXR goes",
			then:   func(o *Order) { o.Format, o.MatteChannels, o.Depth = FormatEXR, MatteY, DepthFloat },
			asked:  func(o *Order) { o.Format = FormatPNG },
			passes: Passes(), format: FormatPNG, otherContent: true,
		},
		{
			name: "half floats, R, G, B and A and one pass asked for",
			then: func(o *Order) { o.Format, o.MatteChannels, o.Depth = FormatEXR, MatteY, DepthFloat },
			asked: func(o *Order) {
				o.MatteChannels, o.Depth, o.Passes = MatteRGBA, DepthHalf, []Pass{PassMatte}
			},
			passes: []Pass{PassMatte}, format: FormatEXR, matte: MatteRGBA, depth: DepthHalf, otherContent: true,
		},
	} {
		o := marked(t, base, dir)
		c.then(&o)
		first, like := keyedLike(t, e, o)
		again := base
		again.Plate, again.Look, again.Edit, again.Passes, again.Format = o.Plate, like.Look(), like.Edit(), nil, ""
		again.Out = t.TempDir()
		if c.asked != nil {
			c.asked(&again)
		}
		again, same, err := like.Order(again, Export{Passes: []Pass{PassFG}, Format: FormatTIFF})
		if err != nil || !same {
			t.Fatalf("%s: %v, %v", c.name, same, err)
		}
		if !slices.Equal(again.Passes, c.passes) || again.Format != c.format || again.MatteChannels != c.matte || again.Depth != c.depth || again.CompDepth != c.comp {
			t.Errorf("%s: %v, %q, %q, %q, %d", c.name, again.Passes, again.Format, again.MatteChannels, again.Depth, again.CompDepth)
		}
		second, err := Run(t.Context(), e, again)
		if err != nil {
			t.Fatal(err)
		}
		if !c.otherContent {
			sameFiles(t, first, second)
		}
		// Another plate is written as is usual.
		other := base
		other.Plate, other.Look, other.Passes, other.Format = filepath.Join(dir, "other.png"), like.Look(), nil, ""
		plate(t, other.Plate, 161, 120)
		other, same, err = like.Order(other, Export{Passes: []Pass{PassFG}, Format: FormatTIFF})
		if err != nil || same || !slices.Equal(other.Passes, []Pass{PassFG}) || other.Format != FormatTIFF || other.MatteChannels != "" || other.Depth != "" {
			t.Errorf("%s: another plate: %+v, %v", c.name, other, err)
		}
	}
}

func TestAKeyOfAnotherDeviceIsTold(t *testing.T) {
	l := &Like{Path: "shot_key.toml"}
	r := &Report{ranOn: device.Info{Kind: choose.CPU, Name: "Xeon"}}
	for _, c := range []struct {
		then *sidecarDevice
		want string
	}{
		{nil, ""},
		{&sidecarDevice{Kind: choose.CPU, Name: "Xeon", Threads: 3}, ""},
		{&sidecarDevice{Kind: choose.CPU, Name: "Ryzen"}, "shot_key.toml was made on the processor Ryzen: on the processor Xeon the bytes may differ"},
		{&sidecarDevice{Kind: choose.Vulkan, Name: "H200"}, "shot_key.toml was made on H200 through Vulkan: on the processor Xeon the bytes may differ"},
	} {
		l.side.Device = c.then
		if got := l.OtherDevice(r); got != c.want {
			t.Errorf("%+v: %q, want %q", c.then, got, c.want)
		}
	}
}

func TestAnotherPlateTakesTheLookAlone(t *testing.T) {
	e, base := bench(t)
	dir := t.TempDir()
	_, like := keyedLike(t, e, marked(t, base, dir))
	other := base
	other.Plate, other.Look = filepath.Join(dir, "other.png"), like.Look()
	other.Passes = []Pass{PassKey, PassComp}
	plate(t, other.Plate, 161, 120)
	other.Asked = []Setting{{Name: "overlap", Value: "48"}}
	got, same, err := like.Order(other, Export{})
	if err != nil || same {
		t.Fatalf("another plate: %v, %v", same, err)
	}
	if got.Core != "" || got.Garbage != "" || got.Hint != "" || len(got.Marks.Samples) > 0 || len(got.Marks.Hint) > 0 || !got.Marks.Core.Empty() {
		t.Errorf("marks of one plate came to another: %+v", got)
	}
	if got.Backdrop == "" || !slices.Contains(got.Asked, Setting{Name: "tile", Value: "128"}) || got.Asked[len(got.Asked)-1] != other.Asked[0] {
		t.Errorf("background %q, settings %v", got.Backdrop, got.Asked)
	}
}

func TestWhatIsGoneOrChangedIsNamed(t *testing.T) {
	e, base := bench(t)
	dir := t.TempDir()
	o := marked(t, base, dir)
	first, like := keyedLike(t, e, o)
	again := base
	again.Plate, again.Look = o.Plate, like.Look()
	// Moved beside the sidecar it is found.
	moved := filepath.Join(filepath.Dir(first.Sidecar), "core.png")
	if err := os.Rename(o.Core, moved); err != nil {
		t.Fatal(err)
	}
	if got, _, err := like.Order(again, Export{}); err != nil || got.Core != moved {
		t.Errorf("a moved mask: %q, %v", got.Core, err)
	}
	save(t, moved, image.NewGray(image.Rect(0, 0, 160, 120)))
	if _, _, err := like.Order(again, Export{}); err == nil || !strings.Contains(err.Error(), "core.png has changed") {
		t.Errorf("a changed mask: %v", err)
	}
	if err := os.Remove(moved); err != nil {
		t.Fatal(err)
	}
	if _, _, err := like.Order(again, Export{}); err == nil || !strings.Contains(err.Error(), "core.png is not there") {
		t.Errorf("a missing mask: %v", err)
	}
	// Another one by its flag is fine.
	again.Core = o.Garbage
	if got, _, err := like.Order(again, Export{}); err != nil || got.Core != o.Garbage {
		t.Errorf("another mask: %q, %v", got.Core, err)
	}
}

// bare is a sidecar's text that has only the tables that every sidecar has, and what is given.
func bare(tables string) string {
	text := "schema = 1\n" + tables + "\n"
	for _, table := range alwaysThere {
		if header := "[" + table + "]\n"; !strings.Contains(text, header) {
			text += header
		}
	}
	return text
}

// TestASidecarThatNestsDeeplyIsRefusedBeforeItIsParsed: the parser's stack and memory would not hold it.
func TestASidecarThatNestsDeeplyIsRefusedBeforeItIsParsed(t *testing.T) {
	for name, text := range map[string]string{
		"a key of many parts": strings.Repeat("a.", 50_000) + "a = 1\n" + bare(""),
		"tables in a line":    "x = " + strings.Repeat("{a=", 1_000_000),
		"arrays":              "x = " + strings.Repeat("[", 1_000_000),
		"a table's name":      bare("[" + strings.Repeat("a.", 50_000) + "a]"),
	} {
		start := time.Now()
		_, err := readSidecarFrom(strings.NewReader(text))
		if err == nil || !strings.Contains(err.Error(), "nested too deeply") {
			t.Errorf("%s: %.200v", name, err)
		}
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%s: refused after %v", name, took)
		}
	}
}

// TestAMillionPointsFitIntoASidecar: what the marks may hold, in the longest figures, can be written and read again.
func TestAMillionPointsFitIntoASidecar(t *testing.T) {
	if testing.Short() {
		t.Skip("a million points")
	}
	stroke := settings.Stroke{Value: settings.PaintSubject, Size: 9, Softness: 0.5, Points: make([]settings.Point, 1_000_000)}
	for i := range stroke.Points {
		stroke.Points[i] = settings.Point{X: -10000 - float64(i)/3e6, Y: 10000 + float64(i)/7e6}
	}
	var text bytes.Buffer
	side := sidecar{Schema: sidecarSchema, Engine: map[string]any{}, Look: settings.DefaultLook(), Marks: newSidecarMarks(settings.Marks{Hint: []settings.Stroke{stroke}})}
	if err := toml.NewEncoder(&text).Encode(side); err != nil {
		t.Fatal(err)
	}
	back, err := readSidecarFrom(&text)
	if err != nil {
		t.Fatal(err)
	}
	if got := back.Marks.marks().Hint; !settings.EqualStrokes(got, []settings.Stroke{stroke}) {
		t.Error("the points come back as others")
	}
}

// TestASidecarThatIsCutShortIsRefused: whatever is missing of one that Greenroom wrote, up to the last of the tables that
// are always there.
func TestASidecarThatIsCutShortIsRefused(t *testing.T) {
	e, o := bench(t)
	o.Plate = filepath.Join(t.TempDir(), "shot.png")
	plate(t, o.Plate, 64, 64)
	r, err := Run(t.Context(), e, o)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(r.Sidecar)
	if err != nil {
		t.Fatal(err)
	}
	end := bytes.Index(text, []byte("[machine]"))
	if end < 0 {
		t.Fatalf("no [machine]:\n%s", text)
	}
	for n := range end {
		if _, err := readSidecarFrom(bytes.NewReader(text[:n])); err == nil {
			t.Errorf("%d of %d bytes pass for a sidecar", n, len(text))
		}
	}
}

func TestSidecarsThatCannotBeUsed(t *testing.T) {
	dir := t.TempDir()
	for want, text := range map[string]string{
		"no schema":    "plate = 'x'",
		"no sidecar":   "this is no TOML",
		"newer":        "schema = 99",
		"a pass is":    "passes = ['../../x']\n" + bare(""),
		"the format":   "format = 'gif'\n" + bare(""),
		"exr_matte is": "exr_matte = 'z'\n" + bare(""),
		"comp_depth":   "comp_depth = 12\n" + bare(""),
		"no schema 0":  "schema = 0",
		"no schema -1": "schema = -1",
		"no [look]":    "schema = 1\n[engine]\n[machine]",
		"no [engine]":  "schema = 1\n[look]\n[machine]",
		"no [machine]": "schema = 1\n[engine]\n[look]\n[marks]\n",
		"gamma is 40":  bare("[look]\ngamma = 40.0"),
		"softness":     bare("[[marks.hint]]\nvalue = 1.0\nsize = 3.0\nsoftness = 7.0\npoints = [[1.0, 2.0]]"),
		"tile is 33":   bare("[engine]\ntile = 33"),
		"clip":         bare("[look]\nclip_black = 0.99"),
		"no sidecar: ": "schema = 'one'",
	} {
		path := filepath.Join(dir, "side.toml")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadLike(path); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", want, err)
		}
	}
	if _, err := ReadLike(filepath.Join(dir, "gone.toml")); err == nil || !strings.Contains(err.Error(), "gone.toml") {
		t.Errorf("no file: %v", err)
	}
	// What a sidecar does not name has its default.
	side, err := readSidecarFrom(strings.NewReader(bare("[look]\ndespill = 0.25")))
	want := settings.DefaultLook()
	want.Despill = 0.25
	if err != nil || side.Look != want {
		t.Errorf("a short sidecar: %+v, %v", side.Look, err)
	}
}

func FuzzSidecar(f *testing.F) {
	f.Add(bare("[look]\ngamma = 2.0\n[look.comp]\ncolour = [0.1, 0.2, 0.3]\n[engine]\ntile = 64\nslim = true"))
	f.Add(bare("[[marks.hint]]\nvalue = 1.0\nsize = 3.0\nsoftness = 0.5\npoints = [[1.0, 2.0], [nan, inf]]\n[marks.core]\nboxes = [[1.0, 2.0, 3.0, 4.0]]"))
	f.Fuzz(func(t *testing.T, text string) {
		side, err := readSidecarFrom(strings.NewReader(text))
		if err != nil {
			return
		}
		if err := side.Look.Validate(); err != nil {
			t.Errorf("a look that cannot work passes: %v", err)
		}
		if err := side.Marks.marks().Validate(); err != nil {
			t.Errorf("marks that cannot work pass: %v", err)
		}
	})
}

// TestAPipeIsNotWaitedFor: a sidecar that is a pipe, or that names one, must not stand still until somebody writes.
func TestAPipeIsNotWaitedFor(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := exec.Command("mkfifo", pipe).Run(); err != nil {
		t.Skipf("no pipes here: %v", err)
	}
	for what, read := range map[string]func() error{
		"a sidecar": func() error { _, err := ReadLike(pipe); return err },
		"a file of a sidecar": func() error {
			_, err := (&Like{}).find(UsedFile{Path: pipe, SHA256: "x"}, Order{})
			return err
		},
		"a folder": func() error { _, err := ReadLike(dir); return err },
	} {
		done := make(chan error, 1)
		go func() { done <- read() }()
		select {
		case err := <-done:
			if err == nil || !strings.Contains(err.Error(), "it is not a file") && !strings.Contains(err.Error(), "not there any more") {
				t.Errorf("%s: %v", what, err)
			}
		case <-time.After(5 * time.Second):
			t.Fatalf("%s is waited for", what)
		}
	}
}
