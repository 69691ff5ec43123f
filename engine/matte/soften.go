package matte

import (
	"context"

	"greenroom/engine/picture"
)

// Soften returns a matte [H, W, 1] blurred by a Gaussian with a standard deviation of px pixels, within 0..1.
// What lies more than four of these from any edge keeps its bits, so that 0 and 1 stay exact there. Memory
// is the result and two planes. The error is ctx's.
func Soften(ctx context.Context, m picture.Image, px float64) (picture.Image, error) {
	out, err := picture.BlurContext(ctx, m, px)
	if err != nil || m.Empty() || !(px > 0) {
		return out, err
	}
	b := newBlocks(m)
	reach := int(4*px) + 1
	err = picture.ParallelContext(ctx, b.rows, func(r0, r1 int) {
		for row := r0; row < r1; row++ {
			for column := range b.columns {
				low, high := b.around(column, row, reach)
				x0, x1 := column*blockEdge, min((column+1)*blockEdge, m.W)
				for y := row * blockEdge; y < min((row+1)*blockEdge, m.H); y++ {
					dst := out.Row(y)[x0:x1]
					if low == high {
						copy(dst, m.Row(y)[x0:x1])
						continue
					}
					for x, v := range dst {
						// The weights of a blur sum to 1 but for rounding.
						dst[x] = snap(min(max(v, low), high))
					}
				}
			}
		}
	})
	return out, err
}

// snap returns 0 or 1 for what is as good as that.
func snap(v float32) float32 {
	const rounding = 1e-6
	switch {
	case v < rounding:
		return 0
	case v > 1-rounding:
		return 1
	}
	return v
}
