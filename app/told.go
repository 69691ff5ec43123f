package app

import (
	"fmt"
	"time"
)

// toldFor is how long it is said what was done with plates.
const toldFor = 8 * time.Second

// tell says for a while what was done with plates. The state is being changed.
func (w *Workspace) tell(s *State, text string) {
	s.Strip.Told = text
	time.AfterFunc(toldFor, func() {
		if w.ctx.Err() == nil {
			w.change(func(s *State) {
				if s.Strip.Told == text {
					s.Strip.Told = ""
				}
			})
		}
	})
}

// leftOff says what ends of the plate's work when another plate takes its place, or when it is read anew; empty where
// nothing does.
func (s *State) leftOff(anew bool) string {
	switch {
	case s.Running != nil:
		return s.keyLeftOff(anew)
	case s.Seams.Run != nil:
		return fmt.Sprintf("Stopped checking the seams of %s: they can be checked again", s.Plate.Name())
	case s.keyAsked() && !anew:
		return fmt.Sprintf("Left %s before its key began: it can be keyed any time", s.Plate.Name())
	}
	return ""
}

// keyLeftOff is leftOff for a key that is being made.
func (s *State) keyLeftOff(anew bool) string {
	text := "Stopped keying " + s.Plate.Name()
	if r := s.Running; r.Tile > 0 {
		text += fmt.Sprintf(" at %d of %d tiles", r.Tile, r.Tiles)
	}
	switch {
	case anew:
		return text + ": it was read anew and can be keyed again"
	case s.keepsTiles():
		return text + ": it can be keyed again, and they are kept if that is the next key"
	}
	return text + ": it can be keyed again"
}
