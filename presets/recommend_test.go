package presets

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"greenroom/engine/settings"
)

func machine(t testing.TB, text string) Machine {
	t.Helper()
	m, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestRecommendFollowsTheTable walks the rule table of the design over the machines it names.
func TestRecommendFollowsTheTable(t *testing.T) {
	for text, want := range map[string]string{
		"Apple M1 Ultra, 128 GB":                   "sdpa off | 512 full bf16, 1024 full bf16, 1920x1080 tiled, 2048x858 tiled, 2048 tiled, 4096x2160 tiled, 4096 tiled",
		"Apple M2 Max, 96 GB":                      "sdpa off | 512 full bf16, 1024 full bf16, 1920x1080 tiled, 2048x858 tiled, 2048 tiled, 4096x2160 tiled, 4096 tiled",
		"Apple M3 Ultra, 256 GB":                   "sdpa on | 512 full bf16, 1024 full bf16, 1920x1080 tiled allowed, 2048x858 tiled allowed, 2048 tiled allowed, 4096x2160 tiled, 4096 tiled",
		"Apple M4 Max, 128 GB":                     "sdpa on | 512 full bf16, 1024 full bf16, 1920x1080 tiled allowed, 2048x858 tiled allowed, 2048 tiled allowed, 4096x2160 tiled, 4096 tiled",
		"Apple M4 Pro, 24 GB":                      "sdpa on | 512 full bf16, 1024 full bf16, 1920x1080 tiled, 2048x858 tiled, 2048 tiled required, 4096x2160 tiled required, 4096 tiled required",
		"Apple M1, 8 GB":                           "sdpa off | 512 full bf16, 1024 full bf16, 1920x1080 tiled, 2048x858 tiled, 2048 tiled required, 4096x2160 tiled required, 4096 tiled required",
		"Apple M9, 32 GB":                          "sdpa on | 512 full bf16, 1024 full bf16, 1920x1080 tiled, 2048x858 tiled, 2048 tiled required, 4096x2160 tiled required, 4096 tiled required",
		"Linux PC, 24 GB":                          "sdpa on | 512 full, 1024 full, 1920x1080 tiled, 2048x858 tiled, 2048 tiled required, 4096x2160 tiled required, 4096 tiled required",
		"Linux PC, 64 GB":                          "sdpa on | 512 full, 1024 full, 1920x1080 tiled, 2048x858 tiled, 2048 tiled, 4096x2160 tiled, 4096 tiled",
		"Linux server, 24 GB, NVIDIA H200 141 GB":  "sdpa on | 512 full bf16, 1024 full bf16, 1920x1080 tiled, 2048x858 tiled, 2048 tiled, 4096x2160 tiled, 4096 tiled",
		"Linux server, 256 GB, GPU Some Card 8 GB": "sdpa on | 512 full bf16, 1024 full bf16, 1920x1080 tiled, 2048x858 tiled, 2048 tiled required, 4096x2160 tiled required, 4096 tiled required",
	} {
		var parts []string
		sdpa := ""
		for _, plate := range []struct {
			name string
			w, h int
		}{{"512", 512, 512}, {"1024", 1024, 1024}, {"1920x1080", 1920, 1080}, {"2048x858", 2048, 858}, {"2048", 2048, 2048}, {"4096x2160", 4096, 2160}, {"4096", 4096, 4096}} {
			size := Size(plate.w, plate.h, 0)
			r, err := Recommend(Request{Machine: machine(t, text), Size: size})
			if err != nil {
				t.Fatal(err)
			}
			s := r.Settings
			if !s.Slim || !s.GPUPreprocess || !s.FusedDecode || !s.Compile || s.StageGC || s.Overlap != 64 || s.Frame != 0 {
				t.Errorf("%s at %v: %+v", text, size, s)
			}
			sdpa = map[bool]string{true: "sdpa on", false: "sdpa off"}[s.SDPA]
			part := plate.name + " full"
			if s.Tile == 768 {
				part = plate.name + " tiled"
			}
			if s.BF16 {
				part += " bf16"
			}
			for _, reason := range r.Reasons {
				if len(reason.Evidence) == 0 {
					t.Errorf("%s at %v: %s has no evidence", text, size, reason.Rule)
				}
				if v, _ := s.Get(reason.Setting); v != reason.Value {
					t.Errorf("%s at %v: reason for %s=%v, settings have %v", text, size, reason.Setting, reason.Value, v)
				}
				switch {
				case reason.Setting == "tile" && reason.Required:
					part += " required"
				case strings.HasPrefix(reason.Rule, "full frame allowed"):
					part += " allowed"
				}
			}
			parts = append(parts, part)
		}
		if got := sdpa + " | " + strings.Join(parts, ", "); got != want {
			t.Errorf("%s:\n got %s\nwant %s", text, got, want)
		}
	}
}

func TestRecommendSaysWhenTheChipIsNewerThanTheRules(t *testing.T) {
	r, err := Recommend(Request{Machine: machine(t, "Apple M9 Max, 64 GB"), Size: 1024})
	if err != nil || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "M9 Max") {
		t.Errorf("notes %q, %v", r.Notes, err)
	}
	if r, _ := Recommend(Request{Machine: machine(t, "Apple M4, 64 GB"), Size: 1024}); len(r.Notes) != 0 {
		t.Errorf("a known chip has notes %q", r.Notes)
	}
}

func TestRecommendObeysTheModelsOwnAdvice(t *testing.T) {
	q := Request{Machine: machine(t, "PC, 64 GB"), Size: 1024, TileFrom: 1000}
	if r, err := Recommend(q); err != nil || r.Settings.Tile != 768 {
		t.Errorf("tile %d, %v; want 768", r.Settings.Tile, err)
	}
	q.Size = 999
	if r, err := Recommend(q); err != nil || r.Settings.Tile != 0 {
		t.Errorf("tile %d, %v; want 0", r.Settings.Tile, err)
	}
}

// TestTileAndOverlapHaveTheirOwnReasons holds that what is said for an overlap speaks of the overlap, whatever rule chose
// the tile.
func TestTileAndOverlapHaveTheirOwnReasons(t *testing.T) {
	for _, c := range []struct {
		machine        string
		size, tileFrom float64
		tile           string
	}{
		{"PC, 64 GB", 1024, 1024, "this model in tiles"},
		{"PC, 64 GB", 1440, 1024, "this model in tiles"},
		{"PC, 64 GB", 1440, 0, "large plates in tiles"},
		{"PC, 24 GB", 2048, 1024, "tiles required"},
	} {
		q := Request{Machine: machine(t, c.machine), Size: c.size, TileFrom: c.tileFrom, Asked: []Setting{{"overlap", "128"}}}
		_, tile := recommend(t, q, "tile")
		_, overlap := recommend(t, q, "overlap")
		if !strings.HasPrefix(tile.Rule, c.tile+": ") || !strings.Contains(tile.Rule, "mem") && !strings.Contains(tile.Rule, "swap") {
			t.Errorf("%+v: the tile's reason is %q", c, tile.Rule)
		}
		if !strings.HasPrefix(overlap.Rule, "overlap of tiles: with tiles of 768 a wider overlap makes the matte no more exact") || overlap.Value != 64 || overlap.Required {
			t.Errorf("%+v: the overlap's reason is %+v", c, overlap)
		}
	}
	// A small plate in the tiles that someone asks for has no overlap to be talked out of.
	q := Request{Machine: machine(t, "PC, 64 GB"), Size: 800, TileFrom: 1024, Asked: []Setting{{"tile", "512"}}}
	if _, overlap := recommend(t, q, "overlap"); overlap.Rule != "" {
		t.Errorf("a small plate: %+v", overlap)
	}
}

func TestSizeIsWhatTheNetworkSees(t *testing.T) {
	for _, c := range []struct {
		w, h, frame int
		want        float64
	}{{1920, 1080, 0, 1440}, {2048, 2048, 0, 2048}, {4096, 2160, 2048, 2048}, {4096, 2160, 0, 2974.5}} {
		if got := Size(c.w, c.h, c.frame); got < c.want-0.5 || got > c.want+0.5 {
			t.Errorf("Size(%d, %d, %d) = %v, want %v", c.w, c.h, c.frame, got, c.want)
		}
	}
}

func TestAdjustEnforcesRequirementsOnly(t *testing.T) {
	pc := machine(t, "PC, 24 GB")
	set := func(change func(*settings.Settings)) settings.Settings {
		s := settings.Default()
		change(&s)
		return s
	}
	for _, c := range []struct {
		name  string
		size  float64
		asked settings.Settings
		want  settings.Settings
		names []string
	}{
		{"full frame at 2048", 2048, settings.Default(), set(func(s *settings.Settings) { s.Tile = 768 }), []string{"tile"}},
		{
			"a tile as large as the plate", 2048, set(func(s *settings.Settings) { s.Tile, s.Overlap = 2048, 512 }),
			set(func(s *settings.Settings) { s.Tile = 768 }), []string{"tile", "overlap"},
		},
		{
			"compile off", 2048, set(func(s *settings.Settings) { s.Tile, s.Compile = 512, false }),
			set(func(s *settings.Settings) { s.Tile = 512 }), []string{"compile"},
		},
		{"another tile", 2048, set(func(s *settings.Settings) { s.Tile = 512 }), set(func(s *settings.Settings) { s.Tile = 512 }), nil},
		{"full frame at 1440 against a preference", 1440, settings.Default(), settings.Default(), nil},
	} {
		got, adjusted, err := Adjust(Request{Machine: pc, Size: c.size}, c.asked)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
		var names []string
		for _, a := range adjusted {
			names = append(names, a.Setting)
			if !strings.Contains(a.Why, "32 GB") {
				t.Errorf("%s: %s says only %q", c.name, a.Setting, a.Why)
			}
		}
		if !slices.Equal(names, c.names) {
			t.Errorf("%s: adjusted %v, want %v", c.name, names, c.names)
		}
	}
}

// plan is a made-up memory plan: the tile's area counts, stored scores cost most.
func plan(size int64) func(settings.Settings) (int64, error) {
	return func(s settings.Settings) (int64, error) {
		edge := size
		if s.Tile > 0 {
			edge = min(size, int64(s.Tile))
		}
		bytes := edge * edge * 1000
		for _, heavy := range []bool{!s.Slim, !s.FusedDecode, !s.Compile, !s.SDPA, !s.SDPA} {
			if heavy {
				bytes += bytes / 2
			}
		}
		if s.StageGC {
			bytes -= bytes / 4
		}
		return bytes, nil
	}
}

func TestAdjustMakesTheSmallestChangeThatFits(t *testing.T) {
	asked := settings.Default()
	asked.SDPA, asked.Tile = false, 1024
	for _, c := range []struct {
		name  string
		limit int64
		want  func(*settings.Settings)
	}{
		{"fits", 3 << 30, func(*settings.Settings) {}},
		{"a toggle is enough", 2 << 30, func(s *settings.Settings) { s.SDPA = true }},
		{"a smaller tile", 700 << 20, func(s *settings.Settings) { s.SDPA, s.Tile = true, 768 }},
		{"the smallest", 20 << 20, func(s *settings.Settings) { s.SDPA, s.Tile = true, 128 }},
	} {
		want := asked
		c.want(&want)
		q := Request{Machine: Machine{MemoryGB: 64, GPU: &GPU{WorkingSet: c.limit}}, Size: 4096, Peak: plan(4096)}
		got, adjusted, err := Adjust(q, asked)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
		if (got == asked) != (len(adjusted) == 0) {
			t.Errorf("%s: adjusted %v", c.name, adjusted)
		}
	}
}

func TestStageReleaseOnlyForLargeFullFrames(t *testing.T) {
	q := Request{Machine: Machine{MemoryGB: 64, GPU: &GPU{WorkingSet: 3500 << 20}}, Size: 2048, Peak: plan(2048)}
	got, _, err := Adjust(q, settings.Default())
	if err != nil || !got.StageGC || got.Tile != 0 {
		t.Errorf("at 2048: %+v, %v; want stage_gc on, tile 0", got, err)
	}
	q = Request{Machine: Machine{MemoryGB: 64, GPU: &GPU{WorkingSet: 800 << 20}}, Size: 1024, Peak: plan(1024)}
	if got, _, err = Adjust(q, settings.Default()); err != nil || got.StageGC || got.Tile != 768 {
		t.Errorf("at 1024: %+v, %v; want a tile and no stage_gc", got, err)
	}
}

func TestARefinerOverTheFrameGivesWayBeforeTheTiles(t *testing.T) {
	asked := settings.Default()
	asked.Tile, asked.Refine = 768, settings.RefineFrame
	peak := func(s settings.Settings) (int64, error) {
		bytes, err := plan(2048)(s)
		if s.Refine == settings.RefineFrame {
			bytes += 2 << 30
		}
		return bytes, err
	}
	q := Request{Machine: Machine{MemoryGB: 64, GPU: &GPU{WorkingSet: 1 << 30}}, Size: 2048, Peak: peak}
	got, adjusted, err := Adjust(q, asked)
	if err != nil || got.Refine != settings.RefineTile || got.Tile != 768 || len(adjusted) != 1 || adjusted[0].Setting != "refine" {
		t.Errorf("%+v, %v, %v", got, adjusted, err)
	}
	q.Machine.GPU.WorkingSet = 300 << 20
	if got, _, err = Adjust(q, asked); err != nil || got.Refine != settings.RefineTile || got.Tile != 512 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestAdjustSaysWhenNothingFits(t *testing.T) {
	q := Request{Machine: Machine{MemoryGB: 64, GPU: &GPU{WorkingSet: 1 << 20}}, Size: 2048, Peak: plan(2048)}
	if _, _, err := Adjust(q, settings.Default()); err == nil || !strings.Contains(err.Error(), "1 MB") {
		t.Errorf("got %v", err)
	}
	broken := errors.New("no such network")
	q.Peak = func(settings.Settings) (int64, error) { return 0, broken }
	if _, _, err := Adjust(q, settings.Default()); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	if _, err := Recommend(q); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

func TestRecommendExplainsWhatMemoryChanged(t *testing.T) {
	q := Request{Machine: Machine{MemoryGB: 64, GPU: &GPU{WorkingSet: 300 << 20}}, Size: 2048, Peak: plan(2048)}
	r, err := Recommend(q)
	if err != nil || r.Settings.Tile != 512 || len(r.Adjusted) != 1 || r.Adjusted[0].Asked != 768 {
		t.Fatalf("%+v, %v", r, err)
	}
	i := slices.IndexFunc(r.Reasons, func(x Reason) bool { return x.Setting == "tile" })
	if i < 0 || !r.Reasons[i].Required || !strings.HasPrefix(r.Reasons[i].Rule, "memory") {
		t.Errorf("reasons %+v", r.Reasons)
	}
}

// TestAdjustedSettingsAreValidAndFit holds for any machine, size and settings.
func TestAdjustedSettingsAreValidAndFit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		asked := settings.Default()
		for _, n := range settings.Names()[:7] {
			_ = asked.Set(n, rapid.SampledFrom([]string{"on", "off"}).Draw(t, n))
		}
		asked.Tile = 32 * rapid.IntRange(0, 100).Draw(t, "tile")
		asked.Overlap = rapid.IntRange(0, 200).Draw(t, "overlap")
		if asked.Validate() != nil {
			return
		}
		size := rapid.IntRange(1, 9000).Draw(t, "size")
		q := Request{
			Machine: Machine{MemoryGB: rapid.IntRange(1, 64).Draw(t, "memory")},
			Size:    float64(size), Peak: plan(int64(size)),
		}
		used, adjusted, err := Adjust(q, asked)
		if err != nil {
			t.Fatal(err)
		}
		if err := used.Validate(); err != nil {
			t.Fatalf("%+v: %v", used, err)
		}
		if peak, _ := q.Peak(used); peak > q.Machine.Limit() {
			t.Fatalf("%+v needs %d", used, peak)
		}
		if q.Machine.MemoryGB <= 32 && size >= 2048 && (wholeFrame(used.Tile, q.Size) || !used.Compile) {
			t.Fatalf("%+v breaks the requirement", used)
		}
		changed := used
		for _, a := range adjusted {
			text := fmt.Sprint(a.Asked)
			if err := changed.Set(a.Setting, text); err != nil {
				t.Fatal(err)
			}
		}
		if changed != asked {
			t.Fatalf("undoing %v gives %+v, asked %+v", adjusted, changed, asked)
		}
	})
}

func TestParseRulesRefusesBrokenRules(t *testing.T) {
	const head = "known_generations = [\"M1\"]\n"
	const rest = "name = \"n\"\nwhy = \"w\"\nevidence = [{ note = \"e\" }]\n"
	for name, text := range map[string]string{
		"not TOML":          "[[",
		"no generations":    "",
		"bad generation":    "known_generations = [\"X1\"]",
		"unknown condition": head + "[[rule]]\n" + rest + "when = { moon = true }",
		"unknown setting":   head + "[[rule]]\n" + rest + "set = { speed = \"on\" }",
		"bad value":         head + "[[rule]]\n" + rest + "set = { slim = \"maybe\" }",
		"impossible value":  head + "[[rule]]\n" + rest + "set = { tile = \"33\" }",
		"no evidence":       head + "[[rule]]\nname = \"n\"\nwhy = \"w\"",
		"requires unset":    head + "[[rule]]\n" + rest + "required = [\"tile\"]",
		"shows unknown":     head + "[[rule]]\n" + rest + "show = \"speed\"",
	} {
		if _, err := parseRules(text); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if _, err := parseRules(head + "[[rule]]\n" + rest + "set = { slim = \"on\" }"); err != nil {
		t.Errorf("a sound rule: %v", err)
	}
}

func TestMemoryIsWrittenForPeople(t *testing.T) {
	for bytes, want := range map[int64]string{0: "0 MB", 1 << 20: "1 MB", 640 << 20: "640 MB", 2469606195: "2.3 GB"} {
		if got := Memory(bytes); got != want {
			t.Errorf("Memory(%d) = %q, want %q", bytes, got, want)
		}
	}
}
