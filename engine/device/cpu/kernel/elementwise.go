package kernel

import "fmt"

// Activate is dst = act(x), element by element, for rows r0 to r1 of cols columns. dst may be x. scratch holds
// RowScratchLen(cols) floats; it is used for bfloat16.
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

// Exp is dst = e^x, within 3e-7 relative. dst may be x.
func (s *Set) Exp(dst, x []float32) {
	checkLen("destination", len(dst), len(x))
	s.p.exp(dst[:len(x)], x)
}

// Add is dst = a + b for rows r0 to r1 of cols columns. dst may be a or b. scratch holds RowScratchLen(cols)
// floats; it is used for bfloat16.
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
	if dst.BF16 != nil && x.BF16 != nil {
		for r := r0; r < r1; r++ {
			copy(dst.BF16[r*dst.Stride:][:cols], x.BF16[r*x.Stride:][:cols])
		}
		return
	}
	if dst.Stride == cols && x.Stride == cols {
		dst, x = dst.from(r0), x.from(r0)
		r0, r1, cols = 0, 1, (r1-r0)*cols
	}
	for r := r0; r < r1; r++ {
		s.copyRow(dst, x, r, cols)
	}
}

func (s *Set) copyRow(dst, x Rows, r, cols int) {
	switch {
	case x.BF16 != nil:
		s.p.b16ToFloat32(dst.F32[r*dst.Stride:][:cols], x.BF16[r*x.Stride:][:cols])
	case dst.BF16 != nil:
		s.p.float32Tob16(dst.BF16[r*dst.Stride:][:cols], x.F32[r*x.Stride:][:cols])
	default:
		copy(dst.F32[r*dst.Stride:][:cols], x.F32[r*x.Stride:][:cols])
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
	if (dst.F32 == nil) != (x.F32 == nil) {
		panic("kernel: gather between types")
	}
	if x.F32 != nil {
		gather(dst.F32, x.F32, index, dst.Stride, x.Stride, r0, r1, cols)
		return
	}
	gather(dst.BF16, x.BF16, index, dst.Stride, x.Stride, r0, r1, cols)
}

func gather[T any](dst, x []T, index []int32, dstStride, xStride, r0, r1, cols int) {
	for r := r0; r < r1; r++ {
		copy(dst[r*dstStride:r*dstStride+cols], x[int(index[r])*xStride:][:cols])
	}
}

// MaxPool4 is dst[r] = the maximum of x[4r] to x[4r+3], for rows r0 to r1 of dst. scratch holds
// RowScratchLen(cols) floats; it is used for bfloat16.
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
		s.readBlock(buf, cols, x, 4*r, 4, cols)
		out := dst.target(r, cols, outBuf)
		s.p.maxPool4(out, buf, cols, cols, 1, cols)
		s.store(dst, r, out)
	}
}

// Softmax is the softmax of each of rows r0 to r1 over cols columns, in place. scratch holds
// RowScratchLen(cols) floats; it is used for bfloat16.
func (s *Set) Softmax(x Rows, r0, r1, cols int, scratch []float32) {
	s.checkPair(x, x, r0, r1, cols, scratch)
	for r := r0; r < r1; r++ {
		row := s.read(x, r, cols, scratch)
		s.p.softmaxRow(row)
		s.store(x, r, row)
	}
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

func softmaxRowGo(x []float32) {
	peak := x[0]
	for _, v := range x {
		peak = max(peak, v)
	}
	var sum float32
	for i, v := range x {
		x[i] = exp32(v - peak)
		sum += x[i]
	}
	scaleGo(x, x, 1/sum)
}

func addGo(dst, a, b []float32) {
	for i, x := range a {
		dst[i] = x + b[i]
	}
}

// eachGo applies f to every element.
func eachGo(f func(float32) float32) func(dst, x []float32) {
	return func(dst, x []float32) {
		for i, v := range x {
			dst[i] = f(v)
		}
	}
}

func reluGo(dst, x []float32) {
	for i, v := range x {
		dst[i] = max(v, 0)
	}
}
