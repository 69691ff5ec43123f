package views

import (
	"image"
	"math"

	"greenroom/engine/picture"
)

// sampler reads the part of a picture that a rectangle of the viewport shows, row by row.
type sampler struct {
	src picture.Image
	// columns and rows say what each column and row of the rectangle shows; a column's at and next count samples
	// from the first that is needed.
	columns, rows []stop
	// from and to bound the samples of a row that are needed.
	from, to int
	// plain says that columns follow one another, one pixel each.
	plain bool
}

// stop is where a drawn row or column falls among the samples: between at and next, part of the way.
type stop struct {
	at, next int
	part     float32
}

// newSampler prepares to draw a rectangle of the viewport.
func newSampler(s *Shown, p placed, r image.Rectangle) sampler {
	level := s.level(p.zoom)
	m := s.levels[level]
	t := sampler{
		src:     m,
		columns: stops(r.Min.X, r.Max.X, p.left, p.zoom, m.W, level),
		rows:    stops(r.Min.Y, r.Max.Y, p.top, p.zoom, m.H, level),
	}
	first := t.columns[0].at
	t.from, t.to = first*m.C, (t.columns[len(t.columns)-1].next+1)*m.C
	t.plain = true
	for i := range t.columns {
		c := &t.columns[i]
		t.plain = t.plain && c.part == 0 && c.at == first+i
		c.at, c.next = (c.at-first)*m.C, (c.next-first)*m.C
	}
	return t
}

// level picks the smallest copy that is not smaller than what is drawn.
func (s *Shown) level(zoom float64) int {
	i := 0
	for i+1 < len(s.levels) && zoom*float64(int(2)<<i) <= 1 {
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
			at := min(max(int(position), 0), size-1)
			list[i] = stop{at: at, next: at}
			continue
		}
		position = math.Max(0, math.Min(position-0.5, float64(size-1)))
		at := int(position)
		list[i] = stop{at: at, next: min(at+1, size-1), part: float32(position - float64(at))}
	}
	return list
}

// same reports whether rows y and y-1 of the rectangle show the same: enlarged pixels do.
func (t *sampler) same(y int) bool { return t.rows[y] == t.rows[y-1] }

// row writes the samples of row y of the rectangle to out, [W, C], and returns the scratch memory for the next call.
func (t *sampler) row(y int, scratch, out []float32) []float32 {
	v := t.rows[y]
	line := t.src.Row(v.at)[t.from:t.to]
	if v.part != 0 {
		if len(scratch) < len(line) {
			scratch = make([]float32, len(line))
		}
		mix(scratch[:len(line)], line, t.src.Row(v.next)[t.from:t.to], v.part)
		line = scratch[:len(line)]
	}
	switch {
	case t.plain:
		copy(out, line)
	case t.src.C == 1:
		for i, u := range t.columns {
			a := line[u.at]
			out[i] = a + (line[u.next]-a)*u.part
		}
	default:
		for i, u := range t.columns {
			a, b, o := line[u.at:u.at+3], line[u.next:u.next+3], out[3*i:3*i+3]
			o[0] = a[0] + (b[0]-a[0])*u.part
			o[1] = a[1] + (b[1]-a[1])*u.part
			o[2] = a[2] + (b[2]-a[2])*u.part
		}
	}
	return scratch
}

// mix writes what lies part of the way from a to b.
func mix(out, a, b []float32, part float32) {
	a, b = a[:len(out)], b[:len(out)]
	for i := range out {
		out[i] = a[i] + (b[i]-a[i])*part
	}
}
