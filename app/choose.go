package app

import (
	"slices"

	"greenroom/engine/settings"
	"greenroom/views"
)

// Choose alters what is chosen for the open plate, and all that depends on it follows: the finish and the hint by
// themselves, a key only when it is asked for. step names the change for undo.
func (w *Workspace) Choose(step views.Step, alter func(*settings.Choices)) {
	w.change(func(s *State) {
		next := s.moment()
		alter(&next.Choices)
		if next.Choices.Equal(s.Choices) {
			return
		}
		if err := next.Choices.Validate(); err != nil {
			s.Problem = problem(err, remedyNone)
			return
		}
		s.History.record(step, s.moment())
		w.take(s, next)
	})
}

// Undo goes back by one step, Redo forth again.
func (w *Workspace) Undo() { w.step((*history).undo) }

// Redo does again what Undo undid.
func (w *Workspace) Redo() { w.step((*history).redo) }

func (w *Workspace) step(by func(*history, moment) (moment, bool)) {
	w.change(func(s *State) {
		if s.Running != nil || s.setupFixed() {
			return
		}
		if m, ok := by(&s.History, s.moment()); ok {
			w.take(s, m)
		}
	})
}

// setupFixed reports whether settings of the machine cannot be changed now.
func (s *State) setupFixed() bool { return s.Setup.Bench != nil || s.Setup.Preview != nil }

// take makes a moment the one of now, and starts what follows from it. The state is being changed.
func (w *Workspace) take(s *State, m moment) {
	before := s.moment()
	s.Choices, s.Setup.Preset, s.Setup.Edits, s.Setup.Model = m.Choices, m.Preset, m.Edits, m.Model
	w.touch(s)
	w.wakeBeside(s)
	if a, b := before.Choices, m.Choices; a.Look.Background != b.Look.Background || a.Backdrop != b.Backdrop {
		// Whether a comp is written hangs on it.
		w.reading.Go(w.names)
	}
	if s.Plate != nil && !m.Choices.SamePlate(before.Choices) {
		w.openAgain(s)
	} else {
		w.wakeHint(s)
	}
	preset := before.Preset != m.Preset
	model := preset || before.Model != m.Model
	if !model && slices.Equal(before.Edits, m.Edits) {
		return
	}
	s.Planning = s.Plan != nil
	w.work.Go(func() {
		if model {
			w.wantModel()
		}
		if preset {
			w.wantDevice(m.Preset)
		}
		w.plan()
	})
}
