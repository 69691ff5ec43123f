package command

import (
	"strings"
	"testing"
	"time"

	"slices"

	"greenroom/app/keying"
	"greenroom/engine/settings"
)

func TestMachineIsShown(t *testing.T) {
	got := greenroom(t, "machine", "--as", "Apple M4 Pro, 24 GB", "--json")
	want := `{"chip":"Apple M4 Pro","generation":"M4","tier":"Pro","memory_gb":24,"gpu_cores":0,"os":"macOS",` +
		`"gpu":{"name":"Apple M4 Pro","memory_gb":24,"discrete":false},"limit_bytes":15461882265}` + "\n"
	if got.code != exitDone || got.out != want {
		t.Errorf("%+v", got)
	}
	got = greenroom(t, "machine")
	if got.code != exitDone || !strings.Contains(got.out, "memory") || !strings.Contains(got.out, "limit") || !strings.Contains(got.out, "device ") {
		t.Errorf("%+v", got)
	}
}

// TestMachineSaysWhatKeysRunOn holds the object's documented keys and the device beside them: a GPU, or the processor
// and why.
func TestMachineSaysWhatKeysRunOn(t *testing.T) {
	got := greenroom(t, "machine", "--json")
	if got.code != exitDone {
		t.Fatalf("%+v", got)
	}
	o := decodeLines(t, got.out)[0]
	if want := []string{"chip", "device", "generation", "gpu", "gpu_cores", "limit_bytes", "memory_gb", "os", "tier"}; !slices.Equal(keysOf(o), want) {
		t.Errorf("keys %q", keysOf(o))
	}
	d := o["device"].(map[string]any)
	if !slices.Equal(keysOf(d), []string{"features", "kind", "name", "replaced", "why"}) || d["name"] == "" {
		t.Errorf("device %v", d)
	}
	if onProcessor := d["kind"] == "cpu"; onProcessor != (o["gpu"] == nil) || onProcessor != (d["why"] != "") {
		t.Errorf("gpu %v, device %v", o["gpu"], d)
	}
}

func TestPresetRecommendGivesReasons(t *testing.T) {
	got := greenroom(t, "preset", "recommend", "--as", "Apple M4 Pro, 24 GB", "--size", "2048", "--json")
	if got.code != exitDone {
		t.Fatalf("%+v", got)
	}
	o := decodeLines(t, got.out)[0]
	if !slices.Equal(keysOf(o), []string{"machine", "reasons", "settings"}) {
		t.Errorf("keys %q", keysOf(o))
	}
	if s := o["settings"].(map[string]any); s["tile"] != 768.0 || s["sdpa"] != true {
		t.Errorf("settings %v", s)
	}
	required := false
	for _, r := range o["reasons"].([]any) {
		reason := r.(map[string]any)
		if !slices.Equal(keysOf(reason), []string{"evidence", "required", "rule", "setting", "value"}) {
			t.Errorf("reason %v", reason)
		}
		required = required || reason["setting"] == "tile" && reason["required"] == true
	}
	if !required {
		t.Error("tiles are not required on a machine of 24 GB")
	}
	got = greenroom(t, "preset", "recommend", "--as", "Apple M9, 32 GB")
	if got.code != exitDone || !strings.Contains(got.out, "tile = 768 (required)") || !strings.Contains(got.err, "newer") {
		t.Errorf("%+v", got)
	}
}

func TestModelListNamesModelsAndLicences(t *testing.T) {
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	got := greenroom(t, "model", "list")
	for _, part := range []string{"nano", "built in", "corridorkey-v1", "corridorkey-blue-v1", "not on this machine", "CC BY-NC-SA"} {
		if !strings.Contains(got.out, part) {
			t.Errorf("the list lacks %q:\n%s", part, got.out)
		}
	}
}

func TestModelFetchAsksForTheLicenceFirst(t *testing.T) {
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	got := greenroom(t, "model", "fetch", "corridorkey-v1")
	if got.code != exitFailed || !strings.Contains(got.err, "--accept-licence") || !strings.Contains(got.out, "CC BY-NC-SA") {
		t.Errorf("%+v", got)
	}
	if got := greenroom(t, "model", "fetch", "nano"); got.code != exitDone {
		t.Errorf("%+v", got)
	}
	if got := greenroom(t, "model", "fetch", "nothing"); got.code != exitFailed || !strings.Contains(got.err, "corridorkey-v1") {
		t.Errorf("%+v", got)
	}
}

func TestModelVerifyTellsWholeFromDamaged(t *testing.T) {
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	for _, arguments := range [][]string{{"model", "verify"}, {"model", "verify", "nano"}} {
		if got := greenroom(t, arguments...); got.code != exitDone || !strings.HasPrefix(got.out, "nano: whole, SHA-256 ") {
			t.Errorf("%v: %+v", arguments, got)
		}
	}
	damaged := write(t, t.TempDir(), "x.safetensors", []byte("nothing"))
	if got := greenroom(t, "model", "verify", damaged); got.code != exitFailed || !strings.Contains(got.err, "x.safetensors") {
		t.Errorf("%+v", got)
	}
}

func TestSelftestPassesHere(t *testing.T) {
	got := greenroom(t, "selftest")
	if got.code != exitDone || strings.Contains(got.out, "FAILED") {
		t.Errorf("%+v", got)
	}
	for _, k := range checks() {
		if !strings.Contains(got.out, k.name+" ") {
			t.Errorf("no row for %q", k.name)
		}
	}
}

func TestSelftestFindsWhatIsOff(t *testing.T) {
	want := map[string][]float32{"alpha": {0.5, 1}, "feature1": {40, -3}}
	off := func(change func(map[string][]float32)) map[string][]float32 {
		got := map[string][]float32{"alpha": {0.5, 1}, "feature1": {40, -3}}
		change(got)
		return got
	}
	full, half := settings.Settings{}, settings.Settings{BF16: true}
	fine := settings.Settings{BF16: true, Half: settings.Float16}
	nan := float32(0)
	nan /= nan
	for name, c := range map[string]struct {
		got      map[string][]float32
		settings settings.Settings
		passes   bool
	}{
		"equal":              {off(func(map[string][]float32) {}), full, true},
		"a little":           {off(func(m map[string][]float32) { m["alpha"][0] += 5e-5 }), full, true},
		"too much":           {off(func(m map[string][]float32) { m["alpha"][0] += 2e-4 }), full, false},
		"in proportion":      {off(func(m map[string][]float32) { m["feature1"][1] += 2e-3 }), full, true},
		"out of proportion":  {off(func(m map[string][]float32) { m["feature1"][1] += 5e-3 }), full, false},
		"not a number":       {off(func(m map[string][]float32) { m["alpha"][1] = nan }), full, false},
		"half width":         {off(func(m map[string][]float32) { m["alpha"][0] += 1e-2; m["feature1"][0] += 9 }), half, true},
		"half width too far": {off(func(m map[string][]float32) { m["alpha"][0] += 3e-2 }), half, false},
		"float16":            {off(func(m map[string][]float32) { m["alpha"][0] += 2e-3 }), fine, true},
		"float16 too far":    {off(func(m map[string][]float32) { m["alpha"][0] += 1e-2 }), fine, false},
	} {
		if d := compareMaps(c.got, want, c.settings); d.passes() != c.passes {
			t.Errorf("%s: %+v passes: %v", name, d, d.passes())
		}
	}
}

func TestProgressIsOneLine(t *testing.T) {
	for want, p := range map[string]keying.Progress{
		"a.png  reading": {Doing: "reading"},
		"a.png  loading": {Doing: "loading", Tiles: 4},
		"a.png  keying  [#####---------------] 1 of 4 tiles, 9 s left": {Doing: "keying", Tile: 1, Tiles: 4, Left: 8500 * time.Millisecond},
		"a.png  keying  [--------------------] 0 of 4 tiles":           {Doing: "keying", Tiles: 4, Left: -1},
		"a.png  keying  [####################] 4 of 4 tiles":           {Doing: "keying", Tile: 4, Tiles: 4},
	} {
		if got := barLine("a.png", p); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	var drawn strings.Builder
	b := newBar(Streams{Err: &drawn, Live: true}, "é.png")
	b.show(keying.Progress{Doing: "finishing"})
	b.show(keying.Progress{Doing: "writing"})
	b.clear()
	if want := "\ré.png  finishing\ré.png  writing  \r" + strings.Repeat(" ", 14) + "\r"; drawn.String() != want {
		t.Errorf("drew %q, want %q", drawn.String(), want)
	}
	drawn.Reset()
	if newBar(Streams{Err: &drawn}, "x").show(keying.Progress{Doing: "reading"}); drawn.Len() > 0 {
		t.Errorf("drew %q without a terminal", drawn.String())
	}
}

func TestKeyFlagsMatchTheLooksDefaults(t *testing.T) {
	var g grammar
	parser, err := newParser(&g, Streams{Out: &strings.Builder{}, Err: &strings.Builder{}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.Parse([]string{"key"}); err != nil {
		t.Fatal(err)
	}
	o, err := g.Key.order(nil, nil)
	if err != nil || o.Look != settings.DefaultLook() {
		t.Errorf("%+v, %v; want %+v", o.Look, err, settings.DefaultLook())
	}
}
