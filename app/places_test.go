package app

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"greenroom/views"
)

// hardNames are names that programs have been known to lose.
func hardNames() []string {
	names := []string{
		"é.png", "e\u0301.png", "漢字 テスト.png", "🦎👩‍👩‍👧.png", "thin\u202fspace.png", "100%20sure%.png", "a#b?c&d.png",
		"-rf.png", " led and ended .png ", "'quoted'.png", strings.Repeat("n", 240) + ".png",
	}
	if runtime.GOOS == "windows" {
		names = slices.DeleteFunc(names, func(n string) bool { return strings.ContainsAny(n, `?`) || strings.HasSuffix(n, " ") })
	}
	return names
}

// TestNamesOfEveryKindAreOpenedShownAndExported takes each through the window's workspace: dropped, shown, its hint
// found beside it, keyed, exported, and among the plates of before.
func TestNamesOfEveryKindAreOpenedShownAndExported(t *testing.T) {
	w := newTested(t)
	w.Start()
	for _, name := range hardNames() {
		path := savePlate(t, name, 60, 40)
		stem := strings.TrimSuffix(name, filepath.Ext(name))
		hint := saveHint(t, filepath.Join(filepath.Dir(path), stem+"-hint.png"), 60, 40)
		w.Open(path)
		w.until(t, name, func(s State) bool { return s.Plate != nil && s.Plate.Path == path })
		s := w.keyed(t)
		v := w.show(s)
		if v.Plate.Name != name || v.Recents[0].Name != name || v.Recents[0].Path != path {
			t.Errorf("%q is shown as %q, before as %q", name, v.Plate.Name, v.Recents[0].Name)
		}
		if s.Hint.Source.From != hint || v.Hint.Source != "From "+stem+"-hint.png" {
			t.Errorf("%q: hint %q, shown as %q", name, s.Hint.Source.From, v.Hint.Source)
		}
		w.WriteKey()
		s = w.until(t, "the export of "+name, func(s State) bool { return !s.Export.Running })
		want := []string{stem + "_key.png", stem + "_matte.png", stem + "_key.toml"}
		if s.Problem != nil || s.Export.Report == nil || !slices.Equal(w.show(s).Export.Written, want) {
			t.Fatalf("%q: problem %+v, wrote %q", name, s.Problem, w.show(s).Export.Written)
		}
		for _, file := range want {
			if _, err := os.Stat(filepath.Join(filepath.Dir(path), "keys", file)); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestANameThatIsTooLongIsToldBeforeKeying: with what an export adds, its version too, the name has over 255 bytes.
func TestANameThatIsTooLongIsToldBeforeKeying(t *testing.T) {
	w := newTested(t)
	w.Start()
	// The first export of it fits.
	name := strings.Repeat("é", 122) + "x.png"
	path := savePlate(t, name, 60, 40)
	w.Open(path)
	s := w.keyed(t)
	w.WriteKey()
	s = w.until(t, "the export", func(s State) bool { return !s.Export.Running && s.Export.Version == 2 })
	w.Key()
	s = w.until(t, "what is wrong with the name", func(s State) bool { return s.Problem != nil })
	if s.Running != nil || !strings.Contains(s.Problem.Why, "bytes long") || !strings.Contains(s.Problem.What, "_matte_v002.png") || s.Problem.Fix == "" {
		t.Errorf("running %v, problem %+v", s.Running, s.Problem)
	}
	// Over the files of before, no version lengthens it.
	w.Dismiss()
	w.SetExport(views.ExportChoice{Key: true, Matte: true, Overwrite: true})
	w.until(t, "the names", func(s State) bool { return s.Export.Fault == nil })
	before := s.Key
	w.Key()
	w.until(t, "the key", func(s State) bool { return s.Running == nil && s.Key != before && s.Problem == nil })
}
