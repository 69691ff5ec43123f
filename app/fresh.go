package app

import (
	"greenroom/engine/settings"
	"greenroom/views"
)

// StartFresh puts back everything that is chosen for the open plate, as for one that was never open. Undo brings it back.
func (w *Workspace) StartFresh() {
	w.change(func(s *State) {
		s.Restored = ""
		if s.Running != nil || s.setupFixed() {
			return
		}
		next := s.moment()
		next.Choices, next.Edits = settings.Choices{Look: settings.DefaultLook()}, nil
		if next.Choices.Equal(s.Choices) && len(s.Setup.Edits) == 0 {
			return
		}
		s.History.record(views.Step{Name: "Start fresh"}, s.moment())
		w.take(s, next)
	})
}

// DismissRestored puts away the word that what was chosen before is back.
func (w *Workspace) DismissRestored() { w.change(func(s *State) { s.Restored = "" }) }
