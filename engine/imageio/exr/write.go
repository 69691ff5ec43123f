package exr

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"greenroom/engine/picture"
	"greenroom/engine/picture/half"
)

// ErrNotFinite means an image with NaN in it, which is not written: whatever stood for it would look like an answer.
var ErrNotFinite = errors.New("not finite")

// Output is a picture to be written.
type Output struct {
	// X and Y are where the picture lies: the top left corner of its display window, which is its data window too.
	X, Y int
	// W and H are its size in pixels.
	W, H int
	// Type is Half or Float, for all channels. Values over a half's range are written as its largest.
	Type PixelType
	// Channels are named; the order does not matter.
	Channels []Samples
	// PixelAspect is the width of a pixel over its height; 0 means 1.
	PixelAspect float32
	// Chromaticities are left out where they are nil.
	Chromaticities *Chromaticities
	// Text are further attributes that are strings, by their names: "comments", "software".
	Text map[string]string
}

// Samples are the samples of one channel.
type Samples struct {
	Name string
	// Row fills dst with row y; it is called from several goroutines.
	Row func(dst []float32, y int)
}

// deflateLevel is the level of compress/zlib that is written with.
const deflateLevel = 2

// Write writes a file of one part in scan lines with ZIP compression. Blocks are packed on all processors; what is
// written does not depend on their number. NaN is an error (ErrNotFinite).
func Write(w io.WriteSeeker, o Output) error {
	if o.W < 1 || o.H < 1 || len(o.Channels) == 0 || o.Type != Half && o.Type != Float {
		return fmt.Errorf("exr: a picture of %d x %d pixels with %d channels cannot be stored", o.W, o.H, len(o.Channels))
	}
	o.Channels = slices.Clone(o.Channels)
	slices.SortFunc(o.Channels, func(a, b Samples) int { return strings.Compare(a.Name, b.Name) })
	head := o.header()
	lines := compressions[ZIP].lines
	n := (o.H + lines - 1) / lines
	// The table's place is filled in when it is known.
	table := make([]byte, 8*n)
	if _, err := w.Write(append(head, table...)); err != nil {
		return err
	}
	at := int64(len(head) + len(table))
	err := picture.InOrder(n, func(i int) ([]byte, error) {
		return o.block(i*lines, min((i+1)*lines, o.H))
	}, func(i int, b []byte) error {
		binary.LittleEndian.PutUint64(table[8*i:], uint64(at))
		at += int64(len(b))
		_, err := w.Write(b)
		return err
	})
	if err != nil {
		return err
	}
	if _, err := w.Seek(int64(len(head)), io.SeekStart); err != nil {
		return err
	}
	_, err = w.Write(table)
	return err
}

// block packs the rows y0..y1.
func (o *Output) block(y0, y1 int) ([]byte, error) {
	width := o.Type.bytes()
	n := (y1 - y0) * len(o.Channels) * o.W * width
	raw := make([]byte, n)
	row := make([]float32, o.W)
	dst := raw
	for y := y0; y < y1; y++ {
		for _, c := range o.Channels {
			c.Row(row, y)
			if !putRow(dst, row, o.Type) {
				return nil, fmt.Errorf("channel %s of row %d: %w", c.Name, y, ErrNotFinite)
			}
			dst = dst[o.W*width:]
		}
	}
	out := bytes.NewBuffer(make([]byte, 0, n+n/8+64))
	head := binary.LittleEndian.AppendUint32(nil, uint32(int32(o.Y+y0)))
	out.Write(binary.LittleEndian.AppendUint32(head, 0))
	apart := make([]byte, n)
	separate(apart, raw)
	takeDifferences(apart)
	z, err := zlib.NewWriterLevel(out, deflateLevel)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(apart); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	if out.Len()-8 >= n { // what does not get smaller is stored as it is
		out.Truncate(8)
		out.Write(raw)
	}
	b := out.Bytes()
	binary.LittleEndian.PutUint32(b[4:], uint32(len(b)-8))
	return b, nil
}

// putRow stores a row of samples and reports whether all are numbers.
func putRow(dst []byte, row []float32, kind PixelType) (numbers bool) {
	numbers = true
	if kind == Float {
		for i, v := range row {
			numbers = numbers && v == v
			binary.LittleEndian.PutUint32(dst[4*i:], math.Float32bits(v))
		}
		return numbers
	}
	for i, v := range row {
		numbers = numbers && v == v
		binary.LittleEndian.PutUint16(dst[2*i:], half.Float16(min(max(v, -half.MaxFloat16), half.MaxFloat16)))
	}
	return numbers
}

// separate puts the even bytes of src on the first half of dst and the odd ones on the second.
func separate(dst, src []byte) {
	half := (len(src) + 1) / 2
	low, high := dst[:half], dst[half:]
	for i := range high {
		v := binary.LittleEndian.Uint16(src[2*i:])
		low[i], high[i] = byte(v), byte(v>>8)
	}
	if len(src)%2 == 1 {
		low[half-1] = src[len(src)-1]
	}
}

// takeDifferences replaces each byte but the first by its difference from the one before, plus 128.
func takeDifferences(b []byte) {
	before := byte(128)
	for i, v := range b {
		b[i] = v - before + 128
		before = v
	}
}

// header returns all that comes before the table of blocks.
func (o *Output) header() []byte {
	order := binary.LittleEndian
	b := []byte("v/1\x01\x02\x00\x00\x00")
	attribute := func(name, kind string, value []byte) {
		b = append(append(append(append(b, name...), 0), kind...), 0)
		b = append(order.AppendUint32(b, uint32(len(value))), value...)
	}
	floats := func(v ...float32) (b []byte) {
		for _, f := range v {
			b = order.AppendUint32(b, math.Float32bits(f))
		}
		return b
	}
	var channels []byte
	for _, c := range o.Channels {
		if len(c.Name) > 31 {
			b[5] |= flagLongNames >> 8
		}
		channels = append(append(channels, c.Name...), 0)
		for _, v := range []uint32{uint32(o.Type), 0, 1, 1} {
			channels = order.AppendUint32(channels, v)
		}
	}
	var window []byte
	for _, v := range []int{o.X, o.Y, o.X + o.W - 1, o.Y + o.H - 1} {
		window = order.AppendUint32(window, uint32(int32(v)))
	}
	aspect := o.PixelAspect
	if aspect == 0 {
		aspect = 1
	}
	attribute("channels", "chlist", append(channels, 0))
	if c := o.Chromaticities; c != nil {
		attribute("chromaticities", "chromaticities", floats(c[:]...))
	}
	attribute("compression", "compression", []byte{byte(ZIP)})
	attribute("dataWindow", "box2i", window)
	attribute("displayWindow", "box2i", window)
	attribute("lineOrder", "lineOrder", []byte{0}) // from the top
	attribute("pixelAspectRatio", "float", floats(aspect))
	attribute("screenWindowCenter", "v2f", floats(0, 0))
	attribute("screenWindowWidth", "float", floats(1))
	names := make([]string, 0, len(o.Text))
	for name := range o.Text {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if len(name) > 31 {
			b[5] |= flagLongNames >> 8
		}
		attribute(name, "string", []byte(o.Text[name]))
	}
	return append(b, 0)
}
