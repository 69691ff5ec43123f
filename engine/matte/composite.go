package matte

import (
	"greenroom/engine/colour"
	"greenroom/engine/picture"
	"greenroom/engine/settings"
)

// Premultiply returns the key in linear light, premultiplied, [H, W, 4]: red, green, blue, alpha. fg is the
// straight foreground [H, W, 3] in the given space, whose primaries stay; matte is [H, W, 1]. Where the
// matte is 0 the colour is 0. An unknown space is an error.
func Premultiply(fg picture.Image, space colour.Space, matte picture.Image) (picture.Image, error) {
	curve, err := colour.NewCurve(space)
	if err != nil {
		return picture.Image{}, err
	}
	out := picture.New(fg.W, fg.H, 4)
	picture.ParallelRows(fg.H, func(y0, y1 int) {
		for y := y0; y < y1; y++ {
			src, dst := fg.Row(y), out.Row(y)
			for x, a := range matte.Row(y) {
				if a == 0 {
					continue
				}
				for i := range 3 {
					dst[4*x+i] = curve.ToLinear(src[3*x+i]) * a
				}
				dst[4*x+3] = a
			}
		}
	})
	return out, nil
}

const (
	// checkerSquare is the edge of a square of the checker in pixels.
	checkerSquare = 16
	// The two greys of the checker, sRGB-encoded.
	checkerDark, checkerLight = 0.4, 0.6
	// middleGrey is BackgroundGrey in linear light.
	middleGrey = 0.18
)

// greys returns the two sRGB-encoded greys of a background's checker, the same twice for a plain one.
func greys(background settings.Background) [2]float32 {
	switch background {
	case settings.BackgroundBlack:
		return [2]float32{0, 0}
	case settings.BackgroundWhite:
		return [2]float32{1, 1}
	case settings.BackgroundGrey:
		grey := colour.LinearToSRGB(middleGrey)
		return [2]float32{grey, grey}
	}
	return [2]float32{checkerDark, checkerLight}
}

// Over returns the straight foreground fg [H, W, 3] in the given space over a background through matte
// [H, W, 1]: fg*a + background*(1-a), blended in linear light, as sRGB-encoded values [H, W, 3]. Over-range
// values are kept. Where the matte is 0 the result is exactly the background's value, and where it is 1 an
// sRGB foreground's own. An unknown space is an error.
func Over(fg picture.Image, space colour.Space, matte picture.Image, background settings.Background) (picture.Image, error) {
	curve, err := colour.NewCurve(space)
	if err != nil {
		return picture.Image{}, err
	}
	display, err := colour.NewCurve(colour.SRGB)
	if err != nil {
		return picture.Image{}, err
	}
	encoded := greys(background)
	linear := [2]float32{display.ToLinear(encoded[0]), display.ToLinear(encoded[1])}
	out := picture.New(fg.W, fg.H, 3)
	picture.ParallelRows(fg.H, func(y0, y1 int) {
		for y := y0; y < y1; y++ {
			src, dst := fg.Row(y), out.Row(y)
			for x, a := range matte.Row(y) {
				square := (x/checkerSquare + y/checkerSquare) % 2
				for i := 3 * x; i < 3*x+3; i++ {
					switch {
					case a == 0:
						dst[i] = encoded[square]
					case a == 1 && space == colour.SRGB:
						dst[i] = src[i]
					default:
						dst[i] = display.FromLinear(curve.ToLinear(src[i])*a + linear[square]*(1-a))
					}
				}
			}
		}
	})
	return out, nil
}
