package picture

import (
	"context"
	"math"
)

// recursive is Deriche's fourth-order approximation of a Gaussian (R. Deriche, "Recursively implementing the
// Gaussian and its derivatives", INRIA report 1893, 1993): the sum of a forward filter
// y[i] = sum n[k] x[i-k] - sum d[k] y[i-1-k] and its mirror without the centre tap.
type recursive struct {
	ahead [4]float64 // numerator of the forward filter, from x[i] on
	back  [4]float64 // numerator of the backward filter, from x[i+1] on
	d     [4]float64 // the denominator of both
	// The gain of both for a constant line: what they hold before the first sample of a replicated edge.
	aheadGain, backGain float64
}

func newRecursive(sigma float64) recursive {
	// The Gaussian's right half is close to the sum of two damped cosines,
	// e^(-b t/s) (a cos(w t/s) + c sin(w t/s)): Deriche's fitted constants.
	terms := [2]struct{ a, c, b, w float64 }{
		{1.68, 3.735, 1.783, 0.6318},
		{-0.6803, -0.2598, 1.723, 1.997},
	}
	// Each damped cosine is a two-pole filter (numerator p, denominator q); their sum has the product of the
	// denominators, and the cross products of numerator and denominator.
	var p [2][2]float64
	var q [2][3]float64
	for i, t := range terms {
		decay := math.Exp(-t.b / sigma)
		sin, cos := math.Sincos(t.w / sigma)
		p[i] = [2]float64{t.a, decay * (t.c*sin - t.a*cos)}
		q[i] = [3]float64{1, -2 * decay * cos, decay * decay}
	}
	var r recursive
	denominator := [5]float64{}
	for i := range 3 {
		for j := range 3 {
			denominator[i+j] += q[0][i] * q[1][j]
		}
		for j := range 2 {
			r.ahead[i+j] += p[1][j]*q[0][i] + p[0][j]*q[1][i]
		}
	}
	copy(r.d[:], denominator[1:])
	// The mirror image without its centre: n[k] - d[k] n[0], one sample later.
	for k := range 3 {
		r.back[k] = r.ahead[k+1] - r.d[k]*r.ahead[0]
	}
	r.back[3] = -r.d[3] * r.ahead[0]
	poles, ahead, back := 1.0, 0.0, 0.0
	for k := range 4 {
		poles += r.d[k]
		ahead += r.ahead[k]
		back += r.back[k]
	}
	// A constant must stay what it is.
	total := (ahead + back) / poles
	for k := range 4 {
		r.ahead[k] /= total
		r.back[k] /= total
	}
	r.aheadGain, r.backGain = ahead/poles/total, back/poles/total
	return r
}

// rows filters every row of m into a new image.
func (r recursive) rows(ctx context.Context, m Image) Image {
	out := New(m.W, m.H, m.C)
	parallel(ctx, m.H, leastBand, func(y0, y1 int) {
		for y := y0; y < y1; y++ {
			for c := range m.C {
				r.line(out.Row(y)[c:], m.Row(y)[c:], m.W, m.C)
			}
		}
	})
	return out
}

// columns filters every column of m in place. Columns are taken a few at a time, so that memory is walked
// in whole cache lines.
func (r recursive) columns(ctx context.Context, m Image) {
	const together = 16
	n := m.W * m.C
	bands := (n + together - 1) / together
	parallel(ctx, bands, 1, func(b0, b1 int) {
		in := make([]float32, m.H*together)
		out := make([]float32, m.H*together)
		for b := b0; b < b1; b++ {
			first := b * together
			count := min(together, n-first)
			for y := range m.H {
				copy(in[y*together:], m.Row(y)[first:first+count])
			}
			for i := range count {
				r.line(out[i:], in[i:], m.H, together)
			}
			for y := range m.H {
				copy(m.Row(y)[first:first+count], out[y*together:])
			}
		}
	})
}

// line filters the n samples src[0], src[step], ... into dst at the same places. State is float64: the poles
// of a wide Gaussian lie so close to 1 that float32 would drift.
func (r recursive) line(dst, src []float32, n, step int) {
	edge := float64(src[0])
	x1, x2, x3 := edge, edge, edge
	y1 := edge * r.aheadGain
	y2, y3, y4 := y1, y1, y1
	for i := 0; i < n*step; i += step {
		x := float64(src[i])
		y := r.ahead[0]*x + r.ahead[1]*x1 + r.ahead[2]*x2 + r.ahead[3]*x3 -
			r.d[0]*y1 - r.d[1]*y2 - r.d[2]*y3 - r.d[3]*y4
		x3, x2, x1 = x2, x1, x
		y4, y3, y2, y1 = y3, y2, y1, y
		dst[i] = float32(y)
	}
	edge = float64(src[(n-1)*step])
	x1, x2, x3 = edge, edge, edge
	x4 := edge
	y1 = edge * r.backGain
	y2, y3, y4 = y1, y1, y1
	for i := (n - 1) * step; i >= 0; i -= step {
		y := r.back[0]*x1 + r.back[1]*x2 + r.back[2]*x3 + r.back[3]*x4 -
			r.d[0]*y1 - r.d[1]*y2 - r.d[2]*y3 - r.d[3]*y4
		x4, x3, x2, x1 = x3, x2, x1, float64(src[i])
		y4, y3, y2, y1 = y3, y2, y1, y
		dst[i] += float32(y)
	}
}
