package imageio

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"io"
	"math"

	"greenroom/engine/picture"
)

// WriteTIFF16 writes an image as a TIFF of 16 bits a sample, with Deflate compression and horizontal
// differencing, in one directory behind the pixels. Images, alpha, clamping and NaN are as for WritePNG16;
// alpha is marked as unassociated (straight). Strips are packed on all processors.
func WriteTIFF16(w io.WriteSeeker, colours, alpha picture.Image, meta Meta) error {
	return writeTIFFOf(w, colours, alpha, meta, 2)
}

// WriteTIFF8 is WriteTIFF16 with 8 bits a sample.
func WriteTIFF8(w io.WriteSeeker, colours, alpha picture.Image, meta Meta) error {
	return writeTIFFOf(w, colours, alpha, meta, 1)
}

// writeTIFFOf writes samples of one byte or two.
func writeTIFFOf(w io.WriteSeeker, colours, alpha picture.Image, meta Meta, width int) error {
	l, err := newLayers(colours, alpha, width)
	if err != nil {
		return err
	}
	t := tiffWriter{w: w}
	// The place of the directory is filled in when it is known.
	t.write([]byte{'I', 'I', 42, 0, 0, 0, 0, 0})
	rows := bandRows(l)
	var offsets, counts []uint32
	err = picture.InOrder((colours.H+rows-1)/rows, func(i int) ([]byte, error) {
		return packTIFF(l, i*rows, min((i+1)*rows, colours.H))
	}, func(_ int, strip []byte) error {
		offsets, counts = append(offsets, uint32(t.at)), append(counts, uint32(len(strip)))
		t.write(strip)
		return t.err
	})
	if err != nil {
		return err
	}
	t.write(make([]byte, t.at%2)) // a directory begins on an even byte
	start := t.at
	t.write(tiffDirectory(l, meta, rows, offsets, counts, uint32(start)))
	if t.err != nil {
		return t.err
	}
	if _, err := w.Seek(4, io.SeekStart); err != nil {
		return err
	}
	_, err = w.Write(binary.LittleEndian.AppendUint32(nil, uint32(start)))
	return err
}

// tiffWriter counts what it writes; the first error stays.
type tiffWriter struct {
	w   io.Writer
	at  int64
	err error
}

func (t *tiffWriter) write(b []byte) {
	if t.err != nil {
		return
	}
	const room = 1 << 20 // for the directory
	if t.at+int64(len(b)) > math.MaxUint32-room {
		t.err = &Error{Why: "it would be over 4 GB, which a TIFF cannot hold", Fix: "write PNG instead", Err: ErrTooLarge}
		return
	}
	var n int
	n, t.err = t.w.Write(b)
	t.at += int64(n)
}

// packTIFF packs the rows y0..y1 as a strip.
func packTIFF(l layers, y0, y1 int) ([]byte, error) {
	row := make([]byte, l.rowBytes())
	var out bytes.Buffer
	z, err := zlib.NewWriterLevel(&out, zlib.BestSpeed)
	if err != nil {
		return nil, err
	}
	step := l.pixelBytes()
	for y := y0; y < y1; y++ {
		if err := l.pack(row, y, false); err != nil {
			return nil, err
		}
		for i := len(row) - 1; l.width == 1 && i >= step; i-- {
			row[i] -= row[i-step]
		}
		for i := len(row) - 2; l.width == 2 && i >= step; i -= 2 {
			d := binary.LittleEndian.Uint16(row[i:]) - binary.LittleEndian.Uint16(row[i-step:])
			binary.LittleEndian.PutUint16(row[i:], d)
		}
		if _, err := z.Write(row); err != nil {
			return nil, err
		}
	}
	err = z.Close()
	return out.Bytes(), err
}

// tiffDirectory returns the directory and the values that do not fit into it, to be written at start.
func tiffDirectory(l layers, meta Meta, rows int, offsets, counts []uint32, start uint32) []byte {
	const text, short, long, rational, undefined = 2, 3, 4, 5, 7
	type field struct {
		tag, kind uint16
		count     int
		value     []byte
	}
	order := binary.LittleEndian
	shorts := func(v ...uint16) (b []byte) {
		for _, n := range v {
			b = order.AppendUint16(b, n)
		}
		return b
	}
	longs := func(v ...uint32) (b []byte) {
		for _, n := range v {
			b = order.AppendUint32(b, n)
		}
		return b
	}
	repeat := func(v uint16) []uint16 {
		return []uint16{v, v, v, v}[:l.samples]
	}
	photometric := uint16(photometricBlackIsZero)
	if l.samples >= 3 {
		photometric = photometricRGB
	}
	description := markKey + ": " + meta.Pass + "\x00"
	fields := []field{ // in the order of their tags
		{tagWidth, long, 1, longs(uint32(l.colour.W))},
		{tagHeight, long, 1, longs(uint32(l.colour.H))},
		{tagBitsPerSample, short, l.samples, shorts(repeat(uint16(8 * l.width))...)},
		{tagCompression, short, 1, shorts(compressionDeflate)},
		{tagPhotometric, short, 1, shorts(photometric)},
		{tagDescription, text, len(description), []byte(description)},
		{tagStripOffsets, long, len(offsets), longs(offsets...)},
		{tagOrientation, short, 1, shorts(1)},
		{tagSamples, short, 1, shorts(uint16(l.samples))},
		{tagRowsPerStrip, long, 1, longs(uint32(rows))},
		{tagStripCounts, long, len(counts), longs(counts...)},
		// Readers ask for a resolution, which a plate has not: 72 dots an inch says nothing.
		{tagXResolution, rational, 1, longs(72, 1)},
		{tagYResolution, rational, 1, longs(72, 1)},
		{tagPlanar, short, 1, shorts(1)},
		{tagResolutionUnit, short, 1, shorts(2)},
		{tagSoftware, text, len(software) + 1, []byte(software + "\x00")},
		{tagPredictor, short, 1, shorts(predictorHorizontal)},
	}
	if l.samples == 2 || l.samples == 4 {
		fields = append(fields, field{tagExtraSamples, short, 1, shorts(alphaStraight)})
	}
	fields = append(fields, field{tagSampleFormat, short, l.samples, shorts(repeat(1)...)})
	if icc := meta.profile(); l.samples >= 3 && icc != nil {
		fields = append(fields, field{tagICC, undefined, len(icc), icc})
	}
	b := shorts(uint16(len(fields)))
	far := start + uint32(2+12*len(fields)+4) // where values over four bytes go
	var values []byte
	for _, f := range fields {
		b = append(b, shorts(f.tag, f.kind)...)
		b = append(b, longs(uint32(f.count))...)
		if len(f.value) <= 4 {
			var inline [4]byte
			copy(inline[:], f.value)
			b = append(b, inline[:]...)
			continue
		}
		b = append(b, longs(far+uint32(len(values)))...)
		values = append(values, f.value...)
		if len(values)%2 == 1 {
			values = append(values, 0)
		}
	}
	b = append(b, longs(0)...) // no further directory
	return append(b, values...)
}
