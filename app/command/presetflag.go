package command

import (
	"errors"
	"fmt"
	"strings"

	"greenroom/presets"
)

// store is where the artist's presets lie.
func store() (presets.Store, error) {
	folder, err := presets.Folder()
	return presets.Store{Folder: folder}, err
}

// findPreset returns the preset of a name, or with auto the one that fits the machine best.
func findPreset(name string, m presets.Machine) (presets.Preset, error) {
	s, err := store()
	if err != nil {
		return presets.Preset{}, err
	}
	if name == presets.Auto {
		p, ok := s.For(m)
		if !ok {
			return p, fmt.Errorf("no preset fits %s (choose one of greenroom preset list)", m)
		}
		return p, nil
	}
	p, err := s.Load(name)
	if errors.Is(err, presets.ErrUnknown) {
		return p, badUsage("preset %w", err)
	}
	return p, err
}

// preset returns the preset that --preset names, nil for none, and the device to key on. Where --device names one, the
// preset's does not count.
func (c *keyCommand) preset(m presets.Machine) (*presets.Preset, string, error) {
	if c.Preset == "" {
		return nil, string(c.Device), nil
	}
	p, err := findPreset(string(c.Preset), m)
	if err != nil {
		return nil, "", err
	}
	if c.Device != "" {
		p.Engine.Device = ""
		return &p, string(c.Device), nil
	}
	device, _ := p.On(m) // the key's report says so where it is another one
	return &p, device, nil
}

// export returns the passes and the format: those of the flags, else the preset's, else the usual ones.
func (c *keyCommand) export(preset *presets.Preset) (passes []string, format formatName, err error) {
	format = c.Format
	for _, text := range c.Passes {
		passes = append(passes, strings.Split(text, ",")...)
	}
	if preset != nil && len(passes) == 0 {
		passes = preset.Export.Passes
	}
	if preset != nil && format == "" && preset.Export.Format != "" {
		if err := format.UnmarshalText([]byte(preset.Export.Format)); err != nil {
			return nil, "", fmt.Errorf("the preset %s: %w (or give --format)", preset.Name, err)
		}
	}
	if len(passes) == 0 {
		passes = []string{"key", "matte"}
	}
	return passes, format, nil
}
