package views

import (
	"image"
	"image/color"
	"math"
	"testing"

	"greenroom/engine/colour"
	"greenroom/engine/picture"
)

// shown makes a picture whose samples are given by a function.
func shown(w, h int, space colour.Space, at func(x, y, c int) float32) *Shown {
	m := picture.New(w, h, 3)
	for y := range h {
		for x := range w {
			for c := range 3 {
				m.Pix[(y*w+x)*3+c] = at(x, y, c)
			}
		}
	}
	return NewShown(picture.Picture{RGB: m, Space: space})
}

func TestFitKeepsTheAspectAndCentres(t *testing.T) {
	for _, c := range []struct {
		pw, ph, w, h int
		want         image.Rectangle
	}{
		{200, 100, 100, 100, image.Rect(0, 25, 100, 75)},
		{100, 200, 100, 100, image.Rect(25, 0, 75, 100)},
		{10, 10, 40, 30, image.Rect(5, 0, 35, 30)},
		{20000, 1, 100, 100, image.Rect(0, 49, 100, 50)},
		{0, 10, 40, 30, image.Rectangle{}},
		{10, 10, 0, 30, image.Rectangle{}},
	} {
		if got := Fit(c.pw, c.ph, c.w, c.h); got != c.want {
			t.Errorf("Fit(%d, %d, %d, %d) = %v, want %v", c.pw, c.ph, c.w, c.h, got, c.want)
		}
	}
}

func TestDrawShowsEveryPixelAtItsOwnSize(t *testing.T) {
	s := shown(5, 3, colour.SRGB, func(x, y, c int) float32 { return float32(50*y+10*x+c) / 255 })
	m := s.Draw(5, 3)
	for y := range 3 {
		for x := range 5 {
			v := uint8(50*y + 10*x)
			if got, want := m.NRGBAAt(x, y), (color.NRGBA{v, v + 1, v + 2, 255}); got != want {
				t.Errorf("%d,%d: %v, want %v", x, y, got, want)
			}
		}
	}
}

func TestDrawEncodesLinearLightAndSurvivesAnyNumber(t *testing.T) {
	values := []float32{-1, 0, 0.0001, 0.18, 0.5, 1, 7, float32(math.NaN())}
	for _, c := range []struct {
		space colour.Space
		want  []uint8
	}{
		{colour.LinearRec709, []uint8{0, 0, 0, 118, 188, 255, 255, 0}},
		{colour.SRGB, []uint8{0, 0, 0, 46, 128, 255, 255, 0}},
	} {
		for i, want := range c.want {
			m := shown(1, 1, c.space, func(int, int, int) float32 { return values[i] }).Draw(1, 1)
			if got := m.NRGBAAt(0, 0).R; got != want {
				t.Errorf("%s: %v is shown as %d, want %d", c.space, values[i], got, want)
			}
		}
	}
}

func TestDrawIsClearAroundThePicture(t *testing.T) {
	m := shown(10, 10, colour.SRGB, func(int, int, int) float32 { return 1 }).Draw(30, 10)
	for x := range 30 {
		if got, want := m.NRGBAAt(x, 5).A, map[bool]uint8{true: 255}[x >= 10 && x < 20]; got != want {
			t.Errorf("x %d: alpha %d, want %d", x, got, want)
		}
	}
}

func TestDrawAveragesWhenSmallAndShowsSquaresWhenLarge(t *testing.T) {
	stripes := func(x, _, _ int) float32 { return float32(x % 2) }
	m := shown(2048, 512, colour.SRGB, stripes).Draw(256, 64)
	for x := range 256 {
		if got := m.NRGBAAt(x, 30).R; got < 126 || got > 129 {
			t.Fatalf("column %d of fine stripes is %d, want their mean", x, got)
		}
	}
	m = shown(4, 1, colour.SRGB, stripes).Draw(40, 10)
	for x := range 40 {
		if got, want := m.NRGBAAt(x, 5).R, uint8(255*(x/10%2)); got != want {
			t.Errorf("column %d is %d, want %d", x, got, want)
		}
	}
}

func TestDrawKeepsPositionsWhateverTheSize(t *testing.T) {
	// A step in the middle stays in the middle through the smaller copies, odd sizes included.
	for _, w := range []int{1000, 1001, 1023, 1025, 4097} {
		m := shown(w, 300, colour.SRGB, func(x, _, _ int) float32 {
			if x < w/2 {
				return 0
			}
			return 1
		}).Draw(200, 60)
		sum := 0
		for x := range 200 {
			sum += int(m.NRGBAAt(x, 30).R)
		}
		if got := float64(sum) / 255; math.Abs(got-100) > 0.6 {
			t.Errorf("width %d: %.2f columns are white, want 100", w, got)
		}
	}
}

func BenchmarkDraw(b *testing.B) {
	s := shown(4096, 2160, colour.SRGB, func(x, y, c int) float32 { return float32((x+y+c)%256) / 255 })
	for b.Loop() {
		s.Draw(1400, 900)
	}
}
