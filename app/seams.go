package app

import (
	"context"
	"errors"
	"fmt"
	"image"
	"runtime/debug"
	"time"

	"greenroom/engine"
	"greenroom/engine/matte"
	"greenroom/engine/picture"
	"greenroom/engine/settings"
	"greenroom/engine/tiling"
	"greenroom/views"
)

// Seams is what is known of the borders between tiles beside what the key's own run measured.
type Seams struct {
	// Run is the check that goes on; nil while none does.
	Run *SeamRun
	// Check is what the last check found; nil before. It counts only for the key that it is of.
	Check *SeamCheck
	// Before is the worst border of the key that was shown before.
	Before WorstBorder
	// Follow says that the key was made after one that had been checked, and no check of it was begun.
	Follow bool

	heats [keptHeats]keptHeat
}

// WorstBorder is the 99th percentile of the worst border of a key in 8-bit steps, as the key's own run and as a check
// measured it: each only compares with its like. 0 is not known.
type WorstBorder struct{ Run, Checked float64 }

// SeamRun is a check of seams that goes on.
type SeamRun struct {
	// Doing is what is done now where it is not keying tiles, in words.
	Doing string
	// Tile of Tiles are done; Left is the time the rest takes, negative while nobody knows.
	Tile, Tiles int
	Left        time.Duration
	// Follows says that the key before had been checked too: what the key's own run measured is no answer then.
	Follows bool
}

// SeamCheck is what a check found: the plate keyed once more on a grid shifted by half a tile.
type SeamCheck struct {
	// Of is the result that was checked.
	Of *engine.Result
	// Seams are the borders that cross detail of the hint or the matte, ranked; Heat is the difference of every pixel, nil
	// where it is not held any more.
	Seams []tiling.Seam
	Heat  *views.Heat
	// Known is where the plate was keyed again. Shown is that key under Choices, elsewhere the key that was checked; nil of
	// a check that came back with its key.
	Known []image.Rectangle
	Shown *views.Key
	// Choices and Masks are what it was finished by.
	Choices settings.Choices
	Masks   Masks

	finisher *finisher
}

// checked returns what is known by a check of the key that is shown; nil where nothing is.
func (s *State) checked() *SeamCheck {
	c := s.Seams.Check
	if c == nil || s.Key == nil || s.Key.Result != c.Of {
		return nil
	}
	return c
}

// worstBorder returns what is known of the worst border of the key that is shown.
func (s *State) worstBorder() WorstBorder {
	var w WorstBorder
	if k := s.Key; k != nil && k.Whole {
		w.Run = mostSteps(k.Result.Seams)
	}
	if c := s.checked(); c != nil {
		w.Checked = mostSteps(c.Seams)
	}
	return w
}

// mostSteps is the 99th percentile of the first of ranked borders; 0 where there is none.
func mostSteps(ranked []tiling.Seam) float64 {
	if len(ranked) == 0 {
		return 0
	}
	return ranked[0].Steps()
}

// takeKey puts a key into the place of the one before, and notes what is known of the seams of that, unless it was
// stopped.
func (s *State) takeKey(key *Key) {
	if s.Key != nil && s.Key.Whole {
		s.Seams.Before, s.Seams.Follow = s.worstBorder(), s.checked() != nil
	}
	s.Key, s.Seams.Check = key, nil
}

// cannotCheck says why the seams cannot be checked now; empty when they can.
func (s *State) cannotCheck() string {
	switch {
	case s.Running != nil:
		return "A key is being made"
	case s.keyAsked():
		return "A key waits"
	case s.Setup.Bench != nil:
		return "This machine is being measured"
	case s.Strip.Run != nil:
		return s.Strip.Run.busy()
	case s.Seams.Run != nil:
		return "The seams are being checked"
	}
	if grid, _ := s.grid(); grid.Len() == 1 {
		return noSeams
	}
	switch {
	case s.Key == nil:
		return "Key the plate first"
	case !s.Key.Whole:
		return "Key the whole plate first"
	case s.Key.orphan:
		return "The hint that this key was made from is not there any more: key the plate again"
	case s.Key.Result.Used.Frame > 0:
		return "Seams cannot be checked where a frame resizes the plate: set frame to its own size"
	case !s.Key.Result.Grid.Shiftable():
		return "No other grid lies between tiles that follow one another so closely: key in larger tiles, or with a smaller overlap"
	}
	if c := s.checked(); c != nil && c.Shown != nil {
		return "The seams of this key have been checked"
	}
	return s.checkTooLarge()
}

// noSeams says why there are none.
const noSeams = "One tile covers the plate: there are no seams"

// grid is the grid of the key that is shown, else the one that is planned, and the edge of the frame that it lies on; 0
// is the plate itself.
func (s *State) grid() (g tiling.Grid, frame int) {
	switch {
	case s.Key != nil && s.Key.Whole && s.Running == nil:
		return s.Key.Result.Grid, s.Key.Result.Used.Frame
	case s.Plan != nil && s.Plan.Err == nil:
		return s.Plan.Grid, s.Plan.Settings.Frame
	}
	return tiling.Grid{}, 0
}

// CheckSeams keys the borders of the key once more on another grid, to see how far the two are apart. While that cannot
// be done it does nothing.
func (w *Workspace) CheckSeams() {
	ctx, stop := context.WithCancel(w.ctx)
	var state State
	w.change(func(s *State) {
		if s.cannotCheck() != "" {
			return
		}
		s.Seams.Run, s.Problem = &SeamRun{Doing: "Preparing", Left: -1, Follows: s.Seams.Follow}, nil
		s.Seams.Follow = false
		w.stopCheck, state = stop, *s
	})
	if state.Seams.Run == nil {
		stop()
		return
	}
	w.work.Go(func() {
		defer stop()
		check, err := w.checkSeams(ctx, state)
		w.change(func(s *State) {
			if s.Plate != state.Plate {
				return
			}
			s.Seams.Run, w.stopCheck = nil, nil
			switch {
			case err == nil:
				s.Seams.Check = check
				s.keepHeat(check.Heat)
				// The look may have changed meanwhile.
				w.wakeSecond(s)
			case !errors.Is(err, context.Canceled) && w.ctx.Err() == nil:
				s.Problem = problem(fmt.Errorf("cannot check the seams of %s: %w", state.Plate.Name(), err), remedyCheckSeams)
			}
			w.wakeVariant(s)
		})
		if err == nil {
			w.keepCheck(state.Key.cause, check)
		}
		debug.FreeOSMemory()
	})
}

// StopChecking ends the check of the seams. What it found is dropped.
func (w *Workspace) StopChecking() {
	w.change(func(s *State) {
		if w.stopCheck == nil {
			return
		}
		w.stopCheck()
		w.tell(s, s.leftOff(true))
	})
}

// checkSeams runs the check of the key that is shown.
func (w *Workspace) checkSeams(ctx context.Context, state State) (*SeamCheck, error) {
	key := state.Key
	tell := func(r SeamRun) {
		w.change(func(s *State) {
			if s.Plate == state.Plate && s.Seams.Run != nil {
				r.Follows = s.Seams.Run.Follows
				s.Seams.Run = &r
			}
		})
	}
	job := key.Hint.Source.Job(key.Model, key.Result.Used)
	job.Check, job.Heat = key.Result, true
	ticket := w.engine.Submit(ctx, job)
	check := &SeamCheck{Of: key.Result}
	for e := range ticket.Events() {
		r := SeamRun{Tile: e.Tile, Tiles: e.Tiles, Left: e.Left}
		switch e.Phase {
		case engine.PhaseLoad:
			r.Doing, r.Left = "Loading the model", -1
		case engine.PhaseRetry:
			check.Known = nil
			r.Doing, r.Left = sentence(e.Note), -1
		case engine.PhaseRefine:
			r.Doing = "Refining the frame"
		case engine.PhaseKey:
			if e.Tile > 0 {
				check.Known = append(check.Known, e.Rect)
			}
		}
		tell(r)
	}
	result, err := ticket.Wait()
	if err != nil {
		return nil, err
	}
	tell(SeamRun{Doing: "Finishing", Left: -1})
	check.Seams, check.Heat = result.Seams, views.NewHeat(result.Heat)
	second := matte.Network{
		Matte: merged(key.Result.Matte, result.Matte, check.Known, 1), FG: merged(key.Result.FG, result.FG, check.Known, 1),
		Coarse: merged(key.Result.Coarse, result.Coarse, check.Known, 4), Exposure: key.Hint.Source.Exposure,
	}
	f, err := matte.NewFinisher(state.Plate.Source.Plate, second, key.Hint.Source.Screen)
	if err != nil {
		return nil, err
	}
	check.finisher = &finisher{Finisher: f}
	if err := check.finish(ctx, w.State()); err != nil {
		return nil, err
	}
	return check, nil
}

// merged returns a copy of a picture with the known rectangles of another, which is scale times smaller than they say.
func merged(of, with picture.Image, known []image.Rectangle, scale int) picture.Image {
	m := of.Clone()
	if !m.SameSize(with) || m.C != with.C {
		return m
	}
	for _, r := range known {
		x0, x1 := r.Min.X/scale*m.C, min((r.Max.X+scale-1)/scale, m.W)*m.C
		for y := r.Min.Y / scale; y < min((r.Max.Y+scale-1)/scale, m.H); y++ {
			copy(m.Row(y)[x0:x1], with.Row(y)[x0:x1])
		}
	}
	return m
}

// finish makes the second key as is chosen.
func (c *SeamCheck) finish(ctx context.Context, by State) error {
	done, err := c.finisher.finish(ctx, by.finishing(), by.Masks)
	if err == nil {
		c.Choices, c.Masks, c.Shown = by.finishing(), by.Masks, views.NewKey(done.Matte, done.FG, done.Space)
	}
	return err
}

// secondBehind reports whether the second key has another finish than was asked for. The key itself comes first.
func (s *State) secondBehind() bool {
	c := s.checked()
	return c != nil && c.Shown != nil && !s.finishedBy(c.Choices, c.Masks) && !s.behind()
}

// wakeSecond starts to bring the second key up to what was chosen, unless that is going on. The state is being changed.
func (w *Workspace) wakeSecond(s *State) {
	if s.secondBehind() && !w.followingSecond {
		w.followingSecond = true
		w.work.Go(w.followSecond)
	}
}

// followSecond finishes the second key until it is as was asked for last.
func (w *Workspace) followSecond() {
	for again := true; again; {
		state := w.State()
		check := state.checked()
		var next SeamCheck
		var err error
		behind := state.secondBehind()
		if behind {
			next = *check
			err = next.finish(w.ctx, state)
		}
		w.change(func(s *State) {
			switch {
			case !behind || s.Seams.Check != check:
			case err == nil:
				s.Seams.Check = &next
			case w.ctx.Err() == nil:
				s.Problem = problem(err, remedyNone)
			}
			again = s.secondBehind() && err == nil
			w.followingSecond = again
		})
	}
}
