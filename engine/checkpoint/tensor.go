package checkpoint

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Tensor describes one tensor of a checkpoint.
type Tensor struct {
	Name  string
	Shape []int // as the file states it, outermost axis first; empty for a scalar
	DType DType // of the stored elements
}

// Elements returns the number of elements, the product of the shape.
func (t Tensor) Elements() int {
	n := 1
	for _, size := range t.Shape {
		n *= size
	}
	return n
}

// String reads NAME DTYPE [SHAPE].
func (t Tensor) String() string {
	return quoted(t.Name) + " " + t.DType.String() + " " + shapeString(t.Shape)
}

func shapeString(shape []int) string {
	parts := make([]string, len(shape))
	for i, size := range shape {
		parts[i] = strconv.Itoa(size)
	}
	return "[" + strings.Join(parts, " ") + "]"
}

const (
	// maxRank bounds the number of axes: PyTorch itself stops at 64, networks
	// of pictures use 5 at most.
	maxRank = 16
	// maxTensors bounds the entries of a checkpoint; the largest published
	// networks have some ten thousand.
	maxTensors = 1 << 16
)

// checkShape returns the elements and bytes that a shape takes, or an error
// when it is not a shape or overflows.
func checkShape(shape []int, dtype DType) (elements, bytes int64, err error) {
	if len(shape) > maxRank {
		return 0, 0, fmt.Errorf("%d axes, more than the %d that are supported", len(shape), maxRank)
	}
	if slices.Contains(shape, 0) {
		return 0, 0, nil
	}
	const limit = int64(1) << 48 // bytes; keeps every later product and sum far from overflow
	elements = 1
	for _, size := range shape {
		if size < 0 {
			return 0, 0, fmt.Errorf("a negative size in the shape %s", shapeString(shape))
		}
		if elements > limit/int64(size) {
			return 0, 0, fmt.Errorf("the absurd shape %s", shapeString(shape))
		}
		elements *= int64(size)
	}
	if elements > limit/int64(dtype.Size()) {
		return 0, 0, fmt.Errorf("the absurd shape %s", shapeString(shape))
	}
	return elements, elements * int64(dtype.Size()), nil
}
