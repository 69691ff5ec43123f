package exr

import "errors"

// Faults of packed blocks.
var (
	errPacked = errors.New("its length is wrong")
	errShort  = errors.New("it ends too early")
	errCodes  = errors.New("its code table is broken")
	errCode   = errors.New("it holds a code that does not exist")
)

// unpacker unpacks one block after another. It keeps its memory between blocks; each goroutine has its own.
type unpacker struct {
	compression Compression
	block       block
	packed      []byte

	out, bytes, more []byte
	words            []uint16
	deflate          inflater
	huffman          *huffman
	tables           []uint16
	dwa              *dwa
}

func newUnpacker(c Compression) *unpacker {
	u := &unpacker{compression: c}
	switch c {
	case PIZ, DWAA, DWAB:
		u.huffman = new(huffman)
	}
	return u
}

// unpack unpacks u.packed, a block laid out as u.block, and returns its bytes: u.block knows where samples lie
// in them. They stay until the next call.
func (u *unpacker) unpack() ([]byte, error) {
	if len(u.packed) == u.block.bytes || u.compression == None {
		// What packing would not make smaller is stored as it is.
		if len(u.packed) != u.block.bytes {
			return nil, errPacked
		}
		u.block.byLines()
		return u.packed, nil
	}
	u.out = resize(u.out, u.block.bytes)
	switch u.compression {
	case RLE:
		u.block.byLines()
		return u.out, u.rle()
	case ZIPS, ZIP:
		u.block.byLines()
		return u.out, u.zip()
	case PIZ:
		u.block.byPlanes()
		return u.out, u.piz()
	case PXR24:
		u.block.byLines()
		return u.out, u.pxr24()
	case B44, B44A:
		u.block.byPlanes()
		return u.out, u.b44()
	case DWAA, DWAB:
		u.block.byPlanes()
		return u.out, u.unpackDWA()
	}
	return nil, errors.New("unknown compression")
}
