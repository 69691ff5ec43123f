//go:build !headless

package views

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
)

// Tool takes the left button over the viewer: a brush, an eyedropper, a box. Its methods are called on Fyne's goroutine.
// After Down, Move and Up the viewer draws the tool's sketch anew; where a tool changes by itself, call Viewer.Sketch.
type Tool interface {
	// Hover follows the pointer while no button is down; over is false when it has left the viewer.
	Hover(at ToolPoint, over bool)
	// Down begins at a point, Move goes on to another, Up ends there.
	Down(at ToolPoint)
	Move(at ToolPoint)
	Up(at ToolPoint)
	// Ring is the circle around the pointer.
	Ring() Ring
	// Sketch is what lies over the picture for now.
	Sketch() Sketch
}

// ToolPoint is where the pointer is.
type ToolPoint struct {
	// X and Y are in the plate's pixels, from the upper left corner of the frame, with pixel centres at halves. They may
	// lie outside the plate.
	X, Y float64
	// Modifier are the keys that are held.
	Modifier fyne.KeyModifier
}

// Ring is a circle around the pointer. The zero Ring is none.
type Ring struct {
	// Radius is in the plate's pixels.
	Radius float64
	// Softness is the outer share of the radius over which a brush fades, 0..1: a second circle shows where that begins.
	Softness float64
}

// ringMark is the circle on the screen: bright ones with dark ones around them, so that they are seen over everything.
type ringMark struct {
	outer, outerRim, inner *canvas.Circle
}

func newRingMark() ringMark {
	circle := func(c color.Color, width float32) *canvas.Circle {
		o := canvas.NewCircle(color.Transparent)
		o.StrokeColor, o.StrokeWidth = c, width
		o.Hide()
		return o
	}
	return ringMark{
		outer: circle(grey(penLight), 1), outerRim: circle(color.NRGBA{penDark, penDark, penDark, 0xc0}, 3),
		inner: circle(color.NRGBA{penLight, penLight, penLight, 0x90}, 1),
	}
}

// objects are the mark's parts, from the lowest up.
func (m ringMark) objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{m.outerRim, m.outer, m.inner}
}

// put shows a ring of a radius, in units, around a place; hard is the radius of its inner circle, 0 without.
func (m ringMark) put(at fyne.Position, radius, hard float32) {
	place := func(c *canvas.Circle, r float32) {
		show := r > 0
		if show {
			c.Position1 = fyne.NewPos(at.X-r, at.Y-r)
			c.Position2 = fyne.NewPos(at.X+r, at.Y+r)
		}
		if show || !c.Hidden {
			c.Hidden = !show
			c.Refresh()
		}
	}
	rim := radius
	if radius > 0 {
		rim++
	}
	place(m.outerRim, rim)
	place(m.outer, radius)
	place(m.inner, hard)
}

// SetTool gives the left button to a tool; nil gives it back to panning.
func (v *Viewer) SetTool(t Tool) {
	if v.tool != nil {
		v.tool.Hover(ToolPoint{}, false)
	}
	if v.held == holdTool {
		v.held = holdNothing
	}
	v.tool = t
	v.Sketch()
}

// Sketch draws the tool's ring and sketch anew. Call it on Fyne's goroutine when they have changed by themselves.
func (v *Viewer) Sketch() {
	var now Sketch
	if v.tool != nil {
		now = v.tool.Sketch()
	}
	if !now.empty() || !v.sketch.empty() {
		v.sketch = now
		v.raster.Refresh()
	}
	v.ringAround()
}

// ringAround puts the tool's ring around the pointer.
func (v *Viewer) ringAround() {
	if v.tool == nil || !v.over || v.layers.Plate == nil || v.w == 0 || v.space || v.held == holdPan || v.held == holdWipe {
		v.ring.put(fyne.Position{}, 0, 0)
		return
	}
	ring := v.tool.Ring()
	scale := v.place().zoom / v.unit()
	radius := ring.Radius * scale
	hard := radius * (1 - ring.Softness)
	if radius < 1 || ring.Softness <= 0 || radius-hard < 2 {
		hard = 0
	}
	v.ring.put(v.pointer, float32(radius), float32(hard))
}

// toolPoint says where on the plate a place in the viewer is.
func (v *Viewer) toolPoint(at fyne.Position, mod fyne.KeyModifier) ToolPoint {
	x, y := v.place().picture(v.device(at))
	return ToolPoint{X: x, Y: y, Modifier: mod}
}

// modifiers are the keys that are held.
func modifiers() fyne.KeyModifier {
	if d, ok := fyne.CurrentApp().Driver().(desktop.Driver); ok {
		return d.CurrentKeyModifiers()
	}
	return 0
}
