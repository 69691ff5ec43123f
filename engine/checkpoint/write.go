package checkpoint

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"unicode/utf8"

	"greenroom/engine/picture/half"
)

// Weights is a tensor to be written: its description and its elements,
// row-major. Data is float32 whatever the DType; writing rounds it.
type Weights struct {
	Tensor
	Data []float32
}

// WriteSafetensors writes a safetensors file. The same tensors and metadata
// give the same bytes, in whichever order they come: wide element types first,
// names sorted, so that every tensor is aligned. The types Float32, Float16 and
// BFloat16 can be written; a finite value that its type cannot hold is an error.
func WriteSafetensors(w io.Writer, tensors []Weights, metadata map[string]string) error {
	inOrder := slices.SortedFunc(slices.Values(tensors), func(a, b Weights) int {
		return cmp.Or(cmp.Compare(b.DType.Size(), a.DType.Size()), cmp.Compare(a.Name, b.Name))
	})
	header, err := encodeHeader(inOrder, metadata)
	if err != nil {
		return fmt.Errorf("write safetensors: %w", err)
	}
	preamble := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	for _, part := range [][]byte{preamble, header} {
		if _, err := w.Write(part); err != nil {
			return fmt.Errorf("write safetensors: %w", err)
		}
	}
	for _, t := range inOrder {
		if err := WriteElements(w, t); err != nil {
			return fmt.Errorf("write safetensors: %w", err)
		}
	}
	return nil
}

// encodeHeader writes the JSON by hand where order matters, padded with spaces
// so that the data is aligned to 8 bytes.
func encodeHeader(tensors []Weights, metadata map[string]string) ([]byte, error) {
	if len(tensors) == 0 {
		return nil, errors.New("no tensors")
	}
	out := bytes.NewBufferString("{")
	if len(metadata) > 0 {
		notes, err := json.Marshal(metadata) // sorts the keys
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(out, `"__metadata__":%s,`, notes)
	}
	seen := map[string]bool{}
	offset := int64(0)
	for i, t := range tensors {
		if t.Name == "" || t.Name == "__metadata__" || seen[t.Name] || !utf8.ValidString(t.Name) {
			return nil, fmt.Errorf("the name %s is empty, reserved, not UTF-8 or used twice", quoted(t.Name))
		}
		seen[t.Name] = true
		size, err := t.check()
		if err != nil {
			return nil, err
		}
		name, err := json.Marshal(t.Name)
		if err != nil {
			return nil, err
		}
		shape, err := json.Marshal(append([]int{}, t.Shape...)) // [] for a scalar, never null
		if err != nil {
			return nil, err
		}
		if i > 0 {
			out.WriteByte(',')
		}
		fmt.Fprintf(out, `%s:{"dtype":"%v","shape":%s,"data_offsets":[%d,%d]}`, name, t.DType, shape, offset, offset+size)
		offset += size
	}
	out.WriteByte('}')
	for out.Len()%8 != 0 {
		out.WriteByte(' ')
	}
	return out.Bytes(), nil
}

// check returns the bytes that the tensor takes in a file.
func (t Weights) check() (int64, error) {
	if t.DType != Float32 && t.DType != Float16 && t.DType != BFloat16 {
		return 0, fmt.Errorf("tensor %s: type %v cannot be written", quoted(t.Name), t.DType)
	}
	elements, bytes, err := checkShape(t.Shape, t.DType)
	if err != nil {
		return 0, fmt.Errorf("tensor %s has %w", quoted(t.Name), err)
	}
	if elements != int64(len(t.Data)) {
		return 0, fmt.Errorf("tensor %s: its shape takes %d elements, %d are given", quoted(t.Name), elements, len(t.Data))
	}
	return bytes, nil
}

// WriteElements writes the elements of one tensor, little-endian in the
// tensor's type (Float32, Float16 or BFloat16), without any header.
func WriteElements(w io.Writer, t Weights) error {
	if _, err := t.check(); err != nil {
		return err
	}
	width := t.DType.Size()
	chunk := make([]byte, min(chunkBytes, max(1, len(t.Data))*width))
	for start := 0; start < len(t.Data); start += len(chunk) / width {
		part := t.Data[start:min(start+len(chunk)/width, len(t.Data))]
		if i := encode(chunk, part, t.DType); i >= 0 {
			return fmt.Errorf("tensor %s: %g at element %d does not fit into %v", quoted(t.Name), part[i], start+i, t.DType)
		}
		if _, err := w.Write(chunk[:len(part)*width]); err != nil {
			return err
		}
	}
	return nil
}

// encode narrows the values into raw; it returns the index of the first finite
// value that would become infinite, or -1.
func encode(raw []byte, values []float32, dtype DType) int {
	const exponent16, exponentB16 = 0x7c00, 0x7f80 // all ones: infinity
	for i, v := range values {
		finite := v-v == 0
		switch dtype {
		case Float32:
			binary.LittleEndian.PutUint32(raw[4*i:], math.Float32bits(v))
		case Float16:
			h := half.Float16(v)
			if finite && h&exponent16 == exponent16 {
				return i
			}
			binary.LittleEndian.PutUint16(raw[2*i:], h)
		case BFloat16:
			b := half.BFloat16(v)
			if finite && b&exponentB16 == exponentB16 {
				return i
			}
			binary.LittleEndian.PutUint16(raw[2*i:], b)
		}
	}
	return -1
}
