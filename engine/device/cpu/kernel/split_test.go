package kernel

import (
	"math"
	"testing"
)

// TestResultsDoNotDependOnTheSplit computes products and convolutions in one piece and in many: the
// results, and the moments, must be the same to the last bit, whatever the number of workers.
func TestResultsDoNotDependOnTheSplit(t *testing.T) {
	sets(t, func(t *testing.T, s *Set) {
		r := random(60)
		const m, k, n = 50, 33, 40
		a, w, bias := normal(r, m*k), normal(r, k*n), normal(r, n)
		gemm := func(c []float32, ends []int) {
			g := &Gemm{
				M: m, A: Float32(a, k), B: Pack(make([]float32, PackedLen(k, n)), k, n, w, n, 1), Bias: bias, Act: GELU,
				C: Float32(c, n),
			}
			from := 0
			for _, to := range ends {
				s.Gemm(g, from, to, nil)
				from = to
			}
		}
		sameBits(t, "product", m*n, gemm, [][]int{{m}, {1, 2, 9, 30, m}, {7, 48, m}})

		const h, width, cin, cout = 30, 13, 5, 9
		x, kernel := normal(r, h*width*cin), normal(r, 9*cin*cout)
		moments := make(map[int][]float64)
		conv := func(out []float32, ends []int) {
			c := &Conv{
				H: h, W: width, Cin: cin, Size: 3, Stride: 1, Pad: 4, Dilation: 4, In: Float32(x, cin),
				Weights: Pack(make([]float32, PackedLen(9*cin, cout)), 9*cin, cout, kernel, cout, 1),
				Out:     Float32(out, cout), Moments: make([]float64, 2*h*cout),
			}
			from := 0
			for _, to := range ends {
				s.Conv(c, from, to, make([]float32, c.ScratchLen()))
				from = to
			}
			moments[len(ends)] = c.Moments
		}
		sameBits(t, "convolution", h*width*cout, conv, [][]int{{h}, {1, 8, h}, {3, 4, 5, 29, h}})
		for pieces, got := range moments {
			for i, v := range got {
				if v != moments[1][i] {
					t.Fatalf("moment %d in %d pieces: %g, in one: %g", i, pieces, v, moments[1][i])
				}
			}
		}
	})
}

func sameBits(t *testing.T, what string, n int, run func(out []float32, ends []int), splits [][]int) {
	t.Helper()
	want := make([]float32, n)
	run(want, splits[0])
	for _, ends := range splits[1:] {
		got := make([]float32, n)
		run(got, ends)
		for i, v := range got {
			if math.Float32bits(v) != math.Float32bits(want[i]) {
				t.Fatalf("%s split at %v: element %d is %g, whole %g", what, ends, i, v, want[i])
			}
		}
	}
}
