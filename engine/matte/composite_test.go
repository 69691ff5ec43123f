package matte

import (
	"math"
	"testing"

	"greenroom/engine/colour"
	"greenroom/engine/picture"
	"greenroom/engine/picture/picturetest"
	"greenroom/engine/settings"
)

// over lays a foreground over a plain background in linear light.
func over(t testing.TB, fg picture.Image, space colour.Space, m picture.Image, background settings.Background) (picture.Image, error) {
	t.Helper()
	back, err := Backdrop(t.Context(), background, settings.Comp{}, picture.Picture{}, fg.W, fg.H)
	if err != nil {
		t.Fatal(err)
	}
	return Comp(t.Context(), fg, space, m, back, settings.BlendLinear)
}

func TestCompBlendsInLinearLight(t *testing.T) {
	// White at half matte over black is half the light: 0.7354 encoded.
	fg, m := picture.New(1, 1, 3), picture.New(1, 1, 1)
	fg.Pix[0], fg.Pix[1], fg.Pix[2], m.Pix[0] = 1, 1, 1, 0.5
	for _, space := range []colour.Space{colour.SRGB, colour.LinearRec709} {
		out, err := over(t, fg, space, m, settings.BackgroundBlack)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(float64(out.Pix[1])-0.735357) > 1e-5 {
			t.Errorf("%s: %v, want 0.7354", space, out.Pix[1])
		}
	}
}

func TestCompShowsTheBackgroundAndTheForeground(t *testing.T) {
	fg, empty, full := drawnForeground(40, 40), picture.New(40, 40, 1), picture.New(40, 40, 1)
	picturetest.FillBox(full, 0, 0, 40, 40, 1)
	tests := []struct {
		background settings.Background
		// Encoded values at 0,0 and at 16,0.
		first, second float64
	}{
		{settings.BackgroundBlack, 0, 0},
		{settings.BackgroundWhite, 1, 1},
		{settings.BackgroundGrey, 0.461356, 0.461356},
		{settings.BackgroundChecker, checkerDark, checkerLight},
	}
	for _, tt := range tests {
		out, err := over(t, fg, colour.SRGB, empty, tt.background)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range map[[2]int]float64{
			{0, 0}: tt.first, {15, 15}: tt.first, {16, 0}: tt.second, {0, 16}: tt.second, {16, 31}: tt.first,
		} {
			if got := out.Row(i[1])[3*i[0]]; math.Abs(float64(got)-want) > 1e-5 {
				t.Errorf("%s at %v is %v, want %v", tt.background, i, got, want)
			}
		}
		if out, err = over(t, fg, colour.SRGB, full, tt.background); err != nil {
			t.Fatal(err)
		}
		if i := picturetest.FirstDifference(out.Pix, fg.Pix); i >= 0 {
			t.Errorf("%s: sample %d of a full matte is %v, want %v", tt.background, i, out.Pix[i], fg.Pix[i])
		}
	}
}

func TestUnknownSpaces(t *testing.T) {
	fg, m := picture.New(1, 1, 3), picture.New(1, 1, 1)
	if _, err := over(t, fg, "teal", m, settings.BackgroundBlack); err == nil {
		t.Error("Comp: no error")
	}
}

func BenchmarkComp(b *testing.B) {
	fg, m := drawnForeground(1920, 1080), picturetest.Matte(1920, 1080)
	for b.Loop() {
		if _, err := over(b, fg, colour.SRGB, m, settings.BackgroundChecker); err != nil {
			b.Fatal(err)
		}
	}
}

func TestCompBlendsAsAsked(t *testing.T) {
	// White at half matte over black: half the light, or half the encoded value.
	fg, m, back := picture.New(1, 1, 3), picture.New(1, 1, 1), picture.New(1, 1, 3)
	fg.Pix[0], fg.Pix[1], fg.Pix[2], m.Pix[0] = 1, 1, 1, 0.5
	for blend, want := range map[settings.Blend]float64{settings.BlendLinear: 0.735357, settings.BlendDisplay: 0.5} {
		for _, space := range []colour.Space{colour.SRGB, colour.LinearRec709} {
			out, err := Comp(t.Context(), fg, space, m, back, blend)
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(float64(out.Pix[1])-want) > 1e-5 {
				t.Errorf("%s, %s: %v, want %v", blend, space, out.Pix[1], want)
			}
		}
	}
}

func TestCompOfNothingAndAllKeepsBits(t *testing.T) {
	fg, back := drawnForeground(60, 40), quadrants(60, 40).RGB
	for i := range fg.Pix {
		fg.Pix[i] *= 2.7
	}
	full := picture.New(60, 40, 1)
	picturetest.FillBox(full, 0, 0, 60, 40, 1)
	for _, blend := range []settings.Blend{settings.BlendLinear, settings.BlendDisplay} {
		out, err := Comp(t.Context(), fg, colour.SRGB, picture.New(60, 40, 1), back, blend)
		if err != nil || picturetest.FirstDifference(out.Pix, back.Pix) >= 0 {
			t.Errorf("%s: an empty matte is not the background, %v", blend, err)
		}
		if out, err = Comp(t.Context(), fg, colour.SRGB, full, back, blend); err != nil || picturetest.FirstDifference(out.Pix, fg.Pix) >= 0 {
			t.Errorf("%s: a full matte is not the foreground, %v", blend, err)
		}
	}
}
