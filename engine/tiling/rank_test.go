package tiling

import (
	"image"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"greenroom/engine/picture"
)

// apartPlaces fails unless every seam of a list has a worst pixel in its band, no two show the same place, and the list is
// ranked.
func apartPlaces(t *testing.T, what string, seams []Seam) {
	t.Helper()
	if !slices.IsSortedFunc(seams, byVisibility) {
		t.Errorf("%s: the list is not ranked", what)
	}
	for i, s := range seams {
		w := s.Worst()
		if at := image.Pt(w.X, w.Y); !at.In(s.Band) || s.Steps() > w.Worst {
			t.Errorf("%s: number %d is %+v", what, i, s)
		}
		for k, before := range seams[:i] {
			if b := before.Worst(); max(math.Abs(float64(b.X-w.X)), math.Abs(float64(b.Y-w.Y))) <= placeReach {
				t.Errorf("%s: numbers %d and %d go to %d, %d and %d, %d", what, k, i, b.X, b.Y, w.X, w.Y)
			}
		}
	}
}

// crossed are grids whose last row was moved back far over the one before it: bands cross, and two bands are nearly one.
func crossed() map[string]Grid {
	return map[string]Grid{"768/64": Plan(1920, 1012, 768, 64), "512/64": Plan(1920, 1012, 512, 64), "256/128": Plan(700, 500, 256, 128)}
}

// spots are where bands cross, with how far tiles are apart there.
func spots(g Grid) map[image.Point]float32 {
	list := map[image.Point]float32{}
	all := g.Borders()
	for i, a := range all {
		for _, b := range all[:i] {
			if both := a.Band.Intersect(b.Band); !both.Empty() {
				at := both.Min.Add(both.Max).Div(2)
				list[at] = 0.05 + 0.002*float32((31*at.X+17*at.Y)%100)
			}
		}
	}
	return list
}

func TestAPlaceIsListedOnce(t *testing.T) {
	for name, g := range crossed() {
		random := rand.New(rand.NewPCG(1, 2))
		noise := func() float32 { return 0.02 * random.Float32() }
		a, fg := picture.New(g.W, g.H, 1), picture.New(g.W, g.H, 3)
		b := a.Clone()
		for i := range b.Pix {
			b.Pix[i] = noise()
		}
		m := NewMeter(g, false)
		bumps := spots(g)
		bump := func(x, y int) float32 {
			v := float32(0)
			for at, d := range bumps {
				if dx, dy := float64(x-at.X), float64(y-at.Y); dx*dx+dy*dy < 400 {
					v = max(v, d*float32(math.Exp(-(dx*dx+dy*dy)/50)))
				}
			}
			return v
		}
		for at := range bumps {
			for y := max(at.Y-20, 0); y < min(at.Y+20, g.H); y++ {
				for x := max(at.X-20, 0); x < min(at.X+20, g.W); x++ {
					b.Pix[y*g.W+x] = max(b.Pix[y*g.W+x], bump(x, y))
				}
			}
		}
		for i := range g.Len() {
			matte, colour := plain(g, 0, 0)
			for k := range matte {
				matte[k] = noise()
			}
			for at, d := range bumps {
				if at = at.Sub(g.Tile(i).Min); i%2 == 0 && at.In(image.Rect(0, 0, g.TileW, g.TileH)) {
					matte[at.Y*g.TileW+at.X] = d // only some of the tiles are wrong there
				}
			}
			if err := m.Add(i, matte, colour); err != nil {
				t.Fatal(err)
			}
		}
		grids, _ := Compare(g, a, fg, b, fg, picture.Image{})
		for what, seams := range map[string][]Seam{name + ", the run": m.Seams(), name + ", grids": grids} {
			apartPlaces(t, what, seams)
			if len(seams) < len(g.X)+len(g.Y)-2 {
				t.Errorf("%s: of %d borders %d are listed", what, len(g.Borders()), len(seams))
			}
			// The first is what it is without the others, and the worst of all is told.
			most := 0.0
			for _, s := range seams {
				most = max(most, s.Worst().Worst)
			}
			worst := float32(0)
			for _, d := range bumps {
				worst = max(worst, d)
			}
			if math.Abs(most-255*float64(worst)) > 6 {
				t.Errorf("%s: the worst is %v, planted was %v", what, most, 255*worst)
			}
		}
	}
}

// TestAPixelCountsForOneBorder holds that what two keys differ by where bands cross makes one border visible, not all.
func TestAPixelCountsForOneBorder(t *testing.T) {
	g := Plan(1920, 1012, 512, 64)
	a, fg := picture.New(g.W, g.H, 1), picture.New(g.W, g.H, 3)
	b := a.Clone()
	all := g.Borders()
	cross := all[0].Band // an upright line, whose next band is nearly the same
	for y := cross.Min.Y; y < cross.Max.Y; y++ {
		for x := cross.Min.X; x < cross.Max.X; x++ {
			b.Pix[y*g.W+x] = 0.1
		}
	}
	seams, _ := Compare(g, a, fg, b, fg, picture.Image{})
	visible := 0
	for _, s := range seams {
		if s.Worst().Worst > 0 {
			visible++
		}
	}
	if first := seams[0]; visible != 1 || first.Band != cross {
		t.Errorf("%d borders are visible, the first is %+v", visible, first)
	}
}

// TestWhatOnlyOnePairOfTilesSeesIsListed holds that a place inside the band of a border that ranks higher is not lost where
// that border's tiles agree, and is that border's where they do not.
func TestWhatOnlyOnePairOfTilesSeesIsListed(t *testing.T) {
	g := Plan(700, 500, 256, 128)
	upright, level := image.Rect(128, 0, 256, 256), image.Rect(0, 128, 256, 256)
	first, at := image.Pt(150, 20), image.Pt(190, 190)
	for _, agrees := range []bool{true, false} {
		high, low := newPeaks(upright), newPeaks(level)
		high.add(0.2, 0, first.X, first.Y)
		if !agrees {
			high.add(0, 0.16, at.X+1, at.Y)
		}
		low.add(0.3, 0, at.X, at.Y)
		m := &Meter{grid: g, peaks: []peaks{low, high}, seams: []Seam{
			{Band: level, Matte: Difference{P99: 5, Worst: 76.5, X: at.X, Y: at.Y}},
			{Band: upright, Upright: true, Matte: Difference{P99: 40, Worst: 51, X: first.X, Y: first.Y}},
		}}
		seams := m.Seams()
		want := []Difference{{P99: 40, Worst: 51, X: first.X, Y: first.Y}, {P99: 5, Worst: 76.5, X: at.X, Y: at.Y}}
		if !agrees {
			want = []Difference{{P99: 40, Worst: 76.5, X: at.X, Y: at.Y}}
		}
		if len(seams) != len(want) {
			t.Fatalf("the tiles agree: %v; listed are %+v", agrees, seams)
		}
		for i, s := range seams {
			w := s.Worst()
			if w.X != want[i].X || w.Y != want[i].Y || w.P99 != want[i].P99 || math.Abs(w.Worst-want[i].Worst) > 1e-3 || s.Upright != (i == 0) {
				t.Errorf("the tiles agree: %v; number %d is %+v", agrees, i, s)
			}
		}
	}
}

func BenchmarkRankOfManyBorders(b *testing.B) {
	g := Plan(16384, 16384, 256, 128)
	random := rand.New(rand.NewPCG(1, 2))
	seams := g.Borders()
	high := make([]peaks, len(seams))
	for i := range seams {
		s := &seams[i]
		s.Matte.P99, s.Matte.Worst = 200*random.Float64(), 200
		high[i] = newPeaks(s.Band)
		for y := s.Band.Min.Y; y < s.Band.Max.Y; y += peakBlock / 2 {
			for x := s.Band.Min.X; x < s.Band.Max.X; x += peakBlock / 2 {
				high[i].add(random.Float32(), random.Float32(), x, y)
			}
		}
	}
	for b.Loop() {
		once(seams, high)
	}
}
