package engine

import (
	"context"
	"errors"
	"image"
	"log/slog"
	"runtime"
	"time"

	"greenroom/engine/device"
	"greenroom/engine/device/choose"
	"greenroom/engine/greenformer"
	"greenroom/engine/program"
	"greenroom/engine/settings"
)

// What a device was doing when it failed.
const (
	doingOpen = "open"
	doingLoad = "load the network"
	doingRun  = "run the network"
)

// worker runs jobs on the engine's goroutine. It keeps the last runner, so that the next plate of a shoot
// finds its program loaded and its weights packed; one runner, because each holds an arena.
type worker struct {
	name   string        // of the device that is asked for
	device device.Device // nil where the next job has to open it
	using  choose.Using
	log    *slog.Logger
	kept   runnerKey
	runner device.Runner // nil where none is kept
	memo   memo

	open    opener
	changed func(choose.Using)
	losses  int    // how often a GPU was lost
	barred  string // why auto may take no GPU any more
}

// runnerKey is what a runner depends on.
type runnerKey struct {
	model    string // the hash of the weights
	open     *greenformer.Model
	part     part
	size     greenformer.Size
	settings settings.Settings
}

// part is how much of the network a program holds.
type part uint8

const (
	// wholePart is all of it; coarsePart ends with the coarse logits, refinerPart begins with them.
	wholePart part = iota
	coarsePart
	refinerPart
)

// build returns the program of a part.
func (p part) build(m *greenformer.Model, size greenformer.Size, s settings.Settings) (*program.Program, error) {
	switch p {
	case coarsePart:
		return m.BuildCoarse(size, s)
	case refinerPart:
		return m.BuildRefiner(size, s)
	}
	return m.Build(size, s)
}

// newKey leaves out what does not change a program.
func newKey(m *greenformer.Model, p part, size greenformer.Size, s settings.Settings) runnerKey {
	s.Tile, s.Overlap, s.Frame, s.Refine = 0, 0, 0, ""
	if !s.BF16 {
		s.Half = 0
	}
	k := runnerKey{model: m.Hash, part: p, size: size, settings: s}
	if m.Hash == "" {
		k.open = m // without a hash only the model itself is known to be the same
	}
	return k
}

// load returns a runner for the size, the kept one where it fits. Another is freed first, so that two arenas
// never exist at once.
func (w *worker) load(ctx context.Context, m *greenformer.Model, what part, size greenformer.Size, s settings.Settings) (device.Runner, error) {
	key := newKey(m, what, size, s)
	if w.runner != nil && w.kept == key {
		return w.runner, nil
	}
	w.drop()
	p, err := what.build(m, size, s)
	if err != nil {
		return nil, err
	}
	r, err := w.device.Load(ctx, p)
	if err == nil {
		w.runner, w.kept = r, key
	}
	switch {
	case ctx.Err() != nil:
		return nil, cancelled(ctx)
	case err != nil:
		return nil, deviceError(w.using.Info, doingLoad, image.Pt(size.W, size.H), err)
	}
	return r, nil
}

// drop frees the kept runner.
func (w *worker) drop() {
	if w.runner == nil {
		return
	}
	r := w.runner
	w.runner, w.kept = nil, runnerKey{}
	if err := guard(r.Close); err != nil {
		w.log.Warn("a program could not be freed", "err", err)
	}
}

// key runs a job, with at most one retry for each cause.
func (w *worker) key(t *Ticket) (*Result, error) {
	// The pictures of the plate before are garbage now, and a few of them are more than the collector's own
	// pace allows for: without this, a row of plates takes half as much memory again. It costs a millisecond.
	runtime.GC()
	used := t.job.Settings
	if t.job.Check != nil {
		used = t.job.Check.Used
	}
	var adjusted []Adjustment
	start := time.Now()
	for {
		if err := w.ready(t.ctx); err != nil {
			if t.ctx.Err() != nil {
				return nil, cancelled(t.ctx)
			}
			return nil, &DeviceError{Device: w.using.Name, Doing: doingOpen, Err: err}
		}
		r, err := w.attempt(t, used)
		if r != nil {
			r.Adjusted = adjusted
		}
		if err == nil {
			w.log.Info("plate keyed", "tiles", r.Finished, "seconds", time.Since(start).Seconds(), "peak_bytes", r.PeakBytes)
			return r, nil
		}
		if t.ctx.Err() != nil {
			w.log.Info("job cancelled", "cause", context.Cause(t.ctx))
			return r, err
		}
		// After a failure nothing on the device is trusted.
		w.drop()
		w.memo.clear()
		changed, err := w.replace(err)
		next, ok := used, len(changed) > 0
		if !ok {
			next, changed, ok = retry(t.job, used, err, adjusted)
		}
		if !ok {
			w.log.Warn("job failed", "err", err)
			return nil, err
		}
		w.log.Warn("job retried", "err", err, "note", note(changed))
		t.send(Event{Phase: PhaseRetry, Left: -1, Note: note(changed)})
		used, adjusted = next, append(adjusted, changed...)
	}
}

// attempt keys the plate once with the given settings. On a cancelled job it returns what is finished with
// the error; a panic comes back as an error.
func (w *worker) attempt(t *Ticket, s settings.Settings) (*Result, error) {
	var r *Result
	err := guard(func() error {
		a, err := newAttempt(w, t, s)
		if err != nil {
			return err
		}
		err = a.run()
		if err != nil && (t.ctx.Err() == nil || a.finished == 0 || a.frame.edge > 0 || a.refined != nil || t.job.Check != nil) {
			return err
		}
		var made error
		r, made = a.result()
		return errors.Join(err, made)
	})
	return r, err
}
