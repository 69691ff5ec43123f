package app

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"greenroom/app/keying"
	"greenroom/engine/settings"
	"greenroom/presets"
)

// another starts a workspace that keeps its things in the same folder as w.
func (w *tested) another(t *testing.T) *tested {
	t.Helper()
	n := newTested(t)
	n.folder, n.shelf, n.asked = w.folder, w.shelf, w.asked
	n.Start()
	return n
}

// saved waits until what is chosen for a plate lies in the app's own folder.
func (w *tested) saved(t *testing.T, plate string) {
	t.Helper()
	w.until(t, "the sidecar", func(State) bool {
		_, err := os.Stat(w.savedPath(plate))
		return err == nil
	})
	w.flush()
}

// TestAPlateIsAsItWasLeft chooses everything, closes the window within the two seconds, and opens the plate in another.
func TestAPlateIsAsItWasLeft(t *testing.T) {
	dir := t.TempDir()
	path := savePlate(t, filepath.Join(dir, "shot é.png"), 160, 120)
	w := newTested(t)
	w.asked = nil
	w.sells(t, newPublisher(t), filepath.Join(dir, "models"))
	w.Start()
	w.offered(t)
	mine := filepath.Join(dir, "mine.safetensors")
	if err := os.WriteFile(mine, weights(), 0o666); err != nil {
		t.Fatal(err)
	}
	w.Open(path)
	w.planned(t)
	w.SetSetting("tile", "256")
	w.SavePresetAs()
	w.until(t, "the question", func(s State) bool { return s.Setup.Ask != nil })
	w.Tell("studio")
	w.until(t, "the preset", func(s State) bool { return s.Setup.Preset != nil && s.Setup.Ask == nil })
	w.planned(t)
	w.ChooseModel(mine)
	w.until(t, "the model", func(s State) bool { return s.Model.Name == mine })
	w.Choose(step("all"), markedChoices(t, dir))
	w.until(t, "the plate as chosen", func(s State) bool { return s.Plate.space != "" && s.Opening == "" && s.Hint != nil && !s.FindingHint })
	w.planned(t)
	w.SetSetting("overlap", "32")
	before := w.planned(t)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}

	n := w.another(t)
	n.offered(t)
	n.Open(path)
	s := n.until(t, "the plate", func(s State) bool {
		return s.Plate != nil && s.Model.Name == mine && s.Hint != nil && s.besideUnread() == ""
	})
	n.planned(t)
	if s = n.State(); !s.Choices.Equal(before.Choices) {
		t.Errorf("chosen was\n%+v\nand is\n%+v", before.Choices, s.Choices)
	}
	if s.Setup.Preset == nil || s.Setup.Preset.Name != "studio" || !slices.Equal(s.Setup.Edits, []presets.Setting{{Name: "overlap", Value: "32"}}) {
		t.Errorf("preset %+v, edits %v", s.Setup.Preset, s.Setup.Edits)
	}
	if s.Plan.Settings.Tile != 256 || s.Plan.Settings.Overlap != 32 || s.Problem != nil || len(s.History.past) != 0 {
		t.Errorf("planned %+v, problem %+v, %d steps", s.Plan.Settings, s.Problem, len(s.History.past))
	}
	if v := n.show(s).Plate; !strings.HasPrefix(v.Restored, "As you left it on ") || strings.Contains(v.Restored, "changed") {
		t.Errorf("told %q", v.Restored)
	}
	// Both make the same key.
	sum := matteSum(n.keyed(t))

	n.StartFresh()
	s = n.until(t, "a fresh plate", func(s State) bool {
		return s.Restored == "" && s.Opening == "" && s.Plate.space == "" && !s.FindingHint
	})
	if !s.Choices.Equal(settings.Choices{Look: settings.DefaultLook()}) || len(s.Setup.Edits) > 0 {
		t.Errorf("fresh: %+v, %v", s.Choices, s.Setup.Edits)
	}
	n.Undo()
	n.until(t, "what was before", func(s State) bool {
		return s.Choices.Equal(before.Choices) && s.Plate.space != "" && s.Opening == "" && !s.FindingHint
	})
	n.planned(t)
	if again := matteSum(n.keyed(t)); again != sum {
		t.Errorf("after undoing: another key, %v and %v", again, sum)
	}
}

// TestAPlateThatWasLeftDoesNotDecideForOthers: its model and preset are not those of the next new plate.
func TestAPlateThatWasLeftDoesNotDecideForOthers(t *testing.T) {
	dir := t.TempDir()
	w := newTested(t)
	w.sells(t, newPublisher(t), dir)
	w.saver.after = time.Millisecond
	w.Start()
	w.offered(t)
	mine := filepath.Join(dir, "mine.safetensors")
	if err := os.WriteFile(mine, weights(), 0o666); err != nil {
		t.Fatal(err)
	}
	first, second := savePlate(t, "first.png", 60, 40), savePlate(t, "second.png", 60, 40)
	w.Open(first)
	w.planned(t)
	w.ChooseModel(mine)
	w.until(t, "the model", func(s State) bool { return s.Model.Name == mine })
	w.planned(t)
	w.SetSetting("slim", "off")
	w.saved(t, first)
	w.until(t, "the edit", func(State) bool {
		like, err := keying.ReadLike(w.savedPath(first))
		return err == nil && len(like.Recall(first).Edits) == 1
	})

	n := w.another(t)
	n.offered(t)
	n.Open(first)
	n.until(t, "the first", func(s State) bool { return s.Model.Name == mine && len(s.Setup.Edits) == 1 && s.Opening == "" })
	n.Open(second)
	s := n.until(t, "the second", func(s State) bool { return s.Plate.Path == second && s.Model.Name == keying.DefaultModel })
	if len(s.Setup.Edits) > 0 || s.Setup.Model != "" {
		t.Errorf("model %q, edits %v", s.Setup.Model, s.Setup.Edits)
	}
	n.planned(t)
	// What is chosen now is for the next ones, too.
	third := savePlate(t, "third.png", 60, 40)
	n.ChooseModel(mine)
	n.until(t, "the model", func(s State) bool { return s.Model.Name == mine })
	n.Open(third)
	if s := n.until(t, "the third", func(s State) bool { return s.Plate.Path == third && s.Hint != nil }); s.modelName() != mine {
		t.Errorf("then the model is %s", s.modelName())
	}
}

// TestWhatIsChosenSavesItself after a moment, for the plate before when another is opened, and not at all where nothing is
// chosen any more.
func TestWhatIsChosenSavesItself(t *testing.T) {
	w := newTested(t)
	w.saver.after = 30 * time.Millisecond
	w.Start()
	first, second := savePlate(t, "first.png", 60, 40), savePlate(t, "second.png", 60, 40)
	w.Open(first)
	w.ready(t)
	if _, err := os.Stat(w.savedPath(first)); err == nil {
		t.Error("looking at a plate saves something")
	}
	gamma := func(v float64) func(*settings.Choices) { return func(c *settings.Choices) { c.Look.Gamma = v } }
	w.Choose(step("Gamma"), gamma(2))
	w.saved(t, first)
	w.saver.after = time.Hour
	w.Choose(step("Gamma"), gamma(1))
	w.Choose(step("Gamma"), gamma(3))
	w.Open(second)
	w.until(t, "the second", func(s State) bool { return s.Plate.Path == second })
	w.until(t, "the first's last choice", func(State) bool {
		like, err := keying.ReadLike(w.savedPath(first))
		return err == nil && like.Look().Gamma == 3
	})
	n := w.another(t)
	n.saver.after = 30 * time.Millisecond
	n.Open(first)
	n.until(t, "the first again", func(s State) bool { return s.Plate != nil && s.Choices.Look.Gamma == 3 && s.Restored != "" })
	n.DismissRestored()
	if s := n.State(); s.Restored != "" || s.Choices.Look.Gamma != 3 {
		t.Errorf("dismissed: %q, gamma %v", s.Restored, s.Choices.Look.Gamma)
	}
	n.StartFresh()
	n.until(t, "nothing to keep", func(State) bool {
		_, err := os.Stat(n.savedPath(first))
		return os.IsNotExist(err)
	})
}

// TestFilesThatAreGoneOrOthersAreTold and all else is back.
func TestFilesThatAreGoneOrOthersAreTold(t *testing.T) {
	dir := t.TempDir()
	path := savePlate(t, filepath.Join(dir, "shot.png"), 160, 120)
	w := newTested(t)
	w.saver.after = time.Millisecond
	w.Start()
	w.Open(path)
	w.ready(t)
	w.Choose(step("all"), markedChoices(t, dir))
	w.until(t, "the plate as chosen", func(s State) bool {
		return s.Plate.space != "" && s.Opening == "" && s.Hint != nil && !s.FindingHint && s.besideUnread() == "" && s.Backdrop != nil
	})
	w.Choose(step("Gamma"), func(c *settings.Choices) { c.Look.Gamma = 1.2 })
	w.until(t, "the sidecar", func(State) bool {
		like, err := keying.ReadLike(w.savedPath(path))
		return err == nil && like.Look().Gamma == 1.2
	})
	w.flush()
	want := w.State().Choices
	for _, name := range []string{"core.png", "back.png"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	saveHint(t, filepath.Join(dir, "rough.png"), 80, 60)

	n := w.another(t)
	n.Open(path)
	s := n.until(t, "the plate", func(s State) bool { return s.Plate != nil && s.Hint != nil })
	want.Core, want.Backdrop, want.BackdropSpace, want.Look.Background = "", "", "", settings.BackgroundChecker
	if !s.Choices.Equal(want) {
		t.Errorf("chosen is\n%+v\nwant\n%+v", s.Choices, want)
	}
	v := n.show(s)
	if p := v.Problem; p == nil || p.What != "core.png is not there any more" || !strings.Contains(p.Why, "core matte of shot.png") ||
		!strings.Contains(p.Why, "1 more") || !strings.Contains(p.Details, "back.png") || p.Button != "Open another core matte…" {
		t.Errorf("told %+v", p)
	}
	if !strings.Contains(v.Plate.Restored, "rough.png has changed since") {
		t.Errorf("told %q", v.Plate.Restored)
	}
}

// TestAPlateOpensThoughItsLayerIsGone: it is read as its file has it now, and all else is back.
func TestAPlateOpensThoughItsLayerIsGone(t *testing.T) {
	w := newTested(t)
	w.saver.after = time.Millisecond
	w.Start()
	path := filepath.Join(t.TempDir(), "shot.exr")
	saveLayers(t, path, 60, 40)
	w.Open(path)
	w.ready(t)
	w.Choose(step("Layer"), func(c *settings.Choices) { c.Layer, c.Look.Gamma = "cam", 2 })
	w.until(t, "the layer", func(s State) bool { return s.Plate.layer == "cam" && s.Opening == "" })
	w.saved(t, path)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	savePlate(t, path, 60, 40)
	n := w.another(t)
	n.Open(path)
	s := n.until(t, "the plate", func(s State) bool { return s.Plate != nil })
	if v := n.show(s).Plate; s.Choices.Layer != "" || s.Choices.Look.Gamma != 2 || !strings.Contains(v.Restored, "has no layers") || !strings.Contains(v.Restored, "plate itself has changed") {
		t.Errorf("layer %q, gamma %v, told %q", s.Choices.Layer, s.Choices.Look.Gamma, v.Restored)
	}
}

// TestWhatCannotBeSavedIsToldOnce: with a way to save it elsewhere.
func TestWhatCannotBeSavedIsToldOnce(t *testing.T) {
	w := newTested(t)
	w.saver.after = time.Millisecond
	w.folder = savePlate(t, "no folder.png", 8, 8)
	w.Start()
	path := savePlate(t, "shot.png", 60, 40)
	w.Open(path)
	w.ready(t)
	gamma := func(v float64) {
		w.Choose(step("Gamma"), func(c *settings.Choices) { c.Look.Gamma = v })
		w.flush()
	}
	gamma(2)
	s := w.until(t, "the problem", func(s State) bool { return s.Problem != nil })
	if v := w.show(s).Problem; v.What != "What you choose cannot be saved by itself" || v.Why == "" || v.Button != "Save beside the exports" {
		t.Errorf("told %+v", v)
	}
	w.Dismiss()
	gamma(3)
	if p := w.State().Problem; p != nil {
		t.Errorf("told again: %+v", p)
	}
	w.SaveSidecar()
	w.until(t, "the sidecar", func(s State) bool { return s.Export.Saved != "" })
}

func TestOnlySoManyPlatesAreKept(t *testing.T) {
	dir := t.TempDir()
	for i := range 10 {
		path := filepath.Join(dir, fmt.Sprintf("%d.toml", i))
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		at := time.Unix(int64(1000+i*i%7*10+i), 0)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	other := filepath.Join(dir, "notes.txt")
	if err := os.WriteFile(other, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	dropOldest(dir, ".toml", 4)
	left, err := filepath.Glob(filepath.Join(dir, "*.toml"))
	if err != nil || len(left) != 4 {
		t.Fatalf("%v, %v", left, err)
	}
	for i := range left {
		left[i] = filepath.Base(left[i])
	}
	// The times are 1000 + 0 1 4 2 2 4 1 0 1 4 tens and the numbers themselves.
	if want := []string{"2.toml", "4.toml", "5.toml", "9.toml"}; !slices.Equal(left, want) {
		t.Errorf("left %v, want %v", left, want)
	}
	if _, err := os.Stat(other); err != nil {
		t.Error(err)
	}
}

// TestACopiedLookIsSavedForPlatesThatWereNotOpened: the window may be closed before anyone looks at them.
func TestACopiedLookIsSavedForPlatesThatWereNotOpened(t *testing.T) {
	w := newTested(t)
	w.Start()
	paths := savePlates(t, 3, 60, 40)
	w.Drop(paths)
	s := w.settled(t, paths[0])
	back := savePlate(t, filepath.Join(t.TempDir(), "back.png"), 30, 30)
	w.UseBackdrop(back)
	w.until(t, "the background", func(s State) bool { return s.Backdrop != nil })
	look := w.State().Choices.Look
	look.ClipBlack = 0.125
	w.setLook(look)
	w.CopyLook([]int{s.Strip.Plates[1].ID, s.Strip.Plates[2].ID})
	w.work.Wait()
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	next := w.another(t)
	for _, path := range paths[1:] {
		next.Open(path)
		s := next.settled(t, path)
		if c := s.Choices; c.Look != look || c.Backdrop != back || s.Restored == "" {
			t.Errorf("%s has clip black %v, the background %q, and is told %q", filepath.Base(path), c.Look.ClipBlack, c.Backdrop, s.Restored)
		}
	}
}
