package hint

import (
	"errors"
	"math"
	"testing"

	"greenroom/engine/colour"
	"greenroom/engine/picture"
	"greenroom/engine/settings"
)

func TestFromChromaMarksTheSubjectAndNothingElse(t *testing.T) {
	const green, blue = settings.ScreenGreen, settings.ScreenBlue
	usual, usualBlue := hsv(0.37, 0.8, 0.7), hsv(0.62, 0.8, 0.6)
	tests := []struct {
		name string
		d    drawn
		want settings.Screen
		// missed is the greatest share of the core that may be left out.
		missed float64
	}{
		{"clean", drawn{screen: usual, subject: 0.8}, green, 0},
		{"clean blue", drawn{screen: usualBlue, subject: 0.8}, blue, 0},
		{"linear light", drawn{screen: usual, subject: 0.8, linear: true}, green, 0},
		{
			"uneven, in shadow, with grain, markers and spill",
			drawn{screen: usual, subject: 0.8, uneven: 0.6, shadow: 0.5, grain: 0.02, markers: true, spill: 0.1},
			green, 0.1,
		},
		{
			"pale, uneven, in shadow, with grain and markers",
			drawn{screen: hsv(0.33, 0.35, 0.7), subject: 0.8, uneven: 0.6, shadow: 0.5, grain: 0.02, markers: true},
			green, 0.01,
		},
		{"pale and dim", drawn{screen: hsv(0.33, 0.35, 0.3), subject: 0.8, uneven: 0.4, grain: 0.01, markers: true}, green, 0.01},
		{"towards cyan", drawn{screen: hsv(0.42, 0.5, 0.6), subject: 0.8, uneven: 0.4, grain: 0.01}, green, 0.01},
		{"towards yellow", drawn{screen: hsv(0.28, 0.5, 0.6), subject: 0.8, uneven: 0.4, grain: 0.01}, green, 0.01},
		{"pale blue", drawn{screen: hsv(0.65, 0.4, 0.5), subject: 0.8, uneven: 0.4, grain: 0.01, suit: [3]float32{0.5, 0.45, 0.4}}, blue, 0.02},
		{"a twelfth of the frame", drawn{screen: usual, subject: 2.05, uneven: 0.4, grain: 0.01}, green, 0},
		{"nearly all of the frame", drawn{screen: usual, subject: 0.25, uneven: 0.4, grain: 0.01, markers: true}, green, 0},
		{"green clothes", drawn{screen: usual, subject: 1.6, shirt: hsv(0.3, 0.5, 0.4), grain: 0.01}, green, 0.05},
		{"blue clothes", drawn{screen: usual, subject: 1.6, shirt: usualBlue, grain: 0.01}, green, 0},
		{"green clothes before blue", drawn{screen: usualBlue, subject: 1.6, shirt: hsv(0.35, 0.7, 0.6), grain: 0.01}, blue, 0.05},
		{"yellow clothes", drawn{screen: usual, subject: 0.8, shirt: [3]float32{0.85, 0.75, 0.1}, grain: 0.01}, green, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.d.w, tt.d.h = 640, 360
			plate, truth := tt.d.plate()
			h, screen, err := FromChroma(plate, settings.ScreenAuto, 0)
			if err != nil {
				t.Fatal(err)
			}
			if screen != tt.want {
				t.Errorf("the screen is %s, want %s", screen, tt.want)
			}
			missed, wrong := score(h.Matte, truth)
			if missed > tt.missed {
				t.Errorf("%.4f of the core is missed, want at most %v", missed, tt.missed)
			}
			if wrong > 0 {
				t.Errorf("%.4f of what is marked is not opaque", wrong)
			}
			// Neither markers nor strands: beyond the subject there is nothing at all.
			outside := truth.Clone()
			for i, v := range outside.Pix {
				outside.Pix[i] = 1 - v
			}
			for i, d := range picture.Distance(outside, 0.999, 4).Pix {
				if d >= 4 && h.Matte.Pix[i] > 0.02 {
					t.Fatalf("the screen at %d,%d is marked with %v", i%tt.d.w, i/tt.d.w, h.Matte.Pix[i])
				}
			}
			for _, n := range h.Notices {
				if n.Warning {
					t.Errorf("warning %q", n.Text)
				}
			}
		})
	}
}

// TestFromChromaIsShrunkAndSoftened measures a straight edge: half a percent inside it the hint is half on,
// and its ramp ends at the edge.
func TestFromChromaIsShrunkAndSoftened(t *testing.T) {
	const w, h, edge = 2000, 400, 1000
	plate := picture.Picture{RGB: picture.New(w, h, 3), Space: colour.SRGB}
	for y := range h {
		for x := range w {
			c := [3]float32{0.2, 0.7, 0.3}
			if x >= edge {
				c = [3]float32{0.5, 0.5, 0.5}
			}
			copy(plate.RGB.Row(y)[3*x:], c[:])
		}
	}
	hint, _, err := FromChroma(plate, settings.ScreenAuto, 0)
	if err != nil {
		t.Fatal(err)
	}
	row := hint.Matte.Row(h / 2)
	half := 0
	for row[half] < 0.5 {
		half++
	}
	// The colour difference is blurred and thresholded within two pixels of the reduced size, a half here.
	if inside := half - edge; inside < 8 || inside > 14 {
		t.Errorf("the hint is half on %d px inside, want about 10 (0.5 %% of %d)", inside, w)
	}
	if row[edge-1] > 0.05 || row[edge+24] < 0.95 || row[edge-20] != 0 || row[edge+40] < 0.999 {
		t.Errorf("the hint is %v at the edge, %v and %v outside and inside", row[edge-1], row[edge-20], row[edge+24])
	}
}

func TestFromChromaLeavesHolesOpen(t *testing.T) {
	const w, h = 640, 360
	plate := picture.Picture{RGB: picture.New(w, h, 3), Space: colour.SRGB}
	for y := range h {
		for x := range w {
			c := [3]float32{0.2, 0.7, 0.3}
			d := math.Hypot(float64(x-320), float64(y-180))
			// A ring, with a spot of green reflection in its wall.
			if d > 25 && d < 140 && math.Hypot(float64(x-320), float64(y-100)) > 3 {
				c = [3]float32{0.5, 0.45, 0.4}
			}
			copy(plate.RGB.Row(y)[3*x:], c[:])
		}
	}
	hint, _, err := FromChroma(plate, settings.ScreenAuto, 0)
	if err != nil {
		t.Fatal(err)
	}
	if v := hint.Matte.Row(180)[320]; v != 0 {
		t.Errorf("the hole is %v", v)
	}
	if v := hint.Matte.Row(260)[320]; v < 0.99 {
		t.Errorf("the ring is %v", v)
	}
	if v := hint.Matte.Row(100)[320]; v < 0.99 {
		t.Errorf("the reflection is %v", v)
	}
}

func TestFromChromaKnowsGreenFromBlueOnlyByTheChannel(t *testing.T) {
	plate, _ := drawn{w: 320, h: 180, screen: hsv(0.37, 0.8, 0.7), subject: 0.8, uneven: 0.4, grain: 0.01, suit: [3]float32{0.5, 0.4, 0.4}}.plate()
	want, screen, err := FromChroma(plate, settings.ScreenAuto, 0)
	if err != nil || screen != settings.ScreenGreen {
		t.Fatalf("screen %s, error %v", screen, err)
	}
	swapped := picture.Picture{RGB: plate.RGB.Clone(), Space: plate.Space}
	SwapScreen(swapped.RGB)
	got, screen, err := FromChroma(swapped, settings.ScreenAuto, 0)
	if err != nil || screen != settings.ScreenBlue {
		t.Fatalf("swapped: screen %s, error %v", screen, err)
	}
	for i, v := range want.Matte.Pix {
		if got.Matte.Pix[i] != v {
			t.Fatalf("pixel %d is %v on blue and %v on green", i, got.Matte.Pix[i], v)
		}
	}
}

func TestFromChromaWithoutAScreen(t *testing.T) {
	for name, screen := range map[string][3]float32{"grey": {0.5, 0.5, 0.5}, "orange": hsv(0.1, 0.6, 0.5), "black": {}} {
		plate, _ := drawn{w: 320, h: 180, screen: screen, subject: 0.8, grain: 0.01}.plate()
		if _, _, err := FromChroma(plate, settings.ScreenAuto, 0); !errors.Is(err, ErrNoScreen) {
			t.Errorf("%s: error %v, want %v", name, err, ErrNoScreen)
		}
	}
	plate, _ := drawn{w: 320, h: 180, screen: hsv(0.37, 0.8, 0.7), subject: 0.8}.plate()
	if _, _, err := FromChroma(plate, settings.ScreenBlue, 0); !errors.Is(err, ErrNoScreen) {
		t.Errorf("blue asked of a green screen: error %v, want %v", err, ErrNoScreen)
	}
	if _, screen, err := FromChroma(plate, settings.ScreenGreen, 0); err != nil || screen != settings.ScreenGreen {
		t.Errorf("green asked: screen %s, error %v", screen, err)
	}
	for name, p := range map[string]picture.Picture{
		"no pixels":     {Space: colour.SRGB},
		"unknown space": {RGB: picture.New(8, 8, 3), Space: "teal"},
	} {
		if _, _, err := FromChroma(p, settings.ScreenAuto, 0); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, _, err := FromChroma(plate, "red", 0); err == nil {
		t.Error("a red screen: no error")
	}
}

func TestFromChromaOfAnEmptyPlateWarns(t *testing.T) {
	plate, _ := drawn{w: 640, h: 360, screen: hsv(0.37, 0.8, 0.7), markers: true, grain: 0.01}.plate()
	h, _, err := FromChroma(plate, settings.ScreenAuto, 0)
	if err != nil {
		t.Fatal(err)
	}
	if n := NewChecker(plate, settings.ScreenAuto, nil).Check(h.Matte); len(n) != 1 || n[0].Kind != KindEmpty {
		t.Fatalf("notices are %v", n)
	}
}

func TestFromChromaAtAnySize(t *testing.T) {
	for _, size := range [][2]int{{1, 1}, {31, 7}, {300, 200}, {511, 513}, {1921, 1081}, {20000, 40}} {
		plate, _ := drawn{w: size[0], h: size[1], screen: hsv(0.37, 0.8, 0.7), subject: 0.6}.plate()
		h, _, err := FromChroma(plate, settings.ScreenAuto, 0)
		if err != nil {
			if size[0] > 1 {
				t.Errorf("%v: %v", size, err)
			}
			continue
		}
		if h.Matte.W != size[0] || h.Matte.H != size[1] || h.Matte.C != 1 {
			t.Errorf("%v: the hint is %dx%dx%d", size, h.Matte.W, h.Matte.H, h.Matte.C)
		}
	}
}

func TestFromChromaSurvivesAnyValues(t *testing.T) {
	plate, _ := drawn{w: 640, h: 360, screen: hsv(0.37, 0.8, 0.7), subject: 0.8, linear: true}.plate()
	inf := float32(math.Inf(1))
	for i, v := range []float32{float32(math.NaN()), inf, -inf, 1e30, -5, 40} {
		for j := range 40 {
			plate.RGB.Pix[3*(640*(40*i+j)+10*j)+j%3] = v
		}
	}
	h, _, err := FromChroma(plate, settings.ScreenAuto, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range h.Matte.Pix {
		if !(v >= 0 && v <= 1) {
			t.Fatalf("pixel %d is %v", i, v)
		}
	}
}
