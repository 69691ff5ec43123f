package picture

import (
	"context"
	"math"
	"sync"
)

// exactSoften is the widest Gaussian that is summed tap by tap, and only near edges.
const exactSoften = 4

// Soften returns a matte [H, W, 1] blurred by a Gaussian with a standard deviation of px pixels, within 0..1.
// What lies more than four of these from any edge keeps its bits, so that 0 and 1 stay exact there. Beyond the
// frame the matte goes on as it is at the frame's edge. Memory is the result and under 1 MB a processor, over
// 4 px a plane more. The error is ctx's.
func Soften(ctx context.Context, m Image, px float64) (Image, error) {
	if m.Empty() || !(px > 0) {
		return m.Clone(), ctx.Err()
	}
	s := softening{m: m, out: New(m.W, m.H, 1), blocks: newBlocks(m), reach: int(math.Ceil(4 * px))}
	if px > exactSoften {
		wide, err := BlurContext(ctx, m, px)
		if err != nil {
			return Image{}, err
		}
		s.wide = wide
	} else {
		s.weights = GaussianTaps(px, s.reach)[s.reach:]
	}
	scratch := sync.Pool{New: func() any { return new([]float32) }}
	err := ParallelContext(ctx, s.blocks.rows, func(b0, b1 int) {
		buffer := scratch.Get().(*[]float32)
		defer scratch.Put(buffer)
		for b := b0; b < b1; b++ {
			s.band(buffer, b)
		}
	})
	return s.out, err
}

// softening is what all bands of one call of Soften share.
type softening struct {
	m, out Image
	// wide is the whole matte blurred; empty where bands blur their own part by weights, from the middle on.
	wide    Image
	weights []float32
	reach   int
	blocks  blocks
}

// band writes the rows of one row of blocks.
func (s *softening) band(buffer *[]float32, row int) {
	y0, y1 := row*blockEdge, min((row+1)*blockEdge, s.m.H)
	for y := y0; y < y1; y++ {
		copy(s.out.Row(y), s.m.Row(y))
	}
	flat := func(column int) bool {
		low, high := s.blocks.around(column, row, s.reach)
		return low == high
	}
	for first, last := range s.blocks.runs(flat) {
		x0, x1 := first*blockEdge, min(last*blockEdge, s.m.W)
		if s.wide.Empty() {
			s.span(buffer, x0, x1, y0, y1)
		} else {
			for y := y0; y < y1; y++ {
				copy(s.out.Row(y)[x0:x1], s.wide.Row(y)[x0:x1])
			}
		}
		for y := y0; y < y1; y++ {
			dst := s.out.Row(y)[x0:x1]
			for x, v := range dst {
				// The weights of a blur sum to 1 but for rounding.
				dst[x] = Snap(min(max(v, 0), 1))
			}
		}
	}
}

// span blurs the pixels x0..x1 of the rows y0..y1: first along each row that takes part, then across them.
func (s *softening) span(buffer *[]float32, x0, x1, y0, y1 int) {
	width, rows := x1-x0, y1-y0+2*s.reach
	padded := width + 2*s.reach
	if need := rows*width + padded; cap(*buffer) < need {
		*buffer = make([]float32, need)
	}
	line, lines := (*buffer)[:padded], (*buffer)[padded:padded+rows*width]
	for i := range rows {
		src := s.m.Row(min(max(y0-s.reach+i, 0), s.m.H-1))
		for j := range line {
			line[j] = src[min(max(x0-s.reach+j, 0), s.m.W-1)]
		}
		dst := lines[i*width : (i+1)*width]
		for k, w := range s.weights {
			addPair(dst, line[s.reach-k:], line[s.reach+k:], w, k == 0)
		}
	}
	for y := y0; y < y1; y++ {
		dst, middle := s.out.Row(y)[x0:x1], y-y0+s.reach
		for k, w := range s.weights {
			addPair(dst, lines[(middle-k)*width:], lines[(middle+k)*width:], w, k == 0)
		}
	}
}

// addPair adds w times both a and b to dst; where middle is set, a and b are one, and dst becomes w times it.
func addPair(dst, a, b []float32, w float32, middle bool) {
	a, b = a[:len(dst)], b[:len(dst)]
	if middle {
		for i, v := range a {
			dst[i] = w * v
		}
		return
	}
	for i := range dst {
		dst[i] += w * (a[i] + b[i])
	}
}

// Snap returns 0 or 1 for what is as good as that: sums of weights leave rounding.
func Snap(v float32) float32 {
	const rounding = 1e-6
	switch {
	case v < rounding:
		return 0
	case v > 1-rounding:
		return 1
	}
	return v
}

// GaussianTaps returns the weights of a Gaussian from -radius to radius, which sum to 1.
func GaussianTaps(sigma float64, radius int) []float32 {
	weights := make([]float32, 2*radius+1)
	for i, v := range bell(sigma, radius) {
		weights[i] = float32(v)
	}
	return weights
}
