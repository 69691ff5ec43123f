//go:build !headless

package app

import (
	"context"
	"reflect"
	"time"

	"fyne.io/fyne/v2"
)

// usualWidth and usualHeight are the size of the first window.
const usualWidth, usualHeight = 1280, 800

// saveAfter is how long what is to be remembered may change before it is written: a slider that is dragged is one change.
const saveAfter = 500 * time.Millisecond

// recall makes the window what it was the last time.
func (r *room) recall(last remembered) {
	r.kept, r.viewer = last, last.Viewer
	size := fyne.NewSize(usualWidth, usualHeight)
	if last.Width > 0 {
		size = fyne.NewSize(last.Width, last.Height)
	}
	r.window.Resize(size)
	r.drawn.Recents = last.Recents
	r.workspace.Recall(last)
	r.screen.Prefer(last.Viewer)
	r.screen.Fold(last.Folds)
}

// memorable gathers what is to be remembered.
func (r *room) memorable() remembered {
	s := r.drawn
	m := remembered{
		Recents: s.Recents, Preset: r.kept.Preset, Model: s.Setup.usual().model, Viewer: r.viewer, Folds: r.screen.Folds(), Folder: s.Export.Folder,
		Width: r.kept.Width, Height: r.kept.Height, Export: r.kept.Export, Look: r.kept.Look,
	}
	if size := r.window.Canvas().Size(); r.shown && size.Width >= leastWindow && size.Height >= leastWindow {
		m.Width, m.Height = size.Width, size.Height
	}
	if len(s.Setup.Presets) > 0 {
		// Before they are read, nobody knows which one is in use.
		m.Preset = recommended
		if p := s.Setup.usual().preset; p != nil {
			m.Preset = p.Name
		}
	}
	if s.Plate != nil {
		look, export := s.Choices.Look, s.Export.ExportChoice
		m.Look, m.Export = &look, &export
	}
	return m
}

// remember keeps what is to be remembered for the next time. That it cannot is no reason to disturb anyone.
func (r *room) remember() {
	now := r.memorable()
	if reflect.DeepEqual(now, r.kept) {
		return
	}
	r.kept = now
	r.memory.set(now)
	if !r.due.CompareAndSwap(false, true) {
		return
	}
	r.saving.Go(func() {
		select {
		case <-r.ending:
		case <-time.After(saveAfter):
		}
		r.due.Store(false)
		_ = r.memory.save(context.Background())
	})
}
