package keying

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"greenroom/engine/settings"
	"greenroom/presets"
)

func machine(t *testing.T, text string) presets.Machine {
	t.Helper()
	m, err := presets.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// nano is an order for the embedded model on a machine.
func nano(t *testing.T, text string) Order {
	t.Helper()
	model, err := OpenModel(t.Context(), DefaultModel)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { model.Close() })
	return Order{Machine: machine(t, text), Model: model}
}

// TestAFullFrameIsAdjustedWhereverItWasAsked: on a machine of 24 GB a whole frame of 2048 or more becomes tiles, and
// says why, whether a flag, a preset or a sidecar asks for it; a smaller one runs.
func TestAFullFrameIsAdjustedWhereverItWasAsked(t *testing.T) {
	base := nano(t, "Apple M4 Pro, 24 GB")
	dir := t.TempDir()
	plate(t, filepath.Join(dir, "plate.png"), 32, 32)
	orders := map[string]func() Order{
		"command line": func() Order {
			o := base
			o.Asked = []Setting{{Name: "tile", Value: "0"}}
			return o
		},
		"preset": func() Order {
			o := base
			o.Preset = &presets.Preset{Name: "whole", Engine: presets.Engine{Settings: map[string]any{"tile": 0}}}
			return o
		},
		"sidecar": func() Order {
			o := base
			o.Plate = filepath.Join(dir, "plate.png")
			like := Like{side: sidecar{Engine: map[string]any{"tile": int64(0)}}}
			o, _, err := like.Order(o, Export{})
			if err != nil {
				t.Fatal(err)
			}
			return o
		},
	}
	for name, order := range orders {
		for _, c := range []struct {
			w, h int
			tile int
		}{{1024, 1024, 0}, {1920, 1080, 0}, {2048, 858, 0}, {2048, 2048, 768}, {4096, 2160, 768}} {
			got, err := ChooseFor(order(), c.w, c.h)
			if err != nil {
				t.Fatal(err)
			}
			if got.Settings.Tile != c.tile {
				t.Errorf("%s, %d x %d: tile %d, want %d", name, c.w, c.h, got.Settings.Tile, c.tile)
			}
			why, required := got.Required("tile")
			switch {
			case c.tile == 0 && (len(got.Adjusted) > 0 || required):
				t.Errorf("%s, %d x %d: adjusted %v", name, c.w, c.h, got.Adjusted)
			case c.tile > 0 && (len(got.Adjusted) != 1 || got.Adjusted[0].Setting != "tile" || !strings.Contains(got.Adjusted[0].Why, "32 GB or less")):
				t.Errorf("%s, %d x %d: adjusted %v", name, c.w, c.h, got.Adjusted)
			case c.tile > 0 && (!required || !strings.HasPrefix(why, "tiles required")):
				t.Errorf("%s, %d x %d: %q", name, c.w, c.h, why)
			}
			if got.PeakBytes <= 0 || got.PeakBytes > base.Machine.Limit() {
				t.Errorf("%s, %d x %d: peak %d", name, c.w, c.h, got.PeakBytes)
			}
		}
	}
}

// TestAMeasuredWholeFrameMayBeKeyed: a bench on this machine, or the rows of it that a preset carries, lifts the
// requirement; those of another machine do not.
func TestAMeasuredWholeFrameMayBeKeyed(t *testing.T) {
	base := nano(t, "Apple M4 Pro, 24 GB")
	base.Asked = []Setting{{Name: "tile", Value: "0"}}
	row := settings.Measured{
		Machine: base.Machine.String(), Device: "cpu", Model: base.Model.Name, ModelHash: base.Model.Hash,
		At: time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC), Resolution: 2048, Config: "full frame", Settings: settings.Default(),
		Runs: 10, MedianMS: 900, MinMS: 890, PeakBytes: 2 << 30,
	}
	for name, c := range map[string]struct {
		tile  int
		order func(o *Order)
	}{
		"nothing":        {768, func(*Order) {}},
		"history":        {0, func(o *Order) { o.Measured = []settings.Measured{row} }},
		"preset":         {0, func(o *Order) { o.Preset = &presets.Preset{Measured: []settings.Measured{row}} }},
		"another device": {768, func(o *Order) { o.Measured, o.Device = []settings.Measured{row}, "another" }},
		"another machine": {768, func(o *Order) {
			other := row
			other.Machine = "Apple M4 Pro, 48 GB"
			o.Preset = &presets.Preset{Measured: []settings.Measured{other}}
		}},
	} {
		o := base
		c.order(&o)
		got, err := ChooseFor(o, 2048, 2048)
		if err != nil {
			t.Fatal(err)
		}
		if _, required := got.Required("tile"); got.Settings.Tile != c.tile || required != (c.tile > 0) {
			t.Errorf("%s: tile %d, adjusted %v", name, got.Settings.Tile, got.Adjusted)
		}
	}
}

func TestAPresetLiesBetweenTheRulesAndWhatIsAsked(t *testing.T) {
	o := nano(t, "PC, 64 GB")
	o.Preset = &presets.Preset{
		Name: "house", Match: presets.Match{Chip: "Apple M4"},
		Engine: presets.Engine{Device: "metal", Settings: map[string]any{"tile": 256, "sdpa": false, "overlap": 32}},
	}
	o.Asked = []Setting{{Name: "overlap", Value: "96"}}
	got, err := ChooseFor(o, 1024, 1024)
	if err != nil {
		t.Fatal(err)
	}
	if s := got.Settings; s.Tile != 256 || s.SDPA || s.Overlap != 96 || !s.Slim {
		t.Errorf("%+v", s)
	}
	if len(got.Adjusted) != 1 || got.Adjusted[0].Setting != "device" || got.Adjusted[0].Used != "auto" {
		t.Errorf("adjusted %v", got.Adjusted)
	}
	if len(got.Notes) == 0 || !strings.Contains(got.Notes[0], "house is made for other machines: it is for Apple M4, and this is PC") {
		t.Errorf("notes %q", got.Notes)
	}
	against := false
	for _, n := range got.Notes {
		against = against || strings.HasPrefix(n, "sdpa is off; on is recommended here")
	}
	if !against {
		t.Errorf("notes %q do not say what speaks against the preset", got.Notes)
	}
	// Without room for its plan a key's settings shrink, and say so.
	o.Machine.MemoryGB = 1
	o.Asked = []Setting{{Name: "tile", Value: "1024"}}
	got, err = ChooseFor(o, 2048, 2048)
	if err != nil || got.PeakBytes > o.Machine.Limit() || len(got.Adjusted) < 2 || !strings.Contains(got.Adjusted[1].Why, "this machine has 614 MB for it") {
		t.Errorf("%v, %d, %v", got.Adjusted, got.PeakBytes, err)
	}
}
