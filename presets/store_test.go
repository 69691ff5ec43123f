package presets

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"greenroom/engine/settings"
)

// full is a preset that says something about everything.
func full(t testing.TB, name string) Preset {
	t.Helper()
	s := settings.Default()
	s.Tile, s.Overlap, s.SDPA = 512, 96, false
	p := Preset{
		Name: name, Notes: "First line,\nsecond \"line\".",
		Match:  Match{Chip: "Apple M4 Pro", MinMemoryGB: 20, MaxMemoryGB: 28, GPUCores: 20},
		Engine: Engine{Model: "corridorkey-v1", Device: "metal"},
		Export: Export{Passes: []string{"key", "fg"}, Format: "tiff"},
		Measured: []settings.Measured{{
			Machine: "Apple M4 Pro, 24 GB", Device: "Apple M4 Pro", Model: "nano", ModelHash: "ab12",
			At: time.Date(2026, 12, 1, 9, 30, 0, 0, time.UTC), Resolution: 2048, Config: "full frame", Settings: s,
			Runs: 10, MedianMS: 812.5, MinMS: 800, LowMS: 805, HighMS: 820, PeakBytes: 3 << 30, MatteMAE: 0.009, Truth: true,
		}},
	}
	p.SetSettings(s)
	look := settings.DefaultLook()
	look.Despill, look.Screen, look.Gamma, look.Background = 0.8, settings.ScreenBlue, 1.1, settings.BackgroundGrey
	if err := p.SetLook(look); err != nil {
		t.Fatal(err)
	}
	return p
}

// same compares what presets say, not where they come from.
func same(a, b Preset) bool {
	a.tree, b.tree, a.Path, b.Path, a.builtIn, b.builtIn = nil, nil, "", "", false, false
	return reflect.DeepEqual(a, b)
}

func TestAPresetIsSavedAndLoadedWhole(t *testing.T) {
	s := Store{Folder: filepath.Join(t.TempDir(), "new", "presets")}
	p := full(t, "Night shoot")
	saved, err := s.Save(p)
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Load("night SHOOT")
	if err != nil || !same(got, p) || !same(saved, p) {
		t.Errorf("%+v, %v\nwant %+v", got, err, p)
	}
	if got.Path != filepath.Join(s.Folder, "Night shoot.toml") || got.BuiltIn() {
		t.Errorf("path %q", got.Path)
	}
	if l := got.Look(settings.DefaultLook()); l.Despill != 0.8 || l.Screen != settings.ScreenBlue {
		t.Errorf("look %+v", l)
	}
	text, err := os.ReadFile(got.Path)
	if err != nil || !strings.HasPrefix(string(text), "schema = 1\nname = \"Night shoot\"\n") {
		t.Errorf("the file begins with %.60q, %v", text, err)
	}
	// Saved again it is the same file, and no other is left beside it.
	if _, err := s.Save(got); err != nil {
		t.Fatal(err)
	}
	again, err := os.ReadFile(got.Path)
	if err != nil || string(again) != string(text) {
		t.Errorf("the second file is another:\n%s\n%s", text, again)
	}
	if entries, err := os.ReadDir(s.Folder); err != nil || len(entries) != 1 {
		t.Errorf("files %v, %v", entries, err)
	}
}

func TestUnknownKeysSurviveASave(t *testing.T) {
	s := Store{Folder: t.TempDir()}
	path := filepath.Join(s.Folder, "old.toml")
	text := `schema = 1
future = [1, "two", { three = 3 }]
[machine]
rack = "B"
[engine]
tile = 512
turbo = true
[look]
clip = [0.05, 0.9]
glow = 0.3
[look.comp]
scale = 2
parallax = 1.5
[look.export]
passes = ["matte"]
tag = "x"
[[measured]]
machine = "m"
at = 2026-12-01T10:00:00Z
resolution = 512
runs = 3
median_ms = 10
min_ms = 9.5
weather = "rain"
settings = { refine = "tile", slim = true, later = 1 }
[studio]
show = "night"
[[studio.shots]]
n = 1
`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := s.Load("old")
	if err != nil {
		t.Fatal(err)
	}
	if l := p.Look(settings.DefaultLook()); l.ClipBlack != 0.05 || l.ClipWhite != 0.9 || l.Comp.Scale != 2 || l.Comp.Blend != settings.BlendLinear {
		t.Errorf("look %+v", l)
	}
	p.Engine.Settings["sdpa"] = false
	p.Notes = "changed"
	p, err = s.Save(p)
	if err != nil {
		t.Fatal(err)
	}
	got, err := ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range [][]string{
		{"future"}, {"machine", "rack"}, {"engine", "turbo"}, {"look", "glow"}, {"look", "comp", "parallax"}, {"look", "export", "tag"}, {"studio", "shots"},
	} {
		var v any = got.tree
		for _, k := range key {
			v = asTable(v)[k]
		}
		if v == nil {
			t.Errorf("%v is gone", key)
		}
	}
	if rows := got.tree["measured"].([]map[string]any); rows[0]["weather"] != "rain" || asTable(rows[0]["settings"])["later"] != int64(1) {
		t.Errorf("rows %v", rows)
	}
	if got.Engine.Settings["sdpa"] != false || got.Engine.Settings["tile"] != 512 || got.Notes != "changed" {
		t.Errorf("%+v", got)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("permissions %v, %v", info.Mode(), err)
	}
	// What is taken away is gone from the file.
	p.Engine.Settings, p.Measured, p.Notes = nil, nil, ""
	p.ClearLook()
	if p, err = s.Save(p); err != nil {
		t.Fatal(err)
	}
	if len(p.Engine.Settings)+len(p.Measured)+len(p.LookNames())+len(p.Notes) > 0 || asTable(p.tree["look"])["glow"] == nil {
		t.Errorf("%+v", p)
	}
}

func TestABrokenFileIsNamedWithLineAndColumn(t *testing.T) {
	s := Store{Folder: t.TempDir()}
	if _, err := s.Save(Preset{Name: "sound"}); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(s.Folder, "broken.toml")
	for want, text := range map[string]string{
		"broken.toml:2:8: it is no TOML":                               "schema = 1\nname = = 3\n",
		"broken.toml:1:1: it says no schema":                           "name = 'x'\n",
		"broken.toml:2:10: a newer Greenroom wrote it (schema 7":       "\nschema = 7\n",
		"broken.toml:1:10: schema is 0: it is 1":                       "schema = 0\n",
		"broken.toml:4:8: tile is 33: give 0":                          "schema = 1\n\n[engine]\ntile = 33\n",
		"broken.toml:3:11: sdpa is \"maybe\": a toggle":                "schema = 1\n[engine]\nsdpa =   'maybe'\n",
		"broken.toml:3:11: overlap is 400":                             "schema = 1\n[engine]\noverlap = 400\ntile = 512\n",
		"broken.toml:3:11: device is \"abacus\"":                       "schema = 1\n[engine]\ndevice = 'abacus'\n",
		"broken.toml:3:9: gamma is 40":                                 "schema = 1\n[look]\ngamma = 40\n",
		"broken.toml:3:10: gamma is \"high\": it is a number":          "schema = 1\n[look]\ngamma = 'high'\n",
		"broken.toml:3:8: clip is 3: it is two numbers":                "schema = 1\n[look]\nclip = 3\n",
		"broken.toml:2:8: look is 5: it is a table":                    "\nlook = 5\nschema = 1",
		"broken.toml:4:11: a pass is \"hue\"":                          "schema = 1\n[look]\n[look.export]\npasses = ['hue']\n",
		"broken.toml:4:17: max_memory_gb is 8 and min_memory_gb 16":    "schema = 1\n[machine]\nmin_memory_gb = 16\nmax_memory_gb = 8\n",
		"broken.toml:3:8: chip is 4: it is text":                       "schema = 1\n[machine]\nchip = 4\n",
		"broken.toml:2:9: the name \"a/b\" has":                        "schema = 1\nname = 'a/b'\n",
		"broken.toml:9:1: row 2 of measured: median_ms":                "schema = 1\n[[measured]]\nat = 2026-12-01T10:00:00Z\nruns = 3\nresolution = 512\nmedian_ms = 2\nmin_ms = 1\nsettings = { refine = 'tile' }\n[[measured]]\nat = 2026-12-01T10:00:00Z\nruns = 3\nresolution = 512\nmedian_ms = 0\n",
		"broken.toml:1:101: it is nested too deeply: it is no preset":  strings.Repeat("[", 2000),
		"broken.toml:2:203: it is nested too deeply: it is no preset ": "\n[" + strings.Repeat("a.", 5000) + "a]\n",
	} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		list, broken := s.List()
		if len(broken) != 1 || !strings.Contains(broken[0].Error(), strings.TrimSpace(want)) || !strings.Contains(broken[0].Error(), s.Folder) {
			t.Errorf("%s: %v", want, broken)
			continue
		}
		if list[len(list)-1].Name != "sound" {
			t.Errorf("%s: the other preset did not load", want)
		}
		// It is not written over, and its name is not free.
		if _, err := s.Load("broken"); err == nil || !errors.As(err, new(*FileError)) {
			t.Errorf("%s: Load says %v", want, err)
		}
		if _, err := s.Save(Preset{Name: "broken", Path: path}); err == nil {
			t.Errorf("%s: it was written over", want)
		}
		if _, err := s.Save(Preset{Name: "Broken"}); !errors.Is(err, ErrExists) {
			t.Errorf("%s: its name is free: %v", want, err)
		}
		if now, _ := os.ReadFile(path); string(now) != text {
			t.Errorf("%s: the file was changed", want)
		}
	}
}

func TestImportTakesACopy(t *testing.T) {
	s := Store{Folder: t.TempDir()}
	path := filepath.Join(t.TempDir(), "sent.toml")
	if err := os.WriteFile(path, []byte("schema = 1\nname = '24 GB'\nextra = 1\n[engine]\ntile = 0\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	p, err := s.Import(path)
	if err != nil || p.Name != "24 GB 2" || p.Path != filepath.Join(s.Folder, "24 GB 2.toml") || p.tree["extra"] == nil {
		t.Errorf("%+v, %v", p, err)
	}
	if _, err := s.Import(filepath.Join(s.Folder, "none.toml")); err == nil || !strings.Contains(err.Error(), "none.toml") {
		t.Errorf("%v", err)
	}
}

func TestAFileKeepsItsNameToItself(t *testing.T) {
	s := Store{Folder: t.TempDir()}
	for _, name := range []string{"one", "two"} {
		if _, err := s.Save(Preset{Name: name}); err != nil {
			t.Fatal(err)
		}
	}
	two, err := s.Load("two")
	if err != nil {
		t.Fatal(err)
	}
	two.Name = "One"
	if _, err := s.Save(two); !errors.Is(err, ErrExists) {
		t.Errorf("%v", err)
	}
	two.Name = "Three"
	if _, err := s.Save(two); err != nil {
		t.Errorf("%v", err)
	}
	if got, err := s.Load("three"); err != nil || got.Path != two.Path {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestWhatIsNoFileIsNoPreset(t *testing.T) {
	s := Store{Folder: t.TempDir()}
	target := t.TempDir()
	if err := os.Symlink(target, filepath.Join(s.Folder, "link.toml")); err != nil {
		t.Skip(err)
	}
	if _, broken := s.List(); len(broken) != 1 || !strings.Contains(broken[0].Error(), "link.toml: it is no file") {
		t.Errorf("%v", broken)
	}
	// A link to a file is followed, and stays a link.
	if err := os.Remove(filepath.Join(s.Folder, "link.toml")); err != nil {
		t.Fatal(err)
	}
	real := filepath.Join(target, "real.toml")
	if err := os.WriteFile(real, []byte("schema = 1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, filepath.Join(s.Folder, "link.toml")); err != nil {
		t.Fatal(err)
	}
	p, err := s.Load("link")
	if err != nil {
		t.Fatal(err)
	}
	p.Notes = "changed"
	if _, err := s.Save(p); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(real); err != nil || !strings.Contains(string(text), "changed") {
		t.Errorf("%s, %v", text, err)
	}
	if info, err := os.Lstat(p.Path); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("%v, %v", info, err)
	}
}

func TestNamesThatFilesCannotHave(t *testing.T) {
	for _, name := range []string{"", " ", "a/b", `a\b`, "a:b", "a\nb", ".hidden", "dot.", " a", "a ", "CON", "nul.x", "Lpt1", strings.Repeat("x", 101), "a\x00"} {
		if CheckName(name) == nil {
			t.Errorf("%q is allowed", name)
		}
	}
	for _, name := range []string{"Night shoot", "M4 Pro, 24 GB", "夜", "com", "compositing", "v1.2"} {
		if err := CheckName(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestAPresetsDeviceMustBeThere(t *testing.T) {
	mac, pc, gpu := machine(t, "Apple M4, 16 GB"), machine(t, "PC, 16 GB"), machine(t, "PC, 16 GB, GPU Card 8 GB")
	for _, c := range []struct {
		m          Machine
		asked, use string
	}{{mac, "metal", "metal"}, {pc, "metal", "auto"}, {mac, "vulkan", "auto"}, {pc, "vulkan", "auto"}, {gpu, "vulkan", "vulkan"}, {pc, "cpu", "cpu"}, {pc, "", ""}, {gpu, "vulkan:Card", "vulkan:Card"}, {mac, "vulkan:Card", "auto"}} {
		got, adjusted := Preset{Engine: Engine{Device: c.asked}}.On(c.m)
		if got != c.use || (len(adjusted) > 0) != (c.asked != c.use) {
			t.Errorf("%s on %s: %q, %v", c.asked, c.m, got, adjusted)
		}
	}
}
