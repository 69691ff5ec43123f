package tiling

import (
	"fmt"
	"image"

	"greenroom/engine/picture"
)

// Blend adds tiles up to a picture as they arrive. Its memory is that of the picture.
type Blend struct {
	grid   Grid
	out    picture.Image
	scale  int
	across [][]float32 // weights of each column of tiles
	down   [][]float32 // weights of each row of tiles
	added  []bool
	count  int
}

// NewBlend returns an empty picture of the plate's size, [H, W, channels].
func NewBlend(g Grid, channels int) *Blend { return newBlend(g, g.W, g.H, channels, 1) }

// NewCoarseBlend returns an empty picture of the padded plate at a quarter of its size,
// [PadH/4, PadW/4, channels], for the network's coarse maps.
func NewCoarseBlend(g Grid, channels int) *Blend { return newBlend(g, g.PadW/4, g.PadH/4, channels, 4) }

func newBlend(g Grid, w, h, channels, scale int) *Blend {
	return &Blend{
		grid: g, out: picture.New(w, h, channels), scale: scale,
		across: g.Window.weights(g.X, g.TileW, scale), down: g.Window.weights(g.Y, g.TileH, scale),
		added: make([]bool, g.Len()),
	}
}

// Bytes returns the memory that the picture takes.
func (b *Blend) Bytes() int64 { return int64(len(b.out.Pix)) * 4 }

// Add adds tile i, [TileH, TileW, C] (a quarter of that in a coarse blend). Each tile can be added once;
// another size, or a tile twice, is an error and changes nothing. Tiles may come in any order: the result is
// the same but for the rounding of sums.
func (b *Blend) Add(i int, tile []float32) error {
	w, h, c := b.grid.TileW/b.scale, b.grid.TileH/b.scale, b.out.C
	switch {
	case i < 0 || i >= len(b.added):
		return fmt.Errorf("blend tile %d: the grid has %d tiles", i, len(b.added))
	case len(tile) != w*h*c:
		return fmt.Errorf("blend tile %d: it has %d values, not %d x %d x %d", i, len(tile), w, h, c)
	case b.added[i]:
		return fmt.Errorf("blend tile %d: it has been added already", i)
	}
	b.added[i] = true
	b.count++
	at := b.place(i).Min
	b.each(i, func(y int, across []float32, down float32) {
		dst, src := b.out.Row(y + at.Y)[at.X*c:], tile[y*w*c:]
		for k, a := range across {
			weight := a * down
			if weight == 0 {
				continue
			}
			for ch := range c {
				dst[k*c+ch] += weight * src[k*c+ch]
			}
		}
	})
	return nil
}

// place returns where tile i lies in the picture, whose edge it may pass.
func (b *Blend) place(i int) image.Rectangle {
	r := b.grid.Tile(i)
	return image.Rect(r.Min.X/b.scale, r.Min.Y/b.scale, r.Max.X/b.scale, r.Max.Y/b.scale)
}

// each calls row for every row y of tile i that lies in the picture, with the weights of the row's pixels, as
// many as lie in the picture, and the weight of the row.
func (b *Blend) each(i int, row func(y int, across []float32, down float32)) {
	r := b.place(i)
	width, height := min(r.Max.X, b.out.W)-r.Min.X, min(r.Max.Y, b.out.H)-r.Min.Y
	across, down := b.across[i%len(b.grid.X)][:width], b.down[i/len(b.grid.X)]
	picture.ParallelRows(height, func(y0, y1 int) {
		for y := y0; y < y1; y++ {
			row(y, across, down[y])
		}
	})
}

// Known returns 1 where all tiles have been added that share a pixel, 0 elsewhere, [H, W, 1]. It is asked before
// Picture.
func (b *Blend) Known() picture.Image {
	known := b.sum()
	for i, w := range known.Pix {
		if w != 1 {
			known.Pix[i] = 0
		}
	}
	return known
}

// Picture ends the blend and returns the picture. Where tiles are missing, what is there is brought back
// to full weight, and pixels that no tile reached are 0. Nothing can be added afterwards.
func (b *Blend) Picture() picture.Image {
	if b.count < len(b.added) && b.count > 0 {
		b.normalise()
	}
	for i := range b.added {
		b.added[i] = true
	}
	return b.out
}

// sum returns the weights that were added.
func (b *Blend) sum() picture.Image {
	sum := picture.New(b.out.W, b.out.H, 1)
	for i, done := range b.added {
		if !done {
			continue
		}
		at := b.place(i).Min
		b.each(i, func(y int, across []float32, down float32) {
			dst := sum.Row(y + at.Y)[at.X:]
			for k, a := range across {
				dst[k] += a * down
			}
		})
	}
	return sum
}

// normalise divides by the weights that were added.
func (b *Blend) normalise() {
	sum, c := b.sum(), b.out.C
	for i, w := range sum.Pix {
		if w != 0 && w != 1 {
			for ch := range c {
				b.out.Pix[i*c+ch] /= w
			}
		}
	}
}
