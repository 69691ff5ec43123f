package matte

import (
	"context"
	"errors"
	"math"
	"testing"

	"greenroom/engine/colour"
	"greenroom/engine/picture"
	"greenroom/engine/settings"
)

// quadrants is a picture whose four quarters have values 0.1, 0.3, 0.5 and 0.7, row by row.
func quadrants(w, h int) picture.Picture {
	p := picture.Picture{RGB: picture.New(w, h, 3), Space: colour.SRGB}
	for y := range h {
		for x := range w {
			v := 0.1 + 0.2*float32(2*x/w) + 0.4*float32(2*y/h)
			copy(p.RGB.Row(y)[3*x:], []float32{v, v, v})
		}
	}
	return p
}

func TestBackdropPlacesAPicture(t *testing.T) {
	// A frame of 200 x 100, pictures of 100 x 100.
	pic := quadrants(100, 100)
	place := settings.DefaultLook().Comp
	tests := map[string]struct {
		change func(*settings.Comp)
		want   map[[2]int]float32
	}{
		"fill": {func(c *settings.Comp) { c.Placement = settings.PlaceFill }, map[[2]int]float32{
			{10, 10}: 0.1, {190, 10}: 0.3, {10, 90}: 0.5, {190, 90}: 0.7,
		}},
		"fit": {func(c *settings.Comp) { c.Placement = settings.PlaceFit }, map[[2]int]float32{
			{10, 10}: 0, {60, 10}: 0.1, {140, 10}: 0.3, {60, 90}: 0.5, {140, 90}: 0.7, {190, 50}: 0,
		}},
		"1:1": {func(c *settings.Comp) { c.Placement = settings.PlaceActual }, map[[2]int]float32{
			{49, 50}: 0, {51, 10}: 0.1, {148, 90}: 0.7, {151, 50}: 0,
		}},
		"half the size, moved": {func(c *settings.Comp) {
			c.Placement, c.Scale, c.OffsetX, c.OffsetY = settings.PlaceActual, 0.5, -70, 20
		}, map[[2]int]float32{{4, 70}: 0, {10, 50}: 0.1, {50, 50}: 0.3, {10, 90}: 0.5, {50, 90}: 0.7, {10, 40}: 0, {60, 70}: 0}},
		"ten times the size": {func(c *settings.Comp) {
			c.Placement, c.Scale, c.OffsetX, c.OffsetY = settings.PlaceActual, 10, 300, 300
		}, map[[2]int]float32{{10, 10}: 0.1, {190, 90}: 0.1}},
		"out of the frame": {func(c *settings.Comp) { c.OffsetX = 5000 }, map[[2]int]float32{{10, 10}: 0, {190, 90}: 0}},
		"a stop brighter": {func(c *settings.Comp) { c.Exposure = 1 }, map[[2]int]float32{
			{190, 90}: colour.LinearToSRGB(2 * colour.SRGBToLinear(0.7)), {10, 10}: colour.LinearToSRGB(2 * colour.SRGBToLinear(0.1)),
		}},
	}
	for name, tt := range tests {
		comp := place
		tt.change(&comp)
		got, err := Backdrop(t.Context(), settings.BackgroundPicture, comp, pic, 200, 100)
		if err != nil {
			t.Fatal(err)
		}
		for at, want := range tt.want {
			if v := got.Row(at[1])[3*at[0]]; math.Abs(float64(v-want)) > 0.01 {
				t.Errorf("%s: at %v is %v, want %v", name, at, v, want)
			}
		}
	}
}

func TestBackdropOfTheFramesSizeIsThePicture(t *testing.T) {
	pic := picture.Picture{RGB: drawnForeground(90, 70), Space: colour.SRGB}
	for _, p := range []settings.Placement{settings.PlaceFit, settings.PlaceFill, settings.PlaceActual} {
		comp := settings.DefaultLook().Comp
		comp.Placement = p
		got, err := Backdrop(t.Context(), settings.BackgroundPicture, comp, pic, 90, 70)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range got.Pix {
			if math.Abs(float64(v-pic.RGB.Pix[i])) > 1e-6 {
				t.Fatalf("%s: sample %d is %v, want %v", p, i, v, pic.RGB.Pix[i])
			}
		}
	}
}

func TestBackdropIsResampledPremultipliedAndInLinearLight(t *testing.T) {
	// Bright with alpha 1 and black with alpha 0 by turns: over black the picture is half the light, and its
	// transparent pixels do not darken it further.
	pic := picture.Picture{RGB: picture.New(64, 64, 3), Alpha: picture.New(64, 64, 1), Space: colour.SRGB}
	for i := range pic.Alpha.Pix {
		if i%2 == 0 {
			pic.Alpha.Pix[i] = 1
			copy(pic.RGB.Pix[3*i:], []float32{1, 1, 1})
		} else {
			copy(pic.RGB.Pix[3*i:], []float32{1, 0, 1}) // what straight colour hides under alpha 0
		}
	}
	comp := settings.DefaultLook().Comp
	got, err := Backdrop(t.Context(), settings.BackgroundPicture, comp, pic, 16, 16)
	if err != nil {
		t.Fatal(err)
	}
	for k, v := range got.Row(8)[3*8 : 3*9] {
		if want := colour.LinearToSRGB(0.5); math.Abs(float64(v-want)) > 0.02 {
			t.Errorf("channel %d is %v, want %v", k, v, want)
		}
	}
}

func TestBackdropPlainAndRefused(t *testing.T) {
	comp := settings.DefaultLook().Comp
	comp.Colour = settings.Colour{0.2, 0.4, 0.6}
	got, err := Backdrop(t.Context(), settings.BackgroundColour, comp, picture.Picture{}, 5, 4)
	if err != nil || [3]float32(got.Row(2)[6:9]) != [3]float32{0.2, 0.4, 0.6} {
		t.Errorf("a colour gave %v, %v", got.Pix, err)
	}
	if _, err := Backdrop(t.Context(), settings.BackgroundPicture, comp, picture.Picture{}, 5, 4); err == nil {
		t.Error("no picture gave no error")
	}
	if _, err := Backdrop(t.Context(), settings.BackgroundPicture, comp, picture.Picture{RGB: quadrants(8, 8).RGB, Space: "teal"}, 5, 4); err == nil {
		t.Error("an unknown space gave no error")
	}
	if _, err := Backdrop(t.Context(), "red", comp, picture.Picture{}, 5, 4); err == nil {
		t.Error("an unknown background gave no error")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Backdrop(ctx, settings.BackgroundPicture, comp, quadrants(8, 8), 5, 4); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
}
