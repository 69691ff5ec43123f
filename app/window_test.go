//go:build !headless

package app

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/storage"
	"fyne.io/fyne/v2/test"
)

// TestNothingIsPrintedForThePlainLocale starts this test program anew, without running a test, in the locale of
// containers.
func TestNothingIsPrintedForThePlainLocale(t *testing.T) {
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	cmd.Env = append(os.Environ(), "LC_ALL=", "LC_MESSAGES=", "LANG=C.UTF-8")
	out, err := cmd.CombinedOutput()
	if err != nil || strings.Contains(string(out), "Fyne") {
		t.Errorf("%v:\n%s", err, out)
	}
}

func TestDroppedFilesAreOpenedOrRefused(t *testing.T) {
	a := test.NewTempApp(t)
	r := newRoom(a)
	var states recorder
	r.workspace = NewWorkspace(func(s State) {
		states.emit(s)
		r.changed(s)
	})
	plate := picturePath(t, "a plate é.png", 40, 30)
	drop := func(paths ...string) State {
		var files []fyne.URI
		for _, p := range paths {
			files = append(files, storage.NewFileURI(p))
		}
		r.dropped(fyne.NewPos(10, 10), files)
		r.workspace.Wait()
		return states.last()
	}
	if s := drop(plate); s.Problem != nil || s.Plate == nil || s.Plate.Path != plate {
		t.Fatalf("a plate was dropped: %+v", s)
	}
	for name, s := range map[string]State{
		"two files": drop(plate, plate),
		"a folder":  drop(filepath.Dir(plate)),
		"no file":   drop(filepath.Join(t.TempDir(), "gone.png")),
	} {
		if s.Problem == nil || s.Plate == nil {
			t.Errorf("%s dropped: problem %v, plate %v", name, s.Problem, s.Plate)
		}
	}
}

func TestRoomShowsWhatTheWorkspaceHolds(t *testing.T) {
	a := test.NewTempApp(t)
	r := newRoom(a)
	r.workspace.Open(picturePath(t, "shot.png", 40, 30))
	r.workspace.Wait()
	if got := r.window.Title(); got != "shot.png - Greenroom" {
		t.Errorf("title %q", got)
	}
	if r.machine == "" {
		t.Error("the machine is not shown")
	}
}
