package kernels

import (
	"encoding/binary"
	"fmt"
	"math"

	"greenroom/engine/program"
)

// A packed weight is the transposed matrix [k, n] with rows up to a multiple of packRows, so that kernels need not
// look where the inner dimension ends, and columns up to a multiple of packColumns; what is added is zero.
const (
	packRows    = 16
	packColumns = 8
)

// PackedBytes returns the memory of a packed weight [n, k].
func PackedBytes(n, k int, t program.DType) int64 {
	return int64(roundUp(k, packRows)) * int64(roundUp(n, packColumns)) * t.Size()
}

// PackWeight lays out a weight [n, k], row-major, as the kernels of Gemm and Conv read it, in float32 or rounded
// to a half-width type. k of a convolution is (kernel row, kernel column, channel).
func PackWeight(w []float32, n, k int, t program.DType) ([]byte, error) {
	if n < 1 || k < 1 || len(w) != n*k {
		return nil, fmt.Errorf("pack a weight of %d x %d: it has %d values", n, k, len(w))
	}
	columns := roundUp(n, packColumns)
	b := make([]byte, PackedBytes(n, k, t))
	for i := range n {
		for j, v := range w[i*k : (i+1)*k] {
			at := j*columns + i
			switch t {
			case program.BF16:
				binary.LittleEndian.PutUint16(b[2*at:], bfloat16(v))
			case program.F16:
				binary.LittleEndian.PutUint16(b[2*at:], float16(v))
			default:
				binary.LittleEndian.PutUint32(b[4*at:], math.Float32bits(v))
			}
		}
	}
	return b, nil
}

// bfloat16 rounds to nearest even; NaN stays NaN.
func bfloat16(x float32) uint16 {
	b := math.Float32bits(x)
	if b&0x7fffffff > 0x7f800000 {
		return uint16(b>>16) | 0x40
	}
	return uint16((b + 0x7fff + b>>16&1) >> 16)
}

// float16 rounds to IEEE half precision, to nearest even, what is over the largest to infinity; NaN stays NaN.
func float16(x float32) uint16 {
	b := math.Float32bits(x)
	sign := uint16(b >> 16 & 0x8000)
	b &= 0x7fffffff
	switch {
	case b > 0x7f800000:
		return sign | 0x7e00 | uint16(b>>13&0x1ff)
	case b >= 0x47800000: // 65536 and up
		return sign | 0x7c00
	case b < 0x38800000: // below 2^-14: a multiple of 2^-24, which adding 0.5 leaves in the low bits
		return sign | uint16(math.Float32bits(math.Float32frombits(b)+0.5)-math.Float32bits(0.5))
	}
	return sign | uint16((b-0x38000000+0xfff+b>>13&1)>>13)
}

// packed is the reach of a packed weight [n, k].
func packed(n, k int, t program.DType) reach {
	return words(Weight, int(PackedBytes(n, k, t)/4))
}
