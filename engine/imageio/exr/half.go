package exr

import "math"

// halfMax is the largest finite half float.
const halfMax = 65504

// fromHalf widens an IEEE 754 half float. Finite ones come out exact; the others keep their kind.
func fromHalf(h uint16) float32 {
	sign := uint32(h&0x8000) << 16
	if h&0x7c00 == 0x7c00 {
		return math.Float32frombits(sign | 0x7f800000 | uint32(h&0x3ff)<<13)
	}
	// The exponents' difference of 112 is made up for by a multiplication, which sees to subnormals too.
	v := math.Float32frombits(uint32(h&0x7fff)<<13) * 0x1p112
	return math.Float32frombits(math.Float32bits(v) | sign)
}

// toHalf narrows v to the nearest half float, ties to even. What is over the largest becomes infinity.
func toHalf(v float32) uint16 {
	bits := math.Float32bits(v)
	sign := uint16(bits >> 16 & 0x8000)
	bits &= 0x7fffffff
	switch {
	case bits >= 0x47800000: // 65536 and over, infinity, NaN
		if bits > 0x7f800000 {
			return sign | 0x7e00
		}
		return sign | 0x7c00
	case bits < 0x38800000: // under 2^-14: subnormal, in steps of 2^-24
		// Adding 0.5 puts the step at the last bit of a float's mantissa, and rounds to even there.
		return sign | uint16(math.Float32bits(math.Float32frombits(bits)+0.5)-0x3f000000)
	}
	bits += 0xfff + bits>>13&1 // half a step, less a little where the last bit is even
	return sign | uint16((bits-0x38000000)>>13)
}
