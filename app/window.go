//go:build !headless

package app

import (
	"fmt"
	"os"
	"path/filepath"

	"fyne.io/fyne/v2"
	fyneapp "fyne.io/fyne/v2/app"

	_ "greenroom/app/locale" // before Fyne reads the locale
	"greenroom/assets"
	"greenroom/presets"
	"greenroom/views"
)

// appID is the name under which the system keeps the app's own files.
const appID = "org.greenroom.app"

// OpenWindow opens the window, with a plate unless it is empty, and returns when the artist closes it. Call it on
// the main goroutine, once.
func OpenWindow(plate string) (err error) {
	if err := thisDisplay(); err != nil {
		return err
	}
	// The toolkit panics where OpenGL is too old.
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the window failed: %v (use greenroom key PLATE)", p)
		}
	}()
	a := fyneapp.NewWithID(appID)
	a.SetIcon(fyne.NewStaticResource("icon.png", assets.Icon))
	a.Settings().SetTheme(views.Theme{})
	started := false
	a.Lifecycle().SetOnStarted(func() { started = true })
	room := newRoom(a)
	if plate != "" {
		room.workspace.Open(plate)
	}
	room.window.ShowAndRun()
	if !started {
		return fmt.Errorf("the window could not be opened: OpenGL 2 is needed (use greenroom key PLATE)")
	}
	return nil
}

// room joins the workspace to its window.
type room struct {
	workspace *Workspace
	screen    *views.Screen
	window    fyne.Window
	machine   string
}

func newRoom(a fyne.App) *room {
	r := &room{screen: views.NewScreen(), window: a.NewWindow("Greenroom")}
	if m, err := presets.Detect(nil); err == nil {
		r.machine = m.String()
	}
	r.workspace = NewWorkspace(r.changed)
	r.screen.OnDismiss = r.workspace.Dismiss
	r.screen.Show(views.State{Machine: r.machine})
	r.window.SetContent(r.screen.Content())
	r.window.SetPadded(false)
	r.window.Resize(fyne.NewSize(1280, 800))
	r.window.SetOnDropped(r.dropped)
	return r
}

// changed turns the workspace's state into the views'. It may run on any goroutine.
func (r *room) changed(s State) {
	state := views.State{Machine: r.machine}
	if s.Plate != nil {
		state.Plate, state.Name, state.Details = s.Plate.Shown, s.Plate.Name(), s.Plate.Details()
	}
	if s.Opening != "" {
		state.Opening = filepath.Base(s.Opening)
	}
	if s.Problem != nil {
		state.Problem = s.Problem.Error()
	}
	fyne.Do(func() {
		r.screen.Show(state)
		title := "Greenroom"
		if state.Name != "" {
			title = state.Name + " - " + title
		}
		r.window.SetTitle(title)
	})
}

// dropped opens the file that was dropped on the window.
func (r *room) dropped(_ fyne.Position, files []fyne.URI) {
	switch {
	case len(files) == 0:
		return
	case len(files) > 1:
		r.workspace.Fail(fmt.Errorf("%d files were dropped: one plate can be open (drop one picture)", len(files)))
		return
	}
	path := files[0].Path()
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		r.workspace.Fail(fmt.Errorf("%s is a folder (drop one picture)", filepath.Base(path)))
		return
	}
	r.workspace.Open(path)
}
