package matte

import (
	"context"
	"slices"

	"greenroom/engine/colour"
	"greenroom/engine/picture"
	"greenroom/engine/settings"
)

const (
	// backingCell is the edge in pixels of the cells in which the clean screen is kept: grain is averaged away,
	// uneven light is not.
	backingCell = 8
	// empty is the network's matte under which a pixel shows nothing but what is behind the subject: a sigmoid
	// does not reach 0.
	empty = 0.01
	// leastExcess is how far a screen's channel lies over the mean of the others, relative to it, and sameExcess
	// the share of the usual one that a cell must have to be nothing but screen.
	leastExcess, sameExcess = 0.1, 0.8
)

// Backing is the screen as it would be without the subject, estimated from a plate and its matte, in linear
// light over the plate's primaries.
type Backing struct {
	// Mean is the screen's colour averaged over where it is seen: red, green, blue.
	Mean   [3]float32
	colour cells // [h, w, 3]
}

// FindBacking estimates the clean screen behind a subject. matte is the network's, [H, W, 1], not clipped; a
// cell of 8 x 8 pixels counts where all of it is under 0.01 and its mean is about as saturated as most of the
// screen, so that rigs and floors beside the screen do not. Between and behind them the colour goes on from
// the nearest cells. ok is false where the plate shows no screen. An unknown space is an error; else the error
// is ctx's.
func FindBacking(ctx context.Context, plate picture.Picture, matte picture.Image, screen settings.Screen) (b Backing, ok bool, err error) {
	curve, err := colour.NewCurve(plate.Space)
	if err != nil {
		return Backing{}, false, err
	}
	key, first, second := channelsOf(screen)
	sums := newCells(matte, backingCell, 4)
	// excess is how far each cell's channel lies over the others, relative to it; 0 where something else is.
	excess := make([]float32, sums.W*sums.H)
	err = picture.ParallelContext(ctx, sums.H, func(r0, r1 int) {
		for r := r0; r < r1; r++ {
			for c := range sums.W {
				mean, ok := meanCell(plate.RGB, matte, curve, c, r)
				if e := mean[key] - (mean[first]+mean[second])/2; ok && e > leastExcess*mean[key] {
					copy(sums.Row(r)[4*c:], []float32{mean[0], mean[1], mean[2], 1})
					excess[r*sums.W+c] = e / mean[key]
				}
			}
		}
	})
	if err != nil {
		return Backing{}, false, err
	}
	usual := usualExcess(excess)
	var mean [4]float64
	for i, e := range excess {
		cell := sums.Pix[4*i : 4*i+4]
		if e < sameExcess*usual {
			clear(cell)
		}
		for k, v := range cell {
			mean[k] += float64(v)
		}
	}
	if mean[3] == 0 {
		return Backing{}, false, nil
	}
	for i := range b.Mean {
		b.Mean[i] = float32(mean[i] / mean[3])
	}
	b.colour, _ = sums.filled()
	return b, true, nil
}

// usualExcess is the middle one of those over 0.
func usualExcess(excess []float32) float32 {
	var seen []float32
	for _, e := range excess {
		if e > 0 {
			seen = append(seen, e)
		}
	}
	if len(seen) == 0 {
		return 0
	}
	slices.Sort(seen)
	return seen[len(seen)/2]
}

// meanCell returns the mean colour of a cell in linear light, of every second pixel of every second row: grain
// is averaged away by these as well. false says that something else than screen is in it.
func meanCell(plate, matte picture.Image, curve *colour.Curve, column, row int) (mean [3]float32, ok bool) {
	x0, y0 := column*backingCell, row*backingCell
	x1, y1 := min(x0+backingCell, matte.W), min(y0+backingCell, matte.H)
	for y := y0; y < y1; y++ {
		for _, a := range matte.Row(y)[x0:x1] {
			if !(a < empty) {
				return mean, false
			}
		}
	}
	n := float32(0)
	for y := y0; y < y1; y += 2 {
		row := plate.Row(y)[3*x0 : 3*x1]
		for i := 0; i+2 < len(row); i += 6 {
			r, g, b := curve.ColourToLinear(row[i], row[i+1], row[i+2])
			mean[0] += r
			mean[1] += g
			mean[2] += b
			n++
		}
	}
	sum := mean[0] + mean[1] + mean[2]
	for k := range mean {
		mean[k] /= n
	}
	return mean, sum-sum == 0 && mean != [3]float32{}
}

// channelsOf returns the index of a screen's channel and those of the two others.
func channelsOf(screen settings.Screen) (key, a, b int) {
	if screen == settings.ScreenBlue {
		return 2, 0, 1
	}
	return 1, 0, 2
}

// at returns the clean screen's colour at pixel x of the row whose line is given.
func (b Backing) at(line []float32, x int) [3]float32 {
	left, right, f := b.colour.between(x, b.colour.W)
	var c [3]float32
	for k := range c {
		v := line[3*left+k]
		c[k] = v + f*(line[3*right+k]-v)
	}
	return c
}
