package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"greenroom/app/keying"
	"greenroom/engine/settings"
	"greenroom/views"
)

// TestASidecarReopensItsPlate: dropped on an empty window, with the plate and the keys moved to another place, and onto
// the plate itself as a step that can be undone.
func TestASidecarReopensItsPlate(t *testing.T) {
	job := filepath.Join(t.TempDir(), "job")
	if err := os.Mkdir(job, 0o777); err != nil {
		t.Fatal(err)
	}
	path := savePlate(t, filepath.Join(job, "shot.png"), 160, 120)
	w := newTested(t)
	w.Start()
	w.Open(path)
	w.ready(t)
	w.Choose(step("all"), markedChoices(t, job))
	w.SetExport(views.ExportChoice{FG: true, Comp: true, Format: views.ExportTIFF})
	w.until(t, "the plate as chosen", func(s State) bool {
		return s.Plate.space != "" && s.Opening == "" && !s.FindingHint && s.besideUnread() == ""
	})
	w.keyed(t)
	w.until(t, "the key as chosen", func(s State) bool { return !s.behind() && s.Stale() == "" })
	sum := matteSum(w.State())
	side := w.exported(t).Export.Report.Sidecar
	before := w.State()

	moved := filepath.Join(filepath.Dir(job), "moved")
	if err := os.Rename(job, moved); err != nil {
		t.Fatal(err)
	}
	side = filepath.Join(moved, "keys", filepath.Base(side))
	n := newTested(t)
	n.Start()
	n.Drop([]string{side})
	s := n.until(t, "the plate", func(s State) bool { return s.Plate != nil && s.Hint != nil && s.besideUnread() == "" && s.Model != nil })
	if s.Plate.Path != filepath.Join(moved, "shot.png") || s.Problem != nil || s.Choices.Core != filepath.Join(moved, "core.png") {
		t.Fatalf("opened %s, core %s, problem %+v", s.Plate.Path, s.Choices.Core, s.Problem)
	}
	if e := s.Export.ExportChoice; e != before.Export.ExportChoice {
		t.Errorf("the export is %+v", e)
	}
	if !strings.HasPrefix(s.Restored, "As shot_key.toml has it.") || !s.Choices.Marks.Equal(before.Choices.Marks) || s.Choices.Look != before.Choices.Look {
		t.Errorf("%q: %+v", s.Restored, s.Choices)
	}
	n.planned(t)
	if got := matteSum(n.keyed(t)); got != sum {
		t.Error("it makes another key")
	}
	// A format that nobody chose is not chosen for other plates.
	n.SetExport(views.ExportChoice{Key: true})
	n.SaveSidecar()
	state := n.until(t, "the state", func(s State) bool { return s.Export.Saved != "" }).Export.Saved
	n.SetExport(views.ExportChoice{Key: true, Format: views.ExportTIFF})
	n.Open(state)
	n.until(t, "no format", func(s State) bool { return s.Export.Format == "" && s.Problem == nil })
	// Onto the open plate.
	n.Choose(step("Gamma"), func(c *settings.Choices) { c.Look.Gamma = 3 })
	n.Open(side)
	n.until(t, "the sidecar's gamma", func(s State) bool { return s.Choices.Look.Gamma == before.Choices.Look.Gamma })
	n.Undo()
	n.until(t, "the gamma before", func(s State) bool { return s.Choices.Look.Gamma == 3 })

	// Without its plate the artist is asked for that.
	other := savePlate(t, filepath.Join(t.TempDir(), "elsewhere.png"), 160, 120)
	if err := os.Remove(filepath.Join(moved, "shot.png")); err != nil {
		t.Fatal(err)
	}
	m := newTested(t)
	m.Start()
	m.Open(side)
	s = m.until(t, "the problem", func(s State) bool { return s.Problem != nil })
	if v := m.show(s).Problem; v.What != "shot.png is not there any more" || v.Button != "Open the plate…" {
		t.Errorf("told %+v", v)
	}
	m.openSidecar(s.Problem.file, other)
	s = m.until(t, "the plate", func(s State) bool { return s.Plate != nil })
	if s.Choices.Look != before.Choices.Look {
		t.Errorf("another look: %+v", s.Choices.Look)
	}
	// Both dropped together say where the plate is.
	b := newTested(t)
	b.Start()
	b.Drop([]string{other, side})
	if s = b.until(t, "the plate", func(s State) bool { return s.Plate != nil }); s.Plate.Path != other || s.Choices.Look != before.Choices.Look {
		t.Errorf("dropped together: %s, %+v", s.Plate.Path, s.Choices.Look)
	}
	broken := filepath.Join(moved, "broken.toml")
	if err := os.WriteFile(broken, []byte("schema = 'x'"), 0o666); err != nil {
		t.Fatal(err)
	}
	m.Dismiss()
	m.Drop([]string{broken})
	s = m.until(t, "the problem", func(s State) bool { return s.Problem != nil })
	if v := m.show(s).Problem; !strings.Contains(v.What+v.Why, "no sidecar") {
		t.Errorf("told %+v", v)
	}
}

// TestTheStateIsKeptBesideAnExport: with the exported files once there are some, and at once when it is asked for. The
// sidecar of the export stays as it was.
func TestTheStateIsKeptBesideAnExport(t *testing.T) {
	w := newTested(t)
	w.saver.after = time.Millisecond
	w.Start()
	path := savePlate(t, "shot.png", 160, 96)
	state := filepath.Join(filepath.Dir(path), "keys", "shot_state.toml")
	w.Open(path)
	w.ready(t)
	w.SaveSidecar()
	s := w.until(t, "the sidecar", func(s State) bool { return s.Export.Saved != "" })
	if v := w.show(s).Export; s.Export.Saved != state || v.Saved != "shot_state.toml" {
		t.Errorf("saved %s, shown %q", s.Export.Saved, v.Saved)
	}
	if err := os.Remove(state); err != nil {
		t.Fatal(err)
	}
	w.keyed(t)
	s = w.exported(t)
	side, err := os.ReadFile(s.Export.Report.Sidecar)
	if err != nil {
		t.Fatal(err)
	}
	w.Choose(step("Gamma"), func(c *settings.Choices) { c.Look.Gamma = 2 })
	w.until(t, "the state", func(State) bool {
		like, err := keying.ReadLike(state)
		return err == nil && like.Look().Gamma == 2
	})
	if now, err := os.ReadFile(s.Export.Report.Sidecar); err != nil || string(now) != string(side) {
		t.Errorf("the export's own sidecar has changed (%v)", err)
	}
	w.flush()
}
