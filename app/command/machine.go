package command

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"

	"greenroom/app/keying"
	"greenroom/engine/device/choose"
	"greenroom/engine/settings"
	"greenroom/presets"
)

// machineCommand is greenroom machine.
type machineCommand struct {
	As   path `placeholder:"MACHINE" help:"Show another machine: \"Apple M4 Pro, 24 GB\", or \"CHIP, N GB, GPU NAME N GB\"."`
	JSON bool `name:"json" help:"The machine as a JSON object."`
}

// shownMachine is the object of machine --json: the machine, and for this one the device that keys run on.
type shownMachine struct {
	presets.Machine
	// Limit is the memory in bytes that a key may take.
	Limit  int64        `json:"limit_bytes"`
	Device *shownDevice `json:"device,omitempty"`
}

// shownDevice is what keys run on.
type shownDevice struct {
	Kind     string   `json:"kind"`
	Name     string   `json:"name"`
	Features []string `json:"features"`
	// Why says why it is the processor and no GPU; empty for a GPU.
	Why string `json:"why"`
	// Replaced names the GPU's kernels that failed their test; slower ones take their place.
	Replaced []string `json:"replaced"`
}

// Run shows the machine. For this one it opens the device that keys run on, which is tested the first time.
func (c *machineCommand) Run(ctx context.Context, streams Streams) error {
	m, err := machineOf(c.As, streams)
	if err != nil {
		return err
	}
	var using choose.Using
	if c.As == "" && streams.detector == nil {
		d, u, err := choose.Open(ctx, keying.DeviceOptions(choose.Auto))
		if err == nil {
			err = d.Close()
		}
		if err != nil {
			return err
		}
		using, m = u, keying.On(m, u)
	}
	if c.JSON {
		shown := shownMachine{Machine: m, Limit: m.Limit()}
		if using.Kind != "" {
			shown.Device = &shownDevice{using.Kind, using.Name, append([]string{}, using.Features...), using.Why, append([]string{}, using.Replaced...)}
		}
		return printJSON(streams, shown)
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
		row("gpu", "none that keys can run on")
	}
	if using.Kind != "" {
		row("device", "%s (%s)", keying.DeviceWords(using), strings.Join(using.Features, " "))
	}
	if using.Why != "" {
		row("why", "%s", printable(using.Why))
	}
	if len(using.Replaced) > 0 {
		row("replaced", "kernels that failed their test: %s (report it with the output of greenroom selftest)", strings.Join(using.Replaced, ", "))
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
	return presets.This{GPUs: keying.GPUs()}.Machine()
}

// on is a machine as it is when keys run on a device; one that a test put in place stays as it is.
func (s Streams) on(m presets.Machine, u choose.Using) presets.Machine {
	if s.detector != nil {
		return m
	}
	return keying.On(m, u)
}

// machineOf is the machine that words name, or this one.
func machineOf(as path, streams Streams) (presets.Machine, error) {
	if as == "" {
		return streams.machine()
	}
	m, err := presets.As(string(as)).Machine()
	if err != nil {
		return m, badUsage("--as: %w", err)
	}
	return m, nil
}

// measuredOn returns the rows of a machine's benches. A history that cannot be read is told of and spoils nothing.
func measuredOn(m presets.Machine, streams Streams) []settings.Measured {
	history, err := userHistory(m.String())
	if err != nil {
		return nil // no folder for settings: nothing was kept
	}
	rows, _, err := history.Read()
	if err != nil {
		complain(streams, err)
	}
	return rows
}
