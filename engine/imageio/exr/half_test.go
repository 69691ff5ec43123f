package exr

import (
	"math"
	"math/rand/v2"
	"testing"
)

// halfValue is a half by its definition (IEEE 754: 1 sign, 5 exponent and 10 fraction bits).
func halfValue(h uint16) float64 {
	sign, exponent, fraction := 1.0, int(h>>10&31), float64(h&1023)/1024
	if h&0x8000 != 0 {
		sign = -1
	}
	switch exponent {
	case 0:
		return sign * fraction * 0x1p-14
	case 31:
		if fraction != 0 {
			return math.NaN()
		}
		return sign * math.Inf(1)
	}
	return sign * (1 + fraction) * math.Pow(2, float64(exponent-15))
}

func TestEveryHalfIsWidenedExactlyAndComesBack(t *testing.T) {
	for i := range 1 << 16 {
		h := uint16(i)
		want, got := halfValue(h), fromHalf(h)
		if math.IsNaN(want) {
			if got == got {
				t.Fatalf("%#x is %v", h, got)
			}
			if back := toHalf(got); back&0x7c00 != 0x7c00 || back&0x3ff == 0 {
				t.Fatalf("%#x comes back as %#x", h, back)
			}
			continue
		}
		if float64(got) != want || math.Signbit(float64(got)) != (h&0x8000 != 0) {
			t.Fatalf("%#x is %v, want %v", h, got, want)
		}
		if back := toHalf(got); back != h {
			t.Fatalf("%#x comes back as %#x", h, back)
		}
	}
}

func TestValuesAreNarrowedToTheNearestHalf(t *testing.T) {
	check := func(v float32) {
		h := toHalf(v)
		got := halfValue(h)
		if math.IsInf(got, 0) {
			// Halfway to the half that would come next, 65536, and over.
			if math.Abs(float64(v)) < 65520 {
				t.Fatalf("%v becomes %v", v, got)
			}
			return
		}
		d := math.Abs(got - float64(v))
		for _, near := range []uint16{h + 1, h - 1} {
			if near&0x7c00 == 0x7c00 || near^h == 0x8000 || near&0x7fff > 0x7c00 {
				continue
			}
			other := math.Abs(halfValue(near) - float64(v))
			if other < d || other == d && h&1 == 1 {
				t.Fatalf("%v becomes %v, but %v is nearer or even", v, got, halfValue(near))
			}
		}
	}
	random := rand.New(rand.NewPCG(3, 4))
	for range 200_000 {
		v := math.Float32frombits(random.Uint32())
		if v == v && math.Abs(float64(v)) < 70000 {
			check(v)
		}
	}
	for i := range 0x7bff {
		a, b := halfValue(uint16(i)), halfValue(uint16(i+1))
		check(float32((a + b) / 2))
		check(-float32((a + b) / 2))
	}
	for _, v := range []float32{0, 65504, 65519, 65520, 1e30, float32(math.Inf(1)), float32(math.Inf(-1)), 0x1p-25, 0x1.8p-25} {
		check(v)
	}
}
