package app

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"greenroom/engine/settings"
	"greenroom/presets"
	"greenroom/views"
)

// planned waits until the last plan is there with its locks.
func (w *tested) planned(t *testing.T) State {
	t.Helper()
	// The device is told of while other things are read, and planned for.
	w.until(t, "the device", func(s State) bool { return s.Setup.Device.Name != "" })
	w.reading.Wait()
	return w.until(t, "the plan", func(s State) bool { return s.Plan != nil && s.Plan.Known && !s.Planning })
}

// newPlanned returns a workspace with a plate and its plan, in which no setting was asked for.
func newPlanned(t *testing.T, width, height int) *tested {
	t.Helper()
	w := newTested(t)
	w.asked = nil
	w.Start()
	w.Open(savePlate(t, "shot.png", width, height))
	w.planned(t)
	return w
}

// named answers what a new preset is to be called, and waits for it.
func (w *tested) named(t *testing.T, name string) State {
	t.Helper()
	w.until(t, "the question", func(s State) bool { return s.Setup.Ask != nil })
	w.Tell(name)
	return w.until(t, "the preset "+name, func(s State) bool { return s.Setup.Preset != nil && s.Setup.Ask == nil })
}

// on makes the workspace believe that it runs on another machine.
func (w *tested) on(t *testing.T, words string) State {
	t.Helper()
	m, err := presets.Parse(words)
	if err != nil {
		t.Fatal(err)
	}
	w.change(func(s *State) { s.Machine = m })
	w.plan()
	return w.planned(t)
}

// setting finds a setting as the window shows it.
func (w *tested) setting(name string) views.SettingState {
	for _, s := range w.show(w.State()).Setup.Settings {
		if s.Name == name {
			return s
		}
	}
	return views.SettingState{}
}

func TestChoicesReachTheJob(t *testing.T) {
	w := newTested(t)
	w.Start()
	w.Open(savePlate(t, "shot.png", 300, 200))
	w.ready(t)
	w.planned(t)
	w.SetSetting("tile", "256")
	w.SetSetting("slim", "off")
	w.SetSetting("compile", "off")
	w.planned(t)
	s := w.keyed(t)
	if used := s.Key.Result.Used; used.Tile != 256 || used.Slim || used.Compile || used.Overlap != 32 {
		t.Errorf("keyed with %+v", used)
	}
	if got := w.setting("tile"); got.Asked != "256" || got.Used != "256" {
		t.Errorf("shown %+v", got)
	}
	if v := w.show(s); !strings.Contains(v.Setup.Time, "as the last key took") || v.Key.Stale != "" {
		t.Errorf("time %q, stale %q", v.Setup.Time, v.Key.Stale)
	}
	// A toggle changes no result: only what the network sees makes the key out of date.
	w.SetSetting("slim", "on")
	if s := w.planned(t); s.Stale() != "" || !s.Plan.Settings.Slim {
		t.Errorf("after a toggle: stale %q, %+v", s.Stale(), s.Plan.Settings)
	}
	w.SetSetting("overlap", "64")
	s = w.planned(t)
	if v := w.show(s); v.Key.Stale != "the settings have changed" || !v.Key.Ready {
		t.Errorf("after another overlap: %+v", v.Key)
	}
	if s = w.keyed(t); s.Key.Result.Used.Overlap != 64 || s.Stale() != "" {
		t.Errorf("keyed again with %+v, stale %q", s.Key.Result.Used, s.Stale())
	}
}

func TestSmallTileBringsASmallerOverlap(t *testing.T) {
	w := newTested(t)
	w.Start()
	w.Open(savePlate(t, "shot.png", 700, 500))
	w.planned(t)
	w.SetSetting("tile", "512")
	w.SetSetting("overlap", "256")
	w.planned(t)
	w.SetSetting("tile", "256")
	s := w.planned(t)
	if s.Plan.Err != nil || s.Plan.Settings.Tile != 256 || s.Plan.Settings.Overlap != 128 {
		t.Errorf("%+v, %v", s.Plan.Settings, s.Plan.Err)
	}
	if why := s.Plan.Locks["overlap"]["192"]; !strings.Contains(why, "at most half the tile") {
		t.Errorf("an overlap over half the tile: %q", why)
	}
	w.SetSetting("tile", "0")
	s = w.planned(t)
	for name, value := range map[string]string{"overlap": "32", "refine": "frame"} {
		if s.Plan.Locks[name][value] == "" {
			t.Errorf("%s %s can be chosen for the whole frame", name, value)
		}
	}
}

// TestHalfWidthCanBeChosenWhereItIsStored sets the format of half width, which needs bf16.
func TestHalfWidthCanBeChosenWhereItIsStored(t *testing.T) {
	w := newTested(t)
	w.Start()
	w.Open(savePlate(t, "shot.png", 700, 500))
	w.SetSetting("bf16", "off")
	if s := w.planned(t); s.Plan.Locks["half"]["float16"] == "" {
		t.Error("without bf16 float16 can be chosen")
	}
	w.SetSetting("bf16", "on")
	if s := w.planned(t); s.Plan.Locks["half"]["float16"] != "" {
		t.Errorf("with bf16 float16 cannot be chosen: %s", s.Plan.Locks["half"]["float16"])
	}
	w.keyed(t)
	w.SetSetting("half", "float16")
	s := w.planned(t)
	if v := w.show(s); s.Plan.Settings.Half != settings.Float16 || v.Key.Stale != "the settings have changed" {
		t.Errorf("planned with %+v, stale %q", s.Plan.Settings, v.Key.Stale)
	}
}

// TestRequirementLocksTheControlAndAdjustsTheRest is a full frame of 2048 on a machine with 24 GB.
func TestRequirementLocksTheControlAndAdjustsTheRest(t *testing.T) {
	w := newPlanned(t, 2048, 2048)
	s := w.on(t, "Apple M4 Pro, 24 GB")
	if s.Plan.Settings.Tile != 768 {
		t.Errorf("keyed with tile %d", s.Plan.Settings.Tile)
	}
	if why := s.Plan.Locks["tile"]["0"]; why == "" {
		t.Error("the whole frame can be chosen")
	}
	if why := s.Plan.Locks["compile"]["off"]; why == "" {
		t.Error("compile can be turned off")
	}
	for _, tile := range []string{"256", "512", "1024"} {
		if why := s.Plan.Locks["tile"][tile]; why != "" {
			t.Errorf("tile %s is locked: %s", tile, why)
		}
	}
	required := false
	for _, r := range w.setting("tile").Reasons {
		required = required || r.Required && len(r.Evidence) > 0
	}
	if !required {
		t.Errorf("no required reason with evidence: %+v", w.setting("tile").Reasons)
	}
	// What a preset or a sidecar asks for is adjusted, and says so.
	w.SetSetting("tile", "0")
	s = w.planned(t)
	v := w.show(s)
	if s.Plan.Settings.Tile != 768 || len(v.Plan.Adjusted) == 0 {
		t.Fatalf("tile %d, adjusted %+v", s.Plan.Settings.Tile, v.Plan.Adjusted)
	}
	a := v.Plan.Adjusted[0]
	if a.Setting != "tile" || a.Asked != "the whole frame" || a.Used != "768" || a.Why == "" {
		t.Errorf("adjusted %+v", a)
	}
	if got := w.setting("tile"); got.Asked != "0" || got.Used != "768" {
		t.Errorf("shown %+v", got)
	}
	// At 1024, and on a larger machine, it runs.
	if s = w.on(t, "Apple M3 Ultra, 256 GB"); s.Plan.Locks["tile"]["768"] != "" || s.Plan.Settings.Tile != 0 {
		t.Errorf("on 256 GB: %+v", s.Plan.Settings)
	}
}

func TestPreviewShowsAnotherMachineAndKeysWithThisOne(t *testing.T) {
	w := newPlanned(t, 2100, 2000)
	s := w.on(t, "Apple M3 Ultra, 256 GB")
	mine := s.Plan.Settings
	w.PreviewAs("Apple M1, 8 GB")
	s = w.until(t, "the preview", func(s State) bool { return s.Setup.Preview != nil && s.Setup.Preview.Plan != nil })
	w.planned(t)
	v := w.show(s).Setup
	if !v.Preview || v.Name != "Apple M1, 8 GB" || v.Busy == "" || v.Measure.WhyNot == "" {
		t.Errorf("shown %+v", v)
	}
	if got := w.setting("sdpa"); got.Used != "off" {
		t.Errorf("an M1 gets sdpa %q", got.Used)
	}
	if s.Plan.Settings != mine {
		t.Errorf("keys would run with %+v, not %+v", s.Plan.Settings, mine)
	}
	w.SetSetting("slim", "off")
	if s := w.planned(t); len(s.Setup.Edits) > 0 {
		t.Errorf("a preview changed %v", s.Setup.Edits)
	}
	w.PreviewAs("")
	if v := w.show(w.State()).Setup; v.Preview || v.Name != "Apple M3 Ultra, 256 GB" || v.Busy != "" {
		t.Errorf("back: %+v", v)
	}
	w.PreviewOther()
	w.Tell("nonsense")
	s = w.until(t, "the problem", func(s State) bool { return s.Setup.Ask != nil && s.Setup.Ask.Problem != "" })
	if s.Setup.Ask.Text != "nonsense" {
		t.Errorf("asked again with %q", s.Setup.Ask.Text)
	}
	w.Tell("Some PC, 24 GB")
	w.until(t, "the preview", func(s State) bool { return s.Setup.Ask == nil && s.Setup.Preview != nil })
}

func TestEditedBuiltInAsksToDuplicate(t *testing.T) {
	w := newPlanned(t, 300, 200)
	w.SavePreset() // nothing has changed
	if q := w.State().Question; q != nil {
		t.Errorf("asked %+v", q)
	}
	w.SetSetting("tile", "256")
	w.planned(t)
	if v := w.show(w.State()).Setup.Preset; !v.BuiltIn || !v.Edited {
		t.Errorf("shown %+v", v)
	}
	w.SavePreset()
	q := w.State().Question
	if q == nil || !strings.Contains(q.Title, "cannot be changed") || len(q.Answers) != 1 {
		t.Fatalf("asked %+v", q)
	}
	w.Answer(0)
	w.until(t, "the name", func(s State) bool { return s.Setup.Ask != nil })
	w.Tell("a/b")
	w.until(t, "the problem", func(s State) bool { return s.Setup.Ask != nil && s.Setup.Ask.Problem != "" })
	s := w.named(t, "hair, ß ")
	if p := s.Setup.Preset; p.Name != "hair, ß" || p.BuiltIn() || p.Path == "" || s.edited() {
		t.Errorf("saved %+v, edited %v", p, s.edited())
	}
	if v := w.show(s).Setup.Preset; v.Choices[len(v.Choices)-1].Name != "hair, ß" || !v.File {
		t.Errorf("shown %+v", v)
	}
	if got := w.setting("tile"); got.Asked != "256" {
		t.Errorf("the preset keys with %+v", got)
	}
	// One's own is saved without a question.
	w.SetSetting("tile", "128")
	w.planned(t)
	w.SavePreset()
	s = w.until(t, "the save", func(s State) bool { return len(s.Setup.Edits) == 0 })
	if s.Question != nil || s.Problem != nil {
		t.Errorf("asked %+v, problem %+v", s.Question, s.Problem)
	}
	text, err := os.ReadFile(s.Setup.Preset.Path)
	if err != nil || !strings.Contains(string(text), "tile = 128") {
		t.Errorf("%v:\n%s", err, text)
	}
	w.planned(t)
	w.SetSetting("tile", "256")
	if s := w.State(); !s.edited() {
		t.Error("another tile is no edit")
	}
	w.RevertPreset()
	if s := w.planned(t); s.edited() || s.Plan.Asked.Tile != 128 {
		t.Errorf("reverted to %+v, edited %v", s.Plan.Asked, s.edited())
	}
}

func TestNotesWriteSettingsAsTheyAreWrittenEverywhere(t *testing.T) {
	w := newPlanned(t, 300, 200)
	w.SetSetting("stage_gc", "on")
	w.planned(t)
	notes := w.show(w.State()).Setup.Notes
	if len(notes) != 1 || !strings.HasPrefix(notes[0], "stage_gc is on; off is recommended here (") || !strings.HasSuffix(notes[0], ").") {
		t.Errorf("notes %q", notes)
	}
}

func TestPresetBringsItsLookAndIsOutrankedByEdits(t *testing.T) {
	w := newTested(t)
	w.Start()
	w.Open(savePlate(t, "shot.png", 300, 200))
	w.planned(t)
	look := w.State().Choices.Look
	look.Despill = 0.25
	w.setLook(look)
	w.SavePresetAs()
	w.named(t, "quarter")
	look.Despill = 0.75
	w.setLook(look)
	if s := w.State(); !s.edited() {
		t.Error("another look is no edit")
	}
	w.UsePreset(recommended)
	w.until(t, "the rules", func(s State) bool { return s.Setup.Preset == nil })
	w.UsePreset("quarter")
	s := w.until(t, "the preset", func(s State) bool { return s.Setup.Preset != nil })
	if s.Choices.Look.Despill != 0.25 {
		t.Errorf("despill %v", s.Choices.Look.Despill)
	}
	w.DuplicatePreset()
	s = w.until(t, "the name", func(s State) bool { return s.Setup.Ask != nil })
	if s.Setup.Ask.Text != "quarter copy" {
		t.Errorf("offered %q", s.Setup.Ask.Text)
	}
	w.Tell(s.Setup.Ask.Text)
	w.until(t, "the copy", func(s State) bool { return s.Setup.Preset.Name == "quarter copy" && s.Setup.Ask == nil })
	w.UsePreset("gone")
	s = w.until(t, "the problem", func(s State) bool { return s.Problem != nil })
	if !strings.Contains(s.Problem.What, "gone") || s.Setup.Preset.Name != "quarter copy" {
		t.Errorf("%+v, using %s", s.Problem, s.Setup.Preset.Name)
	}
}

func TestBrokenPresetsAreNamedAndTheRestLoad(t *testing.T) {
	w := newTested(t)
	folder := filepath.Join(w.folder, "presets")
	if err := os.MkdirAll(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	write := func(path, text string) string {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write(filepath.Join(folder, "bad.toml"), "schema = 1\nname = \"bad\"\n[engine]\ntile = 7\n")
	write(filepath.Join(folder, "good.toml"), "schema = 1\nname = \"good\"\n[engine]\ntile = 256\n")
	w.Start()
	w.Open(savePlate(t, "shot.png", 300, 200))
	w.planned(t)
	v := w.show(w.State()).Setup.Preset
	if len(v.Problems) != 1 || !strings.HasPrefix(v.Problems[0], "bad.toml cannot be read: line 4") {
		t.Errorf("problems %q", v.Problems)
	}
	if !slices.Contains(v.Choices, views.PresetChoice{Name: "good"}) {
		t.Errorf("choices %+v", v.Choices)
	}
	w.ImportPreset(write(filepath.Join(t.TempDir(), "worse.toml"), "schema = \n"))
	s := w.until(t, "the problem", func(s State) bool { return s.Problem != nil })
	if s.Problem.What != "worse.toml cannot be read" || !strings.Contains(s.Problem.Why, "line 1") {
		t.Errorf("%+v", s.Problem)
	}
	w.ImportPreset(write(filepath.Join(t.TempDir(), "theirs.toml"), "schema = 1\nname = \"theirs\"\n[engine]\nsdpa = false\n"))
	w.until(t, "the import", func(s State) bool { return s.Setup.Preset != nil && s.Setup.Preset.Name == "theirs" })
	file, _, err := w.PresetPlace()
	if err != nil || filepath.Dir(file) != folder {
		t.Errorf("%q, %v", file, err)
	}
	w.UsePreset(recommended)
	w.until(t, "the rules", func(s State) bool { return s.Setup.Preset == nil })
	if file, place, err := w.PresetPlace(); err != nil || file != "" || place != folder {
		t.Errorf("%q, %q, %v", file, place, err)
	}
}

func TestMeasuringBecomesAPresetAndAnEstimate(t *testing.T) {
	w := newTested(t)
	w.asked = nil
	w.measureAt = 64
	w.Start()
	w.Open(savePlate(t, "shot.png", 64, 64))
	w.ready(t)
	w.planned(t)
	if got := w.show(w.State()).Setup.Time; got != "not measured yet" {
		t.Errorf("time %q", got)
	}
	w.Measure()
	s := w.State()
	if v := w.show(s); !v.Setup.Measure.Running || v.Key.Ready || v.Setup.Busy == "" {
		t.Errorf("while measuring: %+v, key %+v", v.Setup.Measure, v.Key)
	}
	w.Key()
	if w.State().Running != nil {
		t.Error("a key runs beside the measuring")
	}
	s = w.until(t, "the measurements", func(s State) bool { return s.Setup.Found != nil })
	if s.Problem != nil || s.Setup.Found.best() == nil || len(s.Setup.Measured) == 0 {
		t.Fatalf("problem %+v, found %+v", s.Problem, s.Setup.Found)
	}
	w.planned(t)
	s = w.until(t, "the estimate", func(s State) bool { return s.Plan.Estimated != nil })
	v := w.show(s).Setup
	if !strings.Contains(v.Time, "measured here on "+time.Now().UTC().Format("2006-01-02")) {
		t.Errorf("time %q", v.Time)
	}
	if m := v.Measure; !m.Offer || len(m.Rows) == 0 || m.Result == "" || m.WhyNot != "" {
		t.Errorf("shown %+v", m)
	}
	w.SaveMeasured()
	s = w.named(t, "measured")
	if p := s.Setup.Preset; len(p.Measured) == 0 || !p.Match.Fits(s.Machine) {
		t.Errorf("saved %+v", p)
	}
	if s = w.planned(t); s.Plan.Asked != s.Setup.Found.best().Settings {
		t.Errorf("the preset asks for %+v, the best was %+v", s.Plan.Asked, s.Setup.Found.best().Settings)
	}
}

func TestMeasuringStops(t *testing.T) {
	w := newTested(t)
	w.measureAt = 512
	w.Start()
	w.Open(savePlate(t, "shot.png", 64, 64))
	w.ready(t)
	w.Measure()
	w.until(t, "a run", func(s State) bool { return s.Setup.Bench != nil && s.Setup.Bench.Done > 0 })
	w.StopMeasuring()
	s := w.until(t, "the end", func(s State) bool { return s.Setup.Bench == nil })
	if s.Setup.Found == nil || !s.Setup.Found.Stopped || s.Problem != nil {
		t.Errorf("found %+v, problem %+v", s.Setup.Found, s.Problem)
	}
	w.keyed(t)
	w.Measure()
	w.until(t, "measuring again", func(s State) bool { return s.Setup.Bench != nil })
	start := time.Now()
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	if took := time.Since(start); took > 3*time.Second {
		t.Errorf("closing took %v", took)
	}
}

func TestMachineIsMeasuredNearThePlatesSize(t *testing.T) {
	for _, c := range []struct {
		size      float64
		processor bool
		want      int
	}{{300, false, 512}, {900, false, 1024}, {1440, true, 1024}, {1920, false, 2048}, {2974, false, 2048}, {2974, true, 1024}} {
		if got := measureSize(c.size, c.processor); got != c.want {
			t.Errorf("size %v, processor %v: measured at %d, want %d", c.size, c.processor, got, c.want)
		}
	}
}
