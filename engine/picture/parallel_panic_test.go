package picture

import (
	"strings"
	"testing"
)

// TestAPanicReachesTheCaller: a panic in any band, on whichever goroutine, can be recovered by the caller.
func TestAPanicReachesTheCaller(t *testing.T) {
	for _, h := range []int{1, 400} {
		func() {
			defer func() {
				if v, ok := recover().(string); !ok || !strings.Contains(v, "last row") {
					t.Errorf("%d rows: recovered %v", h, v)
				}
			}()
			ParallelRows(h, func(_, y1 int) {
				if y1 == h {
					panic("last row")
				}
			})
			t.Errorf("%d rows: no panic", h)
		}()
	}
}
