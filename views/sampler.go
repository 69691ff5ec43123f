package views

import (
	"image"
	"math"

	"greenroom/engine/picture"
)

// sampler says what is read for a rectangle of the viewport, and where.
type sampler struct {
	w, h int
	// pixels or colour, [H, W, 3], are read where they are not empty, and matte, [H, W, 1], beside them.
	pixels        grid
	colour, matte picture.Image
	// columns and rows say what each column and row of the rectangle shows.
	columns, rows []stop
}

// stop is where a drawn row or column falls: part of the way from pixel at to pixel next. Where it falls on a pixel
// they are the same.
type stop struct {
	at, next int
	part     float32
}

// newSampler prepares to draw a rectangle of the viewport, which is not empty, with a brush, whose pictures are of one
// size.
func newSampler(b brush, p placed, r image.Rectangle) *sampler {
	t := &sampler{}
	var level int
	if b.colour != nil {
		level = b.colour.level(p.zoom)
		t.readColour(b.colour, level)
	} else {
		level = b.matte.level(p.zoom)
		t.w, t.h = b.matte.floats[level].W, b.matte.floats[level].H
	}
	if b.unmatted {
		t.matte = picture.Image{}
	}
	if b.uncoloured {
		t.colour = picture.Image{}
	}
	if b.matte != nil {
		t.matte = b.matte.floats[level]
	}
	t.columns = p.stops(r.Min.X, r.Max.X, p.left, t.w, level)
	t.rows = p.stops(r.Min.Y, r.Max.Y, p.top, t.h, level)
	return t
}

// readColour takes a copy of a colour.
func (t *sampler) readColour(s *Shown, level int) {
	switch {
	case s.pixels == nil:
		t.colour = s.floats[level]
	case s.pixels[level].pixels == nil:
		t.colour, t.matte = s.original, s.originalMatte
	default:
		t.pixels = s.pixels[level]
		t.w, t.h = t.pixels.w, t.pixels.h
		return
	}
	t.w, t.h = t.colour.W, t.colour.H
}

// enlarge is how much a halved copy may be enlarged before the next larger one is read: a sixth is not seen, and
// reads a quarter of the memory where most of it would be skipped.
const enlarge = 1.17

// level picks the smallest copy that is not smaller than what is drawn.
func (s *Shown) level(zoom float64) int {
	i := 0
	for i+1 < max(len(s.pixels), len(s.floats)) && zoom*float64(int(2)<<i) <= enlarge {
		i++
	}
	return i
}

// stops places the device pixels from..to over a copy of a picture that was halved level times to size samples; the
// picture's edge is at the given device pixel.
func (p placed) stops(from, to int, edge float64, size, level int) []stop {
	list := make([]stop, to-from)
	step := float64(int(1)<<level) * p.zoom
	for i := range list {
		position := (float64(from+i) + 0.5 - edge) / step
		if p.squares() {
			at := min(max(int(position), 0), size-1)
			list[i] = stop{at: at, next: at}
			continue
		}
		position = math.Max(0, math.Min(position-0.5, float64(size-1)))
		at := int(position)
		list[i] = stop{at: at, next: at, part: float32(position - float64(at))}
		if list[i].part > 0 {
			list[i].next = min(at+1, size-1)
		}
	}
	return list
}

// same reports whether rows y and y-1 of the rectangle show the same: enlarged pixels do.
func (t *sampler) same(y int) bool { return t.rows[y] == t.rows[y-1] }
