package views

import (
	"image"
	"math"
	"slices"

	"greenroom/engine/picture"
)

// sampler says where the rows and columns of a rectangle of the viewport fall in a picture.
type sampler struct {
	// pixels are read of sRGB-encoded colour; where there are none, colour and matte are, which may be empty.
	pixels        grid
	colour, matte picture.Image
	// floats are read of other pictures.
	floats picture.Image
	// columns and rows say what each column and row of the rectangle shows. A column's part counts 0..full.
	columns, rows []stop
	// direct says that no column and no row lies between pixels.
	direct bool
}

// stop is where a drawn row or column falls: part of the way from pixel at to the next one, also in 65536ths.
type stop struct {
	at    int
	part  float32
	fixed uint32
}

// newSampler prepares to draw a rectangle of the viewport, which is not empty.
func newSampler(s *Shown, p placed, r image.Rectangle) *sampler {
	level := s.level(p.zoom)
	t := &sampler{}
	var w, h int
	if len(s.pixels) > 0 {
		t.pixels = s.pixels[level]
		w, h = t.pixels.w, t.pixels.h
		if t.pixels.pixels == nil {
			t.colour, t.matte = s.original, s.originalMatte
		}
	} else {
		t.floats = s.floats[level]
		w, h = t.floats.W, t.floats.H
	}
	t.columns = stops(r.Min.X, r.Max.X, p.left, p.zoom, w, level)
	t.rows = stops(r.Min.Y, r.Max.Y, p.top, p.zoom, h, level)
	t.direct = !slices.ContainsFunc(t.columns, stop.between) && !slices.ContainsFunc(t.rows, stop.between)
	for i := range t.columns {
		c := &t.columns[i]
		if !t.direct && w > 1 && c.at == w-1 {
			// So that it has a pixel on either side.
			*c = stop{at: w - 2, part: 1, fixed: 1 << 16}
		}
		c.part *= full
	}
	return t
}

func (s stop) between() bool { return s.part != 0 }

// level picks the smallest copy that is not smaller than what is drawn.
func (s *Shown) level(zoom float64) int {
	i := 0
	for i+1 < max(len(s.pixels), len(s.floats)) && zoom*float64(int(2)<<i) <= 1 {
		i++
	}
	return i
}

// stops places the device pixels from..to over a copy of a picture that was halved level times to size samples; the
// picture's edge is at the given device pixel. Over 200 % pixels are shown as squares.
func stops(from, to int, edge, zoom float64, size, level int) []stop {
	list := make([]stop, to-from)
	step := float64(int(1)<<level) * zoom
	for i := range list {
		position := (float64(from+i) + 0.5 - edge) / step
		if zoom > 2 {
			list[i].at = min(max(int(position), 0), size-1)
			continue
		}
		position = math.Max(0, math.Min(position-0.5, float64(size-1)))
		at := int(position)
		part := position - float64(at)
		list[i] = stop{at: at, part: float32(part), fixed: uint32(part*(1<<16) + 0.5)}
	}
	return list
}

// same reports whether rows y and y-1 of the rectangle show the same: enlarged pixels do.
func (t *sampler) same(y int) bool { return t == nil || t.rows[y] == t.rows[y-1] }
