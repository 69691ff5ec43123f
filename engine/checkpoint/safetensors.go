package checkpoint

import (
	"cmp"
	"encoding/binary"
	"io"
	"slices"
)

// The safetensors container (format description: github.com/huggingface/safetensors):
// 8 bytes, little-endian: N, the size of the header; N bytes of JSON, which
// maps each name to {"dtype", "shape", "data_offsets": [begin, end]}; then the
// data, to which the offsets are relative and which it covers without a gap.

const (
	safetensorsPreamble = 8
	// maxHeader bounds the header. A tensor takes about 100 bytes of it, so
	// that this is far from any real file (the format itself allows 100 MB).
	maxHeader = 16 << 20
)

// section is a storage that lies plainly in the file.
type section struct {
	source     io.ReaderAt
	begin, end int64
}

func (s section) open(from int64) (io.ReadCloser, error) {
	return io.NopCloser(io.NewSectionReader(s.source, s.begin+from, s.end-s.begin-from)), nil
}

// readSafetensors reads the header of a safetensors file and checks every
// place it names against the file's size.
func readSafetensors(source io.ReaderAt, size int64) (contents, error) {
	header, err := readSafetensorsHeader(source, size)
	if err != nil {
		return contents{}, err
	}
	parsed, err := parseHeader(header)
	if err != nil {
		return contents{}, err
	}
	dataStart := int64(safetensorsPreamble + len(header))
	if err := checkPlaces(parsed.tensors, size-dataStart); err != nil {
		return contents{}, err
	}
	out := contents{entries: make(map[string]entry, len(parsed.tensors)), metadata: parsed.metadata}
	for _, t := range parsed.tensors {
		out.entries[t.Name] = entry{
			Tensor: t.Tensor,
			data:   section{source, dataStart + t.begin, dataStart + t.end},
		}
	}
	return out, nil
}

func readSafetensorsHeader(source io.ReaderAt, size int64) ([]byte, error) {
	var preamble [safetensorsPreamble]byte
	if err := readAt(source, preamble[:], 0); err != nil {
		return nil, err
	}
	headerSize := binary.LittleEndian.Uint64(preamble[:])
	switch {
	case headerSize < 2: // "{}"
		return nil, damaged("its safetensors header is said to be %d bytes long", headerSize)
	case headerSize > maxHeader:
		return nil, damaged("its safetensors header is said to be %d bytes long; more than %d is never needed", headerSize, maxHeader)
	case int64(headerSize) > size-safetensorsPreamble:
		return nil, incomplete("ends inside its safetensors header (%d bytes of %d)", size-safetensorsPreamble, headerSize)
	}
	header := make([]byte, headerSize)
	if err := readAt(source, header, safetensorsPreamble); err != nil {
		return nil, err
	}
	return header, nil
}

// placed is a tensor with its bytes [begin, end), counted from the start of
// the data.
type placed struct {
	Tensor
	begin, end int64
}

// checkPlaces checks that each tensor's bytes have the size its shape takes,
// lie in the data, do not overlap and leave no gap, in which anything could hide.
func checkPlaces(tensors []placed, dataSize int64) error {
	inOrder := slices.SortedFunc(slices.Values(tensors), func(a, b placed) int {
		return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(a.end, b.end))
	})
	for _, t := range inOrder {
		_, bytes, err := checkShape(t.Shape, t.DType)
		if err != nil {
			return damaged("tensor %s has %v", quoted(t.Name), err)
		}
		if t.begin < 0 || t.end < t.begin {
			return damaged("tensor %s lies at impossible bytes %d to %d", quoted(t.Name), t.begin, t.end)
		}
		if t.end-t.begin != bytes {
			return damaged("tensor %v takes %d bytes, but %d are set aside for it", t.Tensor, bytes, t.end-t.begin)
		}
	}
	end, last := int64(0), ""
	for _, t := range inOrder {
		switch {
		case t.begin < end:
			return damaged("tensors %s and %s overlap", quoted(last), quoted(t.Name))
		case t.begin > end:
			return damaged("%d bytes before tensor %s belong to none", t.begin-end, quoted(t.Name))
		}
		end, last = t.end, t.Name
	}
	switch {
	case end > dataSize:
		return incomplete("is cut short: the tensors take %d bytes, %d are there", end, dataSize)
	case end < dataSize:
		return damaged("%d bytes after the last tensor belong to none", dataSize-end)
	}
	return nil
}
