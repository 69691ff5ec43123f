//go:build !headless

package app

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/storage"
	"fyne.io/fyne/v2/test"

	"greenroom/views"
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

// TestRoomShowsWhatTheWorkspaceHolds drops a plate on the window of Fyne's test driver. That driver runs what is meant
// for the window's goroutine wherever it is asked to, so that the test only looks once all is quiet.
func TestRoomShowsWhatTheWorkspaceHolds(t *testing.T) {
	a := test.NewTempApp(t)
	a.Settings().SetTheme(views.Theme{})
	remember := filepath.Join(t.TempDir(), "window.toml")
	r := newRoom(a, remember)
	path := savePlate(t, "a plate é.png", 40, 30)
	r.dropped(fyne.NewPos(10, 10), []fyne.URI{storage.NewFileURI(path)})
	r.workspace.reading.Wait()
	r.saving.Wait()
	if got := r.window.Title(); got != "a plate é.png - Greenroom" {
		t.Errorf("title %q", got)
	}
	if s := r.drawn; s.Plate == nil || s.Plate.Path != path || s.Hint == nil {
		t.Errorf("shown %+v", s)
	}
	if got := r.memory.load().Recents; len(got) != 1 || got[0] != path {
		t.Errorf("remembered %q", got)
	}
	if err := r.workspace.Close(); err != nil {
		t.Error(err)
	}
	again := newRoom(a, remember)
	again.saving.Wait()
	if got := again.drawn.Recents; len(got) != 1 || got[0] != path {
		t.Errorf("after starting again: recents %q", got)
	}
}

// TestRoomRemembersHowTheViewerIsLiked: and what a damaged file says of it does no harm.
func TestRoomRemembersHowTheViewerIsLiked(t *testing.T) {
	a := test.NewTempApp(t)
	a.Settings().SetTheme(views.Theme{})
	remember := filepath.Join(t.TempDir(), "window.toml")
	r := newRoom(a, remember)
	want := views.Preferences{ScrollPans: true, Bytes: true, Overlay: views.OverlayLook{Style: views.Contour, Colour: views.OverlayCyan, Opacity: 0.6}}
	r.screen.OnPreference(want)
	r.saving.Wait()
	if got := newRoom(a, remember).viewer; got != want {
		t.Errorf("remembered %+v, want %+v", got, want)
	}
	odd := "[viewer]\nscroll_pans = true\n[viewer.overlay]\nstyle = 77\ncolour = -3\nopacity = nan\n"
	if err := os.WriteFile(remember, []byte(odd), 0o666); err != nil {
		t.Fatal(err)
	}
	r = newRoom(a, remember)
	if !r.viewer.ScrollPans {
		t.Errorf("%+v", r.viewer)
	}
	r.screen.Show(views.State{})
}

// TestRoomIsAsItWasTheLastTime: look, export, folder, folds and size of the window.
func TestRoomIsAsItWasTheLastTime(t *testing.T) {
	a := test.NewTempApp(t)
	a.Settings().SetTheme(views.Theme{})
	remember := filepath.Join(t.TempDir(), "window.toml")
	r := newRoom(a, remember)
	r.shown = true
	r.window.Resize(fyne.NewSize(1400, 900))
	r.workspace.Open(savePlate(t, "plate.png", 60, 40))
	r.workspace.reading.Wait()
	look := r.drawn.Choices.Look
	look.Despill = 0.25
	r.workspace.setLook(look)
	r.SetExport(views.ExportChoice{FG: true, Format: views.ExportTIFF})
	r.workspace.SetFolder("/elsewhere")
	r.workspace.reading.Wait()
	r.workspace.work.Wait()
	folds := map[string]bool{"Machine": false, "Advanced": true}
	r.screen.Fold(folds)
	if err := r.workspace.Close(); err != nil {
		t.Error(err)
	}
	r.saving.Wait()
	again := newRoom(a, remember)
	s := again.workspace.State()
	if s.Choices.Look.Despill != 0.25 || !s.Export.FG || s.Export.Matte || s.Export.Format != views.ExportTIFF || s.Export.Folder != "/elsewhere" {
		t.Errorf("look %+v, export %+v", s.Choices.Look, s.Export)
	}
	if got := again.screen.Folds(); !maps.Equal(got, folds) {
		t.Errorf("folds %v", got)
	}
	if got := again.window.Canvas().Size(); got != r.window.Canvas().Size() || got.Width != 1400 {
		t.Errorf("the window is %v", got)
	}
}

// TestRoomRemembersThePreset: the preset of the last time is in use again, with what it asks for.
func TestRoomRemembersThePreset(t *testing.T) {
	a := test.NewTempApp(t)
	a.Settings().SetTheme(views.Theme{})
	remember := filepath.Join(t.TempDir(), "window.toml")
	started := func() *room {
		r := newRoom(a, remember)
		r.workspace.Start()
		r.dropped(fyne.NewPos(10, 10), []fyne.URI{storage.NewFileURI(savePlate(t, "plate.png", 300, 200))})
		w := &tested{Workspace: r.workspace}
		w.ready(t)
		w.planned(t)
		return r
	}
	ended := func(r *room) {
		r.workspace.work.Wait()
		r.workspace.reading.Wait()
		if err := r.workspace.Close(); err != nil {
			t.Error(err)
		}
		r.saving.Wait()
	}
	r := started()
	w := &tested{Workspace: r.workspace}
	r.SetSetting("tile", "128")
	w.planned(t)
	r.SavePresetAs()
	w.until(t, "the name", func(s State) bool { return s.Setup.Ask != nil })
	r.Tell("small tiles")
	w.until(t, "the preset", func(s State) bool { return s.Setup.Preset != nil && s.Setup.Ask == nil })
	w.planned(t)
	ended(r)
	if got := r.memory.load(); got.Preset != "small tiles" || len(got.Recents) != 1 {
		t.Errorf("remembered %+v", got)
	}
	r = started()
	w = &tested{Workspace: r.workspace}
	s := w.until(t, "the preset", func(s State) bool { return s.Setup.Preset != nil })
	if s = w.planned(t); s.Setup.Preset.Name != "small tiles" || s.Plan.Settings.Tile != 128 {
		t.Errorf("after starting again: %s, %+v", s.Setup.Preset.Name, s.Plan.Settings)
	}
	ended(r)
}
