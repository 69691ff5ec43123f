package exr

import (
	"encoding/binary"
	"errors"
	"io"
)

// File is an OpenEXR file whose headers have been read.
type File struct {
	// Parts are the pictures in the file, at least one.
	Parts []Part

	r    io.ReaderAt
	size int64
	// many says that the file is of the multi-part kind, though it may hold one part.
	many bool
}

// Open reads the headers of the file of size bytes that r holds. Errors are *Error, or the system's.
func Open(r io.ReaderAt, size int64) (*File, error) {
	h := newHeaderReader(r, size)
	parts, err := h.file()
	if err != nil {
		return nil, err
	}
	var version [8]byte
	if err := readFull(r, version[:], 0); err != nil {
		return nil, err
	}
	many := binary.LittleEndian.Uint32(version[4:])&flagMultipart != 0
	return &File{Parts: parts, r: r, size: size, many: many}, nil
}

// multipart reports whether blocks bear the number of their part.
func (f *File) multipart() bool { return f.many }

// Check reports whether the pixels of a part could be read, from its header alone: its kind, and whether the
// file is long enough to hold as many pixels as it claims. It takes no memory.
func (f *File) Check(part int) error {
	p := &f.Parts[part]
	if p.Deep {
		return unsupported("deep OpenEXR")
	}
	bytes := int64(0)
	for _, c := range p.Channels {
		w, h := samplesIn(p.Data.MinX, p.Data.MaxX, c.XSampling), samplesIn(p.Data.MinY, p.Data.MaxY, c.YSampling)
		const most = 1 << 48
		if w*h > most { // below 2^63: windows are at most 2^31 + 1 across and down
			return damaged("the OpenEXR file claims more pixels than there can be")
		}
		if bytes += w * h * int64(c.Type.bytes()); bytes > most {
			return damaged("the OpenEXR file claims more pixels than there can be")
		}
	}
	if bytes/compressions[p.Compression].ratio > f.size-p.table {
		return damaged("the file is cut short: its %d bytes cannot hold %d x %d pixels", f.size, p.Data.W(), p.Data.H())
	}
	g := newGrid(p)
	// A block has its place in the table, where it belongs and its length.
	if g.blocks() > (f.size-p.table)/20+1 {
		return cutShort()
	}
	return nil
}

// readFull fills b from off on.
func readFull(r io.ReaderAt, b []byte, off int64) error {
	n, err := r.ReadAt(b, off)
	if n == len(b) {
		return nil
	}
	if errors.Is(err, io.EOF) {
		return cutShort()
	}
	return err
}

// chunkHead reads what stands before a block's bytes, checks that it is block i and returns where its bytes lie
// and how many they are.
func (f *File) chunkHead(part int, p *Part, g grid, i, at int64) (from int64, length int, err error) {
	var head [24]byte
	n := 8
	if p.Tiled {
		n = 20
	}
	if f.multipart() {
		n += 4
	}
	if at > f.size-int64(n) {
		return 0, 0, cutShort()
	}
	if err := readFull(f.r, head[:n], at); err != nil {
		return 0, 0, err
	}
	b := head[:n]
	misplaced := damaged("the OpenEXR file is damaged: block %d of %d is not where it should be", i+1, g.blocks())
	if f.multipart() {
		if int(readInt(b)) != part {
			return 0, 0, misplaced
		}
		b = b[4:]
	}
	if p.Tiled {
		if int64(readInt(b)) != i%g.across || int64(readInt(b[4:])) != i/g.across || readInt(b[8:]) != 0 || readInt(b[12:]) != 0 {
			return 0, 0, misplaced
		}
		b = b[16:]
	} else {
		if readInt(b) != g.box(i).MinY {
			return 0, 0, misplaced
		}
		b = b[4:]
	}
	size := int64(readInt(b))
	at += int64(n)
	if size < 0 {
		return 0, 0, damaged("the OpenEXR file is damaged: block %d of %d claims %d bytes", i+1, g.blocks(), size)
	}
	if size > f.size-at {
		return 0, 0, cutShort()
	}
	return at, int(size), nil
}
