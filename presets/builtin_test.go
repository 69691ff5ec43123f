package presets

import (
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"
)

func TestBuiltInPresetsAreReadOnly(t *testing.T) {
	s := Store{Folder: t.TempDir()}
	list, broken := s.List()
	if len(list) != 9 || len(broken) != 0 {
		t.Fatalf("%d presets, %v", len(list), broken)
	}
	for _, p := range list {
		if !p.BuiltIn() || p.Path != "" || p.Notes == "" {
			t.Errorf("%+v", p)
		}
		if _, err := s.Save(p); !errors.Is(err, ErrReadOnly) {
			t.Errorf("%s: %v", p.Name, err)
		}
		if _, err := s.SaveAs(p, strings.ToUpper(p.Name)); !errors.Is(err, ErrReadOnly) {
			t.Errorf("%s: %v", p.Name, err)
		}
	}
	first, err := s.SaveAs(list[0], s.FreeName(list[0].Name+" copy"))
	if err != nil || first.Name != "8 GB copy" || first.BuiltIn() {
		t.Fatalf("%+v, %v", first, err)
	}
	second, err := s.SaveAs(list[0], s.FreeName(list[0].Name+" copy"))
	if err != nil || second.Name != "8 GB copy 2" || !reflect.DeepEqual(second.Engine, list[0].Engine) {
		t.Fatalf("%+v, %v", second, err)
	}
	if err := os.Remove(second.Path); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Load("8 GB copy 2"); !errors.Is(err, ErrUnknown) || !strings.Contains(err.Error(), "8 GB copy") {
		t.Errorf("%v", err)
	}
}

// TestBuiltInPresetsSayWhatTheRulesSay: a built-in preset changes nothing on any machine that it is for.
func TestBuiltInPresetsSayWhatTheRulesSay(t *testing.T) {
	s := Store{}
	used := map[string]bool{}
	for _, text := range []string{
		"Apple M1, 8 GB", "Apple M2, 8 GB", "Apple M3, 8 GB", "Apple M2 Pro, 16 GB", "Apple M3 Pro, 18 GB", "Apple M4, 24 GB",
		"Apple M4 Pro, 24 GB", "Apple M1 Max, 32 GB", "Apple M3 Max, 36 GB", "Apple M4 Max, 48 GB", "Apple M2 Ultra, 64 GB",
		"Apple M2 Max, 96 GB", "Apple M1 Ultra, 128 GB", "Apple M3 Ultra, 256 GB", "Apple M3 Ultra, 512 GB", "Apple M9, 32 GB",
		"PC, 4 GB", "PC, 24 GB", "PC, 64 GB", "PC, 64 GB, GPU Some Card 8 GB", "PC, 24 GB, GPU NVIDIA H200 141 GB",
	} {
		m := machine(t, text)
		p, ok := s.For(m)
		if !ok {
			t.Errorf("%s: no preset", text)
			continue
		}
		used[p.Name] = true
		for _, size := range []float64{512, 1024, 1440, 2048, 2974, 4096} {
			r, err := Recommend(Request{Machine: m, Size: size})
			if err != nil {
				t.Fatal(err)
			}
			with := r.Settings
			if err := apply(&with, p.Asked()); err != nil || with != r.Settings {
				t.Errorf("%s at %v: %s gives %+v, the rules %+v", text, size, p.Name, with, r.Settings)
			}
		}
	}
	if list, _ := s.List(); len(used) != len(list) {
		t.Errorf("only %v were the best for any machine", used)
	}
}

func TestTheMostSpecificPresetWins(t *testing.T) {
	s := Store{Folder: t.TempDir()}
	for name, m := range map[string]Match{
		"none in particular": {}, "apple": {Chip: "Apple"}, "m4": {Chip: "m4"}, "m4 pro": {Chip: "Apple M4 Pro"},
		"m4 pro 24": {Chip: "M4 Pro", MinMemoryGB: 24, MaxMemoryGB: 24}, "m4 pro 20 cores": {Chip: "M4 Pro", GPUCores: 20},
		"much memory": {MinMemoryGB: 200}, "more memory": {MinMemoryGB: 100},
	} {
		if _, err := s.Save(Preset{Name: name, Match: m}); err != nil {
			t.Fatal(err)
		}
	}
	for text, want := range map[string]string{
		"Apple M4 Pro, 24 GB":              "m4 pro 24",
		"Apple M4 Pro, 24 GB, 20-core GPU": "m4 pro 20 cores",
		"Apple M4 Pro, 48 GB":              "m4 pro",
		"Apple M4 Max, 48 GB":              "m4",
		"Apple M4, 16 GB":                  "m4",
		"Apple M1, 16 GB":                  "apple",
		"PC, 16 GB":                        "16 GB",
		"PC, 256 GB":                       "much memory",
		"PC, 128 GB":                       "more memory",
		"PC, 16 GB, GPU Big 256 GB":        "much memory",
	} {
		if p, ok := s.For(machine(t, text)); !ok || p.Name != want {
			t.Errorf("%s: %q, want %q", text, p.Name, want)
		}
	}
	for want, m := range map[string]Match{
		"it is for M3, and this is Apple M4 Pro":                         {Chip: "M3"},
		"it is for Apple M4 Pro Max, and this is Apple M4 Pro":           {Chip: "Apple M4 Pro Max"},
		"it is for 32 GB or more, and this machine has 24":               {MinMemoryGB: 32},
		"it is for 16 GB or less, and this machine has 24":               {MaxMemoryGB: 16},
		"it is for 16 GPU cores, and this machine has an unknown number": {GPUCores: 16},
		"": {Chip: "apple m4", MinMemoryGB: 24, MaxMemoryGB: 24},
	} {
		if got := m.Misfit(machine(t, "Apple M4 Pro, 24 GB")); got != want {
			t.Errorf("%v: %q, want %q", m, got, want)
		}
	}
}
