//go:build !headless

package views

import (
	"image"
	"math"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// Lay puts a layer over the picture. Its wipe stays where the artist dragged it. Call it on Fyne's goroutine.
func (v *Viewer) Lay(l SeamLayer) {
	l.Wipe = v.seams.Wipe
	if !v.seams.same(l) {
		v.seams = l
		v.raster.Refresh()
	}
}

// LookAt brings a point of the plate, in its pixels, to the middle at a zoom.
func (v *Viewer) LookAt(x, y, zoom float64) {
	pw, ph := v.size()
	v.sight = Sight{Zoom: zoom, X: x, Y: y}.held(pw, ph)
	v.changed()
}

// seesSecond reports whether a pixel of the plate is seen of the second key.
func (v *Viewer) seesSecond(x, y int) bool {
	if v.seams.Second == nil || v.look.View <= ViewHint {
		return false
	}
	at := image.Pt(x, y)
	p := v.place()
	right := p.left+(float64(x)+0.5)*p.zoom >= v.seams.Wipe*float64(v.w)
	return right && slices.ContainsFunc(v.seams.Known, func(r image.Rectangle) bool { return at.In(r) })
}

// nearWipe is how near to the line a drag begins that moves it, in units.
const nearWipe = 8

// onWipe reports whether a place is near the line.
func (v *Viewer) onWipe(x float32) bool {
	return v.seams.Second != nil && v.look.View > ViewHint && math.Abs(float64(x)-v.seams.Wipe*float64(v.Size().Width)) <= nearWipe
}

// wipeTo moves the line to a place.
func (v *Viewer) wipeTo(at fyne.Position) {
	if v.Size().Width > 0 {
		v.seams.Wipe = math.Max(0, math.Min(float64(at.X/v.Size().Width), 1))
		v.raster.Refresh()
	}
}

// Cursor implements desktop.Cursorable.
func (v *Viewer) Cursor() desktop.Cursor {
	if v.held == holdWipe || v.held == holdNothing && !v.space && v.over && v.onWipe(v.pointer.X) {
		return desktop.HResizeCursor
	}
	if v.tool != nil && v.over && v.held != holdPan && !v.space {
		return desktop.CrosshairCursor
	}
	return desktop.DefaultCursor
}
