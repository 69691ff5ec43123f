package presets

import (
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"greenroom/engine/settings"
)

// drawn draws a preset that is sound.
func drawn(t *rapid.T) Preset {
	p := Preset{
		Name:  rapid.StringMatching(`[A-Za-z0-9][A-Za-z0-9 ,é-]{0,20}[a-z]`).Filter(func(name string) bool { return CheckName(name) == nil }).Draw(t, "name"),
		Notes: rapid.String().Draw(t, "notes"),
		Match: Match{
			Chip:        rapid.SampledFrom([]string{"", "Apple M4", "AMD \"x\" 3\\"}).Draw(t, "chip"),
			MinMemoryGB: rapid.IntRange(0, 64).Draw(t, "min"), GPUCores: rapid.IntRange(0, 80).Draw(t, "cores"),
		},
		Engine: Engine{Model: rapid.String().Draw(t, "model"), Device: rapid.SampledFrom(append(Devices(), "")).Draw(t, "device")},
		Export: Export{Format: rapid.SampledFrom([]string{"", "png", "exr"}).Draw(t, "format")},
	}
	if rapid.Bool().Draw(t, "passes") {
		p.Export.Passes = []string{"fg", "comp"}
	}
	s := settings.Default()
	s.SDPA, s.Tile = rapid.Bool().Draw(t, "sdpa"), 64*rapid.IntRange(0, 20).Draw(t, "tile")
	s.Overlap = min(s.Overlap, max(s.Tile/2, 32))
	for name, v := range s.Map() {
		if rapid.Bool().Draw(t, name) {
			if p.Engine.Settings == nil {
				p.Engine.Settings = map[string]any{}
			}
			p.Engine.Settings[name] = v
		}
	}
	if _, ok := p.Engine.Settings["tile"]; !ok {
		delete(p.Engine.Settings, "overlap")
	}
	if len(p.Engine.Settings) == 0 {
		p.Engine.Settings = nil
	}
	if rapid.Bool().Draw(t, "look") {
		l := settings.DefaultLook()
		l.Gamma = rapid.Float64Range(0.2, 5).Draw(t, "gamma")
		l.Despeckle = rapid.IntRange(0, 1<<30).Draw(t, "despeckle")
		l.Comp.Colour[1] = rapid.Float64Range(0, 1).Draw(t, "green")
		if err := p.SetLook(l); err != nil {
			t.Fatal(err)
		}
		for _, name := range p.LookNames() {
			// Black and white of the clip go together.
			if !strings.HasPrefix(name, "clip") && rapid.Bool().Draw(t, "without "+name) {
				delete(p.look, name)
			}
		}
	}
	for range rapid.IntRange(0, 3).Draw(t, "rows") {
		ms := rapid.Float64Range(1e-3, 1e7).Draw(t, "ms")
		p.Measured = append(p.Measured, settings.Measured{
			Machine: rapid.String().Draw(t, "machine"), Config: "baseline", Settings: s, Resolution: rapid.IntRange(1, settings.MaxSize).Draw(t, "resolution"),
			At:   time.Unix(rapid.Int64Range(1e9, 1e10).Draw(t, "at"), 0).UTC(),
			Runs: rapid.IntRange(1, 100).Draw(t, "runs"), MedianMS: ms, MinMS: ms / 2, PeakBytes: rapid.Int64Range(0, 1<<40).Draw(t, "peak"),
			Truth: rapid.Bool().Draw(t, "truth"),
		})
	}
	return p
}

// unknown draws keys that no preset has.
func unknown(t *rapid.T) map[string]any {
	leaf := rapid.OneOf(
		rapid.Map(rapid.String(), func(v string) any { return v }),
		rapid.Map(rapid.Int64(), func(v int64) any { return v }),
		rapid.Map(rapid.Float64Range(-1e300, 1e300), func(v float64) any { return v }),
		rapid.Map(rapid.Bool(), func(v bool) any { return v }),
		rapid.Map(rapid.SliceOf(rapid.Int64()), func(v []int64) any {
			list := make([]any, len(v))
			for i := range v {
				list[i] = v[i]
			}
			return list
		}),
	)
	tree := map[string]any{}
	for key, v := range rapid.MapOfN(rapid.String(), leaf, 0, 4).Draw(t, "unknown") {
		tree["x"+key] = v
	}
	return tree
}

func TestSaveThenLoadIsIdentity(t *testing.T) {
	s := Store{Folder: t.TempDir()}
	rapid.Check(t, func(t *rapid.T) {
		p := drawn(t)
		extra, inEngine, inLook := unknown(t), unknown(t), unknown(t)
		p.tree = cloneTable(extra)
		if len(inEngine) > 0 {
			p.tree["engine"] = cloneTable(inEngine)
		}
		if len(inLook) > 0 {
			p.tree["look"] = cloneTable(inLook)
		}
		saved, err := s.SaveAs(p, s.FreeName(p.Name))
		if err != nil {
			t.Fatal(err)
		}
		defer os.Remove(saved.Path)
		got, err := s.Load(saved.Name)
		if err != nil {
			t.Fatal(err)
		}
		p.Name = saved.Name
		if !same(got, p) || !same(saved, p) {
			t.Fatalf("loaded\n%+v\nsaved\n%+v", got, p)
		}
		for where, keys := range map[string]map[string]any{"": extra, "engine": inEngine, "look": inLook} {
			tree := got.tree
			if where != "" {
				tree = asTable(tree[where])
			}
			for key, v := range keys {
				if !reflect.DeepEqual(tree[key], v) {
					t.Fatalf("%s %q was %v and is %v", where, key, v, tree[key])
				}
			}
		}
	})
}
