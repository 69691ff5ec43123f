package kernels

import (
	"encoding/binary"
	"fmt"
	"math"

	"greenroom/engine/picture/half"
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
				binary.LittleEndian.PutUint16(b[2*at:], half.BFloat16(v))
			case program.F16:
				binary.LittleEndian.PutUint16(b[2*at:], half.Float16(v))
			default:
				binary.LittleEndian.PutUint32(b[4*at:], math.Float32bits(v))
			}
		}
	}
	return b, nil
}

// packed is the reach of a packed weight [n, k].
func packed(n, k int, t program.DType) reach {
	return words(Weight, int(PackedBytes(n, k, t)/4))
}
