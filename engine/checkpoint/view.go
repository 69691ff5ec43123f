package checkpoint

import (
	"cmp"
	"slices"
)

// view is where the elements of a tensor lie in its storage, from its first
// element on.
type view struct {
	span    int64   // elements from the first to the last, both included
	strides []int64 // nil: row-major without gaps
}

// axis is one axis of a tensor with more than one index.
type axis struct {
	size   int
	stride int64 // in the storage, in elements
	step   int   // in a row-major array, in elements
}

// storageOrder returns the axes from the widest stride to the narrowest, so
// that walking them like digits visits the storage front to back.
func storageOrder(shape []int, strides []int64) []axis {
	axes := make([]axis, 0, len(shape))
	step := 1
	for i, size := range slices.Backward(shape) {
		if size > 1 {
			axes = append(axes, axis{size, strides[i], step})
		}
		step *= size
	}
	slices.SortStableFunc(axes, func(a, b axis) int { return cmp.Compare(b.stride, a.stride) })
	return axes
}

// checkView checks that a tensor of PyTorch lies inside its storage and that
// no two of its elements share a place. Elements is the product of its size.
func checkView(t *torchTensor, elements int64) (view, error) {
	if len(t.size) != len(t.stride) {
		return view{}, damaged("it has %d sizes but %d strides", len(t.size), len(t.stride))
	}
	if t.offset < 0 || t.offset > t.storage.elements {
		return view{}, damaged("it begins at element %d of a storage of %d", t.offset, t.storage.elements)
	}
	if elements == 0 {
		return view{}, nil
	}
	shape := make([]int, len(t.size))
	for i, size := range t.size {
		shape[i] = int(size)
	}
	// Without this bound the products below could overflow.
	room := t.storage.elements - t.offset
	for i, stride := range t.stride {
		if t.size[i] > 1 && (stride < 0 || stride > room) {
			return view{}, damaged("axis %d has the impossible stride %d", i, stride)
		}
	}
	span := int64(1)
	contiguous := true
	order := storageOrder(shape, t.stride)
	for _, axis := range slices.Backward(order) {
		if axis.stride < span {
			return view{}, unsupported("its elements overlap in the storage (size %d, stride %d): it was saved as an expanded view", axis.size, axis.stride)
		}
		contiguous = contiguous && axis.stride == int64(axis.step)
		if int64(axis.size-1) > (room-span)/axis.stride {
			return view{}, damaged("axis of size %d, stride %d reaches beyond the %d elements of its storage", axis.size, axis.stride, t.storage.elements)
		}
		span += int64(axis.size-1) * axis.stride
	}
	if span > room {
		return view{}, damaged("it reaches beyond the %d elements of its storage", t.storage.elements)
	}
	if contiguous {
		return view{span: span}, nil
	}
	return view{span, t.stride}, nil
}
