package matte

import "greenroom/engine/picture"

const (
	// solid is the matte from which the plate shows nothing of its screen.
	solid = 0.98
	// The plate's own pixels begin coreErode px inside the solid area and are alone from coreFeather px
	// further on, at a long edge of coreEdge px.
	coreErode   = 3
	coreFeather = 7
	coreEdge    = 1920
)

// SourceDetail puts the plate's own pixels into the foreground where the matte is solid, in place: network
// colour is soft and only the edge needs it. fg and plate are [H, W, 3] in the same space, matte is
// [H, W, 1]. The solid area (matte at least 0.98) is eroded by 3 px, and over the next 7 px inwards the plate
// comes in linearly, both scaled by long edge / 1920; so the plate, which holds spill and screen at the
// edge, is never mixed in there. Deeper inside the foreground is the plate bit for bit, over-range values
// included. It needs one plane of the matte's size.
func SourceDetail(fg, plate, matte picture.Image) {
	scale := float32(max(fg.W, fg.H)) / coreEdge
	erode, feather := coreErode*scale, coreFeather*scale
	inside := picture.Distance(matte, solid, erode+feather)
	picture.ParallelRows(fg.H, func(y0, y1 int) {
		for y := y0; y < y1; y++ {
			out, own := fg.Row(y), plate.Row(y)
			for x, d := range inside.Row(y) {
				switch {
				case d <= erode:
				case d >= erode+feather:
					copy(out[3*x:3*x+3], own[3*x:3*x+3])
				default:
					w := (d - erode) / feather
					for i := 3 * x; i < 3*x+3; i++ {
						out[i] += w * (own[i] - out[i])
					}
				}
			}
		}
	})
}
