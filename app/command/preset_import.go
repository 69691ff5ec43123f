package command

import (
	"context"
	"fmt"

	"greenroom/app/keying"
	"greenroom/presets"
)

// presetImportCommand is greenroom preset import.
type presetImportCommand struct {
	File  path   `arg:"" help:"The preset file."`
	Size  int    `placeholder:"N" default:"2048" help:"The size of the plates to check it for: the root of width x height, in pixels. Default: ${default}."`
	Model string `placeholder:"NAME|FILE" help:"The model to check it for. Default: the preset's, else nano."`
}

// Run takes a preset file in, and tells what this machine adjusts. That changes nothing in the file.
func (c *presetImportCommand) Run(ctx context.Context, streams Streams) error {
	if err := checkSize(c.Size); err != nil {
		return err
	}
	m, err := streams.machine()
	if err != nil {
		complain(streams, err)
	}
	s, err := store()
	if err != nil {
		return err
	}
	p, err := s.Import(string(c.File))
	if err != nil {
		return err
	}
	fmt.Fprintf(streams.Out, "%s: %s\n", printable(p.Name), p.Path)
	return c.tell(ctx, p, m, streams)
}

// tell says what a key of the size would adjust here.
func (c *presetImportCommand) tell(ctx context.Context, p presets.Preset, m presets.Machine, streams Streams) error {
	name := keying.DefaultModel
	switch {
	case c.Model != "":
		name = c.Model
	case p.Engine.Model != "":
		name = p.Engine.Model
	}
	model, err := keying.OpenModel(ctx, name)
	if err != nil {
		fmt.Fprintf(streams.Err, "greenroom: %s: what is adjusted here is not known: %s\n", printable(p.Name), printable(err.Error()))
		return nil
	}
	defer model.Close()
	choice, err := keying.ChooseFor(keying.Order{Machine: m, Model: model, Preset: &p, Measured: measuredOn(m, streams)}, c.Size, c.Size)
	if err != nil {
		return err
	}
	for _, n := range choice.Notes {
		fmt.Fprintf(streams.Err, "greenroom: %s: %s\n", printable(p.Name), printable(n))
	}
	for _, a := range choice.Adjusted {
		fmt.Fprintf(streams.Err, "greenroom: %s: at %d %s is %s instead of %s: %s\n",
			printable(p.Name), c.Size, a.Setting, presets.Word(a.Used), presets.Word(a.Asked), printable(a.Why))
	}
	return nil
}
