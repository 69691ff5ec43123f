package colour

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func checkMatrix(t *testing.T, name string, got, want Matrix, within float64) {
	t.Helper()
	for i, v := range got {
		if !(math.Abs(v-want[i]) <= within) {
			t.Errorf("%s: %v, want %v", name, got, want)
			return
		}
	}
}

// TestMatricesAreThePublishedOnes holds the matrices against those that the spaces' makers print.
func TestMatricesAreThePublishedOnes(t *testing.T) {
	for _, c := range []struct {
		space  Space
		within float64
		want   Matrix
	}{
		{SRGB, 2e-4, Matrix{0.4124, 0.3576, 0.1805, 0.2126, 0.7152, 0.0722, 0.0193, 0.1192, 0.9505}},
		// SMPTE ST 2065-1 and S-2014-004.
		{ACES, 1e-8, Matrix{
			0.9525523959, 0, 0.0000936786, 0.3439664498, 0.7281660966, -0.0721325464, 0, 0, 1.0088251844,
		}},
		{ACEScg, 1e-8, Matrix{
			0.6624541811, 0.1340042065, 0.1561876870, 0.2722287168, 0.6740817658, 0.0536895174, -0.0055746495, 0.0040607335, 1.0103391003,
		}},
		{DisplayP3, 1e-5, Matrix{0.486571, 0.265668, 0.198217, 0.228975, 0.691739, 0.079287, 0, 0.045113, 1.043944}},
		// Adobe RGB (1998) Color Image Encoding, 4.3.5.3.
		{AdobeRGB, 2e-4, Matrix{0.57667, 0.18556, 0.18823, 0.29734, 0.62736, 0.07529, 0.02703, 0.07069, 0.99134}},
		{LogC3, 1e-6, Matrix{0.638008, 0.214704, 0.097744, 0.291954, 0.823841, -0.115795, 0.002798, -0.067034, 1.153294}},
		{LogC4, 1e-9, Matrix{
			0.704858320407232, 0.129760295170463, 0.115837311473977, 0.254524176404027, 0.781477732712002, -0.036001909116029, 0, 0, 1.089057750759878,
		}},
		{SLog3, 1e-8, Matrix{
			0.5990839208, 0.2489255161, 0.1024464902, 0.2150758201, 0.8850685017, -0.1001443219, -0.0320658495, -0.0276583907, 1.1487819910,
		}},
		{Log3G10, 1e-6, Matrix{0.735275, 0.068609, 0.146571, 0.286694, 0.842979, -0.129673, -0.079681, -0.347343, 1.516082}},
	} {
		p, err := c.space.Primaries()
		if err != nil {
			t.Fatal(err)
		}
		checkMatrix(t, string(c.space), p.ToXYZ(), c.want, c.within)
	}
	// Academy transforms: AP0 to AP1, and AP1 to Rec.709 with Bradford from the ACES white to D65.
	checkMatrix(t, "AP0 to AP1", primariesAP0.To(primariesAP1), Matrix{
		1.4514393161, -0.2365107469, -0.2149285693, -0.0765537734, 1.1762296998, -0.0996759264, 0.0083161484, -0.0060324498, 0.9977163014,
	}, 1e-8)
	checkMatrix(t, "AP1 to Rec.709", primariesAP1.To(primariesRec709), Matrix{
		1.7050509927, -0.6217921207, -0.0832588720, -0.1302564175, 1.1408047366, -0.0105483191, -0.0240033568, -0.1289689761, 1.1529723329,
	}, 1e-8)
	// ICC.1, annex E: D65 to D50.
	checkMatrix(t, "Bradford", Adaptation([3]float64{0.95047, 1, 1.08883}, [3]float64{0.9642, 1, 0.8249}), Matrix{
		1.0478, 0.0229, -0.0501, 0.0295, 0.9905, -0.0171, -0.0092, 0.0150, 0.7521,
	}, 3e-4)
}

func TestWhiteStaysWhiteAndColoursComeBack(t *testing.T) {
	spaces := Spaces()
	rapid.Check(t, func(t *rapid.T) {
		from, to := rapid.SampledFrom(spaces).Draw(t, "from"), rapid.SampledFrom(spaces).Draw(t, "to")
		there, err := NewConverter(from, to, 1)
		if err != nil {
			t.Fatal(err)
		}
		back, err := NewConverter(to, from, 1)
		if err != nil {
			t.Fatal(err)
		}
		grey := rapid.Float32Range(0.05, 0.9).Draw(t, "grey")
		if r, g, b := there.Colour(grey, grey, grey); math.Abs(float64(r-g)) > 2e-5*math.Max(1, float64(g)) || math.Abs(float64(b-g)) > 2e-5*math.Max(1, float64(g)) {
			t.Fatalf("grey %v of %s is %v %v %v in %s", grey, from, r, g, b, to)
		}
		one := rapid.Float32Range(0.1, 0.9)
		c := [3]float32{one.Draw(t, "r"), one.Draw(t, "g"), one.Draw(t, "b")}
		r, g, b := back.Colour(there.Colour(c[0], c[1], c[2]))
		for i, v := range []float32{r, g, b} {
			// Steep logarithms hold less of what a wide gamut mixes of large parts.
			if math.Abs(float64(v-c[i])) > 1e-3 {
				t.Fatalf("%v of %s is %v %v %v back from %s", c, from, r, g, b, to)
			}
		}
	})
}

func TestConvertersOfOneSpaceChangeNoBit(t *testing.T) {
	for _, space := range Spaces() {
		c, err := NewConverter(space, space, 1)
		if err != nil || !c.Same() {
			t.Fatalf("%s: error %v", space, err)
		}
		src := []float32{0.1, -3, 70, 1, 0, 0.5}
		dst := make([]float32, len(src))
		c.Row(dst, src)
		for i, v := range src {
			if dst[i] != v {
				t.Errorf("%s: %v became %v", space, v, dst[i])
			}
		}
	}
	srgb, err := NewCurve(SRGB)
	if err != nil {
		t.Fatal(err)
	}
	for from, want := range map[Space]func(float32) float32{SRGB: srgb.ToLinear, LinearRec709: func(v float32) float32 { return v }} {
		c, err := NewConverter(from, LinearRec709, 1)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 4096 {
			v := float32(i)/2048 - 0.2
			if r, g, b := c.Colour(v, v/2, 2*v); r != want(v) || g != want(v/2) || b != want(2*v) {
				t.Fatalf("%v of %s is %v %v %v", v, from, r, g, b)
			}
		}
	}
}

func TestGainIsOfLight(t *testing.T) {
	c, err := NewConverter(SRGB, SRGB, 2)
	if err != nil || c.Same() {
		t.Fatalf("same %v, error %v", c.Same(), err)
	}
	r, _, _ := c.Colour(0.5, 0.1, 0.1)
	if want := LinearToSRGB(2 * SRGBToLinear(0.5)); math.Abs(float64(r-want)) > 1e-5 {
		t.Errorf("twice the light of 0.5 is %v, want %v", r, want)
	}
}

func TestLuminanceSumsToWhite(t *testing.T) {
	for _, space := range Spaces() {
		p, err := space.Primaries()
		if err != nil {
			t.Fatal(err)
		}
		if l := p.Luminance(); math.Abs(l[0]+l[1]+l[2]-1) > 1e-9 {
			t.Errorf("%s: %v", space, l)
		}
	}
}

func TestPrimariesComeBackFromTheirMatrix(t *testing.T) {
	same := Matrix{1, 0, 0, 0, 1, 0, 0, 0, 1}
	for _, space := range Spaces() {
		p, err := space.Primaries()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := FromAdaptedXYZ(p.ToXYZ(), same); err != nil || !got.near(p) {
			t.Errorf("%s: %v, want %v (%v)", space, got, p, err)
		}
		d50 := [3]float64{0.9642, 1, 0.8249}
		if got, err := FromAdaptedXYZ(p.ToXYZUnder(d50), Adaptation(p.white(), d50)); err != nil || !got.near(p) {
			t.Errorf("%s under D50: %v, want %v (%v)", space, got, p, err)
		}
	}
	if _, err := FromAdaptedXYZ(Matrix{}, same); err == nil {
		t.Error("nothing is a matrix")
	}
	if _, err := FromAdaptedXYZ(same, Matrix{}); err == nil {
		t.Error("nothing is an adaptation")
	}
}
