package tiling

import (
	"image"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"greenroom/engine/picture"
)

// sizes are plates that other tools stumble over.
var sizes = []image.Point{
	{1, 1},
	{31, 7},
	{32, 32},
	{33, 1},
	{300, 200},
	{511, 511},
	{513, 513},
	{768, 768},
	{769, 64},
	{1921, 1081},
	{20000, 40},
	{40, 20000},
}

func TestPlanOfKnownPlates(t *testing.T) {
	for _, c := range []struct {
		w, h, tile, overlap int
		pad, tileSize       image.Point
		x, y                []int
	}{
		{1, 1, 768, 64, image.Pt(32, 32), image.Pt(32, 32), []int{0}, []int{0}},
		{31, 7, 0, 64, image.Pt(32, 32), image.Pt(32, 32), []int{0}, []int{0}},
		{300, 200, 768, 64, image.Pt(320, 224), image.Pt(320, 224), []int{0}, []int{0}},
		{511, 513, 256, 64, image.Pt(512, 544), image.Pt(256, 256), []int{0, 192, 256}, []int{0, 192, 288}},
		{1920, 1080, 768, 64, image.Pt(1920, 1088), image.Pt(768, 768), []int{0, 704, 1152}, []int{0, 320}},
		{1921, 1081, 0, 64, image.Pt(1952, 1088), image.Pt(1952, 1088), []int{0}, []int{0}},
		{20000, 40, 768, 64, image.Pt(20000, 64), image.Pt(768, 64), nil, []int{0}},
		{200, 100, 128, 50, image.Pt(224, 128), image.Pt(128, 128), []int{0, 64, 96}, []int{0}},
	} {
		g := Plan(c.w, c.h, c.tile, c.overlap)
		if g.PadW != c.pad.X || g.PadH != c.pad.Y || g.TileW != c.tileSize.X || g.TileH != c.tileSize.Y {
			t.Errorf("%dx%d %d/%d: padded %dx%d, tile %dx%d", c.w, c.h, c.tile, c.overlap, g.PadW, g.PadH, g.TileW, g.TileH)
		}
		if c.x != nil && !slices.Equal(g.X, c.x) || !slices.Equal(g.Y, c.y) {
			t.Errorf("%dx%d %d/%d: columns %v, rows %v", c.w, c.h, c.tile, c.overlap, g.X, g.Y)
		}
	}
	if n := Plan(0, 5, 768, 64).Len(); n != 0 {
		t.Errorf("a plate without pixels gives %d tiles", n)
	}
}

// plan draws a grid over a plate of any size.
func plan(t *rapid.T, largest int) (g Grid, overlap int) {
	tile := 32 * rapid.SampledFrom([]int{0, 2, 3, 4, 6, 8, 12}).Draw(t, "tile / 32")
	overlap = rapid.IntRange(0, tile/2).Draw(t, "overlap")
	w := rapid.IntRange(1, largest).Draw(t, "width")
	h := rapid.IntRange(1, largest).Draw(t, "height")
	return Plan(w, h, tile, overlap), overlap
}

func TestTilesOfOneSizeCoverThePlateOnTheLattice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, overlap := plan(t, 3000)
		if g.PadW%Lattice != 0 || g.PadH%Lattice != 0 || g.PadW < g.W || g.PadH < g.H || g.PadW-g.W >= Lattice || g.PadH-g.H >= Lattice {
			t.Fatalf("%dx%d is padded to %dx%d", g.W, g.H, g.PadW, g.PadH)
		}
		checkAxis(t, g.X, g.TileW, g.PadW, overlap)
		checkAxis(t, g.Y, g.TileH, g.PadH, overlap)
		for i := range g.Len() {
			r := g.Tile(i)
			if r.Dx() != g.TileW || r.Dy() != g.TileH || !r.In(image.Rect(0, 0, g.PadW, g.PadH)) {
				t.Fatalf("tile %d is %v in %dx%d", i, r, g.PadW, g.PadH)
			}
			if g.Inside(i).Empty() {
				t.Fatalf("tile %d shows nothing of the plate", i)
			}
		}
	})
}

// checkAxis checks that tiles begin on the lattice, cover 0..size, and share at least the overlap.
func checkAxis(t *rapid.T, origins []int, edge, size, overlap int) {
	if origins[0] != 0 || origins[len(origins)-1]+edge != size {
		t.Fatalf("tiles of %d at %v do not reach both ends of %d", edge, origins, size)
	}
	for k, at := range origins {
		if at%Lattice != 0 {
			t.Fatalf("a tile begins at %d, off the lattice", at)
		}
		if k > 0 && (at <= origins[k-1] || origins[k-1]+edge-at < overlap) {
			t.Fatalf("tiles of %d at %v: less than %d shared", edge, origins, overlap)
		}
	}
}

func TestCutRepeatsTheEdge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, _ := plan(t, 300)
		c := rapid.SampledFrom([]int{1, 3}).Draw(t, "channels")
		m := picture.New(g.W, g.H, c)
		for i := range m.Pix {
			m.Pix[i] = float32(i)
		}
		i := rapid.IntRange(0, g.Len()-1).Draw(t, "which")
		got := make([]float32, g.TileW*g.TileH*c)
		g.Cut(got, m, i)
		r := g.Tile(i)
		want := picture.Crop(m, r.Min.X, r.Min.Y, r.Dx(), r.Dy())
		for k, v := range want.Pix {
			if got[k] != v {
				t.Fatalf("tile %d of %dx%d: value %d is %v, want %v", i, g.W, g.H, k, got[k], v)
			}
		}
	})
}
