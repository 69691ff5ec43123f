package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// gemmCase is a random product with its float64 result.
type gemmCase struct {
	g          *Gemm
	a, res, c  *matrix
	want       []float64
	scale      []float64 // sum of magnitudes of each element, for the tolerance
	halfResult storage
}

func newGemmCase(r *rand.Rand, m, k, n int) *gemmCase {
	half := func() storage { return oneIn(r, 3) }
	e := &gemmCase{g: &Gemm{M: m, Act: Activation(r.IntN(3))}}
	e.a = newMatrix(r, normal(r, m*k), m, k, half())
	e.g.A = e.a.Rows
	w := normal(r, k*n)
	e.g.B = packWeights(w, k, n, half())
	if r.IntN(2) == 0 {
		e.g.Bias = normal(r, n)
	}
	e.halfResult = half()
	switch r.IntN(3) {
	case 0: // a residual of its own
		e.res = newMatrix(r, normal(r, m*n), m, n, half())
		e.c = newMatrix(r, nil, m, n, e.halfResult)
	case 1: // in place
		e.c = newMatrix(r, normal(r, m*n), m, n, e.halfResult)
		e.res = e.c
	default:
		e.c = newMatrix(r, nil, m, n, e.halfResult)
	}
	e.g.C = e.c.Rows
	if e.res != nil {
		e.g.Residual = e.res.Rows
	}
	e.want, e.scale = make([]float64, m*n), make([]float64, m*n)
	for i := range m {
		for j := range n {
			var sum, size float64
			for l := range k {
				p := e.a.at(i, l) * float64(w[j*k+l])
				sum += p
				size += math.Abs(p)
			}
			if e.g.Bias != nil {
				sum += float64(e.g.Bias[j])
			}
			switch e.g.Act {
			case ReLU:
				sum = max(sum, 0)
			case GELU:
				sum = erfGELU(sum)
			}
			if e.res != nil {
				sum += e.res.at(i, j)
			}
			e.want[i*n+j], e.scale[i*n+j] = sum, size
		}
	}
	return e
}

func (e *gemmCase) check(t *testing.T, s *Set, split int) {
	t.Helper()
	before := make([]float64, len(e.want))
	n := e.g.B.N
	for i := range e.g.M {
		for j := range n {
			before[i*n+j] = e.c.at(i, j)
		}
	}
	scratch := scratchOf(e.g.ScratchLen())
	s.Gemm(e.g, 0, split, scratch.in)
	for i := split; i < e.g.M; i++ {
		for j := range n {
			if was, is := before[i*n+j], e.c.at(i, j); was != is && !(math.IsNaN(was) && math.IsNaN(is)) {
				t.Fatalf("row %d of another range was written", i)
			}
		}
	}
	s.Gemm(e.g, split, e.g.M, scratch.in)
	scratch.check(t, "scratch")
	e.c.checkBorders(t, "C")
	for i, want := range e.want {
		tolerance := e.scale[i]*3e-7 + 2e-6 + math.Abs(want)*e.halfResult.rounding()
		near(t, fmt.Sprintf("(%d, %d)", i/n, i%n), e.c.at(i/n, i%n), want, tolerance)
	}
}

func TestGemmMatchesFloat64(t *testing.T) {
	sets(t, func(t *testing.T, s *Set) {
		r := random(1)
		for range 150 {
			m, k, n := pick(r, 40), pick(r, 70), pick(r, 80)
			e := newGemmCase(r, m, k, n)
			t.Logf("[%d, %d] x [%d, %d], act %d", m, k, k, n, e.g.Act)
			e.check(t, s, r.IntN(m+1))
		}
	})
}

func TestGemmMatchesFloat64AtLargerSizes(t *testing.T) {
	sets(t, func(t *testing.T, s *Set) {
		r := random(2)
		for _, size := range [][3]int{
			{200, 32, 96}, {101, 448, 24}, {97, 500, 56}, {1, 1, 1}, {6, 16, 16}, {4, 8, 24}, {205, 128, 4}, {13, 400, 40},
		} {
			e := newGemmCase(r, size[0], size[1], size[2])
			t.Logf("%v, act %d", size, e.g.Act)
			e.check(t, s, size[0]/3)
		}
	})
}

func TestGemmPropagatesNaN(t *testing.T) {
	sets(t, func(t *testing.T, s *Set) {
		for act := Identity; act <= ReLU; act++ {
			a := make([]float32, 8*10)
			a[3*8+5] = float32(math.NaN())
			w := normal(random(3), 8*17)
			c := make([]float32, 10*17)
			s.Gemm(&Gemm{
				M: 10, A: Float32(a, 8), B: Pack(make([]float32, PackedLen(8, 17)), 8, 17, w, 17, 1),
				Act: act, C: Float32(c, 17),
			}, 0, 10, nil)
			for i, x := range c {
				if math.IsNaN(float64(x)) != (i/17 == 3) {
					t.Fatalf("activation %d, row %d: %g", act, i/17, x)
				}
			}
		}
	})
}

func TestGemmRefusesWrongSizes(t *testing.T) {
	s := Best()
	b := Pack(make([]float32, PackedLen(3, 5)), 3, 5, make([]float32, 15), 5, 1)
	good := Gemm{M: 2, A: Float32(make([]float32, 6), 3), B: b, C: Float32(make([]float32, 10), 5)}
	for what, change := range map[string]func(g *Gemm){
		"short A":        func(g *Gemm) { g.A.F32 = g.A.F32[:5] },
		"short C":        func(g *Gemm) { g.C.F32 = g.C.F32[:9] },
		"narrow stride":  func(g *Gemm) { g.C.Stride = 4 },
		"short bias":     func(g *Gemm) { g.Bias = make([]float32, 4) },
		"short residual": func(g *Gemm) { g.Residual = Float32(make([]float32, 9), 5) },
		"two types":      func(g *Gemm) { g.A.Half = make([]uint16, 6) },
		"unpacked":       func(g *Gemm) { g.B = &Packed{K: 3, N: 5} },
		"activation":     func(g *Gemm) { g.Act = Sigmoid },
	} {
		g := good
		change(&g)
		mustPanic(t, what, func() { s.Gemm(&g, 0, 2, nil) })
	}
	mustPanic(t, "rows", func() { s.Gemm(&good, 0, 3, nil) })
	s.Gemm(&good, 0, 2, nil)
}

func TestPackedLenIsWhatPackFills(t *testing.T) {
	for _, n := range []int{1, 4, 8, 16, 17, 24, 25, 32, 40, 56, 64, 1000} {
		w := make([]float32, 3*n)
		for i := range w {
			w[i] = float32(i + 1)
		}
		dst := make([]float32, PackedLen(3, n))
		Pack(dst, 3, n, w, n, 1)
		var sum float32
		for _, x := range dst {
			sum += x
		}
		if want := float32(3*n) * float32(3*n+1) / 2; sum != want {
			t.Errorf("n = %d: elements sum to %g, want %g", n, sum, want)
		}
	}
}

func BenchmarkGemm(b *testing.B) {
	s := Best()
	for _, size := range [][3]int{
		{2304, 32, 128},
		{2304, 32, 96},
		{2304, 64, 256},
		{2304, 112, 448},
		{2304, 128, 512},
		{2304, 256, 1024},
		{1152, 448, 448},
		{1152, 896, 896},
		{576, 3584, 896},
		{9216, 24, 4},
	} {
		m, k, n := size[0], size[1], size[2]
		r := random(1)
		a, w, bias := normal(r, m*k), normal(r, k*n), normal(r, n)
		g := &Gemm{
			M: m, A: Float32(a, k), B: Pack(make([]float32, PackedLen(k, n)), k, n, w, 1, k),
			Bias: bias, C: Float32(make([]float32, m*n), n),
		}
		scratch := make([]float32, g.ScratchLen())
		run := func(name string) {
			b.Run(fmt.Sprintf("K=%d/N=%d/%s", k, n, name), func(b *testing.B) {
				measure(b, 2*float64(m)*float64(k)*float64(n), "GFLOP/s", func() { s.Gemm(g, 0, m, scratch) })
			})
		}
		run("bias")
		if k == 32 && n == 128 {
			g.Act = GELU
			run("gelu")
		}
		if k == 128 {
			g.Residual = g.C
			run("residual")
			g.Residual = Rows{}
			for _, f := range []storage{asBFloat16, asFloat16} {
				half := make([]uint16, m*k)
				s.Round(half, a, f.format())
				g.A = Half(half, f.format(), k)
				g.B = packWeights(w, k, n, f)
				g.C = Half(make([]uint16, m*n), f.format(), n)
				scratch = make([]float32, g.ScratchLen())
				run([...]string{asBFloat16: "bf16", asFloat16: "f16"}[f])
			}
		}
	}
}
