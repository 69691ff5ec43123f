//go:build !headless

package views

import (
	"image/color"
	"math"
	"slices"

	"fyne.io/fyne/v2"

	"greenroom/engine/settings"
)

// brushTool paints strokes on a target. A stroke is drawn while it is painted, and handed over when the button comes up.
type brushTool struct {
	*toolbox
	target Target
	// stroke is being painted; without points none is.
	stroke settings.Stroke
	// handed are strokes that the state does not show yet, end is where the last one ended.
	handed []settings.Stroke
	end    *settings.Point
}

// Hover implements Tool.
func (b *brushTool) Hover(ToolPoint, bool) {}

// Down implements Tool. With Shift a straight line goes there from the end of the last stroke.
func (b *brushTool) Down(at ToolPoint) {
	b.stroke = settings.Stroke{Size: b.brush.size, Softness: b.brush.softness, Value: b.brush.value}
	if b.end != nil && at.Modifier&fyne.KeyModifierShift != 0 {
		b.stroke.Points = []settings.Point{*b.end}
	}
	b.stroke.Points = append(b.stroke.Points, placeOf(at))
}

// Move implements Tool. Places that are nearer than anyone can see are passed over.
func (b *brushTool) Move(at ToolPoint) {
	n := len(b.stroke.Points)
	if n == 0 {
		return
	}
	p, last := placeOf(at), b.stroke.Points[n-1]
	if math.Hypot(p.X-last.X, p.Y-last.Y) >= math.Max(0.5, b.stroke.Size/50) {
		b.stroke.Points = append(b.stroke.Points, p)
	}
}

// Up implements Tool.
func (b *brushTool) Up(at ToolPoint) {
	n := len(b.stroke.Points)
	if n == 0 {
		return
	}
	p := placeOf(at)
	if p != b.stroke.Points[n-1] {
		b.stroke.Points = append(b.stroke.Points, p)
	}
	stroke := b.stroke
	b.stroke, b.end = settings.Stroke{}, &p
	b.handed = append(b.handed, stroke)
	target := b.target
	b.screen.intents.Choose(b.screen.step("Brush"), func(c *settings.Choices) {
		list := target.strokes(&c.Marks)
		*list = append(slices.Clip(*list), stroke)
	})
}

// placeOf is a place in hundredths of a pixel, which keeps files of strokes small.
func placeOf(at ToolPoint) settings.Point {
	round := func(v float64) float64 { return math.Round(v*100) / 100 }
	return settings.Point{X: round(at.X), Y: round(at.Y)}
}

// Ring implements Tool.
func (b *brushTool) Ring() Ring { return Ring{Radius: b.brush.size / 2, Softness: b.brush.softness} }

// Sketch implements Tool: what the picture does not show yet, and for an area all of it.
func (b *brushTool) Sketch() Sketch {
	var s Sketch
	marks := b.screen.state.Choices.Marks
	list := *b.target.strokes(&marks)
	if b.target == TargetHint {
		list = list[min(b.screen.state.Hint.Strokes, len(list)):]
	} else {
		s = b.area(b.target)
		list = nil
	}
	for _, stroke := range slices.Concat(list, b.handed) {
		s.Strokes = append(s.Strokes, SketchedStroke{stroke, b.colour(b.target, stroke.Value)})
	}
	if len(b.stroke.Points) > 0 {
		s.Strokes = append(s.Strokes, SketchedStroke{b.stroke, b.colour(b.target, b.stroke.Value)})
	}
	return s
}

// area sketches all that was drawn on a target.
func (t *toolbox) area(target Target) Sketch {
	var s Sketch
	marks := t.screen.state.Choices.Marks
	if boxes := target.boxes(&marks); boxes != nil {
		for _, box := range *boxes {
			s.Boxes = append(s.Boxes, SketchedBox{box, t.colour(target, settings.PaintSubject)})
		}
	}
	for _, stroke := range *target.strokes(&marks) {
		s.Strokes = append(s.Strokes, SketchedStroke{stroke, t.colour(target, stroke.Value)})
	}
	return s
}

// colour is how a value is sketched on a target: over the hint's view as the grey that it is, over the plate light
// where it adds, and dark or as the overlay where it takes away.
func (t *toolbox) colour(target Target, value float64) color.NRGBA {
	v := uint8(255*value + 0.5)
	switch {
	case target == TargetHint && t.screen.view == ViewHint:
		return color.NRGBA{v, v, v, 255}
	case target == TargetHint && value < settings.PaintSubject:
		c := t.screen.preferences.Overlay.Colour.rgb()
		c.A = uint8(255 * t.screen.preferences.Overlay.opacity() * (1 - value))
		return c
	case value < settings.PaintSubject:
		return color.NRGBA{0, 0, 0, 150}
	case target == TargetGarbage:
		return color.NRGBA{240, 90, 60, 110}
	case target == TargetKept:
		return color.NRGBA{80, 170, 255, 110}
	}
	return color.NRGBA{255, 255, 255, 120}
}
