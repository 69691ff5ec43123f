package imageio

import (
	"bufio"
	giflzw "compress/lzw"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"strings"
	"sync/atomic"

	"golang.org/x/image/ccitt"
	"golang.org/x/image/tiff/lzw"

	"greenroom/engine/picture"
	"greenroom/engine/picture/half"
)

// inspectTIFF reads the first image of a TIFF or BigTIFF. Pixels are unpacked here and not by
// golang.org/x/image/tiff, of which only the LZW and fax decoders are used: that package reads planar files as
// if they were not, and knows no floating point, no depths but 1, 8 and 16, no grey with alpha and no BigTIFF.
func inspectTIFF(r io.ReaderAt, size int64, limits Limits) (*source, error) {
	d, err := readDirectory(r, size)
	if err != nil {
		return nil, err
	}
	l, err := newTIFFLayout(d, limits)
	if err != nil {
		return nil, err
	}
	s := &source{header: Header{
		W: l.w, H: l.h, Depth: l.bits, Float: l.float, Channels: 1,
		Orientation: d.orientation(), Notes: l.notes,
	}}
	if l.place[0] != toGrey {
		s.header.Channels = 3
	}
	if l.place[0] == toColour {
		s.header.Depth = 16
	}
	for _, p := range l.place {
		if p == toAlpha {
			s.header.Channels++
		}
	}
	if icc := d.bytes(tagICC, profileLimit); len(icc) >= 128 {
		s.header.ICC = icc
	}
	if d.text(tagSoftware) == software {
		s.header.WrittenByGreenroom = true
		s.header.Pass, _ = strings.CutPrefix(d.text(tagDescription), markKey+": ")
	}
	s.pixels = func() (picture.Picture, error) {
		t := tiffReader{tiffLayout: l, r: r, order: d.order}
		p, err := t.read()
		if n := t.notFinite.Load(); n > 0 {
			s.pixelNotes = append(s.pixelNotes, notFiniteNote(n))
		}
		return p, err
	}
	return s, nil
}

// tiffReader unpacks the blocks of a TIFF into a picture.
type tiffReader struct {
	*tiffLayout
	r         io.ReaderAt
	order     binary.ByteOrder
	picture   picture.Picture
	notFinite atomic.Int64
}

func (t *tiffReader) read() (picture.Picture, error) {
	t.picture.RGB = picture.New(t.w, t.h, 3)
	for _, p := range t.place {
		if p == toAlpha {
			t.picture.Alpha = picture.New(t.w, t.h, 1)
		}
	}
	err := picture.InOrder(t.blocks(), func(i int) (struct{}, error) {
		return struct{}{}, guarded(func() error { return t.block(i) })
	}, func(int, struct{}) error { return nil })
	if err != nil {
		return picture.Picture{}, err
	}
	if t.float {
		clamp01(t.picture.Alpha)
	}
	if t.associated {
		unpremultiply(t.picture.RGB, t.picture.Alpha, !t.float)
	}
	return t.picture, nil
}

// block unpacks block i. Rows are read one by one: a picture in a single strip takes no more memory.
func (t *tiffReader) block(i int) error {
	across, down := t.grid()
	x0 := i % across * t.blockW
	y0, rows := t.blockRows(i)
	plane := i / (across * down)
	src, err := t.unpacked(i, rows)
	if err != nil {
		return t.fault(err)
	}
	n := t.blockSamples()
	raw := make([]byte, t.blockRowBytes())
	values := make([]float32, t.blockW*n)
	wide := min(t.blockW, t.w-x0)
	var shuffled []byte
	if t.predictor == predictorFloat {
		shuffled = make([]byte, len(raw))
	}
	for y := y0; y < min(y0+rows, t.h); y++ {
		if _, err := io.ReadFull(src, raw); err != nil {
			return t.fault(err)
		}
		switch t.predictor {
		case predictorHorizontal:
			addLeft(raw, n, t.bits, t.order)
		case predictorFloat:
			joinBytes(raw, shuffled, n, t.bits/8, t.order)
		}
		t.values(values[:wide*n], raw)
		for s := range n {
			t.put(values[:wide*n], s, n, t.place[plane+s], x0, y)
		}
	}
	return nil
}

// unpacked returns a reader of a block's bytes.
func (t *tiffReader) unpacked(i, rows int) (io.Reader, error) {
	packed := io.NewSectionReader(t.r, int64(t.offsets[i]), int64(t.counts[i]))
	buffered := bufio.NewReaderSize(packed, 1<<16)
	switch t.compression {
	case compressionLZW:
		// Writers from before TIFF 6.0 pack codes as GIF does: lowest bit first, each width used to its end.
		// Such a stream begins with a clear code, 0x100, in that order.
		if head, err := buffered.Peek(2); err == nil && head[0] == 0 && head[1]&1 == 1 {
			return giflzw.NewReader(buffered, giflzw.LSB, 8), nil
		}
		return lzw.NewReader(buffered, lzw.MSB, 8), nil
	case compressionDeflate, compressionDeflate0:
		return zlib.NewReader(buffered)
	case compressionPackBits:
		return &packBits{r: buffered}, nil
	case compressionFax3, compressionFax4:
		order, kind := ccitt.MSB, ccitt.Group4
		if t.reversed {
			order = ccitt.LSB
		}
		if t.compression == compressionFax3 {
			kind = ccitt.Group3
		}
		// The fax decoder gives 1 for black; here 0 is what the photometric field says.
		return ccitt.NewReader(buffered, order, kind, t.blockW, rows, &ccitt.Options{Invert: t.inverted}), nil
	}
	return buffered, nil
}

// fault puts what went wrong while unpacking in our words.
func (t *tiffReader) fault(err error) error {
	var known *Error
	switch {
	case errors.As(err, &known):
		return err
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return cutShort()
	}
	return damaged("the TIFF is damaged: %v", err)
}

// values converts a row of stored samples to levels.
func (t *tiffReader) values(dst []float32, raw []byte) {
	switch {
	case t.float:
		t.floats(dst, raw)
	case t.bits == 8:
		for i := range dst {
			dst[i] = float32(raw[i])
		}
	case t.bits == 16:
		for i := range dst {
			dst[i] = float32(t.order.Uint16(raw[2*i:]))
		}
	case t.bits == 32:
		for i := range dst {
			dst[i] = float32(float64(t.order.Uint32(raw[4*i:])) / math.MaxUint32)
		}
		return
	default:
		var held uint32
		var have, at int
		for i := range dst {
			for have < t.bits {
				held = held<<8 | uint32(raw[at])
				at++
				have += 8
			}
			have -= t.bits
			dst[i] = float32(held >> have & (1<<t.bits - 1))
		}
	}
	if !t.float && t.place[0] != toColour {
		most := float32(uint(1)<<t.bits - 1)
		for i := range dst {
			dst[i] /= most
		}
	}
}

// floats converts a row of floating-point samples. What is not finite is replaced and counted: NaN and minus
// infinity by 0, infinity by the largest half float.
func (t *tiffReader) floats(dst []float32, raw []byte) {
	bad := int64(0)
	for i := range dst {
		var v float32
		switch t.bits {
		case 16:
			v = half.FromFloat16(t.order.Uint16(raw[2*i:]))
		case 32:
			v = math.Float32frombits(t.order.Uint32(raw[4*i:]))
		default:
			v = float32(math.Float64frombits(t.order.Uint64(raw[8*i:])))
		}
		if v-v != 0 {
			bad++
			if v > 0 {
				v = 65504
			} else {
				v = 0
			}
		}
		dst[i] = v
	}
	if bad > 0 {
		t.notFinite.Add(bad)
	}
}

// put writes sample s of n of a row to its place in the picture.
func (t *tiffReader) put(values []float32, s, n, place, x0, y int) {
	if place == nowhere {
		return
	}
	if place == toAlpha {
		dst := t.picture.Alpha.Row(y)[x0:]
		for i := s; i < len(values); i += n {
			dst[i/n] = values[i]
		}
		return
	}
	dst := t.picture.RGB.Row(y)[3*x0:]
	switch place {
	case toGrey:
		for i := s; i < len(values); i += n {
			v := values[i]
			if t.inverted {
				v = 1 - v
			}
			at := i / n * 3
			dst[at], dst[at+1], dst[at+2] = v, v, v
		}
	case toColour:
		for i := s; i < len(values); i += n {
			at, index := i/n*3, int(values[i])
			for c := range 3 {
				dst[at+c] = float32(t.palette[c][index]) / 65535
			}
		}
	default:
		at := place
		for i := s; i < len(values); i += n {
			dst[at] = values[i]
			at += 3
		}
	}
}

// unpremultiply divides colour by alpha. Where alpha is 0 colour stays as it is: there is nothing to divide
// by. Colour over alpha, which whole-number files should not hold, is cut at 1 if they are asked to; otherwise what
// a tiny alpha would make greater than a half float can be is cut there.
func unpremultiply(rgb, alpha picture.Image, cut bool) {
	const most = 65504
	eachRow(rgb.H, func(y int) {
		c := rgb.Row(y)
		for x, a := range alpha.Row(y) {
			if a <= 0 || a == 1 && !cut {
				continue
			}
			for k := 3 * x; k < 3*x+3; k++ {
				if cut {
					c[k] = min(c[k]/a, 1)
				} else if q := c[k] / a; q > most || q < -most {
					c[k] = min(max(q, min(c[k], -most)), max(c[k], most))
				} else {
					c[k] = q
				}
			}
		}
	})
}

// clamp01 cuts every value of m to 0..1.
func clamp01(m picture.Image) {
	for i, v := range m.Pix {
		m.Pix[i] = min(max(v, 0), 1)
	}
}
