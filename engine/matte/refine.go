package matte

import (
	"context"
	"math"

	"greenroom/engine/picture"
)

// Refine returns the network's result with so much of its refiner: at amount 1 what it gave, which is
// returned as it is; at 0 what its decoders gave before the refiner; between, a straight blend of both, of
// matte and foreground alike. The coarse logits are enlarged four times bilinearly and go through the sigmoid
// as in the network. Beside the new matte and foreground there are two rows of the coarse maps. The error is
// ctx's.
func Refine(ctx context.Context, raw Network, amount float64) (Network, error) {
	if amount == 1 {
		return raw, ctx.Err()
	}
	out := Network{
		Matte: picture.New(raw.Matte.W, raw.Matte.H, 1), FG: picture.New(raw.FG.W, raw.FG.H, 3), Coarse: raw.Coarse, Exposure: raw.Exposure,
	}
	squash := newSigmoid()
	refined := float32(amount)
	err := picture.ParallelRowsContext(ctx, out.Matte.H, func(y0, y1 int) {
		line := make([]float32, raw.Coarse.W*4)
		for y := y0; y < y1; y++ {
			blendRows(line, raw.Coarse, y)
			matte, fg := out.Matte.Row(y), out.FG.Row(y)
			copy(matte, raw.Matte.Row(y))
			copy(fg, raw.FG.Row(y))
			// Half of the pixels of a coarse one lie before its middle, so that four pixels share a pair.
			last := raw.Coarse.W - 1
			for left := -1; 4*left+2 < len(matte); left++ {
				a, b := line[4*max(left, 0):], line[4*min(left+1, last):]
				for i := range 4 {
					if x := 4*left + 2 + i; x >= 0 && x < len(matte) {
						f := (float32(i) + 0.5) / 4
						matte[x] = squash.blend(a[0]+f*(b[0]-a[0]), matte[x], refined)
						p := fg[3*x : 3*x+3 : 3*x+3]
						p[0] = squash.blend(a[1]+f*(b[1]-a[1]), p[0], refined)
						p[1] = squash.blend(a[2]+f*(b[2]-a[2]), p[1], refined)
						p[2] = squash.blend(a[3]+f*(b[3]-a[3]), p[2], refined)
					}
				}
			}
		}
	})
	return out, err
}

// quarter returns between which two of n samples, and how far from the first, pixel i of the fourfold
// enlargement lies: half-pixel centres, edges replicated.
func quarter(i, n int) (first, second int, part float32) {
	at := max((float32(i)+0.5)/4-0.5, 0)
	first = min(int(at), n-1)
	return first, min(first+1, n-1), at - float32(first)
}

// blendRows writes the row of coarse maps, [W/4, 4], that belongs to row y of the plate.
func blendRows(dst []float32, coarse picture.Image, y int) {
	up, down, f := quarter(y, coarse.H)
	a, b := coarse.Row(up), coarse.Row(down)
	for i, v := range a {
		dst[i] = v + f*(b[i]-v)
	}
}

const (
	// The sigmoid's table goes from -sigmoidEnd to sigmoidEnd, where it is 1e-7 from its limit.
	sigmoidEnd   = 16
	sigmoidSteps = 256 // for each 1
)

// sigmoid is 1 / (1 + e^-x) in a table of values and the ways to the next, within 5e-7.
type sigmoid [][2]float32

func newSigmoid() sigmoid {
	at := func(i int) float32 { return float32(1 / (1 + math.Exp(sigmoidEnd-float64(i)/sigmoidSteps))) }
	s := make(sigmoid, 2*sigmoidEnd*sigmoidSteps)
	for i := range s {
		s[i] = [2]float32{at(i), at(i+1) - at(i)}
	}
	return s
}

func (s sigmoid) of(v float32) float32 {
	at := (v + sigmoidEnd) * sigmoidSteps
	if i := int(at); uint(i) < uint(len(s)) {
		return s[i][0] + s[i][1]*(at-float32(i))
	}
	if v > 0 {
		return 1
	}
	return 0 // for NaN too: what is not a number is no subject
}

// blend returns so much of a refined value, the rest being the sigmoid of a coarse logit.
func (s sigmoid) blend(logit, fine, refined float32) float32 {
	v := s.of(logit)
	return v + refined*(fine-v)
}
