package matte

import (
	"context"

	"greenroom/engine/colour"
	"greenroom/engine/picture"
	"greenroom/engine/settings"
)

// Comp returns the straight foreground fg [H, W, 3] in the given space over a background back [H, W, 3],
// sRGB-encoded, through matte [H, W, 1]: fg*a + back*(1-a), mixed in linear light or, for BlendDisplay, of
// sRGB-encoded values, as sRGB-encoded values [H, W, 3]. Over-range values are kept. Where the matte is 0 the
// result is exactly the background's value, and where it is 1 an sRGB foreground's own. An unknown space is
// an error; else the error is ctx's.
func Comp(ctx context.Context, fg picture.Image, space colour.Space, matte, back picture.Image, blend settings.Blend) (picture.Image, error) {
	light, err := colour.NewConverter(space, colour.LinearRec709, 1)
	if err != nil {
		return picture.Image{}, err
	}
	display, err := colour.NewCurve(colour.SRGB)
	if err != nil {
		return picture.Image{}, err
	}
	encoded := space == colour.SRGB
	out := picture.New(fg.W, fg.H, 3)
	err = picture.ParallelRowsContext(ctx, fg.H, func(y0, y1 int) {
		for y := y0; y < y1; y++ {
			src, behind, dst := fg.Row(y), back.Row(y), out.Row(y)
			for x, a := range matte.Row(y) {
				i := 3 * x
				f, b, d := src[i:i+3:i+3], behind[i:i+3:i+3], dst[i:i+3:i+3]
				switch {
				case a == 0:
					copy(d, b)
				case a == 1 && encoded:
					copy(d, f)
				case blend == settings.BlendDisplay && encoded:
					d[0], d[1], d[2] = mix(f[0], f[1], f[2], b[0], b[1], b[2], a)
				case blend == settings.BlendDisplay:
					r, g, bl := display.ColourFromLinear(light.Colour(f[0], f[1], f[2]))
					d[0], d[1], d[2] = mix(r, g, bl, b[0], b[1], b[2], a)
				default:
					fr, fg, fb := light.Colour(f[0], f[1], f[2])
					br, bg, bb := display.ColourToLinear(b[0], b[1], b[2])
					d[0], d[1], d[2] = display.ColourFromLinear(mix(fr, fg, fb, br, bg, bb, a))
				}
			}
		}
	})
	return out, err
}

// mix returns a colour over another at alpha a.
func mix(fr, fg, fb, br, bg, bb, a float32) (r, g, b float32) {
	return fr*a + br*(1-a), fg*a + bg*(1-a), fb*a + bb*(1-a)
}
