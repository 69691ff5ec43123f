package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// bilinear is one element of a resized map in float64, by the definition.
func bilinear(m *matrix, z *Resize, y, x, c int) float64 {
	axis := func(i, n, outN int) (int, int, float64) {
		p := (float64(i)+0.5)*float64(n)/float64(outN) - 0.5
		p = min(max(p, 0), float64(n-1))
		l := int(math.Floor(p))
		return l, min(l+1, n-1), p - float64(l)
	}
	t, b, fy := axis(y, z.H, z.OutH)
	l, r, fx := axis(x, z.W, z.OutW)
	top := m.at(t*z.W+l, c)*(1-fx) + m.at(t*z.W+r, c)*fx
	bottom := m.at(b*z.W+l, c)*(1-fx) + m.at(b*z.W+r, c)*fx
	return top*(1-fy) + bottom*fy
}

func TestResizeMatchesFloat64(t *testing.T) {
	sets(t, func(t *testing.T, s *Set) {
		r := random(50)
		for range 150 {
			z := randomResize(r)
			half := func() storage { return oneIn(r, 3) }
			in := newMatrix(r, normal(r, z.H*z.W*z.C), z.H*z.W, z.C, half())
			var before []float32
			if z.Accumulate {
				before = normal(r, z.OutH*z.OutW*z.C)
			}
			out := newMatrix(r, before, z.OutH*z.OutW, z.C, half())
			z.In, z.Out = in.Rows, out.Rows
			t.Logf("[%d, %d, %d] to [%d, %d]", z.H, z.W, z.C, z.OutH, z.OutW)
			want := make([]float64, z.OutH*z.OutW*z.C)
			for i := range want {
				c, x, y := i%z.C, i/z.C%z.OutW, i/z.C/z.OutW
				want[i] = bilinear(in, z, y, x, c)
				if z.Accumulate {
					want[i] += out.at(i/z.C, c)
				}
				switch z.Act {
				case GELU:
					want[i] = erfGELU(want[i])
				case ReLU:
					want[i] = max(want[i], 0)
				case Sigmoid:
					want[i] = 1 / (1 + math.Exp(-want[i]))
				}
			}
			scratch := scratchOf(z.ScratchLen())
			split := r.IntN(z.OutH + 1)
			s.Resize(z, split, z.OutH, scratch.in)
			s.Resize(z, 0, split, scratch.in)
			scratch.check(t, "scratch")
			out.checkBorders(t, "result")
			for i, w := range want {
				near(t, fmt.Sprintf("element %d", i), out.at(i/z.C, i%z.C), w, 3e-6+math.Abs(w)*out.stored.rounding())
			}
		}
	})
}

func randomResize(r *rand.Rand) *Resize {
	z := &Resize{
		H: pick(r, 7), W: pick(r, 9), C: pick(r, 20), Accumulate: r.IntN(2) == 0, Act: Activation(r.IntN(4)),
	}
	z.OutH, z.OutW = z.H*4, z.W*4
	if r.IntN(2) == 0 {
		z.OutH, z.OutW = pick(r, 20), pick(r, 20)
	}
	return z
}

func BenchmarkResize(b *testing.B) {
	s := Best()
	r := random(1)
	for _, c := range []int{4, 64, 256} {
		z := &Resize{H: 48, W: 192, OutH: 192, OutW: 768, C: c}
		z.In, z.Out = Float32(normal(r, z.H*z.W*c), c), Float32(make([]float32, z.OutH*z.OutW*c), c)
		for _, add := range []bool{false, true} {
			z.Accumulate = add
			scratch := make([]float32, z.ScratchLen())
			b.Run(benchName("C=%d/accumulate=%v", c, add), func(b *testing.B) {
				measure(b, float64(4*z.OutH*z.OutW*c), "GB/s", func() { s.Resize(z, 0, z.OutH, scratch) })
			})
		}
	}
}
