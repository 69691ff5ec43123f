package presets

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"greenroom/engine/settings"
)

// Setting is a single setting that was asked for, as text: "tile", "512".
type Setting struct{ Name, Value string }

// Preset is a way to key that was given a name: what it does not name is left to the rules and to the defaults.
type Preset struct {
	Name  string
	Notes string
	// Path is its file; empty for a built-in preset, and for a new one that was not saved yet.
	Path string
	// Match says which machines it is for.
	Match    Match
	Engine   Engine
	Export   Export
	Measured []settings.Measured

	builtIn bool
	// look holds the controls that the preset names, as settings.Look writes them in TOML.
	look map[string]any
	// tree is the file as it was read, for the keys that this Greenroom does not know.
	tree map[string]any
}

// Engine is how a preset runs the network.
type Engine struct {
	// Settings are the settings that it chooses, by name: a bool, an int or a string each.
	Settings map[string]any
	// Model is a model's name or file, Device one of Devices or vulkan:NAME; empty leaves them to the artist.
	Model  string
	Device string
}

// Export is what a preset writes.
type Export struct {
	// Passes are words such as key and matte, Format is one such as png; empty leaves them to the artist.
	Passes []string
	Format string
}

// Devices lists what a preset may name as its device.
func Devices() []string { return []string{"auto", "cpu", "vulkan", "metal"} }

// BuiltIn reports whether the preset is part of the program and cannot be changed.
func (p Preset) BuiltIn() bool { return p.builtIn }

// Asked returns the settings that the preset chooses, in the order of settings.Names. A small tile brings its
// overlap along where the preset does not name one.
func (p Preset) Asked() []Setting {
	var list []Setting
	for _, name := range settings.Names() {
		if v, ok := p.Engine.Settings[name]; ok {
			list = append(list, Setting{name, fmt.Sprint(v)})
		}
	}
	s := settings.Default()
	_ = apply(&s, list) // a preset holds only what settings take
	if _, named := p.Engine.Settings["overlap"]; !named && s.Tile > 0 && s.Overlap > s.Tile/2 {
		list = append(list, Setting{"overlap", fmt.Sprint(s.Tile / 2)})
	}
	return list
}

// settings are the preset's over the defaults.
func (p Preset) settings() settings.Settings {
	s := settings.Default()
	_ = apply(&s, p.Asked()) // what settings do not take was refused when it came in
	return s
}

// SetSettings makes the preset choose every setting.
func (p *Preset) SetSettings(s settings.Settings) { p.Engine.Settings = s.Map() }

// Copy returns a preset that says the same and has no file: a new one, which can be changed.
func (p Preset) Copy() Preset {
	c := p
	c.Path, c.builtIn = "", false
	c.look, c.tree = cloneTable(p.look), cloneTable(p.tree)
	c.Engine.Settings = maps.Clone(p.Engine.Settings)
	c.Export.Passes, c.Measured = slices.Clone(p.Export.Passes), slices.Clone(p.Measured)
	return c
}

// On says which device a preset's key runs on here, and what was adjusted: one that the machine cannot have is auto.
func (p Preset) On(m Machine) (device string, adjusted []Adjusted) {
	why := ""
	kind, _, _ := strings.Cut(p.Engine.Device, ":")
	switch {
	case kind == "metal" && !m.Apple():
		why = "Metal is on Macs only"
	case kind == "vulkan" && m.Apple():
		why = "on Macs Greenroom uses Metal"
	case kind == "vulkan" && m.GPU == nil:
		why = "this machine has no GPU that Greenroom can use"
	}
	if why == "" {
		return p.Engine.Device, nil
	}
	return "auto", []Adjusted{{Setting: "device", Asked: p.Engine.Device, Used: "auto", Why: why}}
}

// check reports the first thing in a preset that cannot work, and the keys of the file that say so.
func (p Preset) check() (key []string, err error) {
	if err := CheckName(p.Name); err != nil {
		return []string{"name"}, err
	}
	if key, err := p.Match.check(); err != nil {
		return []string{"machine", key}, err
	}
	if key, err := p.Engine.check(); err != nil {
		return []string{"engine", key}, err
	}
	look := settings.DefaultLook()
	for _, name := range p.LookNames() {
		if err := decodeLook(map[string]any{name: p.look[name]}, &look); err != nil {
			return []string{"look", name}, err
		}
	}
	if err := look.Validate(); err != nil {
		return []string{"look", p.blame()}, err
	}
	if key, err := p.Export.check(); err != nil {
		return []string{"look", "export", key}, err
	}
	for i, row := range p.Measured {
		if err := checkMeasured(row); err != nil {
			return []string{"measured"}, fmt.Errorf("row %d: %w", i+1, err)
		}
	}
	return nil, nil
}

func (e Engine) check() (key string, err error) {
	s := settings.Default()
	for _, name := range settings.Names() {
		v, ok := e.Settings[name]
		if !ok {
			continue
		}
		if err := s.Set(name, fmt.Sprint(v)); err != nil {
			return name, err
		}
		// Each by itself first, to name the one that is to blame; an overlap goes with its tile.
		alone := Preset{Engine: Engine{Settings: map[string]any{name: v}}}
		if err := alone.settings().Validate(); err != nil && name != "overlap" {
			return name, err
		}
	}
	for name := range e.Settings {
		if _, ok := s.Get(name); !ok {
			return name, s.Set(name, "")
		}
	}
	if err := (Preset{Engine: e}).settings().Validate(); err != nil {
		return "overlap", err
	}
	if named := strings.HasPrefix(e.Device, "vulkan:") && len(e.Device) > len("vulkan:"); e.Device != "" && !named && !slices.Contains(Devices(), e.Device) {
		return "device", fmt.Errorf("device is %q: it is %s", e.Device, orList(Devices()))
	}
	return "", nil
}

func (e Export) check() (key string, err error) {
	passes, formats := []string{"key", "matte", "fg", "comp"}, []string{"png", "tiff", "exr"}
	for _, pass := range e.Passes {
		if !slices.Contains(passes, pass) {
			return "passes", fmt.Errorf("a pass is %q: it is %s", pass, orList(passes))
		}
	}
	if e.Format != "" && !slices.Contains(formats, e.Format) {
		return "format", fmt.Errorf("format is %q: it is %s", e.Format, orList(formats))
	}
	return "", nil
}

// checkMeasured reports a row that no bench can have written.
func checkMeasured(row settings.Measured) error {
	if y := row.At.Year(); y < 2000 || y > 9000 {
		return fmt.Errorf("at is %s: it is the time of the bench", row.At.Format("2006-01-02"))
	}
	return row.Validate()
}

// orList writes "a, b or c".
func orList(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// apply lays single settings over s, in order.
func apply(s *settings.Settings, asked []Setting) error {
	for _, a := range asked {
		if err := s.Set(a.Name, a.Value); err != nil {
			return err
		}
	}
	return nil
}
