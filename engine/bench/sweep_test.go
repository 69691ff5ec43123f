package bench

import (
	"slices"
	"strings"
	"testing"

	"greenroom/engine/settings"
)

func names(list []Config) []string {
	var all []string
	for _, c := range list {
		all = append(all, c.Name)
	}
	return all
}

func TestSweepsListTheHarnesssConfigurations(t *testing.T) {
	for sweep, want := range map[Sweep][]string{
		Ablation: {
			"slim+stage_gc+sdpa+bf16+fused_decode+gpu_preprocess",
			"stage_gc+sdpa+bf16+fused_decode+gpu_preprocess",
			"slim+sdpa+bf16+fused_decode+gpu_preprocess",
			"slim+stage_gc+bf16+fused_decode+gpu_preprocess",
			"slim+stage_gc+sdpa+fused_decode+gpu_preprocess",
			"slim+stage_gc+sdpa+bf16+gpu_preprocess",
			"slim+stage_gc+sdpa+bf16+fused_decode",
			"baseline",
		},
		Key: {
			"baseline", "bf16+fused_decode", "slim+stage_gc+sdpa+gpu_preprocess",
			"slim+stage_gc+sdpa+bf16+fused_decode+gpu_preprocess", "sdpa", "stage_gc",
		},
		Tiles: {
			"full frame", "full frame+compile", "tiled 512/64", "tiled 512/64+compile", "tiled 512/128",
			"tiled 512/128+compile", "tiled 768/64", "tiled 768/64+compile", "tiled 1024/64", "tiled 1024/64+compile",
		},
	} {
		list, err := sweep.Configs(nil)
		if err != nil || !slices.Equal(names(list), want) {
			t.Errorf("%s: %q, error %v", sweep, names(list), err)
		}
	}
	full, err := Full.Configs(nil)
	if err != nil || len(full) != 64 || full[0].Name != "baseline" {
		t.Errorf("full: %d configurations, error %v", len(full), err)
	}
}

func TestEverySweepHasOneBaselineAndNoDoubles(t *testing.T) {
	for _, sweep := range Sweeps() {
		for _, held := range [][]Setting{nil, {{"sdpa", "on"}}, {{"compile", "on"}}, {{"slim", "off"}, {"frame", "512"}}} {
			list, err := sweep.Configs(held)
			if err != nil {
				t.Fatal(err)
			}
			baselines := 0
			seenName, seen := map[string]bool{}, map[settings.Settings]bool{}
			for _, c := range list {
				if c.Baseline {
					baselines++
				}
				if seenName[c.Name] || seen[c.Settings] {
					t.Errorf("%s with %v: %s twice", sweep, held, c.Name)
				}
				seenName[c.Name], seen[c.Settings] = true, true
				if err := c.Settings.Validate(); err != nil {
					t.Errorf("%s: %s: %v", sweep, c.Name, err)
				}
			}
			if baselines != 1 {
				t.Errorf("%s with %v: %d baselines", sweep, held, baselines)
			}
		}
	}
}

func TestNamesSayExactlyWhatIsOn(t *testing.T) {
	list, err := Full.Configs(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range list {
		var on []string
		for _, name := range settings.Names() {
			if v, _ := c.Settings.Get(name); v == true {
				on = append(on, name)
			}
		}
		want := strings.Join(on, "+")
		if want == "" {
			want = "baseline"
		}
		if c.Name != want || c.Baseline != (len(on) == 0) {
			t.Errorf("%s has %s on", c.Name, want)
		}
	}
}

func TestHeldSettingsAreTheSameEverywhereAndNotInNames(t *testing.T) {
	list, err := Ablation.Configs([]Setting{{"bf16", "on"}, {"compile", "on"}, {"tile", "64"}})
	if err != nil {
		t.Fatal(err)
	}
	// With bf16 held, all on and all but bf16 are the same.
	if len(list) != 7 {
		t.Errorf("%d configurations: %q", len(list), names(list))
	}
	for _, c := range list {
		if !c.Settings.BF16 || !c.Settings.Compile || c.Settings.Tile != 64 || c.Settings.Overlap != 32 {
			t.Errorf("%s: %+v", c.Name, c.Settings)
		}
		if strings.Contains(c.Name, "bf16") || strings.Contains(c.Name, "compile") {
			t.Errorf("%s names what is held", c.Name)
		}
	}
	if list[len(list)-1].Name != "baseline" {
		t.Errorf("%q", names(list))
	}
}

func TestWhatCannotBeHeldIsRefused(t *testing.T) {
	for want, c := range map[string]struct {
		sweep Sweep
		held  Setting
	}{
		"no setting is called": {Ablation, Setting{"speed", "on"}},
		"a toggle is on":       {Key, Setting{"sdpa", "fast"}},
		"multiple of 32":       {Full, Setting{"tile", "100"}},
		"tiles sweep sets":     {Tiles, Setting{"overlap", "32"}},
		"no sweep is called":   {"quick", Setting{"sdpa", "on"}},
	} {
		if _, err := c.sweep.Configs([]Setting{c.held}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", want, err)
		}
	}
}
