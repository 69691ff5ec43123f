package matte

import (
	"math"
	"testing"

	"greenroom/engine/colour"
	"greenroom/engine/picture"
	"greenroom/engine/picture/picturetest"
	"greenroom/engine/settings"
)

// inSpace returns sRGB-encoded colours in another space, with light times gain.
func inSpace(t *testing.T, m picture.Image, to colour.Space, gain float32) picture.Image {
	t.Helper()
	c, err := colour.NewConverter(colour.SRGB, to, gain)
	if err != nil {
		t.Fatal(err)
	}
	out, err := picture.Convert(t.Context(), m, c)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestTheForegroundComesBackInThePlatesSpace(t *testing.T) {
	look := settings.DefaultLook()
	look.Despill, look.EdgeExtend = 0, 0
	encoded := picture.Picture{RGB: drawnForeground(128, 72), Space: colour.SRGB}
	raw := Network{Matte: picturetest.Matte(128, 72), FG: drawnForeground(128, 72)}
	for _, space := range colour.Spaces() {
		for _, stops := range []float64{0, 1, -2} {
			plate := picture.Picture{RGB: inSpace(t, encoded.RGB, space, 1), Space: space}
			raw := raw
			raw.Exposure = stops
			if raw.FG = encoded.RGB; stops != 0 {
				raw.FG = inSpace(t, encoded.RGB, colour.SRGB, float32(math.Exp2(stops)))
			}
			key, err := Finish(t.Context(), plate, raw, look, settings.ScreenGreen)
			if err != nil {
				t.Fatal(err)
			}
			if key.Space != space {
				t.Errorf("%s came back as %s", space, key.Space)
			}
			// The network's colour of the plate is the plate's, at edge and core alike.
			for i, v := range key.FG.Pix {
				if d := v - plate.RGB.Pix[i]; d > 2e-4 || d < -2e-4 {
					t.Fatalf("%s, %v stops: sample %d is %v, the plate has %v", space, stops, i, v, plate.RGB.Pix[i])
				}
			}
		}
	}
}

func TestOverRangeLightSurvivesInEverySpace(t *testing.T) {
	for _, space := range []colour.Space{colour.ACEScg, colour.LinearRec709, colour.LogC4, "linear:0.68,0.32,0.265,0.69,0.15,0.06,0.3127,0.329"} {
		plate := picture.Picture{RGB: inSpace(t, drawnForeground(200, 120), space, 8), Space: space}
		solid := picture.New(200, 120, 1)
		for i := range solid.Pix {
			solid.Pix[i] = 0.999
		}
		look := settings.DefaultLook()
		look.Despill = 0
		key, err := Finish(t.Context(), plate, Network{Matte: solid, FG: drawnForeground(200, 120)}, look, settings.ScreenGreen)
		if err != nil {
			t.Fatal(err)
		}
		if i := picturetest.FirstDifference(key.FG.Pix, plate.RGB.Pix); i >= 0 {
			t.Errorf("%s: sample %d is %v, the plate has %v", space, i, key.FG.Pix[i], plate.RGB.Pix[i])
		}
	}
}

func TestCompShowsEverySpaceAsTheSamePicture(t *testing.T) {
	fg, m := drawnForeground(64, 36), picturetest.Matte(64, 36)
	back, err := Backdrop(t.Context(), settings.BackgroundChecker, settings.Comp{}, picture.Picture{}, 64, 36)
	if err != nil {
		t.Fatal(err)
	}
	for _, blend := range []settings.Blend{settings.BlendLinear, settings.BlendDisplay} {
		want, err := Comp(t.Context(), fg, colour.SRGB, m, back, blend)
		if err != nil {
			t.Fatal(err)
		}
		for _, space := range colour.Spaces() {
			got, err := Comp(t.Context(), inSpace(t, fg, space, 1), space, m, back, blend)
			if err != nil {
				t.Fatal(err)
			}
			for i, v := range got.Pix {
				if d := v - want.Pix[i]; d > 1e-3 || d < -1e-3 {
					t.Fatalf("%s, %s: sample %d is %v, want %v", space, blend, i, v, want.Pix[i])
				}
			}
		}
	}
}

func TestABackgroundPictureOfAnotherSpaceLooksTheSame(t *testing.T) {
	pic := picture.Picture{RGB: drawnForeground(90, 70), Space: colour.SRGB}
	comp := settings.DefaultLook().Comp
	want, err := Backdrop(t.Context(), settings.BackgroundPicture, comp, pic, 90, 70)
	if err != nil {
		t.Fatal(err)
	}
	for _, space := range []colour.Space{colour.ACEScg, colour.DisplayP3, colour.LogC3} {
		got, err := Backdrop(t.Context(), settings.BackgroundPicture, comp, picture.Picture{RGB: inSpace(t, pic.RGB, space, 1), Space: space}, 90, 70)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range got.Pix {
			if d := v - want.Pix[i]; d > 1e-3 || d < -1e-3 {
				t.Fatalf("%s: sample %d is %v, want %v", space, i, v, want.Pix[i])
			}
		}
	}
}

func TestDespillLeavesNoScreenInAnySpace(t *testing.T) {
	for _, space := range colour.Spaces() {
		curve, err := colour.NewCurve(space)
		if err != nil {
			t.Fatal(err)
		}
		for screen, c := range map[settings.Screen][3]float32{
			settings.ScreenGreen: {0.3, 0.6, 0.35}, settings.ScreenBlue: {0.3, 0.35, 0.6},
		} {
			m := inSpace(t, picture.Image{W: 1, H: 1, C: 3, Pix: c[:]}, space, 1)
			s := Spill{Screen: screen, Limit: settings.DespillAverage, Strength: 1, NeutralReturn: 0.5}
			if err := Despill(t.Context(), m, m, space, s); err != nil {
				t.Fatal(err)
			}
			light := [3]float32{}
			light[0], light[1], light[2] = curve.ColourToLinear(m.Pix[0], m.Pix[1], m.Pix[2])
			key, a, b := channelsOf(screen)
			if light[key] > (light[a]+light[b])/2+1e-4 || light[key] < min(light[a], light[b])-1e-4 {
				t.Errorf("%s: %s of %v became %v", space, screen, c, light)
			}
		}
	}
}
