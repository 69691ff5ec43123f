package checkpoint

import (
	"encoding/binary"
	"io"
	"math"
)

// chunkBytes is the buffer that elements pass through on their way from the
// file to the caller: large enough for the disk, small beside any tensor.
const chunkBytes = 256 << 10

// elementReader turns a stream of stored elements into float32.
type elementReader struct {
	source io.Reader
	dtype  DType
	chunk  []byte
}

func newElementReader(source io.Reader, dtype DType, elements int) *elementReader {
	return &elementReader{source, dtype, make([]byte, min(chunkBytes, max(elements, 1)*dtype.Size()))}
}

// read fills dst with the next elements.
func (r *elementReader) read(dst []float32) error {
	width := r.dtype.Size()
	for len(dst) > 0 {
		n := min(len(dst), len(r.chunk)/width)
		raw := r.chunk[:n*width]
		if _, err := io.ReadFull(r.source, raw); err != nil {
			return err
		}
		decode(dst[:n], raw, r.dtype)
		dst = dst[n:]
	}
	return nil
}

// decode widens len(dst) elements of a floating type.
func decode(dst []float32, raw []byte, dtype DType) {
	switch dtype {
	case Float32:
		for i := range dst {
			dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
		}
	case Float16:
		for i := range dst {
			dst[i] = halfToFloat32(binary.LittleEndian.Uint16(raw[2*i:]))
		}
	case BFloat16:
		for i := range dst {
			dst[i] = bfloat16ToFloat32(binary.LittleEndian.Uint16(raw[2*i:]))
		}
	case Float64:
		for i := range dst {
			dst[i] = float32(math.Float64frombits(binary.LittleEndian.Uint64(raw[8*i:])))
		}
	}
}

// read brings the tensor into dst, row-major.
func (e entry) read(dst []float32) error {
	if len(dst) == 0 {
		return nil
	}
	stream, err := e.data.open(e.offset)
	if err != nil {
		return err
	}
	defer stream.Close()
	return newElementReader(stream, e.DType, len(dst)).read(dst)
}
