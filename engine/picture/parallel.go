package picture

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// leastBand is how many rows are worth a goroutine.
const leastBand = 16

// ParallelRows calls work for consecutive bands [y0, y1) that cover the rows 0..h, on all processors at
// once, and returns when every band is done. Bands never overlap, so work may write its own rows freely.
// A panic of work is raised again in the caller, with the stack that it happened on, where it can be recovered.
func ParallelRows(h int, work func(y0, y1 int)) {
	parallel(context.Background(), h, leastBand, work)
}

// ParallelRowsContext is ParallelRows that stops when ctx is cancelled: no further band begins, and the
// error is ctx's. The rows are cut into more bands than there are processors, so that work of 100 ms stops
// within some milliseconds and a slow band is made up for by the others.
func ParallelRowsContext(ctx context.Context, h int, work func(y0, y1 int)) error {
	parallel(ctx, h, leastBand, work)
	return ctx.Err()
}

// ParallelContext is ParallelRowsContext for n pieces of work of any kind, each worth a goroutine.
func ParallelContext(ctx context.Context, n int, work func(i0, i1 int)) error {
	parallel(ctx, n, 1, work)
	return ctx.Err()
}

// bandsEach is how many bands there are for each processor where work can be cancelled.
const bandsEach = 16

// parallel is ParallelRows with a stated least size of a band. Where ctx can be cancelled it returns early
// once it is, with bands left undone.
func parallel(ctx context.Context, h, least int, work func(y0, y1 int)) {
	most := (h + least - 1) / least
	workers := min(runtime.GOMAXPROCS(0), most)
	bands := workers
	if ctx.Done() != nil {
		bands = min(workers*bandsEach, most)
	}
	if bands <= 1 {
		if h > 0 && ctx.Err() == nil {
			work(0, h)
		}
		return
	}
	var next atomic.Int64
	var wait sync.WaitGroup
	var failed atomic.Pointer[string]
	for range workers {
		wait.Go(func() {
			defer func() {
				if v := recover(); v != nil {
					text := fmt.Sprintf("%v\n\nin a band of rows:\n%s", v, debug.Stack())
					failed.CompareAndSwap(nil, &text)
				}
			}()
			for ctx.Err() == nil && failed.Load() == nil {
				i := int(next.Add(1)) - 1
				if i >= bands {
					return
				}
				work(h*i/bands, h*(i+1)/bands)
			}
		})
	}
	wait.Wait()
	if text := failed.Load(); text != nil {
		panic(*text)
	}
}
