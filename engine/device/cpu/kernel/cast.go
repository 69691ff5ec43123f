package kernel

import "math"

// ToBFloat16 rounds x to bfloat16, to nearest even; NaN stays NaN.
func (s *Set) ToBFloat16(dst []uint16, x []float32) {
	checkLen("destination", len(dst), len(x))
	s.p.round(dst, x, 0, 0, 1, len(x))
}

// FromBFloat16 widens bfloat16 to float32. It is exact.
func (s *Set) FromBFloat16(dst []float32, x []uint16) {
	checkLen("destination", len(dst), len(x))
	s.p.expand(dst, x, 0, 0, 1, len(x))
}

// ToFloat16 rounds x to IEEE half precision, to nearest even; what is too large becomes infinite.
func (s *Set) ToFloat16(dst []uint16, x []float32) {
	checkLen("destination", len(dst), len(x))
	s.p.toHalf(dst[:len(x)], x)
}

// FromFloat16 widens IEEE half precision to float32. It is exact.
func (s *Set) FromFloat16(dst []float32, x []uint16) {
	checkLen("destination", len(dst), len(x))
	s.p.ofHalf(dst[:len(x)], x)
}

func copyGo(dst, x []float32, dstStride, xStride, rows, cols int) {
	for r := range rows {
		copy(dst[r*dstStride:][:cols], x[r*xStride:][:cols])
	}
}

func expandGo(dst []float32, x []uint16, dstStride, xStride, rows, cols int) {
	for r := range rows {
		out := dst[r*dstStride:][:cols]
		for i, v := range x[r*xStride:][:cols] {
			out[i] = math.Float32frombits(uint32(v) << 16)
		}
	}
}

func roundGo(dst []uint16, x []float32, dstStride, xStride, rows, cols int) {
	for r := range rows {
		out := dst[r*dstStride:][:cols]
		for i, v := range x[r*xStride:][:cols] {
			out[i] = roundBFloat16(v)
		}
	}
}

func toHalfGo(dst []uint16, x []float32) {
	for i, v := range x {
		dst[i] = float16(v)
	}
}

func ofHalfGo(dst []float32, x []uint16) {
	for i, v := range x {
		dst[i] = fromFloat16(v)
	}
}
