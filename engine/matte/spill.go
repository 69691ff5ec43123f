package matte

import (
	"greenroom/engine/colour"
	"greenroom/engine/picture"
	"greenroom/engine/settings"
)

// Rec.709 luminance weights of linear light (ITU-R BT.709-6, item 3.2).
const (
	lumaRed   = 0.2126
	lumaGreen = 0.7152
	lumaBlue  = 0.0722
)

// Despill takes the screen's colour out of a straight foreground [H, W, 3] in the given space, in place. The
// arithmetic is in linear light, whatever the space's curve. It is the average limit: for a green screen
//
//	spill = max(G - (R+B)/2, 0)
//	G    -= strength * spill
//
// and the Rec.709 luminance that this takes away, times neutralReturn, is added to R, G and B alike, so that
// an edge lit by the screen does not turn dark. Adding the same to all three keeps what the limit gave: at
// strength 1 G is at most the mean of R and B, and it is never under both, so no magenta can appear; grey
// lit by green comes back grey; and with a return of 1 the luminance stays. A blue screen acts on B. Any
// other screen changes nothing.
//
// Pixels without spill keep their bits, over-range values included, and so does everything at strength 0.
// An unknown space is an error.
func Despill(fg picture.Image, space colour.Space, screen settings.Screen, strength, neutralReturn float64) error {
	curve, err := colour.NewCurve(space)
	if err != nil {
		return err
	}
	var key, a, b int
	var luma float64
	switch screen {
	case settings.ScreenGreen:
		key, a, b, luma = 1, 0, 2, lumaGreen
	case settings.ScreenBlue:
		key, a, b, luma = 2, 0, 1, lumaBlue
	default:
		return nil
	}
	if strength == 0 {
		return nil
	}
	k, back := float32(strength), float32(strength*neutralReturn*luma)
	picture.ParallelRows(fg.H, func(y0, y1 int) {
		for y := y0; y < y1; y++ {
			row := fg.Row(y)
			for ; len(row) >= 3; row = row[3:] {
				// The decoding curve is convex, so what is under the mean encoded is under it in linear
				// light too: most pixels are done without decoding.
				if row[key] <= (row[a]+row[b])/2 && row[a] >= 0 && row[b] >= 0 {
					continue
				}
				c, p, q := curve.ToLinear(row[key]), curve.ToLinear(row[a]), curve.ToLinear(row[b])
				spill := c - (p+q)/2
				if !(spill > 0) {
					continue
				}
				neutral := back * spill
				row[key] = curve.FromLinear(c - k*spill + neutral)
				if neutral != 0 {
					row[a] = curve.FromLinear(p + neutral)
					row[b] = curve.FromLinear(q + neutral)
				}
			}
		}
	})
	return nil
}
