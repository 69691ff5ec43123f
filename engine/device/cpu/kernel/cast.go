package kernel

import "greenroom/engine/picture/half"

// Format is a format of 16-bit floats.
type Format uint8

const (
	// BFloat16 is the upper half of a float32.
	BFloat16 Format = iota
	// Float16 is IEEE half precision.
	Float16
)

// round returns the function that rounds to the format, to nearest even; NaN stays NaN, and what is over the largest
// number becomes infinite.
func (f Format) round() func(float32) uint16 {
	if f == Float16 {
		return half.Float16
	}
	return half.BFloat16
}

// Round rounds x to a half-width format, to nearest even; NaN stays NaN, and what is over the largest number becomes
// infinite.
func (s *Set) Round(dst []uint16, x []float32, f Format) {
	checkLen("destination", len(dst), len(x))
	s.p.halves[f].round(dst, x, 0, 0, 1, len(x))
}

// Expand widens numbers of a half-width format to float32. It is exact.
func (s *Set) Expand(dst []float32, x []uint16, f Format) {
	checkLen("destination", len(dst), len(x))
	s.p.halves[f].expand(dst, x, 0, 0, 1, len(x))
}

func copyGo(dst, x []float32, dstStride, xStride, rows, cols int) {
	for r := range rows {
		copy(dst[r*dstStride:][:cols], x[r*xStride:][:cols])
	}
}

func expandBFloat16Go(dst []float32, x []uint16, dstStride, xStride, rows, cols int) {
	for r := range rows {
		out := dst[r*dstStride:][:cols]
		for i, v := range x[r*xStride:][:cols] {
			out[i] = half.FromBFloat16(v)
		}
	}
}

func roundBFloat16Go(dst []uint16, x []float32, dstStride, xStride, rows, cols int) {
	for r := range rows {
		out := dst[r*dstStride:][:cols]
		for i, v := range x[r*xStride:][:cols] {
			out[i] = half.BFloat16(v)
		}
	}
}

func expandFloat16Go(dst []float32, x []uint16, dstStride, xStride, rows, cols int) {
	for r := range rows {
		out := dst[r*dstStride:][:cols]
		for i, v := range x[r*xStride:][:cols] {
			out[i] = half.FromFloat16(v)
		}
	}
}

func roundFloat16Go(dst []uint16, x []float32, dstStride, xStride, rows, cols int) {
	for r := range rows {
		out := dst[r*dstStride:][:cols]
		for i, v := range x[r*xStride:][:cols] {
			out[i] = half.Float16(v)
		}
	}
}
