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
// in linear light; where there is little of the subject it leans on its surroundings. Cells without any take
// that of the nearest one, smoothed a little. ok is false where there is nothing to extend.
func newExtension(ctx context.Context, fg picture.Image, curve *colour.Curve, matte picture.Image, reach float64) (e extension, ok bool, err error) {
	sums := newCells(matte, extendCell, 4)
	// noneFaint is 1 in cells without any faint pixel; something is set in those that are not faint altogether.
	noneFaint, something := newCells(matte, extendCell, 1), make([]bool, sums.W*sums.H)
	err = picture.ParallelContext(ctx, sums.H, func(r0, r1 int) {
		for r := r0; r < r1; r++ {
			classify(matte, r, noneFaint.Row(r), something[r*sums.W:(r+1)*sums.W])
		}
	})
	if err != nil {
		return e, false, err
	}
	// Cells deep inside the subject are too far from the edge to be asked.
	cellsOut := float32(reach*(1+extendFade)/extendCell) + 3
	depth, err := picture.DistanceContext(ctx, noneFaint.Image, 1, cellsOut)
	if err != nil {
		return e, false, err
	}
	err = picture.ParallelContext(ctx, sums.H, func(r0, r1 int) {
		for r := r0; r < r1; r++ {
			for c, d := range depth.Row(r) {
				if something[r*sums.W+c] && d < cellsOut {
					edgeColour(sums.Row(r)[4*c:4*c+4], fg, curve, matte, c, r)
				}
			}
		}
	})
	if err != nil {
		return e, false, err
	}
	colours, ok := sums.filled()
	if !ok {
		return e, false, ctx.Err()
	}
	e.strength = newCells(matte, extendCell, 1)
	nearest := nearestOf(something, sums.W, sums.H)
	fadeStart, fadeLength := float32(reach/extendCell), float32(max(reach*extendFade/extendCell, 1))
	e.colours = newCells(matte, extendCell, 3)
	for y := range sums.H {
		dst, strength := e.colours.Row(y), e.strength.Row(y)
		for x, from := range nearest[y*sums.W : (y+1)*sums.W] {
			copy(dst[3*x:3*x+3], colours.Row(int(from.y))[3*from.x:3*from.x+3])
			dx, dy := float64(from.x)-float64(x), float64(from.y)-float64(y)
			d := float32(math.Sqrt(dx*dx + dy*dy))
			strength[x] = min(max(1-(d-fadeStart)/fadeLength, 0), 1)
		}
	}
	e.colours.Image, err = picture.BlurContext(ctx, e.colours.Image, 1)
	return e, true, err
}

// place is a cell of a grid.
type place struct{ x, y int32 }

// nearestOf returns for each place of a w x h grid the nearest one that is known, of which there must be one:
// the two passes of P.-E. Danielsson, "Euclidean distance mapping", 1980, with all eight neighbours. Rarely it
// is off by a fraction of a step.
func nearestOf(known []bool, w, h int) []place {
	// What nothing is known of yet is nearest to a place far away.
	const far = 1 << 14
	nearest := make([]place, w*h)
	for y := range h {
		for x := range w {
			if nearest[y*w+x] = (place{far, far}); known[y*w+x] {
				nearest[y*w+x] = place{int32(x), int32(y)}
			}
		}
	}
	square := func(p place, x, y int) int {
		dx, dy := int(p.x)-x, int(p.y)-y
		return dx*dx + dy*dy
	}
	sweep := func(y, other int) {
		row := nearest[y*w : (y+1)*w]
		if other >= 0 && other < h {
			beside := nearest[other*w : (other+1)*w]
			for x, p := range row {
				best := square(p, x, y)
				for i := max(x-1, 0); best > 0 && i <= min(x+1, w-1); i++ {
					if d := square(beside[i], x, y); d < best {
						best, row[x] = d, beside[i]
					}
				}
			}
		}
		for x := 1; x < w; x++ {
			if square(row[x-1], x, y) < square(row[x], x, y) {
				row[x] = row[x-1]
			}
		}
		for x := w - 2; x >= 0; x-- {
			if square(row[x+1], x, y) < square(row[x], x, y) {
				row[x] = row[x+1]
			}
		}
	}
	for y := range h {
		sweep(y, y-1)
	}
	for y := h - 1; y >= 0; y-- {
		sweep(y, y+1)
	}
	return nearest
}

// classify fills one row of both kinds of cells.
func classify(matte picture.Image, row int, noneFaint []float32, something []bool) {
	for c := range noneFaint {
		noneFaint[c] = 1
	}
	for y := row * extendCell; y < min((row+1)*extendCell, matte.H); y++ {
		for x, a := range matte.Row(y) {
			if a < faint {
				noneFaint[x/extendCell] = 0
			} else {
				something[x/extendCell] = true
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
			r, g, b := curve.ColourToLinear(colours[3*x], colours[3*x+1], colours[3*x+2])
			dst[0] += w * r
			dst[1] += w * g
			dst[2] += w * b
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
	for c := range strengths {
		before, after := max(c-1, 0), min(c+1, len(strengths)-1)
		if strengths[before] == 0 && strengths[c] == 0 && strengths[after] == 0 {
			continue
		}
		for x := c * extendCell; x < min((c+1)*extendCell, len(matte)); x++ {
			if matte[x] >= faint {
				continue
			}
			// Half of a cell's pixels lie before its middle.
			left, right, f := c, after, (float32(x-c*extendCell)+0.5)/extendCell-0.5
			if f < 0 {
				left, right, f = before, c, f+1
			}
			s := strengths[left] + f*(strengths[right]-strengths[left])
			if s > 0 {
				e.pixel(out[3*x:3*x+3], curve, colours[3*left:3*left+3], colours[3*right:3*right+3], f, s)
			}
		}
	}
}

// pixel replaces one colour by strength s, with that f of the way from colour a to b.
func (e extension) pixel(out []float32, curve *colour.Curve, a, b []float32, f, s float32) {
	red, green, blue := a[0]+f*(b[0]-a[0]), a[1]+f*(b[1]-a[1]), a[2]+f*(b[2]-a[2])
	if s < 1 {
		r, g, b := curve.ColourToLinear(out[0], out[1], out[2])
		red, green, blue = r+s*(red-r), g+s*(green-g), b+s*(blue-b)
	}
	out[0], out[1], out[2] = curve.ColourFromLinear(red, green, blue)
}
