package checkpoint

import (
	"math"
	"testing"
)

func TestHalfRoundTripsEveryValue(t *testing.T) {
	for h := range 1 << 16 {
		f := halfToFloat32(uint16(h))
		if f != f {
			if g := halfToFloat32(float32ToHalf(f)); g == g {
				t.Fatalf("NaN %#04x became %g", h, g)
			}
			continue
		}
		if got := float32ToHalf(f); got != uint16(h) {
			t.Fatalf("%#04x is %g, which becomes %#04x", h, f, got)
		}
	}
}

func TestHalfRoundsToNearestEven(t *testing.T) {
	// Between each half value and the next: below the middle down, above it up,
	// the middle itself to the even one. 0x7c00 stands for 65536 here, the value
	// that would follow, so that the overflow is covered too.
	for h := range uint16(0x7c00) {
		low, high := float64(halfToFloat32(h)), float64(halfToFloat32(h+1))
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
			if got := float32ToHalf(c.value); got != c.want {
				t.Fatalf("%g became %#04x, want %#04x", c.value, got, c.want)
			}
			if got := float32ToHalf(-c.value); got != c.want|0x8000 {
				t.Fatalf("%g became %#04x, want %#04x", -c.value, got, c.want|0x8000)
			}
		}
	}
}

func TestKnownHalves(t *testing.T) {
	for h, want := range map[uint16]float32{
		0x0000: 0, 0x3c00: 1, 0xc000: -2, 0x3555: 0.33325195, 0x7bff: 65504, 0x0001: 5.9604645e-08, 0x0400: 6.1035156e-05,
	} {
		if got := halfToFloat32(h); got != want {
			t.Errorf("%#04x is %g, want %g", h, got, want)
		}
	}
	if got := float32ToHalf(float32(math.Inf(-1))); got != 0xfc00 {
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
		if got := float32ToBFloat16(math.Float32frombits(c.bits)); got != c.want {
			t.Errorf("%#08x became %#04x, want %#04x", c.bits, got, c.want)
		}
	}
	for b := range 1 << 16 {
		f := bfloat16ToFloat32(uint16(b))
		if got := float32ToBFloat16(f); got != uint16(b) && f == f {
			t.Fatalf("%#04x is %g, which becomes %#04x", b, f, got)
		}
	}
}
