//go:build !headless

package views

import (
	"image"
	"math"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// sideAt returns what shows a pixel of the plate: a side of the wipe, and of the second key only where that is known.
func (v *Viewer) sideAt(x, y int) Side {
	look := v.seen()
	left, right := Side{View: look.View}, look.rightSide()
	w := look.Wipe
	if !w.On {
		return left
	}
	p := v.place()
	at, line := p.left+(float64(x)+0.5)*p.zoom, w.At*float64(v.w)
	if w.Level {
		at, line = p.top+(float64(y)+0.5)*p.zoom, w.At*float64(v.h)
	}
	if at < line {
		return left
	}
	second := v.layers.Second
	if right.Second && second != nil && second.Known != nil {
		pixel := image.Pt(x, y)
		right.Second = slices.ContainsFunc(second.Known, func(r image.Rectangle) bool { return pixel.In(r) })
	}
	return right
}

// nearWipe is how near to the line a drag begins that moves it, in units.
const nearWipe = 8

// onWipe reports whether a place is near the line.
func (v *Viewer) onWipe(at fyne.Position) bool {
	w := v.look.Wipe
	if !w.On || v.bare {
		return false
	}
	far := float64(at.X) - w.At*float64(v.Size().Width)
	if w.Level {
		far = float64(at.Y) - w.At*float64(v.Size().Height)
	}
	return math.Abs(far) <= nearWipe
}

// wipeTo moves the line to a place.
func (v *Viewer) wipeTo(at fyne.Position) {
	part := at.X / fyne.Max(v.Size().Width, 1)
	if v.look.Wipe.Level {
		part = at.Y / fyne.Max(v.Size().Height, 1)
	}
	v.look.Wipe.At = math.Max(0, math.Min(float64(part), 1))
	v.changed()
}

// Cursor implements desktop.Cursorable.
func (v *Viewer) Cursor() desktop.Cursor {
	switch {
	case v.held == holdWipe || v.held == holdNothing && !v.space && v.over && v.onWipe(v.pointer):
		if v.look.Wipe.Level {
			return desktop.VResizeCursor
		}
		return desktop.HResizeCursor
	case v.tool != nil && v.over && v.held != holdPan && !v.space:
		return desktop.CrosshairCursor
	}
	return desktop.DefaultCursor
}
