package exr

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"

	"greenroom/engine/picture"
	"greenroom/engine/picture/half"
)

// testPart is a part to be built.
type testPart struct {
	channels      []testChannel
	data, display Box
	compression   Compression
	tileW, tileH  int
	levels        byte // the tiles' mode: 0 one level, 1 and 2 several
	// kind and name are needed in files of several parts.
	kind, name string
	// backwards stores the blocks from the last to the first.
	backwards bool
	// attributes come beside the required ones; a required one of the same name is left out.
	attributes []testAttribute
	// packed, if not nil, changes the packed bytes of a block.
	packed func(i int, b []byte) []byte
	// acByDeflate packs DWA's coefficients by Deflate and not by Huffman; oldDWA leaves its rules out.
	acByDeflate, oldDWA bool
}

type testAttribute struct {
	name, kind string
	value      []byte
}

// testChannel is a channel and the bits of its sample at a pixel.
type testChannel struct {
	Channel
	bits func(x, y int) uint32
}

// halfChannel is a channel of halves with a smooth picture in it.
func halfChannel(name string, scale float32) testChannel {
	return testChannel{Channel{Name: name, Type: Half, XSampling: 1, YSampling: 1}, func(x, y int) uint32 {
		return uint32(half.Float16(smooth(x, y) * scale))
	}}
}

func floatChannel(name string, scale float32) testChannel {
	return testChannel{Channel{Name: name, Type: Float, XSampling: 1, YSampling: 1}, func(x, y int) uint32 {
		return math.Float32bits(smooth(x, y) * scale)
	}}
}

func uintChannel(name string) testChannel {
	return testChannel{Channel{Name: name, Type: Uint, XSampling: 1, YSampling: 1}, func(x, y int) uint32 {
		return uint32(x*70000 + y)
	}}
}

// smooth is a picture in 0..1.2 that changes slowly.
func smooth(x, y int) float32 {
	return float32(0.6 + 0.4*math.Sin(float64(x)*0.11)*math.Cos(float64(y)*0.07) + 0.2*math.Sin(float64(x*y)*0.003))
}

// value returns the number that a channel's sample stands for.
func (c testChannel) value(x, y int) float32 {
	bits := c.bits(x, y)
	switch c.Type {
	case Half:
		return half.FromFloat16(uint16(bits))
	case Float:
		return math.Float32frombits(bits)
	}
	return float32(bits)
}

func box(x0, y0, w, h int32) Box { return Box{x0, y0, x0 + w - 1, y0 + h - 1} }

// part returns what the headers' reader would make of it.
func (p testPart) part() Part {
	out := Part{Data: p.data, Display: p.display, Compression: p.compression, Tiled: p.tileW > 0, TileW: p.tileW, TileH: p.tileH}
	for _, c := range p.sorted() {
		out.Channels = append(out.Channels, c.Channel)
	}
	return out
}

func (p testPart) sorted() []testChannel {
	all := slices.Clone(p.channels)
	slices.SortFunc(all, func(a, b testChannel) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// blocks returns the packed blocks with their heads, without part numbers.
func (p testPart) blocks(t testing.TB) [][]byte {
	part := p.part()
	g := newGrid(&part)
	var all [][]byte
	for i := range g.blocks() {
		var b block
		if err := b.set(g.box(i), part.Channels); err != nil {
			t.Fatal(err)
		}
		b.byLines()
		raw := make([]byte, b.bytes)
		for y := range b.rows() {
			for c, channel := range p.sorted() {
				at := b.offset(c, y)
				if at < 0 {
					continue
				}
				// Samples lie on multiples of the sampling.
				x0 := int(floorDiv(int64(b.box.MinX)+int64(channel.XSampling)-1, int64(channel.XSampling)))
				for x := range b.channels[c].w {
					bits := channel.bits((x0+x)*channel.XSampling, int(b.box.MinY)+y)
					if channel.Type == Half {
						binary.LittleEndian.PutUint16(raw[at+2*x:], uint16(bits))
					} else {
						binary.LittleEndian.PutUint32(raw[at+4*x:], bits)
					}
				}
			}
		}
		packed := p.pack(t, &b, raw)
		if len(packed) >= len(raw) {
			packed = raw
		}
		if p.packed != nil {
			packed = p.packed(int(i), packed)
		}
		head := []int32{b.box.MinY}
		if p.tileW > 0 {
			head = []int32{int32(i % g.across), int32(i / g.across), 0, 0}
		}
		all = append(all, append(ints(append(head, int32(len(packed)))...), packed...))
	}
	return all
}

func ints(v ...int32) (b []byte) {
	for _, n := range v {
		b = binary.LittleEndian.AppendUint32(b, uint32(n))
	}
	return b
}

func (b Box) bytes() []byte { return ints(b.MinX, b.MinY, b.MaxX, b.MaxY) }

// header returns the part's header, with its ending zero.
func (p testPart) header(blocks int) (b []byte) {
	var channels []byte
	for _, c := range p.channels { // in the order in which they are given
		linear := int32(0)
		if c.Perceptual {
			linear = 1
		}
		channels = append(append(channels, c.Name...), 0)
		channels = append(channels, ints(int32(c.Type), linear, int32(c.XSampling), int32(c.YSampling))...)
	}
	one := binary.LittleEndian.AppendUint32(nil, math.Float32bits(1))
	required := []testAttribute{
		{"channels", "chlist", append(channels, 0)},
		{"compression", "compression", []byte{byte(p.compression)}},
		{"dataWindow", "box2i", p.data.bytes()},
		{"displayWindow", "box2i", p.display.bytes()},
		{"lineOrder", "lineOrder", []byte{0}},
		{"pixelAspectRatio", "float", one},
		{"screenWindowCenter", "v2f", make([]byte, 8)},
		{"screenWindowWidth", "float", one},
	}
	if p.tileW > 0 {
		required = append(required, testAttribute{"tiles", "tiledesc", append(ints(int32(p.tileW), int32(p.tileH)), p.levels)})
	}
	if p.kind != "" {
		required = append(required, testAttribute{"type", "string", []byte(p.kind)},
			testAttribute{"name", "string", []byte(p.name)}, testAttribute{"chunkCount", "int", ints(int32(blocks))})
	}
	all := slices.Clone(p.attributes)
	for _, a := range required {
		if !slices.ContainsFunc(p.attributes, func(o testAttribute) bool { return o.name == a.name }) {
			all = append(all, a)
		}
	}
	for _, a := range all {
		if a.kind == "" {
			continue // left out
		}
		b = append(append(append(append(b, a.name...), 0), a.kind...), 0)
		b = append(append(b, ints(int32(len(a.value)))...), a.value...)
	}
	return append(b, 0)
}

// testFile builds a file; of several parts if there are several or the first has a kind.
func testFile(t testing.TB, parts ...testPart) []byte {
	t.Helper()
	version := uint32(2)
	many := len(parts) > 1 || parts[0].kind != ""
	switch {
	case many:
		version |= flagMultipart
	case parts[0].tileW > 0:
		version |= flagTiled
	}
	b := binary.LittleEndian.AppendUint32([]byte("v/1\x01"), version)
	blocks := make([][][]byte, len(parts))
	tables := 0
	for i, p := range parts {
		blocks[i] = p.blocks(t)
		b = append(b, p.header(len(blocks[i]))...)
		tables += 8 * len(blocks[i])
	}
	if many {
		b = append(b, 0)
	}
	table := len(b)
	b = append(b, make([]byte, tables)...)
	for i, p := range parts {
		order := make([]int, len(blocks[i]))
		for k := range order {
			order[k] = k
		}
		if p.backwards {
			slices.Reverse(order)
		}
		for _, k := range order {
			binary.LittleEndian.PutUint64(b[table+8*k:], uint64(len(b)))
			if many {
				b = append(b, ints(int32(i))...)
			}
			b = append(b, blocks[i][k]...)
		}
		table += 8 * len(blocks[i])
	}
	return b
}

func opened(t testing.TB, b []byte) *File {
	t.Helper()
	f, err := Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// readChannel reads one channel of a part into an image of the display window's size.
func readChannel(t testing.TB, f *File, part, channel int) picture.Image {
	t.Helper()
	p := f.Parts[part]
	m := picture.New(int(p.Display.W()), int(p.Display.H()), 1)
	if _, err := f.Read(context.Background(), part, []Destination{{channel, m, 0}}); err != nil {
		t.Fatal(err)
	}
	return m
}

// checkPart reads every whole channel of a part and holds it against what was built, within a share of the value.
func checkPart(t *testing.T, f *File, part int, p testPart, within float64) {
	t.Helper()
	for i, c := range p.sorted() {
		if !c.whole() {
			continue
		}
		m := readChannel(t, f, part, i)
		for y := range m.H {
			for x, got := range m.Row(y) {
				px, py := int32(x)+p.display.MinX, int32(y)+p.display.MinY
				want := float32(0)
				if px >= p.data.MinX && px <= p.data.MaxX && py >= p.data.MinY && py <= p.data.MaxY {
					want = c.value(int(px), int(py))
				}
				if math.Abs(float64(got-want)) > within*math.Abs(float64(want)) {
					t.Fatalf("%s, channel %s at %d, %d: %v, want %v", p.compression, c.Name, px, py, got, want)
				}
			}
		}
	}
}
