package cpu

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// pool runs one piece of work at a time on a fixed number of workers: the caller's goroutine and those that
// the pool keeps.
type pool struct {
	jobs []chan *job
	done sync.WaitGroup
}

// job is a piece of work split into blocks that workers take in turn.
type job struct {
	ctx    context.Context
	blocks int
	next   atomic.Int64
	run    func(worker, block int)
	wait   sync.WaitGroup
	// failed holds the first panic of a worker.
	failed atomic.Pointer[panicked]
}

// panicked is a worker's panic with its stack, so that the fault shows where it happened.
type panicked struct {
	value any
	stack []byte
}

// newPool starts workers-1 goroutines; the caller of each is the last worker.
func newPool(workers int) *pool {
	p := &pool{jobs: make([]chan *job, workers-1)}
	for i := range p.jobs {
		p.jobs[i] = make(chan *job)
		p.done.Go(func() {
			for j := range p.jobs[i] {
				p.work(j, i+1)
				j.wait.Done()
			}
		})
	}
	return p
}

// each calls run(worker, block) for every block from 0 to blocks-1, each once, on all workers, and returns nil when
// all are done. When ctx is cancelled workers take no further block, and each returns its cause. A worker number is in use by one call at a time. A panic
// in run is raised again here, with the worker's stack.
func (p *pool) each(ctx context.Context, blocks int, run func(worker, block int)) error {
	j := &job{ctx: ctx, blocks: blocks, run: run}
	if blocks > 1 {
		helpers := min(len(p.jobs), blocks-1)
		j.wait.Add(helpers)
		for _, c := range p.jobs[:helpers] {
			c <- j
		}
	}
	p.work(j, 0)
	j.wait.Wait()
	if f := j.failed.Load(); f != nil {
		panic(fmt.Sprintf("%v\n\nworker's stack:\n%s", f.value, f.stack))
	}
	return context.Cause(ctx)
}

// work takes blocks until there are none left, the run is cancelled, or a worker has panicked.
func (p *pool) work(j *job, worker int) {
	defer func() {
		if v := recover(); v != nil {
			j.failed.CompareAndSwap(nil, &panicked{value: v, stack: debug.Stack()})
		}
	}()
	for j.ctx.Err() == nil && j.failed.Load() == nil {
		block := int(j.next.Add(1)) - 1
		if block >= j.blocks {
			return
		}
		j.run(worker, block)
	}
}

// close ends the workers. No work may be under way.
func (p *pool) close() {
	for _, c := range p.jobs {
		close(c)
	}
	p.done.Wait()
}
