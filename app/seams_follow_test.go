package app

import (
	"fmt"
	"strings"
	"testing"
)

func TestNextKeyOfACheckedOneIsComparedByTheSameMeasure(t *testing.T) {
	w := newTested(t)
	w.Start()
	w.Open(savePlate(t, "shot.png", 600, 300))
	s := w.keyedWithRemedies(t)
	run := s.Key.Result.Seams[0].Steps()
	if v := w.seamsShown(); v.Follow || !strings.Contains(v.About, fmt.Sprintf("99 %% under %.1f steps.", run)) {
		t.Errorf("the first key: %v, %q", v.Follow, v.About)
	}
	w.CheckSeams()
	s = w.until(t, "the check", func(s State) bool { return s.Seams.Check != nil })
	checked := s.Seams.Check.Seams[0].Steps()
	w.UseRemedy("overlap", "64")
	s = w.until(t, "the next key", func(n State) bool { return n.Running == nil && n.Key.Result != s.Key.Result })
	for _, s := range w.recorder.all() {
		if v := w.show(s).Seams; s.Running != nil && (len(v.List) > 0 || v.Checked || v.Second != nil) {
			t.Fatalf("while the next key is made the borders of the one before are listed: %q", v.About)
		}
	}
	v := w.seamsShown()
	if want := fmt.Sprintf("under %.1f steps, before %.1f.", s.Key.Result.Seams[0].Steps(), run); !v.Follow || !strings.HasSuffix(v.About, want) {
		t.Errorf("the next key: %v, %q, want %q", v.Follow, v.About, want)
	}
	w.CheckSeams()
	// What the run measured is not shown as if it were what the check of the key before found.
	v = w.show(w.until(t, "the start", func(s State) bool { return s.Seams.Run != nil })).Seams
	if v.Heat != nil || len(v.List) > 0 || !strings.Contains(v.NoHeat, "being checked") || !strings.Contains(v.About, "Checking them") {
		t.Errorf("while it is checked: %d listed, %q, %q", len(v.List), v.About, v.NoHeat)
	}
	s = w.until(t, "the check", func(s State) bool { return s.Seams.Check != nil })
	v = w.seamsShown()
	if want := fmt.Sprintf("under %.1f steps, before %.1f.", s.Seams.Check.Seams[0].Steps(), checked); v.Follow || v.Heat == nil || !strings.HasSuffix(v.About, want) {
		t.Errorf("after the check: %q, want %q", v.About, want)
	}
}

func TestStoppedCheckIsNotBegunAgainByItself(t *testing.T) {
	w := newTested(t)
	w.Start()
	w.Open(savePlate(t, "shot.png", 600, 300))
	s := w.keyedWithRemedies(t)
	w.CheckSeams()
	w.until(t, "the check", func(s State) bool { return s.Seams.Check != nil })
	w.UseRemedy("overlap", "64")
	w.until(t, "the next key", func(n State) bool { return n.Running == nil && n.Key.Result != s.Key.Result })
	w.CheckSeams()
	w.StopChecking()
	w.until(t, "the end", func(s State) bool { return s.Seams.Run == nil })
	if v := w.seamsShown(); v.Follow || v.Heat == nil || !strings.Contains(v.About, "measured where tiles overlap") {
		t.Errorf("after stopping: follow %v, %q", v.Follow, v.About)
	}
	// Of a key in one tile there is nothing to check.
	w.planned(t)
	w.SetSetting("tile", "0")
	w.planned(t)
	key := w.State().Key
	w.Key()
	w.until(t, "one tile", func(n State) bool { return n.Running == nil && n.Key != key })
	if v := w.seamsShown(); v.Follow {
		t.Errorf("one tile is to be checked: %+v", v)
	}
}
