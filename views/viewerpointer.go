//go:build !headless

package views

import (
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// hold is what a pressed button does.
type hold int

const (
	holdNothing hold = iota
	holdPan
	holdWipe
	holdTool
)

// holdOf says what a button does that is pressed at a place.
func (v *Viewer) holdOf(button desktop.MouseButton, at fyne.Position) hold {
	switch {
	case v.layers.Plate == nil || button == desktop.MouseButtonSecondary:
		return holdNothing
	case v.space || button == desktop.MouseButtonTertiary:
		return holdPan
	case v.onWipe(at):
		return holdWipe
	case v.tool != nil:
		return holdTool
	}
	return holdPan
}

// MouseDown implements desktop.Mouseable.
func (v *Viewer) MouseDown(e *desktop.MouseEvent) {
	v.pointer, v.over = e.Position, true
	if v.held != holdNothing {
		return
	}
	v.held = v.holdOf(e.Button, e.Position)
	if v.held == holdTool {
		v.tool.Down(v.toolPoint(e.Position, e.Modifier))
	}
	v.Sketch()
}

// MouseUp implements desktop.Mouseable.
func (v *Viewer) MouseUp(e *desktop.MouseEvent) {
	if e.Button == desktop.MouseButtonSecondary {
		return
	}
	v.pointer = e.Position
	v.release(e.Modifier)
}

// release ends what the pressed button does.
func (v *Viewer) release(mod fyne.KeyModifier) {
	was := v.held
	v.held = holdNothing
	if was == holdTool {
		v.tool.Up(v.toolPoint(v.pointer, mod))
	}
	v.Sketch()
}

// Dragged implements fyne.Draggable.
func (v *Viewer) Dragged(e *fyne.DragEvent) {
	if v.held == holdNothing {
		// A drag that was not begun by a press.
		v.held = v.holdOf(desktop.MouseButtonPrimary, e.Position.SubtractXY(e.Dragged.DX, e.Dragged.DY))
		if v.held == holdTool {
			v.tool.Down(v.toolPoint(e.Position.SubtractXY(e.Dragged.DX, e.Dragged.DY), modifiers()))
		}
	}
	v.pointer, v.over = e.Position, true
	switch v.held {
	case holdPan:
		unit := v.unit()
		v.pan(float64(e.Dragged.DX)*unit, float64(e.Dragged.DY)*unit)
	case holdWipe:
		v.wipeTo(e.Position)
	case holdTool:
		v.useTool()
	}
}

// DragEnd implements fyne.Draggable. The press may have ended before.
func (v *Viewer) DragEnd() {
	if v.held != holdNothing {
		v.release(modifiers())
	}
}

// useTool goes on with the tool to where the pointer is.
func (v *Viewer) useTool() {
	v.tool.Move(v.toolPoint(v.pointer, modifiers()))
	v.Sketch()
	v.point()
}

// MouseIn implements desktop.Hoverable.
func (v *Viewer) MouseIn(e *desktop.MouseEvent) { v.MouseMoved(e) }

// MouseMoved implements desktop.Hoverable. The toolkit calls it too while a button is down that has hardly moved.
func (v *Viewer) MouseMoved(e *desktop.MouseEvent) {
	v.pointer, v.over = e.Position, true
	switch {
	case v.held == holdTool:
		v.useTool()
		return
	case v.tool != nil && v.held == holdNothing && v.layers.Plate != nil && v.w > 0:
		v.tool.Hover(v.toolPoint(e.Position, e.Modifier), true)
	}
	v.ringAround()
	v.point()
}

// MouseOut implements desktop.Hoverable.
func (v *Viewer) MouseOut() {
	v.over = false
	if v.tool != nil {
		v.tool.Hover(ToolPoint{}, false)
	}
	v.ringAround()
	v.point()
}

// Space says whether the space bar is held: while it is, dragging pans whatever tool is active.
func (v *Viewer) Space(held bool) {
	if v.space != held {
		v.space = held
		v.ringAround()
	}
}

// inside reports whether a place is in the viewer: a drag goes on beyond its edge, and may end there.
func (v *Viewer) inside(at fyne.Position) bool {
	return at.X >= 0 && at.Y >= 0 && at.X < v.Size().Width && at.Y < v.Size().Height
}

// point tells which pixel is under the pointer.
func (v *Viewer) point() {
	if v.OnPoint == nil {
		return
	}
	pw, ph := v.size()
	if !v.over || !v.inside(v.pointer) || pw == 0 || v.w == 0 {
		v.OnPoint(0, 0, false)
		return
	}
	px, py := v.place().picture(v.device(v.pointer))
	x, y := int(math.Floor(px)), int(math.Floor(py))
	v.OnPoint(x, y, x >= 0 && y >= 0 && x < pw && y < ph)
}
