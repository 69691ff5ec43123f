package presets

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// TestWhatAKilledProgramLeftGoesWithTheNextPreset holds what else may lie in the folder too.
func TestWhatAKilledProgramLeftGoesWithTheNextPreset(t *testing.T) {
	s := Store{Folder: t.TempDir()}
	then := time.Now().Add(-leftoverAge - time.Minute)
	put := func(name string, at time.Time) {
		path := filepath.Join(s.Folder, name)
		if err := os.WriteFile(path, []byte("schema = 1"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	left, err := os.CreateTemp(s.Folder, temporaryPattern)
	if err != nil {
		t.Fatal(err)
	}
	left.Close()
	put(filepath.Base(left.Name()), then)
	put(".greenroom-7.tmp", time.Now())            // may still be written
	put(".greenroom-7-0123456789abcdef.tmp", then) // of an export
	put(".greenroom-7.tmp.toml", then)             // somebody's own
	folder := filepath.Join(s.Folder, ".greenroom-8.tmp")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(folder, then, then); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Save(Preset{Name: "night", Engine: Engine{Model: "nano"}}); err != nil {
		t.Fatal(err)
	}
	removeLeftovers(filepath.Join(s.Folder, "nowhere"), time.Now())
	var names []string
	entries, err := os.ReadDir(s.Folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	want := []string{
		".greenroom-7-0123456789abcdef.tmp", ".greenroom-7.tmp", ".greenroom-7.tmp.toml", ".greenroom-8.tmp", "night.toml",
	}
	if !slices.Equal(names, want) {
		t.Errorf("the folder holds %q, want %q", names, want)
	}
}
