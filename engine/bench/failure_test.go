package bench

import (
	"context"
	"errors"
	"strings"
	"testing"

	"greenroom/engine"
	"greenroom/engine/settings"
)

func TestWhatDoesNotFitIsARowAndTheSweepGoesOn(t *testing.T) {
	f := new(fakeEngine)
	o := f.options(t, Tiles)
	o.Resolutions = []int{64, 640}
	o.Runs, o.Warmup = 1, 0
	tile := settings.Default()
	tile.Tile = 512
	plan, err := engine.Plan(o.Model, 640, 640, tile)
	if err != nil {
		t.Fatal(err)
	}
	o.Limit = plan.PeakBytes * 11 / 10
	r := mustRun(t, f, o)
	if len(r.Rows) != 20 {
		t.Fatalf("%d rows", len(r.Rows))
	}
	errs := 0
	whole640 := func(size int, s settings.Settings) bool { return size == 640 && (s.Tile == 0 || s.Tile > 640) }
	for _, row := range r.Rows {
		tooLarge := whole640(row.Resolution, row.Settings)
		if (row.Err != "") != tooLarge {
			t.Errorf("%d %s: error %q", row.Resolution, row.Name, row.Err)
		}
		if tooLarge {
			errs++
			if !strings.Contains(row.Err, "it would need") || row.MedianMS != 0 || len(row.RunsMS) != 0 || row.VsBaseline != 0 {
				t.Errorf("%+v", row)
			}
		}
		if row.Resolution == 640 && row.VsBaseline != 0 {
			t.Errorf("%s is compared with a baseline that does not fit", row.Name)
		}
	}
	if errs != 6 {
		t.Errorf("%d errors", errs)
	}
	for _, c := range f.calls {
		if whole640(c.size, c.settings) {
			t.Error("what does not fit was run")
		}
	}
}

func TestAPlateThatCannotBeDrawnIsARow(t *testing.T) {
	f := new(fakeEngine)
	o := f.options(t, Tiles)
	o.Resolutions, o.Limit = []int{4096}, 900<<20
	for _, row := range mustRun(t, f, o).Rows {
		if !strings.Contains(row.Err, "drawing its plate would need 0.9 GB") {
			t.Errorf("%s: error %q", row.Name, row.Err)
		}
	}
	if len(f.calls) != 0 {
		t.Error("something ran")
	}
}

func TestWhatFailsIsARowAndTheSweepGoesOn(t *testing.T) {
	for want, f := range map[string]*fakeEngine{
		"too little memory": {fail: func(c call) error {
			if c.settings.SDPA && c.n > 20 {
				return &engine.MemoryError{Device: "x", TileW: 64, TileH: 64, Err: errors.New("out of memory")}
			}
			return nil
		}},
		"tile 32 instead of 0, because it was full": {adjust: func(r *engine.Result) {
			if r.Used.SDPA {
				r.Used.Tile = 32
				r.Adjusted = []engine.Adjustment{{Setting: "tile", Asked: 0, Used: 32, Why: "it was full"}}
			}
		}},
		"the engine failed: oops": {fail: func(c call) error {
			if c.settings.SDPA {
				return &engine.PanicError{Value: "oops", Stack: []byte("goroutine 1\nmain.go:1")}
			}
			return nil
		}},
	} {
		var last Progress
		o := f.options(t, Key)
		o.Progress = func(p Progress) { last = p }
		r := mustRun(t, f, o)
		for _, row := range r.Rows {
			if row.Settings.SDPA != (row.Err != "") || row.Err != "" && (!strings.Contains(row.Err, want) || strings.Contains(row.Err, "\n")) {
				t.Errorf("%s: error %q, want %q", row.Name, row.Err, want)
			}
			if row.Err != "" && (row.MedianMS != 0 || row.PeakBytes != 0) {
				t.Errorf("a failed row has figures: %+v", row)
			}
			if row.Err == "" && len(row.RunsMS) != o.Runs {
				t.Errorf("%s was timed %d times", row.Name, len(row.RunsMS))
			}
		}
		if last.Doing != Finished || last.Done != last.Total || last.Share != 1 {
			t.Errorf("%s: ends with %+v", want, last)
		}
	}
}

func TestACancelledBenchTellsWhatItHas(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	f := new(fakeEngine)
	o := f.options(t, Key)
	o.Warmup = 0
	f.fail = func(c call) error {
		if c.n == 9 { // in the second of four rounds of six
			cancel()
			return ctx.Err()
		}
		return nil
	}
	r, err := Run(ctx, f, o)
	if !errors.Is(err, context.Canceled) || r == nil || len(r.Rows) != 6 {
		t.Fatalf("%+v, error %v", r, err)
	}
	runs := 0
	for _, row := range r.Rows {
		runs += len(row.RunsMS)
		if row.Err != "" || row.MedianMS != 100 || row.VsBaseline != 1 {
			t.Errorf("%+v", row)
		}
	}
	if runs != 9 || len(f.calls) != 10 {
		t.Errorf("%d runs were kept of %d", runs, len(f.calls))
	}
	r, err = Run(ctx, f, o)
	if !errors.Is(err, context.Canceled) || len(r.Rows) != 0 || len(f.calls) != 10 {
		t.Errorf("cancelled before it began: %+v, error %v", r, err)
	}
}

func TestAClosedEngineEndsTheBench(t *testing.T) {
	f := &fakeEngine{fail: func(c call) error {
		if c.n == 15 {
			return engine.ErrClosed
		}
		return nil
	}}
	r, err := Run(t.Context(), f, f.options(t, Key))
	if !errors.Is(err, engine.ErrClosed) || r == nil || len(f.calls) != 16 {
		t.Errorf("%d runs, error %v", len(f.calls), err)
	}
}

func TestAnotherDeviceEndsTheBench(t *testing.T) {
	f := new(fakeEngine)
	f.adjust = func(r *engine.Result) {
		if len(f.calls) > 14 {
			r.Device.Name, r.Why = "the spare", "the fake device was lost"
		}
	}
	o := f.options(t, Key)
	o.Warmup = 0
	r, err := Run(t.Context(), f, o)
	const want = "the spare ran instead of the fake device: the fake device was lost"
	if err == nil || !strings.Contains(err.Error(), want) || len(f.calls) != 15 || r.Device.Name != "the fake device" {
		t.Fatalf("%d runs, error %v", len(f.calls), err)
	}
	failed := 0
	for _, row := range r.Rows {
		if row.Err != "" {
			failed++
		} else if len(row.RunsMS) < 2 {
			t.Errorf("%s has %d runs", row.Name, len(row.RunsMS))
		}
	}
	if len(r.Rows) != 6 || failed != 1 {
		t.Errorf("%d rows, %d failed", len(r.Rows), failed)
	}
}
