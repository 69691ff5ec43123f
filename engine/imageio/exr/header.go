package exr

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
)

// Flags of the version field.
const (
	flagTiled     = 0x200
	flagLongNames = 0x400
	flagDeep      = 0x800
	flagMultipart = 0x1000
)

// headerReader reads the headers of a file one after another.
type headerReader struct {
	r    *bufio.Reader
	at   int64 // how far it has read
	size int64 // of the file
}

func newHeaderReader(r io.ReaderAt, size int64) *headerReader {
	return &headerReader{r: bufio.NewReader(io.NewSectionReader(r, 0, size)), size: size}
}

// bytes reads n bytes, which the caller has held against a limit.
func (h *headerReader) bytes(n int64) ([]byte, error) {
	if n > h.size-h.at {
		return nil, cutShort()
	}
	b := make([]byte, n)
	_, err := io.ReadFull(h.r, b)
	h.at += n
	return b, shortened(err)
}

// skip passes over n bytes.
func (h *headerReader) skip(n int64) error {
	if n > h.size-h.at {
		return cutShort()
	}
	h.at += n
	_, err := io.CopyN(io.Discard, h.r, n)
	return shortened(err)
}

// shortened makes the end of a file an error of ours.
func shortened(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return cutShort()
	}
	return err
}

// text reads up to a zero byte.
func (h *headerReader) text() (string, error) {
	var b []byte
	for {
		c, err := h.r.ReadByte()
		if err != nil {
			return "", shortened(err)
		}
		h.at++
		if c == 0 {
			return string(b), nil
		}
		if b = append(b, c); len(b) > nameLimit {
			return "", damaged("the OpenEXR header is damaged: a name in it has no end")
		}
	}
}

// file reads the version field and all headers.
func (h *headerReader) file() ([]Part, error) {
	b, err := h.bytes(8)
	if err != nil {
		return nil, err
	}
	if string(b[:4]) != "v/1\x01" {
		return nil, damaged("it does not begin as an OpenEXR file does")
	}
	version := binary.LittleEndian.Uint32(b[4:])
	if version&0xff != 2 {
		return nil, unsupported("OpenEXR of version %d", version&0xff)
	}
	if unknown := version &^ (0xff | flagTiled | flagLongNames | flagDeep | flagMultipart); unknown != 0 {
		return nil, unsupported("OpenEXR with unknown features (flags %#x)", unknown)
	}
	if version&flagMultipart == 0 {
		p, _, err := h.part()
		if err != nil {
			return nil, err
		}
		// In a file of one part the version field decides, whatever a type attribute says.
		p.part.Tiled, p.part.Deep = version&flagTiled != 0, version&flagDeep != 0
		if err := p.check(); err != nil {
			return nil, err
		}
		p.part.table = h.at
		return []Part{p.part}, nil
	}
	return h.parts()
}

// parts reads the headers of a file of several parts, which end with an empty one.
func (h *headerReader) parts() ([]Part, error) {
	var parts []Part
	for {
		p, empty, err := h.part()
		if err != nil {
			return nil, err
		}
		if empty {
			break
		}
		switch p.kind {
		case "scanlineimage":
		case "tiledimage":
			p.part.Tiled = true
		case "deepscanline", "deeptile":
			p.part.Deep = true
		default:
			return nil, unsupported("OpenEXR with a part of type %q", p.kind)
		}
		if err := p.check(); err != nil {
			return nil, err
		}
		if p.part.chunks < 1 {
			return nil, damaged("the OpenEXR header is damaged: part %d does not say how many blocks it has", len(parts)+1)
		}
		if parts = append(parts, p.part); len(parts) > partLimit {
			return nil, unsupported("OpenEXR of more than %d parts", partLimit)
		}
	}
	if len(parts) == 0 {
		return nil, damaged("the OpenEXR file has no parts")
	}
	at := h.at
	for i := range parts {
		parts[i].table = at
		if parts[i].chunks > (h.size-at)/8 {
			return nil, cutShort()
		}
		at += 8 * parts[i].chunks
	}
	return parts, nil
}

// header is a part while its header is read.
type header struct {
	part        Part
	kind        string
	seen        map[string]bool
	compression uint8
	tiles       []byte
}

// part reads one header; empty is true for the empty one that ends a list.
func (h *headerReader) part() (p header, empty bool, err error) {
	p.part.PixelAspect = 1
	p.seen = map[string]bool{}
	for n := range attributeLimit {
		name, err := h.text()
		if err != nil {
			return p, false, err
		}
		if name == "" {
			return p, n == 0, nil
		}
		kind, err := h.text()
		if err != nil {
			return p, false, err
		}
		b, err := h.bytes(4)
		if err != nil {
			return p, false, err
		}
		length := int64(int32(binary.LittleEndian.Uint32(b)))
		if length < 0 || length > h.size-h.at {
			return p, false, damaged("the OpenEXR header is damaged: its attribute %q claims %d bytes", name, length)
		}
		take := takers[name]
		if take == nil && kind == "string" {
			take = takeText(name)
		}
		if take == nil || length > textLimit {
			if err := h.skip(length); err != nil {
				return p, false, err
			}
			continue
		}
		value, err := h.bytes(length)
		if err != nil {
			return p, false, err
		}
		if err := take(&p, kind, value); err != nil {
			return p, false, err
		}
		p.seen[name] = true
	}
	return p, false, damaged("the OpenEXR header has more than %d attributes", attributeLimit)
}

// check holds a header against the format's rules once all of it is known.
func (p *header) check() error {
	for _, name := range []string{"channels", "compression", "dataWindow", "displayWindow"} {
		if !p.seen[name] {
			return damaged("the OpenEXR header is damaged: it has no %s", name)
		}
	}
	part := &p.part
	if p.compression >= uint8(len(compressions)) && !part.Deep {
		if p.compression == 10 || p.compression == 11 {
			return unsupported("OpenEXR with HTJ2K compression")
		}
		return unsupported("OpenEXR with the unknown compression %d", p.compression)
	}
	part.Compression = Compression(p.compression)
	if len(part.Channels) == 0 {
		return damaged("the OpenEXR file has no channels")
	}
	if err := checkWindow("data", part.Data); err != nil {
		return err
	}
	if err := checkWindow("display", part.Display); err != nil {
		return err
	}
	if !part.Tiled {
		return nil
	}
	return p.checkTiles()
}

func (p *header) checkTiles() error {
	if len(p.tiles) != 9 {
		return damaged("the OpenEXR header is damaged: it does not say how large its tiles are")
	}
	w, h := binary.LittleEndian.Uint32(p.tiles), binary.LittleEndian.Uint32(p.tiles[4:])
	const most = 1 << 20
	if w < 1 || h < 1 || w > most || h > most {
		return damaged("the OpenEXR header is damaged: its tiles are %d x %d pixels", w, h)
	}
	mode := p.tiles[8] & 15
	if mode > 2 {
		return unsupported("OpenEXR with tiles of the unknown kind %d", mode)
	}
	p.part.TileW, p.part.TileH, p.part.Levels = int(w), int(h), mode != 0
	for _, c := range p.part.Channels {
		if !c.whole() {
			return damaged("the OpenEXR header is damaged: it has tiles and a subsampled channel %q", c.Name)
		}
	}
	return nil
}

// checkWindow refuses windows that are none, and those so far out that positions would overflow.
func checkWindow(name string, b Box) error {
	const most = 1 << 30
	for _, v := range []int32{b.MinX, b.MinY, b.MaxX, b.MaxY} {
		if v < -most || v > most {
			return damaged("the OpenEXR header is damaged: its %s window reaches to %d", name, v)
		}
	}
	if b.W() < 1 || b.H() < 1 {
		return damaged("the OpenEXR header is damaged: its %s window is %d x %d pixels", name, b.W(), b.H())
	}
	return nil
}
