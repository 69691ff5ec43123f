package app

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"greenroom/presets"
	"greenroom/views"
)

// remedy returns the remedy with a label.
func (w *tested) remedy(t *testing.T, label string) views.Remedy {
	t.Helper()
	list := w.seamsShown().Remedies
	i := slices.IndexFunc(list, func(r views.Remedy) bool { return r.Label == label })
	if i < 0 {
		t.Fatalf("%q is not among %+v", label, list)
	}
	return list[i]
}

func TestARemedySaysWhatStaysAndKeepsIt(t *testing.T) {
	w := newTested(t)
	w.Start()
	w.Open(savePlate(t, "shot.png", 600, 300))
	s := w.keyedWithRemedies(t)
	tiles := s.Key.Result.Grid.Len()
	if text := s.Key.summary(); s.Key.Result.Recalled != 0 || strings.Contains(text, "kept") {
		t.Errorf("the first key says %q", text)
	}
	refine := w.remedy(t, "Refine: frame")
	for label, want := range map[string]string{
		"Overlap 64":    "tiles stay as they are; the network runs on the others",
		"Tile 256":      "the network runs on all of them again",
		"Whole frame":   "One tile sees the whole frame, and no seam is left",
		"Refine: frame": "All tiles stay as they are: only the refiner runs",
	} {
		if note := w.remedy(t, label).Note; !strings.Contains(note, want) {
			t.Errorf("%s says %q", label, note)
		}
	}
	work := s.Key.Work
	w.UseRemedy(refine.Setting, refine.Value)
	s = w.until(t, "the key", func(n State) bool { return n.Running == nil && n.Key.Result != s.Key.Result })
	if got := s.Key.summary(); s.Key.Result.Recalled != tiles || !strings.Contains(got, fmt.Sprintf("%d tiles, all kept: only the refiner ran", tiles)) {
		t.Errorf("%d of %d tiles were recalled: %q", s.Key.Result.Recalled, tiles, got)
	}
	if s.Key.Work <= 0 || s.Key.Work >= work {
		t.Errorf("the refiner alone computed %v, the key before %v", s.Key.Work, work)
	}
	s = w.planned(t)
	overlap := w.remedy(t, "Overlap 64")
	var n, all int
	if _, err := fmt.Sscanf(overlap.Note, "%d of %d tiles stay", &n, &all); err != nil || n < 4 || n >= all {
		t.Fatalf("overlap 64 says %q", overlap.Note)
	}
	w.UseRemedy(overlap.Setting, overlap.Value)
	s = w.until(t, "the key", func(m State) bool { return m.Running == nil && m.Key.Result != s.Key.Result })
	// Tiles that happen to look alike are recalled too.
	kept := s.Key.Result.Recalled
	if got := s.Key.summary(); kept < n || kept >= all || s.Key.Result.Grid.Len() != all || !strings.Contains(got, fmt.Sprintf("%d tiles, %d of them kept", all, kept)) {
		t.Errorf("%d of %d tiles were recalled: %q", s.Key.Result.Recalled, s.Key.Result.Grid.Len(), got)
	}
}

func TestOverlapThatMovesNoTileTakesNoTime(t *testing.T) {
	w := newTested(t)
	w.Start()
	w.Open(savePlate(t, "shot.png", 190, 100))
	s := w.keyedWithRemedies(t)
	if n := s.Key.Result.Grid.Len(); n != 2 {
		t.Fatalf("%d tiles", n)
	}
	r := w.remedy(t, "Overlap 64")
	if !strings.HasPrefix(r.Cost, "about 1 s, ") || !strings.HasSuffix(r.Note, "only blended in another way") {
		t.Errorf("it takes %q: %q", r.Cost, r.Note)
	}
}

func TestNothingIsKeptWhereMemoryIsShort(t *testing.T) {
	w := newTested(t)
	w.Start()
	w.Open(savePlate(t, "shot.png", 600, 300))
	s := w.planned(t)
	for _, c := range []struct {
		gb   int
		peak int64
		want int64
	}{{0, 1, 0}, {10, 7 * presets.GiB, 0}, {10, 5 * presets.GiB, presets.GiB / 2}, {64, presets.GiB, keepMost}} {
		plan := *s.Plan
		plan.Choice.PeakBytes = c.peak
		n := State{Machine: presets.Machine{MemoryGB: c.gb}, Plan: &plan}
		if got := n.keepRoom(); got != c.want {
			t.Errorf("with %d GB and a peak of %d bytes %d are kept, want %d", c.gb, c.peak, got, c.want)
		}
	}
}

func TestACheckThatDoesNotFitIsRefusedWithItsReason(t *testing.T) {
	w := newTested(t)
	w.Start()
	w.Open(savePlate(t, "shot.png", 600, 300))
	w.keyed(t)
	w.change(func(s *State) {
		k := *s.Key
		k.Choice.PeakBytes = s.Machine.Limit() - 600*300*38 // two keys and a map of floats
		s.Key = &k
	})
	if why := w.seamsShown().WhyNot; why != "" {
		t.Errorf("a check that just fits: %q", why)
	}
	w.change(func(s *State) {
		k := *s.Key
		k.Choice.PeakBytes++
		s.Key = &k
	})
	if why := w.seamsShown().WhyNot; !strings.Contains(why, "and this machine has "+presets.Memory(w.State().Machine.Limit())) {
		t.Errorf("a check that does not fit: %q", why)
	}
	w.CheckSeams()
	if w.State().Seams.Run != nil {
		t.Error("it runs")
	}
}
