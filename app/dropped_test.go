//go:build !headless

package app

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/storage"
	"fyne.io/fyne/v2/test"

	"greenroom/views"
)

// TestDroppedNamesAreNotDecodedOnceMore drops files on the window of Fyne's test driver: the system has decoded their
// URIs already, and a percent sign that is left is part of the name.
func TestDroppedNamesAreNotDecodedOnceMore(t *testing.T) {
	a := test.NewTempApp(t)
	a.Settings().SetTheme(views.Theme{})
	for _, name := range hardNames() {
		r := newRoom(a, "")
		path := savePlate(t, name, 40, 30)
		r.dropped(fyne.NewPos(10, 10), []fyne.URI{storage.NewFileURI(path)})
		r.workspace.reading.Wait()
		r.saving.Wait()
		if s := r.drawn; s.Plate == nil || s.Plate.Path != path {
			t.Errorf("%q: shown %+v, problem %+v", name, s.Plate, s.Problem)
		}
		if got := r.window.Title(); got != name+" - Greenroom" {
			t.Errorf("%q: the title is %q", name, got)
		}
		if err := r.workspace.Close(); err != nil {
			t.Error(err)
		}
		r.window.Close()
	}
}
