package command

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"greenroom/app/keying"
	"greenroom/engine/checkpoint"
	"greenroom/engine/settings"
	"greenroom/presets"
)

// recommendCommand is greenroom preset recommend.
type recommendCommand struct {
	As    path `placeholder:"MACHINE" help:"Another machine: \"Apple M4 Pro, 24 GB\", or \"CHIP, N GB, GPU NAME N GB\"."`
	Size  int  `placeholder:"N" default:"2048" help:"The size of the plate: the root of width x height, in pixels. Default: ${default}."`
	Model path `placeholder:"NAME|FILE" default:"nano" help:"A model of the catalogue, or a checkpoint file. Default: ${default}."`
	JSON  bool `name:"json" help:"The recommendation as a JSON object."`
}

// recommendation is the object of preset recommend --json.
type recommendation struct {
	Machine  presets.Machine  `json:"machine"`
	Settings map[string]any   `json:"settings"`
	Reasons  []presets.Reason `json:"reasons"`
}

// checkSize refuses sizes that no plate has.
func checkSize(size int) error {
	if size < 1 || size > settings.MaxSize {
		return badUsage("--size is %d: give pixels from 1 to %d", size, settings.MaxSize)
	}
	return nil
}

// Run shows the recommendation.
func (c *recommendCommand) Run(ctx context.Context, streams Streams) error {
	if err := checkSize(c.Size); err != nil {
		return err
	}
	m, err := machineOf(c.As, streams)
	if err != nil {
		return err
	}
	q := presets.Request{Machine: m, Size: float64(c.Size), Measured: measuredOn(m, streams)}
	if m.GPU != nil {
		q.Device = m.GPU.Name // what was measured on its processor says nothing of keys
	}
	done, err := c.plan(ctx, &q, streams)
	if err != nil {
		return err
	}
	defer done()
	r, err := presets.Recommend(q)
	if err != nil {
		return err
	}
	for _, n := range r.Notes {
		fmt.Fprintf(streams.Err, "greenroom: %s\n", printable(n))
	}
	if c.JSON {
		return printJSON(streams, recommendation{Machine: m, Settings: r.Settings.Map(), Reasons: r.Reasons})
	}
	fmt.Fprintf(streams.Out, "%s, plates of size %d, model %s\n", m, c.Size, c.Model)
	if q.Peak != nil {
		if peak, err := q.Peak(r.Settings); err == nil {
			fmt.Fprintf(streams.Out, "planned peak %s, limit %s\n", presets.Memory(peak), presets.Memory(m.Limit()))
		}
	}
	return c.write(r, streams)
}

// plan fills in what the request needs to know of the model. One that is not on this machine is known by the catalogue
// alone: its memory is not planned.
func (c *recommendCommand) plan(ctx context.Context, q *presets.Request, streams Streams) (done func(), err error) {
	model, err := keying.OpenModel(ctx, string(c.Model))
	if err == nil {
		q.ModelHash, q.TileFrom = model.Hash, model.TileFrom
		q.Peak = keying.Peaks(model.Model, q.Machine, c.Size, c.Size)
		return func() { model.Close() }, nil
	}
	entry, known := checkpoint.Find(string(c.Model))
	if known != nil || errors.Is(err, context.Canceled) {
		return nil, err
	}
	fmt.Fprintf(streams.Err, "greenroom: %s is not on this machine: its memory is not planned\n", entry.Name)
	q.TileFrom = keying.TileFrom(entry)
	return func() {}, nil
}

// write shows the settings, then the reasons.
func (c *recommendCommand) write(r presets.Recommendation, streams Streams) error {
	fmt.Fprintln(streams.Out)
	table := tabwriter.NewWriter(streams.Out, 0, 0, 2, ' ', 0)
	for _, name := range settings.Names() {
		value, _ := r.Settings.Get(name)
		fmt.Fprintf(table, "%s\t%s\n", name, presets.Word(value))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	for i, reason := range r.Reasons {
		gap := "\n"
		if i > 0 && r.Reasons[i-1].Rule == reason.Rule {
			gap = ""
		}
		fmt.Fprintf(streams.Out, "%s%s = %s (%s)\n", gap, reason.Setting, presets.Word(reason.Value), strength(reason))
		if i+1 < len(r.Reasons) && r.Reasons[i+1].Rule == reason.Rule {
			continue // said once for all that it sets
		}
		fmt.Fprintf(streams.Out, "  %s\n", reason.Rule)
		for _, e := range reason.Evidence {
			fmt.Fprintf(streams.Out, "  - %s\n", strings.TrimSpace(e))
		}
	}
	return nil
}

// strength says how much a reason counts.
func strength(r presets.Reason) string {
	switch {
	case r.Required:
		return "required"
	case r.Measured:
		return "measured here"
	}
	return "preferred"
}
