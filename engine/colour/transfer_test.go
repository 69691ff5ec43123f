package colour

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestCurvesGiveThePublishedCodes holds each curve against values that its maker states: light and code in the parts of
// full is the code.
func TestCurvesGiveThePublishedCodes(t *testing.T) {
	for _, c := range []struct {
		space             Space
		light, code, full float64
		within            float64 // of a code
	}{
		// Middle grey is 400 of 1023 (ARRI), black 95 (0.092809).
		{LogC3, 0.18, 400, 1023, 0.5},
		{LogC3, 0, 0.092809, 1, 1e-6},
		{LogC3, 0.18, 0.391007, 1, 1e-6},
		// LogC4's black is code 95 of 1023, grey 0.2784, and 1.0 the light of 469.8.
		{LogC4, 0, 95, 1023, 1e-3},
		{LogC4, 0.18, 0.2783958, 1, 1e-6},
		{LogC4, 469.8, 1, 1, 1e-4},
		// Sony's table: 0 %, 18 % and 90 % are codes 95, 420 and 598 of 1023.
		{SLog3, 0, 95, 1023, 1e-3},
		{SLog3, 0.18, 420, 1023, 1e-3},
		{SLog3, 0.9, 598, 1023, 0.5},
		// RED's table.
		{Log3G10, -0.01, 0, 1, 1e-6},
		{Log3G10, 0, 0.091551, 1, 1e-5},
		{Log3G10, 0.18, 0.333333, 1, 1e-5},
		{Log3G10, 1, 0.493449, 1, 1e-5},
		{Log3G10, 184.322, 1, 1, 1e-5},
		// S-2016-001: black, grey, and the largest half float.
		{ACEScct, 0, 0.0729055, 1, 1e-6},
		{ACEScct, 0.18, 0.4135884, 1, 1e-6},
		{ACEScct, 65504, 1.4679964, 1, 1e-6},
		{ACEScct, 0.0078125, 0.1552511, 1, 1e-6},
		// Kodak's black and white, and grey 0.5744 stops of density under white's 2.47 stops.
		{Cineon, 0, 95, 1023, 1e-3},
		{Cineon, 1, 685, 1023, 1e-3},
		{Cineon, 0.18, 0.4573196, 1, 1e-6},
		// BT.1886 and Adobe RGB are powers.
		{Rec709, 0.189465, 0.5, 1, 1e-5},
		{AdobeRGB, 0.217756, 0.5, 1, 1e-5},
		{DisplayP3, 0.214041, 0.5, 1, 1e-5},
	} {
		curve, err := NewCurve(c.space)
		if err != nil {
			t.Fatal(err)
		}
		if got := float64(curve.FromLinear(float32(c.light))) * c.full; math.Abs(got-c.code) > c.within {
			t.Errorf("%s: light %v is code %v, want %v of %v", c.space, c.light, got, c.code, c.full)
		}
		back := float64(curve.FromLinear(curve.ToLinear(float32(c.code/c.full)))) * c.full
		if math.Abs(back-c.code) > 1e-4*c.full {
			t.Errorf("%s: code %v comes back as %v", c.space, c.code, back)
		}
	}
}

func TestCurvesRiseAndComeBack(t *testing.T) {
	for _, space := range Spaces() {
		curve, err := NewCurve(space)
		if err != nil {
			t.Fatal(err)
		}
		rapid.Check(t, func(t *rapid.T) {
			v := rapid.Float32Range(-0.5, 1.4).Draw(t, "value")
			light := curve.ToLinear(v)
			// A part of a step in 16 bits, where S-Log3's two halves do not meet in slope; in the first cells of a power's
			// table, which is flat at black, some steps.
			most := 1.2e-5
			if math.Abs(float64(v)) < 8.0/decodeSteps {
				most = 8e-5
			}
			if back := curve.FromLinear(light); math.Abs(float64(back-v)) > most {
				t.Fatalf("%s: %v comes back as %v", space, v, back)
			}
			if higher := curve.ToLinear(v + 0.001); !(higher > light) {
				t.Fatalf("%s: falls from %v to %v at %v", space, light, higher, v)
			}
		})
	}
}

func TestFarTooBrightCodesStayFinite(t *testing.T) {
	for _, space := range []Space{ACEScct, LogC3, LogC4, SLog3, Log3G10, Cineon} {
		curve, err := NewCurve(space)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range []float32{10, 1000, 1e30} {
			if got := curve.ToLinear(v); got != mostLight {
				t.Errorf("%s: %v decodes to %v", space, v, got)
			}
		}
	}
}
