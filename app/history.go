package app

import (
	"slices"

	"greenroom/engine/settings"
	"greenroom/presets"
	"greenroom/views"
)

// moment is all that undo brings back: what was chosen for the plate, and how the network was to run.
type moment struct {
	Choices settings.Choices
	Preset  *presets.Preset
	Edits   []presets.Setting
	// Model is the model that the artist chose; empty leaves it to the preset.
	Model string
}

// moment returns the one of now.
func (s *State) moment() moment {
	return moment{s.Choices, s.Setup.Preset, s.Setup.Edits, s.Setup.Model}
}

// stepsKept is how many steps can be undone.
const stepsKept = 200

// history are the moments before and after now. It is a value like the state that it belongs to: a copy does not change.
type history struct {
	past, future []change
	// singles counts down the steps that none goes on with.
	singles int
}

// change is a step, and the moment on its other side.
type change struct {
	step views.Step
	moment
}

// record notes that a step leads away from a moment. A step that equals the last one goes on with it.
func (h *history) record(step views.Step, from moment) {
	h.future = nil
	if n := len(h.past); n > 0 && h.past[n-1].step == step && step != (views.Step{}) {
		return
	}
	first := max(0, len(h.past)+1-stepsKept)
	h.past = append(slices.Clone(h.past[first:]), change{step, from})
}

// single notes a step of its own: a further one of that name is another.
func (h *history) single(name string, from moment) {
	h.singles--
	h.record(views.Step{Name: name, Turn: h.singles}, from)
}

// forget takes the last step out, as if it had never been.
func (h *history) forget() {
	if n := len(h.past); n > 0 {
		h.past = h.past[: n-1 : n-1]
	}
}

// undo returns the moment before the last step, and redo the one after the step that was undone last; now is where they
// lead away from. ok is false where there is none.
func (h *history) undo(now moment) (m moment, ok bool) { return swap(&h.past, &h.future, now) }
func (h *history) redo(now moment) (m moment, ok bool) { return swap(&h.future, &h.past, now) }

func swap(from, to *[]change, now moment) (moment, bool) {
	n := len(*from)
	if n == 0 {
		return moment{}, false
	}
	last := (*from)[n-1]
	*from = (*from)[: n-1 : n-1]
	*to = append(slices.Clone(*to), change{last.step, now})
	return last.moment, true
}

// last names the last step of a side; empty where there is none.
func last(side []change) string {
	if len(side) == 0 {
		return ""
	}
	return side[len(side)-1].step.Name
}
