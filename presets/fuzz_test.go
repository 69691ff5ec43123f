package presets

import (
	"path/filepath"
	"reflect"
	"testing"

	"greenroom/engine/settings"
)

// FuzzPreset: whatever the bytes, reading ends with a preset that works or an error that names the file; and what is
// read is the same after it was written.
func FuzzPreset(f *testing.F) {
	text, err := full(f, "Night").encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(text))
	names, _ := filepath.Glob("builtin/*.toml")
	for _, name := range names {
		if text, err := builtInFiles.ReadFile(filepath.ToSlash(name)); err == nil {
			f.Add(string(text))
		}
	}
	f.Add("schema = 1\nx = [1, 'a', {b = 2}]\n[look]\nclip = [0, 1]\n[look.comp]\ncolour = [1, 0, 0]\n[[measured]]\n[a.b.c]\n\"\" = nan\nt = 12:00:00\nd = 2026-01-01\n[[q]]\n[[q.r]]")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := parsePreset(text, "x.toml", "x")
		if err != nil {
			return
		}
		s := settings.Default()
		if err := apply(&s, p.Asked()); err != nil || s.Validate() != nil {
			t.Fatalf("settings %v: %v, %v", p.Asked(), err, s.Validate())
		}
		if l := p.Look(settings.DefaultLook()); l.Validate() != nil {
			t.Fatalf("look: %v", l.Validate())
		}
		written, err := p.encode()
		if err != nil {
			t.Fatalf("it cannot be written: %v", err)
		}
		again, err := parsePreset(string(written), "x.toml", "x")
		if err != nil {
			t.Fatalf("it cannot be read again: %v\n%s", err, written)
		}
		if !same(p, again) {
			t.Fatalf("it was\n%+v\nand is\n%+v", p, again)
		}
		twice, err := again.encode()
		if err != nil || !reflect.DeepEqual(written, twice) {
			t.Fatalf("written twice it differs (%v):\n%s\n%s", err, written, twice)
		}
	})
}
