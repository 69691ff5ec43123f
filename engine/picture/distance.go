package picture

import (
	"context"
	"math"
)

// Distance returns how far each pixel of a one-channel image lies inside the area that is at least level:
// the Euclidean distance in pixels from its centre to the nearest centre under level (or NaN), at most limit;
// 0 outside the area. Beyond the frame the area goes on: an area cut by the frame's edge is not an edge
// there. Exact up to limit; the cost is linear in the pixels, and near edges in limit. Memory is the result, a
// new plane, and for each processor twice as many rows as limit says, at least some 64.
//
// The distance along columns comes first, then for each pixel the least dx^2 + column^2 over its row
// (Meijster, Roerdink, Hesselink, "A general algorithm for computing distance transforms in linear time",
// 2000); because of the limit a plain search over the row is enough.
func Distance(m Image, level, limit float32) Image {
	return distance(context.Background(), m, level, limit)
}

// DistanceContext is Distance that stops when ctx is cancelled and then returns its error.
func DistanceContext(ctx context.Context, m Image, level, limit float32) (Image, error) {
	out := distance(ctx, m, level, limit)
	if err := ctx.Err(); err != nil {
		return Image{}, err
	}
	return out, nil
}

// distance is Distance; what it returns is worth nothing once ctx is cancelled.
func distance(ctx context.Context, m Image, level, limit float32) Image {
	out := New(m.W, m.H, 1)
	if m.Empty() {
		return out
	}
	limit = max(limit, 0)
	reach := int(math.Ceil(float64(limit)))
	// A band with the rows that it can reach lies in the cache while it is worked; more of its own rows than of
	// the others keep the double work small.
	band := max(64, 2*reach)
	bands := (m.H + band - 1) / band
	parallel(ctx, bands, 1, func(b0, b1 int) {
		s := distanceScratch{row: make([]float32, m.W), next: make([]int32, m.W)}
		for b := b0; b < b1; b++ {
			y0, y1 := b*band, min((b+1)*band, m.H)
			first := max(y0-reach, 0)
			s.columns(m, level, reach, first, min(y1+reach, m.H))
			for y := y0; y < y1; y++ {
				down := s.down[(y-first)*m.W : (y-first+1)*m.W]
				if d := down[0]; (d == 0 || d == int32(reach+1)) && same(down) {
					fill(out.Row(y), min(float32(d), limit))
					continue
				}
				for x, d := range down {
					s.row[x] = float32(d)
				}
				rowDistance(out.Row(y), s.row, s.next, float32(reach+1), limit, reach)
			}
		}
	})
	return out
}

// distanceScratch is the memory of one band: the distances along columns, [rows, W], and two lines.
type distanceScratch struct {
	down []int32
	row  []float32
	next []int32
}

// columns fills down with the distance along the column of the rows first..last to the nearest sample of those
// rows under level, at most reach+1.
func (s *distanceScratch) columns(m Image, level float32, reach, first, last int) {
	n := (last - first) * m.W
	if cap(s.down) < n {
		s.down = make([]int32, n)
	}
	s.down = s.down[:n]
	far := int32(reach + 1)
	above := s.next // any line to begin with
	for i := range above {
		above[i] = far
	}
	for y := first; y < last; y++ {
		src, dst := m.Row(y), s.down[(y-first)*m.W:(y-first+1)*m.W]
		above = above[:len(src)]
		dst = dst[:len(src)]
		for i, v := range src {
			d := min(above[i]+1, far)
			if !(v >= level) {
				d = 0
			}
			dst[i] = d
		}
		above = dst
	}
	for y := last - 2; y >= first; y-- {
		below := s.down[(y-first+1)*m.W : (y-first+2)*m.W]
		dst := s.down[(y-first)*m.W : (y-first+1)*m.W]
		dst = dst[:len(below)]
		for i, d := range below {
			dst[i] = min(dst[i], d+1)
		}
	}
}

// same reports whether all values of a line, of which there is one, are one.
func same(line []int32) bool {
	for _, v := range line {
		if v != line[0] {
			return false
		}
	}
	return true
}

// fill sets every value of a line.
func fill(line []float32, v float32) {
	for i := range line {
		line[i] = v
	}
}

// rowDistance turns the column distances of one row into distances. next is scratch of the row's length.
func rowDistance(row, column []float32, next []int32, far, limit float32, reach int) {
	// next[x] is the first column from x on that knows an edge.
	edge := int32(len(column) + reach + 1)
	for x := len(column) - 1; x >= 0; x-- {
		if column[x] < far {
			edge = int32(x)
		}
		next[x] = edge
	}
	last := -reach - 1
	for x, c := range column {
		if c < far {
			last = x
		}
		switch {
		case c == 0:
			row[x] = 0
			continue
		case x-last > reach && int(next[x])-x > reach:
			row[x] = limit
			continue
		}
		best := c * c
		for dx := 1; dx <= reach && float32(dx*dx) < best; dx++ {
			square := float32(dx * dx)
			if l := x - dx; l >= 0 {
				best = min(best, square+column[l]*column[l])
			}
			if r := x + dx; r < len(column) {
				best = min(best, square+column[r]*column[r])
			}
		}
		row[x] = min(float32(math.Sqrt(float64(best))), limit)
	}
}
