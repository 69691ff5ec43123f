package picture

import (
	"context"

	"greenroom/engine/colour"
)

// Convert returns colours [H, W, 3] in another space: m itself where that changes nothing. The error is ctx's.
func Convert(ctx context.Context, m Image, c *colour.Converter) (Image, error) {
	if c.Same() {
		return m, ctx.Err()
	}
	out := New(m.W, m.H, m.C)
	err := ParallelRowsContext(ctx, m.H, func(y0, y1 int) {
		for y := y0; y < y1; y++ {
			c.Row(out.Row(y), m.Row(y))
		}
	})
	return out, err
}
