package checkpoint

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// storageOf packs the numbers 0, 1, 2... as a storage of float32.
func storageOf(t *rapid.T, elements int64, deflated bool) packedFile {
	var raw, packed bytes.Buffer
	for i := range elements {
		raw.Write(binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(i))))
	}
	if !deflated {
		return packedFile{source: bytes.NewReader(raw.Bytes()), packed: int64(raw.Len()), size: int64(raw.Len())}
	}
	w, err := flate.NewWriter(&packed, flate.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	w.Write(raw.Bytes())
	w.Close()
	return packedFile{source: bytes.NewReader(packed.Bytes()), packed: int64(packed.Len()), size: int64(raw.Len()), deflated: true}
}

// Any order of axes, with gaps between rows and before the first element, reads
// as indexing would.
func TestViewsReadAsIndexingWould(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shape := rapid.SliceOfN(rapid.IntRange(1, 9), 0, 5).Draw(t, "shape")
		order := rapid.Permutation(axes(len(shape))).Draw(t, "order from narrow to wide")
		tensor := &torchTensor{offset: rapid.Int64Range(0, 5).Draw(t, "offset"), stride: make([]int64, len(shape))}
		span, elements := int64(1), int64(1)
		for _, axis := range order {
			tensor.stride[axis] = span + rapid.Int64Range(0, 3).Draw(t, "gap")
			span += int64(shape[axis]-1) * tensor.stride[axis]
		}
		for _, size := range shape {
			tensor.size = append(tensor.size, int64(size))
			elements *= int64(size)
		}
		length := tensor.offset + span + rapid.Int64Range(0, 4).Draw(t, "tail")
		tensor.storage = &torchStorage{dtype: Float32, elements: length}

		v, err := checkView(tensor, elements)
		if err != nil || v.span != span {
			t.Fatalf("span %d, want %d: %v", v.span, span, err)
		}
		e := entry{
			Tensor:  Tensor{Shape: shape, DType: Float32},
			data:    storageOf(t, length, rapid.Bool().Draw(t, "deflated")),
			offset:  4 * tensor.offset,
			strides: v.strides,
		}
		got := make([]float32, elements)
		if err := e.read(got); err != nil {
			t.Fatal(err)
		}
		if want := indexed(tensor); !slices.Equal(got, want) {
			t.Fatalf("strides %v: got %v, want %v", tensor.stride, got, want)
		}

		// One element less, and the view is out of bounds.
		tensor.storage.elements = tensor.offset + span - 1
		if _, err := checkView(tensor, elements); err == nil {
			t.Fatal("a view beyond its storage was accepted")
		}
	})
}

func axes(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// indexed lists the storage's numbers in row-major order of the view.
func indexed(tensor *torchTensor) []float32 {
	out := []float32{float32(tensor.offset)}
	for axis, size := range tensor.size {
		var next []float32
		for _, base := range out {
			for i := range size {
				next = append(next, base+float32(i*tensor.stride[axis]))
			}
		}
		out = next
	}
	return out
}
