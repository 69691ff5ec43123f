package matte

import (
	"context"

	"greenroom/engine/colour"
	"greenroom/engine/picture"
)

const (
	// Under unmixFrom the plate holds too little of the subject to be taken apart, and the network's colour
	// stays; from unmixTo on the plate's is taken alone.
	unmixFrom, unmixTo = 0.1, 0.3
)

// Unmix returns the straight foreground [H, W, 3] with the colours of its edge taken from the plate:
// (C - (1 - a) S) / a of the plate's colour C, the matte a [H, W, 1] and the clean screen S, in linear light
// and at least 0. That keeps the detail and the grain of strands, which the network smooths; spill stays in
// it for despill to remove. Where the matte is under 0.1 the network's colour stays, up to 0.3 both are mixed,
// and at 1 it is the plate's own value. fg and plate are in the given space. An unknown space is an error;
// else the error is ctx's.
func Unmix(ctx context.Context, fg, plate picture.Image, space colour.Space, matte picture.Image, b Backing) (picture.Image, error) {
	curve, err := colour.NewCurve(space)
	if err != nil {
		return picture.Image{}, err
	}
	out := picture.New(fg.W, fg.H, 3)
	err = picture.ParallelRowsContext(ctx, fg.H, func(y0, y1 int) {
		line := make([]float32, 3*b.colour.W)
		for y := y0; y < y1; y++ {
			b.colour.line(line, y)
			net, own, dst := fg.Row(y), plate.Row(y), out.Row(y)
			for x, a := range matte.Row(y) {
				i := 3 * x
				switch {
				case !(a > unmixFrom):
					copy(dst[i:i+3], net[i:i+3])
				case a >= 1:
					copy(dst[i:i+3], own[i:i+3])
				default:
					unmix([3]float32(own[i:i+3]), dst[i:i+3], net[i:i+3], curve, a, b.at(line, x))
				}
			}
		}
	})
	return out, err
}

// unmix writes one colour.
func unmix(own [3]float32, dst, net []float32, curve *colour.Curve, a float32, screen [3]float32) {
	r, g, b := curve.ColourToLinear(own[0], own[1], own[2])
	r, g, b = max((r-(1-a)*screen[0])/a, 0), max((g-(1-a)*screen[1])/a, 0), max((b-(1-a)*screen[2])/a, 0)
	if share := min((a-unmixFrom)/(unmixTo-unmixFrom), 1); share < 1 {
		netR, netG, netB := curve.ColourToLinear(net[0], net[1], net[2])
		r, g, b = netR+share*(r-netR), netG+share*(g-netG), netB+share*(b-netB)
	}
	dst[0], dst[1], dst[2] = curve.ColourFromLinear(r, g, b)
}
