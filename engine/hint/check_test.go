package hint

import (
	"slices"
	"testing"

	"greenroom/engine/colour"
	"greenroom/engine/picture"
	"greenroom/engine/settings"
)

func TestCheckKnowsAnInvertedHint(t *testing.T) {
	for name, screen := range map[string][3]float32{"green": hsv(0.37, 0.8, 0.7), "blue": hsv(0.62, 0.7, 0.6)} {
		plate, truth := drawn{w: 640, h: 360, screen: screen, subject: 0.8, uneven: 0.4, grain: 0.01}.plate()
		inverted := truth.Clone()
		for i, v := range inverted.Pix {
			inverted.Pix[i] = 1 - v
		}
		if n := Check(truth, plate, settings.ScreenAuto); len(n) != 0 {
			t.Errorf("%s: a right hint gave %v", name, n)
		}
		n := Check(inverted, plate, settings.ScreenAuto)
		if len(n) != 1 || n[0].Kind != KindInverted || !n[0].Warning {
			t.Errorf("%s: an inverted hint gave %v", name, n)
		}
		full := picture.New(640, 360, 1)
		for i := range full.Pix {
			full.Pix[i] = 1
		}
		if n := Check(full, plate, settings.ScreenAuto); len(n) != 0 {
			t.Errorf("%s: a full hint is not inverted, but gave %v", name, n)
		}
	}
}

func TestCheckSaysNothingItCannotKnow(t *testing.T) {
	plate, truth := drawn{w: 320, h: 180, screen: [3]float32{0.5, 0.5, 0.5}, subject: 0.8}.plate()
	for name, n := range map[string][]Notice{
		"no screen":     Check(truth, plate, settings.ScreenAuto),
		"another size":  Check(picture.New(10, 10, 1), plate, settings.ScreenAuto),
		"no hint":       Check(picture.Image{}, plate, settings.ScreenAuto),
		"unknown space": Check(truth, picture.Picture{RGB: plate.RGB, Space: "teal"}, settings.ScreenAuto),
	} {
		if len(n) != 0 {
			t.Errorf("%s: %v", name, n)
		}
	}
}

func TestSwapScreen(t *testing.T) {
	m := drawnColours()
	want := m.Clone()
	SwapScreen(m)
	for i := 0; i < len(m.Pix); i += 3 {
		a, b := m.Pix[i:i+3], want.Pix[i:i+3]
		if a[0] != b[0] || a[1] != b[2] || a[2] != b[1] {
			t.Fatalf("%v became %v", b, a)
		}
	}
	SwapScreen(m)
	if !slices.Equal(m.Pix, want.Pix) {
		t.Fatal("twice changed something")
	}
}

// drawnColours is an image of all different values.
func drawnColours() picture.Image {
	m := picture.New(17, 40, 3)
	for i := range m.Pix {
		m.Pix[i] = colour.SRGBToLinear(float32(i) / 100)
	}
	return m
}
