package matte

import (
	"context"

	"greenroom/engine/picture"
)

const (
	// solid is the matte from which the plate shows nothing of its screen.
	solid = 0.98
	// The plate's own pixels begin coreErode px inside the solid area and are alone from coreFeather px
	// further on, at a long edge of coreEdge px.
	coreErode   = 3
	coreFeather = 7
	coreEdge    = 1920
)

// SourceShare returns how much of each pixel's colour should be the plate's own, [H, W, 1], 0..1: network
// colour is soft and only the edge needs it. The solid area of the matte [H, W, 1], at least 0.98, is eroded
// by 3 px, and over the next 7 px inwards the share rises linearly to 1, both scaled by long edge / 1920; so
// the plate, which holds spill and screen at the edge, is never mixed in there. The result is the only memory
// of note. The error is ctx's.
func SourceShare(ctx context.Context, matte picture.Image) (picture.Image, error) {
	scale := float32(max(matte.W, matte.H)) / coreEdge
	erode, feather := coreErode*scale, coreFeather*scale
	share, err := picture.DistanceContext(ctx, matte, solid, erode+feather)
	if err != nil {
		return picture.Image{}, err
	}
	err = picture.ParallelRowsContext(ctx, matte.H, func(y0, y1 int) {
		for y := y0; y < y1; y++ {
			row := share.Row(y)
			for x, d := range row {
				switch {
				case d <= erode:
					row[x] = 0
				case d >= erode+feather:
					row[x] = 1
				default:
					row[x] = (d - erode) / feather
				}
			}
		}
	})
	return share, err
}

// SourceDetail puts the plate's own pixels into the foreground by the share of SourceShare, in place. fg and
// plate are [H, W, 3] in the same space. Where the share is 1 the foreground is the plate bit for bit,
// over-range values included. The error is ctx's.
func SourceDetail(ctx context.Context, fg, plate, share picture.Image) error {
	return picture.ParallelRowsContext(ctx, fg.H, func(y0, y1 int) {
		for y := y0; y < y1; y++ {
			out, own := fg.Row(y), plate.Row(y)
			for x, w := range share.Row(y) {
				switch w {
				case 0:
				case 1:
					copy(out[3*x:3*x+3], own[3*x:3*x+3])
				default:
					for i := 3 * x; i < 3*x+3; i++ {
						out[i] += w * (own[i] - out[i])
					}
				}
			}
		}
	})
}
