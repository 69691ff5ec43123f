package imageio

import (
	"bytes"
	"compress/flate"
	"compress/zlib"
	"encoding/binary"
	"hash/adler32"
	"hash/crc32"
	"io"

	"greenroom/engine/colour"
	"greenroom/engine/picture"
)

// WritePNG16 writes an image as a PNG of 16 bits a sample. colours is [H, W, C] with C 1 to 4 (grey; grey and
// alpha; colour; colour and alpha); alpha is empty or [H, W, 1] and comes after them. Alpha is straight and
// colour is written as it is whatever alpha is over it. Values are clamped to 0..1; NaN is an error (of kind
// ErrNotFinite). Rows are filtered and packed on all processors, a band at a time; what is written does not
// depend on their number.
func WritePNG16(w io.Writer, colours, alpha picture.Image, meta Meta) error {
	return writePNGOf(w, colours, alpha, meta, 2)
}

// WritePNG8 is WritePNG16 with 8 bits a sample.
func WritePNG8(w io.Writer, colours, alpha picture.Image, meta Meta) error {
	return writePNGOf(w, colours, alpha, meta, 1)
}

// writePNGOf writes samples of one byte or two.
func writePNGOf(w io.Writer, colours, alpha picture.Image, meta Meta, width int) error {
	l, err := newLayers(colours, alpha, width)
	if err != nil {
		return err
	}
	p := pngWriter{w: w}
	p.header(l, meta)
	rows := bandRows(l)
	bands := (colours.H + rows - 1) / rows
	sum := uint32(1)
	err = picture.InOrder(bands, func(i int) (packed, error) {
		y0 := i * rows
		return packPNG(l, y0, min(y0+rows, colours.H))
	}, func(i int, b packed) error {
		sum = combineAdler(sum, b.sum, b.length)
		data := b.data
		if i == 0 {
			data = append([]byte{0x78, 0x01}, data...) // zlib: Deflate, 32 kB window, fastest
		}
		if i == bands-1 {
			data = binary.BigEndian.AppendUint32(data, sum)
		}
		p.chunk("IDAT", data)
		return p.err
	})
	if err != nil {
		return err
	}
	p.chunk("IEND", nil)
	return p.err
}

// pngWriter writes chunks; the first error stays.
type pngWriter struct {
	w   io.Writer
	err error
}

func (p *pngWriter) chunk(kind string, data []byte) {
	if p.err != nil {
		return
	}
	head := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	head = append(head, kind...)
	sum := crc32.Update(crc32.ChecksumIEEE(head[4:]), crc32.IEEETable, data)
	for _, b := range [][]byte{head, data, binary.BigEndian.AppendUint32(nil, sum)} {
		if _, p.err = p.w.Write(b); p.err != nil {
			return
		}
	}
}

// header writes all that comes before the pixels.
func (p *pngWriter) header(l layers, meta Meta) {
	if _, p.err = io.WriteString(p.w, "\x89PNG\r\n\x1a\n"); p.err != nil {
		return
	}
	kind := [5]byte{0, 0, 4, 2, 6}[l.samples] // grey, grey and alpha, colour, colour and alpha
	head := binary.BigEndian.AppendUint32(nil, uint32(l.colour.W))
	head = binary.BigEndian.AppendUint32(head, uint32(l.colour.H))
	p.chunk("IHDR", append(head, byte(8*l.width), kind, 0, 0, 0))
	if l.samples >= 3 {
		p.describe(meta)
	}
	p.chunk("tEXt", []byte("Software\x00"+software))
	p.chunk("tEXt", []byte(markKey+"\x00"+meta.Pass))
}

// describe writes the chunks that say what the colour means (PNG, third edition, 11.3.2): the plate's own, else all that
// the space has, as readers know one or the other: code points go before a profile, and that before gAMA and cHRM. For
// sRGB there is a chunk that stands for all of them.
func (p *pngWriter) describe(meta Meta) {
	code, own := meta.CICP, meta.CICP != nil || meta.carriesICC()
	if !own {
		if meta.Space == colour.SRGB {
			p.chunk("sRGB", []byte{0}) // perceptual
			return
		}
		code = cicpOf(meta.Space)
	}
	if len(code) == 4 {
		p.chunk("cICP", code)
	}
	if icc := meta.profile(); icc != nil {
		var b bytes.Buffer
		b.WriteString("profile\x00\x00")
		z := zlib.NewWriter(&b)
		z.Write(icc) // a bytes.Buffer takes everything
		z.Close()
		p.chunk("iCCP", b.Bytes())
	}
	if gamma, primaries, ok := powerOf(meta.Space); ok && !own {
		p.chunk("gAMA", binary.BigEndian.AppendUint32(nil, gamma))
		var b []byte
		for _, v := range primaries {
			b = binary.BigEndian.AppendUint32(b, v)
		}
		p.chunk("cHRM", b)
	}
}

// bandBytes is about how much is filtered and packed at once: enough that ending a Deflate block costs
// nothing, little enough that bands in flight take no memory to speak of.
const bandBytes = 1 << 20

// bandRows returns how many rows make a band.
func bandRows(l layers) int {
	return max(1, bandBytes/l.rowBytes())
}

// packed is a band ready to be written.
type packed struct {
	data   []byte
	sum    uint32 // Adler-32 of what was packed
	length int64  // and its length
}

// packPNG filters and deflates the rows y0..y1. The last band of an image ends the Deflate stream; the
// others end on a byte, so that bands can be put one behind another.
func packPNG(l layers, y0, y1 int) (packed, error) {
	n := l.rowBytes()
	row, above := make([]byte, n), make([]byte, n)
	if y0 > 0 {
		if err := l.pack(above, y0-1, true); err != nil {
			return packed{}, err
		}
	}
	var out bytes.Buffer
	deflate, err := flate.NewWriter(&out, flate.BestSpeed)
	if err != nil {
		return packed{}, err
	}
	sum := adler32.New()
	w := io.MultiWriter(deflate, sum)
	f := newFilters(n, l.pixelBytes())
	for y := y0; y < y1; y++ {
		if err := l.pack(row, y, true); err != nil {
			return packed{}, err
		}
		if _, err := w.Write(f.best(row, above)); err != nil {
			return packed{}, err
		}
		row, above = above, row
	}
	if y1 == l.colour.H {
		err = deflate.Close()
	} else {
		err = deflate.Flush()
	}
	return packed{out.Bytes(), sum.Sum32(), int64(y1-y0) * int64(n+1)}, err
}

// filters tries PNG's row filters (PNG, third edition, 9.2).
type filters struct {
	pixel   int // bytes of a pixel
	sub, up []byte
}

func newFilters(row, pixel int) *filters {
	f := &filters{pixel: pixel, sub: make([]byte, row+1), up: make([]byte, row+1)}
	f.sub[0], f.up[0] = 1, 2
	return f
}

// best returns the row behind its filter byte, by the filter whose differences are smaller in sum: left
// (Sub) or above (Up). The others cost more time than they save bytes at a fast level.
func (f *filters) best(row, above []byte) []byte {
	sub, up := f.sub[1:], f.up[1:]
	copy(sub, row[:f.pixel])
	left := row[:len(row)-f.pixel]
	subSum, upSum := 0, 0
	for i, v := range left {
		d := row[i+f.pixel] - v
		sub[i+f.pixel] = d
		subSum += magnitude(d)
	}
	for i, v := range row {
		d := v - above[i]
		up[i] = d
		upSum += magnitude(d)
	}
	if upSum <= subSum {
		return f.up
	}
	return f.sub
}

// magnitude is |d| of a difference modulo 256.
func magnitude(d byte) int {
	s := int8(d)
	m := s >> 7
	return int(uint8((s ^ m) - m))
}

// combineAdler returns the Adler-32 of two runs of bytes behind each other, from the sums of each and the
// length of the second. With a = 1 + sum of bytes and b = sum of all a (modulo 65521), the second run's b
// grows by length times what the first run adds to a.
func combineAdler(first, second uint32, length int64) uint32 {
	const mod = 65521
	a1, b1 := int64(first&0xffff), int64(first>>16)
	a2, b2 := int64(second&0xffff), int64(second>>16)
	a := (a1 + a2 + mod - 1) % mod
	b := (b1 + b2 + (length%mod)*(a1+mod-1)) % mod
	return uint32(b)<<16 | uint32(a)
}
