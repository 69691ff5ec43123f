//go:build !headless

package views

import (
	"image"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"
)

// Viewer shows layers: the part in sight, drawn at device pixels from float data. The wheel zooms at the pointer,
// dragging pans.
type Viewer struct {
	widget.BaseWidget
	// OnSight is called when the zoom has changed, with the zoom in device pixels for a pixel of the plate.
	OnSight func(zoom float64)
	// OnPoint is called when the pointer moves, with the plate's pixel under it; ok is false outside the plate.
	OnPoint func(x, y int, ok bool)

	layers  Layers
	look    Look
	sight   Sight
	painter *Painter
	raster  *canvas.Raster
	// w and h are the viewport's size in device pixels, as last drawn.
	w, h int
	// pointer is where the pointer is, over while it is over the viewer.
	pointer fyne.Position
	over    bool
	// held is what the pressed button does; space says that the space bar is held, which makes it pan.
	held  hold
	space bool
	// tool takes the left button; nil lets it pan. Sketch and ring are what it shows.
	tool   Tool
	sketch Sketch
	ring   ringMark
	// seams lies over the picture.
	seams SeamLayer
	// bare says that the plate alone is shown for now.
	bare bool
	// scrollPans swaps what the wheel does: it pans, and zooms with Ctrl or Cmd.
	scrollPans bool
	overlay    *viewerOverlay
}

// NewViewer returns an empty viewer.
func NewViewer() *Viewer {
	v := &Viewer{painter: NewPainter(), ring: newRingMark(), overlay: newViewerOverlay()}
	v.look.Wipe.At = 0.5
	// Fyne asks for the raster in device pixels, on its own goroutine.
	v.raster = canvas.NewRaster(v.draw)
	v.ExtendBaseWidget(v)
	return v
}

// Display shows layers by a look. The line of its wipe stays where the artist dragged it. Call it on Fyne's goroutine.
func (v *Viewer) Display(layers Layers, look Look) {
	look.Wipe.At = v.look.Wipe.At
	if v.layers == layers && v.look == look {
		return
	}
	if v.layers.Plate == nil || layers.Plate == nil || !sameSize(v.layers.Plate, layers.Plate) {
		v.sight = Sight{}
	}
	v.layers, v.look = layers, look
	if !look.showsStatus() {
		// It may be long until something is drawn again: what was found holds the pictures of before.
		v.painter.statuses = nil
	}
	v.changed()
}

// Bare shows the plate alone, or what there is to see again.
func (v *Viewer) Bare(yes bool) {
	if v.bare != yes {
		v.bare = yes
		v.changed()
	}
}

// seen is how layers are looked at now.
func (v *Viewer) seen() Look {
	look := v.look
	if v.bare {
		look = Look{Tone: look.Tone, Smooth: look.Smooth}
	}
	look.Unit = v.unit()
	return look
}

func sameSize(a, b *Shown) bool {
	aw, ah := a.Size()
	bw, bh := b.Size()
	return aw == bw && ah == bh
}

// changed draws anew and tells of it.
func (v *Viewer) changed() {
	v.raster.Refresh()
	if v.OnSight != nil && v.layers.Plate != nil && v.w > 0 {
		v.OnSight(v.place().zoom)
	}
	v.overlay.show(v)
	v.ringAround()
	v.point()
}

// draw is called with the viewport's size in device pixels.
func (v *Viewer) draw(w, h int) image.Image {
	if resized := v.w != w || v.h != h; resized {
		v.w, v.h = w, h
		if v.OnSight != nil && v.layers.Plate != nil {
			// Not now: the canvas is being painted.
			fyne.Do(func() { v.OnSight(v.place().zoom) })
		}
	}
	look := v.seen()
	m := v.painter.Draw(w, h, v.layers, v.sight, look)
	if !v.bare {
		v.painter.DrawSeams(v.seams, v.layers, v.sight, look)
		if !v.painter.DrawSketch(v.sketch, v.layers, v.sight, look) {
			// Not now: the canvas is being painted, and the window has to take in what was pressed meanwhile.
			fyne.Do(v.raster.Refresh)
		}
	}
	v.painter.DrawWipe(v.layers, look)
	return m
}

// unit returns the number of device pixels in a unit of the window. It is asked for each time: a window can move to
// a screen of another scale.
func (v *Viewer) unit() float64 {
	if width := v.Size().Width; width > 0 && v.w > 0 {
		return float64(v.w) / float64(width)
	}
	return 1
}

// size returns the plate's size.
func (v *Viewer) size() (w, h int) {
	if v.layers.Plate == nil {
		return 0, 0
	}
	return v.layers.Plate.Size()
}

func (v *Viewer) place() placed {
	pw, ph := v.size()
	return v.sight.place(pw, ph, v.w, v.h)
}

// Fit shows all of the plate.
func (v *Viewer) Fit() {
	v.sight = Sight{}
	v.changed()
}

// Fill shows as much of the plate as covers the viewer.
func (v *Viewer) Fill() {
	v.sight = Sight{Filled: true}
	v.changed()
}

// Actual shows the plate's pixels one for one.
func (v *Viewer) Actual() { v.zoomTo(1) }

// Zoom zooms by a factor around the pointer, or the middle where the pointer is elsewhere.
func (v *Viewer) Zoom(factor float64) { v.zoomTo(v.place().zoom * factor) }

func (v *Viewer) zoomTo(zoom float64) {
	x, y := float64(v.w)/2, float64(v.h)/2
	if v.over {
		x, y = v.device(v.pointer)
	}
	v.zoomAt(zoom, x, y)
}

func (v *Viewer) zoomAt(zoom, x, y float64) {
	pw, ph := v.size()
	if pw == 0 {
		return
	}
	v.sight = v.sight.Zoomed(zoom, x, y, pw, ph, v.w, v.h)
	v.changed()
}

// device converts a position in the viewer to device pixels.
func (v *Viewer) device(p fyne.Position) (x, y float64) {
	unit := v.unit()
	return float64(p.X) * unit, float64(p.Y) * unit
}

// notch is what Fyne reports for a notch of a mouse's wheel; mostStep the most that one event zooms, because
// trackpads send many.
const (
	notch    = 25
	mostStep = 1.1
)

// Scrolled implements fyne.Scrollable. Sideways movement, also the wheel with Shift, pans.
func (v *Viewer) Scrolled(e *fyne.ScrollEvent) {
	v.pointer, v.over = e.Position, true
	const panned = 2
	unit := v.unit()
	if v.scrollPans && modifiers()&(fyne.KeyModifierControl|fyne.KeyModifierSuper) == 0 {
		v.pan(float64(e.Scrolled.DX)*panned*unit, float64(e.Scrolled.DY)*panned*unit)
		return
	}
	if e.Scrolled.DX != 0 {
		v.pan(float64(e.Scrolled.DX)*panned*unit, 0)
	}
	if e.Scrolled.DY == 0 {
		return
	}
	factor := math.Pow(mostStep, float64(e.Scrolled.DY)/notch)
	factor = math.Max(1/mostStep, math.Min(factor, mostStep))
	x, y := v.device(e.Position)
	v.zoomAt(v.place().zoom*factor, x, y)
}

func (v *Viewer) pan(dx, dy float64) {
	pw, ph := v.size()
	v.sight = v.sight.Moved(dx, dy, pw, ph, v.w, v.h)
	v.changed()
}

// MinSize implements fyne.Widget.
func (v *Viewer) MinSize() fyne.Size { return fyne.NewSize(320, 180) }

// CreateRenderer implements fyne.Widget.
func (v *Viewer) CreateRenderer() fyne.WidgetRenderer {
	over := container.New(overlayLayout{v}, append(v.overlay.objects(), v.ring.objects()...)...)
	return widget.NewSimpleRenderer(container.NewStack(v.raster, container.NewClip(over)))
}
