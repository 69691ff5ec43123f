package hint

import (
	"context"
	"image"

	"greenroom/engine/picture"
	"greenroom/engine/picture/brush"
	"greenroom/engine/settings"
)

// Paint paints strokes over an image [H, W, 1] in place, in their order: over a hint, or into a region that
// begins black. A stroke covers what lies within half its size of its line fully, but for the outer share
// that is soft, and never more than once where it crosses itself; a sharp edge is one pixel wide. The pixel
// becomes v + coverage (value - v). The error is ctx's.
//
// The time goes with the pixels that are painted.
func Paint(ctx context.Context, m picture.Image, strokes []settings.Stroke) error {
	if m.Empty() {
		return ctx.Err()
	}
	for _, s := range strokes {
		value := float32(s.Value)
		err := brush.New(s.Size/2, s.Softness).Cover(ctx, brush.Line(s.Points), image.Rect(0, 0, m.W, m.H), func(x, y int, coverage []float32) {
			row := m.Row(y)[x:]
			for i, c := range coverage {
				if c > 0 {
					row[i] += c * (value - row[i])
				}
			}
		})
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}
