package kernel

import (
	"fmt"
	"math"
)

// LayerNorm is dst = (src - mean) / sqrt(variance + eps) * gamma + beta for rows r0 to r1, mean and variance over
// the cols columns of each row. dst may be src. scratch holds RowScratchLen(cols) floats; it is used for half-width operands.
func (s *Set) LayerNorm(dst, src Rows, r0, r1, cols int, gamma, beta []float32, eps float32, scratch []float32) {
	checkRange("rows", r0, r1, r1)
	dst.check("destination", r1, cols)
	src.check("source", r1, cols)
	checkLen("gamma", len(gamma), cols)
	checkLen("beta", len(beta), cols)
	checkLen("scratch", len(scratch), RowScratchLen(cols))
	if r0 == r1 {
		return
	}
	gamma, beta = gamma[:cols], beta[:cols]
	if dst.F32 != nil && src.F32 != nil {
		s.p.layerNorm(dst.F32[r0*dst.Stride:], src.F32[r0*src.Stride:], gamma, beta, eps, dst.Stride, src.Stride, r1-r0)
		return
	}
	for r := r0; r < r1; r++ {
		out := dst.target(r, cols, scratch)
		s.p.layerNorm(out, s.read(src, r, cols, scratch), gamma, beta, eps, 0, 0, 1)
		s.store(dst, r, out)
	}
}

func layerNormGo(dst, src, gamma, beta []float32, eps float32, dstStride, srcStride, rows int) {
	cols := len(gamma)
	for r := range rows {
		row, out := src[r*srcStride:][:cols], dst[r*dstStride:][:cols]
		var sum float64
		for _, x := range row {
			sum += float64(x)
		}
		mean := float32(sum / float64(cols))
		var square float64
		for _, x := range row {
			d := float64(x - mean)
			square += d * d
		}
		scale := float32(1 / math.Sqrt(square/float64(cols)+float64(eps)))
		for i, x := range row {
			out[i] = (x-mean)*scale*gamma[i] + beta[i]
		}
	}
}

// Moments are the mean and the sum of squared deviations from it of every column over Count rows.
type Moments struct {
	Count              float64
	Mean, SquaredError []float64
}

// MergeMoments combines row moments (rows times [2*cols], as RowMoments writes them, each over count values)
// in order, so that the result does not depend on who computed them.
// Formula: Chan, Golub, LeVeque, "Updating formulae and a pairwise algorithm for computing sample variances", 1979.
func MergeMoments(rows []float64, count, cols int) Moments {
	if cols < 1 || count < 1 || len(rows)%(2*cols) != 0 {
		panic(fmt.Sprintf("kernel: %d row moments of %d columns over %d", len(rows), cols, count))
	}
	m := Moments{Mean: make([]float64, cols), SquaredError: make([]float64, cols)}
	n := float64(count)
	for ; len(rows) > 0; rows = rows[2*cols:] {
		total := m.Count + n
		share, spread := n/total, m.Count*n/total
		for c := range cols {
			d := rows[c] - m.Mean[c]
			m.Mean[c] += d * share
			m.SquaredError[c] += rows[cols+c] + d*d*spread
		}
		m.Count = total
	}
	return m
}

// Groups reduces the moments of columns to the mean and 1/sqrt(variance + eps) of groups of equally many
// neighbouring columns: stats is [groups][2].
func (m Moments) Groups(stats []float32, groups int, eps float64) {
	cols := len(m.Mean)
	if groups < 1 || cols%groups != 0 {
		panic(fmt.Sprintf("kernel: %d columns in %d groups", cols, groups))
	}
	checkLen("statistics", len(stats), 2*groups)
	per := cols / groups
	for g := range groups {
		var mean, square float64
		for _, x := range m.Mean[g*per : (g+1)*per] {
			mean += x / float64(per)
		}
		for c := g * per; c < (g+1)*per; c++ {
			d := m.Mean[c] - mean
			square += m.SquaredError[c] + d*d*m.Count
		}
		stats[2*g] = float32(mean)
		stats[2*g+1] = float32(1 / math.Sqrt(square/(m.Count*float64(per))+eps))
	}
}

// GroupAffine turns group statistics ([groups][2]: mean, 1/sqrt(variance + eps)) into a scale and shift for every
// column: x*scale + shift = (x - mean) * rstd * gamma + beta.
func GroupAffine(scale, shift, stats, gamma, beta []float32, groups int) {
	cols := len(scale)
	if groups < 1 || cols%groups != 0 || len(shift) != cols {
		panic(fmt.Sprintf("kernel: %d columns in %d groups", cols, groups))
	}
	checkLen("statistics", len(stats), 2*groups)
	checkLen("gamma", len(gamma), cols)
	checkLen("beta", len(beta), cols)
	per := cols / groups
	for c := range cols {
		mean, rstd := float64(stats[c/per*2]), float64(stats[c/per*2+1])
		f := rstd * float64(gamma[c])
		scale[c] = float32(f)
		shift[c] = float32(float64(beta[c]) - mean*f)
	}
}

// momentsBlock is how many rows are summed in float32 before the sums go on in float64.
const momentsBlock = 128

// RowMoments writes the mean of every column over rows r0 to r1 to dst[:cols] and the sum of squared deviations
// from it to dst[cols:2*cols]. scratch holds RowScratchLen(cols) floats.
func (s *Set) RowMoments(dst []float64, x Rows, r0, r1, cols int, scratch []float32) {
	checkRange("rows", r0, r1, r1)
	x.check("rows", r1, cols)
	checkLen("moments", len(dst), 2*cols)
	checkLen("scratch", len(scratch), RowScratchLen(cols))
	if r0 == r1 {
		clear(dst[:2*cols])
		return
	}
	m := newMomentSum(s, cols)
	m.begin(s.read(x, r0, cols, scratch[:cols]))
	if x.F32 != nil {
		m.add(x.F32[r0*x.Stride:], x.Stride, r1-r0)
	} else {
		for r := r0; r < r1; r++ {
			m.add(s.read(x, r, cols, scratch), cols, 1)
		}
	}
	m.result(dst)
}

// momentSum sums deviations from a shift near the mean, so that squares do not cancel: short runs in float32,
// the rest in float64.
type momentSum struct {
	s                 *Set
	shift             []float32
	part, partSquare  []float32
	total, totalError []float64
	rows, inPart      int
}

func newMomentSum(s *Set, cols int) *momentSum {
	f, d := make([]float32, 3*cols), make([]float64, 2*cols)
	return &momentSum{
		s: s, shift: f[:cols], part: f[cols : 2*cols], partSquare: f[2*cols:],
		total: d[:cols], totalError: d[cols:],
	}
}

// begin starts a new sum. Values are taken relative to shift, one of the rows.
func (m *momentSum) begin(shift []float32) {
	copy(m.shift, shift)
	clear(m.total)
	clear(m.totalError)
	m.rows = 0
}

func (m *momentSum) add(x []float32, stride, rows int) {
	for at := 0; at < rows; {
		n := min(momentsBlock-m.inPart, rows-at)
		m.s.p.moments(m.part, m.partSquare, m.shift, x[at*stride:], stride, n)
		at += n
		m.inPart += n
		m.rows += n
		if m.inPart == momentsBlock {
			m.flush()
		}
	}
}

func (m *momentSum) flush() {
	for c := range m.part {
		m.total[c] += float64(m.part[c])
		m.totalError[c] += float64(m.partSquare[c])
	}
	clear(m.part)
	clear(m.partSquare)
	m.inPart = 0
}

func (m *momentSum) result(dst []float64) {
	m.flush()
	n, cols := float64(m.rows), len(m.shift)
	for c := range cols {
		mean := m.total[c] / n
		dst[c] = float64(m.shift[c]) + mean
		dst[cols+c] = max(0, m.totalError[c]-n*mean*mean)
	}
}

func momentsGo(sum, square, shift, x []float32, stride, rows int) {
	for r := range rows {
		row := x[r*stride : r*stride+len(shift)]
		for c, v := range row {
			d := v - shift[c]
			sum[c] += d
			square[c] += d * d
		}
	}
}

// Affine describes Out = act(X*Scale + Shift + Residual), scale and shift by column: the second half of a
// GroupNorm.
type Affine struct {
	// Scale and Shift are [Cols].
	Scale, Shift []float32
	// Residual is optional; like Out it may be the same memory as X.
	X, Residual, Out Rows
	// Act is Identity or ReLU.
	Act Activation
}

// Affine computes rows r0 to r1. scratch holds RowScratchLen(columns) floats; it is used for half-width operands.
func (s *Set) Affine(a *Affine, r0, r1 int, scratch []float32) {
	cols := len(a.Scale)
	checkRange("rows", r0, r1, r1)
	a.X.check("X", r1, cols)
	a.Out.check("Out", r1, cols)
	checkLen("shift", len(a.Shift), cols)
	checkLen("scratch", len(scratch), RowScratchLen(cols))
	if !a.Residual.None() {
		a.Residual.check("residual", r1, cols)
	}
	if a.Act != Identity && a.Act != ReLU {
		panic("kernel: affine has no such activation")
	}
	if r0 == r1 {
		return
	}
	relu := a.Act == ReLU
	if a.X.F32 != nil && a.Out.F32 != nil && a.Residual.Half == nil {
		var residual []float32
		if a.Residual.F32 != nil {
			residual = a.Residual.F32[r0*a.Residual.Stride:]
		}
		s.p.affine(a.Out.F32[r0*a.Out.Stride:], a.X.F32[r0*a.X.Stride:], a.Scale, a.Shift[:cols], residual,
			a.Out.Stride, a.X.Stride, a.Residual.Stride, r1-r0, relu)
		return
	}
	buf, rest := cut(scratch, cols)
	resBuf, outBuf := cut(rest, cols)
	for r := r0; r < r1; r++ {
		var residual []float32
		if !a.Residual.None() {
			residual = s.read(a.Residual, r, cols, resBuf)
		}
		out := a.Out.target(r, cols, outBuf)
		s.p.affine(out, s.read(a.X, r, cols, buf), a.Scale, a.Shift[:cols], residual, cols, cols, cols, 1, relu)
		s.store(a.Out, r, out)
	}
}

func affineGo(dst, x, scale, shift, residual []float32, dstStride, xStride, resStride, rows int, relu bool) {
	for r := range rows {
		out, in := dst[r*dstStride:][:len(scale)], x[r*xStride:][:len(scale)]
		for c, f := range scale {
			y := in[c]*f + shift[c]
			if residual != nil {
				y += residual[r*resStride+c]
			}
			if relu {
				y = max(y, 0)
			}
			out[c] = y
		}
	}
}
