package picture

import "runtime"

// InOrder builds the parts 0..n on all processors and uses each in its turn. Not more parts are in being than
// there are processors, and one. The first error ends it; parts in the making are waited for.
func InOrder[T any](n int, build func(i int) (T, error), use func(i int, part T) error) error {
	type result struct {
		part T
		err  error
	}
	ahead := min(n, runtime.GOMAXPROCS(0))
	var waiting []chan result
	start := func(i int) {
		done := make(chan result, 1)
		waiting = append(waiting, done)
		go func() {
			part, err := build(i)
			done <- result{part, err}
		}()
	}
	for i := range ahead {
		start(i)
	}
	var failed error
	for i := 0; len(waiting) > 0; i++ {
		r := <-waiting[0]
		waiting = waiting[1:]
		if failed != nil {
			continue
		}
		if failed = r.err; failed == nil {
			if i+ahead < n {
				start(i + ahead)
			}
			failed = use(i, r.part)
		}
	}
	return failed
}
