package engine

import (
	"context"
	"errors"
	"image"
	"math"
	"strings"
	"testing"

	"greenroom/engine/colour"
	"greenroom/engine/greenformer"
	"greenroom/engine/picture"
	"greenroom/engine/settings"
)

func TestKeyGivesThePlatesOwnSize(t *testing.T) {
	e := startFake(t, &fake{})
	for _, size := range []image.Point{{1, 1}, {31, 7}, {300, 200}, {511, 33}, {513, 129}, {2000, 40}} {
		for _, tile := range []int{0, 128} {
			for _, pre := range []bool{true, false} {
				j := testJob(t, size.X, size.Y)
				j.Settings.Tile, j.Settings.GPUPreprocess = tile, pre
				r, err := e.Key(context.Background(), j)
				if err != nil {
					t.Fatalf("%v, tile %d: %v", size, tile, err)
				}
				if d := far(r.FG, j.Plate.RGB); d > 1e-6 {
					t.Errorf("%v, tile %d, gpu_preprocess %v: the plate comes back %v off", size, tile, pre, d)
				}
				if d := far(r.Matte, red(j.Plate.RGB)); d > 1e-6 {
					t.Errorf("%v, tile %d, gpu_preprocess %v: the matte comes back %v off", size, tile, pre, d)
				}
				if r.Coarse.W != r.Grid.PadW/4 || r.Coarse.H != r.Grid.PadH/4 || r.Coarse.C != 4 {
					t.Errorf("%v: coarse is %dx%dx%d", size, r.Coarse.W, r.Coarse.H, r.Coarse.C)
				}
				if r.Finished != r.Grid.Len() || r.Used != j.Settings || r.Device.Kind != "fake" || len(r.Adjusted) != 0 {
					t.Errorf("%v: %d of %d tiles, used %+v", size, r.Finished, r.Grid.Len(), r.Used)
				}
			}
		}
	}
}

func TestNoTileIsSkippedForAnEmptyHint(t *testing.T) {
	d := &fake{}
	e := startFake(t, d)
	j := testJob(t, 400, 300)
	clear(j.Hint.Pix)
	r, err := e.Key(context.Background(), j)
	if err != nil {
		t.Fatal(err)
	}
	if d.runs != r.Grid.Len() || r.Grid.Len() < 4 {
		t.Errorf("%d of %d tiles were run", d.runs, r.Grid.Len())
	}
}

func TestTheNetworkSeesClampedSRGB(t *testing.T) {
	d := &fake{}
	e := startFake(t, d)
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, c := range []struct {
		space colour.Space
		value float32
		seen  float32
		bad   bool
	}{
		{colour.SRGB, 0.5, 0.5, false},
		{colour.SRGB, 7, 1, false},
		{colour.SRGB, -1, 0, false},
		{colour.LinearRec709, 0.21404114, 0.5, false},
		{colour.LinearRec709, 12, 1, false},
		{colour.LinearRec709, -0.3, 0, false},
		{colour.ACEScg, 0.21404114, 0.5, false},
		{colour.LogC3, 0.391007, 0.461356, false},
		{colour.SRGB, nan, 0, true},
		{colour.LinearRec709, inf, 0, true},
		{colour.LinearRec709, -inf, 0, true},
	} {
		j := testJob(t, 40, 40)
		j.Plate.Space = c.space
		for i := range j.Plate.RGB.Pix {
			j.Plate.RGB.Pix[i] = c.value
		}
		r, err := e.Key(context.Background(), j)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.FG.Pix[600]; math.Abs(float64(got-c.seen)) > 1e-5 {
			t.Errorf("%v in %s is seen as %v, want %v", c.value, c.space, got, c.seen)
		}
		want := 0
		if c.bad {
			want = 40 * 40 * 3
		}
		if r.NonFinite != want {
			t.Errorf("%v: %d samples counted as not finite, want %d", c.value, r.NonFinite, want)
		}
		if p := j.Plate.RGB.Pix[0]; p != c.value && !math.IsNaN(float64(p)) {
			t.Errorf("the job's plate was changed from %v to %v", c.value, p)
		}
	}
}

func TestTheNetworkSeesTheHintBetweenZeroAndOne(t *testing.T) {
	d := &fake{}
	low, high := float32(1e9), float32(-1e9)
	d.run = func(_ context.Context, _ int, r *fakeRunner) error {
		for _, v := range r.inputs["hint"] {
			low, high = min(low, v), max(high, v)
		}
		return nil
	}
	e := startFake(t, d)
	j := testJob(t, 33, 20)
	j.Hint.Pix[0], j.Hint.Pix[1], j.Hint.Pix[2] = -2, 5, float32(math.NaN())
	if _, err := e.Key(context.Background(), j); err != nil {
		t.Fatal(err)
	}
	if low != 0 || high != 1 {
		t.Errorf("the hint is seen from %v to %v", low, high)
	}
}

func TestGreenAndBlueChangePlacesForAModelOfTheOtherScreen(t *testing.T) {
	for _, c := range []struct {
		model, plate settings.Screen
		swapped      bool
	}{
		{settings.ScreenAuto, settings.ScreenBlue, false},
		{settings.ScreenGreen, settings.ScreenGreen, false},
		{settings.ScreenGreen, settings.ScreenBlue, true},
		{settings.ScreenBlue, settings.ScreenGreen, true},
	} {
		d := &fake{}
		var seen []float32
		d.run = func(_ context.Context, n int, r *fakeRunner) error {
			seen = append([]float32(nil), r.inputs["plate"][:3]...)
			return nil
		}
		e := startFake(t, d)
		j := testJob(t, 30, 30)
		j.ModelScreen, j.Screen, j.Preview = c.model, c.plate, true
		ticket := e.Submit(context.Background(), j)
		r, err := ticket.Wait()
		if err != nil {
			t.Fatal(err)
		}
		p := j.Plate.RGB.Pix
		want := []float32{p[0], p[1], p[2]}
		if c.swapped {
			want = []float32{p[0], p[2], p[1]}
		}
		if r.Swapped != c.swapped || seen[0] != want[0] || seen[1] != want[1] || seen[2] != want[2] {
			t.Errorf("%+v: swapped %v, the network sees %v of %v", c, r.Swapped, seen, p[:3])
		}
		if far(r.FG, j.Plate.RGB) > 1e-6 {
			t.Errorf("%+v: the foreground does not come back in its own colours", c)
		}
		if got := r.Coarse.Pix[1:4]; got[0] != p[0] || got[1] != p[1] || got[2] != p[2] {
			t.Errorf("%+v: the coarse foreground is %v, want %v", c, got, p[:3])
		}
		events := drain(ticket)
		if last := events[len(events)-1]; far(last.FG, j.Plate.RGB) > 1e-6 {
			t.Errorf("%+v: the preview does not show its own colours", c)
		}
	}
}

func TestFrameResizesToTheSquareAndBack(t *testing.T) {
	// A slow ramp survives resizing both ways.
	ramp := picture.New(300, 120, 3)
	for i := range ramp.Pix {
		x, y := i/3%300, i/900
		ramp.Pix[i] = 0.2 + 0.6*(float32(x)/300+float32(y)/120)/2
	}
	for _, c := range []struct {
		pre  bool
		tile int
		size string
	}{{true, 0, "192x192"}, {false, 0, "192x192"}, {true, 128, "128x128"}, {false, 128, "128x128"}} {
		d := &fake{}
		e := startFake(t, d)
		j := testJob(t, 300, 120)
		j.Plate.RGB = ramp
		j.Preview = true
		j.Settings.Frame, j.Settings.Tile, j.Settings.GPUPreprocess = 192, c.tile, c.pre
		ticket := e.Submit(context.Background(), j)
		r, err := ticket.Wait()
		if err != nil {
			t.Fatal(err)
		}
		if d.sizes[0] != c.size {
			t.Errorf("%+v: the program is of %s", c, d.sizes[0])
		}
		if a, b := far(r.FG, ramp), far(r.Matte, red(ramp)); a > 0.01 || b > 0.01 {
			t.Errorf("%+v: foreground and matte come back %v and %v off", c, a, b)
		}
		if r.Coarse.W != 320/4 || r.Coarse.H != 128/4 || r.Grid.W != 192 || r.Grid.H != 192 {
			t.Errorf("%+v: coarse is %dx%d, the grid %dx%d", c, r.Coarse.W, r.Coarse.H, r.Grid.W, r.Grid.H)
		}
		covered := image.Rectangle{}
		for _, ev := range drain(ticket) {
			if ev.Phase != PhaseKey || ev.Tile == 0 {
				continue
			}
			covered = covered.Union(ev.Rect)
			if ev.Matte.W != ev.Rect.Dx() || ev.FG.H != ev.Rect.Dy() {
				t.Errorf("%+v: a preview of %dx%d for %v", c, ev.Matte.W, ev.Matte.H, ev.Rect)
			}
		}
		if covered != image.Rect(0, 0, 300, 120) {
			t.Errorf("%+v: previews cover %v", c, covered)
		}
	}
}

func TestFrameSeesTheSameOnDeviceAndOnHost(t *testing.T) {
	e := startFake(t, &fake{})
	var results []*Result
	for _, pre := range []bool{true, false} {
		j := testJob(t, 333, 170)
		j.Plate.Space = colour.LinearRec709
		j.Settings.Frame, j.Settings.Tile, j.Settings.GPUPreprocess = 128, 0, pre
		r, err := e.Key(context.Background(), j)
		if err != nil {
			t.Fatal(err)
		}
		results = append(results, r)
	}
	if d := far(results[0].FG, results[1].FG); d > 1e-5 {
		t.Errorf("foregrounds differ by %v", d)
	}
}

func TestFrameOfThePlatesOwnSizeChangesNothing(t *testing.T) {
	e := startFake(t, &fake{})
	j := testJob(t, 64, 64)
	j.Settings.Frame = 64
	r, err := e.Key(context.Background(), j)
	if err != nil {
		t.Fatal(err)
	}
	if far(r.FG, j.Plate.RGB) != 0 {
		t.Error("the plate was resized")
	}
}

func TestColourFromOutsideTheMatteDoesNotBleedIntoEdges(t *testing.T) {
	fg, matte := picture.New(64, 64, 3), picture.New(64, 64, 1)
	for i := range matte.Pix {
		if i%64 < 31 {
			matte.Pix[i] = 1
			fg.Pix[3*i] = 0.8
		} else {
			fg.Pix[3*i+1] = 1 // green where nothing is
		}
	}
	for _, size := range []int{200, 40} {
		big, err := backColour(t.Context(), fg, matte, size, size)
		if err != nil {
			t.Fatal(err)
		}
		a := picture.Resample(matte, size, size)
		for i, v := range a.Pix {
			if v > 0.2 && (big.Pix[3*i+1] > 0.02 || math.Abs(float64(big.Pix[3*i])-0.8) > 0.02) {
				t.Fatalf("at %d of %d, matte %v: the colour is %v", i%size, size, v, big.Pix[3*i:3*i+3])
			}
		}
	}
}

func TestJobsThatCannotWorkAreRefused(t *testing.T) {
	d := &fake{}
	e := startFake(t, d)
	for name, change := range map[string]func(*Job){
		"the plate":        func(j *Job) { j.Plate.RGB = picture.Image{} },
		"the plate has":    func(j *Job) { j.Plate.RGB.Pix = j.Plate.RGB.Pix[1:] },
		"the hint":         func(j *Job) { j.Hint = picture.Image{} },
		"the hint is":      func(j *Job) { j.Hint = picture.New(9, 9, 1) },
		"model":            func(j *Job) { j.Model = nil },
		"screen is \"\"":   func(j *Job) { j.Screen = "" },
		"screen is \"red":  func(j *Job) { j.ModelScreen = "red" },
		"tile is":          func(j *Job) { j.Settings.Tile = 100 },
		"overlap is":       func(j *Job) { j.Settings.Overlap = 100 },
		"frame is":         func(j *Job) { j.Settings.Frame = 1 << 40 },
		"colour space \"x": func(j *Job) { j.Plate.Space = "xyz" },
	} {
		j := testJob(t, 40, 50)
		change(&j)
		_, err := e.Key(context.Background(), j)
		var refused *JobError
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), name) || refused.Remedy == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if d.runs != 0 {
		t.Error("the device was asked to run")
	}
}

func TestRunnersAreKeptForTheNextPlate(t *testing.T) {
	d := &fake{}
	e := startFake(t, d)
	key := func(j Job) {
		t.Helper()
		if _, err := e.Key(context.Background(), j); err != nil {
			t.Fatal(err)
		}
	}
	j := testJob(t, 300, 300)
	key(j)
	j.Plate.RGB, j.Hint = picture.New(500, 200, 3), picture.New(500, 200, 1)
	key(j) // another size, the same tile
	if len(d.sizes) != 1 {
		t.Errorf("the same tile was loaded %d times", len(d.sizes))
	}
	j.Settings.Overlap = 64
	key(j) // no part of a program
	if len(d.sizes) != 1 {
		t.Error("another overlap loaded a program")
	}
	j.Model = tinyModel(t, 2)
	key(j)
	j.Settings.SDPA = false
	key(j)
	j.Settings.Tile = 192
	key(j)
	if len(d.sizes) != 4 {
		t.Errorf("another model, setting and size loaded %d programs", len(d.sizes)-1)
	}
	again := *j.Model
	again.Hash = ""
	j.Model = &again
	key(j)
	key(j)
	other := greenformer.Model(again)
	j.Model = &other
	key(j)
	if len(d.sizes) != 6 {
		t.Errorf("two models without a hash loaded %d programs", len(d.sizes)-4)
	}
}
