// Package bench measures what settings cost on this machine: it keys drawn plates under the configurations of a sweep
// and tells time, memory and, if asked, the error of the matte.
//
// Configurations take turns: each is timed once in every round, and is held against the baseline of the same round.
// A machine that grows slow or busy on the way then slows both, and their ratio stays. The engine keeps one program
// loaded, so a turn begins with loading, and one run that is not timed settles what was just loaded (memory touched
// for the first time, caches, clocks).
//
// The rules for this machine are not asked: a configuration that they forbid is measured all the same where its
// planned memory fits the limit. That is how a rule is confirmed or lifted.
package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"greenroom/engine"
	"greenroom/engine/device"
	"greenroom/engine/device/choose"
	"greenroom/engine/greenformer"
	"greenroom/engine/settings"
)

// Keyer runs jobs one after another: *engine.Engine.
type Keyer interface {
	Key(context.Context, engine.Job) (*engine.Result, error)
	Device() device.Info
}

// Options say what to measure. Model, Sweep, Resolutions and Runs are needed.
type Options struct {
	// Model is the network, ModelName what it is called, ModelScreen the screen colour that it knows.
	Model       *greenformer.Model
	ModelName   string
	ModelScreen settings.Screen
	Sweep       Sweep
	// Held are settings that have one value in the whole sweep.
	Held []Setting
	// Resolutions are the edges of the square plates in pixels.
	Resolutions []int
	// Warmup is how many runs come before the first timed one of a configuration; with 0 nothing settles, and the
	// timed runs are those right after loading. Runs is how many are timed.
	Warmup, Runs int
	// Truth measures the error of the matte too.
	Truth bool
	// Limit is the memory in bytes that a run may plan for; 0 where none is known.
	Limit int64
	// Machine goes to the report.
	Machine Machine
	// Progress is called before every run, after every timed one and at the end, on Run's goroutine; nil calls nothing.
	Progress func(Progress)
	// Now is the clock that the report's date and the time left are read from; nil is time.Now.
	Now func() time.Time
}

// The most that can be asked for.
const (
	MaxRuns        = 1000
	MinResolution  = 32
	MaxResolution  = settings.MaxSize
	maxResolutions = 16
)

// Validate reports the first option that cannot work. Whether there is a model is left to Run.
func (o Options) Validate() error {
	switch {
	case o.Runs < 1 || o.Runs > MaxRuns:
		return fmt.Errorf("runs is %d: give 1 to %d", o.Runs, MaxRuns)
	case o.Warmup < 0 || o.Warmup > MaxRuns:
		return fmt.Errorf("warmup is %d: give 0 to %d", o.Warmup, MaxRuns)
	case len(o.Resolutions) < 1 || len(o.Resolutions) > maxResolutions:
		return fmt.Errorf("%d resolutions are asked for: give 1 to %d", len(o.Resolutions), maxResolutions)
	}
	for _, r := range o.Resolutions {
		if r < MinResolution || r > MaxResolution {
			return fmt.Errorf("a resolution is %d: give pixels from %d to %d", r, MinResolution, MaxResolution)
		}
	}
	_, err := o.Sweep.Configs(o.Held)
	return err
}

// Run measures the sweep at every resolution; resolutions that are named twice count once. A configuration that does
// not fit or fails becomes a row with Err, and the sweep goes on. When ctx ends, the engine is closed, or it turns to
// another device, the report holds what was measured so far, and comes with the cause.
func Run(ctx context.Context, k Keyer, o Options) (*Report, error) {
	if err := o.Validate(); err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	if o.Model == nil {
		return nil, errors.New("bench: there is no model to measure: choose one")
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	r, err := newRun(k, o)
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	err = r.all(ctx)
	return r.report(), err
}

// run is a bench that is going on.
type run struct {
	keyer  Keyer
	device device.Info // what is measured; an engine can turn to another
	o      Options
	start  time.Time
	groups []*group
	loaded *lane // whose program the engine holds; nil where that is not known
	count  progress
}

// group is all configurations at one resolution.
type group struct {
	resolution int
	lanes      []*lane
}

// lane is one configuration at one resolution.
type lane struct {
	Row
	runs []float64 // timed, milliseconds, by round
	left int       // how many runs are still to come, timed and not
}

// newRun plans every configuration.
func newRun(k Keyer, o Options) (*run, error) {
	configs, err := o.Sweep.Configs(o.Held)
	if err != nil {
		return nil, err
	}
	r := &run{keyer: k, device: k.Device(), o: o, start: o.Now()}
	var seen []int
	for _, resolution := range o.Resolutions {
		if slices.Contains(seen, resolution) {
			continue
		}
		seen = append(seen, resolution)
		g := &group{resolution: resolution}
		for _, c := range configs {
			l := &lane{Row: Row{Resolution: resolution, Config: c}}
			l.Err = r.misfit(l)
			if l.Err == "" {
				l.left = o.Warmup + o.Runs + (o.Runs-1)*r.settling()
				if o.Truth {
					l.left += len(truthScenes(resolution))
				}
			}
			g.lanes = append(g.lanes, l)
		}
		r.groups = append(r.groups, g)
	}
	return r, nil
}

// settling is how many runs settle a program that was loaded again.
func (r *run) settling() int { return min(r.o.Warmup, 1) }

// misfit says why a configuration cannot be run by its plan; empty where it can.
func (r *run) misfit(l *lane) string {
	if drawing := int64(drawnBytes * pixels(l.Resolution)); r.o.Limit > 0 && drawing > r.o.Limit {
		return fmt.Sprintf("drawing its plate would need %s and this machine has %s for it", gigabytes(drawing), gigabytes(r.o.Limit))
	}
	planned := engine.Plan
	switch r.device.Kind {
	case choose.Vulkan, choose.Metal:
		planned = engine.PlanGPU
	}
	plan, err := planned(r.o.Model, l.Resolution, l.Resolution, l.Settings)
	switch {
	case err != nil:
		return oneLine(err)
	case r.o.Limit > 0 && plan.PeakBytes > r.o.Limit:
		return fmt.Sprintf("it would need %s and this machine has %s for it", gigabytes(plan.PeakBytes), gigabytes(r.o.Limit))
	}
	return ""
}

// gigabytes writes bytes in GB of 2^30 bytes, from a tenth on up.
func gigabytes(bytes int64) string {
	if bytes < 1<<30/10 {
		return fmt.Sprintf("%d MB", (bytes+1<<19)>>20)
	}
	return fmt.Sprintf("%.1f GB", float64(bytes)/(1<<30))
}

// report gathers the rows.
func (r *run) report() *Report {
	report := &Report{
		Machine: r.o.Machine, Device: r.device, Model: r.o.ModelName, ModelHash: r.o.Model.Hash,
		At:    r.start.UTC().Truncate(time.Second),
		Sweep: r.o.Sweep, Held: r.o.Held, Warmup: r.o.Warmup, Runs: r.o.Runs,
	}
	for _, g := range r.groups {
		var baseline []float64
		for _, l := range g.lanes {
			if l.Baseline && l.Err == "" {
				baseline = l.runs
			}
		}
		for _, l := range g.lanes {
			switch {
			case l.Err != "":
				report.Rows = append(report.Rows, Row{Resolution: l.Resolution, Config: l.Config, Err: l.Err})
			case len(l.runs) > 0:
				l.time(l.runs)
				l.compare(baseline)
				report.Rows = append(report.Rows, l.Row)
			}
		}
	}
	return report
}
