package engine

import (
	"context"
	"errors"
	"math"
	"testing"

	"greenroom/engine/picture"
	"greenroom/engine/settings"
)

// bumped returns a fake device whose n-th run, and those for which also holds, sees a bump at the pixel x, y of its tile.
func bumped(n, x, y int) *fake {
	return &fake{run: func(_ context.Context, run int, r *fakeRunner) error {
		if run != n {
			return nil
		}
		w := frameOf(r.program).X
		for dy := -10; dy <= 10; dy++ {
			for dx := -10; dx <= 10; dx++ {
				r.outputs["alpha"][(y+dy)*w+x+dx] += 0.3 * float32(math.Exp(-float64(dx*dx+dy*dy)/20))
			}
		}
		return nil
	}}
}

// TestAPlantedSeamIsFound holds that a seam is measured from the run itself and again on the shifted grid, ranked
// first, and found where it is.
func TestAPlantedSeamIsFound(t *testing.T) {
	// The second of three columns is wrong in its overlap with the first.
	e := startFake(t, bumped(1, 32, 100))
	j := testJob(t, 600, 200)
	for i := range j.Hint.Pix {
		j.Hint.Pix[i] = 0.5
	}
	j.Settings.Tile, j.Settings.Overlap, j.Heat = 256, 64, true
	r, err := e.Key(context.Background(), j)
	if err != nil {
		t.Fatal(err)
	}
	x, y := r.Grid.X[1]+32, 100
	check := func(what string, r *Result) {
		t.Helper()
		if len(r.Seams) != len(r.Grid.X)-1 && what == "the run" {
			t.Fatalf("%s: %d seams", what, len(r.Seams))
		}
		worst := r.Seams[0].Worst()
		if math.Hypot(float64(worst.X-x), float64(worst.Y-y)) > 8 || worst.Worst < 20 {
			t.Errorf("%s: the worst is %+v, planted at %d, %d", what, worst, x, y)
		}
		if r.Heat.W != 600 || r.Heat.Pix[y*600+x] < 0.05 {
			t.Errorf("%s: no heat there", what)
		}
	}
	check("the run", r)
	j.Check = r
	other, err := e.Key(context.Background(), j)
	if err != nil {
		t.Fatal(err)
	}
	check("the check", other)

	// Without detail in the hint the matte has some.
	clear(j.Hint.Pix)
	other, err = e.Key(context.Background(), j)
	if err != nil {
		t.Fatal(err)
	}
	check("the check without a hint", other)

	// Without any there is nothing to look at.
	black := *r
	black.Matte = picture.New(600, 200, 1)
	j.Check = &black
	other, err = e.Key(context.Background(), j)
	if err != nil || other.Finished != 0 || len(other.Seams) != 0 {
		t.Errorf("without detail: %v, %d tiles, %d seams", err, other.Finished, len(other.Seams))
	}

	// The frame's refiner needs every tile.
	j.Check, j.Settings.Refine = nil, settings.RefineFrame
	r, err = e.Key(context.Background(), j)
	if err != nil || r.Seams != nil {
		t.Fatalf("refine frame: %v, seams %v", err, r.Seams)
	}
	j.Check = r
	other, err = e.Key(context.Background(), j)
	if err != nil || other.Finished != other.Grid.Len() || len(other.Seams) != 2 || other.Seams[0].Steps() != 0 {
		t.Errorf("refine frame: %v, %+v", err, other.Seams)
	}
}

// TestAHardEdgeIsDetail holds that a hint without any grey, as of a roto, or a matte like that, is checked where its edge
// crosses a border, and nowhere else.
func TestAHardEdgeIsDetail(t *testing.T) {
	j := testJob(t, 600, 200)
	j.Settings.Tile, j.Settings.Overlap = 256, 64
	grid := layout(600, 200, j.Settings) // two borders, at 192..256 and 384..448
	for _, c := range []struct {
		name    string
		subject func(x, y int) bool
		tiles   int
	}{
		{"across both borders", func(_, y int) bool { return y < 100 }, 4},
		{"inside the first border", func(x, _ int) bool { return x < 200 }, 2},
		{"between borders", func(x, _ int) bool { return x < 300 }, 0},
		{"nowhere", func(_, _ int) bool { return true }, 0},
	} {
		for i := range j.Hint.Pix {
			j.Hint.Pix[i] = 0
			if c.subject(i%600, i/600) {
				j.Hint.Pix[i] = 1
			}
		}
		black := picture.New(600, 200, 1)
		for _, of := range [][2]picture.Image{{j.Hint, black}, {black, j.Hint}} {
			if _, tiles := checked(grid, of[0], of[1], j.Settings); len(tiles) != c.tiles {
				t.Errorf("%s: tiles %v are keyed again", c.name, tiles)
			}
		}
	}
}

func TestChecksOfWhatIsNotThatPlatesKeyAreRefused(t *testing.T) {
	e := startFake(t, &fake{})
	j := testJob(t, 300, 200)
	j.Settings.Tile = 128
	r, err := e.Key(context.Background(), j)
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*Result){
		"frame":      func(r *Result) { r.Used.Frame = 128 },
		"plate":      func(r *Result) { r.Matte.W, r.Matte.H = r.Matte.H, r.Matte.W },
		"unfinished": func(r *Result) { r.Finished-- },
		"too close":  func(r *Result) { r.Grid.X, r.Grid.Y = []int{0, 32, 64}, []int{0} },
	} {
		c := *r
		change(&c)
		j.Check = &c
		var bad *JobError
		if _, err := e.Key(context.Background(), j); !errors.As(err, &bad) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
