package presets

import (
	"bytes"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"time"

	"github.com/BurntSushi/toml"

	"greenroom/engine/settings"
)

// Text is the preset as the TOML of its file.
func (p Preset) Text() (string, error) {
	text, err := p.encode()
	return string(text), err
}

// encode writes a preset as TOML: what this Greenroom knows, and every key that it does not know as it was read.
func (p Preset) encode() ([]byte, error) {
	tree := cloneTable(p.tree)
	put(tree, "schema", int64(Schema), true)
	put(tree, "name", p.Name, true)
	put(tree, "notes", p.Notes, p.Notes != "")

	machine := subtable(tree, "machine")
	put(machine, "chip", p.Match.Chip, p.Match.Chip != "")
	for name, n := range p.Match.numbers() {
		put(machine, name, int64(*n), *n != 0)
	}

	engine := subtable(tree, "engine")
	for _, name := range settings.Names() {
		v, ok := p.Engine.Settings[name]
		put(engine, name, v, ok)
	}
	put(engine, "model", p.Engine.Model, p.Engine.Model != "")
	put(engine, "device", p.Engine.Device, p.Engine.Device != "")

	p.encodeLook(subtable(tree, "look"))
	if err := p.encodeMeasured(tree); err != nil {
		return nil, err
	}
	for _, name := range []string{"machine", "engine", "look"} {
		put(tree, name, tree[name], len(asTable(tree[name])) > 0)
	}
	return encodeTree(tree)
}

// encodeMeasured writes the rows. One that is as it was read keeps the keys that this Greenroom does not know.
func (p Preset) encodeMeasured(tree map[string]any) error {
	old, _ := tree["measured"].([]map[string]any)
	var rows []map[string]any
	for _, row := range p.Measured {
		t, err := encodeRow(row)
		if err != nil {
			return err
		}
		for _, o := range old {
			if was, err := decodeMeasured(o); err == nil && reflect.DeepEqual(was, row) {
				t = overlay(o, t)
				break
			}
		}
		rows = append(rows, t)
	}
	put(tree, "measured", rows, len(rows) > 0)
	return nil
}

// decodeMeasured reads one row.
func decodeMeasured(tree map[string]any) (settings.Measured, error) {
	var row settings.Measured
	text, err := encodeTree(tree)
	if err != nil {
		return row, err
	}
	if _, err := toml.Decode(string(text), &row); err != nil {
		return row, fmt.Errorf("a value is of the wrong kind: %w", err)
	}
	row.At = row.At.UTC().Truncate(time.Second)
	return row, nil
}

// encodeRow returns one row as a table.
func encodeRow(row settings.Measured) (map[string]any, error) {
	row.At = row.At.UTC().Truncate(time.Second)
	var text bytes.Buffer
	if err := toml.NewEncoder(&text).Encode(row); err != nil {
		return nil, err
	}
	tree := map[string]any{}
	_, err := toml.Decode(text.String(), &tree)
	return tree, err
}

// overlay lays a table over another, tables within them likewise.
func overlay(under, over map[string]any) map[string]any {
	merged := cloneTable(under)
	for key, v := range over {
		if t, ok := v.(map[string]any); ok {
			v = overlay(asTable(merged[key]), t)
		}
		merged[key] = v
	}
	return merged
}

// put sets a key, or removes it where it has no value.
func put(table map[string]any, key string, v any, has bool) {
	if has {
		table[key] = v
	} else {
		delete(table, key)
	}
}

// subtable returns the table within another, made if it is not there.
func subtable(tree map[string]any, key string) map[string]any {
	t, ok := tree[key].(map[string]any)
	if !ok {
		t = map[string]any{}
		tree[key] = t
	}
	return t
}

// cloneTable copies a table with all that is in it.
func cloneTable(t map[string]any) map[string]any {
	c := make(map[string]any, len(t))
	for key, v := range t {
		c[key] = cloneValue(v)
	}
	return c
}

func cloneValue(v any) any {
	switch v := v.(type) {
	case map[string]any:
		return cloneTable(v)
	case []map[string]any:
		list := make([]map[string]any, len(v))
		for i := range v {
			list[i] = cloneTable(v[i])
		}
		return list
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = cloneValue(v[i])
		}
		return list
	}
	return v
}

// encodeTree writes a tree in an order for readers: schema, name and notes, other values, then the tables.
func encodeTree(tree map[string]any) ([]byte, error) {
	order := []string{"schema", "name", "notes", "machine", "engine", "look", "measured"}
	rank := func(key string) int {
		if i := slices.Index(order, key); i >= 0 {
			return i
		}
		return len(order)
	}
	keys := slices.SortedFunc(maps.Keys(tree), func(a, b string) int {
		ta, tb := isTable(tree[a]), isTable(tree[b])
		switch {
		case ta != tb && tb:
			return -1
		case ta != tb:
			return 1
		case rank(a) != rank(b):
			return rank(a) - rank(b)
		case a < b:
			return -1
		}
		return 1
	})
	var text bytes.Buffer
	for i, key := range keys {
		if i > 0 && isTable(tree[key]) {
			text.WriteByte('\n')
		}
		encoder := toml.NewEncoder(&text)
		encoder.Indent = ""
		if err := encoder.Encode(map[string]any{key: tree[key]}); err != nil {
			return nil, fmt.Errorf("write %s: %w", key, err)
		}
	}
	return text.Bytes(), nil
}

func isTable(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		return true
	case []map[string]any:
		return len(v) > 0
	}
	return false
}
