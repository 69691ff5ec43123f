package engine

import (
	"context"
	"image"

	"greenroom/engine/greenformer"
	"greenroom/engine/picture"
	"greenroom/engine/settings"
	"greenroom/engine/tiling"
)

// frame resizes a plate to the square that the network was trained on, and the result back, as the
// reference tool does. Down it is bilinear without prefiltering on both paths, because the tool is; back it
// is Lanczos, the tool's choice on a CPU, with the matte and the foreground clamped to 0..1.
type frame struct {
	// edge is the square's; 0 where nothing is resized.
	edge int
	// w and h are the plate's.
	w, h int
	// onDevice says that the program resizes plate and hint itself: with one tile and gpu_preprocess.
	onDevice bool
	// size is what the program is built for, source the size of its inputs.
	size   greenformer.Size
	source image.Point
}

func newFrame(w, h int, s settings.Settings, g tiling.Grid) frame {
	f := frame{edge: s.Frame, w: w, h: h, source: image.Pt(g.TileW, g.TileH), size: greenformer.Size{W: g.TileW, H: g.TileH}}
	if w == f.edge && h == f.edge {
		f.edge = 0
	}
	if f.edge > 0 && s.GPUPreprocess && g.Len() == 1 {
		f.onDevice = true
		f.size.SourceW, f.size.SourceH = w, h
		f.source = image.Pt(w, h)
	}
	return f
}

// onHost reports whether plate and hint are resized here, before tiles are cut.
func (f frame) onHost() bool { return f.edge > 0 && !f.onDevice }

// squares returns plate and hint as the network sees them, resized to the square.
func (f frame) squares(plate, hint picture.Image, s sight) (p, h picture.Image) {
	p, h = plate.Clone(), hint.Clone()
	s.plate(p.Pix)
	s.hint(h.Pix)
	return picture.ResampleBilinear(p, f.edge, f.edge), picture.ResampleBilinear(h, f.edge, f.edge)
}

// onPlate turns a rectangle of the square into the plate's pixels. It is never empty.
func (f frame) onPlate(r image.Rectangle) image.Rectangle {
	if f.edge == 0 {
		return r
	}
	low := func(v, size int) int { return min(v*size/f.edge, size-1) }
	high := func(v, size int) int { return (v*size + f.edge - 1) / f.edge }
	return image.Rect(low(r.Min.X, f.w), low(r.Min.Y, f.h), high(r.Max.X, f.w), high(r.Max.Y, f.h))
}

// back resizes a result to the plate's size. It looks at ctx between two images.
func (f frame) back(ctx context.Context, r *Result) error {
	fg, err := backColour(ctx, r.FG, r.Matte, f.w, f.h)
	if err != nil {
		return err
	}
	r.FG = fg
	r.Matte = clamped(picture.Resample(r.Matte, f.w, f.h))
	whole := tiling.Plan(f.w, f.h, 0, 0)
	r.Coarse = picture.ResampleBilinear(r.Coarse, whole.PadW/4, whole.PadH/4)
	return ctx.Err()
}

// backColour resizes straight colour, weighted by the matte so that colour from where nothing is does not
// bleed into edges. Where the resized matte is faint that weighting divides by next to nothing (and Lanczos
// can take it below 0), and the colour is resized as it is.
func backColour(ctx context.Context, fg, matte picture.Image, w, h int) (picture.Image, error) {
	plain := picture.Resample(fg, w, h)
	if err := ctx.Err(); err != nil {
		return picture.Image{}, err
	}
	weighted := picture.New(fg.W, fg.H, 3)
	picture.ParallelRows(fg.H, func(y0, y1 int) {
		for i := y0 * fg.W; i < y1*fg.W; i++ {
			for c := range 3 {
				weighted.Pix[3*i+c] = fg.Pix[3*i+c] * matte.Pix[i]
			}
		}
	})
	weighted = picture.Resample(weighted, w, h)
	if err := ctx.Err(); err != nil {
		return picture.Image{}, err
	}
	sum := picture.Resample(matte, w, h)
	const faint, sure = 0.1, 0.2
	picture.ParallelRows(h, func(y0, y1 int) {
		for i := y0 * w; i < y1*w; i++ {
			a := sum.Pix[i]
			t := min(max((a-faint)/(sure-faint), 0), 1)
			if t == 0 {
				continue
			}
			for c := range 3 {
				plain.Pix[3*i+c] += t * (weighted.Pix[3*i+c]/a - plain.Pix[3*i+c])
			}
		}
	})
	return clamped(plain), nil
}

// clamped brings an image into 0..1, in place.
func clamped(m picture.Image) picture.Image {
	picture.ParallelRows(m.H, func(y0, y1 int) {
		for y := y0; y < y1; y++ {
			row := m.Row(y)
			for i, v := range row {
				row[i] = min(max(v, 0), 1)
			}
		}
	})
	return m
}
