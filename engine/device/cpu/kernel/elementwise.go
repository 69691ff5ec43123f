package kernel

import (
	"fmt"
	"math"
)

// Activate is dst = act(x), element by element, for rows r0 to r1 of cols columns. dst may be x. scratch holds
// RowScratchLen(cols) floats; it is used for half-width operands.
func (s *Set) Activate(dst, x Rows, r0, r1, cols int, act Activation, scratch []float32) {
	s.checkPair(dst, x, r0, r1, cols, scratch)
	apply := s.activation(act)
	for r := r0; r < r1; r++ {
		out := dst.target(r, cols, scratch)
		apply(out, s.read(x, r, cols, scratch))
		s.store(dst, r, out)
	}
}

// activation returns the function that applies act to every element.
func (s *Set) activation(act Activation) func(dst, x []float32) {
	switch act {
	case Identity:
		return func(dst, x []float32) { copy(dst, x) }
	case GELU:
		return s.p.gelu
	case ReLU:
		return s.p.relu
	case Sigmoid:
		return s.p.sigmoid
	}
	panic(fmt.Sprintf("kernel: no activation %d", act))
}

// Exp is dst = e^x, within 3e-7 relative, infinity from x = 88.38 (2^127.5) up, 0 below the smallest normal
// number. dst may be x.
func (s *Set) Exp(dst, x []float32) {
	checkLen("destination", len(dst), len(x))
	s.p.exp(dst[:len(x)], x)
}

// Add is dst = a + b for rows r0 to r1 of cols columns. dst may be a or b. scratch holds RowScratchLen(cols)
// floats; it is used for half-width operands.
func (s *Set) Add(dst, a, b Rows, r0, r1, cols int, scratch []float32) {
	s.checkPair(dst, a, r0, r1, cols, scratch)
	b.check("second operand", r1, cols)
	bufA, bufB := cut(scratch, cols)
	for r := r0; r < r1; r++ {
		out := dst.target(r, cols, bufA)
		s.p.add(out, s.read(a, r, cols, bufA), s.read(b, r, cols, bufB))
		s.store(dst, r, out)
	}
}

// Copy is dst = x for rows r0 to r1 of cols columns, converted where the types differ. It also serves to
// concatenate, column block by column block.
func (s *Set) Copy(dst, x Rows, r0, r1, cols int) {
	checkRange("rows", r0, r1, r1)
	dst.check("destination", r1, cols)
	x.check("source", r1, cols)
	if r0 == r1 {
		return
	}
	dst, x = dst.from(r0), x.from(r0)
	switch {
	case dst.F32 != nil:
		s.readBlock(dst.F32, dst.Stride, x, r1-r0, cols)
	case x.F32 != nil:
		s.writeBlock(dst, x.F32, x.Stride, r1-r0, cols)
	case dst.Format != x.Format:
		panic("kernel: copy between half-width formats")
	default:
		for r := range r1 - r0 {
			copy(dst.Half[r*dst.Stride:][:cols], x.Half[r*x.Stride:][:cols])
		}
	}
}

// Gather is dst[r] = x[index[r]] for rows r0 to r1 of cols columns; both have the same type.
func (s *Set) Gather(dst, x Rows, index []int32, r0, r1, cols int) {
	checkRange("rows", r0, r1, len(index))
	dst.check("destination", r1, cols)
	last := int32(-1)
	for _, i := range index[r0:r1] {
		if i < 0 {
			panic("kernel: negative row index")
		}
		last = max(last, i)
	}
	x.check("source", int(last)+1, cols)
	if (dst.F32 == nil) != (x.F32 == nil) || dst.Format != x.Format {
		panic("kernel: gather between types")
	}
	if x.F32 != nil {
		gather(dst.F32, x.F32, index, dst.Stride, x.Stride, r0, r1, cols)
		return
	}
	gather(dst.Half, x.Half, index, dst.Stride, x.Stride, r0, r1, cols)
}

func gather[T any](dst, x []T, index []int32, dstStride, xStride, r0, r1, cols int) {
	for r := r0; r < r1; r++ {
		copy(dst[r*dstStride:r*dstStride+cols], x[int(index[r])*xStride:][:cols])
	}
}

// MaxPool4 is dst[r] = the maximum of x[4r] to x[4r+3], for rows r0 to r1 of dst. scratch holds
// RowScratchLen(cols) floats; it is used for half-width operands.
func (s *Set) MaxPool4(dst, x Rows, r0, r1, cols int, scratch []float32) {
	checkRange("rows", r0, r1, r1)
	dst.check("destination", r1, cols)
	x.check("source", 4*r1, cols)
	checkLen("scratch", len(scratch), RowScratchLen(cols))
	if r0 == r1 {
		return
	}
	if dst.F32 != nil && x.F32 != nil {
		s.p.maxPool4(dst.F32[r0*dst.Stride:], x.F32[4*r0*x.Stride:], dst.Stride, x.Stride, r1-r0, cols)
		return
	}
	buf, outBuf := cut(scratch, 4*cols)
	for r := r0; r < r1; r++ {
		s.readBlock(buf, cols, x.from(4*r), 4, cols)
		out := dst.target(r, cols, outBuf)
		s.p.maxPool4(out, buf, cols, cols, 1, cols)
		s.store(dst, r, out)
	}
}

// Softmax is the softmax of each of rows r0 to r1 over cols columns, in place. scratch holds
// RowScratchLen(cols) floats; it is used for half-width operands.
func (s *Set) Softmax(x Rows, r0, r1, cols int, scratch []float32) {
	s.checkPair(x, x, r0, r1, cols, scratch)
	for r := r0; r < r1; r++ {
		row := s.read(x, r, cols, scratch)
		s.softmaxRow(row)
		s.store(x, r, row)
	}
}

// softmaxRow is one step of an online softmax, the first and only.
func (s *Set) softmaxRow(x []float32) {
	state := [2]float32{float32(math.Inf(-1)), 0}
	s.p.softmaxBlock(&softmaxBlock{
		scores: x, stride: len(x), rows: 1, cols: len(x), scale: math.Log2E, peak: state[:1], sum: state[1:],
	})
	s.p.scale(x, x, 1/state[1])
}

func (s *Set) checkPair(dst, x Rows, r0, r1, cols int, scratch []float32) {
	checkRange("rows", r0, r1, r1)
	if cols < 1 {
		panic("kernel: rows without columns")
	}
	dst.check("destination", r1, cols)
	x.check("source", r1, cols)
	checkLen("scratch", len(scratch), RowScratchLen(cols))
}

func maxPool4Go(dst, x []float32, dstStride, xStride, rows, cols int) {
	for r := range rows {
		in := x[4*r*xStride:]
		out := dst[r*dstStride : r*dstStride+cols]
		for c := range out {
			out[c] = max(in[c], in[xStride+c], in[2*xStride+c], in[3*xStride+c])
		}
	}
}
