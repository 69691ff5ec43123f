package command

import (
	"fmt"
	"text/tabwriter"

	"greenroom/app/keying"
	"greenroom/engine/checkpoint"
	"greenroom/engine/settings"
	"greenroom/presets"
)

// presetCommand is greenroom preset.
type presetCommand struct {
	Recommend recommendCommand `cmd:"" help:"Show the settings that suit a machine, and why."`
}

// recommendCommand is greenroom preset recommend.
type recommendCommand struct {
	As    string `placeholder:"MACHINE" help:"Another machine: \"Apple M4 Pro, 24 GB\", or \"CHIP, N GB, GPU NAME N GB\"."`
	Size  int    `placeholder:"N" default:"2048" help:"The size of the plate: the root of width x height, in pixels. Default: ${default}."`
	Model string `placeholder:"NAME" default:"nano" help:"A model of the catalogue. Default: ${default}."`
	JSON  bool   `name:"json" help:"The recommendation as a JSON object."`
}

// recommendation is the object of preset recommend --json.
type recommendation struct {
	Machine  presets.Machine  `json:"machine"`
	Settings map[string]any   `json:"settings"`
	Reasons  []presets.Reason `json:"reasons"`
}

// Run shows the recommendation.
func (c *recommendCommand) Run(streams Streams) error {
	if c.Size < 1 || c.Size > settings.MaxSize {
		return badUsage("--size is %d: give pixels from 1 to %d", c.Size, settings.MaxSize)
	}
	m, err := machineOf(c.As)
	if err != nil {
		return err
	}
	entry, err := checkpoint.Find(c.Model)
	if err != nil {
		return err
	}
	r, err := presets.Recommend(presets.Request{Machine: m, Size: float64(c.Size), TileFrom: keying.TileFrom(entry)})
	if err != nil {
		return err
	}
	for _, n := range r.Notes {
		fmt.Fprintf(streams.Err, "greenroom: %s\n", n)
	}
	if c.JSON {
		return printJSON(streams, recommendation{Machine: m, Settings: r.Settings.Map(), Reasons: r.Reasons})
	}
	fmt.Fprintf(streams.Out, "%s, plates of size %d, model %s\n\n", m, c.Size, c.Model)
	table := tabwriter.NewWriter(streams.Out, 0, 0, 2, ' ', 0)
	for _, name := range settings.Names() {
		value, _ := r.Settings.Get(name)
		fmt.Fprintf(table, "%s\t%s\n", name, presets.Word(value))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	for i, reason := range r.Reasons {
		strength := "preferred"
		if reason.Required {
			strength = "required"
		}
		gap := "\n"
		if i > 0 && r.Reasons[i-1].Rule == reason.Rule {
			gap = ""
		}
		fmt.Fprintf(streams.Out, "%s%s = %s (%s)\n", gap, reason.Setting, presets.Word(reason.Value), strength)
		if i+1 < len(r.Reasons) && r.Reasons[i+1].Rule == reason.Rule {
			continue // said once for all that it sets
		}
		fmt.Fprintf(streams.Out, "  %s\n", reason.Rule)
		for _, e := range reason.Evidence {
			fmt.Fprintf(streams.Out, "  - %s\n", e)
		}
	}
	return nil
}
