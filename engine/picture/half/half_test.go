package half

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
		want, got := halfValue(h), FromFloat16(h)
		if math.IsNaN(want) {
			if got == got {
				t.Fatalf("%#x is %v", h, got)
			}
			if back := Float16(got); back&0x7c00 != 0x7c00 || back&0x3ff == 0 {
				t.Fatalf("%#x comes back as %#x", h, back)
			}
			continue
		}
		if float64(got) != want || math.Signbit(float64(got)) != (h&0x8000 != 0) {
			t.Fatalf("%#x is %v, want %v", h, got, want)
		}
		if back := Float16(got); back != h {
			t.Fatalf("%#x comes back as %#x", h, back)
		}
	}
}

func TestValuesAreNarrowedToTheNearestHalf(t *testing.T) {
	check := func(v float32) {
		h := Float16(v)
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

func TestHalfRoundsToNearestEven(t *testing.T) {
	// Between each half value and the next: below the middle down, above it up,
	// the middle itself to the even one. 0x7c00 stands for 65536 here, the value
	// that would follow, so that the overflow is covered too.
	for h := range uint16(0x7c00) {
		low, high := float64(FromFloat16(h)), float64(FromFloat16(h+1))
		if h+1 == 0x7c00 {
			high = 65536
		}
		middle := float32((low + high) / 2)
		even := h + h&1
		for _, c := range []struct {
			value float32
			want  uint16
		}{
			{middle, even},
			{math.Nextafter32(middle, 0), h},
			{math.Nextafter32(middle, float32(math.Inf(1))), h + 1},
		} {
			if got := Float16(c.value); got != c.want {
				t.Fatalf("%g became %#04x, want %#04x", c.value, got, c.want)
			}
			if got := Float16(-c.value); got != c.want|0x8000 {
				t.Fatalf("%g became %#04x, want %#04x", -c.value, got, c.want|0x8000)
			}
		}
	}
}

func TestKnownHalves(t *testing.T) {
	for h, want := range map[uint16]float32{
		0x0000: 0, 0x3c00: 1, 0xc000: -2, 0x3555: 0.33325195, 0x7bff: 65504, 0x0001: 5.9604645e-08, 0x0400: 6.1035156e-05,
	} {
		if got := FromFloat16(h); got != want {
			t.Errorf("%#04x is %g, want %g", h, got, want)
		}
	}
	if got := Float16(float32(math.Inf(-1))); got != 0xfc00 {
		t.Errorf("-Inf became %#04x", got)
	}
}

func TestBFloat16RoundsToNearestEven(t *testing.T) {
	for _, c := range []struct {
		bits uint32
		want uint16
	}{
		{0x3f800000, 0x3f80}, // 1
		{0x3f808000, 0x3f80}, // a tie, to even: down
		{0x3f818000, 0x3f82}, // a tie, to even: up
		{0x3f808001, 0x3f81},
		{0x3f807fff, 0x3f80},
		{0x7f7fffff, 0x7f80}, // the largest float32 overflows
		{0xff800000, 0xff80}, // -Inf
		{0x7f800001, 0x7fc0}, // NaN stays NaN
	} {
		if got := BFloat16(math.Float32frombits(c.bits)); got != c.want {
			t.Errorf("%#08x became %#04x, want %#04x", c.bits, got, c.want)
		}
	}
	for b := range 1 << 16 {
		f := FromBFloat16(uint16(b))
		if got := BFloat16(f); got != uint16(b) && f == f {
			t.Fatalf("%#04x is %g, which becomes %#04x", b, f, got)
		}
	}
}
