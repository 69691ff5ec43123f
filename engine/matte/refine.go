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
		Matte: picture.New(raw.Matte.W, raw.Matte.H, 1), FG: picture.New(raw.FG.W, raw.FG.H, 3), Coarse: raw.Coarse,
	}
	squash := newSigmoid()
	refined := float32(amount)
	err := picture.ParallelRowsContext(ctx, out.Matte.H, func(y0, y1 int) {
		line := make([]float32, raw.Coarse.W*4)
		for y := y0; y < y1; y++ {
			blendRows(line, raw.Coarse, y)
			matte, fg := out.Matte.Row(y), out.FG.Row(y)
			fineMatte, fineFG := raw.Matte.Row(y), raw.FG.Row(y)
			for x := range matte {
				left, right, f := quarter(x, raw.Coarse.W)
				a, b := line[4*left:4*left+4], line[4*right:4*right+4]
				v := squash.of(a[0] + f*(b[0]-a[0]))
				matte[x] = v + refined*(fineMatte[x]-v)
				for c := range 3 {
					v := squash.of(a[c+1] + f*(b[c+1]-a[c+1]))
					fg[3*x+c] = v + refined*(fineFG[3*x+c]-v)
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

// sigmoid is 1 / (1 + e^-x) in a table, within 5e-7.
type sigmoid []float32

func newSigmoid() sigmoid {
	s := make(sigmoid, 2*sigmoidEnd*sigmoidSteps+2)
	for i := range s {
		s[i] = float32(1 / (1 + math.Exp(sigmoidEnd-float64(i)/sigmoidSteps)))
	}
	return s
}

func (s sigmoid) of(v float32) float32 {
	at := (v + sigmoidEnd) * sigmoidSteps
	switch {
	case at >= 2*sigmoidEnd*sigmoidSteps:
		return 1
	case !(at > 0): // NaN too: what is not a number is no subject
		return 0
	}
	i := int(at)
	return s[i] + (s[i+1]-s[i])*(at-float32(i))
}
