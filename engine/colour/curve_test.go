package colour

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestCurveFollowsTheExactFunctions(t *testing.T) {
	for space, exact := range map[Space]struct {
		decode, encode                           func(float32) float32
		decodeAbsolute, encodeAbsolute, relative float64
	}{
		SRGB:    {SRGBToLinear, LinearToSRGB, 1e-7, 0, 1e-6},
		ACEScct: {acescctToLinear, linearToACEScct, 1e-7, 5e-7, 2e-6},
		LogC3:   {logC3ToLinear, linearToLogC3, 2e-7, 5e-7, 2e-6},
		LogC4:   {logC4ToLinear, linearToLogC4, 2e-7, 5e-7, 2e-6},
		SLog3:   {sLog3ToLinear, linearToSLog3, 3e-6, 1e-5, 2e-6},
		Log3G10: {log3G10ToLinear, linearToLog3G10, 2e-7, 5e-7, 2e-6},
		Cineon:  {cineonToLinear, linearToCineon, 2e-7, 5e-7, 2e-6},
	} {
		t.Run(string(space), func(t *testing.T) {
			c, err := NewCurve(space)
			if err != nil {
				t.Fatal(err)
			}
			check := func(fatalf func(string, ...any), v float32) {
				near := func(got, want float32, absolute float64) bool {
					return math.Abs(float64(got)-float64(want)) <= absolute+exact.relative*math.Abs(float64(want))
				}
				if got, want := c.ToLinear(v), exact.decode(v); !near(got, want, exact.decodeAbsolute) {
					fatalf("ToLinear(%v) = %v, want %v", v, got, want)
				}
				if got, want := c.FromLinear(v), exact.encode(v); !near(got, want, exact.encodeAbsolute) {
					fatalf("FromLinear(%v) = %v, want %v", v, got, want)
				}
			}
			for _, v := range []float32{0, 1, 0.0031308, 0.04045, 0.00390625, 0.0039062498, 15.999999, 16, 40, -0.5, -20} {
				check(t.Fatalf, v)
			}
			rapid.Check(t, func(t *rapid.T) { check(t.Fatalf, rapid.Float32Range(-2, 40).Draw(t, "value")) })
			for i := range 1 << 16 {
				check(t.Fatalf, float32(i)/65535)
			}
		})
	}
}

func TestColoursGoLikeTheirValues(t *testing.T) {
	for _, space := range Spaces() {
		c, err := NewCurve(space)
		if err != nil {
			t.Fatal(err)
		}
		rapid.Check(t, func(t *rapid.T) {
			one := rapid.OneOf(rapid.Float32Range(0, 1), rapid.Float32Range(-3, 40))
			r, g, b := one.Draw(t, "r"), one.Draw(t, "g"), one.Draw(t, "b")
			if x, y, z := c.ColourToLinear(r, g, b); x != c.ToLinear(r) || y != c.ToLinear(g) || z != c.ToLinear(b) {
				t.Fatalf("%v %v %v decode to %v %v %v", r, g, b, x, y, z)
			}
			if x, y, z := c.ColourFromLinear(r, g, b); x != c.FromLinear(r) || y != c.FromLinear(g) || z != c.FromLinear(b) {
				t.Fatalf("%v %v %v encode to %v %v %v", r, g, b, x, y, z)
			}
		})
	}
}

func TestCurveOfLinearLightChangesNothing(t *testing.T) {
	c, err := NewCurve(LinearRec709)
	if err != nil || !c.Linear() {
		t.Fatalf("linear %v, error %v", c, err)
	}
	for _, v := range []float32{-3, 0, 0.2, 1, 70} {
		if c.ToLinear(v) != v || c.FromLinear(v) != v {
			t.Errorf("%v became %v and %v", v, c.ToLinear(v), c.FromLinear(v))
		}
	}
}

func TestCurveKeepsNonFiniteVisible(t *testing.T) {
	for _, space := range Spaces() {
		c, err := NewCurve(space)
		if err != nil {
			t.Fatal(err)
		}
		nan := float32(math.NaN())
		if v := c.ToLinear(nan); v == v {
			t.Errorf("%s: NaN decoded to %v", space, v)
		}
		if v := c.FromLinear(nan); v == v {
			t.Errorf("%s: NaN encoded to %v", space, v)
		}
	}
}

func TestCurveOfAnUnknownSpace(t *testing.T) {
	if _, err := NewCurve("teal"); err == nil {
		t.Fatal("no error")
	}
}

func BenchmarkCurve(b *testing.B) {
	c, err := NewCurve(SRGB)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		for i := range 1000 {
			v := float32(i) / 1000
			if c.FromLinear(c.ToLinear(v)) < 0 {
				b.Fatal("negative")
			}
		}
	}
}

func TestFormulasAreTheCurves(t *testing.T) {
	logarithmic := map[Space]bool{ACEScct: true, LogC3: true, LogC4: true, SLog3: true, Log3G10: true, Cineon: true}
	for _, space := range Spaces() {
		c, err := NewCurve(space)
		if err != nil {
			t.Fatal(err)
		}
		f, ok := c.Formula()
		if ok == logarithmic[space] {
			t.Errorf("%s has a formula: %v", space, ok)
		}
		if !ok {
			continue
		}
		for i := range 1025 {
			v := float64(i) / 1024
			want := f.C * v
			if v >= f.D {
				want = math.Pow(f.A*v+f.B, f.Gamma)
			}
			if got := c.ToLinear(float32(v)); math.Abs(float64(got)-want) > 2e-7 {
				t.Errorf("%s decodes %v to %v, its formula to %v", space, v, got, want)
			}
		}
		if plain := space != SRGB && space != DisplayP3; f.Plain() != plain {
			t.Errorf("%s is a plain power: %v", space, f.Plain())
		}
	}
}
