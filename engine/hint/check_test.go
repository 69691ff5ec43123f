package hint

import (
	"fmt"
	"slices"
	"strings"
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
		if n := NewChecker(plate, settings.ScreenAuto, nil).Check(truth); len(n) != 0 {
			t.Errorf("%s: a right hint gave %v", name, n)
		}
		n := NewChecker(plate, settings.ScreenAuto, nil).Check(inverted)
		if len(n) != 1 || n[0].Kind != KindInverted || !n[0].Warning {
			t.Errorf("%s: an inverted hint gave %v", name, n)
		}
		full := picture.New(640, 360, 1)
		for i := range full.Pix {
			full.Pix[i] = 1
		}
		if n := NewChecker(plate, settings.ScreenAuto, nil).Check(full); len(n) != 1 || n[0].Kind != KindFull {
			t.Errorf("%s: a full hint gave %v", name, n)
		}
	}
}

func TestCheckSaysNothingItCannotKnow(t *testing.T) {
	plate, truth := drawn{w: 320, h: 180, screen: [3]float32{0.5, 0.5, 0.5}, subject: 0.8}.plate()
	some := picture.New(10, 10, 1)
	some.Pix[3] = 1
	for name, n := range map[string][]Notice{
		"no screen":     NewChecker(plate, settings.ScreenAuto, nil).Check(truth),
		"another size":  NewChecker(plate, settings.ScreenAuto, nil).Check(some),
		"no hint":       NewChecker(plate, settings.ScreenAuto, nil).Check(picture.Image{}),
		"unknown space": NewChecker(picture.Picture{RGB: plate.RGB, Space: "teal"}, settings.ScreenAuto, nil).Check(truth),
	} {
		if len(n) != 0 {
			t.Errorf("%s: %v", name, n)
		}
	}
}

func TestCheckFindsWhatTheHintLeavesOut(t *testing.T) {
	plate, truth := drawn{w: 640, h: 360, screen: hsv(0.37, 0.8, 0.7), subject: 0.8, grain: 0.01}.plate()
	c := NewChecker(plate, settings.ScreenAuto, nil)
	if n := c.Check(truth); len(n) != 0 {
		t.Fatalf("a right hint gave %v", n)
	}
	cut := truth.Clone()
	for y := 240; y < 360; y++ {
		clear(cut.Row(y))
	}
	n := c.Check(cut)
	if len(n) != 1 || n[0].Kind != KindDetail || !n[0].Warning {
		t.Fatalf("a hint without shoulders gave %v", n)
	}
	var x, y int
	at := strings.Index(n[0].Text, "(")
	if _, err := fmt.Sscanf(n[0].Text[at:], "(%d, %d)", &x, &y); err != nil || y < 240 || truth.Row(y)[x] < 0.9 {
		t.Errorf("it is said to be at %d, %d: %q", x, y, n[0].Text)
	}
	// What lies apart from the subject is no part of it.
	lamp := plate
	lamp.RGB = plate.RGB.Clone()
	for y := 20; y < 90; y++ {
		for x := 40; x < 110; x++ {
			copy(lamp.RGB.Row(y)[3*x:], []float32{0.9, 0.8, 0.7})
		}
	}
	if n := NewChecker(lamp, settings.ScreenAuto, nil).Check(truth); len(n) != 0 {
		t.Errorf("a lamp apart from the subject gave %v", n)
	}
}

func TestCheckKnowsEmptyAndFullHints(t *testing.T) {
	for kind, v := range map[Kind]float32{KindEmpty: 0.01, KindFull: 0.99} {
		m := picture.New(40, 20, 1)
		for i := range m.Pix {
			m.Pix[i] = v
		}
		if n := new(Checker).Check(m); len(n) != 1 || n[0].Kind != kind || !n[0].Warning {
			t.Errorf("a hint of %v gave %v", v, n)
		}
	}
}

func TestCheckChannelNamesABetterOne(t *testing.T) {
	plate, truth := drawn{w: 640, h: 360, screen: hsv(0.37, 0.8, 0.7), subject: 0.8, grain: 0.01}.plate()
	c := NewChecker(plate, settings.ScreenAuto, nil)
	// made puts values of each pixel's matte into a file.
	made := func(rgb func(v float32, x int) [3]float32, alpha func(v float32, x int) float32) picture.Picture {
		p := picture.Picture{RGB: picture.New(640, 360, 3), Space: colour.SRGB}
		if alpha != nil {
			p.Alpha = picture.New(640, 360, 1)
		}
		for i, v := range truth.Pix {
			three := rgb(v, i%640)
			copy(p.RGB.Pix[3*i:], three[:])
			if alpha != nil {
				p.Alpha.Pix[i] = alpha(v, i%640)
			}
		}
		return p
	}
	grey := func(v float32, _ int) [3]float32 { return [3]float32{v, v, v} }
	ramp := func(_ float32, x int) float32 { return float32(x) / 640 }
	for _, tt := range []struct {
		name string
		p    picture.Picture
		read Channel
		kind Kind
		want Channel
	}{
		{"grey", made(grey, nil), ChannelGrey, "", ""},
		{"grey with the same alpha", made(grey, func(v float32, _ int) float32 { return v }), ChannelGrey, "", ""},
		{"grey with another alpha", made(grey, ramp), ChannelGrey, KindAlpha, ChannelAlpha},
		{"another alpha that is read", made(grey, ramp), ChannelAlpha, "", ""},
		{"flat red", made(func(v float32, _ int) [3]float32 { return [3]float32{0, v, 0} }, nil), ChannelRed, KindWrongChannel, ChannelGreen},
		{"an opaque alpha", made(grey, func(float32, int) float32 { return 1 }), ChannelAlpha, KindWrongChannel, ChannelGrey},
		{"in colour", made(func(v float32, x int) [3]float32 { return [3]float32{ramp(0, x), 1 - ramp(0, x), v} }, nil), ChannelLuminance, KindWrongChannel, ChannelBlue},
	} {
		n := c.CheckChannel(tt.p, tt.read)
		switch {
		case tt.kind == "" && len(n) > 0:
			t.Errorf("%s: %v", tt.name, n)
		case tt.kind != "" && (len(n) != 1 || n[0].Kind != tt.kind || n[0].Channel != tt.want):
			t.Errorf("%s: %v, want %s %s", tt.name, n, tt.kind, tt.want)
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
