package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
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

// guarded is memory with a watched border on both sides; what is between starts as NaN.
type guarded struct {
	whole, in []float32
}

func newGuarded(n int) guarded {
	g := guarded{whole: make([]float32, n+2*guardLen)}
	for i := range g.whole {
		g.whole[i] = guard
	}
	g.in = g.whole[guardLen : guardLen+n : guardLen+n]
	for i := range g.in {
		g.in[i] = float32(math.NaN())
	}
	return g
}

func (g guarded) check(t *testing.T, what string) {
	t.Helper()
	for i := range guardLen {
		if g.whole[i] != guard || g.whole[len(g.whole)-1-i] != guard {
			t.Fatalf("%s: written outside, %d from the border", what, i)
		}
	}
}

type guardedHalf struct {
	whole, in []uint16
}

func newGuardedHalf(n int) guardedHalf {
	g := guardedHalf{whole: make([]uint16, n+2*guardLen)}
	for i := range g.whole {
		g.whole[i] = guardHalf
	}
	g.in = g.whole[guardLen : guardLen+n : guardLen+n]
	for i := range g.in {
		g.in[i] = poisonHalf
	}
	return g
}

func (g guardedHalf) check(t *testing.T, what string) {
	t.Helper()
	for i := range guardLen {
		if g.whole[i] != guardHalf || g.whole[len(g.whole)-1-i] != guardHalf {
			t.Fatalf("%s: written outside, %d from the border", what, i)
		}
	}
}

// matrix is a guarded [rows, cols] view with gaps between rows, which must not change either.
type matrix struct {
	Rows
	f    guarded
	h    guardedHalf
	cols int
}

// newMatrix holds x ([rows][cols], or nil for NaN), as bfloat16 if half is set.
func newMatrix(r *rand.Rand, x []float32, rows, cols int, half bool) *matrix {
	stride := cols + r.IntN(2)*r.IntN(20)
	n := (rows-1)*stride + cols
	m := &matrix{cols: cols}
	if half {
		m.h = newGuardedHalf(n)
		m.Rows = BFloat16(m.h.in, stride)
	} else {
		m.f = newGuarded(n)
		m.Rows = Float32(m.f.in, stride)
	}
	if x == nil {
		return m
	}
	for i := range rows {
		for j := range cols {
			if half {
				m.h.in[i*stride+j] = roundBFloat16(x[i*cols+j])
			} else {
				m.f.in[i*stride+j] = x[i*cols+j]
			}
		}
	}
	return m
}

// at returns element (i, j).
func (m *matrix) at(i, j int) float64 {
	if m.BF16 != nil {
		return float64(math.Float32frombits(uint32(m.BF16[i*m.Stride+j]) << 16))
	}
	return float64(m.F32[i*m.Stride+j])
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
		if m.F32 != nil && !math.IsNaN(float64(m.F32[i])) || m.BF16 != nil && m.BF16[i] != poisonHalf {
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
func scratchOf(n int) guarded { return newGuarded(n) }

// roundingOf is the relative error of storing a result.
func roundingOf(half bool) float64 {
	if half {
		return 1.0 / 256
	}
	return 0
}

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
	start := clock()
	for b.Loop() {
		f()
	}
	b.ReportMetric(perOp*float64(b.N)/(clock()-start).Seconds()/1e9, unit)
}

func benchName(format string, args ...any) string { return fmt.Sprintf(format, args...) }
