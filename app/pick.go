package app

import (
	"fmt"
	"math"
	"slices"

	"greenroom/engine/hint"
	"greenroom/engine/settings"
	"greenroom/views"
)

// Pick takes the colour of the open plate around a place, in its pixels: for views.TargetHint as one of the screen's,
// which the hint is made from, and for views.TargetKept as one that despill leaves alone. Of a place outside the plate,
// or without a finite number, nothing is taken.
func (w *Workspace) Pick(t views.Target, at settings.Point) {
	plate := w.State().Plate
	if plate == nil {
		return
	}
	c, ok := hint.Pick(plate.Source.Plate, at)
	if !ok {
		return
	}
	turn := 0
	w.change(func(s *State) {
		w.picks++
		turn = w.picks
		if t == views.TargetHint {
			s.picked = at
		}
	})
	switch t {
	case views.TargetHint:
		w.Choose(views.Step{Name: stepPick, Turn: turn}, func(choices *settings.Choices) {
			// A file would go before the samples.
			fromScreen(choices)
			choices.Marks.Samples = append(slices.Clip(choices.Marks.Samples), c)
		})
	case views.TargetKept:
		w.Choose(views.Step{Name: "Keep a colour", Turn: turn}, func(choices *settings.Choices) {
			choices.Marks.Kept = append(slices.Clip(choices.Marks.Kept), settings.KeptColour{Colour: c, Tolerance: settings.DefaultTolerance})
		})
	}
}

// notTheScreen is the problem of a place that was picked as the screen and is none. Picked are the colours with it.
func notTheScreen(at settings.Point, picked []settings.Colour, e *hint.SampleError) *Problem {
	p := &Problem{What: "That is not the screen", Fix: "pick a place where the screen is bare"}
	where := fmt.Sprintf("the colour picked at %.0f, %.0f is ", math.Floor(at.X), math.Floor(at.Y))
	screen := e.Screen
	if e.Sample < len(picked)-1 {
		// It is the last one that is unlike those before.
		screen = settings.ScreenGreen
		if e.Screen == screen {
			screen = settings.ScreenBlue
		}
	}
	switch {
	case e.Dark:
		p.Why = where + "too dark to tell"
	case len(picked) == 1:
		p.Why = where + "neither green nor blue"
	default:
		p.Why = where + "not " + string(screen)
	}
	return p
}

// stepPick is the step of picking the screen's colour.
const stepPick = "Pick the screen"
