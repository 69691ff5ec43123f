package kernel

// Set is one implementation of every primitive. It has no state: one Set may be used from many goroutines.
type Set struct {
	name string
	p    primitives
}

// Scalar returns the portable implementation. It is the reference that the others are tested against.
func Scalar() *Set { return &Set{name: "scalar", p: scalarPrimitives()} }

// Best returns the fastest implementation that this processor can run.
func Best() *Set {
	if s := vectorSet(); s != nil {
		return s
	}
	return Scalar()
}

// Name says which instructions the set uses: "scalar", "avx2" or "neon".
func (s *Set) Name() string { return s.name }

// primitives are the innermost loops. Everything else in the package is blocking, packing and checking, and
// is shared by all sets. Lengths have been checked when they are called. Row loops take strides in elements.
type primitives struct {
	// panel multiplies rows of A with one panel of packed B.
	panel func(*panel)
	// transpose writes the panel [cols][width] of the matrix src [width, cols]: dst[c*width+r] = src[r*stride+c].
	// Rows from rows to width are zero.
	transpose func(dst, src []float32, stride, rows, cols, width int)
	// softmaxBlock updates an online softmax by one block of scores.
	softmaxBlock func(*softmaxBlock)
	// layerNorm normalises rows of src into dst, which may be the same memory.
	layerNorm func(dst, src, gamma, beta []float32, eps float32, dstStride, srcStride, rows int)
	// moments adds sum (x-shift) and sum (x-shift)^2 of every column over rows rows to sum and square.
	moments func(sum, square, shift, x []float32, stride, rows int)
	// affine is dst = act(x*scale + shift + residual) over rows of len(scale) columns. residual may be nil.
	affine func(dst, x, scale, shift, residual []float32, dstStride, xStride, resStride, rows int, relu bool)
	// lerpRows is dst = a + (b-a)*t.
	lerpRows func(dst, a, b []float32, t float32)
	// lerpColumns resamples one image row: pixel i of dst is src[left[i]] + (src[right[i]]-src[left[i]])*t[i],
	// pixels c floats wide, added to dst when add is true.
	lerpColumns func(dst, src []float32, left, right []int32, t []float32, dstStride, c int, add bool)
	// maxPool4 is dst[r] = max of x[4r..4r+3], rows of cols columns.
	maxPool4 func(dst, x []float32, dstStride, xStride, rows, cols int)
	// divide is dst[r] = x[r] / by[r], row by row.
	divide func(dst, x, by []float32, dstStride, xStride, rows, cols int)
	// copy moves rows.
	copy func(dst, x []float32, dstStride, xStride, rows, cols int)
	// halves converts rows, by Format.
	halves [2]conversion
	// scale is dst = x * by.
	scale   func(dst, x []float32, by float32)
	add     func(dst, a, b []float32)
	relu    func(dst, x []float32)
	gelu    func(dst, x []float32)
	exp     func(dst, x []float32)
	sigmoid func(dst, x []float32)
}

// conversion converts rows from (expand) and to (round) a half-width format.
type conversion struct {
	expand func(dst []float32, x []uint16, dstStride, xStride, rows, cols int)
	round  func(dst []uint16, x []float32, dstStride, xStride, rows, cols int)
}
