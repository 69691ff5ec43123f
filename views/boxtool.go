//go:build !headless

package views

import (
	"math"
	"slices"

	"greenroom/engine/settings"
)

// boxTool draws upright boxes on an area, from one corner to the opposite one.
type boxTool struct {
	*toolbox
	target Target
	// from and to are the corners of the box that is being drawn, drawing that there is one.
	from, to settings.Point
	drawing  bool
}

// Hover implements Tool.
func (b *boxTool) Hover(ToolPoint, bool) {}

// Down implements Tool.
func (b *boxTool) Down(at ToolPoint) {
	b.from, b.to, b.drawing = b.within(at), b.within(at), true
}

// Move implements Tool.
func (b *boxTool) Move(at ToolPoint) {
	if b.drawing {
		b.to = b.within(at)
	}
}

// Up implements Tool. A box without any pixel is none.
func (b *boxTool) Up(at ToolPoint) {
	if !b.drawing {
		return
	}
	b.to, b.drawing = b.within(at), false
	box, target := b.box(), b.target
	if box.X1 <= box.X0 || box.Y1 <= box.Y0 {
		return
	}
	b.screen.intents.Choose(b.screen.step("Box"), func(c *settings.Choices) {
		list := target.boxes(&c.Marks)
		*list = append(slices.Clip(*list), box)
	})
}

// within is the pixel corner of the plate that is nearest to a place.
func (b *boxTool) within(at ToolPoint) settings.Point {
	w, h := b.screen.viewer.size()
	return settings.Point{
		X: math.Max(0, math.Min(math.Round(at.X), float64(w))), Y: math.Max(0, math.Min(math.Round(at.Y), float64(h))),
	}
}

// box is what is being drawn.
func (b *boxTool) box() settings.Box {
	return settings.Box{
		X0: math.Min(b.from.X, b.to.X), Y0: math.Min(b.from.Y, b.to.Y),
		X1: math.Max(b.from.X, b.to.X), Y1: math.Max(b.from.Y, b.to.Y),
	}
}

// Ring implements Tool.
func (b *boxTool) Ring() Ring { return Ring{} }

// Sketch implements Tool.
func (b *boxTool) Sketch() Sketch {
	s := b.area(b.target)
	if b.drawing {
		s.Boxes = append(s.Boxes, SketchedBox{b.box(), b.colour(b.target, settings.PaintSubject)})
	}
	return s
}
