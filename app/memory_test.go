package app

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"greenroom/engine/settings"
)

func TestMemoryKeepsNamesOfEveryKind(t *testing.T) {
	m := &memory{path: filepath.Join(t.TempDir(), "new", "window.toml")}
	if r := m.load(); len(r.Recents) != 0 {
		t.Errorf("nothing was remembered, but %q", r.Recents)
	}
	want := []string{"/jobs/Straße 7/grün é \u202e.png", "/a\"b\\c\nd.tif", "/latin 1/gr\xfcn \"7\".png", `"quoted"`, `/x"`, "`x`"}
	m.set(remembered{Recents: want, Model: "/m\xff.pth", Folder: "/keys \xe9"})
	if err := m.save(t.Context()); err != nil {
		t.Fatal(err)
	}
	got := m.load()
	if !slices.Equal(got.Recents, want) {
		t.Errorf("%q, want %q", got.Recents, want)
	}
	if got.Model != "/m\xff.pth" || got.Folder != "/keys \xe9" {
		t.Errorf("the model is %q, the folder %q", got.Model, got.Folder)
	}
}

func TestMemoryWaitsForNoPipe(t *testing.T) {
	m := &memory{path: filepath.Join(t.TempDir(), "window.toml")}
	if err := exec.Command("mkfifo", m.path).Run(); err != nil {
		t.Skip("no pipes here")
	}
	prompt(t, "the start", func() {
		if r := m.load(); len(r.Recents) != 0 {
			t.Errorf("recents %q", r.Recents)
		}
	})
}

func TestMemoryStartsAnewAfterDamage(t *testing.T) {
	m := &memory{path: filepath.Join(t.TempDir(), "window.toml")}
	for _, damage := range []string{
		"", "recents = [", "recents = 7", "\x00\xff", strings.Repeat("x", memoryLimit+5),
		"x = " + strings.Repeat("[", memoryLimit/2), strings.Repeat("a.", 50_000) + "a = 1",
	} {
		if err := os.WriteFile(m.path, []byte(damage), 0o666); err != nil {
			t.Fatal(err)
		}
		if r := m.load(); len(r.Recents) != 0 {
			t.Errorf("%.10q: %q", damage, r.Recents)
		}
	}
	for _, odd := range []string{
		"width = -5\nheight = 800", "width = nan\nheight = 800", "width = 1e9\nheight = 1e9", "[look]\ndespill = 77", "[export]\nFormat = \"gif\"",
	} {
		if err := os.WriteFile(m.path, []byte("recents = [\"/a\"]\n"+odd), 0o666); err != nil {
			t.Fatal(err)
		}
		if r := m.load(); len(r.Recents) != 1 || r.Width != 0 || r.Look != nil || r.Export != nil {
			t.Errorf("%q: %+v", odd, r)
		}
	}
	if err := os.WriteFile(m.path, []byte(`recents = ["", "/a", ""]`), 0o666); err != nil {
		t.Fatal(err)
	}
	if r := m.load(); !slices.Equal(r.Recents, []string{"/a"}) {
		t.Errorf("recents %q", r.Recents)
	}
	// A file of before a control came has that at its default.
	if err := os.WriteFile(m.path, []byte("[look]\ndespill = 0.5"), 0o666); err != nil {
		t.Fatal(err)
	}
	want := settings.DefaultLook()
	want.Despill = 0.5
	if r := m.load(); r.Look == nil || *r.Look != want {
		t.Errorf("look %+v", r.Look)
	}
	m.set(remembered{Recents: []string{"/a"}})
	if err := m.save(t.Context()); err != nil || len(m.load().Recents) != 1 {
		t.Errorf("%v", err)
	}
	nowhere := &memory{}
	if err := nowhere.save(t.Context()); err != nil || nowhere.load().Recents != nil {
		t.Error("no place to remember is an error")
	}
}
