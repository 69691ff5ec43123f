package app

import (
	"crypto/sha256"
	"fmt"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"greenroom/engine/picture"
	"greenroom/engine/settings"
	"greenroom/views"
)

// hash tells one image from another by its bits.
func hash(m picture.Image) [32]byte {
	data := make([]byte, 0, 4*len(m.Pix))
	for _, v := range m.Pix {
		bits := math.Float32bits(v)
		data = append(data, byte(bits), byte(bits>>8), byte(bits>>16), byte(bits>>24))
	}
	return sha256.Sum256(data)
}

// made is what a key shows of a change.
type made struct{ matte, fg [32]byte }

func madeOf(s State) made { return made{hash(s.Key.Finished.Matte), hash(s.Key.Finished.FG)} }

// still reports whether all that follows from the choices has been made.
func still(s State) bool {
	return s.Key != nil && s.Running == nil && !s.FindingHint && s.besideUnread() == "" && !s.behind() && !s.unreviewed()
}

// saveSpill writes a plate on which every control has something to do: an off-centre disc with a soft edge and green light on
// it before an uneven screen, and a faint speck.
func saveSpill(t *testing.T, name string) string {
	t.Helper()
	return save(t, name, 256, 192, func(x, y int) color.NRGBA {
		d := math.Hypot(float64(x)-120, float64(y)-100)
		a := min(max((60-d)/8, 0), 1)
		a = max(a, 0.45*min(max(5-math.Hypot(float64(x)-230, float64(y)-30), 0), 1))
		mix := func(fg, screen float64) uint8 { return uint8(a*fg + (1-a)*screen) }
		return color.NRGBA{mix(150, 45), mix(165, float64(160+(x+y)%16)), mix(120+float64(x%7), 60), 255}
	})
}

// newKeyed returns a workspace with a plate that has spill, and its key.
func newKeyed(t *testing.T) *tested {
	t.Helper()
	w := newTested(t)
	w.Start()
	w.Open(saveSpill(t, "shot.png"))
	w.keyed(t)
	return w
}

// TestEveryControlChangesTheKey moves each control of the look by itself, and sees the finished matte or foreground change
// without the network being run again.
func TestEveryControlChangesTheKey(t *testing.T) {
	w := newKeyed(t)
	s := w.until(t, "the review", still)
	result, usual := s.Key.Result, s.Choices.Look
	// A look in which nothing hides the control that is moved.
	base := usual
	base.Grow, base.Soften, base.Despeckle = 0.5, 0.5, 0
	for _, c := range []struct {
		name        string
		matte, fg   bool
		before, set func(l *settings.Look)
	}{
		{"refiner", true, true, nil, func(l *settings.Look) { l.Refiner = 0.4 }},
		{"clip black", true, true, nil, func(l *settings.Look) { l.ClipBlack = 0.2 }},
		{"clip white", true, true, nil, func(l *settings.Look) { l.ClipWhite = 0.7 }},
		{"gamma", true, false, nil, func(l *settings.Look) { l.Gamma = 2 }},
		{"shrink/grow", true, false, nil, func(l *settings.Look) { l.Grow = 0.75 }},
		{"soften", true, false, nil, func(l *settings.Look) { l.Soften = 0.75 }},
		{"despeckle", true, false, func(l *settings.Look) { l.ClipWhite = 1 }, func(l *settings.Look) { l.Despeckle, l.DespeckleBy = 40000, settings.DespeckleReference }},
		{"edge colour", false, true, nil, func(l *settings.Look) { l.EdgeColour = settings.EdgePlate }},
		{"edge extend", false, true, nil, func(l *settings.Look) { l.EdgeExtend = 4 }},
		{"source detail", false, true, nil, func(l *settings.Look) { l.SourceDetail = false }},
		{"despill limit", false, true, nil, func(l *settings.Look) { l.DespillLimit = settings.DespillMax }},
		{"despill reference", false, true, nil, func(l *settings.Look) { l.DespillLimit = settings.DespillReference }},
		{"despill", false, true, nil, func(l *settings.Look) { l.Despill = 0.5 }},
		{"neutral return", false, true, nil, func(l *settings.Look) { l.NeutralReturn = 0 }},
	} {
		from := base
		if c.before != nil {
			c.before(&from)
		}
		w.setLook(from)
		before := madeOf(w.until(t, c.name+" before", still))
		to := from
		c.set(&to)
		w.setLook(to)
		s := w.until(t, c.name, still)
		now := madeOf(s)
		if c.matte && now.matte == before.matte || c.fg && now.fg == before.fg {
			t.Errorf("%s changes the matte: %v, the foreground: %v", c.name, now.matte != before.matte, now.fg != before.fg)
		}
		if s.Key.Result != result || s.Problem != nil {
			t.Fatalf("%s ran the network again, or %+v", c.name, s.Problem)
		}
		w.setLook(from)
		if madeOf(w.until(t, c.name+" again", still)) != before {
			t.Errorf("%s cannot be taken back", c.name)
		}
	}
}

// TestEveryKindOfMarkChangesTheKey draws and picks each kind, and undoes it.
func TestEveryKindOfMarkChangesTheKey(t *testing.T) {
	w := newKeyed(t)
	before := madeOf(w.until(t, "the review", still))
	box := settings.Box{X0: 200, Y0: 60, X1: 240, Y1: 90}
	stroke := func(x, y float64) []settings.Stroke {
		return []settings.Stroke{{Points: []settings.Point{{X: x, Y: y}, {X: x + 20, Y: y}}, Size: 12, Value: settings.PaintSubject}}
	}
	core := saveHint(t, "core.png", 256, 192)
	for name, mark := range map[string]struct {
		matte, fg bool
		do        func()
	}{
		"core box":    {true, true, func() { w.mark(func(m *settings.Marks) { m.Core.Boxes = []settings.Box{box} }) }},
		"core stroke": {true, true, func() { w.mark(func(m *settings.Marks) { m.Core.Strokes = stroke(200, 60) }) }},
		"core file":   {true, true, func() { w.UseCore(core) }},
		"garbage box": {true, false, func() {
			w.mark(func(m *settings.Marks) { m.Garbage.Boxes = []settings.Box{{X0: 80, Y0: 80, X1: 120, Y1: 99}} })
		}},
		"garbage stroke": {true, false, func() { w.mark(func(m *settings.Marks) { m.Garbage.Strokes = stroke(100, 100) }) }},
		"garbage file":   {true, false, func() { w.UseGarbage(core) }},
		"kept colour":    {false, true, func() { w.Pick(views.TargetKept, settings.Point{X: 120, Y: 100}) }},
		"kept stroke":    {false, true, func() { w.mark(func(m *settings.Marks) { m.KeptStrokes = stroke(110, 100) }) }},
		"kept, tolerance": {false, true, func() {
			w.mark(func(m *settings.Marks) {
				m.Kept = []settings.KeptColour{{Colour: settings.Colour{0.2, 0.6, 0.2}, Tolerance: 1}}
			})
		}},
	} {
		mark.do()
		now := madeOf(w.until(t, name, still))
		if mark.matte != (now.matte != before.matte) || mark.fg && now.fg == before.fg {
			t.Errorf("%s changes the matte: %v, the foreground: %v", name, now.matte != before.matte, now.fg != before.fg)
		}
		w.Undo()
		if madeOf(w.until(t, name+" undone", still)) != before {
			t.Errorf("%s cannot be undone", name)
		}
	}
}

// mark alters the marks, as a tool of the window does.
func (w *Workspace) mark(alter func(*settings.Marks)) {
	w.Choose(views.Step{}, func(c *settings.Choices) { alter(&c.Marks) })
}

func TestMasksAreReadOnceAndGoWithThePlate(t *testing.T) {
	w := newKeyed(t)
	w.UseCore(saveHint(t, "core.png", 128, 96)) // another size of the same shape
	w.UseGarbage(saveHint(t, "garbage.png", 256, 192))
	s := w.until(t, "the masks", still)
	masks := s.Masks
	if masks.Core == nil || masks.Garbage == nil || s.Key.Masks != masks {
		t.Fatalf("masks %+v, of the key %+v", masks, s.Key.Masks)
	}
	if v := w.show(s).Matte; v.Core.Name != "core.png" || v.Garbage.Name != "garbage.png" || len(v.Core.Remarks) == 0 || v.Core.Reading {
		t.Errorf("shown as %+v", v)
	}
	look := s.Choices.Look
	look.Gamma = 1.3
	w.setLook(look)
	if s = w.until(t, "the gamma", still); s.Masks != masks {
		t.Error("a control reads the masks again")
	}
	w.Choose(views.Step{Name: "Core matte"}, func(c *settings.Choices) { c.Core = "" })
	if s = w.State(); s.Masks.Core != nil || s.Masks.Garbage != masks.Garbage {
		t.Errorf("after taking the core away: %+v", s.Masks)
	}
	w.Open(savePlate(t, "next.png", 60, 40))
	s = w.until(t, "the next plate", func(s State) bool { return s.Plate.Name() == "next.png" })
	if s.Masks != (Masks{}) || s.Choices.Garbage != "" || s.Review != nil {
		t.Errorf("the next plate has %+v, %q", s.Masks, s.Choices.Garbage)
	}
}

func TestAMaskThatCannotBeUsedIsToldAndAllElseGoesOn(t *testing.T) {
	w := newKeyed(t)
	good := saveHint(t, "good.png", 256, 192)
	w.UseGarbage(good)
	before := w.until(t, "the mask", still)
	steps := len(before.History.past)
	for name, path := range map[string]string{
		"square.png":  saveHint(t, "square.png", 90, 90),
		"missing.png": filepath.Join(t.TempDir(), "missing.png"),
	} {
		w.UseGarbage(path)
		s := w.until(t, name, func(s State) bool { return s.Problem != nil && still(s) })
		if v := w.show(s); !strings.Contains(v.Problem.What, name) || v.Problem.Button != "Open another garbage matte…" || !v.Export.Ready {
			t.Errorf("%s: problem %+v, export %+v", name, v.Problem, v.Export)
		}
		if s.Choices.Garbage != good || s.Masks.Garbage.path() != good || len(s.History.past) != steps {
			t.Errorf("%s: garbage %q, %d steps", name, s.Choices.Garbage, len(s.History.past))
		}
		w.Dismiss()
	}
}

func TestTheLastMaskAskedForCounts(t *testing.T) {
	w := newKeyed(t)
	var paths []string
	for i := range 6 {
		paths = append(paths, saveHint(t, fmt.Sprintf("core %d.png", i), 256, 192))
		w.UseCore(paths[i])
	}
	s := w.until(t, "the last", still)
	if s.Masks.Core.path() != paths[5] || s.Key.Masks != s.Masks || s.Key.Choices.Core != paths[5] {
		t.Errorf("core %q, of the key %q", s.Masks.Core.path(), s.Key.Choices.Core)
	}
	w.Undo()
	if s = w.until(t, "the one before", still); s.Masks.Core.path() != paths[4] {
		t.Errorf("undone to %q", s.Masks.Core.path())
	}
}

func TestABackgroundPictureIsShownWithItsSpaceAndGoesWithThePlate(t *testing.T) {
	w := newKeyed(t)
	back := savePlate(t, "street.png", 300, 100)
	w.UseBackdrop(back)
	s := w.until(t, "the picture", still)
	v := w.show(s)
	if s.Choices.Look.Background != settings.BackgroundPicture || v.Layers.Backdrop == nil || v.Matte.Backdrop.Name != "street.png" {
		t.Fatalf("look %+v, shown %+v", s.Choices.Look, v.Matte.Backdrop)
	}
	if len(v.Matte.Backdrop.Remarks) != 1 || !strings.Contains(v.Matte.Backdrop.Remarks[0].Text, "sRGB") {
		t.Errorf("remarks %+v", v.Matte.Backdrop.Remarks)
	}
	pixel := func(s State) []float32 { return slices.Clone(s.Backdrop.Shown.At(150, 50)) }
	srgb := pixel(s)
	w.Choose(views.Step{Name: "Background space"}, func(c *settings.Choices) { c.BackdropSpace = "linear" })
	s = w.until(t, "the other space", still)
	if linear := pixel(s); linear[0] <= srgb[0] {
		t.Errorf("as linear light %v, as sRGB %v", linear, srgb)
	}
	w.UseBackdrop(filepath.Join(t.TempDir(), "missing.png"))
	s = w.until(t, "the problem", func(s State) bool { return s.Problem != nil && still(s) })
	if s.Choices.Backdrop != back || s.Choices.BackdropSpace != "linear" || s.Choices.Look.Background != settings.BackgroundPicture {
		t.Errorf("after a file that is not there: %+v", s.Choices)
	}
	w.Open(savePlate(t, "next.png", 60, 40))
	s = w.until(t, "the next plate", func(s State) bool { return s.Plate.Name() == "next.png" })
	if s.Backdrop != nil || s.Choices.Backdrop != "" || s.Choices.Look.Background != settings.BackgroundChecker {
		t.Errorf("the next plate has %+v over %q", s.Backdrop, s.Choices.Look.Background)
	}
}

// TestBarsAreProposedAndNeverTakenByThemselves opens a plate with bars.
func TestBarsAreProposedAndNeverTakenByThemselves(t *testing.T) {
	w := newTested(t)
	w.Open(save(t, "bars.png", 160, 120, func(x, y int) color.NRGBA {
		if y < 12 || y >= 108 {
			return color.NRGBA{A: 255}
		}
		if inside(x, y, 160, 120) {
			return color.NRGBA{160, 140, 130, 255}
		}
		return color.NRGBA{45, uint8(160 + (x+y)%16), 60, 255}
	}))
	s := w.until(t, "the plate", func(s State) bool { return s.Plate != nil })
	bars := w.show(s).Matte.Bars
	if len(bars) != 2 || !s.Choices.Marks.Garbage.Empty() {
		t.Fatalf("bars %v, garbage %+v", bars, s.Choices.Marks.Garbage)
	}
	w.mark(func(m *settings.Marks) { m.Garbage.Boxes = append(m.Garbage.Boxes, bars...) })
	if bars = w.show(w.State()).Matte.Bars; len(bars) != 0 {
		t.Errorf("still proposed: %v", bars)
	}
}

func TestTheMatteIsLookedOverAfterEachFinish(t *testing.T) {
	w := newTested(t)
	w.Start()
	w.Open(saveSpill(t, "shot.png"))
	if v := w.show(w.State()).Matte.Review; v.Known || v.WhyNot == "" {
		t.Errorf("before the key: %+v", v)
	}
	w.keyed(t)
	w.mark(func(m *settings.Marks) {
		m.Core.Boxes = []settings.Box{{X0: 60, Y0: 50, X1: 180, Y1: 150}}
		m.Garbage.Boxes = []settings.Box{{X0: 110, Y0: 90, X1: 113, Y1: 93}}
	})
	s := w.until(t, "the review", still)
	v := w.show(s).Matte.Review
	if !v.Known || v.Checking || !slices.ContainsFunc(v.Findings, func(f views.MatteFinding) bool {
		return f.Kind == "Core hole" && f.X >= 108 && f.X < 116 && f.Y >= 88 && f.Y < 96
	}) {
		t.Errorf("a hole is not found: %+v", v)
	}
	if sum := v.Translucent + v.Solid + v.Clear; math.Abs(sum-100) > 1e-6 || v.Solid == 0 {
		t.Errorf("shares %+v", v)
	}
	if e := w.show(s).Export; !e.Ready {
		t.Errorf("findings block the export: %q", e.WhyNot)
	}
	review := s.Review
	look := s.Choices.Look
	look.Despill = 0.3
	w.setLook(look)
	if s = w.until(t, "the foreground", still); s.Review != review {
		t.Error("a foreground of the same matte is looked over again")
	}
}

// TestExportHoldsMarksMasksAndTheCheck reads the sidecar of a key with everything beside it.
func TestExportHoldsMarksMasksAndTheCheck(t *testing.T) {
	w := newTested(t)
	w.Start()
	w.Open(saveSpill(t, filepath.Join(t.TempDir(), "shot.png")))
	w.keyed(t)
	w.UseCore(saveHint(t, "core.png", 256, 192))
	w.UseBackdrop(savePlate(t, "street.png", 300, 100))
	w.mark(func(m *settings.Marks) { m.Garbage.Boxes = []settings.Box{{X0: 1, Y0: 2, X1: 30, Y1: 40}} })
	w.Pick(views.TargetKept, settings.Point{X: 120, Y: 100})
	w.until(t, "the key", still)
	w.WriteKey()
	s := w.until(t, "the export", func(s State) bool { return s.Export.Report != nil && !s.Export.Running })
	data, err := os.ReadFile(s.Export.Report.Sidecar)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"core.png", "street.png", "boxes = [[1.0, 2.0, 30.0, 40.0]]", "[[marks.kept]]", "[check]", "translucent"} {
		if !strings.Contains(string(data), part) {
			t.Errorf("the sidecar has no %q:\n%s", part, data)
		}
	}
}

// TestASlowChangeIsNeverShownLate changes the look while masks come and go: the last choice wins.
func TestASlowChangeIsNeverShownLate(t *testing.T) {
	w := newKeyed(t)
	core := saveHint(t, "core.png", 256, 192)
	for i := range 12 {
		w.Choose(views.Step{Name: "x", Turn: i}, func(c *settings.Choices) {
			c.Look.Gamma = 1 + float64(i)/10
			c.Core = []string{"", core}[i%2]
		})
		time.Sleep(time.Duration(i) * time.Millisecond)
	}
	s := w.until(t, "the last", still)
	if s.Key.Choices.Look.Gamma != 2.1 || s.Key.Masks.Core.path() != core {
		t.Errorf("gamma %v, core %q", s.Key.Choices.Look.Gamma, s.Key.Masks.Core.path())
	}
	if want := hash(s.Key.Finished.Matte); want != hash(s.Review.Of) {
		t.Error("another matte was looked over")
	}
}

// TestAFileThatIsChosenAgainIsReadAgain writes another picture under the same name.
func TestAFileThatIsChosenAgainIsReadAgain(t *testing.T) {
	w := newTested(t)
	w.Open(saveSpill(t, "shot.png"))
	w.until(t, "the plate", func(s State) bool { return s.Hint != nil })
	read := func(s State) bool { return s.besideUnread() == "" && s.Masks.Core != nil }
	core := saveHint(t, "core.png", 256, 192)
	w.UseCore(core)
	first := w.until(t, "the mask", read)
	save(t, core, 256, 192, func(x, y int) color.NRGBA { return color.NRGBA{255, 255, 255, 255} })
	w.UseCore(core)
	s := w.until(t, "the mask again", func(s State) bool { return read(s) && s.Masks.Core != first.Masks.Core })
	if s.Masks.Core.Image.Pix[0] != 1 || first.Masks.Core.Image.Pix[0] != 0 || len(s.History.past) != 1 {
		t.Errorf("corner %v, before %v, %d steps", s.Masks.Core.Image.Pix[0], first.Masks.Core.Image.Pix[0], len(s.History.past))
	}
	if err := os.Remove(core); err != nil {
		t.Fatal(err)
	}
	w.UseCore(core)
	s = w.until(t, "the problem", func(n State) bool { return n.Problem != nil && read(n) })
	if s.Masks.Core.path() != core || s.Choices.Core != core {
		t.Errorf("a file that is gone took its mask along: %+v", s.Masks)
	}
}
