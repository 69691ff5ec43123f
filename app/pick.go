package app

import (
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
	w.mu.Lock()
	w.picks++
	turn := w.picks
	w.mu.Unlock()
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

// stepPick is the step of picking the screen's colour.
const stepPick = "Pick the screen"
