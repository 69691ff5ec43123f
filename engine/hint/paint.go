package hint

import (
	"context"
	"math"

	"greenroom/engine/picture"
	"greenroom/engine/settings"
)

// Paint paints strokes over an image [H, W, 1] in place, in their order: over a hint, or into a region that
// begins black. A stroke covers what lies within half its size of its line fully, but for the outer share
// that is soft, and never more than once where it crosses itself; a sharp edge is one pixel wide. The pixel
// becomes v + coverage (value - v). The error is ctx's.
//
// The time goes with the pixels under the brush and the points within its size of each.
func Paint(ctx context.Context, m picture.Image, strokes []settings.Stroke) error {
	for _, s := range strokes {
		if err := paint(ctx, m, s); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// brush is the shape of a stroke's edge: full within inner of its line, nothing beyond outer, in pixels.
type brush struct{ inner, outer float64 }

func newBrush(s settings.Stroke) brush {
	r := s.Size / 2
	if soft := r * s.Softness; soft > 1 {
		return brush{r - soft, r}
	}
	return brush{r - 0.5, r + 0.5}
}

// coverage of a pixel whose centre lies at that distance from the line, squared.
func (b brush) coverage(square float64) float32 {
	if square >= b.outer*b.outer {
		return 0
	}
	d := math.Sqrt(square)
	if d <= b.inner {
		return 1
	}
	v := (b.outer - d) / (b.outer - b.inner)
	if b.outer-b.inner > 1 {
		v = v * v * (3 - 2*v)
	}
	return float32(v)
}

// segment is a piece of a stroke's line.
type segment struct{ from, to settings.Point }

// paint paints one stroke.
func paint(ctx context.Context, m picture.Image, s settings.Stroke) error {
	if m.Empty() || len(s.Points) == 0 {
		return ctx.Err()
	}
	b := newBrush(s)
	segments := make([]segment, max(len(s.Points)-1, 1))
	for i := range segments {
		segments[i] = segment{s.Points[i], s.Points[min(i+1, len(s.Points)-1)]}
	}
	// Only the rows within the brush's reach.
	top, bottom := s.Points[0].Y, s.Points[0].Y
	for _, p := range s.Points {
		top, bottom = min(top, p.Y), max(bottom, p.Y)
	}
	first, last := pixels(top-b.outer, bottom+b.outer, m.H)
	return picture.ParallelRowsContext(ctx, last-first, func(y0, y1 int) {
		squares := make([]float64, m.W)
		var near []segment
		for y := first + y0; y < first+y1; y++ {
			near = near[:0]
			x0, x1 := m.W, 0
			for _, g := range segments {
				l, r, ok := g.span(float64(y)+0.5, b.outer, m.W)
				if ok {
					near = append(near, g)
					x0, x1 = min(x0, l), max(x1, r)
				}
			}
			if x0 >= x1 {
				continue
			}
			line := squares[x0:x1]
			for i := range line {
				line[i] = math.Inf(1)
			}
			for _, g := range near {
				g.lower(squares, float64(y)+0.5, b.outer, m.W)
			}
			row := m.Row(y)[x0:x1]
			for i, d := range line {
				if c := b.coverage(d); c > 0 {
					row[i] += c * (float32(s.Value) - row[i])
				}
			}
		}
	})
}

// pixels returns which of n pixels have their centre between from and to, at least none.
func pixels(from, to float64, n int) (first, last int) {
	limit := func(v float64) int { return int(min(max(math.Ceil(v-0.5), 0), float64(n))) }
	first, last = limit(from), limit(to)
	return first, max(first, last)
}

// span returns which pixels of the row whose centres lie at y can be within reach of the segment; false for
// none.
func (g segment) span(y, reach float64, width int) (x0, x1 int, ok bool) {
	if y < min(g.from.Y, g.to.Y)-reach || y > max(g.from.Y, g.to.Y)+reach {
		return 0, 0, false
	}
	x0, x1 = pixels(min(g.from.X, g.to.X)-reach, max(g.from.X, g.to.X)+reach, width)
	return x0, x1, x0 < x1
}

// lower lowers the squared distances of a row's pixels to those from the segment.
func (g segment) lower(squares []float64, y, reach float64, width int) {
	x0, x1, _ := g.span(y, reach, width)
	alongX, alongY := g.to.X-g.from.X, g.to.Y-g.from.Y
	length := alongX*alongX + alongY*alongY
	for x := x0; x < x1; x++ {
		dx, dy := float64(x)+0.5-g.from.X, y-g.from.Y
		if length > 0 {
			t := min(max((dx*alongX+dy*alongY)/length, 0), 1)
			dx, dy = dx-t*alongX, dy-t*alongY
		}
		squares[x] = min(squares[x], dx*dx+dy*dy)
	}
}
