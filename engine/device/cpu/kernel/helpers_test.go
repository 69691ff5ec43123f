package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"greenroom/engine/bench/benchtest"
	"greenroom/engine/picture/half"
)

// sets runs f once for every implementation that this processor has.
func sets(t *testing.T, f func(t *testing.T, s *Set)) {
	t.Helper()
	all := []*Set{Scalar()}
	if best := Best(); best.Name() != all[0].Name() {
		all = append(all, best)
	}
	for _, s := range all {
		t.Run(s.Name(), func(t *testing.T) { f(t, s) })
	}
}

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 7)) }

// pick returns a size from 1 to limit: small ones, the limit's neighbourhood and all others.
func pick(r *rand.Rand, limit int) int { return 1 + r.IntN(limit) }

func normal(r *rand.Rand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(r.NormFloat64())
	}
	return x
}

const (
	guardLen   = 64
	guard      = float32(-12345.5)
	guardHalf  = uint16(0x5a5a)
	poisonHalf = uint16(0x7fc1)
)

// guarded is memory with a watched border of guards on both sides.
type guarded[T float32 | uint16] struct {
	whole, in []T
	guard     T
}

// newGuarded returns float32s, NaN at first.
func newGuarded(n int) guarded[float32] { return guardedBy(n, guard, float32(math.NaN())) }

// newGuardedHalf returns half-width numbers, NaN at first in either format.
func newGuardedHalf(n int) guarded[uint16] { return guardedBy(n, guardHalf, poisonHalf) }

func guardedBy[T float32 | uint16](n int, guard, poison T) guarded[T] {
	g := guarded[T]{whole: make([]T, n+2*guardLen), guard: guard}
	for i := range g.whole {
		g.whole[i] = guard
	}
	g.in = g.whole[guardLen : guardLen+n : guardLen+n]
	for i := range g.in {
		g.in[i] = poison
	}
	return g
}

func (g guarded[T]) check(t *testing.T, what string) {
	t.Helper()
	for i := range guardLen {
		if g.whole[i] != g.guard || g.whole[len(g.whole)-1-i] != g.guard {
			t.Fatalf("%s: written outside, %d from the border", what, i)
		}
	}
}

// matrix is a guarded [rows, cols] view with gaps between rows, which must not change either.
type matrix struct {
	Rows
	stored storage
	f      guarded[float32]
	h      guarded[uint16]
	cols   int
}

// storage is how elements are kept: float32, or a half-width format.
type storage uint8

const (
	full storage = iota
	asBFloat16
	asFloat16
)

// oneIn returns half-width storage, of either format, once in n times.
func oneIn(r *rand.Rand, n int) storage {
	if r.IntN(n) > 0 {
		return full
	}
	return asBFloat16 + storage(r.IntN(2))
}

func (s storage) format() Format {
	if s == asFloat16 {
		return Float16
	}
	return BFloat16
}

// rounding is the relative error of storing a number.
func (s storage) rounding() float64 { return [...]float64{0, 1.0 / 256, 1.0 / 2048}[s] }

// round returns what is left of a number when it is stored.
func (s storage) round(x float32) float32 {
	switch s {
	case asBFloat16:
		return half.FromBFloat16(half.BFloat16(x))
	case asFloat16:
		return half.FromFloat16(half.Float16(x))
	}
	return x
}

// packWeights returns weights [n, k] packed, and rounds w as they are.
func packWeights(w []float32, k, n int, stored storage) *Packed {
	if stored == full {
		return Pack(make([]float32, PackedLen(k, n)), k, n, w, 1, k)
	}
	p := PackHalf(make([]uint16, PackedLen(k, n)), stored.format(), k, n, w, 1, k)
	for i, x := range w {
		w[i] = stored.round(x)
	}
	return p
}

// newMatrix holds x ([rows][cols], or nil for NaN).
func newMatrix(r *rand.Rand, x []float32, rows, cols int, stored storage) *matrix {
	stride := cols + r.IntN(2)*r.IntN(20)
	n := (rows-1)*stride + cols
	m := &matrix{stored: stored, cols: cols}
	if stored != full {
		m.h = newGuardedHalf(n)
		m.Rows = Half(m.h.in, stored.format(), stride)
	} else {
		m.f = newGuarded(n)
		m.Rows = Float32(m.f.in, stride)
	}
	if x == nil {
		return m
	}
	for i := range rows {
		for j := range cols {
			if stored != full {
				m.h.in[i*stride+j] = stored.format().round()(x[i*cols+j])
			} else {
				m.f.in[i*stride+j] = x[i*cols+j]
			}
		}
	}
	return m
}

// at returns element (i, j).
func (m *matrix) at(i, j int) float64 {
	if m.Half == nil {
		return float64(m.F32[i*m.Stride+j])
	}
	if m.stored == asFloat16 {
		return float64(half.FromFloat16(m.Half[i*m.Stride+j]))
	}
	return float64(half.FromBFloat16(m.Half[i*m.Stride+j]))
}

// checkBorders fails if anything but elements was written.
func (m *matrix) checkBorders(t *testing.T, what string) {
	t.Helper()
	if m.F32 != nil {
		m.f.check(t, what)
	} else {
		m.h.check(t, what)
	}
	for i := range m.len() {
		if i%m.Stride < m.cols {
			continue
		}
		if m.F32 != nil && !math.IsNaN(float64(m.F32[i])) || m.Half != nil && m.Half[i] != poisonHalf {
			t.Fatalf("%s: written between rows at %d", what, i)
		}
	}
}

// near fails unless got is within tolerance of want; a NaN is never near.
func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Fatalf("%s: got %g, want %g within %g", what, got, want, tolerance)
	}
}

// scratch returns exactly n floats of guarded NaN: working memory must not need to be zero.
func scratchOf(n int) guarded[float32] { return newGuarded(n) }

func erfGELU(x float64) float64 { return x / 2 * (1 + math.Erf(x/math.Sqrt2)) }

func mustPanic(t *testing.T, what string, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s: no panic", what)
		}
	}()
	f()
}

// measure runs f as the benchmark and reports how many units it does in a second of processor time, in billions.
func measure(b *testing.B, perOp float64, unit string, f func()) {
	start := benchtest.Clock()
	for b.Loop() {
		f()
	}
	b.ReportMetric(perOp*float64(b.N)/(benchtest.Clock()-start).Seconds()/1e9, unit)
}

func benchName(format string, args ...any) string { return fmt.Sprintf(format, args...) }
