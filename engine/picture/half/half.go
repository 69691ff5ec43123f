// Package half converts between float32 and the two floats of 16 bits: IEEE 754's binary16, in which pictures and
// weights are stored, and bfloat16, the upper half of a float32. Widening is exact, narrowing goes to the nearest
// value, ties to even, and NaN stays NaN.
package half

import "math"

// MaxFloat16 is the largest finite binary16 value.
const MaxFloat16 = 65504

// Float16 rounds to binary16. Values from 65520 on become infinite.
func Float16(x float32) uint16 {
	b := math.Float32bits(x)
	sign := uint16(b >> 16 & 0x8000)
	b &= 0x7fffffff
	switch {
	case b > 0x7f800000: // NaN: keep it quiet, keep the top of its payload
		return sign | 0x7e00 | uint16(b>>13&0x1ff)
	case b >= 0x47800000: // 65536 and up
		return sign | 0x7c00
	case b < 0x38800000: // below 2^-14: a multiple of 2^-24, which adding 0.5 leaves in the low bits
		return sign | uint16(math.Float32bits(math.Float32frombits(b)+0.5)-math.Float32bits(0.5))
	}
	// A carry out of the fraction rightly moves into the exponent.
	return sign | uint16((b-0x38000000+0xfff+b>>13&1)>>13)
}

// FromFloat16 widens binary16.
func FromFloat16(h uint16) float32 {
	sign, exponent, fraction := uint32(h>>15)<<31, uint32(h>>10&31), uint32(h&0x3ff)
	switch exponent {
	case 0: // zero and subnormals: fraction * 2^-24
		return math.Float32frombits(sign | math.Float32bits(float32(fraction)*(1.0/(1<<24))))
	case 31:
		if fraction != 0 {
			fraction |= 0x200
		}
		return math.Float32frombits(sign | 0x7f800000 | fraction<<13)
	}
	return math.Float32frombits(sign | (exponent+112)<<23 | fraction<<13)
}

// BFloat16 rounds to bfloat16.
func BFloat16(x float32) uint16 {
	b := math.Float32bits(x)
	if b&0x7fffffff > 0x7f800000 { // NaN: rounding could turn it into infinity
		return uint16(b>>16) | 0x40
	}
	return uint16((b + 0x7fff + b>>16&1) >> 16)
}

// FromBFloat16 widens bfloat16.
func FromBFloat16(h uint16) float32 { return math.Float32frombits(uint32(h) << 16) }
