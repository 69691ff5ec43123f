package command

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"greenroom/engine/settings"
	"greenroom/presets"
)

// presetCommand is greenroom preset.
type presetCommand struct {
	List      presetListCommand   `cmd:"" help:"List the presets, with the one that fits this machine best."`
	Show      presetShowCommand   `cmd:"" help:"Show a preset as the TOML of its file."`
	Recommend recommendCommand    `cmd:"" help:"Show the settings that suit a machine, and why."`
	Save      presetSaveCommand   `cmd:"" help:"Save settings and a look as a preset."`
	Import    presetImportCommand `cmd:"" help:"Take a preset file from elsewhere, and show what is adjusted on this machine."`
}

// presetListCommand is greenroom preset list.
type presetListCommand struct {
	As path `placeholder:"MACHINE" help:"Another machine: \"Apple M4 Pro, 24 GB\", or \"CHIP, N GB, GPU NAME N GB\"."`
}

// Run lists the presets. Files that are broken are told of, and fail the command once the others are listed.
func (c *presetListCommand) Run(streams Streams) error {
	m, err := machineOf(c.As, streams)
	if err != nil {
		return err
	}
	s, err := store()
	if err != nil {
		return err
	}
	list, broken := s.List()
	best, _ := s.For(m)
	table := tabwriter.NewWriter(streams.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "\tNAME\tFOR\tSETTINGS\tWHERE")
	for _, p := range list {
		mark, where := "", "built in"
		if p.Name == best.Name && p.Path == best.Path {
			mark = "*"
		}
		if !p.BuiltIn() {
			where = p.Path
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", mark, printable(p.Name), printable(p.Match.String()), summary(p), printable(where))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(streams.Out, "\n* fits %s best: --preset auto\n", m)
	for _, err := range broken {
		complain(streams, err)
	}
	if len(broken) > 0 {
		return errFailed
	}
	return nil
}

// summary is what a preset chooses, in a few words: "sdpa off, tile 512, a look". Toggles that are as usual go unsaid.
func summary(p presets.Preset) string {
	var parts []string
	if p.Engine.Model != "" {
		parts = append(parts, p.Engine.Model)
	}
	usual := settings.Default()
	for _, a := range p.Asked() {
		switch value, _ := usual.Get(a.Name); {
		case slices.Contains([]string{"tile", "overlap", "frame", "refine"}, a.Name):
			parts = append(parts, a.Name+" "+a.Value)
		case p.Engine.Settings[a.Name] != value:
			parts = append(parts, a.Name+" "+presets.Word(p.Engine.Settings[a.Name]))
		}
	}
	if len(p.LookNames()) > 0 {
		parts = append(parts, "a look")
	}
	if n := len(p.Measured); n > 0 {
		parts = append(parts, fmt.Sprintf("%d measured rows", n))
	}
	if len(parts) == 0 {
		return "by the rules"
	}
	return printable(strings.Join(parts, ", "))
}

// presetShowCommand is greenroom preset show.
type presetShowCommand struct {
	Name string `arg:"" help:"The preset's name, or auto for the one that fits this machine best."`
}

// Run shows the file's text on standard output, so that it can be kept and edited.
func (c *presetShowCommand) Run(streams Streams) error {
	m, err := streams.machine()
	if err != nil {
		complain(streams, err)
	}
	p, err := findPreset(c.Name, m)
	if err != nil {
		return err
	}
	text, err := p.Text()
	if err != nil {
		return err
	}
	fmt.Fprint(streams.Out, text)
	if misfit := p.Match.Misfit(m); misfit != "" {
		fmt.Fprintf(streams.Err, "greenroom: %s: %s\n", printable(p.Name), printable(misfit))
	}
	return nil
}
