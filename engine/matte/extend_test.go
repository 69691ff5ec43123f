package matte

import (
	"context"
	"errors"
	"math"
	"testing"

	"greenroom/engine/bench/benchtest"
	"greenroom/engine/colour"
	"greenroom/engine/picture"
	"greenroom/engine/picture/picturetest"
	"greenroom/engine/settings"
)

// twoColours is a subject in the middle, red above and blue below, whose foreground is the screen's green
// where there is no subject; edge is the width of its soft edge in pixels.
func twoColours(w, h int, edge float64) (fg, matte picture.Image) {
	fg, matte = picture.New(w, h, 3), picture.New(w, h, 1)
	for y := range h {
		for x := range w {
			d := math.Hypot(float64(x)+0.5-float64(w)/2, float64(y)+0.5-float64(h)/2)
			a := float32(min(max((float64(h)/4-d)/edge+0.5, 0), 1))
			matte.Row(y)[x] = a
			c := [3]float32{0.05, 0.6, 0.1}
			if a > 0 && y < h/2 {
				c = [3]float32{0.7, 0.2, 0.2}
			} else if a > 0 {
				c = [3]float32{0.1, 0.1, 0.8}
			}
			copy(fg.Row(y)[3*x:], c[:])
		}
	}
	return fg, matte
}

// screenShows reports how far a colour leans towards green.
func screenShows(c []float32) float32 { return c[1] - (c[0]+c[2])/2 }

func TestExtendLeavesNoScreenColourInsideGrow10(t *testing.T) {
	const w, h = 320, 240
	fg, own := twoColours(w, h, 4)
	look := settings.DefaultLook()
	look.Despill, look.Grow = 0, 10
	plate := picture.Picture{RGB: fg.Clone(), Space: colour.SRGB}
	// The plate's own edge is a mix with the screen.
	for i, a := range own.Pix {
		for k, s := range [3]float32{0.05, 0.6, 0.1} {
			plate.RGB.Pix[3*i+k] = a*fg.Pix[3*i+k] + (1-a)*s
		}
	}
	for _, soften := range []float64{0, 3} {
		look.Soften = soften
		key, err := Finish(t.Context(), plate, Network{Matte: own, FG: fg}, look, settings.ScreenGreen)
		if err != nil {
			t.Fatal(err)
		}
		grown := 0
		for i, a := range key.Matte.Pix {
			if a == 0 {
				continue
			}
			if own.Pix[i] == 0 {
				grown++
			}
			if c := key.FG.Pix[3*i : 3*i+3]; screenShows(c) > 0 {
				t.Fatalf("soften %v: at %d,%d the matte is %v and the foreground %v", soften, i%w, i/w, a, c)
			}
		}
		if grown < 2000 {
			t.Fatalf("soften %v: only %d pixels were grown", soften, grown)
		}
	}
	// Without it the screen's colour is there.
	look.EdgeExtend = 0
	key, err := Finish(t.Context(), plate, Network{Matte: own, FG: fg}, look, settings.ScreenGreen)
	if err != nil {
		t.Fatal(err)
	}
	green := 0
	for i, a := range key.Matte.Pix {
		if a > 0 && screenShows(key.FG.Pix[3*i:3*i+3]) > 0 {
			green++
		}
	}
	if green == 0 {
		t.Error("without edge extend nothing is green: the test sees nothing")
	}
}

func TestExtendCarriesTheNearestColourAsFarAsAsked(t *testing.T) {
	const w, h = 320, 240
	fg, matte := twoColours(w, h, 1)
	got := picture.New(w, h, 3)
	if err := Extend(t.Context(), got, fg, colour.SRGB, matte, 32); err != nil {
		t.Fatal(err)
	}
	at := func(x, y int) [3]float32 { return [3]float32(got.Row(y)[3*x : 3*x+3]) }
	near := func(c, want [3]float32) bool {
		for k := range c {
			if math.Abs(float64(c[k]-want[k])) > 0.03 {
				return false
			}
		}
		return true
	}
	red, blue, green := [3]float32{0.7, 0.2, 0.2}, [3]float32{0.1, 0.1, 0.8}, [3]float32{0.05, 0.6, 0.1}
	// The subject's radius is 60 px.
	for name, c := range map[string]struct {
		x, y int
		want [3]float32
	}{
		"just above": {160, 56, red}, "28 px above": {160, 32, red}, "28 px below": {160, 207, blue},
		"beyond the fade": {160, 10, green}, "the frame's corner": {2, 2, green}, "inside": {160, 100, red},
	} {
		if got := at(c.x, c.y); !near(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	for i, a := range matte.Pix {
		if a < faint {
			continue
		}
		if j := picturetest.FirstDifference(got.Pix[3*i:3*i+3], fg.Pix[3*i:3*i+3]); j >= 0 {
			t.Fatalf("pixel %d has matte %v and changed", i, a)
		}
	}
}

func TestExtendAveragesPremultipliedInLinearLight(t *testing.T) {
	// A cell of white at matte 1 and black at matte 0.1 must not come out darker than white by the black's
	// share of pixels.
	fg, matte := picture.New(64, 64, 3), picture.New(64, 64, 1)
	for y := 16; y < 32; y++ {
		for x := 16; x < 32; x++ {
			if (x+y)%2 == 0 {
				matte.Row(y)[x] = 1
				copy(fg.Row(y)[3*x:], []float32{1, 1, 1})
			} else {
				matte.Row(y)[x] = 0.1
			}
		}
	}
	got := picture.New(64, 64, 3)
	if err := Extend(t.Context(), got, fg, colour.SRGB, matte, 20); err != nil {
		t.Fatal(err)
	}
	if v := got.Row(24)[3*36]; v < 0.99 {
		t.Errorf("the edge of white and faint black is extended as %v", v)
	}
}

func TestExtendOfNothingAndOfEverything(t *testing.T) {
	fg := drawnForeground(50, 40)
	for _, level := range []float32{0, 1} {
		matte := picture.New(50, 40, 1)
		picturetest.FillBox(matte, 0, 0, 50, 40, level)
		got := picture.New(50, 40, 3)
		if err := Extend(t.Context(), got, fg, colour.SRGB, matte, 32); err != nil || picturetest.FirstDifference(got.Pix, fg.Pix) >= 0 {
			t.Errorf("a matte of %v changed the foreground, %v", level, err)
		}
	}
	if err := Extend(t.Context(), fg, fg, "teal", picture.New(50, 40, 1), 32); err == nil {
		t.Error("an unknown space gave no error")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Extend(ctx, fg, fg, colour.SRGB, picturetest.Matte(50, 40), 32); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
}

func BenchmarkExtend(b *testing.B) {
	fg, matte := drawnForeground(1920, 1080), picturetest.Matte(1920, 1080)
	out := picture.New(1920, 1080, 3)
	benchtest.Measure(b, func() {
		if err := Extend(b.Context(), out, fg, colour.SRGB, matte, 32); err != nil {
			b.Fatal(err)
		}
	})
}
