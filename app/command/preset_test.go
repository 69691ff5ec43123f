package command

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"greenroom/app/keying"
	"greenroom/engine/bench"
	"greenroom/engine/device"
	"greenroom/engine/settings"
	"greenroom/presets"
)

// on runs a command line on another machine, with settings kept below a folder of the test's.
func on(t *testing.T, machine string, arguments ...string) output {
	t.Helper()
	var out, err bytes.Buffer
	code := run(t.Context(), arguments, Streams{Out: &out, Err: &err, detector: presets.As(machine)})
	return output{code, out.String(), err.String()}
}

// presetsAt keeps presets below a folder of the test's and returns it; where the folder for settings does not go by
// the environment the test is skipped.
func presetsAt(t *testing.T) string {
	t.Helper()
	benchAt(t)
	folder, err := presets.Folder()
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

const mini = "Apple M4 Pro, 24 GB"

func TestPresetsAreSavedShownAndListed(t *testing.T) {
	folder := presetsAt(t)
	got := on(t, mini, "preset", "save", "Night", "--tile", "512", "--set", "sdpa=off", "--despill", "0.8", "--screen", "blue",
		"--passes", "matte,fg", "--format", "tiff", "--device", "cpu", "--notes", "night shoot")
	if got.code != exitDone || !strings.Contains(got.out, filepath.Join(folder, "Night.toml")) {
		t.Fatalf("%+v", got)
	}
	want := `schema = 1
name = "Night"
notes = "night shoot"

[machine]
chip = "Apple M4 Pro"
max_memory_gb = 24
min_memory_gb = 24

[engine]
device = "cpu"
sdpa = false
tile = 512

[look]
despill = 0.8
screen = "blue"
[look.export]
format = "tiff"
passes = ["matte", "fg"]
`
	if got = on(t, mini, "preset", "show", "night"); got.code != exitDone || got.out != want || got.err != "" {
		t.Errorf("%s%s\nwant %s", got.err, got.out, want)
	}
	if got = on(t, "PC, 8 GB", "preset", "show", "Night"); !strings.Contains(got.err, "it is for Apple M4 Pro, and this is PC") {
		t.Errorf("%+v", got)
	}
	got = on(t, mini, "preset", "list")
	for _, line := range []string{"8 GB ", "M1 Ultra 128 GB", "by the rules", "sdpa off, tile 512, a look", "* fits Apple M4 Pro, 24 GB best"} {
		if got.code != exitDone || !strings.Contains(got.out, line) {
			t.Errorf("no %q in\n%s%s", line, got.out, got.err)
		}
	}
	best := slices.IndexFunc(strings.Split(got.out, "\n"), func(l string) bool { return strings.HasPrefix(l, "*  Night ") })
	if best < 0 {
		t.Errorf("the artist's own is not the best:\n%s", got.out)
	}
	if got = on(t, "PC, 8 GB", "preset", "list"); !strings.Contains(got.out, "*  8 GB ") {
		t.Errorf("%s", got.out)
	}
	// A broken file is named and the rest is listed.
	if err := os.WriteFile(filepath.Join(folder, "bad.toml"), []byte("schema = 1\n[engine]\ntile = 33\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	got = on(t, mini, "preset", "list")
	if got.code != exitFailed || !strings.Contains(got.err, "bad.toml:3:8: tile is 33") || !strings.Contains(got.out, "Night") {
		t.Errorf("%+v", got)
	}
}

func TestPresetsThatCannotBeSaved(t *testing.T) {
	presetsAt(t)
	if got := on(t, mini, "preset", "save", "one", "--tile", "256", "--any"); got.code != exitDone {
		t.Fatalf("%+v", got)
	}
	for name, c := range map[string]struct {
		arguments []string
		code      int
		says      string
	}{
		"nothing":       {[]string{"x"}, exitUsage, "nothing to save"},
		"a name twice":  {[]string{"ONE", "--tile", "0"}, exitFailed, "--overwrite"},
		"a built-in":    {[]string{"8 gb", "--tile", "0"}, exitFailed, "built in"},
		"over built-in": {[]string{"8 GB", "--tile", "0", "--overwrite"}, exitFailed, "built in"},
		"an odd name":   {[]string{"a/b", "--tile", "0"}, exitFailed, "file names"},
		"a bad value":   {[]string{"x", "--tile", "33"}, exitUsage, "tile is 33"},
		"a bad look":    {[]string{"x", "--gamma", "40"}, exitUsage, "gamma is 40"},
		"a bad pass":    {[]string{"x", "--passes", "hue"}, exitFailed, "hue"},
		"no preset":     {[]string{"x", "--from", "nothing"}, exitUsage, "no such preset"},
		"no rows":       {[]string{"x", "--measured"}, exitFailed, "greenroom bench"},
		"both":          {[]string{"x", "--any", "--as", "PC, 8 GB", "--tile", "0"}, exitUsage, "choose"},
		"a kept colour": {[]string{"x", "--keep", "0.1,0.2,0.3"}, exitUsage, "any plate"},
	} {
		got := on(t, mini, append([]string{"preset", "save"}, c.arguments...)...)
		if got.code != c.code || !strings.Contains(got.err, c.says) {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if got := on(t, mini, "preset", "save", "one", "--from", "one", "--set", "slim=off", "--overwrite"); got.code != exitDone {
		t.Errorf("%+v", got)
	}
	if got := on(t, mini, "preset", "show", "one"); !strings.Contains(got.out, "tile = 256") || !strings.Contains(got.out, "slim = false") || strings.Contains(got.out, "chip") {
		t.Errorf("%+v", got)
	}
}

func TestAPlateIsKeyedWithAPreset(t *testing.T) {
	presetsAt(t)
	dir := t.TempDir()
	shot := plate(t, dir, "shot.png")
	got := on(t, mini, "preset", "save", "house", "--tile", "64", "--overlap", "32", "--set", "sdpa=off", "--despill", "0.25", "--passes", "matte", "--format", "tiff", "--device", "vulkan", "--any")
	if got.code != exitDone {
		t.Fatalf("%+v", got)
	}
	// The preset's device is one that a Mac does not use; flags go over the preset.
	got = on(t, mini, "key", shot, "--preset", "House", "--device", "cpu", "--set", "sdpa=on", "--json", "--out", filepath.Join(dir, "a"))
	if got.code != exitDone {
		t.Fatalf("%+v", got)
	}
	o := decodeLines(t, got.out)[0]
	s := o["settings"].(map[string]any)
	if s["tile"] != 64.0 || s["overlap"] != 32.0 || s["sdpa"] != true || len(o["adjusted"].([]any)) != 0 {
		t.Errorf("%v, adjusted %v", s, o["adjusted"])
	}
	files := o["files"].(map[string]any)
	if len(files) != 1 || !strings.HasSuffix(files["matte"].(string), "shot_matte.tif") {
		t.Errorf("files %v", files)
	}
	side, err := os.ReadFile(filepath.Join(dir, "a", "shot_key.toml"))
	if err != nil || !strings.Contains(string(side), "preset = \"house\"") || !strings.Contains(string(side), "despill = 0.25") {
		t.Errorf("%v\n%s", err, side)
	}
	// Saved from that sidecar, another preset says all of it.
	if got = on(t, mini, "preset", "save", "again", "--like", filepath.Join(dir, "a", "shot_key.toml")); got.code != exitDone {
		t.Fatalf("%+v", got)
	}
	got = on(t, mini, "preset", "show", "again")
	for _, line := range []string{"tile = 64", "sdpa = true", "despill = 0.25", "model = \"nano\"", "refine = \"tile\""} {
		if !strings.Contains(got.out, line) {
			t.Errorf("no %q in\n%s", line, got.out)
		}
	}
}

func TestImportTellsWhatThisMachineAdjusts(t *testing.T) {
	folder := presetsAt(t)
	sent := write(t, t.TempDir(), "studio.toml", []byte("schema = 1\nrack = 'B'\n[machine]\nchip = 'M3 Ultra'\n[engine]\ntile = 0\ndevice = 'vulkan'\n"))
	got := on(t, mini, "preset", "import", sent)
	if got.code != exitDone || !strings.Contains(got.out, filepath.Join(folder, "studio.toml")) {
		t.Fatalf("%+v", got)
	}
	for _, part := range []string{
		"made for other machines: it is for M3 Ultra", "at 2048 device is auto instead of vulkan", "at 2048 tile is 768 instead of 0: with 32 GB or less",
	} {
		if !strings.Contains(got.err, part) {
			t.Errorf("no %q in %s", part, got.err)
		}
	}
	text, err := os.ReadFile(filepath.Join(folder, "studio.toml"))
	if err != nil || !strings.Contains(string(text), "tile = 0") || !strings.Contains(string(text), "rack = \"B\"") {
		t.Errorf("the file was changed: %s, %v", text, err)
	}
	// A plate that is small enough is keyed as asked.
	if got = on(t, mini, "preset", "import", sent, "--size", "1024"); got.code != exitDone || strings.Contains(got.err, "tile is 768") || !strings.Contains(got.out, "studio 2") {
		t.Errorf("%+v", got)
	}
	broken := write(t, t.TempDir(), "broken.toml", []byte("schema = 1\n[look]\ngamma = 'high'\n"))
	if got = on(t, mini, "preset", "import", broken); got.code != exitFailed || !strings.Contains(got.err, "broken.toml:3:10: gamma is \"high\"") {
		t.Errorf("%+v", got)
	}
}

// TestWhatWasMeasuredOnAMachineOutranksTheRules: a bench in the machine's history turns a rule round and lifts the
// requirement of tiles, and both say so; a preset takes its rows along.
func TestWhatWasMeasuredOnAMachineOutranksTheRules(t *testing.T) {
	presetsAt(t)
	model, err := keying.OpenModel(t.Context(), keying.DefaultModel)
	if err != nil {
		t.Fatal(err)
	}
	defer model.Close()
	m, err := presets.Parse(mini)
	if err != nil {
		t.Fatal(err)
	}
	history, err := userHistory(m.String())
	if err != nil {
		t.Fatal(err)
	}
	row := func(resolution, tile int, sdpa bool, ms float64) bench.Row {
		s := settings.Default()
		s.Tile, s.SDPA = tile, sdpa
		return bench.Row{
			Resolution: resolution, Config: bench.Config{Name: "config", Settings: s}, RunsMS: []float64{ms, ms, ms},
			MedianMS: ms, MinMS: ms, LowMS: ms, HighMS: ms, PeakBytes: 2 << 30,
		}
	}
	report := &bench.Report{
		Machine: m, Device: device.Info{Name: m.GPU.Name}, Model: model.Name, ModelHash: model.Hash,
		At:   time.Date(2026, 12, 1, 10, 0, 0, 0, time.UTC),
		Rows: []bench.Row{row(1024, 0, true, 320), row(1024, 0, false, 100), row(2048, 0, true, 900), row(2048, 768, true, 900)},
	}
	if err := history.Append(report); err != nil {
		t.Fatal(err)
	}
	got := on(t, mini, "preset", "recommend", "--size", "2048")
	for _, part := range []string{
		"sdpa = off (measured here)\n  sdpa off: measured here 3.2x faster at 1024 (2026-12-01)\n  - measured here, nano on Apple M4 Pro at 1024: config 100 ms, 2.0 GB, 3 runs (2026-12-01)",
		"tile = 768 (measured here)\n  tiles required: ", "lifted: measured here, the whole frame fits at 2048 in 2.0 GB (2026-12-01)",
	} {
		if got.code != exitDone || !strings.Contains(got.out, part) {
			t.Errorf("no %q in\n%s%s", part, got.err, got.out)
		}
	}
	// Elsewhere it counts for nothing, unless a preset takes it back to this machine.
	if got = on(t, "Apple M4 Pro, 32 GB", "preset", "recommend", "--size", "2048"); strings.Contains(got.out, "measured here") {
		t.Errorf("%s", got.out)
	}
	if got = on(t, mini, "preset", "save", "bench", "--measured", "--tile", "0"); got.code != exitDone {
		t.Fatalf("%+v", got)
	}
	text := on(t, mini, "preset", "show", "bench").out
	benchAt(t) // another folder: no history
	sent := write(t, t.TempDir(), "bench.toml", []byte(text))
	if got = on(t, mini, "preset", "import", sent); got.code != exitDone || strings.Contains(got.err, "instead of") {
		t.Errorf("%+v", got)
	}
	if got = on(t, "Apple M4 Pro, 32 GB", "preset", "import", sent); !strings.Contains(got.err, "tile is 768 instead of 0") {
		t.Errorf("%+v", got)
	}
}

func TestRecommendPlansTheModelsMemory(t *testing.T) {
	presetsAt(t)
	got := on(t, mini, "preset", "recommend", "--size", "1024")
	if got.code != exitDone || !strings.Contains(got.out, "planned peak ") || !strings.Contains(got.out, "Apple M4 Pro, 24 GB, plates of size 1024, model nano") {
		t.Errorf("%+v", got)
	}
	// A machine on which the rules' tiles do not fit, and one on which nothing does.
	got = on(t, mini, "preset", "recommend", "--size", "2500", "--as", "Tiny, 1 GB", "--json")
	if got.code != exitDone || !strings.Contains(got.out, `"rule":"memory: the key would need`) {
		t.Errorf("%+v", got)
	}
	got = on(t, mini, "preset", "recommend", "--size", "4096", "--as", "Tiny, 1 GB")
	if got.code != exitFailed || !strings.Contains(got.err, "use a smaller model") {
		t.Errorf("%+v", got)
	}
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	got = on(t, mini, "preset", "recommend", "--model", "corridorkey-v1", "--size", "2048")
	if got.code != exitDone || !strings.Contains(got.err, "corridorkey-v1 is not on this machine") || strings.Contains(got.out, "planned peak") {
		t.Errorf("%+v", got)
	}
	if got = on(t, mini, "preset", "recommend", "--model", "nothing"); got.code != exitFailed {
		t.Errorf("%+v", got)
	}
}
