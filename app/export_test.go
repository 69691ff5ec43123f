package app

import (
	"bytes"
	"image/color"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"greenroom/app/command"
	"greenroom/engine/colour"
	"greenroom/engine/imageio"
	"greenroom/engine/imageio/disktest"
	"greenroom/engine/imageio/exr"
	"greenroom/engine/settings"
	"greenroom/views"
)

// saveLayers writes an OpenEXR plate of w x h in half floats: the disc before its screen in the layer "cam", and nothing
// but a green screen in the picture itself.
func saveLayers(t *testing.T, path string, w, h int) {
	t.Helper()
	o := exr.Output{W: w, H: h, Type: exr.Half, PixelAspect: 2}
	screen := [3]float32{0.04, 0.5, 0.06}
	for c, name := range []string{"R", "G", "B"} {
		o.Channels = append(o.Channels, exr.Samples{Name: name, Row: func(dst []float32, _ int) {
			for x := range dst {
				dst[x] = screen[c]
			}
		}})
		o.Channels = append(o.Channels, exr.Samples{Name: "cam." + name, Row: func(dst []float32, y int) {
			for x := range dst {
				dst[x] = screen[c]
				if inside(x, y, w, h) {
					dst[x] = 0.4
				}
			}
		}})
	}
	if err := imageio.Replace(t.Context(), path, func(w io.WriteSeeker) error { return exr.Write(w, o) }); err != nil {
		t.Fatal(err)
	}
}

// exported writes the key and returns what is told of it.
func (w *tested) exported(t *testing.T) State {
	t.Helper()
	before := w.State().Export.Report
	w.WriteKey()
	s := w.until(t, "the export", func(s State) bool { return !s.Export.Running && s.Export.Report != before })
	w.work.Wait()
	return s
}

// TestALayerAndASpaceAreChosen: the header's layers are offered, another one is another picture, and so is another space.
func TestALayerAndASpaceAreChosen(t *testing.T) {
	w := newTested(t)
	w.Start()
	path := filepath.Join(t.TempDir(), "layers.exr")
	saveLayers(t, path, 160, 96)
	w.Open(path)
	s := w.until(t, "the plate", func(s State) bool { return s.Plate != nil })
	v := w.show(s).Plate
	if !slices.Equal(v.Layers, []string{"RGB", "cam"}) || v.Layer != "RGB" || v.Space != "linear Rec.709" || v.SpaceNote != "guessed" {
		t.Errorf("shown %+v", v)
	}
	if !slices.ContainsFunc(v.Remarks, func(r views.Remark) bool { return strings.Contains(r.Text, "not square (aspect 2)") }) {
		t.Errorf("nothing is said of the pixels: %+v", v.Remarks)
	}
	middle := func(s State) float32 { return s.Plate.Source.Plate.RGB.Row(48)[3*80] }
	w.Choose(step("Layer"), func(c *settings.Choices) { c.Layer = "cam" })
	s = w.until(t, "the layer", func(s State) bool { return middle(s) > 0.39 })
	if v := w.show(s).Plate; v.Layer != "cam" {
		t.Errorf("shown %q", v.Layer)
	}
	w.ready(t)
	w.Choose(step("Space"), func(c *settings.Choices) { c.Space = string(colour.ACEScg) })
	s = w.until(t, "the space", func(s State) bool { return s.Plate.Source.Plate.Space == colour.ACEScg && s.Hint != nil })
	if v := w.show(s); v.Plate.Space != "ACEScg" || v.Plate.SpaceNote != "chosen" || v.Export.Contract != "premultiplied ACEScg, half EXR" {
		t.Errorf("shown %+v, contract %q", v.Plate, v.Export.Contract)
	}
	w.Undo()
	w.Undo()
	s = w.until(t, "the picture itself", func(s State) bool { return middle(s) < 0.05 && s.Plate.Source.Plate.Space == colour.LinearRec709 })
	if len(s.History.future) != 2 {
		t.Errorf("%d steps to do again", len(s.History.future))
	}
	// A layer that is not there: told, and the plate stays as it was read.
	w.Choose(step("Layer"), func(c *settings.Choices) { c.Layer = "nonsense" })
	s = w.until(t, "the problem", func(s State) bool { return s.Problem != nil && s.Opening == "" })
	if s.Choices.Layer != "" || s.Plate == nil || !strings.Contains(s.Problem.Why, "nonsense") {
		t.Errorf("then layer %q, problem %+v", s.Choices.Layer, s.Problem)
	}
}

// TestAnExportHoldsToItsContract writes every pass in every format and looks at what is in the files.
func TestAnExportHoldsToItsContract(t *testing.T) {
	w := newTested(t)
	w.Start()
	path := filepath.Join(t.TempDir(), "layers.exr")
	saveLayers(t, path, 160, 96)
	w.Open(path)
	w.ready(t)
	w.Choose(step("Layer"), func(c *settings.Choices) { c.Layer = "cam" })
	w.until(t, "the layer", func(s State) bool { return w.show(s).Plate.Layer == "cam" })
	s := w.keyed(t)
	e := w.show(s).Export
	if e.Used != views.ExportEXR || e.Contract != "premultiplied linear, half EXR" || e.NoComp == "" || e.NoMatteY != "" {
		t.Errorf("a plate in floating point is exported as %+v", e)
	}
	all := views.ExportChoice{Key: true, Matte: true, FG: true, Comp: true}
	w.SetExport(all)
	s = w.exported(t)
	if _, ok := s.Export.Report.Files["comp"]; ok || len(s.Export.Report.Files) != 3 {
		t.Errorf("over a checker it wrote %v", s.Export.Report.Files)
	}
	w.Choose(step("Background"), func(c *settings.Choices) { c.Look.Background = settings.BackgroundWhite })
	for _, c := range []struct {
		format   views.ExportFormat
		y        bool
		contract string
		channels int
	}{
		{views.ExportEXR, false, "premultiplied linear, half EXR", 4},
		{views.ExportEXR, false, "premultiplied linear, float EXR", 4},
		{views.ExportEXR, true, "premultiplied linear, half EXR", 1},
		{views.ExportPNG, false, "straight linear Rec.709, 16-bit PNG", 1},
		{views.ExportTIFF, false, "straight linear Rec.709, 16-bit TIFF", 1},
	} {
		all.Format, all.MatteY, all.Float = c.format, c.y, strings.Contains(c.contract, "float EXR")
		all.Comp8 = c.format == views.ExportPNG
		w.SetExport(all)
		if e := w.show(w.State()).Export; e.Contract != c.contract || e.Used != c.format || (e.NoMatteY == "") != (c.format == views.ExportEXR) {
			t.Errorf("%s: shown %+v", c.format, e)
		}
		s = w.exported(t)
		files := s.Export.Report.Files
		if len(files) != 4 {
			t.Fatalf("%s: wrote %v", c.format, files)
		}
		open := func(path string) *imageio.File {
			file, err := imageio.Open(path, imageio.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			return file
		}
		matte := open(files["matte"])
		if matte.Channels != c.channels {
			t.Errorf("%s, Y %v: the matte has %d channels", c.format, c.y, matte.Channels)
		}
		depth := map[views.ExportFormat]int{views.ExportEXR: 16, views.ExportPNG: 8, views.ExportTIFF: 16}[c.format]
		if all.Float {
			depth = 32
		}
		if got := open(files["comp"]).Depth; got != depth {
			t.Errorf("%s: the comp has %d bits, want %d", c.format, got, depth)
		}
		// The comp's screen is white, where the foreground's is not.
		if comp := open(files["comp"]).Picture.RGB.Row(2)[:3]; min(comp[0], comp[1], comp[2]) < 0.99 {
			t.Errorf("%s: the comp's corner is %v", c.format, comp)
		}
		if key := open(files["key"]); key.Picture.Alpha.Empty() {
			t.Errorf("%s: the key has no alpha", c.format)
		}
	}
}

// TestTheExportsFolderStays for the next plate, until the usual one is wanted again.
func TestTheExportsFolderStays(t *testing.T) {
	w := newTested(t)
	w.Start()
	out := t.TempDir()
	first, second := savePlate(t, "first.png", 160, 96), savePlate(t, "second.png", 160, 96)
	w.Open(first)
	w.until(t, "the plate", func(s State) bool { return s.Plate != nil })
	w.SetFolder(out)
	w.Open(second)
	w.until(t, "the next plate", func(s State) bool { return s.Plate.Path == second })
	w.keyed(t)
	s := w.exported(t)
	if got := filepath.Dir(s.Export.Report.Sidecar); got != out || !w.show(s).Export.OwnFolder {
		t.Errorf("written to %s", got)
	}
	w.SetFolder("")
	if v := w.show(w.State()).Export; v.Folder != tilde(filepath.Join(filepath.Dir(second), "keys")) || v.OwnFolder {
		t.Errorf("then to %s", v.Folder)
	}
}

// leftEdge is white at the left and black elsewhere.
func leftEdge(x, _ int) color.NRGBA {
	if x < 30 {
		return color.NRGBA{255, 255, 255, 255}
	}
	return color.NRGBA{0, 0, 0, 255}
}

// markedChoices are choices that are all other than the usual ones, for a plate of 160 x 120, with their files in dir.
func markedChoices(t *testing.T, dir string) func(*settings.Choices) {
	t.Helper()
	hint := saveHint(t, filepath.Join(dir, "rough.png"), 160, 120)
	core := saveHint(t, filepath.Join(dir, "core.png"), 16, 12)
	garbage := save(t, filepath.Join(dir, "garbage.png"), 160, 120, leftEdge)
	back := savePlate(t, filepath.Join(dir, "back.png"), 90, 90)
	dab := func(x, y, value float64) settings.Stroke {
		return settings.Stroke{Points: []settings.Point{{X: x, Y: y}, {X: x + 10.25, Y: y + 1.0/3}}, Size: 12.5, Softness: 0.4, Value: value}
	}
	return func(c *settings.Choices) {
		c.Hint, c.Core, c.Garbage, c.Backdrop, c.BackdropSpace = hint, core, garbage, back, string(colour.AdobeRGB)
		c.Space, c.Edit = string(colour.DisplayP3), settings.HintEdit{Grow: 2, Soften: 1.5}
		c.Marks = settings.Marks{
			Hint:        []settings.Stroke{dab(20, 20, settings.PaintTranslucent), dab(80, 60, settings.PaintSubject)},
			Core:        settings.Region{Strokes: []settings.Stroke{dab(60, 60, settings.PaintSubject)}},
			Garbage:     settings.Region{Boxes: []settings.Box{{X0: 140.5, Y0: 0, X1: 160, Y1: 33.3}}},
			Kept:        []settings.KeptColour{{Colour: settings.Colour{0.5, 0.6, 0.5}, Tolerance: 0.07}},
			KeptStrokes: []settings.Stroke{dab(90, 70, settings.PaintSubject)},
		}
		l := &c.Look
		l.KeyExposure, l.ChromaSmooth, l.Refiner, l.ClipBlack, l.Gamma, l.Grow, l.Soften = 0.25, 0.5, 0.7, 0.03, 1.1, -0.5, 0.3
		l.Despeckle, l.EdgeColour, l.EdgeExtend, l.DespillLimit, l.Despill = 100, settings.EdgePlate, 12, settings.DespillScreen, 0.9
		l.NeutralReturn, l.Background = 1.0/3, settings.BackgroundPicture
		l.Comp.Scale, l.Comp.OffsetX, l.Comp.Exposure, l.Comp.Blend = 1.5, 7, -1, settings.BlendDisplay
	}
}

// sameBytes compares two files.
func sameBytes(t *testing.T, a, b, what string) {
	t.Helper()
	mine, err := os.ReadFile(a)
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := os.ReadFile(b)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(mine, theirs) {
		t.Errorf("the %s is another", what)
	}
}

// TestAnExportThatFailsCanBeTriedElsewhere: onto a full disk and into a folder that is none. Nothing is left there, the
// files of before are untouched, and the next folder works.
func TestAnExportThatFailsCanBeTriedElsewhere(t *testing.T) {
	w := newTested(t)
	w.Start()
	w.Open(savePlate(t, "shot.png", 900, 700))
	w.SetExport(views.ExportChoice{Key: true, Matte: true, FG: true})
	w.keyed(t)
	full := disktest.Small(t, 1<<20)
	before := filepath.Join(full, "shot_key.png")
	if err := os.WriteFile(before, []byte("of before"), 0o666); err != nil {
		t.Fatal(err)
	}
	file := savePlate(t, "no folder.png", 8, 8)
	for folder, want := range map[string]string{full: "disk is full", file: "folder"} {
		w.SetFolder(folder)
		w.WriteKey()
		s := w.until(t, "the problem", func(s State) bool { return s.Problem != nil && !s.Export.Running })
		v := w.show(s)
		if p := v.Problem; !strings.Contains(p.What+p.Why+p.Fix, want) || p.Button != "Choose another folder…" || s.Export.Report != nil || !v.Export.Ready {
			t.Errorf("%s: told %+v", want, p)
		}
		w.Dismiss()
	}
	if names, err := os.ReadDir(full); err != nil || len(names) != 1 {
		t.Errorf("left behind: %v, %v", names, err)
	}
	if data, err := os.ReadFile(before); err != nil || string(data) != "of before" {
		t.Errorf("the file of before is %q, %v", data, err)
	}
	w.SetFolder(t.TempDir())
	if s := w.exported(t); s.Problem != nil || len(s.Export.Report.Files) != 3 {
		t.Errorf("then %+v", s.Problem)
	}
}

// TestTheCommandLineRepeatsAKeyOfTheWindow: greenroom key --like SIDECAR writes the same bytes as the window did, with
// everything chosen, with nothing chosen, and with a layer of an OpenEXR plate.
func TestTheCommandLineRepeatsAKeyOfTheWindow(t *testing.T) {
	dir := t.TempDir()
	layers := filepath.Join(dir, "layers.exr")
	saveLayers(t, layers, 160, 120)
	picked := settings.Colour{0.2, 0.6, 0.25}
	for _, c := range []struct {
		name, plate string
		alter       func(*settings.Choices)
	}{
		{"nothing", savePlate(t, filepath.Join(dir, "plain.png"), 160, 120), func(*settings.Choices) {}},
		{"everything", savePlate(t, filepath.Join(dir, "shot.png"), 160, 120), markedChoices(t, dir)},
		{"samples", savePlate(t, filepath.Join(dir, "sampled.png"), 160, 120), func(c *settings.Choices) {
			c.Marks.Samples, c.Look.Background = []settings.Colour{picked}, settings.BackgroundGrey
		}},
		{"out of date", savePlate(t, filepath.Join(dir, "stale.png"), 160, 120), func(*settings.Choices) {}},
		{"a layer", layers, func(c *settings.Choices) { c.Layer, c.Look.Background = "cam", settings.BackgroundBlack }},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newTested(t)
			w.Start()
			w.Open(c.plate)
			w.ready(t)
			w.Choose(step("all"), c.alter)
			w.SetExport(views.ExportChoice{Key: true, Matte: true, FG: true, Comp: true})
			w.until(t, "the plate as chosen", func(s State) bool {
				return s.Plate.space == s.Choices.Space && s.Plate.layer == s.Choices.Layer && s.Opening == "" && !s.FindingHint && s.besideUnread() == ""
			})
			w.keyed(t)
			w.until(t, "the key as chosen", func(s State) bool { return !s.behind() && s.Stale() == "" })
			if c.name == "out of date" {
				w.Choose(step("later"), func(c *settings.Choices) {
					c.Look.KeyExposure, c.Look.Gamma, c.Marks.Samples = 1, 1.3, []settings.Colour{picked}
				})
				w.until(t, "a key out of date", func(s State) bool { return !s.FindingHint && !s.behind() && s.Stale() != "" })
			}
			s := w.exported(t)
			if s.Problem != nil || s.Export.Report == nil {
				t.Fatalf("problem %+v", s.Problem)
			}
			sidecars := []string{s.Export.Report.Sidecar}
			if s.Stale() == "" {
				// What is saved at any moment does the same.
				w.SaveSidecar()
				sidecars = append(sidecars, w.until(t, "the state", func(s State) bool { return s.Export.Saved != "" }).Export.Saved)
			}
			for _, side := range sidecars {
				out := t.TempDir()
				var told bytes.Buffer
				arguments := []string{"key", c.plate, "--like", side, "--out", out}
				if code := command.Run(arguments, command.Streams{Out: &told, Err: &told}); code != 0 {
					t.Fatalf("exit code %d: %s", code, told.String())
				}
				for pass, path := range s.Export.Report.Files {
					sameBytes(t, path, filepath.Join(out, filepath.Base(path)), string(pass)+" by "+filepath.Base(side))
				}
			}
		})
	}
}

// TestEverySpaceHasAContract that names its light, and no other space has the same words but for the same light.
func TestEverySpaceHasAContract(t *testing.T) {
	for _, space := range append(colour.Spaces(), "linear:0.6,0.3,0.2,0.7,0.1,0.05,0.3,0.3") {
		words := linearLight(space)
		primaries, err := space.Primaries()
		if err != nil {
			t.Fatal(err)
		}
		for _, other := range colour.Spaces() {
			if p, err := other.Primaries(); err != nil || linearLight(other) == words && p != primaries {
				t.Errorf("%s and %s are both %q", space, other, words)
			}
		}
	}
}
