//go:build !headless

package views

import "slices"

// Lay puts a layer over the picture. Call it on Fyne's goroutine.
func (v *Viewer) Lay(l SeamLayer) {
	if !v.seams.same(l) {
		v.seams = l
		v.raster.Refresh()
		v.overlay.show(v)
	}
}

// same reports whether two layers look alike.
func (l SeamLayer) same(o SeamLayer) bool {
	return l.Grid == o.Grid && l.Heat == o.Heat && l.Scale == o.Scale && l.Checked == o.Checked && l.Wait == o.Wait && l.Marked == o.Marked && l.Mark == o.Mark &&
		slices.Equal(l.Bands, o.Bands)
}

// LookAt brings a point of the plate, in its pixels, to the middle at a zoom.
func (v *Viewer) LookAt(x, y, zoom float64) {
	pw, ph := v.size()
	v.sight = Sight{Zoom: zoom, X: x, Y: y}.held(pw, ph)
	v.changed()
}
