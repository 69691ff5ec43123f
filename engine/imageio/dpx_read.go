package imageio

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"greenroom/engine/colour"
	"greenroom/engine/picture"
)

// Fields of a DPX header, by their place in the file (SMPTE ST 268-1, file format for digital moving-picture
// exchange).
const (
	dpxImageOffset  = 4
	dpxOrientation  = 768
	dpxElements     = 770
	dpxWidth        = 772
	dpxHeight       = 776
	dpxElement      = 780
	dpxElementBytes = 72
	dpxAspect       = 1628
	dpxHeaderBytes  = 2048
)

// dpxUndefined is what a field holds that says nothing.
const dpxUndefined = math.MaxUint32

// dpxLayout says how a DPX stores its pixels.
type dpxLayout struct {
	order   binary.ByteOrder
	w, h    int
	depth   int
	place   []int // where each sample of a pixel goes
	packing uint16
	offset  int64
	pad     int64 // bytes behind each row
}

// dpxOrientations is the EXIF orientation of each of DPX's.
var dpxOrientations = [8]int{1, 2, 4, 3, 5, 6, 8, 7}

// dpxTransfers are the spaces of the transfer characteristics that say one (SMPTE ST 268-1, table 5A): printing density
// and its like in logarithm, linear light, and SMPTE 274M and ITU-R 709 video.
var dpxTransfers = map[uint8]colour.Space{
	1: colour.Cineon, 2: colour.LinearRec709, 3: colour.Cineon, 5: colour.Rec709, 6: colour.Rec709,
}

// dpxKinds names the elements that are not read.
var dpxKinds = map[uint8]string{
	0: "user-defined", 1: "red", 2: "green", 3: "blue", 4: "alpha", 7: "chroma", 8: "depth", 9: "composite video",
	100: "4:2:2 video", 101: "4:2:2:4 video", 102: "4:4:4 video", 103: "4:4:4:4 video",
}

// inspectDPX reads the header of a DPX file. Whole numbers of 8, 10, 12 and 16 bits are read, in grey, RGB, RGBA or
// ABGR; alpha is taken as straight.
func inspectDPX(r io.ReaderAt, size int64, limits Limits) (*source, error) {
	head, err := readAt(r, 0, int(min(size, dpxHeaderBytes)))
	if err != nil {
		return nil, err
	}
	if len(head) < dpxElement+dpxElementBytes {
		return nil, cutShort()
	}
	l := &dpxLayout{order: binary.BigEndian}
	if string(head[:4]) == "XPDS" {
		l.order = binary.LittleEndian
	}
	w, h := l.order.Uint32(head[dpxWidth:]), l.order.Uint32(head[dpxHeight:])
	if err := limits.check(int64(w), int64(h)); err != nil {
		return nil, err
	}
	l.w, l.h = int(w), int(h)
	s := &source{header: Header{W: l.w, H: l.h, Orientation: 1}}
	if o := l.order.Uint16(head[dpxOrientation:]); o < 8 {
		s.header.Orientation = dpxOrientations[o]
	}
	note := func(format string, args ...any) {
		s.header.Notes = append(s.header.Notes, fmt.Sprintf(format, args...))
	}
	if n := l.order.Uint16(head[dpxElements:]); n > 1 && n <= 8 {
		note("It has %d image elements: only the first is read.", n)
	}
	element := head[dpxElement : dpxElement+dpxElementBytes]
	if err := l.readElement(element, head); err != nil {
		return nil, err
	}
	if l.offset > size || int64(l.h)*l.rowBytes() > size-l.offset {
		return nil, cutShort()
	}
	s.header.Depth, s.header.Channels = l.depth, len(l.place)
	if space := dpxTransfers[element[21]]; space != "" {
		s.said, s.saidBy = space, "its header"
	}
	if len(head) >= dpxAspect+8 {
		across, down := l.order.Uint32(head[dpxAspect:]), l.order.Uint32(head[dpxAspect+4:])
		if across != down && across > 0 && down > 0 && across != dpxUndefined && down != dpxUndefined {
			note("Its pixels are not square (aspect %.4g): they are shown as stored.", float64(across)/float64(down))
		}
	}
	s.pixels = func() (picture.Picture, error) { return l.read(r) }
	return s, nil
}

// readElement reads what the first image element says of its samples and refuses by name what is not read.
func (l *dpxLayout) readElement(e, head []byte) error {
	order := l.order
	switch kind := e[20]; kind {
	case 6:
		l.place = []int{toGrey}
	case 50:
		l.place = []int{0, 1, 2}
	case 51:
		l.place = []int{0, 1, 2, toAlpha}
	case 52:
		l.place = []int{toAlpha, 2, 1, 0}
	default:
		if name := dpxKinds[kind]; name != "" {
			return unsupported("a DPX of %s", name)
		}
		return unsupported("a DPX of the unknown kind %d", kind)
	}
	if order.Uint32(e) == 1 {
		return unsupported("a DPX of signed numbers")
	}
	if order.Uint16(e[26:]) == 1 {
		return unsupported("a DPX with run-length encoding")
	}
	l.depth, l.packing = int(e[23]), order.Uint16(e[24:])
	switch l.depth {
	case 8, 16:
	case 10, 12:
		if l.packing > 2 {
			return unsupported("a DPX with the unknown packing %d", l.packing)
		}
		// Programs do not agree on which of three samples in a word comes first where a word is not a pixel.
		if l.depth == 10 && l.packing != 0 && len(l.place) != 3 {
			return unsupported("a DPX of 10 bits that is not plain RGB")
		}
	case 32, 64:
		return unsupported("a DPX of %d-bit floating point", l.depth)
	default:
		return unsupported("a DPX of %d bits", l.depth)
	}
	at := order.Uint32(e[28:])
	if at == 0 || at == dpxUndefined {
		at = order.Uint32(head[dpxImageOffset:])
	}
	if at < dpxElement+dpxElementBytes {
		return damaged("the DPX is damaged: its pixels would lie in its header")
	}
	l.offset = int64(at)
	if pad := order.Uint32(e[32:]); pad != dpxUndefined {
		l.pad = int64(pad)
	}
	return nil
}

// rowBytes returns the bytes of a row. Rows end on 32 bits where samples do not fill whole bytes.
func (l *dpxLayout) rowBytes() int64 {
	n := int64(l.w) * int64(len(l.place))
	switch {
	case l.depth == 8:
		return n + l.pad
	case l.depth == 16, l.depth == 12 && l.packing != 0:
		return 2*n + l.pad
	case l.packing != 0: // three samples of ten bits in a word
		return (n+2)/3*4 + l.pad
	}
	return (n*int64(l.depth)+31)/32*4 + l.pad
}

// read reads the pixels as stored.
func (l *dpxLayout) read(r io.ReaderAt) (picture.Picture, error) {
	p := picture.Picture{RGB: picture.New(l.w, l.h, 3)}
	if len(l.place) == 4 {
		p.Alpha = picture.New(l.w, l.h, 1)
	}
	rows := max(1, int(bandBytes/l.rowBytes()))
	bands := (l.h + rows - 1) / rows
	err := picture.InOrder(bands, func(i int) (struct{}, error) {
		y0 := i * rows
		return struct{}{}, l.band(r, p, y0, min(y0+rows, l.h))
	}, func(int, struct{}) error { return nil })
	return p, err
}

// band reads the rows y0..y1.
func (l *dpxLayout) band(r io.ReaderAt, p picture.Picture, y0, y1 int) error {
	n := int(l.rowBytes())
	raw, err := readAt(r, l.offset+int64(y0)*int64(n), (y1-y0)*n)
	if err != nil {
		return err
	}
	levels := make([]uint16, l.w*len(l.place))
	most := float32(uint(1)<<l.depth - 1)
	for y := y0; y < y1; y++ {
		l.levels(levels, raw[(y-y0)*n:])
		rgb := p.RGB.Row(y)
		for s, place := range l.place {
			switch place {
			case toGrey:
				for x := range l.w {
					v := float32(levels[x]) / most
					rgb[3*x], rgb[3*x+1], rgb[3*x+2] = v, v, v
				}
			case toAlpha:
				alpha := p.Alpha.Row(y)
				for x := range alpha {
					alpha[x] = float32(levels[x*len(l.place)+s]) / most
				}
			default:
				for x := range l.w {
					rgb[3*x+place] = float32(levels[x*len(l.place)+s]) / most
				}
			}
		}
	}
	return nil
}

// levels unpacks the samples of a row.
func (l *dpxLayout) levels(dst []uint16, raw []byte) {
	switch {
	case l.depth == 8:
		for i := range dst {
			dst[i] = uint16(raw[i])
		}
	case l.depth == 16:
		for i := range dst {
			dst[i] = l.order.Uint16(raw[2*i:])
		}
	case l.depth == 12 && l.packing != 0:
		// Each in 16 bits, at their upper (method A) or lower end.
		shift := 4
		if l.packing == 2 {
			shift = 0
		}
		for i := range dst {
			dst[i] = l.order.Uint16(raw[2*i:]) >> shift & 0xfff
		}
	case l.packing != 0:
		// Three in 32 bits, the first highest; two bits are left at the lower (method A) or upper end.
		shift := 2
		if l.packing == 2 {
			shift = 0
		}
		for i := range dst {
			word := l.order.Uint32(raw[i/3*4:])
			dst[i] = uint16(word >> (shift + 20 - i%3*10) & 0x3ff)
		}
	default:
		// Without gaps, from the lowest bit of each 32 on.
		var held uint64
		have, at := 0, 0
		for i := range dst {
			if have < l.depth {
				held |= uint64(l.order.Uint32(raw[at:])) << have
				have += 32
				at += 4
			}
			dst[i] = uint16(held & (1<<l.depth - 1))
			held >>= l.depth
			have -= l.depth
		}
	}
}
