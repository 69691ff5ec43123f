package kernel

import "fmt"

// Rows is a view of a matrix: element (r, c) is at r*Stride + c. Exactly one of F32 and Half is set. The zero Rows
// stands for "none" where an operand is optional.
type Rows struct {
	F32 []float32
	// Half holds elements of 16 bits in Format.
	Half   []uint16
	Format Format
	Stride int
}

// Float32 returns the view of x with the given stride.
func Float32(x []float32, stride int) Rows { return Rows{F32: x, Stride: stride} }

// Half returns the view of x, elements of 16 bits, with the given stride.
func Half(x []uint16, f Format, stride int) Rows { return Rows{Half: x, Format: f, Stride: stride} }

// None reports whether the view is the zero Rows.
func (v Rows) None() bool { return v.F32 == nil && v.Half == nil }

// RowScratchLen is how many floats of working memory the row operations need (those that take scratch and have
// no size function of their own) for rows of cols columns.
func RowScratchLen(cols int) int { return 8 * roundUp(cols, 16) }

func (v Rows) len() int { return max(len(v.F32), len(v.Half)) }

// from returns the view that starts at row r.
func (v Rows) from(r int) Rows { return v.at(r, 0) }

// at returns the view that starts at row r and column c.
func (v Rows) at(r, c int) Rows {
	o := r*v.Stride + c
	if v.F32 != nil {
		return Rows{F32: v.F32[o:], Stride: v.Stride}
	}
	if v.Half != nil {
		return Half(v.Half[o:], v.Format, v.Stride)
	}
	return Rows{}
}

// check panics unless the view holds rows rows of cols columns.
func (v Rows) check(what string, rows, cols int) {
	if v.F32 != nil && v.Half != nil {
		panic(fmt.Sprintf("kernel: %s is both float32 and half-width", what))
	}
	if rows <= 0 {
		return
	}
	if v.Stride < cols && rows > 1 {
		panic(fmt.Sprintf("kernel: %s has stride %d for %d columns", what, v.Stride, cols))
	}
	if need := (rows-1)*v.Stride + cols; v.len() < need {
		panic(fmt.Sprintf("kernel: %s holds %d elements, needs %d", what, v.len(), need))
	}
}

func checkLen(what string, have, need int) {
	if have < need {
		panic(fmt.Sprintf("kernel: %s holds %d elements, needs %d", what, have, need))
	}
}

func checkRange(what string, first, last, limit int) {
	if first < 0 || last < first || last > limit {
		panic(fmt.Sprintf("kernel: %s %d to %d of %d", what, first, last, limit))
	}
}

func roundUp(n, unit int) int { return (n + unit - 1) / unit * unit }

// read returns cols columns of row r as float32: in place, or converted into buf.
func (s *Set) read(v Rows, r, cols int, buf []float32) []float32 {
	o := r * v.Stride
	if v.F32 != nil {
		return v.F32[o : o+cols]
	}
	s.p.halves[v.Format].expand(buf, v.Half[o:o+cols], 0, 0, 1, cols)
	return buf[:cols]
}

// target returns where to compute row r: in place, or in buf, from which store must convert it.
func (v Rows) target(r, cols int, buf []float32) []float32 {
	if v.F32 != nil {
		o := r * v.Stride
		return v.F32[o : o+cols]
	}
	return buf[:cols]
}

// store finishes a row that was computed in what target returned.
func (s *Set) store(v Rows, r int, row []float32) {
	if v.Half != nil {
		s.p.halves[v.Format].round(v.Half[r*v.Stride:][:len(row)], row, 0, 0, 1, len(row))
	}
}

// readBlock converts or copies rows rows of cols columns into dst with stride dstStride.
func (s *Set) readBlock(dst []float32, dstStride int, v Rows, rows, cols int) {
	v.check("source", rows, cols)
	checkLen("block", len(dst), (rows-1)*dstStride+cols)
	if v.F32 != nil {
		s.p.copy(dst, v.F32, dstStride, v.Stride, rows, cols)
	} else {
		s.p.halves[v.Format].expand(dst, v.Half, dstStride, v.Stride, rows, cols)
	}
}

// writeBlock converts or copies rows rows of cols columns from src with stride srcStride into v.
func (s *Set) writeBlock(v Rows, src []float32, srcStride, rows, cols int) {
	v.check("destination", rows, cols)
	checkLen("block", len(src), (rows-1)*srcStride+cols)
	if v.F32 != nil {
		s.p.copy(v.F32, src, v.Stride, srcStride, rows, cols)
	} else {
		s.p.halves[v.Format].round(v.Half, src, v.Stride, srcStride, rows, cols)
	}
}
