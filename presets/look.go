package presets

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/BurntSushi/toml"

	"greenroom/engine/settings"
)

// Look lays the controls that the preset names over a look.
func (p Preset) Look(base settings.Look) settings.Look {
	l := base
	if len(p.look) > 0 {
		// What the preset holds was checked when it came in.
		_ = decodeLook(p.look, &l)
	}
	return l
}

// LookNames lists the controls that the preset names, as TOML calls them.
func (p Preset) LookNames() []string { return slices.Sorted(maps.Keys(p.look)) }

// SetLook makes the preset hold every control of a look that can work.
func (p *Preset) SetLook(l settings.Look) error {
	if err := l.Validate(); err != nil {
		return err
	}
	p.look = lookTree(l)
	return nil
}

// ChangeLook makes the preset hold the controls that differ between two looks, beside those that it holds already.
func (p *Preset) ChangeLook(from, to settings.Look) error {
	if err := to.Validate(); err != nil {
		return err
	}
	before, after := lookTree(from), lookTree(to)
	look := cloneTable(p.look)
	for name, v := range after {
		inner, isTable := v.(map[string]any)
		if !isTable {
			put(look, name, v, look[name] != nil || v != before[name])
			continue
		}
		kept := cloneTable(asTable(look[name]))
		for key, v := range inner {
			if kept[key] != nil || !reflect.DeepEqual(v, asTable(before[name])[key]) {
				kept[key] = v
			}
		}
		put(look, name, kept, len(kept) > 0)
	}
	p.look = nil
	if len(look) > 0 {
		p.look = look
	}
	return nil
}

// ClearLook makes the preset leave every control as it is.
func (p *Preset) ClearLook() { p.look = nil }

// blame finds the control that cannot work by itself; "" where only several together cannot.
func (p Preset) blame() string {
	for _, name := range p.LookNames() {
		alone := settings.DefaultLook()
		if decodeLook(map[string]any{name: p.look[name]}, &alone) == nil && alone.Validate() != nil {
			return name
		}
	}
	return ""
}

// look takes the controls that there are, and clip as a pair for both of its numbers.
func (r *reader) look(p *Preset) {
	t := r.sub(p.tree, "look")
	known := lookTree(settings.DefaultLook())
	keep := func(name string, v any) {
		if p.look == nil {
			p.look = map[string]any{}
		}
		p.look[name] = v
	}
	for _, name := range slices.Sorted(maps.Keys(t)) {
		v := t[name]
		usual, ok := known[name]
		if !ok {
			continue
		}
		if inner, ok := usual.(map[string]any); ok {
			v = common(v, inner)
		}
		l := settings.DefaultLook()
		if err := decodeLook(map[string]any{name: v}, &l); err != nil {
			r.fail(fmt.Errorf("%s is %s: it is %s", name, short(v), kindOf(usual)), "look", name)
			continue
		}
		// As it will be written: a whole number for a share is a share.
		v = lookTree(l)[name]
		if inner, ok := v.(map[string]any); ok {
			if v = common(inner, asTable(t[name])); len(asTable(v)) == 0 {
				continue
			}
		}
		keep(name, v)
	}
	if clip, ok := t["clip"]; ok {
		pair, err := twoNumbers(clip)
		if err != nil {
			r.fail(fmt.Errorf("clip is %s: %w", short(clip), err), "look", "clip")
		}
		keep("clip_black", pair[0])
		keep("clip_white", pair[1])
	}
	export := r.sub(t, "look", "export")
	var passes []any
	value(r, export, &passes, "a list of passes", "look", "export", "passes")
	for _, pass := range passes {
		word, ok := pass.(string)
		if !ok {
			r.fail(fmt.Errorf("a pass is %s: it is text", short(pass)), "look", "export", "passes")
		}
		p.Export.Passes = append(p.Export.Passes, word)
	}
	value(r, export, &p.Export.Format, "text", "look", "export", "format")
}

// common returns the keys of v that are in known too; v itself where it is no table.
func common(v any, known map[string]any) any {
	t, ok := v.(map[string]any)
	if !ok {
		return v
	}
	kept := map[string]any{}
	for name, inner := range t {
		if _, ok := known[name]; ok {
			kept[name] = inner
		}
	}
	return kept
}

// twoNumbers reads a pair such as [0.02, 0.98].
func twoNumbers(v any) (pair [2]float64, err error) {
	list, ok := v.([]any)
	if !ok || len(list) != 2 {
		return pair, errors.New("it is two numbers such as [0.02, 0.98]")
	}
	for i, n := range list {
		switch n := n.(type) {
		case float64:
			pair[i] = n
		case int64:
			pair[i] = float64(n)
		default:
			return pair, errors.New("it is two numbers such as [0.02, 0.98]")
		}
	}
	return pair, nil
}

// kindOf says what kind of value a control takes.
func kindOf(usual any) string {
	switch usual.(type) {
	case bool:
		return "true or false"
	case string:
		return "text"
	case int64:
		return "a whole number"
	case map[string]any:
		return "a table"
	}
	return "a number"
}

// encodeLook lays the controls that the preset names over a look's table.
func (p Preset) encodeLook(look map[string]any) {
	for name, usual := range lookTree(settings.DefaultLook()) {
		v, ok := p.look[name]
		inner, isTable := usual.(map[string]any)
		if !isTable {
			put(look, name, v, ok)
			continue
		}
		t := subtable(look, name)
		for key := range inner {
			v, ok := asTable(v)[key]
			put(t, key, v, ok)
		}
		put(look, name, t, len(t) > 0)
	}
	delete(look, "clip") // written as its two numbers
	export := subtable(look, "export")
	put(export, "passes", p.Export.Passes, len(p.Export.Passes) > 0)
	put(export, "format", p.Export.Format, p.Export.Format != "")
	put(look, "export", export, len(export) > 0)
}

// lookTree returns a look as TOML holds it.
func lookTree(l settings.Look) map[string]any {
	var text bytes.Buffer
	tree := map[string]any{}
	if err := toml.NewEncoder(&text).Encode(l); err != nil {
		panic(fmt.Sprintf("presets: a look cannot be written: %v", err)) // it is plain data
	}
	if _, err := toml.Decode(text.String(), &tree); err != nil {
		panic(fmt.Sprintf("presets: a look cannot be read back: %v", err))
	}
	return tree
}

// decodeLook lays controls as TOML holds them over a look. On an error nothing changes.
func decodeLook(tree map[string]any, l *settings.Look) error {
	var text bytes.Buffer
	if err := toml.NewEncoder(&text).Encode(tree); err != nil {
		return err
	}
	changed := *l
	if _, err := toml.Decode(text.String(), &changed); err != nil {
		return err
	}
	*l = changed
	return nil
}
