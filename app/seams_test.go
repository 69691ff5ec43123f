package app

import (
	"fmt"
	"image"
	"image/color"
	"os"
	"slices"
	"strings"
	"testing"

	"greenroom/app/keying"
	"greenroom/engine/picture"
	"greenroom/engine/settings"
	"greenroom/presets"
	"greenroom/views"
)

// seamsShown are the seams as the window shows them.
func (w *tested) seamsShown() views.SeamState { return w.show(w.State()).Seams }

// keyedWithRemedies keys the plate and waits until what remedies cost is known too.
func (w *tested) keyedWithRemedies(t *testing.T) State {
	t.Helper()
	w.planned(t)
	w.keyed(t)
	return w.planned(t)
}

func TestSeamsOfTheRunAreShownAtOnce(t *testing.T) {
	w := newTested(t)
	w.Start()
	w.Open(savePlate(t, "shot.png", 300, 200))
	w.planned(t)
	v := w.seamsShown()
	if len(v.Bands) != 7 || !strings.HasPrefix(v.About, "6 tiles, 7 borders. Key the plate") || v.WhyNot != "Key the plate first" || v.Heat != nil || v.NoHeat == "" {
		t.Errorf("before the key: %d bands, %q, %q, %q", len(v.Bands), v.About, v.WhyNot, v.NoHeat)
	}
	s := w.keyed(t)
	v = w.seamsShown()
	if len(v.List) != 7 || v.Checked || v.Heat == nil || v.NoHeat != "" || v.WhyNot != "" || v.Second != nil || v.NoSecond == "" {
		t.Fatalf("after the key: %+v", v)
	}
	if !slices.IsSortedFunc(v.List, func(a, b views.Seam) int { return int(1e6 * (b.P99 - a.P99)) }) {
		t.Errorf("not ranked: %+v", v.List)
	}
	worst := s.Key.Result.Seams[0].Worst()
	if first := v.List[0]; first.At.X != worst.X || first.At.Y != worst.Y || first.Worst != worst.Worst || first.Worst <= 0 {
		t.Errorf("the first is %+v, want %+v", first, worst)
	}
	if got := v.Heat.At(worst.X, worst.Y); got < worst.Worst-0.1 || got > worst.Worst+0.1 {
		t.Errorf("the heat map says %v steps there, want %v", got, worst.Worst)
	}
}

func TestOneTileHasNoSeams(t *testing.T) {
	w := newTested(t)
	w.Start()
	w.Open(savePlate(t, "shot.png", 100, 80))
	w.keyed(t)
	const why = "One tile covers the plate: there are no seams"
	v := w.seamsShown()
	if v.None != "Keyed as one tile: there are no seams" {
		t.Errorf("of none it says %q", v.None)
	}
	if v.About != why+"." || v.WhyNot != why || v.NoHeat != why || v.NoSecond != why || len(v.Bands)+len(v.List)+len(v.Remedies) > 0 {
		t.Errorf("shown %+v", v)
	}
	w.CheckSeams()
	if w.State().Seams.Run != nil {
		t.Error("one tile is checked")
	}
}

func TestSeamsAreCheckedOnTheOtherGrid(t *testing.T) {
	w := newTested(t)
	w.Start()
	w.Open(savePlate(t, "shot.png", 300, 200))
	s := w.keyed(t)
	w.CheckSeams()
	running := w.State()
	if running.Seams.Run == nil || running.canKey() || w.show(running).Key.WhyNot != "The seams are being checked" || running.cannotMeasure() == "" {
		t.Errorf("while it is checked: %+v", w.show(running).Key)
	}
	s = w.until(t, "the check", func(s State) bool { return s.Seams.Check != nil })
	if s.Seams.Run != nil || s.Problem != nil || !s.canKey() {
		t.Fatalf("after the check: %+v, %+v", s.Seams.Run, s.Problem)
	}
	told := 0
	for _, s := range w.recorder.all() {
		if r := s.Seams.Run; r != nil && r.Doing == "" && r.Tile > told {
			told = r.Tile
		}
	}
	v := w.seamsShown()
	if told == 0 || told != len(v.Known) {
		t.Errorf("%d tiles were told of, %d are known", told, len(v.Known))
	}
	if !v.Checked || len(v.List) == 0 || v.Heat == nil || v.Second == nil || v.NoSecond != "" || v.WhyNot != "The seams of this key have been checked" {
		t.Errorf("shown %+v", v)
	}
	if want := fmt.Sprintf("Seams checked. Worst border: 99 %% under %.1f steps", v.List[0].P99); v.Verdict != want {
		t.Errorf("the verdict is %q, want %q", v.Verdict, want)
	}
	// The sidecar says what was found.
	w.WriteKey()
	s = w.until(t, "the export", func(s State) bool { return s.Export.Report != nil })
	text, err := os.ReadFile(s.Export.Report.Sidecar)
	if err != nil {
		t.Fatal(err)
	}
	if r := s.Export.Report; r.WorstSeam == nil || len(r.Seams) == 0 || r.Seams[0].X != v.List[0].At.X || !strings.Contains(string(text), `by = "shifted grid"`) {
		t.Errorf("exported %+v:\n%s", r.WorstSeam, text)
	}
	// The second key follows the look.
	look := s.Choices.Look
	look.ClipBlack = 0.2
	w.setLook(look)
	after := w.until(t, "the look", func(s State) bool { return s.Key.Choices.Look == look && s.Seams.Check.Choices.Look == look })
	if after.Seams.Check.Shown == s.Seams.Check.Shown {
		t.Error("the second key is shown as before")
	}
	// It belongs to this key alone.
	w.planned(t)
	w.SetSetting("overlap", "64")
	w.planned(t)
	w.Key()
	s = w.until(t, "the next key", func(s State) bool { return s.Running == nil && s.Key.Result != after.Key.Result })
	if v := w.seamsShown(); s.Seams.Check != nil || v.Checked || v.Second != nil || v.WhyNot != "" {
		t.Errorf("the next key: %+v", v)
	}
}

func TestRefinedFrameIsMeasuredByTheCheck(t *testing.T) {
	w := newTested(t)
	w.asked = append(w.asked, presets.Setting{Name: "refine", Value: "frame"})
	w.Start()
	w.Open(savePlate(t, "shot.png", 200, 150))
	s := w.keyed(t)
	if s.Key.Result.Used.Refine != settings.RefineFrame {
		t.Fatalf("keyed with %+v", s.Key.Result.Used)
	}
	if v := w.seamsShown(); len(v.List) > 0 || v.Heat != nil || !strings.HasPrefix(v.NoHeat, "Check the seams first") || v.WhyNot != "" {
		t.Errorf("before: %+v", v)
	}
	w.CheckSeams()
	w.until(t, "the check", func(s State) bool { return s.Seams.Check != nil })
	if v := w.seamsShown(); len(v.List) == 0 || v.Heat == nil || v.NoHeat != "" {
		t.Errorf("after: %+v", v)
	}
}

func TestCheckIsStoppedAndLeavesTheKey(t *testing.T) {
	w := newTested(t)
	w.Start()
	w.Open(savePlate(t, "shot.png", 900, 700))
	key := w.keyed(t).Key
	w.CheckSeams()
	w.until(t, "the first tile", func(s State) bool { return s.Seams.Run == nil || s.Seams.Run.Tile >= 1 })
	w.StopChecking()
	s := w.until(t, "the end", func(s State) bool { return s.Seams.Run == nil })
	if s.Seams.Check != nil || s.Problem != nil || s.Key != key || s.cannotCheck() != "" {
		t.Errorf("after stopping: check %v, problem %+v, %q", s.Seams.Check != nil, s.Problem, s.cannotCheck())
	}
	if s.Strip.Told != "Stopped checking the seams of shot.png: they can be checked again" {
		t.Errorf("after stopping it says %q", s.Strip.Told)
	}
	// Another plate stops it too.
	w.CheckSeams()
	w.until(t, "the first tile", func(s State) bool { return s.Seams.Run == nil || s.Seams.Run.Tile >= 1 })
	w.Open(savePlate(t, "next.png", 200, 150))
	s = w.until(t, "the next plate", func(s State) bool { return s.Plate.Name() == "next.png" })
	if s.Strip.Told != "Stopped checking the seams of shot.png: they can be checked again" {
		t.Errorf("of the next plate it says %q", s.Strip.Told)
	}
	if s.Seams != (Seams{}) {
		t.Errorf("the next plate begins with %+v", s.Seams)
	}
	if s = w.keyed(t); !s.Key.Whole || s.Problem != nil {
		t.Errorf("key %+v, problem %+v", s.Key, s.Problem)
	}
}

func TestRemedyIsSetAndKeyed(t *testing.T) {
	w := newTested(t)
	w.Start()
	w.Open(savePlate(t, "shot.png", 600, 300))
	s := w.keyedWithRemedies(t)
	v := w.seamsShown()
	labels := map[string]views.Remedy{}
	var order []string
	for _, r := range v.Remedies {
		labels[r.Label] = r
		order = append(order, r.Label)
	}
	if want := []string{"Refine: frame", "Tile 256", "Whole frame", "Overlap 64", "Overlap 128", "Overlap 192"}; !slices.Equal(order, want) {
		t.Errorf("offered in the order %q, want %q", order, want)
	}
	overlap, wide, tile, refine := labels["Overlap 64"], labels["Overlap 128"], labels["Tile 256"], labels["Refine: frame"]
	for _, r := range []views.Remedy{overlap, tile, refine} {
		if r.WhyNot != "" || !strings.HasPrefix(r.Cost, "about ") || !strings.Contains(r.Cost, "GB") && !strings.Contains(r.Cost, "MB") {
			t.Errorf("remedy %+v of %+v", r, v.Remedies)
		}
	}
	if !strings.Contains(wide.WhyNot, "at most half the tile") {
		t.Errorf("an overlap over half the tile: %+v", wide)
	}
	for _, r := range s.Plan.Remedies {
		if r.Setting == "overlap" && r.Value == "64" && (r.Plan.Work <= s.Plan.Work || s.Key.Work != s.Plan.Work) {
			t.Errorf("a wider overlap computes %v, the key %v", r.Plan.Work, s.Key.Work)
		}
	}
	w.UseRemedy("overlap", "64")
	s = w.until(t, "the key", func(n State) bool { return n.Running == nil && n.Key.Result != s.Key.Result })
	if used := s.Key.Result.Used; used.Overlap != 64 || used.Tile != 128 || s.Stale() != "" {
		t.Errorf("keyed with %+v, stale %q", used, s.Stale())
	}
	s = w.planned(t)
	if v := w.seamsShown(); slices.ContainsFunc(v.Remedies, func(r views.Remedy) bool { return r.Label == "Overlap 64" }) {
		t.Errorf("still offered: %+v", v.Remedies)
	}
	// Nothing happens while something else does.
	w.CheckSeams()
	w.UseRemedy("tile", "256")
	if n := w.State(); n.Seams.Run != nil && (n.Running != nil || n.Planning) {
		t.Error("a remedy is used while the seams are checked")
	}
	w.until(t, "the check", func(s State) bool { return s.Seams.Run == nil })
}

func TestMergedTakesOnlyWhatIsKnown(t *testing.T) {
	of, with := picture.New(64, 32, 1), picture.New(64, 32, 1)
	for i := range with.Pix {
		with.Pix[i] = 1
	}
	known := onPlate(image.Rect(8, 4, 40, 20), 0, 64, 32)
	m := merged(of, with, []image.Rectangle{known}, 1)
	coarse := merged(picture.New(16, 8, 1), picture.Image{W: 16, H: 8, C: 1, Pix: with.Pix[:128]}, []image.Rectangle{known}, 4)
	for y := range 32 {
		for x := range 64 {
			want := float32(0)
			if x >= 8 && x < 40 && y >= 4 && y < 20 {
				want = 1
			}
			if m.Pix[y*64+x] != want || coarse.Pix[y/4*16+x/4] != want {
				t.Fatalf("pixel %d, %d is %v and %v, want %v", x, y, m.Pix[y*64+x], coarse.Pix[y/4*16+x/4], want)
			}
		}
	}
	if got, want := onPlate(image.Rect(100, 0, 200, 512), 512, 1024, 256), image.Rect(200, 0, 400, 256); got != want {
		t.Errorf("a frame's band lies at %v, want %v", got, want)
	}
}

func TestAGridThatCannotBeShiftedIsNotChecked(t *testing.T) {
	w := newTested(t)
	w.asked = []keying.Setting{{Name: "tile", Value: "256"}, {Name: "overlap", Value: "32"}}
	w.Start()
	w.Open(savePlate(t, "shot.png", 280, 200))
	w.planned(t)
	w.keyed(t)
	v := w.seamsShown()
	if len(v.Bands) == 0 || len(v.List) == 0 || !strings.HasPrefix(v.WhyNot, "No other grid lies between") {
		t.Errorf("%d borders, it can be checked: %q", len(v.Bands), v.WhyNot)
	}
	w.CheckSeams()
	if s := w.State(); s.Seams.Run != nil || s.Problem != nil {
		t.Errorf("it is checked: %+v, %+v", s.Seams.Run, s.Problem)
	}
}

// TestBordersThatBothGridsHaveAreNotSaidToBeChecked: between grids that have a border in common nothing is known of it.
func TestBordersThatBothGridsHaveAreNotSaidToBeChecked(t *testing.T) {
	w := newTested(t)
	w.asked = []keying.Setting{{Name: "tile", Value: "256"}, {Name: "overlap", Value: "32"}}
	w.Start()
	w.Open(save(t, "shot.png", 280, 600, func(x, y int) color.NRGBA {
		if (x-144)*(x-144)+(y-304)*(y-304) < 400 {
			return color.NRGBA{160, 140, 130, 255}
		}
		return color.NRGBA{45, 165, 60, 255}
	}))
	w.planned(t)
	w.keyed(t)
	w.CheckSeams()
	w.until(t, "the check", func(s State) bool { return s.Seams.Run == nil && s.Seams.Check != nil })
	if v := w.seamsShown(); len(v.List) == 0 || !strings.Contains(v.About, "grid. 3 borders lie on both grids and cannot be measured. Worst") {
		t.Errorf("%d listed: %q", len(v.List), v.About)
	}
	w.change(func(s *State) {
		none := *s.Seams.Check
		none.Seams = nil
		s.Seams.Check = &none
	})
	v := w.seamsShown()
	for _, text := range []string{v.About, v.Verdict} {
		if strings.Contains(text, "no seam to see") || !strings.Contains(text, "3 borders lie on both grids and cannot be measured, and no other crosses an edge") {
			t.Errorf("it says %q", text)
		}
	}
}
