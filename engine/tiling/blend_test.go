package tiling

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"greenroom/engine/picture"
)

func TestWeightsAddUpToExactlyOne(t *testing.T) {
	check := func(fatalf func(string, ...any), g Grid) {
		for scale, size := range map[int][2]int{1: {g.PadW, g.PadH}, 4: {g.PadW / 4, g.PadH / 4}} {
			for a, origins := range [][]int{g.X, g.Y} {
				edge := []int{g.TileW, g.TileH}[a]
				sums := make([]float32, size[a])
				for j, w := range g.Window.weights(origins, edge, scale) {
					for p, v := range w {
						if v < 0 || v > 1 {
							fatalf("tile %d weighs %v at %d", j, v, p)
						}
						sums[origins[j]/scale+p] += v
					}
				}
				for x, s := range sums {
					if s != 1 {
						fatalf("weights at %d of %v add up to %v (scale %d, tile %d)", x, origins, s, scale, edge)
					}
				}
			}
		}
	}
	for _, s := range sizes {
		for _, tile := range [][2]int{{0, 0}, {64, 32}, {768, 64}, {512, 256}, {96, 0}} {
			check(t.Fatalf, Plan(s.X, s.Y, tile[0], tile[1]))
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		g, _ := plan(t, 2000)
		g.Window = window(t)
		check(t.Fatalf, g)
		check(t.Fatalf, g.Shifted())
	})
}

// window draws a window.
func window(t *rapid.T) Window {
	return Window{Cosine: rapid.Bool().Draw(t, "cosine"), Margin: rapid.IntRange(0, 64).Draw(t, "margin")}
}

// add fills a blend with tiles that value makes, in a random order.
func add(fatalf func(string, ...any), b *Blend, g Grid, seed uint64, value func(i int) []float32) picture.Image {
	for _, i := range rand.New(rand.NewPCG(seed, 0)).Perm(g.Len()) {
		if err := b.Add(i, value(i)); err != nil {
			fatalf("%v", err)
		}
	}
	return b.Picture()
}

func TestBlendOfConstantTilesIsThatConstant(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, _ := plan(t, 500)
		v := rapid.Float32Range(-20, 20).Draw(t, "value")
		tile := make([]float32, g.TileW*g.TileH)
		for i := range tile {
			tile[i] = v
		}
		seed := rapid.Uint64().Draw(t, "seed")
		whole := add(t.Fatalf, NewBlend(g, 1), g, seed, func(int) []float32 { return tile })
		coarse := add(t.Fatalf, NewCoarseBlend(g, 4), g, seed, func(int) []float32 { return tile[:g.TileW*g.TileH/4] })
		if whole.W != g.W || whole.H != g.H || coarse.W != g.PadW/4 || coarse.H != g.PadH/4 {
			t.Fatalf("%dx%d gives %dx%d and %dx%d", g.W, g.H, whole.W, whole.H, coarse.W, coarse.H)
		}
		for _, m := range []picture.Image{whole, coarse} {
			for i, got := range m.Pix {
				if math.Abs(float64(got-v)) > 1e-6*max(1, math.Abs(float64(v))) {
					t.Fatalf("value %d is %v, want %v", i, got, v)
				}
			}
		}
	})
}

func TestBlendOfACutPictureIsThePicture(t *testing.T) {
	check := func(fatalf func(string, ...any), g Grid, c int, seed uint64) {
		m := picture.New(g.W, g.H, c)
		r := rand.New(rand.NewPCG(seed, 1))
		for i := range m.Pix {
			m.Pix[i] = r.Float32()
		}
		got := add(fatalf, NewBlend(g, c), g, seed, func(i int) []float32 {
			tile := make([]float32, g.TileW*g.TileH*c)
			g.Cut(tile, m, i)
			return tile
		})
		if !got.SameSize(m) {
			fatalf("%dx%d comes back as %dx%d", m.W, m.H, got.W, got.H)
		}
		for i, v := range m.Pix {
			if math.Abs(float64(got.Pix[i]-v)) > 3e-7 {
				fatalf("%dx%d in tiles of %dx%d: value %d is %v, was %v", g.W, g.H, g.TileW, g.TileH, i, got.Pix[i], v)
			}
		}
	}
	for _, s := range sizes {
		check(t.Fatalf, Plan(s.X, s.Y, 768, 64), 3, 1)
		check(t.Fatalf, Plan(s.X, s.Y, 64, 32), 1, 2)
	}
	rapid.Check(t, func(t *rapid.T) {
		g, _ := plan(t, 400)
		check(t.Fatalf, g, rapid.IntRange(1, 3).Draw(t, "channels"), rapid.Uint64().Draw(t, "seed"))
	})
}

// Tiles that disagree must not leave a line: from pixel to pixel the blend of two constants changes by no
// more than the ramp's slope.
func TestTilesThatDisagreeLeaveNoLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tile := 32 * rapid.IntRange(2, 8).Draw(t, "tile / 32")
		overlap := 32 * rapid.IntRange(1, tile/64).Draw(t, "overlap / 32")
		g := Plan(rapid.IntRange(1, 700).Draw(t, "width"), rapid.IntRange(1, 700).Draw(t, "height"), tile, overlap)
		g.Window = window(t)
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2))
		m := add(t.Fatalf, NewBlend(g, 1), g, 3, func(int) []float32 {
			values := make([]float32, g.TileW*g.TileH)
			v := r.Float32()
			for i := range values {
				values[i] = v
			}
			return values
		})
		// Three tiles may meet where the last was moved back: two ramps at once. Shares step by 1/resolution.
		// A margin leaves half the overlap to fade in, and a cosine is steepest in its middle.
		limit := 2*2*math.Pi/2/float32(overlap) + 4.0/resolution
		for y := range m.H {
			for x := range m.W {
				v := m.Pix[y*m.W+x]
				if x > 0 && abs(v-m.Pix[y*m.W+x-1]) > limit || y > 0 && abs(v-m.Pix[(y-1)*m.W+x]) > limit {
					t.Fatalf("a step at (%d, %d) of %dx%d, tiles %d/%d", x, y, m.W, m.H, tile, overlap)
				}
			}
		}
	})
}

func abs(v float32) float32 { return max(v, -v) }

func TestPictureOfSomeTilesKeepsTheirFullStrength(t *testing.T) {
	g := Plan(300, 100, 128, 64)
	b := NewBlend(g, 1)
	ones := make([]float32, g.TileW*g.TileH)
	for i := range ones {
		ones[i] = 1
	}
	if err := b.Add(1, ones); err != nil {
		t.Fatal(err)
	}
	m := b.Picture()
	r := g.Inside(1)
	for y := range m.H {
		for x := range m.W {
			want := float32(0)
			if x >= r.Min.X && x < r.Max.X {
				want = 1
			}
			if got := m.Pix[y*m.W+x]; got != want {
				t.Fatalf("(%d, %d) is %v, want %v", x, y, got, want)
			}
		}
	}
}

func TestAddRefusesWhatDoesNotFit(t *testing.T) {
	g := Plan(200, 200, 128, 32)
	b := NewBlend(g, 2)
	good := make([]float32, 128*128*2)
	for name, err := range map[string]error{
		"a tile too many": b.Add(g.Len(), good), "a negative tile": b.Add(-1, good), "a short tile": b.Add(0, good[1:]),
	} {
		if err == nil {
			t.Errorf("%s was taken", name)
		}
	}
	if err := b.Add(0, good); err != nil {
		t.Error(err)
	}
	if b.Add(0, good) == nil {
		t.Error("a tile was taken twice")
	}
	b.Picture()
	if b.Add(1, good) == nil {
		t.Error("a tile was taken after the end")
	}
}
