package kernel

import (
	"fmt"
	"math"
	"testing"
)

func TestLayerNormMatchesFloat64(t *testing.T) {
	sets(t, func(t *testing.T, s *Set) {
		r := random(30)
		for range 100 {
			rows, cols := pick(r, 12), pick(r, 150)
			offset := float32(math.Exp(r.Float64()*12 - 6))
			x := normal(r, rows*cols)
			for i := range x {
				x[i] += offset
			}
			half, inPlace := oneIn(r, 3), r.IntN(3) == 0
			src := newMatrix(r, x, rows, cols, oneIn(r, 3))
			dst := newMatrix(r, nil, rows, cols, half)
			if inPlace {
				dst, half = src, src.stored
			}
			gamma, beta := normal(r, cols), normal(r, cols)
			want := make([]float64, rows*cols)
			for i := range rows {
				var mean, square float64
				for j := range cols {
					mean += src.at(i, j) / float64(cols)
				}
				for j := range cols {
					square += (src.at(i, j) - mean) * (src.at(i, j) - mean)
				}
				scale := 1 / math.Sqrt(square/float64(cols)+1e-6)
				for j := range cols {
					want[i*cols+j] = (src.at(i, j)-mean)*scale*float64(gamma[j]) + float64(beta[j])
				}
			}
			first := r.IntN(rows + 1)
			scratch := scratchOf(RowScratchLen(cols))
			s.LayerNorm(dst.Rows, src.Rows, first, rows, cols, gamma, beta, 1e-6, scratch.in)
			s.LayerNorm(dst.Rows, src.Rows, 0, first, cols, gamma, beta, 1e-6, scratch.in)
			scratch.check(t, "scratch")
			dst.checkBorders(t, "result")
			for i, w := range want {
				if cols == 1 && offset > 10 {
					continue // a mean off by one rounding, divided by sqrt(eps)
				}
				tolerance := 1e-5 + 2e-6*float64(offset) + math.Abs(w)*half.rounding()
				near(t, fmt.Sprintf("(%d, %d)", i/cols, i%cols), dst.at(i/cols, i%cols), w, tolerance)
			}
		}
	})
}

func TestMomentsHoldForLargeMapsFarFromZero(t *testing.T) {
	if testing.Short() {
		t.Skip("a large map")
	}
	sets(t, func(t *testing.T, s *Set) {
		// The variance of 1024 x 512 pixels with means up to 1000 standard deviations from zero.
		const rows, width, cols = 1024, 512, 9
		r := random(31)
		scratch := make([]float32, RowScratchLen(cols))
		parts := make([]float64, rows*2*cols)
		mean, square := make([]float64, cols), make([]float64, cols)
		offset := []float64{0, 1, -10, 100, 1000, 3, -300, 0.1, 30}
		var all [rows][]float32
		for y := range rows {
			x := normal(r, width*cols)
			for i := range x {
				x[i] += float32(offset[i%cols])
				mean[i%cols] += float64(x[i]) / (rows * width)
			}
			all[y] = x
			s.RowMoments(parts[y*2*cols:(y+1)*2*cols], Float32(x, cols), 0, width, cols, scratch)
		}
		for _, x := range all {
			for i, v := range x {
				d := float64(v) - mean[i%cols]
				square[i%cols] += d * d
			}
		}
		m := MergeMoments(parts, width, cols)
		for c := range cols {
			near(t, "mean", m.Mean[c], mean[c], 1e-7*(1+math.Abs(offset[c])))
			near(t, "squared error", m.SquaredError[c], square[c], 2e-6*square[c])
		}
	})
}

func TestRowMomentsOfHalvesAndOddSizes(t *testing.T) {
	sets(t, func(t *testing.T, s *Set) {
		r := random(32)
		for range 60 {
			rows, cols := pick(r, 300), pick(r, 30)
			x := newMatrix(r, normal(r, rows*cols), rows, cols, oneIn(r, 2))
			first := r.IntN(rows)
			scratch := scratchOf(RowScratchLen(cols))
			got := make([]float64, 2*cols)
			s.RowMoments(got, x.Rows, first, rows, cols, scratch.in)
			scratch.check(t, "scratch")
			for c := range cols {
				var mean, square float64
				n := float64(rows - first)
				for i := first; i < rows; i++ {
					mean += x.at(i, c) / n
				}
				for i := first; i < rows; i++ {
					square += (x.at(i, c) - mean) * (x.at(i, c) - mean)
				}
				near(t, "mean", got[c], mean, 5e-6)
				near(t, "squared error", got[cols+c], square, 1e-5*(1+square))
			}
		}
	})
}

func TestGroupsAndGroupAffineNormalise(t *testing.T) {
	sets(t, func(t *testing.T, s *Set) {
		const rows, cols, groups, eps = 200, 24, 8, 1e-5
		r := random(33)
		x := normal(r, rows*cols)
		for i := range x {
			x[i] = x[i]*float32(1+i%cols) + float32(i%cols-10)
		}
		gamma, beta, residual := normal(r, cols), normal(r, cols), normal(r, rows*cols)
		parts := make([]float64, 2*cols)
		scratch := make([]float32, RowScratchLen(cols))
		s.RowMoments(parts, Float32(x, cols), 0, rows, cols, scratch)
		stats, scale, shift := make([]float32, 2*groups), make([]float32, cols), make([]float32, cols)
		MergeMoments(parts, rows, cols).Groups(stats, groups, eps)
		GroupAffine(scale, shift, stats, gamma, beta, groups)
		out := make([]float32, rows*cols)
		s.Affine(&Affine{
			Scale: scale, Shift: shift, X: Float32(x, cols), Residual: Float32(residual, cols), Out: Float32(out, cols), Act: ReLU,
		}, 0, rows, scratch)
		const per = cols / groups
		for g := range groups {
			var mean, square float64
			for i, v := range x {
				if i%cols/per == g {
					mean += float64(v) / (rows * per)
				}
			}
			for i, v := range x {
				if i%cols/per == g {
					square += (float64(v) - mean) * (float64(v) - mean) / (rows * per)
				}
			}
			for i, v := range x {
				if c := i % cols; c/per == g {
					want := (float64(v)-mean)/math.Sqrt(square+eps)*float64(gamma[c]) + float64(beta[c]) + float64(residual[i])
					near(t, "normalised", float64(out[i]), max(want, 0), 1e-5)
				}
			}
		}
	})
}

func TestAffineMatchesFloat64(t *testing.T) {
	sets(t, func(t *testing.T, s *Set) {
		r := random(34)
		for range 150 {
			rows, cols := pick(r, 12), pick(r, 40)
			half := func() storage { return oneIn(r, 4) }
			a := &Affine{Scale: normal(r, cols), Shift: normal(r, cols)}
			if r.IntN(2) == 0 {
				a.Act = ReLU
			}
			x := newMatrix(r, normal(r, rows*cols), rows, cols, half())
			out := newMatrix(r, nil, rows, cols, half())
			if r.IntN(3) == 0 {
				out = x
			}
			res := newMatrix(r, normal(r, rows*cols), rows, cols, half())
			a.X, a.Out = x.Rows, out.Rows
			with := r.IntN(2) == 0
			if with {
				a.Residual = res.Rows
				if r.IntN(3) == 0 { // the sum in place of the residual
					out = res
					a.Out = out.Rows
				}
			}
			want := make([]float64, rows*cols)
			for i := range want {
				want[i] = x.at(i/cols, i%cols)*float64(a.Scale[i%cols]) + float64(a.Shift[i%cols])
				if with {
					want[i] += res.at(i/cols, i%cols)
				}
				if a.Act == ReLU {
					want[i] = max(want[i], 0)
				}
			}
			split := r.IntN(rows + 1)
			scratch := scratchOf(RowScratchLen(cols))
			s.Affine(a, split, rows, scratch.in)
			s.Affine(a, 0, split, scratch.in)
			scratch.check(t, "scratch")
			out.checkBorders(t, "result")
			for i, w := range want {
				near(t, "affine", out.at(i/cols, i%cols), w, 2e-6+math.Abs(w)*out.stored.rounding())
			}
		}
	})
}

func BenchmarkRows(b *testing.B) {
	s := Best()
	r := random(1)
	run := func(name string, bytes int, f func()) {
		b.Run(name, func(b *testing.B) { measure(b, float64(bytes), "GB/s", f) })
	}
	for _, cols := range []int{32, 112, 448, 896} {
		const n = 1 << 21
		rows := n / cols
		x, out, gamma := normal(r, n), make([]float32, n), normal(r, cols)
		scratch := make([]float32, RowScratchLen(cols))
		run(benchName("layernorm/C=%d", cols), 8*rows*cols, func() {
			s.LayerNorm(Float32(out, cols), Float32(x, cols), 0, rows, cols, gamma, gamma, 1e-6, scratch)
		})
	}
	const pixels = 768 * 128
	for _, cols := range []int{24, 64} {
		x, res, out := normal(r, pixels*cols), normal(r, pixels*cols), make([]float32, pixels*cols)
		half := make([]uint16, pixels*cols)
		a := &Affine{Scale: normal(r, cols), Shift: normal(r, cols), X: Float32(x, cols), Out: Float32(out, cols), Act: ReLU}
		scratch := make([]float32, RowScratchLen(cols))
		run(benchName("affine+relu/C=%d", cols), 8*len(x), func() { s.Affine(a, 0, pixels, scratch) })
		a.Residual = Float32(res, cols)
		run(benchName("affine+residual+relu/C=%d", cols), 12*len(x), func() { s.Affine(a, 0, pixels, scratch) })
		parts := make([]float64, 2*cols)
		run(benchName("moments/C=%d", cols), 4*len(x), func() { s.RowMoments(parts, a.X, 0, pixels, cols, scratch) })
		run(benchName("tobfloat16/C=%d", cols), 6*len(x), func() { s.Round(half, x, BFloat16) })
		run(benchName("tofloat16/C=%d", cols), 6*len(x), func() { s.Round(half, x, Float16) })
	}
}
