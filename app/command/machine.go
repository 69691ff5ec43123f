package command

import (
	"fmt"
	"text/tabwriter"

	"greenroom/engine/bench"
	"greenroom/engine/settings"
	"greenroom/presets"
)

// machineCommand is greenroom machine.
type machineCommand struct {
	As   string `placeholder:"MACHINE" help:"Show another machine: \"Apple M4 Pro, 24 GB\", or \"CHIP, N GB, GPU NAME N GB\"."`
	JSON bool   `name:"json" help:"The machine as a JSON object."`
}

// Run shows the machine.
func (c *machineCommand) Run(streams Streams) error {
	m, err := machineOf(c.As, streams)
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(streams, m)
	}
	table := tabwriter.NewWriter(streams.Out, 0, 0, 2, ' ', 0)
	row := func(name, format string, values ...any) {
		fmt.Fprintf(table, "%s\t%s\n", name, fmt.Sprintf(format, values...))
	}
	row("chip", "%s", m.Chip)
	if m.Generation != "" {
		row("generation", "%s %s", m.Generation, m.Tier)
	}
	row("memory", "%d GB", m.MemoryGB)
	if m.GPUCores > 0 {
		row("gpu cores", "%d", m.GPUCores)
	}
	if m.GPU != nil {
		row("gpu", "%s, %d GB", m.GPU.Name, m.GPU.MemoryGB)
	} else {
		row("gpu", "none that Greenroom can use yet: keys run on the processor")
	}
	if m.OS != "" {
		row("system", "%s", m.OS)
	}
	row("limit", "%s for a key", presets.Memory(m.Limit()))
	return table.Flush()
}

// machine is the machine that settings are chosen for: this one, unless a test put another in its place.
func (s Streams) machine() (presets.Machine, error) {
	if s.detector != nil {
		return s.detector.Machine()
	}
	return presets.This{}.Machine()
}

// machineOf is the machine that words name, or this one.
func machineOf(as string, streams Streams) (presets.Machine, error) {
	if as == "" {
		return streams.machine()
	}
	m, err := presets.As(as).Machine()
	if err != nil {
		return m, badUsage("--as: %w", err)
	}
	return m, nil
}

// measuredOn returns the rows of a machine's benches. A history that cannot be read is told of and spoils nothing.
func measuredOn(m presets.Machine, streams Streams) []settings.Measured {
	history, err := bench.UserHistory(m.String())
	if err != nil {
		return nil // no folder for settings: nothing was kept
	}
	rows, _, err := history.Read()
	if err != nil {
		complain(streams, err)
	}
	return rows
}
