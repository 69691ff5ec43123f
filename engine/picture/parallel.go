package picture

import (
	"runtime"
	"sync"
)

// ParallelRows calls work for consecutive bands [y0, y1) that cover the rows 0..h, on all processors at
// once, and returns when every band is done. Bands never overlap, so work may write its own rows freely.
func ParallelRows(h int, work func(y0, y1 int)) {
	parallel(h, 16, work)
}

// parallel is ParallelRows with a stated least size of a band.
func parallel(h, least int, work func(y0, y1 int)) {
	n := min(runtime.GOMAXPROCS(0), (h+least-1)/least)
	if n <= 1 {
		if h > 0 {
			work(0, h)
		}
		return
	}
	var wait sync.WaitGroup
	for i := range n {
		wait.Go(func() { work(h*i/n, h*(i+1)/n) })
	}
	wait.Wait()
}
