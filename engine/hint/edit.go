package hint

import (
	"context"
	"math"

	"greenroom/engine/picture"
	"greenroom/engine/settings"
)

const (
	// coarseGrow is the growth in pixels, and coarseSoften the blur, that a reduced hint still gets: wider ones are done
	// on a hint that is smaller by a whole factor, which is as exact to a small part of their width, and fast enough to
	// follow a hand.
	coarseGrow, coarseSoften = 8, 4
	// mostReduced is the most by which a hint is reduced.
	mostReduced = 12
)

// Edit returns a hint [H, W, 1] inverted, then grown, then softened, as an edit says; its channel and its strength have
// done their work before. An edit of nothing returns m itself. Straight edges move by what was asked for within 0.15 px
// up to 16 px, and beyond that within a fiftieth. The error is ctx's.
func Edit(ctx context.Context, m picture.Image, e settings.HintEdit) (picture.Image, error) {
	var err error
	if e.Invert {
		m = inverted(m)
	}
	if e.Grow != 0 {
		k := factor(math.Abs(e.Grow), coarseGrow)
		if m, err = smaller(m, k, func(m picture.Image) (picture.Image, error) {
			return picture.Grow(ctx, m, e.Grow/float64(k))
		}); err != nil {
			return picture.Image{}, err
		}
	}
	if e.Soften > 0 {
		k := factor(e.Soften, coarseSoften)
		if m, err = smaller(m, k, func(m picture.Image) (picture.Image, error) {
			return picture.Soften(ctx, m, e.Soften/float64(k))
		}); err != nil {
			return picture.Image{}, err
		}
	}
	return m, ctx.Err()
}

// factor is by how much a hint is reduced for a width of px, so that at least least of its pixels are left.
func factor(px, least float64) int { return min(max(int(px/least), 1), mostReduced) }

// smaller does something with a hint that is reduced by a whole factor.
func smaller(m picture.Image, k int, do func(picture.Image) (picture.Image, error)) (picture.Image, error) {
	if k == 1 || m.Empty() {
		return do(m)
	}
	small, err := do(picture.BoxReduce(m, k))
	if err != nil {
		return picture.Image{}, err
	}
	return enlarge(small, k, m.W, m.H), nil
}

// inverted exchanges bright and dark.
func inverted(m picture.Image) picture.Image {
	out := picture.New(m.W, m.H, 1)
	picture.ParallelRows(m.H, func(y0, y1 int) {
		src, dst := m.Pix[y0*m.W:y1*m.W], out.Pix[y0*m.W:y1*m.W]
		for i, v := range src {
			dst[i] = 1 - v
		}
	})
	return out
}
