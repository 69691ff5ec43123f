package picture

import (
	"context"
	"math"
)

// Distance returns how far each pixel of a one-channel image lies inside the area that is at least level:
// the Euclidean distance in pixels from its centre to the nearest centre under level (or NaN), at most limit;
// 0 outside the area. Beyond the frame the area goes on: an area cut by the frame's edge is not an edge
// there. Exact up to limit; the cost is linear in the pixels, and near edges in limit. The result is a new
// plane and the only memory of note.
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
	far := float32(reach + 1)
	// Bands of columns here, wide enough that memory is walked in whole cache lines.
	parallel(ctx, m.W, 64, func(x0, x1 int) { columnDistance(out, m, level, far, x0, x1) })
	parallel(ctx, m.H, leastBand, func(y0, y1 int) {
		column := make([]float32, m.W)
		next := make([]int32, m.W)
		for y := y0; y < y1; y++ {
			row := out.Row(y)
			copy(column, row)
			rowDistance(row, column, next, far, limit, reach)
		}
	})
	return out
}

// columnDistance writes into out, columns x0..x1, the distance along the column to the nearest sample under
// level, at most far.
func columnDistance(out, m Image, level, far float32, x0, x1 int) {
	above := make([]float32, x1-x0)
	for i := range above {
		above[i] = far
	}
	for y := range m.H {
		src, dst := m.Row(y)[x0:x1], out.Row(y)[x0:x1]
		for i, v := range src {
			d := float32(0)
			if v >= level {
				d = min(above[i]+1, far)
			}
			above[i], dst[i] = d, d
		}
	}
	for y := m.H - 2; y >= 0; y-- {
		below, dst := out.Row(y + 1)[x0:x1], out.Row(y)[x0:x1]
		for i, d := range below {
			dst[i] = min(dst[i], d+1)
		}
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
