package kernel

import "math"

// ToBFloat16 rounds x to bfloat16, to nearest even; NaN stays NaN.
func (s *Set) ToBFloat16(dst []uint16, x []float32) {
	checkLen("destination", len(dst), len(x))
	s.p.float32Tob16(dst[:len(x)], x)
}

// FromBFloat16 widens bfloat16 to float32. It is exact.
func (s *Set) FromBFloat16(dst []float32, x []uint16) {
	checkLen("destination", len(dst), len(x))
	s.p.b16ToFloat32(dst[:len(x)], x)
}

// ToFloat16 rounds x to IEEE half precision, to nearest even; what is too large becomes infinite.
func (s *Set) ToFloat16(dst []uint16, x []float32) {
	checkLen("destination", len(dst), len(x))
	s.p.float32Tof16(dst[:len(x)], x)
}

// FromFloat16 widens IEEE half precision to float32. It is exact.
func (s *Set) FromFloat16(dst []float32, x []uint16) {
	checkLen("destination", len(dst), len(x))
	s.p.f16ToFloat32(dst[:len(x)], x)
}

func float32Tob16Go(dst []uint16, x []float32) {
	for i, v := range x {
		dst[i] = roundBFloat16(v)
	}
}

func b16ToFloat32Go(dst []float32, x []uint16) {
	for i, v := range x {
		dst[i] = math.Float32frombits(uint32(v) << 16)
	}
}

func float32Tof16Go(dst []uint16, x []float32) {
	for i, v := range x {
		dst[i] = float16(v)
	}
}

func f16ToFloat32Go(dst []float32, x []uint16) {
	for i, v := range x {
		dst[i] = fromFloat16(v)
	}
}
