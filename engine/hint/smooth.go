package hint

import (
	"context"
	"slices"

	"greenroom/engine/picture"
	"greenroom/engine/settings"
)

// Luma weights of JPEG's YCbCr (ITU-T T.871, section 7): what chroma subsampling left alone.
const (
	jpegRed   = 0.299
	jpegGreen = 0.587
	jpegBlue  = 0.114
)

// ChromaSmoothing returns how many pixels of chroma smoothing a plate needs: asked itself, or for
// settings.ChromaAuto by the chroma subsampling of its file, as JPEG states it ("4:2:0"; empty where there is
// none): 1 where colour has less resolution than brightness, else 0.
func ChromaSmoothing(asked float64, subsampling string) float64 {
	switch {
	case asked != settings.ChromaAuto:
		return asked
	case slices.Contains([]string{"", "4:4:4"}, subsampling):
		return 0
	}
	return 1
}

// SmoothChroma returns a plate whose colour is blurred by a Gaussian with a standard deviation of px pixels
// and whose brightness keeps its bits but for rounding: for hint and network only, which take the blocks of
// subsampled colour for edges. Values are taken as they are stored. The alpha is shared with p. A px of 0
// returns p itself. It needs five planes. The error is ctx's.
func SmoothChroma(ctx context.Context, p picture.Picture, px float64) (picture.Picture, error) {
	if !(px > 0) || p.RGB.Empty() {
		return p, ctx.Err()
	}
	luma := func(c []float32) float32 { return jpegRed*c[0] + jpegGreen*c[1] + jpegBlue*c[2] }
	// Red and blue less brightness are the two directions of colour; green follows from them.
	chroma := picture.New(p.RGB.W, p.RGB.H, 2)
	err := picture.ParallelRowsContext(ctx, p.RGB.H, func(y0, y1 int) {
		for y := y0; y < y1; y++ {
			src, dst := p.RGB.Row(y), chroma.Row(y)
			for x := range p.RGB.W {
				c := src[3*x : 3*x+3]
				v := luma(c)
				if !finite(v) {
					continue // its neighbours must not become non-finite as well
				}
				dst[2*x], dst[2*x+1] = c[0]-v, c[2]-v
			}
		}
	})
	if err != nil {
		return picture.Picture{}, err
	}
	if chroma, err = picture.BlurContext(ctx, chroma, px); err != nil {
		return picture.Picture{}, err
	}
	out := p
	out.RGB = picture.New(p.RGB.W, p.RGB.H, 3)
	err = picture.ParallelRowsContext(ctx, p.RGB.H, func(y0, y1 int) {
		for y := y0; y < y1; y++ {
			src, dst, colour := p.RGB.Row(y), out.RGB.Row(y), chroma.Row(y)
			for x := range p.RGB.W {
				c := src[3*x : 3*x+3]
				v := luma(c)
				if !finite(v) {
					copy(dst[3*x:3*x+3], c)
					continue
				}
				red, blue := colour[2*x], colour[2*x+1]
				dst[3*x], dst[3*x+2] = v+red, v+blue
				dst[3*x+1] = v - (jpegRed*red+jpegBlue*blue)/jpegGreen
			}
		}
	})
	return out, err
}
