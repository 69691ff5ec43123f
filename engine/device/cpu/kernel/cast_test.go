package kernel

import (
	"math"
	"testing"
)

// awkward are floats at the borders of every rounding and range.
func awkward() []float32 {
	x := []float32{
		0, float32(math.Copysign(0, -1)), 1, -1, 65504, 65519, 65520, -65536, 1e30, -1e30, math.MaxFloat32,
		float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()), math.SmallestNonzeroFloat32,
		5.9604645e-8, 2.9802322e-8, 2.9802326e-8, 8.9e-8, 6.1035156e-5, 6.1e-5, 1.00390625, 1.01171875, 1.0000001,
	}
	r := random(20)
	for range 4000 {
		x = append(x, math.Float32frombits(r.Uint32()))
	}
	for range 4000 {
		x = append(x, float32(r.NormFloat64()*math.Exp2(float64(r.IntN(60)-40))))
	}
	return x
}

func TestHalfWidthIsTheNearestEven(t *testing.T) {
	exactBFloat16 := func(b uint16) float64 { return float64(math.Float32frombits(uint32(b) << 16)) }
	for _, c := range []struct {
		name     string
		format   Format
		decode   func(uint16) float64
		infinity uint16
	}{{"bfloat16", BFloat16, exactBFloat16, 0x7f80}, {"float16", Float16, exactHalf, 0x7c00}} {
		t.Run(c.name, func(t *testing.T) {
			sets(t, func(t *testing.T, s *Set) {
				x := awkward()
				h, back := newGuardedHalf(len(x)), newGuarded(len(x))
				s.Round(h.in, x, c.format)
				s.Expand(back.in, h.in, c.format)
				h.check(t, c.name)
				back.check(t, "float32")
				for i, v := range x {
					got := float64(back.in[i])
					if math.IsNaN(float64(v)) {
						if !math.IsNaN(got) {
							t.Fatalf("NaN %#x became %g", math.Float32bits(v), got)
						}
						continue
					}
					checkNearest(t, float64(v), got, h.in[i], c.decode, c.infinity)
				}
			})
		})
	}
}

// exactHalf decodes IEEE half precision; infinity counts as the next number after the largest.
func exactHalf(b uint16) float64 {
	sign, exp, frac := 1.0, int(b>>10&31), float64(b&0x3ff)
	if b>>15 == 1 {
		sign = -1
	}
	if exp == 0 {
		return sign * frac * math.Exp2(-24)
	}
	return sign * (1024 + frac) * math.Exp2(float64(exp-25))
}

// checkNearest fails unless bits, decoded as got, is the number nearest to v; of two equally near, the even one.
// infinity is the pattern of positive infinity.
func checkNearest(t *testing.T, v, got float64, bits uint16, decode func(uint16) float64, infinity uint16) {
	t.Helper()
	if math.Signbit(v) != math.Signbit(got) {
		t.Fatalf("%g became %g", v, got)
	}
	// For the distance, infinity stands where the number after the largest would.
	value := func(b uint16) float64 {
		if b&0x7fff == infinity {
			return math.Copysign(2*math.Abs(decode(infinity-1))-math.Abs(decode(infinity-2)), v)
		}
		return decode(b)
	}
	if math.IsInf(v, 0) {
		if got != v {
			t.Fatalf("%g became %g", v, got)
		}
		return
	}
	if bits&0x7fff > infinity {
		t.Fatalf("%g became NaN", v)
	}
	off := math.Abs(v - value(bits))
	for _, other := range []uint16{bits - 1, bits + 1} {
		if other>>15 != bits>>15 || other&0x7fff > infinity {
			continue
		}
		d := math.Abs(v - value(other))
		if bits&0x7fff == infinity && other&0x7fff != infinity && d > off {
			continue
		}
		if d < off || d == off && bits&1 == 1 {
			t.Fatalf("%g became %g (%#x), %#x is nearer by %g", v, got, bits, other, off-d)
		}
	}
}

func TestEveryHalfSurvivesTheRoundTrip(t *testing.T) {
	sets(t, func(t *testing.T, s *Set) {
		all := make([]uint16, 1<<16)
		for i := range all {
			all[i] = uint16(i)
		}
		x, back := make([]float32, len(all)), make([]uint16, len(all))
		s.Expand(x, all, Float16)
		s.Round(back, x, Float16)
		for i, b := range all {
			if b&0x7c00 == 0x7c00 && b&0x3ff != 0 {
				if !math.IsNaN(float64(x[i])) || back[i]&0x7c00 != 0x7c00 || back[i]&0x3ff == 0 {
					t.Fatalf("%#x became %g and %#x", b, x[i], back[i])
				}
				continue
			}
			if back[i] != b {
				t.Fatalf("%#x became %g and %#x", b, x[i], back[i])
			}
			if b&0x7c00 != 0x7c00 && float64(x[i]) != exactHalf(b) {
				t.Fatalf("%#x became %g, want %g", b, x[i], exactHalf(b))
			}
		}
	})
}

// TestEverySetRoundsToTheSameBits holds the sets of this processor against the portable one, NaNs and all.
func TestEverySetRoundsToTheSameBits(t *testing.T) {
	x := awkward()
	for i := range 1 << 16 { // every exponent and sign, with bits beyond half precision
		x = append(x, math.Float32frombits(uint32(i)<<16|uint32(i)*40503&0xffff))
	}
	all := make([]uint16, 1<<16)
	for i := range all {
		all[i] = uint16(i)
	}
	best, scalar := Best(), Scalar()
	for _, f := range []Format{BFloat16, Float16} {
		got, want := make([]uint16, len(x)), make([]uint16, len(x))
		best.Round(got, x, f)
		scalar.Round(want, x, f)
		for i := range x {
			if got[i] != want[i] {
				t.Fatalf("format %d: %#x became %#x, and %#x by portable code", f, math.Float32bits(x[i]), got[i], want[i])
			}
		}
		wide, again := make([]float32, len(all)), make([]float32, len(all))
		best.Expand(wide, all, f)
		scalar.Expand(again, all, f)
		for i := range all {
			if math.Float32bits(wide[i]) != math.Float32bits(again[i]) {
				t.Fatalf("format %d: %#x became %#x, and %#x by portable code", f, all[i], math.Float32bits(wide[i]), math.Float32bits(again[i]))
			}
		}
	}
}

func TestRowMovesKeepTheirBorders(t *testing.T) {
	sets(t, func(t *testing.T, s *Set) {
		r := random(21)
		for range 100 {
			rows, cols := pick(r, 9), pick(r, 50)
			x := normal(r, rows*cols)
			for _, stored := range [][2]storage{
				{full, full}, {full, asBFloat16}, {asBFloat16, full}, {asBFloat16, asBFloat16},
				{full, asFloat16}, {asFloat16, full}, {asFloat16, asFloat16},
			} {
				from, to := newMatrix(r, x, rows, cols, stored[0]), newMatrix(r, nil, rows, cols, stored[1])
				s.Copy(to.Rows, from.Rows, 0, rows, cols)
				to.checkBorders(t, "copy")
				for i := range rows * cols {
					want := from.at(i/cols, i%cols)
					allowed := 0.0
					if stored[0] == full {
						allowed = math.Abs(want)*stored[1].rounding() + 1e-7 // what is smaller than any normal number
					}
					near(t, "copy", to.at(i/cols, i%cols), want, allowed)
				}
			}
		}
	})
}
