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
	"greenroom/engine/device/cpu"
)

// Options choose the device. The zero value is a good choice on this machine.
type Options struct {
	// Device is auto or cpu; empty means auto.
	Device string
	// Threads is the number of worker threads of a CPU device; 0 takes all processors.
	Threads int
	// Log receives what is worth keeping of each job; nil discards it.
	Log *slog.Logger
}

// Engine keys plates. Its methods may be called from any goroutine.
type Engine struct {
	info device.Info
	log  *slog.Logger

	mu     sync.Mutex
	change *sync.Cond // queue or closed has changed
	queue  []*Ticket
	now    *Ticket // the job that is running
	closed bool

	done     chan struct{} // closed when the goroutine has ended
	closeErr error         // what freeing the device returned; set before done is closed
}

// New starts the engine and opens its device. Ctx bounds the opening only: an engine lives until Close.
func New(ctx context.Context, o Options) (*Engine, error) {
	switch o.Device {
	case "", "auto", "cpu":
	default:
		return nil, fmt.Errorf("no device is called %q: there are auto and cpu", o.Device)
	}
	return start(ctx, o.Log, func() (device.Device, error) {
		return cpu.New(cpu.Options{Threads: o.Threads}), nil
	})
}

// start starts the goroutine with a device that open returns on it.
func start(ctx context.Context, log *slog.Logger, open func() (device.Device, error)) (*Engine, error) {
	if err := context.Cause(ctx); err != nil {
		return nil, fmt.Errorf("start the engine: %w", err)
	}
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	e := &Engine{log: log, done: make(chan struct{})}
	e.change = sync.NewCond(&e.mu)
	opened := make(chan error, 1)
	go e.work(open, opened)
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
func (e *Engine) work(open func() (device.Device, error), opened chan<- error) {
	// Never unlocked: drivers tie state to the thread, and it ends with the goroutine.
	runtime.LockOSThread()
	defer close(e.done)
	var d device.Device
	err := guard(func() (err error) {
		d, err = open()
		return err
	})
	if err != nil {
		opened <- err
		return
	}
	e.info = d.Info()
	w := &worker{device: d, log: e.log}
	opened <- nil
	for t := e.next(); t != nil; t = e.next() {
		r, err := w.key(t)
		e.mu.Lock()
		e.now = nil
		e.mu.Unlock()
		t.finish(r, err)
	}
	e.closeErr = w.close()
}

// next waits for a job; nil when the engine is closed.
func (e *Engine) next() *Ticket {
	e.mu.Lock()
	defer e.mu.Unlock()
	for len(e.queue) == 0 && !e.closed {
		e.change.Wait()
	}
	if e.closed {
		return nil
	}
	e.now = e.queue[0]
	e.queue = slices.Delete(e.queue, 0, 1)
	return e.now
}

// Device describes the device that is in use.
func (e *Engine) Device() device.Info { return e.info }

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
