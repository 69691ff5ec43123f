package app

import (
	"context"
	"errors"

	"greenroom/app/keying"
	"greenroom/engine/hint"
	"greenroom/engine/settings"
	"greenroom/views"
)

// Hint is a hint for a plate.
type Hint struct {
	// Source is the plate with the hint.
	Source keying.Source
	// Choices are what it was made by.
	Choices settings.Choices
	// Shown is the hint made ready to be looked at.
	Shown *views.Shown
	// Seen is the plate as hint and network see it where its colour is smoothed for them; else nil.
	Seen *views.Shown
	// Faults are what something can be done about; Warnings and Notes are what else was found about the hint.
	Faults          []hint.Notice
	Warnings, Notes []string

	// edited is the hint before strokes were painted over it.
	edited *keying.EditedHint
	// print tells the hint, with the plate as the network sees it, from others.
	print string
}

// stepHint is the step of choosing where the hint comes from.
const stepHint = "Hint"

// UseHint takes the hint of the open plate from a file. The file is read again if it is that already.
func (w *Workspace) UseHint(path string) {
	w.chooseHint(func(c *settings.Choices) {
		if c.Hint != path {
			// What was done with another hint is not meant for this one.
			c.Edit = settings.HintEdit{}
		}
		c.Hint, c.Chroma = path, false
	})
}

// MakeHint makes the hint of the open plate from the screen's colour, whatever lies beside it.
func (w *Workspace) MakeHint() {
	w.chooseHint(fromScreen)
}

// fromScreen chooses a hint from the screen's colour. That a file was inverted, and its channel, is not meant for it.
func fromScreen(c *settings.Choices) {
	if c.Hint != "" || !c.Chroma {
		c.Edit.Invert, c.Edit.Channel = false, settings.ChannelAuto
	}
	c.Hint, c.Chroma = "", true
}

func (w *Workspace) chooseHint(alter func(*settings.Choices)) {
	w.change(func(s *State) {
		if s.Plate == nil {
			s.Problem = &Problem{What: "There is no plate for the hint yet", Fix: "open its plate first", remedy: remedyOpenPlate}
			return
		}
		next := s.moment()
		alter(&next.Choices)
		if !next.Choices.Equal(s.Choices) {
			s.History.single(stepHint, s.moment())
		}
		s.Problem, s.hintAgain = nil, true
		w.take(s, next)
	})
}

// hintBehind reports whether the hint is another than was asked for.
func (s *State) hintBehind() bool {
	switch {
	case s.Plate == nil:
		return false
	case s.hintAgain:
		return true
	case s.Hint != nil:
		return !s.Hint.Choices.SameHint(s.Choices)
	}
	return s.hintFailed == nil || !s.hintFailed.SameHint(s.Choices)
}

// seekingHint reports whether the hint is being read or made anew. A stroke, or an edit, follows at once.
func (s *State) seekingHint() bool {
	return s.FindingHint && (s.Hint == nil || !s.Hint.Choices.SameHintSource(s.Choices))
}

// wakeHint starts to bring the hint up to what was chosen, unless that is going on. The state is being changed.
func (w *Workspace) wakeHint(s *State) {
	s.FindingHint = s.hintBehind()
	if s.FindingHint && (!w.hinting || s.hintAgain) {
		again := s.hintAgain
		w.hinting, s.hintAgain = true, false
		w.hintTurn++
		turn := w.hintTurn
		w.reading.Go(func() { w.followHint(turn, again) })
	}
}

// followHint finds the hint until it is the one that was asked for last, or another turn has begun: a file on a slow
// share does not hold up the next one. Again finds it from its source whatever is known of it.
func (w *Workspace) followHint(turn int, again bool) {
	for first := true; ; first = false {
		var state State
		wanted := false
		w.change(func(s *State) {
			if turn == w.hintTurn && !first {
				s.FindingHint = s.hintBehind()
				w.hinting = s.FindingHint
				wanted = s.takeKeyOnHint()
			}
			state = *s
		})
		if wanted {
			w.begin(state.Plate)
		}
		if turn != w.turnOfHint() || !first && !state.FindingHint {
			return
		}
		before := state.Hint
		if again && first {
			before = nil
		}
		found, err := readHint(w.ctx, state.Plate, state.Choices, before)
		w.change(func(s *State) {
			if turn != w.hintTurn {
				return
			}
			if err != nil {
				s.refuseHint(state.Choices, err)
			} else {
				s.Hint, s.hintFailed = found, nil
			}
			s.FindingHint = s.hintBehind()
			w.wakeVariant(s)
			wanted = s.takeKeyOnHint()
		})
		if wanted {
			w.begin(state.Plate)
		}
	}
}

// takeKeyOnHint reports whether the key that waits for the hint can begin, and lets nothing wait where no hint will come.
func (s *State) takeKeyOnHint() bool {
	wanted := s.keyOnHint && !s.FindingHint && s.Hint != nil
	s.keyOnHint = s.keyOnHint && s.FindingHint
	return wanted
}

func (w *Workspace) turnOfHint() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.hintTurn
}

// refuseHint tells why there is no hint by what was chosen. The hint before stays, with the choice of where it came from.
func (s *State) refuseHint(by settings.Choices, err error) {
	if !s.Choices.SameHint(by) {
		// It is not asked for any more.
		return
	}
	s.Problem = noHint(s.Plate, by.Hint, err)
	step, failed := last(s.History.past), s.hintFailed
	s.hintFailed = &by
	var sample *hint.SampleError
	wrong := step == stepPick && errors.As(err, &sample)
	if wrong {
		s.Problem = notTheScreen(s.picked, by.Marks.Samples, sample)
	}
	if s.Hint == nil {
		if wrong {
			before := s.History.past[len(s.History.past)-1].Choices
			s.History.forget()
			s.Choices = s.Choices.WithHintOf(before)
			if failed != nil && failed.SameHint(s.Choices) {
				// That there is none without the sample was told before.
				s.hintFailed = failed
			}
		}
		return
	}
	if step == stepHint || step == stepPick {
		s.History.forget()
	}
	made := s.Hint.Choices
	s.Choices.Hint, s.Choices.Chroma = made.Hint, made.Chroma
	// Where something else stands against it, what the hint is made of is all that works.
	s.Choices = s.Choices.WithHintOf(made)
}

// readHint finds a hint and makes it ready to be looked at. Before is the hint that the plate has, or nil: what both have
// in common is not found anew, so that a hint follows a stroke at once. The error may be ctx's.
func readHint(ctx context.Context, plate *Plate, c settings.Choices, before *Hint) (*Hint, error) {
	edited, err := editHint(ctx, plate, c, before)
	if err != nil {
		return nil, err
	}
	var done *keying.Source
	if before != nil && before.edited == edited {
		done = &before.Source
	}
	source, err := edited.Painted(ctx, c.Marks.Hint, done)
	if err != nil {
		return nil, err
	}
	// What is said of the plate comes first and is shown with it, and the faults last.
	faults := len(source.Warnings) - len(source.Faults)
	made := &Hint{
		Source: source, Choices: c, Shown: views.NewShownHint(source.Hint), edited: edited, Faults: source.Faults,
		Warnings: source.Warnings[len(plate.Source.Warnings):faults], Notes: source.Notes[len(plate.Source.Notes):],
	}
	switch {
	case !plate.smoothed(c.Look):
	case before != nil && before.edited != nil && before.edited.Base() == edited.Base():
		made.Seen = before.Seen
	default:
		made.Seen = views.NewShown(source.Seen)
	}
	made.print = made.fingerprint()
	return made, nil
}

// editHint finds a hint and edits it, or returns that of the one before where it is the same.
func editHint(ctx context.Context, plate *Plate, c settings.Choices, before *Hint) (*keying.EditedHint, error) {
	if before != nil && before.edited != nil && before.Choices.SameHintSource(c) {
		if before.Choices.Edit == c.Edit {
			return before.edited, nil
		}
		return before.edited.Base().Edited(ctx, c.Edit)
	}
	base, err := plate.Source.HintBase(keying.Order{
		Plate: plate.Path, Hint: c.Hint, Chroma: c.Chroma, Look: c.Look, Marks: c.Marks, Edit: c.Edit,
	})
	if err != nil {
		return nil, err
	}
	return base.Edited(ctx, c.Edit)
}
