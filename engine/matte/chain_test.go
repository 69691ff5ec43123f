package matte

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"greenroom/engine/colour"
	"greenroom/engine/picture"
	"greenroom/engine/picture/picturetest"
	"greenroom/engine/settings"
)

// drawnPlate is a plate with over-range values, and what a network could make of it.
func drawnPlate(w, h int, space colour.Space) (picture.Picture, Network) {
	plate := picture.Picture{RGB: drawnForeground(w, h), Space: space}
	raw := Network{Matte: picturetest.Matte(w, h), FG: drawnForeground(w, h)}
	for i := range plate.RGB.Pix {
		plate.RGB.Pix[i] *= 1.5
	}
	for i, v := range raw.Matte.Pix {
		raw.Matte.Pix[i] = 0.001 + 0.998*v
	}
	return plate, raw
}

func TestFinishKeepsThePlateInTheCoreWithoutDespill(t *testing.T) {
	for _, space := range []colour.Space{colour.SRGB, colour.LinearRec709} {
		plate, raw := drawnPlate(640, 360, space)
		look := settings.DefaultLook()
		look.Despill = 0
		key, err := Finish(t.Context(), plate, raw, look, settings.ScreenGreen)
		if err != nil {
			t.Fatal(err)
		}
		core := 0
		// 10 px inside at a long edge of 1920 is 3.33 px here.
		inside := picture.Distance(key.Matte, 0.98, 5)
		for i, d := range inside.Pix {
			if d < 4 {
				continue
			}
			core++
			if j := picturetest.FirstDifference(key.FG.Pix[3*i:3*i+3], plate.RGB.Pix[3*i:3*i+3]); j >= 0 {
				t.Fatalf("%s: pixel %d is %v, the plate has %v", space, i, key.FG.Pix[3*i:3*i+3], plate.RGB.Pix[3*i:3*i+3])
			}
		}
		if core < 1000 {
			t.Fatalf("only %d pixels of core", core)
		}
	}
}

func TestFinishRemovesSpillFromCoreAndEdge(t *testing.T) {
	for _, screen := range []settings.Screen{settings.ScreenGreen, settings.ScreenBlue} {
		plate, raw := drawnPlate(320, 180, colour.LinearRec709)
		key, err := Finish(t.Context(), plate, raw, settings.DefaultLook(), screen)
		if err != nil {
			t.Fatal(err)
		}
		k, a, b := channelsOf(screen)
		for i := 0; i < len(key.FG.Pix); i += 3 {
			c := key.FG.Pix[i : i+3]
			if c[k] > (c[a]+c[b])/2+1e-5 {
				t.Fatalf("%s: pixel %d is %v", screen, i/3, c)
			}
		}
		if key.Screen != screen || key.Space != colour.LinearRec709 || len(key.Warnings) != 0 {
			t.Errorf("key says %s, %s, %q", key.Screen, key.Space, key.Warnings)
		}
	}
}

func TestFinishGivesTheForegroundInThePlatesSpace(t *testing.T) {
	plate, raw := drawnPlate(64, 48, colour.LinearRec709)
	look := settings.DefaultLook()
	look.Despill, look.SourceDetail, look.EdgeExtend = 0, false, 0
	key, err := Finish(t.Context(), plate, raw, look, settings.ScreenGreen)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range raw.FG.Pix {
		if want := colour.SRGBToLinear(v); math.Abs(float64(key.FG.Pix[i]-want)) > 1e-6 {
			t.Fatalf("sample %d is %v, want %v", i, key.FG.Pix[i], want)
		}
	}
}

func TestFinishOnlyReadsTheNetworksResult(t *testing.T) {
	plate, raw := drawnPlate(320, 180, colour.SRGB)
	before := Network{Matte: raw.Matte.Clone(), FG: raw.FG.Clone()}
	own := plate.RGB.Clone()
	if _, err := Finish(t.Context(), plate, raw, settings.DefaultLook(), settings.ScreenGreen); err != nil {
		t.Fatal(err)
	}
	for name, pair := range map[string][2][]float32{
		"matte": {raw.Matte.Pix, before.Matte.Pix}, "foreground": {raw.FG.Pix, before.FG.Pix}, "plate": {plate.RGB.Pix, own.Pix},
	} {
		if i := picturetest.FirstDifference(pair[0], pair[1]); i >= 0 {
			t.Errorf("the %s changed at %d", name, i)
		}
	}
}

func TestFinishReachesBothEndsAndRemovesDust(t *testing.T) {
	plate, raw := drawnPlate(640, 360, colour.SRGB)
	picturetest.FillBox(raw.Matte, 20, 20, 6, 6, 0.3)
	key, err := Finish(t.Context(), plate, raw, settings.DefaultLook(), settings.ScreenGreen)
	if err != nil {
		t.Fatal(err)
	}
	if v := key.Matte.Row(22)[22]; v != 0 {
		t.Errorf("dust is %v", v)
	}
	if v := key.Matte.Row(5)[630]; v != 0 {
		t.Errorf("the screen is %v", v)
	}
	if v := key.Matte.Row(216)[320]; v != 1 {
		t.Errorf("the core is %v", v)
	}
}

func TestFinishWarnsOfAMatteWithoutASubjectOrAScreen(t *testing.T) {
	for value, word := range map[float32]string{0.005: "black", 0.995: "white"} {
		plate, raw := drawnPlate(32, 16, colour.SRGB)
		picturetest.FillBox(raw.Matte, 0, 0, 32, 16, value)
		key, err := Finish(t.Context(), plate, raw, settings.DefaultLook(), settings.ScreenGreen)
		if err != nil {
			t.Fatal(err)
		}
		if len(key.Warnings) != 1 || !strings.Contains(key.Warnings[0], word) {
			t.Errorf("a matte of %v gave the warnings %q", value, key.Warnings)
		}
	}
}

func TestFinishStopsWhenCancelled(t *testing.T) {
	plate, raw := drawnPlate(32, 16, colour.SRGB)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Finish(ctx, plate, raw, settings.DefaultLook(), settings.ScreenGreen); !errors.Is(err, context.Canceled) {
		t.Fatalf("error is %v", err)
	}
}

func TestFinishRefusesWhatDoesNotFit(t *testing.T) {
	tests := map[string]func(*picture.Picture, *Network, *settings.Look, *settings.Screen){
		"no plate": func(p *picture.Picture, _ *Network, _ *settings.Look, _ *settings.Screen) { p.RGB = picture.Image{} },
		"matte too small": func(_ *picture.Picture, n *Network, _ *settings.Look, _ *settings.Screen) {
			n.Matte = picture.New(31, 16, 1)
		},
		"foreground grey": func(_ *picture.Picture, n *Network, _ *settings.Look, _ *settings.Screen) {
			n.FG = picture.New(32, 16, 1)
		},
		"clip crossed":      func(_ *picture.Picture, _ *Network, l *settings.Look, _ *settings.Screen) { l.ClipBlack = 1 },
		"screen not chosen": func(_ *picture.Picture, _ *Network, _ *settings.Look, s *settings.Screen) { *s = settings.ScreenAuto },
		"unknown space":     func(p *picture.Picture, _ *Network, _ *settings.Look, _ *settings.Screen) { p.Space = "teal" },
	}
	for name, change := range tests {
		plate, raw := drawnPlate(32, 16, colour.SRGB)
		look, screen := settings.DefaultLook(), settings.ScreenGreen
		change(&plate, &raw, &look, &screen)
		if _, err := Finish(t.Context(), plate, raw, look, screen); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
