package matte

import (
	"context"
	"math"

	"greenroom/engine/colour"
	"greenroom/engine/picture"
)

const (
	// extendCell is the edge in pixels of the cells in which edge colours are kept.
	extendCell = 4
	// faint is the matte under which the network's colour is a guess about nothing.
	faint = 0.02
	// extendFade is the share of the reach over which extended colour fades into what was there beyond it.
	extendFade = 0.25
)

// extension holds the colours of a subject's edge, carried outwards.
type extension struct {
	// colours are in linear light, [h, w, 3].
	colours cells
	// strength says how far the extension replaces what is there, [h, w, 1], 0..1.
	strength cells
}

// newExtension carries the colours of fg [H, W, 3] outwards from where matte [H, W, 1] is at least 0.02 to reach
// pixels from there. Colour is averaged in cells of 4 x 4 pixels, weighted by the matte and so premultiplied,
// in linear light; farther out it comes from ever larger surroundings. ok is false where there is nothing to
// extend.
func newExtension(ctx context.Context, fg picture.Image, curve *colour.Curve, matte picture.Image, reach float64) (e extension, ok bool, err error) {
	sums := newCells(matte, extendCell, 4)
	// noneFaint and nothing are 1 in cells without any faint pixel, and in cells of faint pixels alone.
	noneFaint, nothing := newCells(matte, extendCell, 1), newCells(matte, extendCell, 1)
	err = picture.ParallelContext(ctx, sums.H, func(r0, r1 int) {
		for r := r0; r < r1; r++ {
			classify(matte, r, noneFaint.Row(r), nothing.Row(r))
		}
	})
	if err != nil {
		return e, false, err
	}
	// Cells deep inside the subject are too far from the edge to be asked.
	cellsOut := float32(reach*(1+extendFade)/extendCell) + 1
	depth, err := picture.DistanceContext(ctx, noneFaint.Image, 1, cellsOut+2)
	if err != nil {
		return e, false, err
	}
	e.strength = cells{nothing.Image, extendCell}
	if e.strength.Image, err = picture.DistanceContext(ctx, nothing.Image, 1, cellsOut); err != nil {
		return e, false, err
	}
	fadeStart, fadeLength := float32(reach/extendCell), float32(max(reach*extendFade/extendCell, 1))
	for i, d := range e.strength.Pix {
		e.strength.Pix[i] = min(max(1-(d-fadeStart)/fadeLength, 0), 1)
	}
	err = picture.ParallelContext(ctx, sums.H, func(r0, r1 int) {
		for r := r0; r < r1; r++ {
			for c, d := range depth.Row(r) {
				if nothing.Row(r)[c] == 0 && d < cellsOut+2 {
					edgeColour(sums.Row(r)[4*c:4*c+4], fg, curve, matte, c, r)
				}
			}
		}
	})
	if err != nil {
		return e, false, err
	}
	e.colours, ok = sums.filled()
	return e, ok, ctx.Err()
}

// classify fills one row of both kinds of cells.
func classify(matte picture.Image, row int, noneFaint, nothing []float32) {
	for c := range nothing {
		noneFaint[c], nothing[c] = 1, 1
	}
	for y := row * extendCell; y < min((row+1)*extendCell, matte.H); y++ {
		for x, a := range matte.Row(y) {
			if a < faint {
				noneFaint[x/extendCell] = 0
			} else {
				nothing[x/extendCell] = 0
			}
		}
	}
}

// edgeColour writes a cell's colour, times its weight, and the weight: the mean of the matte squared, because
// the network's colour is the surer the more there is of the subject.
func edgeColour(dst []float32, fg picture.Image, curve *colour.Curve, matte picture.Image, column, row int) {
	x0, y0 := column*extendCell, row*extendCell
	for y := y0; y < min(y0+extendCell, matte.H); y++ {
		colours := fg.Row(y)
		for x := x0; x < min(x0+extendCell, matte.W); x++ {
			a := matte.Row(y)[x]
			if !(a >= faint) {
				continue
			}
			w := a * a / (extendCell * extendCell)
			for k := range 3 {
				dst[k] += w * curve.ToLinear(colours[3*x+k])
			}
			dst[3] += w
		}
	}
	if sum := dst[0] + dst[1] + dst[2]; sum-sum != 0 || math.IsInf(float64(sum), 0) {
		clear(dst)
	}
}

// Extend writes to dst the straight foreground fg [H, W, 3] in the given space with its edge carried outwards:
// where matte [H, W, 1] is under 0.02 it holds the colour of the nearest edge, up to reach pixels from there,
// and fades over another quarter of that into what fg has. So growing or softening the matte afterwards brings
// in the edge and not what the network guessed beyond it. matte must be the matte as the network made it, not
// grown or softened. All other pixels keep their bits. dst may be fg. A reach of 0 or less only copies.
//
// Beside dst it needs less than a plane. An unknown space is an error; else the error is ctx's.
func Extend(ctx context.Context, dst, fg picture.Image, space colour.Space, matte picture.Image, reach float64) error {
	curve, err := colour.NewCurve(space)
	if err != nil {
		return err
	}
	var e extension
	ok := false
	if reach > 0 {
		if e, ok, err = newExtension(ctx, fg, curve, matte, reach); err != nil {
			return err
		}
	}
	return picture.ParallelRowsContext(ctx, fg.H, func(y0, y1 int) {
		colours, strengths := make([]float32, 3*e.colours.W), make([]float32, e.strength.W)
		for y := y0; y < y1; y++ {
			out := dst.Row(y)
			copy(out, fg.Row(y))
			if ok {
				e.colours.line(colours, y)
				e.strength.line(strengths, y)
				e.row(out, matte.Row(y), curve, colours, strengths)
			}
		}
	})
}

// row replaces the colours of one row.
func (e extension) row(out, matte []float32, curve *colour.Curve, colours, strengths []float32) {
	for x, a := range matte {
		if a >= faint {
			continue
		}
		left, right, f := e.strength.between(x, e.strength.W)
		s := strengths[left] + f*(strengths[right]-strengths[left])
		if !(s > 0) {
			continue
		}
		for k := range 3 {
			from := colours[3*left+k]
			v := from + f*(colours[3*right+k]-from)
			if s < 1 {
				own := curve.ToLinear(out[3*x+k])
				v = own + s*(v-own)
			}
			out[3*x+k] = curve.FromLinear(v)
		}
	}
}
