package app

import (
	"strings"
	"testing"

	"greenroom/views"
)

// TestAKeyAskedForAtOnceComes asks for a key at the first moment that a plate is open: nothing that it needs has come yet.
func TestAKeyAskedForAtOnceComes(t *testing.T) {
	w := newTested(t)
	asked, emit := false, w.emit
	w.emit = func(s State) {
		emit(s)
		if s.Plate != nil && !asked {
			asked = true
			if v := s.showKey(); !v.Ready || s.Hint != nil || s.Plan != nil {
				t.Errorf("at first %+v, hint %v, plan %v", v, s.Hint, s.Plan)
			}
			// The state is being changed.
			go w.Key()
		}
	}
	w.Start()
	w.Open(savePlate(t, "shot.png", 200, 150))
	if s := w.until(t, "the key", func(s State) bool { return s.Key != nil && s.Running == nil }); !s.Key.Whole || s.keyAsked() {
		t.Errorf("key %+v, asked %v", s.Key, s.keyAsked())
	}
}

// waiting checks that a key waits, and is shown to, with the beginning of what it waits for.
func (w *tested) waiting(t *testing.T, begins string) {
	t.Helper()
	s := w.State()
	k, cell := w.show(s).Key, w.show(s).Strip.Plates[0]
	if !s.keyAsked() || !k.Waiting || !strings.HasPrefix(k.WhyNot, begins) || !strings.HasSuffix(k.WhyNot, ", then keying") || cell.Mark != views.MarkWaiting {
		t.Errorf("asked %v, shown as %+v, in the strip %q", s.keyAsked(), k, cell.Words)
	}
}

// takenBack takes a key that waits back.
func (w *tested) takenBack(t *testing.T) {
	t.Helper()
	w.Cancel()
	s := w.State()
	if k := w.show(s).Key; s.keyAsked() || k.Waiting || strings.Contains(k.WhyNot, "then keying") {
		t.Errorf("taken back: asked %v, shown as %+v", s.keyAsked(), k)
	}
}

// TestAKeyThatWaitsGoesBeforeACheck asks for a check and for measuring while a key waits for its plan: with either under
// way no key could begin.
func TestAKeyThatWaitsGoesBeforeACheck(t *testing.T) {
	w := newTested(t)
	w.Start()
	w.Open(savePlate(t, "shot.png", 300, 200))
	w.keyed(t)
	before := w.planned(t).Key
	w.change(func(s *State) { s.Planning = true })
	w.Key()
	w.CheckSeams()
	w.Measure()
	s := w.State()
	if !s.keyAsked() || s.Seams.Run != nil || s.Setup.Bench != nil || w.show(s).Seams.WhyNot != "A key waits" {
		t.Errorf("asked %v, checking %v, measuring %v, %q", s.keyAsked(), s.Seams.Run != nil, s.Setup.Bench != nil, w.show(s).Seams.WhyNot)
	}
	w.plan()
	w.until(t, "the key", func(s State) bool { return s.Key != before && s.Running == nil })
}

func TestAKeyThatWaitsCanBeTakenBack(t *testing.T) {
	w := newTested(t)
	w.Open(savePlate(t, "shot.png", 200, 150))
	w.until(t, "the hint", func(s State) bool { return s.Hint != nil && !s.FindingHint })
	w.Key()
	w.waiting(t, "Opening the model")
	w.takenBack(t)
	w.Start()
	w.ready(t)
	// Nobody finds a hint now: what waits for it would wait for ever.
	finding := func(yes bool) { w.change(func(s *State) { s.FindingHint = yes }) }
	finding(true)
	w.Key()
	w.waiting(t, "Finding the hint")
	w.takenBack(t)
	finding(false)
	w.change(func(s *State) { s.Planning = true })
	w.Key()
	w.waiting(t, "Planning")
	w.takenBack(t)
	w.plan()
	w.reading.Wait()
	if s := w.ready(t); s.Running != nil || s.Key != nil {
		t.Errorf("running %+v, key %+v", s.Running, s.Key)
	}
}

// TestAKeyThatWaitsGoesOnWhenThePlateIsReadAnew, and is told of where another plate takes its place.
func TestAKeyThatWaitsGoesOnWhenThePlateIsReadAnew(t *testing.T) {
	w := newTested(t)
	path := savePlate(t, "shot.png", 200, 150)
	w.Open(path)
	w.until(t, "the hint", func(s State) bool { return s.Hint != nil && !s.FindingHint })
	w.Key()
	before := w.State().Plate
	w.ReadAgain()
	w.until(t, "the plate once more", func(s State) bool { return s.Plate != before && s.Hint != nil && !s.FindingHint })
	w.reading.Wait()
	w.waiting(t, "Opening the model")
	w.Open(savePlate(t, "next.png", 210, 150))
	s := w.until(t, "the next plate", func(s State) bool { return s.Plate.Name() == "next.png" })
	if s.keyAsked() || s.Strip.Told != "Left shot.png before its key began: it can be keyed any time" {
		t.Errorf("asked %v, told %q", s.keyAsked(), s.Strip.Told)
	}
}

// TestAKeyTakenBackWhileThePlateIsReadAnewStaysSo takes a key back that waited when the plate began to be read anew.
func TestAKeyTakenBackWhileThePlateIsReadAnewStaysSo(t *testing.T) {
	w := newTested(t)
	w.Start()
	w.Open(savePlate(t, "shot.png", 300, 200))
	w.ready(t)
	plate := w.State().Plate
	w.change(func(s *State) { s.Planning = true })
	w.Key()
	w.ReadAgain()
	w.Cancel()
	w.until(t, "the plate", func(s State) bool { return s.Plate != plate && s.canKey() && !s.Planning })
	if s := w.State(); s.keyBegun() {
		t.Errorf("it is keyed all the same: %+v, %v", s.Running, s.keyAsked())
	}
}
