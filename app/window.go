//go:build !headless

package app

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"fyne.io/fyne/v2"
	fyneapp "fyne.io/fyne/v2/app"

	"greenroom/app/dialogs"
	_ "greenroom/app/locale" // before Fyne reads the locale
	"greenroom/assets"
	"greenroom/engine/settings"
	"greenroom/views"
)

// appID is the name under which the system keeps the app's own files.
const appID = "org.greenroom.app"

// watchEvery is how often the files of the open plate are looked at.
const watchEvery = 2 * time.Second

// OpenWindow opens the window, with a plate unless it is empty, and returns when the artist closes it and all work
// has been stopped. Call it on the main goroutine, once.
func OpenWindow(plate string) (err error) {
	if err := checkDisplay(runtime.GOOS, os.Getenv); err != nil {
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
	room := newRoom(a, memoryPath())
	cache := cachePath()
	room.workspace.cache, room.workspace.thumbs = openVariants(filepath.Join(cache, "variants"), mostCached), filepath.Join(cache, "thumbnails")
	a.Lifecycle().SetOnStarted(func() {
		started, room.shown = true, true
		fitScreen(room.window)
	})
	a.Lifecycle().SetOnEnteredForeground(func() { room.workspace.Focus(true) })
	a.Lifecycle().SetOnExitedForeground(func() { room.workspace.Focus(false) })
	defer room.heedSignals()()
	room.workspace.Start()
	room.workspace.Watch(watchEvery)
	if plate != "" {
		room.workspace.Open(plate)
	}
	room.window.ShowAndRun()
	err = room.workspace.Close()
	room.saving.Wait()
	if !started {
		return errors.New("the window could not be opened: OpenGL 2 is needed (use greenroom key PLATE)")
	}
	return err
}

// heedSignals shuts the gate when the system asks the program to end; the toolkit then closes the window by itself.
// The returned function ends the watch.
func (r *room) heedSignals() (undo func()) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	done := make(chan struct{})
	go func() {
		select {
		case <-signals:
			r.shut()
		case <-done:
		}
	}()
	return func() {
		signal.Stop(signals)
		close(done)
	}
}

// room joins the workspace to its window: it turns states into what the views draw, and what the views ask for into
// calls of the workspace.
type room struct {
	workspace *Workspace
	screen    *views.Screen
	window    fyne.Window
	memory    memory
	dialogs   dialogs.Dialogs

	// saving is what the window waits for before the program ends; ending is closed when it does.
	saving sync.WaitGroup
	ending chan struct{}

	// gate is held while something is handed to the window's goroutine, and closed says that it takes no more: the
	// toolkit would then run it on the goroutine that asks.
	gate   sync.RWMutex
	closed bool

	// mu guards the state that waits to be drawn.
	mu      sync.Mutex
	next    State
	waiting bool
	// drawn is the state that is shown; only the window's goroutine touches it.
	drawn State
	// kept is what is remembered, and viewer how the viewer is; only the window's goroutine touches
	// them.
	kept   remembered
	viewer views.Preferences
	// shown says that the window is on a screen: before, its size is nobody's choice.
	shown bool
	// due says that what is remembered is about to be written.
	due atomic.Bool
}

// newRoom makes the window. What it remembers is in the file at memoryPath, unless that is empty.
func newRoom(a fyne.App, memoryPath string) *room {
	r := &room{window: a.NewWindow("Greenroom"), memory: memory{path: memoryPath}, ending: make(chan struct{})}
	r.workspace = NewWorkspace(r.changed)
	r.screen = views.NewScreen(r)
	r.window.SetContent(r.screen.Content())
	r.window.SetPadded(false)
	r.window.SetMainMenu(r.screen.Menu())
	r.screen.Keys(r.window.Canvas())
	r.window.SetOnDropped(r.dropped)
	r.window.SetCloseIntercept(r.Quit)
	if memoryPath != "" {
		r.workspace.folder = filepath.Dir(memoryPath)
	}
	r.recall(r.memory.load())
	r.screen.OnPreference = func(p views.Preferences) {
		r.viewer = p
		r.remember()
	}
	r.screen.OnFold = r.remember
	return r
}

// changed takes a new state of the workspace, on any goroutine. States that come faster than the window draws are
// passed over.
func (r *room) changed(s State) {
	r.mu.Lock()
	r.next = s
	first := !r.waiting
	r.waiting = true
	r.mu.Unlock()
	r.gate.RLock()
	defer r.gate.RUnlock()
	if first && !r.closed {
		fyne.Do(r.draw)
	}
}

// shut keeps anything more from being handed to the window's goroutine.
func (r *room) shut() {
	r.gate.Lock()
	defer r.gate.Unlock()
	if !r.closed {
		r.closed = true
		close(r.ending)
	}
}

// Quit closes the window. It implements views.Intents.
func (r *room) Quit() {
	r.remember()
	r.shut()
	r.window.SetCloseIntercept(nil)
	r.window.Close()
}

// draw shows the last state.
func (r *room) draw() {
	r.mu.Lock()
	s := r.next
	r.waiting = false
	r.mu.Unlock()
	r.drawn = s
	state := r.workspace.show(s)
	r.screen.Show(state)
	title := "Greenroom"
	if state.Plate.Name != "" {
		title = state.Plate.Name + " - " + title
	}
	if r.window.Title() != title {
		r.window.SetTitle(title)
	}
	r.remember()
}

// dropped takes files that were dropped on the window.
func (r *room) dropped(_ fyne.Position, files []fyne.URI) {
	var paths []string
	for _, f := range files {
		paths = append(paths, f.Path())
	}
	r.workspace.Drop(paths)
}

// ask opens one of the system's dialogs and hands its answer on, both away from the window's goroutine.
func (r *room) ask(open func() (string, error), use func(path string)) {
	go func() {
		path, err := open()
		switch {
		case errors.Is(err, dialogs.ErrCancelled):
		case err != nil:
			r.workspace.Fail(err)
		default:
			use(path)
		}
	}()
}

// folder is where dialogs begin: beside the open plate, else beside the last one.
func (r *room) folder() string {
	s := r.drawn
	switch {
	case s.Plate != nil && s.Plate.Path != "":
		return filepath.Dir(s.Plate.Path)
	case len(s.Recents) > 0:
		return filepath.Dir(s.Recents[0])
	}
	return ""
}

// OpenPlate implements views.Intents.
func (r *room) OpenPlate() {
	folder := r.folder()
	r.ask(func() (string, error) { return r.dialogs.PictureOrSidecar("Open a plate", folder) }, r.workspace.Open)
}

// OpenHint implements views.Intents.
func (r *room) OpenHint() {
	folder := r.folder()
	r.ask(func() (string, error) { return r.dialogs.Picture("Open a hint", folder) }, r.workspace.UseHint)
}

// OpenPath implements views.Intents.
func (r *room) OpenPath(path string) { r.workspace.Reopen(path) }

// OpenSample implements views.Intents.
func (r *room) OpenSample() { r.workspace.OpenSample() }

// MakeHint implements views.Intents.
func (r *room) MakeHint() { r.workspace.MakeHint() }

// Key implements views.Intents.
func (r *room) Key() { r.workspace.Key() }

// Cancel implements views.Intents.
func (r *room) Cancel() { r.workspace.Cancel() }

// Choose implements views.Intents.
func (r *room) Choose(step views.Step, alter func(*settings.Choices)) {
	r.workspace.Choose(step, alter)
}

// Pick implements views.Intents.
func (r *room) Pick(t views.Target, at settings.Point) { r.workspace.Pick(t, at) }

// Undo implements views.Intents.
func (r *room) Undo() { r.workspace.Undo() }

// Redo implements views.Intents.
func (r *room) Redo() { r.workspace.Redo() }

// SetExport implements views.Intents.
func (r *room) SetExport(choice views.ExportChoice) { r.workspace.SetExport(choice) }

// ChooseFolder implements views.Intents.
func (r *room) ChooseFolder() {
	folder := r.folder()
	r.ask(func() (string, error) { return r.dialogs.Folder("Export to", folder) }, r.workspace.SetFolder)
}

// UsualFolder implements views.Intents.
func (r *room) UsualFolder() { r.workspace.SetFolder("") }

// Export implements views.Intents.
func (r *room) Export() { r.workspace.WriteKey() }

// Reveal implements views.Intents.
func (r *room) Reveal() {
	path := r.drawn.Export.Saved
	if report := r.drawn.Export.Report; report != nil {
		path = report.Sidecar
	}
	if path == "" {
		return
	}
	// Looking for the file manager and starting it takes time.
	go func() {
		if err := dialogs.Reveal(path); err != nil {
			r.workspace.Fail(err)
		}
	}()
}

// Fix implements views.Intents.
func (r *room) Fix() {
	p := r.drawn.Problem
	if p == nil {
		return
	}
	r.workspace.Dismiss()
	switch p.remedy {
	case remedyOpenPlate:
		r.OpenPlate()
	case remedyOpenHint:
		r.OpenHint()
	case remedyFolder:
		r.ChooseFolder()
	case remedyKey, remedyKeyFirst:
		r.Key()
	case remedyExport:
		r.Export()
	case remedyOpenCore:
		r.OpenCore()
	case remedyOpenGarbage:
		r.OpenGarbage()
	case remedyOpenBackdrop:
		r.OpenBackdrop()
	case remedyReadAgain:
		r.workspace.ReadAgain()
	case remedyReadFileAgain:
		r.workspace.ReadFileAgain(p.file)
	case remedyRecommended:
		r.UsePreset(recommended)
	case remedyMeasure:
		r.Measure()
	case remedyCheckSeams:
		r.CheckSeams()
	case remedySave:
		r.SaveSidecar()
	case remedyPresets:
		r.RevealPreset()
	case remedyPlateOf:
		folder := r.folder()
		r.ask(func() (string, error) { return r.dialogs.Picture("Open the plate", folder) },
			func(path string) { r.workspace.openSidecar(p.file, path) })
	case remedyModel:
		r.OpenModel()
	case remedyFetch:
		// Its licence was accepted before the first try.
		r.workspace.startFetching(p.subject)
	}
}

// Dismiss implements views.Intents.
func (r *room) Dismiss() { r.workspace.Dismiss() }

// Answer implements views.Intents.
func (r *room) Answer(i int) { r.workspace.Answer(i) }
