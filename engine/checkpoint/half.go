package checkpoint

import "math"

// halfToFloat32 widens an IEEE 754 binary16 value; every value is exact.
func halfToFloat32(h uint16) float32 {
	sign := uint32(h>>15) << 31
	exponent := uint32(h>>10) & 0x1f
	fraction := uint32(h) & 0x3ff
	switch exponent {
	case 0:
		// Zero and subnormals: fraction * 2^-24.
		magnitude := float32(fraction) * (1.0 / (1 << 24))
		return math.Float32frombits(math.Float32bits(magnitude) | sign)
	case 0x1f:
		return math.Float32frombits(sign | 0x7f800000 | fraction<<13)
	}
	return math.Float32frombits(sign | (exponent+112)<<23 | fraction<<13)
}

// float32ToHalf rounds to the nearest IEEE 754 binary16 value, ties to even.
// Values from 65520 on become infinite, as the standard says.
func float32ToHalf(f float32) uint16 {
	bits := math.Float32bits(f)
	sign := uint16(bits >> 16 & 0x8000)
	magnitude := bits & 0x7fffffff
	switch {
	case magnitude > 0x7f800000: // NaN: keep it quiet, keep the top of its payload
		return sign | 0x7e00 | uint16(magnitude>>13&0x1ff)
	case magnitude >= 0x477ff000: // 65520 and more
		return sign | 0x7c00
	case magnitude < 0x38800000: // below 2^-14: subnormal in half
		// Counted in units of 2^-24; the product is exact in float64 and
		// RoundToEven rounds it as the format wants.
		units := math.RoundToEven(float64(math.Float32frombits(magnitude)) * (1 << 24))
		return sign | uint16(units)
	}
	// A carry out of the fraction rightly moves into the exponent.
	rounded := magnitude - 112<<23 + 0xfff + (magnitude >> 13 & 1)
	return sign | uint16(rounded>>13)
}

// bfloat16ToFloat32 widens a bfloat16 value; every value is exact.
func bfloat16ToFloat32(b uint16) float32 { return math.Float32frombits(uint32(b) << 16) }

// float32ToBFloat16 rounds to the nearest bfloat16 value, ties to even.
func float32ToBFloat16(f float32) uint16 {
	bits := math.Float32bits(f)
	if bits&0x7fffffff > 0x7f800000 { // NaN: rounding could turn it into infinity
		return uint16(bits>>16) | 0x40
	}
	return uint16((bits + 0x7fff + bits>>16&1) >> 16)
}
