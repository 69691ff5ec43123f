package command

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"greenroom/app/keying"
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

// chosen returns the passes and the format that the flags name; none where they do not.
func (c *keyCommand) chosen() (e keying.Export, err error) {
	var names []string
	for _, text := range c.Passes {
		names = append(names, strings.Split(text, ",")...)
	}
	e.Format = keying.Format(c.Format)
	if e.Passes, err = passes(names); err == nil && len(c.Passes) > 0 && len(e.Passes) == 0 {
		err = badUsage("--passes names nothing: choose from key, matte, fg, comp")
	}
	return e, err
}

// usual returns the passes and the format of keys of which the flags do not say: the preset's, else the usual ones.
func usual(preset *presets.Preset) (e keying.Export, err error) {
	if preset != nil {
		if e.Passes, err = passes(preset.Export.Passes); err != nil {
			return e, fmt.Errorf("the preset %s: %w (or give --passes)", preset.Name, err)
		}
		if format := preset.Export.Format; format != "" {
			var f formatName
			if err := f.UnmarshalText([]byte(format)); err != nil {
				return e, fmt.Errorf("the preset %s: %w (or give --format)", preset.Name, err)
			}
			e.Format = keying.Format(f)
		}
	}
	if len(e.Passes) == 0 {
		e.Passes = []keying.Pass{keying.PassKey, keying.PassMatte}
	}
	return e, nil
}

// passes returns the passes of some names, each once.
func passes(names []string) (list []keying.Pass, err error) {
	for _, name := range names {
		pass := keying.Pass(strings.TrimSpace(name))
		if !slices.Contains(keying.Passes(), pass) {
			return nil, badUsage("--passes: %q is not one of key, matte, fg, comp", name)
		}
		if !slices.Contains(list, pass) {
			list = append(list, pass)
		}
	}
	return list, nil
}
