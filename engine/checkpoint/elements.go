package checkpoint

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"math"

	"greenroom/engine/picture/half"
)

// chunkBytes is the buffer that elements pass through on their way from the
// file to the caller: large enough for the disk, small beside any tensor.
const chunkBytes = 256 << 10

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
	elements := newElementReader(stream, e.DType, len(dst))
	if e.strides != nil {
		return elements.readStrided(dst, storageOrder(e.Shape, e.strides))
	}
	if err := elements.read(dst); err != nil {
		return err
	}
	return e.checkEnd(stream)
}

// checkEnd reads the end of a storage that one tensor fills, because that is
// where a checksum is compared.
func (e entry) checkEnd(stream io.Reader) error {
	packed, ok := e.data.(packedFile)
	if !ok || e.offset != 0 || packed.size != int64(e.Elements()*e.DType.Size()) {
		return nil
	}
	if _, err := stream.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

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

// skip passes over n elements.
func (r *elementReader) skip(n int64) error {
	if n == 0 {
		return nil
	}
	_, err := io.CopyN(io.Discard, r.source, n*int64(r.dtype.Size()))
	return err
}

// readStrided reads elements in the order of the storage and puts each where a
// row-major array has it, so that nothing but dst and a chunk is needed. The
// axes come from storageOrder and do not overlap.
func (r *elementReader) readStrided(dst []float32, axes []axis) error {
	// Runs may be single elements; each would be a read from the file.
	r.source = bufio.NewReaderSize(r.source, chunkBytes)
	// The narrowest axis is read in one go where its elements are neighbours.
	run := axis{size: 1, step: 1}
	if last := len(axes) - 1; last >= 0 && axes[last].stride == 1 {
		run = axes[last]
		axes = axes[:last]
	}
	digits := make([]int, len(axes))
	at, place, done := int64(0), 0, int64(0)
	for {
		if err := r.skip(at - done); err != nil {
			return err
		}
		if err := r.readRun(dst[place:], run.size, run.step); err != nil {
			return err
		}
		done = at + int64(run.size)
		i := len(axes) - 1
		for ; i >= 0; i-- {
			digits[i]++
			at += axes[i].stride
			place += axes[i].step
			if digits[i] < axes[i].size {
				break
			}
			digits[i] = 0
			at -= int64(axes[i].size) * axes[i].stride
			place -= axes[i].size * axes[i].step
		}
		if i < 0 {
			return nil
		}
	}
}

// readRun reads n neighbouring elements to dst[0], dst[step], dst[2*step]...
func (r *elementReader) readRun(dst []float32, n, step int) error {
	if step == 1 {
		return r.read(dst[:n])
	}
	var scratch [256]float32
	for place := 0; n > 0; {
		part := scratch[:min(n, len(scratch))]
		if err := r.read(part); err != nil {
			return err
		}
		for _, value := range part {
			dst[place] = value
			place += step
		}
		n -= len(part)
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
			dst[i] = half.FromFloat16(binary.LittleEndian.Uint16(raw[2*i:]))
		}
	case BFloat16:
		for i := range dst {
			dst[i] = half.FromBFloat16(binary.LittleEndian.Uint16(raw[2*i:]))
		}
	case Float64:
		for i := range dst {
			dst[i] = float32(math.Float64frombits(binary.LittleEndian.Uint64(raw[8*i:])))
		}
	}
}
