package presets

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"greenroom/engine/settings"
)

// Schema is the version of a preset file's layout.
const Schema = 1

// Limits on a preset file, far over what any needs, so that a hostile one cannot take the machine down.
const (
	mostBytes = 1 << 20
	mostDepth = 100
)

// FileError says what is wrong with a preset file, and where.
type FileError struct {
	// Path is the file; Line and Column are where, from 1 on, and 0 where no single place is to blame.
	Path         string
	Line, Column int
	Err          error
}

// Error names the file, the place and the reason.
func (e *FileError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %v", e.Path, e.Err)
	}
	return fmt.Sprintf("%s:%d:%d: %v", e.Path, e.Line, e.Column, e.Err)
}

// Unwrap returns the reason.
func (e *FileError) Unwrap() error { return e.Err }

// ReadFile reads a preset file from anywhere. The error is a *FileError.
func ReadFile(path string) (Preset, error) {
	// What is no plain file could keep a reader waiting for ever.
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return Preset{}, &FileError{Path: path, Err: errors.New("it is no file: it is no preset")}
	}
	f, err := os.Open(path)
	if err != nil {
		return Preset{}, &FileError{Path: path, Err: errors.Unwrap(err)}
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, mostBytes+1))
	if err != nil {
		return Preset{}, &FileError{Path: path, Err: err}
	}
	stem := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	p, err := parsePreset(string(text), path, stem)
	p.Path = path
	return p, err
}

// parsePreset reads a preset's text. name is what it is called where it does not say so itself.
func parsePreset(text, path, name string) (Preset, error) {
	r := reader{path: path, text: text}
	if err := r.bounded(); err != nil {
		return Preset{}, err
	}
	p := Preset{Name: name}
	meta, err := toml.Decode(text, &p.tree)
	if err != nil {
		return Preset{}, r.syntax(err)
	}
	r.meta = meta
	if err := r.schema(p.tree); err != nil {
		return Preset{}, err
	}
	r.words(p.tree, "name", &p.Name)
	r.words(p.tree, "notes", &p.Notes)
	r.machine(&p)
	r.engine(&p)
	r.look(&p)
	r.measured(&p)
	if r.failed != nil {
		return Preset{}, r.failed
	}
	if key, err := p.check(); err != nil {
		return Preset{}, r.at(err, key...)
	}
	return p, nil
}

// reader turns a preset file's tree into a preset and keeps the first thing that is wrong.
type reader struct {
	path, text string
	meta       toml.MetaData
	failed     error
}

// bounded refuses text whose size or nesting no preset has, before it is parsed.
func (r *reader) bounded() error {
	if len(r.text) > mostBytes {
		return &FileError{Path: r.path, Err: fmt.Errorf("it is larger than %d kB: it is no preset", mostBytes>>10)}
	}
	if at := tooDeep(r.text, mostDepth); at >= 0 {
		before := r.text[:at]
		return &FileError{
			Path: r.path, Line: 1 + strings.Count(before, "\n"), Column: at - strings.LastIndexByte(before, '\n'),
			Err: fmt.Errorf("%w: it is no preset", errTooDeep),
		}
	}
	return nil
}

// syntax is an error of the TOML itself.
func (r *reader) syntax(err error) error {
	var parse toml.ParseError
	if errors.As(err, &parse) {
		return &FileError{
			Path: r.path, Line: parse.Position.Line, Column: max(parse.Position.Col, 1),
			Err: fmt.Errorf("it is no TOML: %s", parse.Message),
		}
	}
	return &FileError{Path: r.path, Err: fmt.Errorf("it is no TOML: %w", err)}
}

// errHere is what a probe returns, to be told where it stood.
var errHere = errors.New("here")

type probe struct{}

// UnmarshalTOML always fails.
func (probe) UnmarshalTOML(any) error { return errHere }

// at is an error at the value of a key; of a table where the key is not in it.
func (r *reader) at(err error, key ...string) error {
	e := &FileError{Path: r.path, Err: err}
	var at toml.Primitive
	tree := map[string]toml.Primitive{}
	meta, decode := toml.Decode(r.text, &tree)
	for i, k := range key {
		next, ok := tree[k]
		if decode != nil || !ok {
			break
		}
		at = next
		var parse toml.ParseError
		if errors.As(meta.PrimitiveDecode(at, &probe{}), &parse) {
			e.Line, e.Column = parse.Position.Line, max(parse.Position.Col, 1)
		}
		if i+1 < len(key) {
			tree = map[string]toml.Primitive{}
			decode = meta.PrimitiveDecode(at, &tree)
		}
	}
	return e
}

// fail keeps the first error.
func (r *reader) fail(err error, key ...string) {
	if r.failed == nil {
		r.failed = r.at(err, key...)
	}
}

// schema checks the version of the layout.
func (r *reader) schema(tree map[string]any) error {
	switch v := tree["schema"].(type) {
	case nil:
		return &FileError{Path: r.path, Line: 1, Column: 1, Err: fmt.Errorf("it says no schema: write schema = %d at its top", Schema)}
	case int64:
		if v > Schema {
			return r.at(fmt.Errorf("a newer Greenroom wrote it (schema %d; this one knows %d)", v, Schema), "schema")
		}
		if v == Schema {
			return nil
		}
	}
	return r.at(fmt.Errorf("schema is %v: it is %d", tree["schema"], Schema), "schema")
}

// value reads one key of a table into to, if it is there.
func value[T any](r *reader, table map[string]any, to *T, kind string, key ...string) {
	v, ok := table[key[len(key)-1]]
	if !ok {
		return
	}
	typed, ok := v.(T)
	if !ok {
		r.fail(fmt.Errorf("%s is %v: it is %s", key[len(key)-1], short(v), kind), key...)
		return
	}
	*to = typed
}

// short is a value for a message.
func short(v any) string {
	text := fmt.Sprintf("%v", v)
	if s, ok := v.(string); ok {
		text = fmt.Sprintf("%q", s)
	}
	if runes := []rune(text); len(runes) > 40 {
		return string(runes[:40]) + "..."
	}
	return text
}

func (r *reader) words(table map[string]any, key string, to *string) {
	value(r, table, to, "text", key)
}

// sub returns a table within the file, nil where there is none.
func (r *reader) sub(table map[string]any, key ...string) map[string]any {
	var t map[string]any
	value(r, table, &t, "a table", key...)
	return t
}

func (r *reader) machine(p *Preset) {
	t := r.sub(p.tree, "machine")
	value(r, t, &p.Match.Chip, "text", "machine", "chip")
	numbers := p.Match.numbers()
	for _, name := range slices.Sorted(maps.Keys(numbers)) {
		to := numbers[name]
		var n int64
		value(r, t, &n, "a whole number", "machine", name)
		if n != int64(int32(n)) {
			r.fail(fmt.Errorf("%s is %d: that is no such number", name, n), "machine", name)
		}
		*to = int(n)
	}
}

// numbers are the numbers of a match, by the names of their keys.
func (m *Match) numbers() map[string]*int {
	return map[string]*int{"min_memory_gb": &m.MinMemoryGB, "max_memory_gb": &m.MaxMemoryGB, "gpu_cores": &m.GPUCores}
}

func (r *reader) engine(p *Preset) {
	t := r.sub(p.tree, "engine")
	value(r, t, &p.Engine.Model, "text", "engine", "model")
	value(r, t, &p.Engine.Device, "text", "engine", "device")
	for _, name := range settings.Names() {
		v, ok := t[name]
		if !ok {
			continue
		}
		s := settings.Default()
		if err := s.Set(name, fmt.Sprint(v)); err != nil {
			r.fail(err, "engine", name)
			continue
		}
		if p.Engine.Settings == nil {
			p.Engine.Settings = map[string]any{}
		}
		p.Engine.Settings[name], _ = s.Get(name)
	}
}

func asTable(v any) map[string]any {
	t, _ := v.(map[string]any)
	return t
}

// measured reads the rows of the machine's own bench.
func (r *reader) measured(p *Preset) {
	v, ok := p.tree["measured"]
	if !ok {
		return
	}
	rows, ok := v.([]map[string]any)
	if !ok {
		r.fail(fmt.Errorf("measured is %s: it is a list of [[measured]] tables", short(v)), "measured")
		return
	}
	for i, tree := range rows {
		row, err := decodeMeasured(tree)
		if err == nil {
			err = checkMeasured(row)
		}
		if err != nil {
			r.failRow(i, err)
			return
		}
		p.Measured = append(p.Measured, row)
	}
}

// failRow is an error in the i-th [[measured]] table: TOML's own places know only the last one.
func (r *reader) failRow(i int, err error) {
	if r.failed != nil {
		return
	}
	e := &FileError{Path: r.path, Err: fmt.Errorf("row %d of measured: %w", i+1, err)}
	line := 0
	for text := range strings.Lines(r.text) {
		line++
		if trimmed := strings.TrimSpace(text); strings.HasPrefix(trimmed, "[[") && slices.Equal(strings.Fields(strings.Trim(trimmed, "[] \t")), []string{"measured"}) {
			if i--; i < 0 {
				e.Line, e.Column = line, 1+strings.Index(text, "[")
				break
			}
		}
	}
	r.failed = e
}
