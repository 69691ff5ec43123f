package kernel

import "fmt"

// panelWidth is the width of every panel of packed weights but possibly the last, which is wideWidth when that
// saves padding: N = 24 is one panel of 24 and N = 56 is 16 + 16 + 24.
const (
	panelWidth = 16
	wideWidth  = 24
)

// Packed is the right-hand matrix [K, N] of a product, rearranged into panels of 16 (or 24) columns, each
// [K][width] and zero where columns are missing, in Format if Half is set. Make it with Pack or PackHalf.
type Packed struct {
	K, N int
	F32  []float32
	Half []uint16
	// Format is that of Half.
	Format Format
}

// PackedLen returns the elements that a packed [k, n] matrix takes.
func PackedLen(k, n int) int { return k * packedWidth(n) }

// packedWidth is the sum of the widths of the panels of n columns.
func packedWidth(n int) int {
	if n <= panelWidth {
		return panelWidth
	}
	return roundUp(n, 8)
}

// panelAt returns the width of the panel that starts at column col of n.
func panelAt(col, n int) int {
	if rest := n - col; rest > panelWidth && rest <= wideWidth {
		return wideWidth
	}
	return panelWidth
}

// Pack rearranges src into dst, which holds PackedLen(k, n) floats. Element (i, j) is src[i*rowStride+j*colStride]:
// strides 1 and k read a weight stored [n, k].
func Pack(dst []float32, k, n int, src []float32, rowStride, colStride int) *Packed {
	pack(dst, k, n, src, rowStride, colStride, func(x float32) float32 { return x })
	return &Packed{K: k, N: n, F32: dst[:PackedLen(k, n)]}
}

// PackHalf is Pack with elements rounded to a half-width format.
func PackHalf(dst []uint16, f Format, k, n int, src []float32, rowStride, colStride int) *Packed {
	pack(dst, k, n, src, rowStride, colStride, f.round())
	return &Packed{K: k, N: n, Half: dst[:PackedLen(k, n)], Format: f}
}

func pack[T any](dst []T, k, n int, src []float32, rowStride, colStride int, convert func(float32) T) {
	if k < 1 || n < 1 || rowStride < 0 || colStride < 0 {
		panic(fmt.Sprintf("kernel: pack %d x %d, strides %d and %d", k, n, rowStride, colStride))
	}
	checkLen("packed matrix", len(dst), PackedLen(k, n))
	checkLen("matrix to pack", len(src), (k-1)*rowStride+(n-1)*colStride+1)
	at := 0
	for col := 0; col < n; {
		width := panelAt(col, n)
		for i := range k {
			for j := range width {
				var x float32
				if col+j < n {
					x = src[i*rowStride+(col+j)*colStride]
				}
				dst[at] = convert(x)
				at++
			}
		}
		col += width
	}
}

func (p *Packed) check() {
	if (p.F32 != nil) == (p.Half != nil) || p.K < 1 || p.N < 1 {
		panic("kernel: weights are not packed")
	}
	checkLen("packed weights", max(len(p.F32), len(p.Half)), PackedLen(p.K, p.N))
}

// scratchLen is the working memory for one panel as float32.
func (p *Packed) scratchLen() int {
	if p.Half != nil {
		return p.K * wideWidth
	}
	return 0
}

// panel returns the panel that starts at column col, converted into buf if need be.
func (p *Packed) panel(s *Set, col, width int, buf []float32) []float32 {
	if p.F32 != nil {
		return p.F32[col*p.K : (col+width)*p.K]
	}
	s.p.halves[p.Format].expand(buf, p.Half[col*p.K:], 0, 0, 1, width*p.K)
	return buf[:width*p.K]
}
