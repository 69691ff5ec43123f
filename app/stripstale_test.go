package app

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"greenroom/presets"
	"greenroom/views"
)

// TestPlatesThatAreNotOpenSayWhatAPresetOrModelChanges: at once, both ways, and Key all keys them.
func TestPlatesThatAreNotOpenSayWhatAPresetOrModelChanges(t *testing.T) {
	w := newTested(t).caching(t)
	w.sells(t, newPublisher(t), t.TempDir())
	w.Start()
	w.offered(t)
	paths := savePlates(t, 3, 150, 90)
	w.Drop(paths)
	w.settled(t, paths[0])
	w.KeyAll()
	w.until(t, "the keys", func(s State) bool { return s.Strip.Run == nil && s.Strip.Plates[2].Keyed })
	// The third is of another hint by now, whatever else changes.
	w.change(func(s *State) { s.Strip.alter(s.Strip.Plates[2].ID, func(p *StripPlate) { p.Stale = hintChanged }) })
	cells := func(s State) []views.StripPlate { return w.show(s).Strip.Plates[1:] }
	until := func(what string, mark views.StripMark, why string) State {
		t.Helper()
		return w.until(t, what, func(s State) bool {
			c := cells(s)
			return c[0].Mark == mark && c[0].Why == why && c[1].Why == sentence(hintChanged)
		})
	}
	until("the mark", views.MarkKeyed, "")

	file := filepath.Join(t.TempDir(), "frame.toml")
	if err := os.WriteFile(file, []byte("schema = 1\n[engine]\nrefine = \"frame\"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	frame, err := presets.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	w.use(&frame)
	s := until("a preset", views.MarkStale, sentence(settingsChanged))
	if ids := []int{s.Strip.Plates[1].ID, s.Strip.Plates[2].ID}; !slices.Contains(s.unkeyed(), ids[0]) || slices.Contains(s.unwritten(), ids[0]) {
		t.Errorf("Key all takes %v, Export all %v of %v", s.unkeyed(), s.unwritten(), ids)
	}
	w.use(nil)
	until("no preset", views.MarkKeyed, "")

	mine := filepath.Join(t.TempDir(), "mine.safetensors")
	if err := os.WriteFile(mine, weights(), 0o666); err != nil {
		t.Fatal(err)
	}
	w.ChooseModel(mine)
	until("a model", views.MarkStale, sentence(modelChanged))
	w.Undo()
	until("the model of before", views.MarkKeyed, "")

	w.change(func(s *State) { s.Strip.alter(s.Strip.Plates[2].ID, func(p *StripPlate) { p.Stale = "" }) })
	w.use(&frame)
	w.until(t, "both to be marked", func(s State) bool { return cells(s)[0].Mark == views.MarkStale && cells(s)[1].Mark == views.MarkStale })
	w.KeyAll()
	w.until(t, "the keys under the preset", func(s State) bool {
		return s.Strip.Run == nil && cells(s)[0].Mark == views.MarkKeyed && cells(s)[1].Mark == views.MarkKeyed
	})
	// The keys of before are at hand, and so are these.
	for _, p := range []*presets.Preset{nil, &frame} {
		w.use(p)
		w.planned(t)
		s := w.until(t, "the preset", func(s State) bool { return s.Setup.Preset == p && !s.Planning })
		if c := cells(s); c[0].Mark != views.MarkKeyed || c[1].Mark != views.MarkKeyed {
			t.Errorf("preset %v: %+v", p, c)
		}
	}
}
