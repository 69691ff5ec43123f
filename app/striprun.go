package app

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"greenroom/engine"
)

// StripRun is what is being done with several plates, one after another.
type StripRun struct {
	// Exporting says that keys are being written; else plates are being keyed.
	Exporting bool
	// IDs are the plates, of which Done are done; Failed counts those that could not be.
	IDs          []int
	Done, Failed int
	// Doing is what is done with the next one where it is not keying tiles, in words.
	Doing string
	// Tile of its Tiles are done; Left is the time its rest takes, negative while nobody knows.
	Tile, Tiles int
	Left        time.Duration
}

// now is the ID of the plate that is being worked on.
func (r *StripRun) now() int { return r.IDs[min(r.Done, len(r.IDs)-1)] }

// waits reports whether a plate is still to come.
func (r *StripRun) waits(id int) bool { return slices.Contains(r.IDs[min(r.Done+1, len(r.IDs)):], id) }

// unkeyed returns the plates that have no key, or one that is out of date.
func (s *State) unkeyed() []int {
	var ids []int
	for _, p := range s.Strip.Plates {
		d := p.desk
		if p.ID == s.Strip.Open {
			d = s.desk()
		}
		if !d.Keyed || d.Stale != "" {
			ids = append(ids, p.ID)
		}
	}
	return ids
}

// unwritten returns the plates whose keys can be written, whether or not they have been before.
func (s *State) unwritten() []int {
	var ids []int
	for _, p := range s.Strip.Plates {
		d := p.desk
		if p.ID == s.Strip.Open {
			d = s.desk()
		}
		if d.Keyed && d.Stale == "" {
			ids = append(ids, p.ID)
		}
	}
	return ids
}

// busy says what is being done.
func (r *StripRun) busy() string {
	if r.Exporting {
		return "The keys are being written"
	}
	return "The plates are being keyed"
}

// cannotRunStrip says why nothing can be done with several plates now; empty when something can.
func (s *State) cannotRunStrip() string {
	switch {
	case s.Strip.Run != nil:
		return s.Strip.Run.busy()
	case s.Running != nil:
		return "A key is being made"
	case s.Setup.Bench != nil:
		return "This machine is being measured"
	case s.Seams.Run != nil:
		return "The seams are being checked"
	case s.Export.Running:
		return "Exporting"
	case s.Model == nil:
		return "Opening the model"
	}
	return ""
}

// KeyAll keys all plates of the strip that have no key or one that is out of date, in their order. What fails is marked,
// and the others go on.
func (w *Workspace) KeyAll() { w.runStrip(false, (*State).unkeyed, w.keyAway) }

// ExportAll writes the keys of all plates of the strip that have one.
func (w *Workspace) ExportAll() { w.runStrip(true, (*State).unwritten, w.exportAway) }

// StopStrip ends that after what is done: keys and files that are there stay.
func (w *Workspace) StopStrip() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stopStrip != nil {
		w.stopStrip()
	}
}

func (w *Workspace) runStrip(exporting bool, which func(*State) []int, each func(ctx context.Context, id int) error) {
	ctx, stop := context.WithCancel(w.ctx)
	var ids []int
	w.change(func(s *State) {
		if s.cannotRunStrip() != "" || w.cache == nil {
			return
		}
		if ids = which(s); len(ids) > 0 {
			s.Strip.Run, s.Problem = &StripRun{Exporting: exporting, IDs: ids, Left: -1}, nil
			w.stopStrip = stop
		}
	})
	if len(ids) == 0 {
		stop()
		return
	}
	w.work.Go(func() {
		defer stop()
		var failed []string
		for i, id := range ids {
			w.tellRun(func(r *StripRun) {
				*r = StripRun{Exporting: exporting, IDs: ids, Done: i, Failed: len(failed), Doing: "Reading", Left: -1}
			})
			err := each(ctx, id)
			if ctx.Err() != nil {
				break
			}
			w.change(func(s *State) {
				s.Strip.alter(id, func(p *StripPlate) {
					p.Failed = ""
					if err != nil {
						p.Failed = problem(err, remedyNone, p.Path).words()
						failed = append(failed, p.Name())
					}
				})
			})
			debug.FreeOSMemory()
		}
		w.change(func(s *State) {
			s.Strip.Run, w.stopStrip = nil, nil
			lost := w.forgetLost(s)
			switch {
			case len(failed) > 0:
				s.Problem = runProblem(exporting, failed, len(ids))
			case lost > 0 && !exporting:
				s.Problem = lostProblem(lost, w.cache.most)
			}
		})
	})
}

// runProblem tells which plates failed.
func runProblem(exporting bool, failed []string, of int) *Problem {
	verb := "keyed"
	if exporting {
		verb = "exported"
	}
	p := &Problem{What: fmt.Sprintf("%d of %d plates could not be %s", len(failed), of, verb), Fix: "the strip says why under each"}
	for i, name := range failed {
		if i > 0 {
			p.Why += ", "
		}
		if i == 3 {
			p.Why += "…"
			break
		}
		p.Why += name
	}
	return p
}

// tellRun changes how far the strip's work is.
func (w *Workspace) tellRun(by func(*StripRun)) {
	w.change(func(s *State) {
		if s.Strip.Run != nil {
			r := *s.Strip.Run
			by(&r)
			s.Strip.Run = &r
		}
	})
}

// away returns the state as it would be were a plate of the strip the open one: with its picture, hint and plan.
func (w *Workspace) away(ctx context.Context, id int) (State, error) {
	s := w.State()
	i := s.Strip.find(id)
	if i < 0 {
		return s, context.Canceled
	}
	p := s.Strip.Plates[i]
	if id != s.Strip.Open || s.Plate == nil {
		plate, err := readPlate(p.Path, p.Choices)
		if err != nil {
			return s, err
		}
		w.change(func(s *State) { s.Strip.alter(id, func(p *StripPlate) { p.read(plate) }) })
		s.takePlace(p, plate)
	}
	if err := ctx.Err(); err != nil {
		return s, err
	}
	if s.Hint == nil || !s.Hint.Choices.SameHint(s.Choices) {
		hint, err := readHint(w.ctx, s.Plate, s.Choices, nil)
		if err != nil {
			return s, errors.New(noHint(s.Plate, s.Choices.Hint, err).words())
		}
		s.Hint = hint
	}
	if err := s.readMasks(); err != nil {
		return s, err
	}
	s.FindingHint, s.Planning = false, false
	s.Plan = newPlan(w.planOrder(s, s.Machine), len(s.Setup.Edits), s.Plate.Source.Plate)
	return s, s.Plan.Err
}

// takePlace makes a state the one in which a plate of the strip is open, with nothing read yet but the plate.
func (s *State) takePlace(p StripPlate, plate *Plate) {
	s.Plate, s.Hint, s.Key, s.Seams, s.Review, s.Backdrop = plate, nil, nil, Seams{}, nil, nil
	s.Choices, s.Setup.Edits, s.Export.Folder, s.Export.Report = p.Choices, p.Edits, p.Folder, p.Report
	s.Export.Written = p.Written
}

// readMasks reads the masks that are chosen and are not the ones that were read.
func (s *State) readMasks() error {
	for _, m := range []struct {
		held **Mask
		path string
	}{
		{&s.Masks.Core, s.Choices.Core}, {&s.Masks.Garbage, s.Choices.Garbage},
	} {
		switch {
		case (*m.held).path() == m.path:
		case m.path == "":
			*m.held = nil
		default:
			read, err := s.Plate.Source.ReadMask(m.path)
			if err != nil {
				return err
			}
			*m.held = &Mask{read, m.path}
		}
	}
	return nil
}

// keyAway keys a plate of the strip that need not be open. Its key is kept as a variant.
func (w *Workspace) keyAway(ctx context.Context, id int) error {
	state, err := w.away(ctx, id)
	if err != nil {
		return err
	}
	if _, ok := w.cachedKey(&state); ok {
		// It was made before.
		w.markKeyed(id, state)
		return nil
	}
	w.mu.Lock()
	e := w.engine
	w.mu.Unlock()
	w.change(func(s *State) { s.tilesTurn++ })
	ticket := e.Submit(ctx, state.Hint.Source.Job(state.Model, state.Plan.Settings))
	for event := range ticket.Events() {
		w.tellRun(func(r *StripRun) { r.hear(event) })
	}
	result, err := ticket.Wait()
	if err != nil {
		return fmt.Errorf("cannot key %s: %w", state.Plate.Name(), err)
	}
	w.tellRun(func(r *StripRun) { r.Doing = "Keeping the key" })
	work := 0.0
	if result.Used == state.Plan.Settings {
		work = state.Plan.Work
	}
	w.keepVariant(w.ctx, newVariant(state, result, work))
	w.markKeyed(id, state)
	return nil
}

// cachedKey returns the variant that a key of a state would be; ok is false where it was not made yet.
func (w *Workspace) cachedKey(s *State) (v Variant, ok bool) {
	cause, known := s.cause()
	if !known {
		return Variant{}, false
	}
	list := w.cache.of(cause.plate)
	i := slices.IndexFunc(list, func(v Variant) bool { return v.cause == cause })
	if i < 0 {
		return Variant{}, false
	}
	return list[i], true
}

// markKeyed notes that a plate of the strip has the key that a state gives it.
func (w *Workspace) markKeyed(id int, by State) {
	of := by.causeOf(by.Model.Hash, by.Plan.Settings)
	w.change(func(s *State) {
		s.Strip.alter(id, func(p *StripPlate) {
			p.Keyed, p.cause, p.Stale = true, of, ""
			if !p.Choices.SameHint(by.Choices) {
				p.Stale = hintChanged
			}
		})
	})
	// The preset or the model may have changed meanwhile.
	w.compareKeys()
}

// hear takes in what the engine tells.
func (r *StripRun) hear(e engine.Event) {
	r.Tile, r.Tiles, r.Left = e.Tile, e.Tiles, e.Left
	switch e.Phase {
	case engine.PhaseLoad:
		r.Doing, r.Left = "Loading the model", -1
	case engine.PhaseRetry:
		r.Doing, r.Left = sentence(e.Note), -1
	case engine.PhaseRefine:
		r.Doing = "Refining the frame"
	case engine.PhaseKey:
		r.Doing = ""
	}
}

// exportAway writes the key of a plate of the strip that need not be open.
func (w *Workspace) exportAway(ctx context.Context, id int) error {
	state, err := w.away(ctx, id)
	if err != nil {
		return err
	}
	if state.Key == nil || !state.Key.Whole {
		v, ok := w.cachedKey(&state)
		if !ok {
			return errors.New("its key is out of date: key it again")
		}
		if state.Key, err = w.bringBack(state, v); err != nil {
			return err
		}
		state.Seams.Check = state.keptCheck(&v, state.Key)
	}
	w.tellRun(func(r *StripRun) { r.Doing = "Writing" })
	report, err := w.write(state)
	if err != nil {
		return err
	}
	w.change(func(s *State) {
		s.Strip.alter(id, func(p *StripPlate) { p.Report, p.Written = report, state.written() })
		if id == s.Strip.Open && s.Plate == state.Plate {
			s.Export.Report, s.Export.Written = report, state.written()
		}
	})
	if id == w.State().Strip.Open {
		w.names()
	}
	return nil
}
