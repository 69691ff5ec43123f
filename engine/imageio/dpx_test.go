package imageio

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"

	"greenroom/engine/colour"
)

// testDPX is a DPX to be built.
type testDPX struct {
	order          binary.ByteOrder
	w, h           int
	kind, transfer uint8
	depth          uint8
	packing        uint16
	orientation    uint16
	pixels         []byte
	change         func(order binary.ByteOrder, b []byte)
}

func (d testDPX) bytes() []byte {
	b := make([]byte, dpxHeaderBytes, dpxHeaderBytes+len(d.pixels))
	order := d.order
	if order == nil {
		order = binary.BigEndian
	}
	order.PutUint32(b, 0x53445058) // SDPX
	order.PutUint32(b[dpxImageOffset:], dpxHeaderBytes)
	copy(b[8:], "V2.0")
	order.PutUint16(b[dpxOrientation:], d.orientation)
	order.PutUint16(b[dpxElements:], 1)
	order.PutUint32(b[dpxWidth:], uint32(d.w))
	order.PutUint32(b[dpxHeight:], uint32(d.h))
	e := b[dpxElement:]
	e[20], e[21], e[23] = d.kind, d.transfer, d.depth
	order.PutUint16(e[24:], d.packing)
	order.PutUint32(e[28:], dpxHeaderBytes)
	order.PutUint32(e[32:], dpxUndefined)
	order.PutUint32(b[dpxAspect:], dpxUndefined)
	order.PutUint32(b[dpxAspect+4:], dpxUndefined)
	if d.change != nil {
		d.change(order, b)
	}
	return append(b, d.pixels...)
}

func words(order binary.ByteOrder, v ...uint32) (b []byte) {
	for _, n := range v {
		p := make([]byte, 4)
		order.PutUint32(p, n)
		b = append(b, p...)
	}
	return b
}

func TestDPXOfEveryDepthAndPackingIsRead(t *testing.T) {
	big, little := binary.BigEndian, binary.LittleEndian
	for _, c := range []struct {
		name string
		file testDPX
		max  float32
		want []float32 // colour, then alpha
	}{
		{"8 bits RGB", testDPX{w: 2, h: 1, kind: 50, depth: 8, pixels: []byte{1, 2, 3, 4, 5, 255}}, 255, []float32{1, 2, 3, 4, 5, 255}},
		{"8 bits RGBA", testDPX{w: 1, h: 1, kind: 51, depth: 8, pixels: []byte{1, 2, 3, 4}}, 255, []float32{1, 2, 3, 4}},
		{"8 bits ABGR", testDPX{w: 1, h: 1, kind: 52, depth: 8, pixels: []byte{4, 3, 2, 1}}, 255, []float32{1, 2, 3, 4}},
		{"8 bits grey", testDPX{w: 3, h: 1, kind: 6, depth: 8, pixels: []byte{7, 8, 9}}, 255, []float32{7, 7, 7, 8, 8, 8, 9, 9, 9}},
		{"10 bits method A", testDPX{w: 2, h: 1, kind: 50, depth: 10, packing: 1, pixels: words(big, 1<<22|2<<12|1023<<2, 4<<22|5<<12|6<<2)}, 1023, []float32{1, 2, 1023, 4, 5, 6}},
		{"10 bits method B", testDPX{w: 2, h: 1, kind: 50, depth: 10, packing: 2, pixels: words(big, 1<<20|2<<10|1023, 4<<20|5<<10|6)}, 1023, []float32{1, 2, 1023, 4, 5, 6}},
		{"10 bits little-endian", testDPX{order: little, w: 1, h: 1, kind: 50, depth: 10, packing: 1, pixels: words(little, 1000<<22|2<<12|3<<2)}, 1023, []float32{1000, 2, 3}},
		{"10 bits packed", testDPX{w: 2, h: 1, kind: 50, depth: 10, pixels: words(big, 1|2<<10|3<<20|(4&3)<<30, 4>>2|5<<8|6<<18)}, 1023, []float32{1, 2, 3, 4, 5, 6}},
		{"12 bits method A", testDPX{w: 1, h: 1, kind: 50, depth: 12, packing: 1, pixels: []byte{0xff, 0xf0, 0, 0x10, 0x12, 0x30}}, 4095, []float32{4095, 1, 0x123}},
		{"12 bits method B", testDPX{w: 1, h: 1, kind: 50, depth: 12, packing: 2, pixels: []byte{0x0f, 0xff, 0, 1, 0x01, 0x23}}, 4095, []float32{4095, 1, 0x123}},
		{"12 bits packed", testDPX{w: 1, h: 1, kind: 50, depth: 12, pixels: words(big, 0xfff|1<<12|0x23<<24, 1)}, 4095, []float32{4095, 1, 0x123}},
		{"16 bits", testDPX{w: 1, h: 1, kind: 50, depth: 16, pixels: []byte{0xff, 0xff, 0, 1, 0x12, 0x34}}, 65535, []float32{65535, 1, 0x1234}},
		{"16 bits little-endian", testDPX{order: little, w: 1, h: 1, kind: 50, depth: 16, pixels: []byte{0xff, 0xff, 1, 0, 0x34, 0x12}}, 65535, []float32{65535, 1, 0x1234}},
	} {
		f := decode(t, c.file.bytes())
		got := append(append([]float32(nil), f.Picture.RGB.Pix...), f.Picture.Alpha.Pix...)
		if f.Format != DPX || f.Depth != int(c.file.depth) || f.Float || len(got) != len(c.want) || f.Picture.Space != colour.SRGB {
			t.Errorf("%s: header %+v, values %v", c.name, f.Header, got)
			continue
		}
		for i, want := range c.want {
			if got[i] != want/c.max {
				t.Errorf("%s: value %d is %v, want %v", c.name, i, got[i]*c.max, want)
			}
		}
	}
}

func TestDPXIsUprightAndSaysWhatItIs(t *testing.T) {
	// Where the first stored pixel of 2 x 1 lies in the upright picture.
	for orientation, want := range []struct{ w, h, first int }{
		{2, 1, 0}, {2, 1, 1}, {2, 1, 0}, {2, 1, 1}, {1, 2, 0}, {1, 2, 0}, {1, 2, 1}, {1, 2, 1},
	} {
		f := decode(t, testDPX{w: 2, h: 1, kind: 6, depth: 8, orientation: uint16(orientation), pixels: []byte{255, 0}}.bytes())
		if f.W != want.w || f.H != want.h || f.Picture.RGB.Pix[3*want.first] != 1 {
			t.Errorf("orientation %d: %d x %d, %v", orientation, f.W, f.H, f.Picture.RGB.Pix)
		}
	}
	plain := testDPX{w: 1, h: 1, kind: 50, depth: 8, pixels: make([]byte, 3)}
	stretched := plain
	stretched.change = func(order binary.ByteOrder, b []byte) {
		order.PutUint32(b[dpxAspect:], 2)
		order.PutUint32(b[dpxAspect+4:], 1)
		order.PutUint16(b[dpxElements:], 2)
	}
	for transfer, want := range map[uint8]colour.Space{
		0: colour.SRGB, 1: colour.Cineon, 2: colour.LinearRec709, 3: colour.Cineon, 4: colour.SRGB, 5: colour.Rec709, 6: colour.Rec709, 7: colour.SRGB,
	} {
		plain.transfer = transfer
		f := decode(t, plain.bytes())
		if said := f.SpaceBy == "its header"; f.Picture.Space != want || said != (dpxTransfers[transfer] != "") {
			t.Errorf("transfer %d is read as %s, by %q", transfer, f.Picture.Space, f.SpaceBy)
		}
	}
	if f := decode(t, stretched.bytes()); !hasNote(f, "aspect 2") || !hasNote(f, "2 image elements") {
		t.Errorf("notes %q", f.Notes)
	}
}

func TestDPXRowsMayHaveBytesBehindThem(t *testing.T) {
	d := testDPX{w: 1, h: 2, kind: 50, depth: 8, pixels: []byte{1, 2, 3, 99, 4, 5, 6, 99}}
	d.change = func(order binary.ByteOrder, b []byte) { order.PutUint32(b[dpxElement+32:], 1) }
	if got := decode(t, d.bytes()).Picture.RGB.Pix; got[3] != 4.0/255 {
		t.Errorf("values %v", got)
	}
}

func TestDPXRefusalsAreNamed(t *testing.T) {
	plain := testDPX{w: 4, h: 4, kind: 50, depth: 10, packing: 1, pixels: make([]byte, 64)}
	with := func(change func(d *testDPX)) []byte {
		d := plain
		change(&d)
		return d.bytes()
	}
	field := func(at int, v uint32) []byte {
		return with(func(d *testDPX) {
			d.change = func(order binary.ByteOrder, b []byte) { order.PutUint32(b[at:], v) }
		})
	}
	for _, c := range []struct {
		name string
		b    []byte
		kind error
		says string
	}{
		{"chroma", with(func(d *testDPX) { d.kind = 100 }), ErrUnsupported, "4:2:2 video"},
		{"one colour", with(func(d *testDPX) { d.kind = 1 }), ErrUnsupported, "a DPX of red"},
		{"unknown kind", with(func(d *testDPX) { d.kind = 77 }), ErrUnsupported, "unknown kind 77"},
		{"float", with(func(d *testDPX) { d.depth = 32 }), ErrUnsupported, "32-bit floating point"},
		{"one bit", with(func(d *testDPX) { d.depth = 1 }), ErrUnsupported, "1 bits"},
		{"unknown packing", with(func(d *testDPX) { d.packing = 5 }), ErrUnsupported, "packing 5"},
		{"10 bits with alpha", with(func(d *testDPX) { d.kind = 51 }), ErrUnsupported, "not plain RGB"},
		{"signed", field(dpxElement, 1), ErrUnsupported, "signed"},
		{"run lengths", field(dpxElement+24, 1<<16|1), ErrUnsupported, "run-length"},
		{"in the header", field(dpxElement+28, 100), ErrDamaged, "in its header"},
		{"beyond the end", field(dpxElement+28, 1<<31), ErrDamaged, "cut short"},
		{"no width", field(dpxWidth, 0), ErrDamaged, "0 x 4"},
		{"absurd size", field(dpxWidth, math.MaxUint32), ErrTooLarge, "limit"},
		{"absurd rows", field(dpxElement+32, 1<<31), ErrDamaged, "cut short"},
		{"short header", plain.bytes()[:600], ErrDamaged, "cut short"},
		{"short pixels", plain.bytes()[:dpxHeaderBytes+63], ErrDamaged, "cut short"},
	} {
		_, err := Decode(bytes.NewReader(c.b), int64(len(c.b)), "x.dpx", Limits{})
		if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", c.name, err, c.says)
		}
	}
}

func FuzzDPX(f *testing.F) {
	for _, depth := range []uint8{8, 10, 12, 16} {
		for packing := range uint16(3) {
			f.Add(testDPX{w: 5, h: 4, kind: 50, depth: depth, packing: packing, pixels: make([]byte, 200)}.bytes())
			f.Add(testDPX{w: 5, h: 4, kind: 52, depth: depth, packing: packing, orientation: 5, pixels: make([]byte, 200)}.bytes())
		}
	}
	f.Fuzz(checkDecode)
}
