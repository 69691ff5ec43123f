package colour

import (
	"math"
	"testing"
)

func TestSRGBIsTheStandardCurve(t *testing.T) {
	// Pairs after IEC 61966-2-1: encoded levels and their linear light.
	for _, c := range []struct{ encoded, linear float64 }{
		{0, 0}, {1, 1}, {10.0 / 255, 0.003035}, {11.0 / 255, 0.003347},
		{118.0 / 255, 0.181164}, {188.0 / 255, 0.502886}, {0.04045, 0.0031308},
	} {
		for _, sign := range []float64{1, -1} {
			encoded, linear := sign*c.encoded, sign*c.linear
			if got := float64(SRGBToLinear(float32(encoded))); math.Abs(got-linear) > 1e-6 {
				t.Errorf("%v decodes to %v, want %v", encoded, got, linear)
			}
			if got := float64(LinearToSRGB(float32(linear))); math.Abs(got-encoded) > 1e-4 {
				t.Errorf("%v encodes to %v, want %v", linear, got, encoded)
			}
		}
	}
}
