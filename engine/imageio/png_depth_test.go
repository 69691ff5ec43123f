package imageio

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"testing"

	"greenroom/engine/colour"
	"greenroom/engine/picture"
)

// rawPNG is a PNG to be built, of one row filter (none) and any depth.
type rawPNG struct {
	w, h        int
	depth, kind byte
	interlaced  bool
	palette     []byte // red, green, blue
	transparent []byte // the tRNS chunk
	sample      func(x, y, s int) uint16
}

func (r rawPNG) bytes() []byte {
	var b bytes.Buffer
	p := pngWriter{w: &b}
	b.WriteString("\x89PNG\r\n\x1a\n")
	head := binary.BigEndian.AppendUint32(nil, uint32(r.w))
	head = append(binary.BigEndian.AppendUint32(head, uint32(r.h)), r.depth, r.kind, 0, 0, 0)
	passes := [][4]int{{0, 0, 1, 1}}
	if r.interlaced {
		head[12] = 1
		passes = [][4]int{{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}}
	}
	p.chunk("IHDR", head)
	if r.palette != nil {
		p.chunk("PLTE", r.palette)
	}
	if r.transparent != nil {
		p.chunk("tRNS", r.transparent)
	}
	samples := map[byte]int{0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[r.kind]
	var raw []byte
	for _, pass := range passes {
		for y := pass[1]; y < r.h; y += pass[3] {
			if pass[0] >= r.w {
				continue
			}
			var bits bitPacker
			for x := pass[0]; x < r.w; x += pass[2] {
				for s := range samples {
					bits.put(r.sample(x, y, s), int(r.depth))
				}
			}
			raw = append(append(raw, 0), bits.bytes()...)
		}
	}
	p.chunk("IDAT", deflated(raw))
	p.chunk("IEND", nil)
	return b.Bytes()
}

// bitPacker packs samples of 1 to 16 bits, highest bit first.
type bitPacker struct {
	b    []byte
	held uint32
	have int
}

func (p *bitPacker) put(v uint16, bits int) {
	p.held, p.have = p.held<<bits|uint32(v), p.have+bits
	for p.have >= 8 {
		p.have -= 8
		p.b = append(p.b, byte(p.held>>p.have))
	}
}

func (p *bitPacker) bytes() []byte {
	if p.have > 0 {
		return append(p.b, byte(p.held<<(8-p.have)))
	}
	return p.b
}

func TestPNGOfEveryDepthPlainAndInterlacedIsRead(t *testing.T) {
	for _, kind := range []struct {
		name   string
		kind   byte
		depths []byte
	}{
		{"grey", 0, []byte{1, 2, 4, 8, 16}}, {"colour", 2, []byte{8, 16}}, {"palette", 3, []byte{1, 2, 4, 8}},
		{"grey and alpha", 4, []byte{8, 16}}, {"colour and alpha", 6, []byte{8, 16}},
	} {
		for _, depth := range kind.depths {
			for _, interlaced := range []bool{false, true} {
				for _, size := range [][2]int{{1, 1}, {3, 2}, {9, 10}, {17, 5}} {
					most := uint16(1)<<depth - 1
					r := rawPNG{w: size[0], h: size[1], depth: depth, kind: kind.kind, interlaced: interlaced,
						sample: func(x, y, s int) uint16 { return uint16(x*7919+y*104729+s*33391) & most }}
					if kind.kind == 3 {
						for i := range 1 << depth {
							r.palette = append(r.palette, byte(i), byte(200-i), byte(i*3))
						}
					}
					t.Run(fmt.Sprintf("%s %d %v %v", kind.name, depth, interlaced, size), func(t *testing.T) {
						checkRawPNG(t, r)
					})
				}
			}
		}
	}
}

// checkRawPNG reads a PNG and holds every sample against what was put in.
func checkRawPNG(t *testing.T, r rawPNG) {
	t.Helper()
	f := decode(t, r.bytes())
	most := float32(uint(1)<<r.depth - 1)
	for y := range r.h {
		for x := range r.w {
			got := f.Picture.RGB.Row(y)[3*x : 3*x+3]
			for c := range 3 {
				var want float32
				switch r.kind {
				case 0, 4:
					want = float32(r.sample(x, y, 0)) / most
				case 3:
					want = float32(r.palette[3*int(r.sample(x, y, 0))+c]) / 255
				default:
					want = float32(r.sample(x, y, c)) / most
				}
				if got[c] != want {
					t.Fatalf("(%d, %d) is %v, want %v", x, y, got, want)
				}
			}
			if r.kind != 4 && r.kind != 6 {
				continue
			}
			// Alpha comes after one sample of grey, or three of colour.
			if got, want := f.Picture.Alpha.Row(y)[x], float32(r.sample(x, y, int(r.kind)-3))/most; got != want {
				t.Fatalf("alpha at %d, %d is %v, want %v", x, y, got, want)
			}
		}
	}
}

func TestPNGTransparentColourBecomesAlpha(t *testing.T) {
	grey := rawPNG{w: 4, h: 1, depth: 8, kind: 0, transparent: []byte{0, 2}, sample: func(x, _, _ int) uint16 { return uint16(x) }}
	rgb := rawPNG{w: 4, h: 1, depth: 16, kind: 2, transparent: []byte{0, 2, 0, 2, 0, 2}, sample: func(x, _, _ int) uint16 { return uint16(x) }}
	mapped := rawPNG{
		w: 4, h: 1, depth: 2, kind: 3, palette: make([]byte, 12), transparent: []byte{255, 255, 0},
		sample: func(x, _, _ int) uint16 { return uint16(x) },
	}
	for name, r := range map[string]rawPNG{"grey": grey, "colour": rgb, "palette": mapped} {
		f := decode(t, r.bytes())
		if f.Picture.Alpha.Empty() {
			t.Errorf("%s: no alpha", name)
			continue
		}
		for x, a := range f.Picture.Alpha.Pix {
			if (a == 0) != (x == 2) {
				t.Errorf("%s: alpha is %v", name, f.Picture.Alpha.Pix)
			}
		}
	}
}

func TestLinearLightOfAPNGComesBack(t *testing.T) {
	for _, space := range []colour.Space{colour.SRGB, colour.LinearRec709} {
		b := written(t, writePNG, levels(4, 4, 3), picture.Image{}, Meta{Space: space})
		if f := decode(t, b); f.Picture.Space != space {
			t.Errorf("%s is read as %s", space, f.Picture.Space)
		}
	}
	plain := written(t, writePNG, levels(4, 4, 3), picture.Image{}, Meta{})
	for name, c := range map[string]struct {
		b    []byte
		want colour.Space
	}{
		"linear cICP":         {insertChunk(plain, "cICP", []byte{1, 8, 0, 1}), colour.LinearRec709},
		"sRGB cICP over gAMA": {insertChunk(insertChunk(plain, "gAMA", []byte{0, 1, 0x86, 0xa0}), "cICP", []byte{1, 13, 0, 1}), colour.SRGB},
		"linear profile":      {insertChunk(plain, "iCCP", append([]byte("x\x00\x00"), deflated(linearICC())...)), colour.LinearRec709},
		"sRGB cICP over linear profile": {
			insertChunk(insertChunk(plain, "iCCP", append([]byte("x\x00\x00"), deflated(linearICC())...)), "cICP", []byte{1, 13, 0, 1}),
			colour.SRGB,
		},
	} {
		if f := decode(t, c.b); f.Picture.Space != c.want {
			t.Errorf("%s is read as %s", name, f.Picture.Space)
		}
	}
}

// linearICC is a profile with nothing in it but a red curve that is a straight line.
func linearICC() []byte {
	b := make([]byte, 128)
	b = binary.BigEndian.AppendUint32(b, 1)
	b = append(b, "rTRC"...)
	b = binary.BigEndian.AppendUint32(b, 144)
	b = binary.BigEndian.AppendUint32(b, 12)
	return append(b, "curv\x00\x00\x00\x00\x00\x00\x00\x00"...)
}
