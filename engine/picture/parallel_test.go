package picture

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
)

func TestBandsCoverEveryRowOnce(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for _, h := range []int{0, 1, 15, 16, 17, 31, 32, 100, 1080} {
		rows := make([]atomic.Int32, h)
		err := ParallelRowsContext(ctx, h, func(y0, y1 int) {
			for y := y0; y < y1; y++ {
				rows[y].Add(1)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		for y := range rows {
			if n := rows[y].Load(); n != 1 {
				t.Fatalf("row %d of %d was worked %d times", y, h, n)
			}
		}
	}
}

func TestCancelledWorkStopsEarly(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var rows atomic.Int64
	err := ParallelRowsContext(ctx, 16000, func(y0, y1 int) {
		cancel()
		rows.Add(int64(y1 - y0))
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("error is %v", err)
	}
	// One band for each processor at most.
	if n := rows.Load(); n == 0 || n > 16000/bandsEach {
		t.Fatalf("%d of 16000 rows were worked", n)
	}
}

func TestLongFiltersReturnTheContextsError(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	m := noise(90, 70, 1)
	for _, sigma := range []float64{2, 20} {
		got, err := BlurContext(ctx, m, sigma)
		if err != nil || farthest(t, got, Blur(m, sigma)) != 0 {
			t.Errorf("blur %v: not the same, %v", sigma, err)
		}
	}
	got, err := DistanceContext(ctx, m, 0.1, 5)
	if err != nil || farthest(t, got, Distance(m, 0.1, 5)) != 0 {
		t.Errorf("distance: not the same, %v", err)
	}
	cancel()
	for _, sigma := range []float64{2, 20} {
		if _, err := BlurContext(ctx, m, sigma); !errors.Is(err, context.Canceled) {
			t.Errorf("blur %v: %v", sigma, err)
		}
	}
	if _, err := DistanceContext(ctx, m, 0.1, 5); !errors.Is(err, context.Canceled) {
		t.Errorf("distance: %v", err)
	}
}
