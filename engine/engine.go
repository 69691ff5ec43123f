// Package engine turns a plate and a hint into a matte and a foreground.
//
// An Engine is one goroutine on one thread of the system that owns the device and everything on it. Jobs are
// queued and run one after another; callers on any goroutine hand them in and wait, watch or cancel. Nobody
// else knows that there is a thread.
package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"slices"
	"sync"
	"time"

	"greenroom/engine/device"
	"greenroom/engine/device/choose"
)

// Options choose the device. The zero value is a good choice on this machine.
type Options struct {
	// Device is auto, cpu, vulkan or metal, or vulkan:NAME; empty means auto. See choose.Options.
	Device string
	// Threads is the number of worker threads of a CPU device; 0 takes all processors.
	Threads int
	// CacheDir is the folder in which devices keep compiled kernels and the results of their self-tests; empty keeps
	// none.
	CacheDir string
	// Version is the program's version: after an update a GPU is tested again.
	Version string
	// Changed is called on the engine's goroutine when a job begins on another device than Using said so far; nil
	// calls nothing. It must not call the engine.
	Changed func(choose.Using)
	// Log receives what is worth keeping of each job; nil discards it.
	Log *slog.Logger
}

// Engine keys plates. Its methods may be called from any goroutine.
type Engine struct {
	log *slog.Logger

	mu     sync.Mutex
	using  choose.Using
	change *sync.Cond // queue or closed has changed
	queue  []*Ticket
	turns  []*turn
	now    *Ticket // the job that is running
	closed bool

	done     chan struct{} // closed when the goroutine has ended
	closeErr error         // what freeing the device returned; set before done is closed
}

// New starts the engine and opens its device. Ctx bounds the opening only: an engine lives until Close.
func New(ctx context.Context, o Options) (*Engine, error) {
	if err := choose.Validate(o.Device); err != nil {
		return nil, err
	}
	return start(ctx, o, func(ctx context.Context, name, barred string) (device.Device, choose.Using, error) {
		return choose.Open(ctx, choose.Options{
			Device: name, Threads: o.Threads, CacheDir: o.CacheDir, Version: o.Version, Barred: barred, Log: o.Log,
		})
	})
}

// opener opens the device that a name asks for. Barred says why auto may not take a GPU; empty where it may.
type opener func(ctx context.Context, name, barred string) (device.Device, choose.Using, error)

// start starts the goroutine with a device that open returns on it.
func start(ctx context.Context, o Options, open opener) (*Engine, error) {
	if err := context.Cause(ctx); err != nil {
		return nil, fmt.Errorf("start the engine: %w", err)
	}
	log := o.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	e := &Engine{log: log, done: make(chan struct{})}
	e.change = sync.NewCond(&e.mu)
	opened := make(chan error, 1)
	w := &worker{log: log, name: o.Device, open: open}
	w.changed = func(u choose.Using) {
		e.mu.Lock()
		e.using = u
		e.mu.Unlock()
		if o.Changed != nil {
			o.Changed(u)
		}
	}
	go e.work(ctx, w, opened)
	select {
	case err := <-opened:
		if err != nil {
			return nil, fmt.Errorf("open the device: %w", err)
		}
		return e, nil
	case <-ctx.Done():
		// The goroutine finds the engine closed when the device is open, and frees it.
		e.stop()
		return nil, fmt.Errorf("start the engine: %w", context.Cause(ctx))
	}
}

// work is the engine's goroutine.
func (e *Engine) work(ctx context.Context, w *worker, opened chan<- error) {
	// Never unlocked: drivers tie state to the thread, and it ends with the goroutine.
	runtime.LockOSThread()
	defer close(e.done)
	if err := w.ready(ctx); err != nil {
		opened <- err
		return
	}
	opened <- nil
	for t, turn := e.next(); t != nil || turn != nil; t, turn = e.next() {
		if turn != nil {
			turn.done <- w.turn(turn.ctx, turn.name)
			continue
		}
		r, err := w.key(t)
		e.mu.Lock()
		e.now = nil
		e.mu.Unlock()
		t.finish(r, err)
	}
	e.closeErr = w.shut()
}

// next waits for a job or for another device to turn to, which goes first; both are nil when the engine is closed.
func (e *Engine) next() (*Ticket, *turn) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for len(e.queue) == 0 && len(e.turns) == 0 && !e.closed {
		e.change.Wait()
	}
	switch {
	case e.closed:
		return nil, nil
	case len(e.turns) > 0:
		t := e.turns[0]
		e.turns = slices.Delete(e.turns, 0, 1)
		return nil, t
	}
	e.now = e.queue[0]
	e.queue = slices.Delete(e.queue, 0, 1)
	return e.now, nil
}

// turn asks for another device.
type turn struct {
	ctx  context.Context
	name string
	done chan error
}

// Use turns to another device, by a name as in Options, once the job that is running has ended, and waits for it. Where
// it cannot be opened, jobs go on where they ran before.
func (e *Engine) Use(ctx context.Context, name string) error {
	if err := choose.Validate(name); err != nil {
		return err
	}
	t := &turn{ctx: ctx, name: name, done: make(chan error, 1)}
	e.mu.Lock()
	if e.closed {
		e.mu.Unlock()
		return ErrClosed
	}
	e.turns = append(e.turns, t)
	e.change.Signal()
	e.mu.Unlock()
	select {
	case err := <-t.done:
		return err
	case <-e.done:
		return ErrClosed
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Device describes the device that is in use.
func (e *Engine) Device() device.Info { return e.Using().Info }

// Using says which device is in use and why. It changes where a device was lost or could not run the network: jobs
// after that run on another.
func (e *Engine) Using() choose.Using {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.using
}

// Key runs a job and waits for it: Submit and Ticket.Wait.
func (e *Engine) Key(ctx context.Context, j Job) (*Result, error) { return e.Submit(ctx, j).Wait() }

// Submit queues a job and returns at once. When ctx is cancelled, so is the job. A job that cannot work is
// refused by its ticket, without waiting for its turn.
func (e *Engine) Submit(ctx context.Context, j Job) *Ticket {
	if err := j.validate(); err != nil {
		t := newTicket(ctx, j, 0)
		t.finish(nil, err)
		return t
	}
	t := newTicket(ctx, j, mostEvents(j))
	e.mu.Lock()
	if e.closed {
		e.mu.Unlock()
		t.finish(nil, ErrClosed)
		return t
	}
	e.queue = append(e.queue, t)
	e.change.Signal()
	e.mu.Unlock()
	context.AfterFunc(t.ctx, func() { e.withdraw(t) })
	return t
}

// withdraw ends a cancelled job that is still queued.
func (e *Engine) withdraw(t *Ticket) {
	e.mu.Lock()
	i := slices.Index(e.queue, t)
	if i >= 0 {
		e.queue = slices.Delete(e.queue, i, i+1)
	}
	e.mu.Unlock()
	if i >= 0 {
		t.finish(nil, cancelled(t.ctx))
	}
}

// cancelled is the error of a job whose context has ended.
func cancelled(ctx context.Context) error {
	return fmt.Errorf("key the plate: %w", context.Cause(ctx))
}

// closeLimit is how long Close waits for the device.
const closeLimit = 3 * time.Second

// Close cancels all jobs, waits for the device and frees it. It returns the device's error, or an error
// when the device has not stopped after three seconds. Closing again returns the same.
func (e *Engine) Close() error {
	e.stop()
	select {
	case <-e.done:
		return e.closeErr
	case <-time.After(closeLimit):
		return errors.New("the device did not stop within 3 seconds")
	}
}

// stop refuses new jobs and cancels the others.
func (e *Engine) stop() {
	e.mu.Lock()
	e.closed = true
	waiting, now := e.queue, e.now
	e.queue = nil
	e.change.Signal()
	e.mu.Unlock()
	for _, t := range waiting {
		t.cancel(ErrClosed)
		t.finish(nil, cancelled(t.ctx))
	}
	if now != nil {
		now.cancel(ErrClosed)
	}
}
