package matte

import (
	"context"
	"fmt"

	"greenroom/engine/hint"
	"greenroom/engine/picture"
	"greenroom/engine/settings"
)

// garbageFeather is the width in pixels over which a garbage matte fades outside what it marks.
const garbageFeather = 2

// DrawRegion returns a region as a mask [H, W, 1] of w x h pixels, 0..1: the image under it, if there is one,
// then its boxes, then its strokes. A box covers a pixel by the area that they share. An image of another
// size is an error, else the error is ctx's.
func DrawRegion(ctx context.Context, r settings.Region, under picture.Image, w, h int) (picture.Image, error) {
	m := picture.New(w, h, 1)
	if !under.Empty() {
		if under.W != w || under.H != h || under.C != 1 {
			return picture.Image{}, fmt.Errorf("the mask is %dx%d with %d channels, the plate %dx%d", under.W, under.H, under.C, w, h)
		}
		for i, v := range under.Pix {
			if v > 0 { // NaN marks nothing
				m.Pix[i] = min(v, 1)
			}
		}
	}
	for _, b := range r.Boxes {
		drawBox(m, b)
	}
	return m, hint.Paint(ctx, m, r.Strokes)
}

// drawBox adds a box to a mask.
func drawBox(m picture.Image, b settings.Box) {
	// shared is how much of pixel i lies between from and to.
	shared := func(i int, from, to float64) float32 {
		return float32(max(min(to, float64(i+1))-max(from, float64(i)), 0))
	}
	x0, x1 := touched(b.X0, b.X1, m.W)
	y0, y1 := touched(b.Y0, b.Y1, m.H)
	for y := y0; y < y1; y++ {
		down, row := shared(y, b.Y0, b.Y1), m.Row(y)
		for x := x0; x < x1; x++ {
			row[x] = max(row[x], down*shared(x, b.X0, b.X1))
		}
	}
}

// touched returns which of n pixels a length covers some part of.
func touched(from, to float64, n int) (first, last int) {
	limit := func(v float64) int { return int(min(max(v, 0), float64(n))) }
	return limit(from), min(limit(to)+1, n)
}

// Feather returns a mask [H, W, 1] that fades to 0 over px pixels outside what it marks, linearly from half a
// pixel beyond the last pixel of 1; what is marked already stays. Beside the result it needs one plane. The
// error is ctx's.
func Feather(ctx context.Context, mask picture.Image, px float64) (picture.Image, error) {
	outside := picture.New(mask.W, mask.H, 1)
	for i, v := range mask.Pix {
		if v < 1 {
			outside.Pix[i] = 1
		}
	}
	out, err := picture.DistanceContext(ctx, outside, 1, float32(px+1))
	if err != nil {
		return picture.Image{}, err
	}
	for i, d := range out.Pix {
		// The border lies half a pixel before the centre of the first pixel outside.
		out.Pix[i] = min(max(1-(d-0.5)/float32(px), mask.Pix[i], 0), 1)
	}
	return out, nil
}

// Hold returns a matte [H, W, 1] that is 1 where core is and 0 where garbage is: the greater of matte and core,
// times what garbage leaves. Garbage wins. Both are masks of the matte's size, 0..1, or empty.
func Hold(m, core, garbage picture.Image) picture.Image {
	out := picture.New(m.W, m.H, 1)
	picture.ParallelRows(m.H, func(y0, y1 int) {
		for y := y0; y < y1; y++ {
			dst := out.Row(y)
			copy(dst, m.Row(y))
			if !core.Empty() {
				for x, v := range core.Row(y) {
					dst[x] = max(dst[x], v)
				}
			}
			if !garbage.Empty() {
				for x, v := range garbage.Row(y) {
					dst[x] *= 1 - v
				}
			}
		}
	})
	return out
}
