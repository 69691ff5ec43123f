package command

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"greenroom/app/keying"
	"greenroom/engine/bench"
	"greenroom/presets"
)

// benchCommand is greenroom bench.
type benchCommand struct {
	Sweep      sweepName   `placeholder:"NAME" default:"ablation" help:"What to measure against each other: ablation, tiles, key or full. Default: ${default}."`
	Resolution []int       `placeholder:"N" default:"512,1024,2048" help:"Edges of the square plates in pixels, with commas between. Default: ${default}."`
	Warmup     int         `placeholder:"N" default:"3" help:"Runs before the first timed one. Default: ${default}."`
	Runs       int         `placeholder:"N" default:"10" help:"Timed runs of each configuration. Default: ${default}."`
	Truth      bool        `help:"Measure the error of the matte too, on drawn plates whose mattes are known."`
	Format     tableFormat `placeholder:"table|markdown|json|csv" default:"table" help:"How to write the result. Default: ${default}."`
	Model      path        `placeholder:"NAME|FILE" help:"A model's name, or a checkpoint file. Default: nano, which is built in."`
	Device     deviceName  `placeholder:"auto|cpu|vulkan|metal" default:"auto" help:"Where to run. Default: auto, a GPU where there is one."`
	Set        []string    `placeholder:"NAME=VALUE" help:"A setting that has this value in every configuration: ${settings}, half, tile, overlap, frame, refine. Repeat, or separate by commas."`
}

// Help explains what the figures mean.
func (benchCommand) Help() string {
	return `Configurations take turns, so that a machine that slows down on the way slows all of them; vs Baseline compares runs of the same round. Rules for this machine are not applied: what its memory holds is measured. Results are kept in the folder for the user's settings, and a later bench shows what changed.`
}

type sweepName string

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *sweepName) UnmarshalText(text []byte) error {
	var names []string
	for _, n := range bench.Sweeps() {
		names = append(names, string(n))
	}
	word, err := chosen(text, names)
	*s = sweepName(word)
	return err
}

type tableFormat string

// UnmarshalText implements encoding.TextUnmarshaler.
func (f *tableFormat) UnmarshalText(text []byte) error {
	word, err := chosen(text, []string{"table", "markdown", "json", "csv"})
	*f = tableFormat(word)
	return err
}

// options are what the flags ask for; the model is still to be filled in.
func (c *benchCommand) options() (bench.Options, error) {
	o := bench.Options{
		Sweep: bench.Sweep(c.Sweep), Resolutions: c.Resolution, Warmup: c.Warmup, Runs: c.Runs, Truth: c.Truth,
	}
	held, err := setFlags(c.Set)
	if err != nil {
		return o, err
	}
	for _, h := range held {
		o.Held = append(o.Held, bench.Setting(h))
	}
	if err := o.Validate(); err != nil {
		return o, usageError{err}
	}
	return o, nil
}

// Run measures this machine.
func (c *benchCommand) Run(ctx context.Context, streams Streams) (err error) {
	o, err := c.options()
	if err != nil {
		return err
	}
	// A machine that cannot be read has no limit to plan for; it can be measured all the same.
	machine, err := streams.machine()
	if err != nil {
		complain(streams, err)
	}
	o.Machine = machine
	name := c.Model
	if name == "" {
		name = keying.DefaultModel
	}
	model, err := keying.OpenModel(ctx, string(name))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, model.Close()) }()
	o.Model, o.ModelName, o.ModelScreen = model.Model, model.Name, model.Screen
	e, err := keying.NewEngine(ctx, string(c.Device), nil, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	// The limit is that of what runs: the processor does not have to fit a GPU's memory.
	o.Limit = streams.on(machine, e.Using()).Limit()

	bar := newBar(streams, "bench")
	o.Progress = bar.benching
	report, err := bench.Run(ctx, e, o)
	bar.clear()
	if report == nil {
		return err
	}
	// What was measured before an interrupt is written and kept like the rest.
	return errors.Join(err, c.finish(report, streams))
}

// finish writes the report, tells what changed since the last time, and keeps it for the next.
func (c *benchCommand) finish(r *bench.Report, streams Streams) error {
	history, changes := recall(r, streams)
	if err := c.write(r, changes, streams); err != nil {
		return fmt.Errorf("cannot write the result: %w (check where standard output goes)", err)
	}
	if history != nil {
		if err := history.Append(r); err != nil {
			complain(streams, err)
		}
	}
	return measuredNothing(r)
}

// measuredNothing is the error of a report in which every row is one.
func measuredNothing(r *bench.Report) error {
	if len(r.Rows) == 0 || slices.ContainsFunc(r.Rows, func(row bench.Row) bool { return row.Err == "" }) {
		return nil
	}
	return fmt.Errorf("nothing could be measured: of %d, %s it says: %s (choose another --resolution or --sweep)",
		r.Rows[0].Resolution, r.Rows[0].Name, r.Rows[0].Err)
}

// userHistory returns the history of a machine in the folder for the user's settings.
func userHistory(machine string) (bench.History, error) {
	folder, err := presets.SettingsFolder()
	return bench.NewHistory(folder, machine), err
}

// recall reads the history of the report's machine and compares. What is wrong with the history is told and spoils
// nothing: nil is returned where there is none to use.
func recall(r *bench.Report, streams Streams) (*bench.History, []*bench.Change) {
	history, err := userHistory(r.Machine.String())
	if err != nil {
		complain(streams, err)
		return nil, nil
	}
	earlier, unusable, err := history.Read()
	if err != nil {
		complain(streams, err)
		return nil, nil
	}
	if unusable > 0 {
		fmt.Fprintf(streams.Err, "greenroom: %d lines of %s cannot be used: they were cut short, or written by another version\n",
			unusable, printable(history.Path))
	}
	return &history, r.Compare(earlier)
}

// write writes the report in the format that was asked for. Formats without a place for what changed since the last time
// have it told on the error stream.
func (c *benchCommand) write(r *bench.Report, changes []*bench.Change, streams Streams) error {
	var err error
	switch c.Format {
	case "json":
		err = r.WriteJSON(streams.Out)
	case "csv":
		err = r.WriteCSV(streams.Out)
	case "markdown":
		err = r.WriteMarkdown(streams.Out)
	default:
		return r.WriteTable(streams.Out, changes)
	}
	for i, change := range changes {
		if change != nil {
			fmt.Fprintf(streams.Err, "greenroom: %d, %s: %.0f ms, %s\n",
				r.Rows[i].Resolution, r.Rows[i].Name, r.Rows[i].MedianMS, change)
		}
	}
	return err
}

// benching draws the progress of a bench.
func (b *bar) benching(p bench.Progress) {
	if b.out == nil {
		return
	}
	line := []rune(benchLine(b.label, p))
	// A line that the terminal wraps could not be drawn over.
	b.draw(string(line[:min(len(line), 79)]))
}

// benchLine is the line for a moment:
// "bench  [#####---------------] 37 of 176 runs, 4m10s left: timing 1024, slim+sdpa".
func benchLine(label string, p bench.Progress) string {
	const cells = 20
	done := min(int(cells*p.Share), cells)
	line := fmt.Sprintf("%s  [%s%s] %d of %d runs", label, strings.Repeat("#", done), strings.Repeat("-", cells-done), p.Done, p.Total)
	if p.Left > 0 {
		line += fmt.Sprintf(", %s left", p.Left.Round(time.Second))
	}
	if p.Resolution > 0 {
		line += fmt.Sprintf(": %s %d", p.Doing, p.Resolution)
	}
	if p.Config != "" {
		line += ", " + p.Config
	}
	return line
}
