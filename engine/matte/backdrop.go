package matte

import (
	"context"
	"fmt"
	"math"

	"greenroom/engine/colour"
	"greenroom/engine/picture"
	"greenroom/engine/settings"
)

const (
	// checkerSquare is the edge of a square of the checker in pixels.
	checkerSquare = 16
	// The two greys of the checker, sRGB-encoded.
	checkerDark, checkerLight = 0.4, 0.6
	// middleGrey is BackgroundGrey in linear light.
	middleGrey = 0.18
)

// Backdrop returns what a comp of w x h pixels shows behind its subject, sRGB-encoded, [H, W, 3]: a plain
// background, or pic as comp places it. A picture is resampled premultiplied and in linear light, lies on whole
// pixels, and has black around it and under its alpha; values over 1 stay. Beside the result it needs what of
// the picture is seen, at both sizes. A missing picture and an unknown space or background are errors; else
// the error is ctx's.
func Backdrop(ctx context.Context, background settings.Background, comp settings.Comp, pic picture.Picture, w, h int) (picture.Image, error) {
	plain := func(c [3]float32) [2][3]float32 { return [2][3]float32{c, c} }
	grey := func(v float32) [3]float32 { return [3]float32{v, v, v} }
	switch background {
	case settings.BackgroundChecker:
		return checker(ctx, [2][3]float32{grey(checkerDark), grey(checkerLight)}, w, h)
	case settings.BackgroundBlack:
		return checker(ctx, plain(grey(0)), w, h)
	case settings.BackgroundWhite:
		return checker(ctx, plain(grey(1)), w, h)
	case settings.BackgroundGrey:
		return checker(ctx, plain(grey(colour.LinearToSRGB(middleGrey))), w, h)
	case settings.BackgroundColour:
		c := comp.Colour
		return checker(ctx, plain([3]float32{float32(c[0]), float32(c[1]), float32(c[2])}), w, h)
	case settings.BackgroundPicture:
		return laid(ctx, comp, pic, w, h)
	}
	return picture.Image{}, fmt.Errorf("there is no background %q", background)
}

// checker returns squares of two colours by turns.
func checker(ctx context.Context, colours [2][3]float32, w, h int) (picture.Image, error) {
	out := picture.New(w, h, 3)
	err := picture.ParallelRowsContext(ctx, h, func(y0, y1 int) {
		for y := y0; y < y1; y++ {
			row := out.Row(y)
			for x := range w {
				copy(row[3*x:3*x+3], colours[(x/checkerSquare+y/checkerSquare)%2][:])
			}
		}
	})
	return out, err
}

// laid returns a picture as comp places it in a frame.
func laid(ctx context.Context, comp settings.Comp, pic picture.Picture, w, h int) (picture.Image, error) {
	if pic.RGB.Empty() || pic.RGB.C != 3 {
		return picture.Image{}, fmt.Errorf("there is no background picture")
	}
	scale := placed(comp.Placement, pic.RGB, w, h) * comp.Scale
	// Where the picture's upper left corner lies in the frame.
	left := (float64(w)-float64(pic.RGB.W)*scale)/2 + comp.OffsetX
	top := (float64(h)-float64(pic.RGB.H)*scale)/2 + comp.OffsetY
	x := seenSpan(left, scale, pic.RGB.W, w)
	y := seenSpan(top, scale, pic.RGB.H, h)
	out := picture.New(w, h, 3)
	if x.to <= x.from || y.to <= y.from {
		return out, ctx.Err()
	}
	part, err := linearPart(ctx, pic, x, y)
	if err != nil {
		return picture.Image{}, err
	}
	part = picture.Resample(part, x.size, y.size)
	display, err := colour.NewCurve(colour.SRGB)
	if err != nil {
		return picture.Image{}, err
	}
	gain := float32(math.Exp2(comp.Exposure))
	err = picture.ParallelRowsContext(ctx, part.H, func(y0, y1 int) {
		for y := y0; y < y1; y++ {
			row := part.Row(y)
			for i, v := range row {
				// Lanczos undershoots beside highlights.
				row[i] = display.FromLinear(max(v*gain, 0))
			}
		}
	})
	if err != nil {
		return picture.Image{}, err
	}
	out.Paste(part, x.at, y.at)
	return out, nil
}

// placed is the scale of a placement.
func placed(p settings.Placement, m picture.Image, w, h int) float64 {
	across, down := float64(w)/float64(m.W), float64(h)/float64(m.H)
	switch p {
	case settings.PlaceFit:
		return min(across, down)
	case settings.PlaceActual:
		return 1
	}
	return max(across, down)
}

// span is a part of a picture along one axis, and where it lies in the frame: its pixels from..to become size
// pixels from at on.
type span struct{ from, to, at, size int }

// seenSpan returns which of n pixels, scaled and with the first at position at of the frame, are seen among
// the frame's, with some more for the filter.
func seenSpan(at, scale float64, n, frame int) span {
	margin := 4.0
	if scale < 1 {
		margin /= scale
	}
	limit := func(v float64) int { return int(min(max(v, 0), float64(n))) }
	s := span{from: limit(math.Floor(-at/scale - margin)), to: limit(math.Ceil((float64(frame)-at)/scale + margin))}
	s.at = int(math.Round(at + float64(s.from)*scale))
	s.size = max(int(math.Round(float64(s.to-s.from)*scale)), 1)
	return s
}

// linearPart returns a part of a picture in linear light over Rec.709 primaries, premultiplied.
func linearPart(ctx context.Context, pic picture.Picture, across, down span) (picture.Image, error) {
	light, err := colour.NewConverter(pic.Space, colour.LinearRec709, 1)
	if err != nil {
		return picture.Image{}, err
	}
	part := picture.New(across.to-across.from, down.to-down.from, 3)
	err = picture.ParallelRowsContext(ctx, part.H, func(y0, y1 int) {
		for y := y0; y < y1; y++ {
			src, dst := pic.RGB.Row(down.from + y)[3*across.from:3*across.to], part.Row(y)
			light.Row(dst, src)
			for i, v := range dst {
				if v-v != 0 { // what is not a number
					dst[i] = 0
				}
			}
			if pic.Alpha.Empty() {
				continue
			}
			for x, a := range pic.Alpha.Row(down.from + y)[across.from:across.to] {
				for i := 3 * x; i < 3*x+3; i++ {
					dst[i] *= a
				}
			}
		}
	})
	return part, err
}
