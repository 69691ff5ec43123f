package views

import (
	"image"
	"math"
)

// Wipe shows two sides beside one another, with a line between them. The left or upper side is the look's view.
type Wipe struct {
	On bool
	// Right is the right or lower side.
	Right Side
	// At is where the line is, as a part of the viewport. Level says that it goes from left to right.
	At    float64
	Level bool
}

// Side is what one side of a wipe shows.
type Side struct {
	View View
	// Second says that it is the second key in the other side's view, where that is a view of a key.
	Second bool
}

// rightSide is what the right side shows: of the second key the view of the left.
func (l Look) rightSide() Side {
	s := l.Wipe.Right
	if s.Second {
		if s.View = l.View; !s.View.ofKey() {
			s.View = ViewMatte
		}
	}
	return s
}

// line is where the wipe's line lies in a viewport: x, or y of one that is level.
func (w Wipe) line(r image.Rectangle) int {
	size := r.Dx()
	if w.Level {
		size = r.Dy()
	}
	return int(math.Round(w.At * float64(size)))
}

// parts cuts a viewport in two.
func (w Wipe) parts(r image.Rectangle) (left, right image.Rectangle) {
	left, right = r, r
	if w.Level {
		left.Max.Y = r.Min.Y + w.line(r)
		right.Min.Y = left.Max.Y
	} else {
		left.Max.X = r.Min.X + w.line(r)
		right.Min.X = left.Max.X
	}
	return left, right
}

// DrawWipe draws the line over what Draw returned last for the same layers and look.
func (p *Painter) DrawWipe(layers Layers, look Look) {
	if !look.Wipe.On || p.out == nil || layers.Plate == nil {
		return
	}
	pen := pen{out: p.out, within: p.out.Rect, thick: max(int(look.Unit+0.5), 1)}
	at := look.Wipe.line(p.out.Rect)
	if look.Wipe.Level {
		pen.level(at, 0, p.out.Rect.Dx())
	} else {
		pen.upright(at, 0, p.out.Rect.Dy())
	}
}
