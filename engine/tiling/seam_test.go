package tiling

import (
	"image"
	"math"
	"testing"

	"pgregory.net/rapid"

	"greenroom/engine/picture"
)

// plain returns a tile of one matte and one colour.
func plain(g Grid, matte, colour float32) (a, fg []float32) {
	a, fg = make([]float32, g.TileW*g.TileH), make([]float32, 3*g.TileW*g.TileH)
	for i := range a {
		a[i] = matte
		for c := range 3 {
			fg[3*i+c] = colour
		}
	}
	return a, fg
}

func TestMeterFindsAPlantedSeam(t *testing.T) {
	for _, w := range []Window{{}, {Margin: Reach}, {Cosine: true}} {
		g := Plan(700, 500, 256, 64)
		g.Window = w
		// A bump in tile 4 alone, in its band with the tile to its left.
		at := image.Pt(g.X[1]+32, g.Y[1]+100)
		m := NewMeter(g, true)
		for i := range g.Len() {
			a, fg := plain(g, 0.5, 0.5)
			a[0] += 0.001 * float32(i) // in a corner of the tile: a faint seam elsewhere
			if i == len(g.X)+1 {
				for y := -20; y <= 20; y++ {
					for x := -20; x <= 20; x++ {
						p := (at.Y+y-g.Y[1])*g.TileW + at.X + x - g.X[1]
						a[p] += 0.4 * float32(math.Exp(-float64(x*x+y*y)/50))
					}
				}
			}
			if err := m.Add(i, a, fg); err != nil {
				t.Fatal(err)
			}
		}
		if len(m.seams) != len(g.Borders()) {
			t.Fatalf("%+v: %d seams of %d borders", w, len(m.seams), len(g.Borders()))
		}
		seams := m.Seams()
		first := seams[0]
		if !first.Upright || !at.In(first.Band) {
			t.Fatalf("%+v: the first seam is %+v", w, first)
		}
		worst := first.Worst()
		if math.Hypot(float64(worst.X-at.X), float64(worst.Y-at.Y)) > 8 || math.Abs(worst.Worst-255*0.4) > 1 {
			t.Errorf("%+v: the worst is %+v, planted at %v", w, worst, at)
		}
		if h := m.Heat(); math.Abs(float64(h.Pix[at.Y*g.W+at.X])-0.4) > 0.01 {
			t.Errorf("%+v: the heat there is %v", w, h.Pix[at.Y*g.W+at.X])
		}
		if len(m.kept) > 0 {
			t.Errorf("%+v: %d overlaps are still kept", w, len(m.kept))
		}
	}
}

func TestMeterHoldsWhatTheGridSays(t *testing.T) {
	for _, g := range []Grid{Plan(300, 200, 128, 32), Plan(1921, 1081, 512, 64), Plan(100, 80, 0, 0), Plan(128, 128, 64, 0), Plan(40, 700, 96, 48)} {
		m := NewMeter(g, false)
		matte, fg := plain(g, 0.5, 0.5)
		var most int64
		for i := range g.Len() {
			if err := m.Add(i, matte, fg); err != nil {
				t.Fatal(err)
			}
			most = max(most, m.Bytes())
		}
		if got := g.MeterBytes(); got != most || (most > 0) != (len(g.Borders()) > 0) {
			t.Errorf("%dx%d in tiles of %dx%d: %d bytes are planned, %d were held", g.W, g.H, g.TileW, g.TileH, got, most)
		}
	}
}

func TestMeterMeasuresStepsExactly(t *testing.T) {
	g := Plan(300, 90, 160, 32)
	m := NewMeter(g, false)
	for i := range g.Len() {
		a, fg := plain(g, 0.5, float32(1-i%2)) // foregrounds differ by 1, times 0.5
		if i%2 == 1 {
			a, fg = plain(g, 0.5+10.0/255, 0)
		}
		if err := m.Add(i, a, fg); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range m.Seams() {
		if math.Abs(s.Matte.Mean-10) > 1e-3 || math.Abs(s.Matte.P99-10) > 0.07 || math.Abs(s.Matte.Worst-10) > 1e-3 || math.Abs(s.FG.Mean-127.5) > 0.1 {
			t.Errorf("%+v", s)
		}
	}
	if m.Add(0, nil, nil) == nil || m.Add(g.Len(), make([]float32, 1), nil) == nil {
		t.Error("a tile of the wrong size was taken")
	}
}

// TestMetersOrderDoesNotMatter holds that tiles may come in any order, and that agreeing tiles leave no seam.
func TestMetersOrderDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, _ := plan(t, 600)
		g.Window = window(t)
		if rapid.Bool().Draw(t, "shifted") {
			g = g.Shifted()
		}
		m := NewMeter(g, true)
		tiles := make([]int, g.Len())
		for i := range tiles {
			tiles[i] = i
		}
		a, fg := plain(g, 0.25, 0.75)
		for _, i := range rapid.Permutation(tiles).Draw(t, "order") {
			if err := m.Add(i, a, fg); err != nil {
				t.Fatal(err)
			}
		}
		if n := len(m.Seams()); n != len(g.Borders()) {
			t.Fatalf("%d seams of %d borders", n, len(g.Borders()))
		}
		for _, s := range m.Seams() {
			if s.Steps() != 0 || !s.Band.In(image.Rect(0, 0, g.W, g.H)) {
				t.Fatalf("%+v", s)
			}
		}
	})
}

func TestShiftedGridHasItsBordersInsideTiles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, _ := plan(t, 4000)
		s := g.Shifted()
		for a, axis := range [][2][]int{{g.X, s.X}, {g.Y, s.Y}} {
			before, after := axis[0], axis[1]
			edge, padded := []int{g.TileW, g.TileH}[a], []int{g.PadW, g.PadH}[a]
			if len(before) == 1 {
				if len(after) != 1 {
					t.Fatalf("one tile became %v", after)
				}
				continue
			}
			if after[0] != 0 || after[len(after)-1]+edge != padded {
				t.Fatalf("%v of %d in %d", after, edge, padded)
			}
			for k, at := range after {
				if at%Lattice != 0 || k > 0 && (at <= after[k-1] || at > after[k-1]+edge) {
					t.Fatalf("%v is no cover by %d", after, edge)
				}
			}
		}
	})
}

func TestLinesHoldBordersThatOnlyTouch(t *testing.T) {
	g := Plan(256, 128, 128, 0)
	if len(g.Borders()) != 0 {
		t.Fatalf("tiles that touch have a band: %+v", g.Borders())
	}
	lines := g.Lines()
	if len(lines) != 1 || lines[0].Band != image.Rect(127, 0, 129, 128) {
		t.Fatalf("the lines are %+v", lines)
	}
	if over := Plan(256, 128, 128, 32); len(over.Lines()) != len(over.Borders()) {
		t.Error("borders with a band are counted twice")
	}
}

func TestGridsThatFollowByTheLatticesStepCannotBeShifted(t *testing.T) {
	if g := Plan(300, 64, 64, 32); g.Shiftable() {
		t.Errorf("%v is shifted to %v", g.X, g.Shifted().X)
	}
	for _, c := range []struct {
		g    Grid
		want int
	}{{Plan(300, 200, 128, 32), 0}, {Plan(280, 600, 256, 32), 3}, {Plan(600, 280, 256, 32), 3}, {Plan(280, 280, 256, 32), 4}, {Plan(60, 60, 0, 0), 0}} {
		if n := c.g.Shared(); n != c.want {
			t.Errorf("%v, %v: %d borders are the same, want %d", c.g.X, c.g.Y, n, c.want)
		}
	}
	if g := Plan(300, 64, 128, 64); !g.Shiftable() {
		t.Errorf("%v cannot be shifted", g.X)
	}
	if g := Plan(60, 60, 0, 0); !g.Shiftable() {
		t.Error("one tile has borders")
	}
}

func TestCompareLooksOnlyAtWhatIsKnown(t *testing.T) {
	g := Plan(400, 300, 192, 64)
	a, fg := picture.New(400, 300, 1), picture.New(400, 300, 3)
	b, other := a.Clone(), fg.Clone()
	at := image.Pt(g.X[1]+20, 40)
	b.Pix[at.Y*400+at.X] = 0.5
	seams, heat := Compare(g, a, fg, b, other, picture.Image{})
	if len(seams) != len(g.Borders()) || !at.In(seams[0].Band) || seams[0].Matte.X != at.X || seams[0].Matte.Y != at.Y {
		t.Fatalf("%+v", seams[0])
	}
	if heat.Pix[at.Y*400+at.X] != 0.5 {
		t.Error("the heat is not there")
	}
	known := picture.New(400, 300, 1)
	for i := range known.Pix {
		if i != at.Y*400+at.X {
			known.Pix[i] = 1
		}
	}
	seams, _ = Compare(g, a, fg, b, other, known)
	if seams[0].Worst().Worst != 0 {
		t.Errorf("a pixel that is not known counts: %+v", seams[0])
	}
}

// TestCompareLeavesOutBordersThatBothGridsHave holds that a line at which the shifted grid ends too is not called
// seamless.
func TestCompareLeavesOutBordersThatBothGridsHave(t *testing.T) {
	g := Plan(300, 130, 128, 32) // the second row is the first moved by 32 pixels
	a, fg := picture.New(300, 130, 1), picture.New(300, 130, 3)
	seams, _ := Compare(g, a, fg, a, fg, picture.Image{})
	for _, s := range seams {
		if !s.Upright {
			t.Errorf("%+v is in both grids", s)
		}
	}
	if len(seams) == 0 {
		t.Error("the borders between columns are left out")
	}
}
