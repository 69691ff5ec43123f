package kernel

import (
	"fmt"
	"math"
	"testing"
)

func TestActivationsMatchFloat64(t *testing.T) {
	sets(t, func(t *testing.T, s *Set) {
		r := random(40)
		x := []float32{0, -0.5, 5.999, 6, 6.001, -6.001, 100, -100, 1e4, -1e4, 88, -88, 1e30, -1e30, 1e-30, -1e-30}
		for range 4001 {
			x = append(x, float32(r.NormFloat64()*4))
		}
		for act, f := range map[Activation]func(float64) float64{
			Identity: func(x float64) float64 { return x },
			GELU:     erfGELU,
			ReLU:     func(x float64) float64 { return max(x, 0) },
			Sigmoid:  func(x float64) float64 { return 1 / (1 + math.Exp(-x)) },
		} {
			out := newGuarded(len(x))
			s.Activate(Float32(out.in, len(x)), Float32(x, len(x)), 0, 1, len(x), act, make([]float32, RowScratchLen(len(x))))
			out.check(t, "activation")
			for i, v := range x {
				want := f(float64(v))
				near(t, fmt.Sprintf("activation %d of %g", act, v), float64(out.in[i]), want, 3e-7*math.Max(1, math.Abs(want)))
			}
		}
	})
}

func TestExpMatchesFloat64(t *testing.T) {
	sets(t, func(t *testing.T, s *Set) {
		r := random(41)
		x := []float32{0, 1, -1, 88.3, -87.3, 0.34657359, -0.34657359}
		for range 5000 {
			x = append(x, float32(r.Float64()*176-88))
		}
		out := newGuarded(len(x))
		s.Exp(out.in, x)
		out.check(t, "exp")
		for i, v := range x {
			want := math.Exp(float64(v))
			if want < 1.2e-38 {
				near(t, "exp of a small number", float64(out.in[i]), want, 1.2e-38)
				continue
			}
			near(t, fmt.Sprintf("exp(%g)", v), float64(out.in[i]), want, 3e-7*want)
		}
		edges := []float32{200, 89, float32(math.Inf(1)), -200, float32(math.Inf(-1)), float32(math.NaN()), 0}
		got := make([]float32, len(edges))
		s.Exp(got, edges)
		for i, want := range []float64{math.Inf(1), math.Inf(1), math.Inf(1), 0, 0, math.NaN(), 1} {
			if g := float64(got[i]); g != want && !(math.IsNaN(g) && math.IsNaN(want)) {
				t.Errorf("exp(%g) = %g", edges[i], g)
			}
		}
	})
}

func TestNaNSurvivesEveryElementwiseKernel(t *testing.T) {
	sets(t, func(t *testing.T, s *Set) {
		nan := float32(math.NaN())
		for n := 1; n < 20; n++ {
			for at := range n {
				x := make([]float32, n)
				x[at] = nan
				scratch := make([]float32, RowScratchLen(4*n))
				check := func(what string, out []float32) {
					for i, v := range out {
						if math.IsNaN(float64(v)) != (i == at) {
							t.Fatalf("%s: element %d of %d is %g, NaN at %d", what, i, n, v, at)
						}
					}
				}
				out := make([]float32, n)
				for act := Identity; act <= Sigmoid; act++ {
					s.Activate(Float32(out, n), Float32(x, n), 0, 1, n, act, scratch)
					check(fmt.Sprint("activation ", act), out)
				}
				s.Add(Float32(out, n), Float32(x, n), Float32(make([]float32, n), n), 0, 1, n, scratch)
				check("add", out)
				one := make([]float32, n)
				s.Affine(&Affine{Scale: one, Shift: one, X: Float32(x, n), Out: Float32(out, n), Act: ReLU}, 0, 1, scratch)
				check("affine", out)
				for row := range 4 {
					four := make([]float32, 4*n)
					four[row*n+at] = nan
					s.MaxPool4(Float32(out, n), Float32(four, n), 0, 1, n, scratch)
					check("maximum", out)
				}
			}
		}
	})
}

func TestAddMaxPoolAndGatherOverOddSizes(t *testing.T) {
	sets(t, func(t *testing.T, s *Set) {
		r := random(42)
		half := func() storage { return oneIn(r, 3) }
		for range 80 {
			rows, cols := pick(r, 10), pick(r, 40)
			scratch := scratchOf(RowScratchLen(cols))
			a := newMatrix(r, normal(r, 4*rows*cols), 4*rows, cols, half())
			b := newMatrix(r, normal(r, rows*cols), rows, cols, half())
			out := newMatrix(r, nil, rows, cols, half())
			rounding := out.stored.rounding()
			split := r.IntN(rows + 1)

			s.Add(out.Rows, a.Rows, b.Rows, split, rows, cols, scratch.in)
			s.Add(out.Rows, a.Rows, b.Rows, 0, split, cols, scratch.in)
			out.checkBorders(t, "sum")
			for i := range rows * cols {
				y, x := i/cols, i%cols
				want := a.at(y, x) + b.at(y, x)
				near(t, "sum", out.at(y, x), want, math.Abs(want)*rounding+1e-6)
			}

			s.MaxPool4(out.Rows, a.Rows, split, rows, cols, scratch.in)
			s.MaxPool4(out.Rows, a.Rows, 0, split, cols, scratch.in)
			out.checkBorders(t, "maximum")
			for i := range rows * cols {
				y, x := i/cols, i%cols
				want := max(a.at(4*y, x), a.at(4*y+1, x), a.at(4*y+2, x), a.at(4*y+3, x))
				near(t, "maximum", out.at(y, x), want, math.Abs(want)*rounding)
			}
			scratch.check(t, "scratch")

			index := make([]int32, rows)
			for i := range index {
				index[i] = int32(r.IntN(4 * rows))
			}
			out = newMatrix(r, nil, rows, cols, a.stored)
			s.Gather(out.Rows, a.Rows, index, split, rows, cols)
			s.Gather(out.Rows, a.Rows, index, 0, split, cols)
			out.checkBorders(t, "gathered")
			for i := range rows * cols {
				near(t, "gathered", out.at(i/cols, i%cols), a.at(int(index[i/cols]), i%cols), 0)
			}
		}
	})
	x := Float32(make([]float32, 6), 3)
	mustPanic(t, "index beyond the rows", func() { Best().Gather(x, x, []int32{2}, 0, 1, 3) })
	mustPanic(t, "negative index", func() { Best().Gather(x, x, []int32{-1}, 0, 1, 3) })
}
