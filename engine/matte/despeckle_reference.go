package matte

import (
	"context"

	"greenroom/engine/picture"
)

const (
	// referenceDilations times an ellipse of 11 x 11 px: 25 px.
	referenceDilations = 5
	// referenceSigma is what OpenCV takes for an 11 px Gaussian kernel without a stated sigma:
	// 0.3 ((11 - 1) / 2 - 1) + 0.8.
	referenceSigma, referenceTaps = 2.0, 11
)

// DespeckleReference returns a matte without specks as the reference tool does it, for parity with its keys:
// islands of matte over 0.5, joined across corners, with fewer than area pixels go; what stays is widened by
// 25 px and blurred; and the matte is multiplied by that. So it also cuts away whatever lies farther than
// that from a solid area, veils and strands included: DespeckleIslands does not. The tool's mask has 8 bits;
// here it is not rounded. An area of 0 or less removes nothing: m itself comes back. Beside the result it needs two
// planes. The error is ctx's.
func DespeckleReference(ctx context.Context, m picture.Image, area int) (picture.Image, error) {
	if m.Empty() || area <= 0 {
		return m, ctx.Err()
	}
	mask := solidIslands(m, area)
	for range referenceDilations {
		var err error
		if mask, err = dilateEllipse(ctx, mask); err != nil {
			return picture.Image{}, err
		}
	}
	out := m.Clone()
	return out, multiplyBlurred(ctx, out, mask)
}

// solidIslands returns 1 where the matte is over 0.5 in an island of at least area pixels, else 0.
func solidIslands(m picture.Image, area int) picture.Image {
	over := picture.New(m.W, m.H, 1)
	for i, v := range m.Pix {
		if v > 0.5 {
			over.Pix[i] = 1
		}
	}
	lit, _ := findRuns(over)
	islands := newIslands(lit)
	for y := 1; y < m.H; y++ {
		eachNear(lit[y], lit[y-1], 1, islands.join)
	}
	for y, row := range lit {
		for _, r := range row {
			if int(islands.area[islands.root(r.piece)]) < area {
				clear(over.Row(y)[r.x0:r.x1])
			}
		}
	}
	return over
}

// referenceEllipse returns how far to each side the 11 x 11 px ellipse reaches in the rows 0 to 5 px off its
// middle: 5 sqrt(1 - (dy/5)^2), rounded.
func referenceEllipse() [6]int { return [6]int{5, 5, 5, 4, 3, 0} }

// dilateEllipse returns a mask of 0 and 1 widened by the ellipse; beyond the frame there is nothing.
func dilateEllipse(ctx context.Context, m picture.Image) (picture.Image, error) {
	out := picture.New(m.W, m.H, 1)
	ellipse := referenceEllipse()
	err := picture.ParallelRowsContext(ctx, m.H, func(y0, y1 int) {
		for y := y0; y < y1; y++ {
			dst := out.Row(y)
			for dy := -5; dy <= 5; dy++ {
				if y+dy < 0 || y+dy >= m.H {
					continue
				}
				reach := ellipse[max(dy, -dy)]
				end := 0 // everything before it is set
				for x, v := range m.Row(y + dy) {
					if v == 0 {
						continue
					}
					for i := max(x-reach, end, 0); i <= min(x+reach, m.W-1); i++ {
						dst[i] = 1
					}
					end = x + reach + 1
				}
			}
		}
	})
	return out, err
}

// multiplyBlurred multiplies m by the mask, blurred by the reference's kernel with the frame mirrored about
// its outermost pixels.
func multiplyBlurred(ctx context.Context, m, mask picture.Image) error {
	const radius = referenceTaps / 2
	weights := picture.GaussianTaps(referenceSigma, radius)
	across := picture.New(m.W, m.H, 1)
	err := picture.ParallelRowsContext(ctx, m.H, func(y0, y1 int) {
		for y := y0; y < y1; y++ {
			src, dst := mask.Row(y), across.Row(y)
			for x := range dst {
				for k, w := range weights {
					dst[x] += w * src[mirrored(x+k-radius, m.W)]
				}
			}
		}
	})
	if err != nil {
		return err
	}
	return picture.ParallelRowsContext(ctx, m.H, func(y0, y1 int) {
		line := make([]float32, m.W)
		for y := y0; y < y1; y++ {
			clear(line)
			for k, w := range weights {
				for x, v := range across.Row(mirrored(y+k-radius, m.H)) {
					line[x] += w * v
				}
			}
			row := m.Row(y)
			for x, v := range line {
				row[x] *= picture.Snap(v)
			}
		}
	})
}

// mirrored returns the index within 0..n-1 that i mirrors to, the outermost ones not repeated.
func mirrored(i, n int) int {
	if n == 1 {
		return 0
	}
	period := 2 * (n - 1)
	i = ((i % period) + period) % period
	return min(i, period-i)
}
