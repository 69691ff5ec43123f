package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"greenroom/engine/bench"
	"greenroom/engine/settings"
	"greenroom/presets"
	"greenroom/views"
)

// Bench is measuring that goes on.
type Bench struct {
	// Doing is what is measured now, in words.
	Doing string
	// Done of All runs are over; Left is the time that the rest takes, negative while nobody knows.
	Done, All int
	Left      time.Duration
}

// Found is what measuring found.
type Found struct {
	// Rows are all rows, the fastest first and those without a measurement last.
	Rows []bench.Row
	// Measured are the rows that were measured, as a preset keeps them.
	Measured []settings.Measured
	// Stopped says that the artist ended it before its time.
	Stopped bool

	// runs is how many keys were made.
	runs int
}

// How this machine is measured in the window: enough runs for the rules to take a row's word.
const (
	measureWarmup = 1
	measureRuns   = 3
)

// measureSize is the resolution at which a plate of a size is measured: one of those of the reports, the nearest by
// its ratio. Processors would take too long over the largest, and tiles cost them the same in a smaller one.
func measureSize(size float64, processor bool) int {
	switch {
	case size < 724:
		return 512
	case size < 1448 || processor:
		return 1024
	}
	return 2048
}

// cannotMeasure says why this machine cannot be measured now; empty when it can.
func (s *State) cannotMeasure() string {
	switch {
	case s.Setup.Preview != nil:
		return "This is a preview of another machine: go back to measure this one"
	case s.Setup.Bench != nil:
		return "This machine is being measured"
	case s.Running != nil:
		return "A key is being made"
	case s.keyAsked():
		return "A key waits"
	case s.Strip.Run != nil:
		return s.Strip.Run.busy()
	case s.Seams.Run != nil:
		return "The seams are being checked"
	case s.Model == nil:
		return "The model is being opened"
	case s.Plate == nil:
		return "Open a plate first: it says at which size to measure"
	}
	return ""
}

// Measure times this machine with the open model: ways to tile first, then the toggles with the best of these.
func (w *Workspace) Measure() {
	ctx, stop := context.WithCancel(w.ctx)
	var state State
	w.change(func(s *State) {
		if s.cannotMeasure() != "" {
			return
		}
		s.tilesTurn++
		s.Setup.Bench, s.Setup.Found, s.Problem = &Bench{Doing: "Preparing", Left: -1}, nil, nil
		w.stopBench, state = stop, *s
	})
	if state.Setup.Bench == nil {
		stop()
		return
	}
	w.work.Go(func() {
		defer stop()
		w.measure(ctx, state)
	})
}

// StopMeasuring ends measuring. What was measured so far is kept.
func (w *Workspace) StopMeasuring() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stopBench != nil {
		w.stopBench()
	}
}

// measure runs the sweeps, keeps what they find, and plans anew: measurements go before rules.
func (w *Workspace) measure(ctx context.Context, state State) {
	picture := state.Plate.Source.Plate.RGB
	resolution := w.measureAt
	if resolution == 0 {
		resolution = measureSize(presets.Size(picture.W, picture.H, 0), state.Setup.Device.Kind == "cpu")
	}
	o := bench.Options{
		Model: state.Model.Model, ModelName: state.Model.Name, ModelScreen: state.Model.Screen, Sweep: bench.Tiles,
		Resolutions: []int{resolution},
		Warmup:      measureWarmup, Runs: measureRuns, Limit: state.Machine.Limit(), Machine: state.Machine,
	}
	found := &Found{}
	best := settings.Default()
	var err error
	if resolution > smallestTile {
		// A smaller plate is never keyed in tiles.
		later, failed := bench.Ablation.Configs(nil)
		if err = failed; err == nil {
			err = w.sweep(ctx, o, found, len(later))
		}
		if b := found.best(); b != nil {
			best = b.Settings
		}
	}
	if err == nil {
		o.Sweep, o.Held = bench.Ablation, []bench.Setting{
			{Name: "tile", Value: strconv.Itoa(best.Tile)}, {Name: "overlap", Value: strconv.Itoa(best.Overlap)},
			{Name: "compile", Value: presets.Word(best.Compile)},
		}
		err = w.sweep(ctx, o, found, 0)
	}
	found.Stopped = errors.Is(err, context.Canceled)
	slices.SortStableFunc(found.Rows, func(a, b bench.Row) int {
		switch {
		case (a.Err == "") != (b.Err == ""):
			if a.Err == "" {
				return -1
			}
			return 1
		case a.MedianMS < b.MedianMS:
			return -1
		case a.MedianMS > b.MedianMS:
			return 1
		}
		return 0
	})
	measured := w.measurements(state.Machine)
	w.change(func(s *State) {
		s.Setup.Bench, w.stopBench = nil, nil
		s.Setup.Found, s.Setup.Measured = found, measured
		if err != nil && !found.Stopped && w.ctx.Err() == nil {
			s.Problem = problem(fmt.Errorf("cannot measure this machine: %w", err), remedyMeasure)
		}
	})
	w.plan()
}

// smallestTile is the smallest tile of the sweep of tiles.
const smallestTile = 512

// sweep runs one sweep and adds what it finds. later is how many configurations are still to come in another.
func (w *Workspace) sweep(ctx context.Context, o bench.Options, found *Found, later int) error {
	configs, err := o.Sweep.Configs(o.Held)
	if err != nil {
		return err
	}
	// What is still to come takes about as long, a configuration, as what is going on.
	more := float64(later) / float64(len(configs))
	start, before := time.Now(), found.runs
	o.Progress = func(p bench.Progress) {
		found.runs = before + p.Done
		b := Bench{
			Done: found.runs, All: before + p.Total + int(more*float64(p.Total)), Left: p.Left, Doing: string(p.Doing),
		}
		if p.Config != "" {
			b.Doing = fmt.Sprintf("%s at %d", p.Config, p.Resolution)
		}
		if p.Left >= 0 {
			b.Left += time.Duration(more * float64(time.Since(start)+p.Left))
		}
		w.change(func(s *State) {
			if s.Setup.Bench != nil {
				s.Setup.Bench = &b
			}
		})
	}
	report, err := bench.Run(ctx, w.engine, o)
	if report == nil {
		return err
	}
	found.Rows = append(found.Rows, report.Rows...)
	found.Measured = append(found.Measured, report.Measured()...)
	if len(report.Measured()) > 0 && w.folder != "" {
		err = errors.Join(err, w.history(o.Machine.String()).Append(report))
	}
	return err
}

// best is the fastest row; nil where nothing was measured.
func (f *Found) best() *bench.Row {
	var best *bench.Row
	for i, row := range f.Rows {
		if row.Err == "" && (best == nil || row.MedianMS < best.MedianMS) {
			best = &f.Rows[i]
		}
	}
	return best
}

func (w *Workspace) history(machine string) bench.History { return bench.NewHistory(w.folder, machine) }

// measurements are those of this machine so far. A history that cannot be read is as good as none.
func (w *Workspace) measurements(m presets.Machine) []settings.Measured {
	if w.folder == "" {
		return nil
	}
	list, _, err := w.history(m.String()).Read()
	if err != nil {
		return nil
	}
	return list
}

// SaveMeasured asks for a name and makes a preset of the fastest settings that were measured, with the measurements.
func (w *Workspace) SaveMeasured() {
	found := w.State().Setup.Found
	if found == nil || found.best() == nil {
		return
	}
	best := *found.best()
	w.reading.Go(func() {
		state := w.State()
		name := w.store().FreeName(state.Machine.String() + ", measured")
		w.asks("Name of the preset", name, "Save", func(text string) error {
			state := w.State()
			p := presets.Preset{Match: state.Machine.Match(), Measured: found.Measured}
			p.SetSettings(best.Settings)
			p.Engine.Model = state.Model.Name
			return w.saveAs(p, text)
		})
	})
}

// rowsShown is how many measured rows the window lists.
const rowsShown = 6

// showMeasure says how far measuring is, and what came of it.
func (s *State) showMeasure() views.MeasureState {
	v := views.MeasureState{WhyNot: s.cannotMeasure(), Left: -1}
	if b := s.Setup.Bench; b != nil {
		v.Running, v.Done, v.All, v.Doing, v.Left = true, b.Done, b.All, b.Doing, b.Left
		return v
	}
	f := s.Setup.Found
	if f == nil {
		return v
	}
	failed := 0
	for _, row := range f.Rows {
		switch {
		case row.Err != "":
			failed++
			if failed == 1 {
				v.Rows = append(v.Rows, views.MeasuredRow{Name: row.Name, Time: withoutFlags(row.Err), Failed: true})
			}
		case len(v.Rows) < rowsShown:
			v.Rows = append(v.Rows, views.MeasuredRow{
				Name: row.Name, Time: milliseconds(row.MedianMS), Memory: presets.Memory(row.PeakBytes),
			})
		}
	}
	best := f.best()
	switch {
	case best != nil:
		v.Result = fmt.Sprintf("Fastest at %d: %s, %s.", best.Resolution, best.Name, milliseconds(best.MedianMS))
		v.Offer = true
	case f.Stopped:
		v.Result = "Stopped before anything was measured."
	default:
		v.Result = "Nothing could be measured."
	}
	if f.Stopped && best != nil {
		v.Result = "Stopped. " + v.Result
	}
	return v
}

// milliseconds writes a measured time.
func milliseconds(ms float64) string {
	if ms < 10_000 {
		return fmt.Sprintf("%.0f ms", ms)
	}
	return fmt.Sprintf("%.1f s", ms/1000)
}
