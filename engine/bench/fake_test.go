package bench

import (
	"context"
	"testing"
	"time"

	"greenroom/engine"
	"greenroom/engine/device"
	"greenroom/engine/greenformer"
	"greenroom/engine/greenformer/greenformertest"
	"greenroom/engine/settings"
)

// tiny is a network that is built in no time.
var tiny = greenformer.Config{Embed: 8, Heads: 1, Stages: [4]int{1, 1, 2, 1}, Decoder: 8, Refiner: 8, Grid: 8}

func tinyModel(t testing.TB) *greenformer.Model {
	t.Helper()
	m, err := greenformertest.Model(tiny, 1)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// fakeEngine keys in no time and says that it took some, on a clock of its own.
type fakeEngine struct {
	clock time.Time
	calls []call
	// cost is the time of a run in milliseconds; nil is 100 for all.
	cost func(c call) float64
	// fail, where set, comes first; an error of its is returned.
	fail func(c call) error
	// adjust makes the engine run other settings.
	adjust func(*engine.Result)
	last   call
}

// call is a run that was asked for.
type call struct {
	size     int
	settings settings.Settings
	// n counts the calls before this one, since those without a break that ran the same.
	n, since int
}

func (f *fakeEngine) Device() device.Info { return device.Info{Kind: "fake", Name: "the fake device"} }

func (f *fakeEngine) Key(_ context.Context, j engine.Job) (*engine.Result, error) {
	c := call{size: j.Plate.RGB.W, settings: j.Settings, n: len(f.calls)}
	if len(f.calls) > 0 && f.last.size == c.size && f.last.settings == c.settings {
		c.since = f.last.since + 1
	}
	f.calls, f.last = append(f.calls, c), c
	if f.fail != nil {
		if err := f.fail(c); err != nil {
			return nil, err
		}
	}
	ms := 100.0
	if f.cost != nil {
		ms = f.cost(c)
	}
	f.clock = f.clock.Add(time.Duration(ms * float64(time.Millisecond)))
	r := &engine.Result{Matte: j.Hint, Used: j.Settings, PeakBytes: 10 << 20, Device: f.Device()}
	r.Seconds.Key = ms / 1000
	if f.adjust != nil {
		f.adjust(r)
	}
	return r, nil
}

// options are a small bench of that sweep.
func (f *fakeEngine) options(t testing.TB, sweep Sweep) Options {
	t.Helper()
	f.clock = time.Date(2026, 11, 30, 12, 0, 0, 5, time.UTC)
	return Options{
		Model: tinyModel(t), ModelName: "tiny", ModelScreen: settings.ScreenGreen, Sweep: sweep,
		Resolutions: []int{64}, Warmup: 2, Runs: 4, Now: func() time.Time { return f.clock },
	}
}
