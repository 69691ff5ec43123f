package app

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"greenroom/engine"
	"greenroom/engine/matte"
	"greenroom/engine/picture"
	"greenroom/views"
)

// Key keys the open plate, as soon as its hint has followed what was chosen last and it has been planned. While one is
// being keyed, or where no hint comes, it does nothing.
func (w *Workspace) Key() { w.begin(nil) }

// begin is Key if plate is the open one; nil is whichever is open.
func (w *Workspace) begin(plate *Plate) {
	ctx, stop := context.WithCancel(w.ctx)
	var state State
	w.change(func(s *State) {
		if !s.keyable() || plate != nil && s.Plate != plate {
			return
		}
		if s.FindingHint {
			s.keyOnHint = true
			return
		}
		if s.Export.Fault != nil {
			// Before the work, not after it.
			s.Problem = problem(s.Export.Fault, remedyNone)
			return
		}
		if s.Model == nil || s.Plan == nil || s.Planning {
			s.keyWanted = true
			return
		}
		s.tilesTurn++
		s.Running, s.Problem = &Running{Doing: "Preparing", Left: -1, cause: s.causeOf(s.Model.Hash, s.Plan.Settings)}, nil
		w.stop = stop
		state = *s
	})
	if state.Running == nil {
		stop()
		return
	}
	w.work.Go(func() {
		defer stop()
		w.key(ctx, state)
	})
}

// canKey reports whether a key can begin.
func (s *State) canKey() bool {
	return s.keyable() && !s.FindingHint && s.Model != nil && s.Plan != nil
}

// keyable reports whether a key can begin, at the latest when the hint, the model and the plan have come.
func (s *State) keyable() bool {
	return s.Running == nil && s.Setup.Bench == nil && s.Seams.Run == nil && s.Strip.Run == nil && s.Plate != nil &&
		(s.Hint != nil || s.FindingHint) && (s.Plan == nil || s.Plan.Err == nil)
}

// keyAsked reports whether a key waits for something that is on its way.
func (s *State) keyAsked() bool { return s.keyOnHint || s.keyWanted }

// keyBegun reports whether the plate has a key, or gets one.
func (s *State) keyBegun() bool { return s.Key != nil || s.Running != nil || s.keyAsked() }

// Cancel stops the key that is being made, whose finished tiles stay, or takes back the one that waits.
func (w *Workspace) Cancel() {
	w.change(func(s *State) {
		s.keyOnHint, s.keyWanted = false, false
		if w.stop != nil {
			w.stop()
		}
	})
}

// key runs the network and applies the look.
func (w *Workspace) key(ctx context.Context, state State) {
	job := state.Hint.Source.Job(state.Model, state.Plan.Settings)
	job.Preview, job.Heat, job.Keep = true, true, state.keepRoom()
	size := job.Plate.RGB
	preview := views.NewPartialKey(size.W, size.H)
	ticket := w.engine.Submit(ctx, job)
	running := *state.Running
	for event := range ticket.Events() {
		running = w.heard(running, event, preview)
		current := running
		w.changeRunning(state.Plate, func(s *State) { s.Running = &current })
	}
	result, err := ticket.Wait()
	if err != nil {
		w.endKey(state, running, preview, err)
		return
	}
	running.Doing = "Finishing"
	current := running
	w.changeRunning(state.Plate, func(s *State) { s.Running = &current })
	key, err := finishKey(ctx, state, result)
	if err != nil {
		w.endKey(state, running, preview, err)
		return
	}
	if result.Used == state.Plan.Settings {
		key.Work = tilesRun(state.Plan, result.Recalled)
		if job.Keep > 0 {
			key.kept = state.tilesTurn
		}
	}
	key.Choice, key.Tile, key.Tiles = state.Plan.Choice, result.Grid.Len(), result.Grid.Len()
	key.cause = state.causeOf(state.Model.Hash, state.Plan.Settings)
	w.changeRunning(state.Plate, func(s *State) {
		w.leaveKey(s)
		s.Running, w.stop = nil, nil
		s.takeKey(key)
		if result.Recalled == 0 {
			s.PaceOf = state.Plan.Settings
			s.Pace = result.Seconds.Key / float64(result.Grid.Len()*result.Grid.TileW*result.Grid.TileH)
		}
		// The look may have changed meanwhile.
		w.wake(s)
	})
	// The key before and the tiles of this one are garbage now.
	debug.FreeOSMemory()
	w.keepVariant(w.ctx, newVariant(state, result, key.Work))
}

// changeRunning alters the state while the plate is still the one that is being keyed.
func (w *Workspace) changeRunning(plate *Plate, alter func(*State)) {
	w.change(func(s *State) {
		if s.Plate == plate && s.Running != nil {
			alter(s)
		}
	})
}

// heard takes in what the engine tells.
func (w *Workspace) heard(r Running, e engine.Event, preview *views.Key) Running {
	switch e.Phase {
	case engine.PhaseLoad:
		r.Doing, r.Tile, r.Tiles, r.Left = "Loading the model", 0, e.Tiles, -1
	case engine.PhaseRetry:
		preview.Clear()
		r.Shown, r.cause = nil, cause{}
		r.Doing, r.Tile, r.Left = sentence(e.Note), 0, -1
	case engine.PhaseRefine:
		r.Doing, r.Left = "Refining the frame", e.Left
	case engine.PhaseKey:
		r.Doing, r.Tile, r.Tiles, r.Left = "", e.Tile, e.Tiles, e.Left
		if !e.Matte.Empty() {
			look := w.State().Choices.Look
			matte.Clip(e.Matte, look.ClipBlack, look.ClipWhite)
			preview.Add(e.Matte, e.FG, e.Rect.Min)
			r.Shown = preview
		}
	}
	return r
}

// finishKey applies the look to a result.
func finishKey(ctx context.Context, state State, result *engine.Result) (*Key, error) {
	f, err := matte.NewFinisher(
		state.Plate.Source.Plate,
		matte.Network{Matte: result.Matte, FG: result.FG, Coarse: result.Coarse, Exposure: state.Hint.Source.Exposure},
		state.Hint.Source.Screen,
	)
	if err != nil {
		return nil, err
	}
	heat := views.NewHeat(result.Heat)
	result.Heat = picture.Image{}
	key := &Key{Heat: heat, Hint: state.Hint, Model: state.Model, Result: result, Choices: state.finishing(), Masks: state.Masks, Whole: true, finisher: &finisher{Finisher: f}}
	if key.Finished, err = key.finisher.finish(ctx, key.Choices, key.Masks); err != nil {
		return nil, err
	}
	key.Shown = views.NewKey(key.Finished.Matte, key.Finished.FG, key.Finished.Space)
	return key, nil
}

// endKey ends a key that did not come about: stopped, or failed.
func (w *Workspace) endKey(state State, running Running, preview *views.Key, err error) {
	w.changeRunning(state.Plate, func(s *State) {
		s.Running, w.stop = nil, nil
		if running.Shown != nil {
			// The tiles that are done stay. They were made from the hint of now.
			s.takeKey(&Key{
				Hint: state.Hint, Model: state.Model, Choice: state.Plan.Choice, Shown: preview,
				Tile: running.Tile, Tiles: running.Tiles, cause: state.causeOf(state.Model.Hash, state.Plan.Settings),
			})
		}
		if !errors.Is(err, context.Canceled) && w.ctx.Err() == nil {
			s.Problem = problem(fmt.Errorf("cannot key %s: %w", state.Plate.Name(), err), remedyKey)
		}
		// What is chosen may have changed meanwhile.
		w.wakeVariant(s)
	})
}

// Why a key is out of date: its plate has another hint by now, another network would make it, or the same in another way.
const (
	hintChanged     = "the hint has changed"
	modelChanged    = "the model has changed"
	settingsChanged = "the settings have changed"
)

// Stale says why the key that is shown is out of date; empty when it is not.
func (s *State) Stale() string {
	if s.Key == nil || s.Running != nil {
		return ""
	}
	switch {
	case s.Hint == nil || s.Hint.print != s.Key.cause.hint:
		return hintChanged
	case s.Model == nil || s.Model.Hash != s.Key.cause.model:
		return modelChanged
	case s.Plan != nil && s.Plan.Err == nil && sight(s.Plan.Settings) != s.Key.cause.sight:
		return settingsChanged
	}
	return ""
}
