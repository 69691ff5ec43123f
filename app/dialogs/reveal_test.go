//go:build !headless

package dialogs

import (
	"slices"
	"strings"
	"testing"
)

func TestEverySystemHasAWayToShowAFile(t *testing.T) {
	for system, want := range map[string][]string{
		"darwin":  {"open", "-R", "/keys/a b.png"},
		"windows": {"explorer", "/select,/keys/a b.png"},
		"linux":   {"xdg-open", "/keys"},
	} {
		name, arguments := revealer(system, "/keys/a b.png")
		if got := append([]string{name}, arguments...); !slices.Equal(got, want) {
			t.Errorf("%s: %q", system, got)
		}
		name, arguments = opener(system, "/keys")
		if got := append([]string{name}, arguments...); !slices.Equal(got, []string{want[0], "/keys"}) {
			t.Errorf("%s opens a folder by %q", system, got)
		}
	}
}

func TestAMissingFileManagerSaysWhereTheFileIs(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	err := Reveal("/keys/shot_key.png")
	if err == nil || !strings.Contains(err.Error(), "/keys") || !strings.Contains(err.Error(), "shot_key.png") {
		t.Errorf("%v", err)
	}
}

func TestOneDialogAtATime(t *testing.T) {
	var d Dialogs
	d.open.Lock()
	if _, err := d.Picture("", ""); err != ErrCancelled {
		t.Errorf("a second dialog: %v", err)
	}
	d.open.Unlock()
	_, err := d.ask(func() (string, error) { panic("no display") })
	if err == nil || !strings.Contains(err.Error(), "no display") {
		t.Errorf("a toolkit that panics: %v", err)
	}
	if _, err := d.ask(func() (string, error) { return "", nil }); err == nil {
		t.Error("no path is an answer")
	}
}
