package command

import (
	"errors"
	"fmt"

	"greenroom/app/keying"
	"greenroom/engine/settings"
	"greenroom/presets"
)

// presetSaveCommand is greenroom preset save.
type presetSaveCommand struct {
	Name string `arg:"" help:"The preset's name."`

	From  path   `placeholder:"PRESET" help:"Begin with what another preset says, or auto."`
	Like  path   `placeholder:"SIDECAR" help:"Take settings, look and model from the .toml file beside a key."`
	Notes string `placeholder:"TEXT" help:"What the preset is for."`

	As        path `group:"Which machines it is for:" placeholder:"MACHINE" help:"Machines of this chip and memory. Default: this machine's."`
	Any       bool `group:"Which machines it is for:" help:"Any machine."`
	Measured  bool `group:"Which machines it is for:" help:"Take along what greenroom bench measured on this machine."`
	Overwrite bool `help:"Replace a preset of the artist's that has the name."`

	Model  path        `placeholder:"NAME|FILE" help:"The model to key with."`
	Device path        `placeholder:"auto|cpu|vulkan|metal" help:"Where to run."`
	Engine engineFlags `embed:"" group:"Engine settings:"`
	Screen *string     `group:"Look:" placeholder:"auto|green|blue" help:"The screen's colour."`
	Look   lookFlags   `embed:"" group:"Look:"`
	Passes []string    `group:"Output:" placeholder:"PASS" help:"What to write: key, matte, fg, comp."`
	Format formatName  `group:"Output:" placeholder:"png|tiff|exr" help:"How to write it."`
}

// Run saves the preset.
func (c *presetSaveCommand) Run(streams Streams) error {
	if c.Any && c.As != "" {
		return badUsage("--any and --as: choose")
	}
	m, err := machineOf(c.As, streams)
	if err != nil {
		return err
	}
	s, err := store()
	if err != nil {
		return err
	}
	p, err := c.start(m)
	if err != nil {
		return err
	}
	if err := c.lay(&p); err != nil {
		return err
	}
	switch {
	case c.Any:
		p.Match = presets.Match{}
	case c.From == "" || c.As != "":
		p.Match = m.Match()
	}
	if c.Measured {
		if p.Measured = measuredOn(m, streams); len(p.Measured) == 0 {
			return fmt.Errorf("nothing was measured on %s (run greenroom bench on it)", m)
		}
	}
	if len(p.Engine.Settings) == 0 && p.Engine.Model == "" && p.Engine.Device == "" && len(p.LookNames()) == 0 &&
		len(p.Measured) == 0 && len(p.Export.Passes) == 0 && p.Export.Format == "" {
		return badUsage("there is nothing to save: name a setting such as --tile 512, or --from PRESET, --like SIDECAR, --measured")
	}
	old, err := s.Load(c.Name)
	if err == nil && !old.BuiltIn() && c.Overwrite {
		p.Path = old.Path
	}
	saved, err := s.Save(p)
	if errors.Is(err, presets.ErrExists) {
		return fmt.Errorf("%w, or replace it by --overwrite", err)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(streams.Out, "%s: %s\n", printable(saved.Name), saved.Path)
	return nil
}

// start is what the preset begins with: nothing, another preset, a key's sidecar.
func (c *presetSaveCommand) start(m presets.Machine) (presets.Preset, error) {
	p := presets.Preset{}
	if c.From != "" {
		from, err := findPreset(string(c.From), m)
		if err != nil {
			return p, err
		}
		p = from.Copy()
	}
	p.Name = c.Name
	if c.Like == "" {
		return p, nil
	}
	like, err := keying.ReadLike(string(c.Like))
	if err != nil {
		return p, err
	}
	p.SetSettings(like.Settings())
	p.Engine.Model, _ = like.Model()
	look := like.Look()
	if look.Background == settings.BackgroundPicture {
		look.Background = settings.DefaultLook().Background // the picture is that plate's
	}
	return p, p.SetLook(look)
}

// lay puts what the flags name over a preset.
func (c *presetSaveCommand) lay(p *presets.Preset) error {
	asked, err := c.Engine.asked()
	if err != nil {
		return err
	}
	s := settings.Default()
	for _, a := range asked {
		if err := s.Set(a.Name, a.Value); err != nil {
			return err
		}
		if p.Engine.Settings == nil {
			p.Engine.Settings = map[string]any{}
		}
		p.Engine.Settings[a.Name], _ = s.Get(a.Name)
	}
	if c.Model != "" {
		p.Engine.Model = string(c.Model)
	}
	if c.Device != "" {
		p.Engine.Device = string(c.Device)
	}
	if len(c.Passes) > 0 {
		p.Export.Passes = c.Passes
	}
	if c.Format != "" {
		p.Export.Format = string(c.Format)
	}
	if c.Notes != "" {
		p.Notes = c.Notes
	}
	return c.layLook(p)
}

// layLook keeps the controls that a flag names, and no others.
func (c *presetSaveCommand) layLook(p *presets.Preset) error {
	base := p.Look(settings.DefaultLook())
	look := base
	set(&look.Screen, c.Screen, word[settings.Screen])
	picture, err := c.Look.apply(&look)
	if err != nil {
		return err
	}
	if picture != "" || len(c.Look.Keep) > 0 {
		return badUsage("a preset is for any plate: --keep and a picture as --background belong to one")
	}
	return p.ChangeLook(base, look)
}
