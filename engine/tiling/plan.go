// Package tiling cuts a plate into tiles that the network can see, and blends what comes back.
//
// A plate is padded inside to multiples of 32, the network's coarsest step, by repeating its edge. Tiles of
// one size cover the padded plate with their corners on a lattice of 32 pixels, so that the coarse maps of
// neighbouring tiles, at a quarter of the size, fall on one another. Where tiles overlap the result passes
// from one to the next along a straight ramp; at every pixel the weights add up to exactly 1.
package tiling

import (
	"image"
	"slices"

	"greenroom/engine/picture"
)

// Lattice is what tile corners and sizes are multiples of, in pixels.
const Lattice = 32

// Grid is a plan of tiles. The zero Grid has no tiles.
type Grid struct {
	// W and H are the plate's size in pixels.
	W, H int
	// PadW and PadH are the padded plate's: the next multiples of 32.
	PadW, PadH int
	// TileW and TileH are the size of every tile: at most the padded plate.
	TileW, TileH int
	// X and Y are the left edges of the columns and the top edges of the rows, ascending, from 0.
	X, Y []int
	// Window is how tiles pass into one another.
	Window Window
}

// Plan lays tiles over a plate of w x h pixels. Tile is a tile's edge and overlap what two neighbours share
// at least, in pixels; tile 0, or a tile as large as the padded plate, gives one tile. The last column and row
// are moved back inside, so that they share more. A tile, at least 64, is rounded up to the lattice and an
// overlap brought into 0..tile/2; settings.Validate refuses such values before. A plate without pixels gives no tiles.
func Plan(w, h, tile, overlap int) Grid {
	if w < 1 || h < 1 {
		return Grid{}
	}
	g := Grid{W: w, H: h, PadW: padded(w), PadH: padded(h), Window: DefaultWindow()}
	if tile > 0 {
		tile = padded(tile)
	}
	g.TileW, g.X = axis(g.PadW, tile, overlap)
	g.TileH, g.Y = axis(g.PadH, tile, overlap)
	return g
}

// Shifted returns the grid whose borders fall in the middle of g's tiles: the same tiles, moved by half of what
// one tile is from the next, with tiles at the plate's edges added. An axis of one tile stays as it is, because
// it has no borders.
func (g Grid) Shifted() Grid {
	g.X, g.Y = shifted(g.X), shifted(g.Y)
	return g
}

// Shiftable reports whether the shifted grid is another one. It is not where tiles follow one another by the lattice's
// own step, between which no grid lies.
func (g Grid) Shiftable() bool {
	across, down := g.moved()
	return len(g.X) > 1 && across || len(g.Y) > 1 && down || g.Len() == 1
}

// moved reports which axes the shifted grid moves: only their borders fall inside its tiles.
func (g Grid) moved() (across, down bool) {
	s := g.Shifted()
	return !slices.Equal(s.X, g.X), !slices.Equal(s.Y, g.Y)
}

// Shared counts the borders that the shifted grid has too: between the two it cannot be told how far tiles are apart there.
func (g Grid) Shared() int {
	across, down := g.moved()
	n := 0
	if !across {
		n += (len(g.X) - 1) * len(g.Y)
	}
	if !down {
		n += len(g.X) * (len(g.Y) - 1)
	}
	return n
}

func shifted(origins []int) []int {
	if len(origins) < 2 {
		return origins
	}
	last := origins[len(origins)-1]
	half := max(origins[1]/2/Lattice*Lattice, Lattice)
	list := []int{0}
	for _, at := range origins {
		if at+half < last {
			list = append(list, at+half)
		}
	}
	return append(list, last)
}

// axis plans one axis of the given padded size: the tile's edge along it and where tiles begin.
func axis(size, tile, overlap int) (edge int, origins []int) {
	if tile <= 0 || tile >= size {
		return size, []int{0}
	}
	overlap = min(max(overlap, 0), tile/2)
	step := max((tile-overlap)/Lattice*Lattice, Lattice)
	for at := 0; at+tile < size; at += step {
		origins = append(origins, at)
	}
	return tile, append(origins, size-tile)
}

func padded(n int) int { return (n + Lattice - 1) / Lattice * Lattice }

// Len returns the number of tiles.
func (g Grid) Len() int { return len(g.X) * len(g.Y) }

// Tile returns tile i, in the padded plate's pixels. Tiles run along rows, from the top left.
func (g Grid) Tile(i int) image.Rectangle {
	x, y := g.X[i%len(g.X)], g.Y[i/len(g.X)]
	return image.Rect(x, y, x+g.TileW, y+g.TileH)
}

// Inside returns the part of tile i that lies on the plate. It is never empty.
func (g Grid) Inside(i int) image.Rectangle {
	return g.Tile(i).Intersect(image.Rect(0, 0, g.W, g.H))
}

// Cut copies tile i of m, an image of the plate's size, to dst, [TileH, TileW, C]. Outside the plate the
// nearest edge pixel is repeated.
func (g Grid) Cut(dst []float32, m picture.Image, i int) {
	r, c := g.Tile(i), m.C
	inside := min(r.Max.X, m.W) - r.Min.X
	picture.ParallelRows(g.TileH, func(y0, y1 int) {
		for y := y0; y < y1; y++ {
			src := m.Row(min(r.Min.Y+y, m.H-1))
			row := dst[y*g.TileW*c : (y+1)*g.TileW*c]
			copy(row, src[r.Min.X*c:(r.Min.X+inside)*c])
			for x := inside; x < g.TileW; x++ {
				copy(row[x*c:(x+1)*c], src[(m.W-1)*c:])
			}
		}
	})
}
