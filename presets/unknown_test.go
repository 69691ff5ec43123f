package presets

import (
	"slices"
	"testing"
)

func TestUnknownKeysAreNamed(t *testing.T) {
	p, err := parsePreset("schema = 1\nsize = 3\n[engine]\ntiel = 512\nslim = true\n[look]\ndespil = 0.5\ndespill = 0.4\nclip = [0.1, 0.9]\n[machine]\nchip = \"\"\n", "x.toml", "x")
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Unknown(); !slices.Equal(got, []string{"size", "engine.tiel", "look.despil"}) {
		t.Errorf("unknown: %q", got)
	}
	for key, want := range map[string]string{"engine.tiel": "tile", "look.despil": "despill", "size": "", "engine.quality": ""} {
		if got := Meant(key); got != want {
			t.Errorf("%s was meant for %q, not %q", key, want, got)
		}
	}
	for _, built := range builtIns(t) {
		if u := built.Unknown(); len(u) > 0 {
			t.Errorf("%s: %q", built.Name, u)
		}
	}
}

// builtIns are the presets of the program.
func builtIns(t *testing.T) []Preset {
	t.Helper()
	list, err := Store{Folder: t.TempDir()}.List()
	if err != nil || len(list) == 0 {
		t.Fatalf("%d presets, %v", len(list), err)
	}
	return list
}
