package app

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"greenroom/engine/settings"
	"greenroom/views"
)

// savePlates writes plates a.png, b.png, ... into one folder.
func savePlates(t *testing.T, n, w, h int) []string {
	t.Helper()
	dir := t.TempDir()
	var paths []string
	for i := range n {
		paths = append(paths, savePlate(t, filepath.Join(dir, fmt.Sprintf("%c.png", 'a'+i)), w+i, h))
	}
	return paths
}

// caching gives a workspace a place for keys that can be brought back.
func (w *tested) caching(t *testing.T) *tested {
	w.cache = openVariants(t.TempDir(), mostCached)
	return w
}

// strips returns the names in the strip, the open one in brackets.
func strips(s State) string {
	var names []string
	for _, p := range s.Strip.Plates {
		name := p.Name()
		if p.ID == s.Strip.Open {
			name = "[" + name + "]"
		}
		names = append(names, name)
	}
	return strings.Join(names, " ")
}

// settled waits until a plate is open with nothing going on.
func (w *tested) settled(t *testing.T, path string) State {
	t.Helper()
	return w.until(t, path, func(s State) bool {
		_, known := s.cause()
		return s.Plate != nil && s.Plate.Path == path && s.Opening == "" && known && s.wantedVariant() == nil
	})
}

func TestDroppedPlatesComeIntoTheStripWithTheirHints(t *testing.T) {
	w := newTested(t)
	w.Start()
	paths := savePlates(t, 3, 60, 40)
	dir := filepath.Dir(paths[0])
	// Not where hints are looked for.
	hint := saveHint(t, filepath.Join(t.TempDir(), "B_roto.png"), 61, 40)
	stray := saveHint(t, filepath.Join(dir, "other-hint.png"), 60, 40)
	text := filepath.Join(dir, "notes.png")
	if err := os.WriteFile(text, []byte("no picture"), 0o666); err != nil {
		t.Fatal(err)
	}
	// Only the artist knows what a matte is.
	unsaid := saveHint(t, filepath.Join(dir, "c_matte.png"), 60, 40)
	w.Drop([]string{paths[0], hint, text, paths[1], unsaid, stray, paths[2]})
	s := w.settled(t, paths[0])
	if got := strips(s); got != "[a.png] b.png c.png" {
		t.Errorf("the strip is %s", got)
	}
	if p := s.Problem; p == nil || !strings.HasPrefix(p.What, "3 of 7 files") || !strings.Contains(p.Why, "notes.png") || !strings.Contains(p.Why, "other-hint.png is a hint for none") ||
		!strings.Contains(p.Why, "c_matte.png may be a hint or a plate") {
		t.Errorf("told %+v", p)
	}
	s = w.until(t, "the thumbnails", func(s State) bool {
		return !slices.ContainsFunc(s.Strip.Plates, func(p StripPlate) bool { return p.Thumb == nil })
	})
	w.SwitchTo(s.Strip.Plates[1].ID)
	if s = w.settled(t, paths[1]); s.Hint.Source.From != hint {
		t.Errorf("b.png has the hint %q", s.Hint.Source.From)
	}
}

func TestEachPlateOfTheStripKeepsWhatWasChosen(t *testing.T) {
	w := newTested(t).caching(t)
	w.Start()
	paths := savePlates(t, 2, 150, 90)
	w.Open(paths[0])
	w.settled(t, paths[0])
	w.SetSetting("tile", "0")
	look := w.State().Choices.Look
	look.Despill = 0.3
	w.setLook(look)
	first := w.keyed(t)
	w.Open(paths[1])
	s := w.settled(t, paths[1])
	if got := strips(s); got != "a.png [b.png]" || s.Key != nil || len(s.History.past) != 0 || len(s.Setup.Edits) != 1 {
		t.Errorf("the strip is %s, key %v, %d steps, edits %v", got, s.Key != nil, len(s.History.past), s.Setup.Edits)
	}
	v := w.show(s).Strip
	if v.Plates[0].Mark != views.MarkKeyed || v.Plates[1].Mark != views.MarkNone || !v.Plates[1].Open {
		t.Errorf("shown %+v", v.Plates)
	}
	look.Despill = 0.9
	w.setLook(look)
	w.SwitchTo(s.Strip.Plates[0].ID)
	w.settled(t, paths[0])
	s = w.until(t, "the key of before", func(s State) bool { return s.Key != nil && s.Key.Whole && !s.behind() })
	if s.Choices.Look.Despill != 0.3 || len(s.History.past) != 2 || s.Key.cause != first.Key.cause || s.Stale() != "" {
		t.Errorf("despill %v, %d steps, stale %q", s.Choices.Look.Despill, len(s.History.past), s.Stale())
	}
	if d := farApart(s.Key.Finished.Matte.Pix, first.Key.Finished.Matte.Pix); d != 0 {
		t.Errorf("the matte is off by %v", d)
	}
	w.Undo()
	if got := w.State().Choices.Look.Despill; got == 0.3 {
		t.Error("nothing was undone")
	}
}

// farApart is the greatest difference of two rows of samples.
func farApart(a, b []float32) float64 {
	d := 0.0
	for i := range a {
		d = max(d, float64(a[i]-b[i]), float64(b[i]-a[i]))
	}
	return d
}

func TestKeyAllKeysTheStripAndMarksWhatFails(t *testing.T) {
	w := newTested(t).caching(t)
	w.Start()
	paths := savePlates(t, 4, 150, 90)
	w.Drop(paths)
	w.settled(t, paths[0])
	// One has no screen: there can be no hint.
	saveHint(t, paths[1], 80, 40)
	w.KeyAll()
	s := w.until(t, "the end", func(s State) bool { return s.Strip.Run == nil && s.Problem != nil })
	if !strings.HasPrefix(s.Problem.What, "1 of 4 plates could not be keyed") || s.Problem.Why != "b.png" {
		t.Errorf("told %+v", s.Problem)
	}
	s = w.until(t, "the open one's key", func(s State) bool { return s.Key != nil && s.Key.Whole })
	var marks []views.StripMark
	for _, p := range w.show(s).Strip.Plates {
		marks = append(marks, p.Mark)
	}
	if want := []views.StripMark{views.MarkKeyed, views.MarkFailed, views.MarkKeyed, views.MarkKeyed}; !slices.Equal(marks, want) {
		t.Errorf("marks %v, want %v", marks, want)
	}
	if why := w.show(s).Strip.Plates[1].Why; !strings.Contains(why, "no hint") {
		t.Errorf("why: %q", why)
	}
	w.SwitchTo(s.Strip.Plates[2].ID)
	w.settled(t, paths[2])
	s = w.until(t, "its key", func(s State) bool { return s.Key != nil && s.Key.Whole })
	if s.Stale() != "" || len(s.Variants) != 1 {
		t.Errorf("stale %q, %d variants", s.Stale(), len(s.Variants))
	}
	w.ExportAll()
	s = w.until(t, "the files", func(s State) bool { return s.Strip.Run == nil && s.Strip.Plates[3].Report != nil })
	for _, name := range []string{"a_key.png", "c_matte.png", "d_key.toml"} {
		if _, err := os.Stat(filepath.Join(filepath.Dir(paths[0]), "keys", name)); err != nil {
			t.Error(err)
		}
	}
	if got := w.show(s).Strip.Plates[3].Words; got != "Exported" {
		t.Errorf("d.png is %s", got)
	}
}

func TestKeyAllStopsAfterWhatIsDone(t *testing.T) {
	w := newTested(t).caching(t)
	w.Start()
	paths := savePlates(t, 3, 500, 400)
	w.Drop(paths)
	w.settled(t, paths[0])
	w.KeyAll()
	s := w.until(t, "the second", func(s State) bool { return s.Strip.Run != nil && s.Strip.Run.Done == 1 && s.Strip.Run.Tile > 0 })
	if s.canKey() {
		t.Error("a key could be made beside")
	}
	w.StopStrip()
	s = w.until(t, "the end", func(s State) bool { return s.Strip.Run == nil })
	if got := []bool{s.Strip.Plates[1].Keyed, s.Strip.Plates[2].Keyed}; got[0] || got[1] || s.Problem != nil {
		t.Errorf("keyed %v, problem %+v", got, s.Problem)
	}
	if s = w.until(t, "the first key", func(s State) bool { return s.Key != nil }); !s.Key.Whole {
		t.Error("the first key is not whole")
	}
}

func TestNothingElseRunsWhileTheStripIsKeyed(t *testing.T) {
	w := newTested(t).caching(t)
	w.Start()
	paths := savePlates(t, 2, 500, 400)
	w.Drop(paths)
	w.settled(t, paths[0])
	w.keyed(t)
	w.planned(t)
	w.KeyAll()
	s := w.until(t, "the other plate's first tile", func(s State) bool { return s.Strip.Run == nil || s.Strip.Run.Tile > 0 })
	if s.Strip.Run == nil {
		t.Fatal("the strip was keyed before anybody could look")
	}
	w.CheckSeams()
	w.Measure()
	s = w.State()
	if s.Seams.Run != nil || s.Setup.Bench != nil {
		t.Errorf("checked %v, measured %v beside it", s.Seams.Run != nil, s.Setup.Bench != nil)
	}
	const why = "The plates are being keyed"
	if v := w.show(s); v.Seams.WhyNot != why || v.Setup.Measure.WhyNot != why {
		t.Errorf("seams: %q, measuring: %q", v.Seams.WhyNot, v.Setup.Measure.WhyNot)
	}
	w.until(t, "the end", func(s State) bool { return s.Strip.Run == nil && s.Seams.Run == nil && s.Setup.Bench == nil })
	// The engine has the other plate's tiles now, or none.
	if note := w.remedy(t, "Refine: frame").Note; note != "The network runs on all tiles again" {
		t.Errorf("a remedy says %q", note)
	}
}

func TestCopiedLookLeavesWhatWasDrawn(t *testing.T) {
	w := newTested(t)
	w.Start()
	paths := savePlates(t, 3, 60, 40)
	w.Drop(paths)
	s := w.settled(t, paths[0])
	stroke := settings.Stroke{Points: []settings.Point{{X: 5, Y: 5}}, Size: 9, Value: settings.PaintSubject}
	w.SwitchTo(s.Strip.Plates[1].ID)
	w.settled(t, paths[1])
	w.Choose(views.Step{Name: "Stroke"}, func(c *settings.Choices) { c.Marks.Hint = []settings.Stroke{stroke} })
	w.SwitchTo(s.Strip.Plates[0].ID)
	w.settled(t, paths[0])
	look := w.State().Choices.Look
	look.ClipBlack = 0.125
	w.setLook(look)
	w.CopyLook([]int{s.Strip.Plates[1].ID})
	s = w.State()
	if got := s.Strip.Plates[1].Choices; got.Look.ClipBlack != 0.125 || len(got.Marks.Hint) != 1 {
		t.Errorf("b.png has %v, %d strokes", got.Look.ClipBlack, len(got.Marks.Hint))
	}
	if got := s.Strip.Plates[2].Choices.Look.ClipBlack; got == 0.125 {
		t.Error("c.png was changed too")
	}
	w.SwitchTo(s.Strip.Plates[1].ID)
	w.settled(t, paths[1])
	w.Undo()
	if s = w.State(); s.Choices.Look.ClipBlack == 0.125 || len(s.Choices.Marks.Hint) != 1 || s.Redo() != stepCopyLook {
		t.Errorf("undone to %v, %d strokes", s.Choices.Look.ClipBlack, len(s.Choices.Marks.Hint))
	}
}

// Redo names the step that can be done again.
func (s State) Redo() string { return last(s.History.future) }

func TestClosingThePlateOpensItsNeighbour(t *testing.T) {
	w := newTested(t)
	w.Start()
	paths := savePlates(t, 3, 60, 40)
	w.Drop(paths)
	s := w.settled(t, paths[0])
	w.ClosePlate(s.Strip.Plates[2].ID)
	if got := strips(w.State()); got != "[a.png] b.png" {
		t.Errorf("the strip is %s", got)
	}
	w.ClosePlate(s.Strip.Plates[0].ID)
	if got := strips(w.settled(t, paths[1])); got != "[b.png]" {
		t.Errorf("the strip is %s", got)
	}
	w.ClosePlate(s.Strip.Plates[1].ID)
	if got := strips(w.State()); got != "[b.png]" {
		t.Errorf("the last one was closed: %s", got)
	}
}

func TestAFullStripLetsGoOnlyWhatLosesNothing(t *testing.T) {
	var s Strip
	for i := range mostPlates {
		s.Open = s.add(fmt.Sprint(i), desk{Keyed: i != 3})
	}
	if id := s.add("more", desk{Keyed: true}); id == 0 || s.at("3") != 0 || len(s.Plates) != mostPlates {
		t.Errorf("%d plates, the untouched one is still there: %v", len(s.Plates), s.at("3") != 0)
	}
	if s.hasRoom() || s.add("one more", desk{}) != 0 {
		t.Error("a key that was not exported was let go")
	}
	s.Run = &StripRun{}
	s.alter(s.Plates[0].ID, func(p *StripPlate) { p.Keyed = false })
	if s.hasRoom() {
		t.Error("a plate was let go while others are being keyed")
	}
}

func TestKeyAllTakesKeysOfBefore(t *testing.T) {
	folder := t.TempDir()
	paths := savePlates(t, 2, 150, 90)
	var first []string
	for session := range 2 {
		w := newTested(t)
		w.cache = openVariants(folder, mostCached)
		w.Start()
		w.Drop(paths)
		w.settled(t, paths[0])
		w.until(t, "the model", func(s State) bool { return s.Model != nil })
		w.KeyAll()
		s := w.until(t, "the end", func(s State) bool { return s.Strip.Run == nil && s.Strip.Plates[1].Keyed })
		if s.Problem != nil {
			t.Errorf("told %+v", s.Problem)
		}
		w.work.Wait()
		var names []string
		w.cache.mu.Lock()
		for _, v := range w.cache.list {
			names = append(names, v.Name)
		}
		w.cache.mu.Unlock()
		slices.Sort(names)
		if session == 0 {
			first = names
		} else if len(names) != 2 || !slices.Equal(names, first) {
			t.Errorf("keys %q, want those of before: %q", names, first)
		}
	}
}

func TestOfTooManyDroppedPlatesTheFirstAreKept(t *testing.T) {
	w := newTested(t)
	w.Start()
	paths := savePlates(t, mostPlates+3, 40, 30)
	w.Drop(paths)
	s := w.settled(t, paths[0])
	if p := s.Problem; p == nil || p.What != "3 of 23 plates were left out" {
		t.Errorf("told %+v", p)
	}
	var names []string
	for _, p := range s.Strip.Plates {
		names = append(names, p.Path)
	}
	if !slices.Equal(names, paths[:mostPlates]) {
		t.Errorf("the strip is %s", strips(s))
	}
	// Some of them again with others: what is dropped makes way for nothing that is dropped with it.
	again := append(slices.Clone(paths[1:4]), paths[mostPlates:]...)
	w.Drop(again)
	s = w.settled(t, paths[1])
	for _, path := range again {
		if s.Strip.at(path) == 0 {
			t.Errorf("%s is not in the strip %s", filepath.Base(path), strips(s))
		}
	}
}

// TestExportedPlatesAreMarkedUntilTheyChange: "Exported" is only said of the key that was written, and the names under
// Export are those of the next export.
func TestExportedPlatesAreMarkedUntilTheyChange(t *testing.T) {
	w := newTested(t).caching(t)
	w.Start()
	paths := savePlates(t, 2, 60, 40)
	w.Drop(paths)
	w.settled(t, paths[0])
	w.KeyAll()
	w.until(t, "the keys", func(s State) bool { return s.Strip.Run == nil && s.Strip.Plates[1].Keyed })
	w.until(t, "the open one's key", func(s State) bool { return s.Key != nil && s.Key.Whole })
	w.ExportAll()
	s := w.until(t, "the files", func(s State) bool { return s.Strip.Run == nil && s.Strip.Plates[1].Report != nil })
	if e := w.show(s).Export; !e.Exists || !slices.Contains(e.Files, "a_key_v002.png") {
		t.Errorf("under Export: %+v", e)
	}
	words := func() string {
		v := w.show(w.State()).Strip.Plates
		return v[0].Words + ", " + v[1].Words
	}
	told := func(want, when string) {
		t.Helper()
		if got := words(); got != want {
			t.Errorf("%s: %s, want %s", when, got, want)
		}
	}
	told("Exported, Exported", "exported")
	before := w.State().Choices.Look
	look := before
	look.ClipBlack = 0.125
	w.setLook(look)
	told("Changed since, Exported", "changed")
	w.CopyLook([]int{s.Strip.Plates[1].ID})
	told("Changed since, Changed since", "copied")
	if got := w.show(w.State()).Strip.Told; got != "Look copied to 1 plate" {
		t.Errorf("told %q", got)
	}
	w.Undo()
	told("Exported, Changed since", "undone")
	w.SwitchTo(s.Strip.Plates[1].ID)
	w.settled(t, paths[1])
	w.until(t, "its key", func(s State) bool { return s.Key != nil && s.Key.Whole })
	told("Exported, Changed since", "the other one opened")
	w.Undo()
	told("Exported, Exported", "undone there")
	w.exported(t)
	told("Exported, Exported", "exported again")
	// Another key is another one, whatever is chosen.
	w.SetSetting("tile", "64")
	w.until(t, "the plan", func(s State) bool { return !s.Planning && s.Stale() != "" })
	w.keyed(t)
	w.until(t, "the key", func(s State) bool { return s.Stale() == "" })
	told("Exported, Changed since", "keyed otherwise")
}

// TestANewPlateSaysThatItStartsWithTheLastLook, alone and in the strip, as long as nobody has put that away.
func TestANewPlateSaysThatItStartsWithTheLastLook(t *testing.T) {
	w := newTested(t)
	w.Start()
	paths := savePlates(t, 4, 60, 40)
	w.Open(paths[0])
	if s := w.settled(t, paths[0]); s.Restored != "" {
		t.Errorf("with the usual look it is told %q", s.Restored)
	}
	look := w.State().Choices.Look
	look.ClipBlack = 0.125
	w.setLook(look)
	const told = "Starts with the last look."
	w.Open(paths[1])
	if s := w.settled(t, paths[1]); s.Restored != told {
		t.Errorf("a plate by itself is told %q", s.Restored)
	}
	w.DismissRestored()
	w.Drop(paths[2:])
	s := w.settled(t, paths[2])
	if s.Restored != told {
		t.Errorf("a plate that was dropped is told %q", s.Restored)
	}
	w.SwitchTo(s.Strip.Plates[1].ID)
	if s = w.settled(t, paths[1]); s.Restored != "" {
		t.Errorf("what was put away is told again: %q", s.Restored)
	}
	w.SwitchTo(s.Strip.Plates[3].ID)
	if s = w.settled(t, paths[3]); s.Restored != told {
		t.Errorf("the other that was dropped is told %q", s.Restored)
	}
	w.StartFresh()
	if s = w.State(); s.Restored != "" || s.Choices.Look != settings.DefaultLook() {
		t.Errorf("started fresh it is told %q, clip black %v", s.Restored, s.Choices.Look.ClipBlack)
	}
}
