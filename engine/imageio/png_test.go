package imageio

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/png"
	"slices"
	"strings"
	"testing"
)

// decode reads bytes as a file of that name.
func decode(t testing.TB, b []byte) *File {
	t.Helper()
	f, err := Decode(bytes.NewReader(b), int64(len(b)), "test", Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// encodePNG writes an image with the standard library.
func encodePNG(t testing.TB, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// insertChunk puts a chunk behind the header of a PNG.
func insertChunk(b []byte, kind string, data []byte) []byte {
	var chunk bytes.Buffer
	p := pngWriter{w: &chunk}
	p.chunk(kind, data)
	return slices.Concat(b[:33], chunk.Bytes(), b[33:])
}

func TestPNGKinds(t *testing.T) {
	box := image.Rect(0, 0, 7, 5)
	grey, grey16 := image.NewGray(box), image.NewGray16(box)
	nrgba, nrgba64 := image.NewNRGBA(box), image.NewNRGBA64(box)
	mapped := image.NewPaletted(box, color.Palette{
		color.NRGBA{R: 200, G: 10, B: 30, A: 255}, color.NRGBA{R: 250, G: 40, B: 90, A: 0}, color.NRGBA{R: 7, G: 8, B: 9, A: 100},
	})
	for y := range 5 {
		for x := range 7 {
			v := uint16(x*9000 + y*777)
			grey.SetGray(x, y, color.Gray{Y: uint8(v >> 8)})
			grey16.SetGray16(x, y, color.Gray16{Y: v})
			nrgba.SetNRGBA(x, y, color.NRGBA{R: uint8(v), G: uint8(v >> 8), B: 9, A: uint8(x * y)})
			nrgba64.SetNRGBA64(x, y, color.NRGBA64{R: v, G: v + 1, B: v * 3, A: uint16(x * y * 300)})
			mapped.SetColorIndex(x, y, uint8((x+y)%3))
		}
	}
	for _, c := range []struct {
		name            string
		m               image.Image
		channels, depth int
		at              func(x, y int) [4]float64 // straight, 0..1
	}{
		{"grey", grey, 1, 8, func(x, y int) [4]float64 {
			v := float64(grey.GrayAt(x, y).Y) / 255
			return [4]float64{v, v, v, 1}
		}},
		{"grey 16", grey16, 1, 16, func(x, y int) [4]float64 {
			v := float64(grey16.Gray16At(x, y).Y) / 65535
			return [4]float64{v, v, v, 1}
		}},
		{"colour and alpha", nrgba, 4, 8, func(x, y int) [4]float64 {
			v := nrgba.NRGBAAt(x, y)
			return [4]float64{float64(v.R) / 255, float64(v.G) / 255, float64(v.B) / 255, float64(v.A) / 255}
		}},
		{"colour and alpha 16", nrgba64, 4, 16, func(x, y int) [4]float64 {
			v := nrgba64.NRGBA64At(x, y)
			return [4]float64{float64(v.R) / 65535, float64(v.G) / 65535, float64(v.B) / 65535, float64(v.A) / 65535}
		}},
		{"palette", mapped, 4, 8, func(x, y int) [4]float64 {
			v := mapped.Palette[mapped.ColorIndexAt(x, y)].(color.NRGBA)
			return [4]float64{float64(v.R) / 255, float64(v.G) / 255, float64(v.B) / 255, float64(v.A) / 255}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := decode(t, encodePNG(t, c.m))
			if f.Channels != c.channels || f.Depth != c.depth || f.Format != PNG || f.W != 7 || f.H != 5 {
				t.Errorf("header %+v", f.Header)
			}
			for y := range 5 {
				for x := range 7 {
					want := c.at(x, y)
					got := f.Picture.RGB.Row(y)[3*x : 3*x+3]
					for k := range 3 {
						if got[k] != float32(want[k]) {
							t.Fatalf("(%d, %d) is %v, want %v", x, y, got, want)
						}
					}
					if c.channels%2 == 0 {
						if a := f.Picture.Alpha.Row(y)[x]; a != float32(want[3]) {
							t.Fatalf("(%d, %d) has alpha %v, want %v", x, y, a, want[3])
						}
					} else if !f.Picture.Alpha.Empty() {
						t.Fatal("alpha where there is none")
					}
				}
			}
		})
	}
}

func TestPNGBombsAreRefusedBeforeMemoryIsSpent(t *testing.T) {
	header := func(w, h uint32, depth, kind byte) []byte {
		var b bytes.Buffer
		p := pngWriter{w: &b}
		b.WriteString("\x89PNG\r\n\x1a\n")
		head := binary.BigEndian.AppendUint32(nil, w)
		head = binary.BigEndian.AppendUint32(head, h)
		p.chunk("IHDR", append(head, depth, kind, 0, 0, 0))
		p.chunk("IDAT", make([]byte, 1000))
		p.chunk("IEND", nil)
		return b.Bytes()
	}
	for _, c := range []struct {
		name string
		b    []byte
		kind error
		says string
	}{
		{"both sides", header(65536, 65536, 8, 2), ErrTooLarge, "65536 x 65536"},
		{"area", header(60000, 60000, 8, 2), ErrTooLarge, "megapixels"},
		{"within limits, but the data cannot hold it", header(14000, 14000, 16, 6), ErrDamaged, "cannot hold"},
		{"no size", header(0, 4, 8, 2), ErrDamaged, "0 x 4"},
		{"colour type 1", header(4, 4, 8, 1), ErrDamaged, "colour type 1"},
		{"3 bits", header(4, 4, 3, 0), ErrDamaged, "3 bits"},
	} {
		_, err := Decode(bytes.NewReader(c.b), int64(len(c.b)), "bomb.png", Limits{})
		if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "cannot read bomb.png: ") {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestPNGEveryTruncationIsAnError(t *testing.T) {
	whole := encodePNG(t, image.NewNRGBA64(image.Rect(0, 0, 9, 9)))
	for n := range len(whole) {
		if _, err := Decode(bytes.NewReader(whole[:n]), int64(n), "cut.png", Limits{}); !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrUnsupported) {
			t.Fatalf("cut to %d of %d bytes: %v", n, len(whole), err)
		}
	}
}

func TestPNGNotes(t *testing.T) {
	plain := encodePNG(t, image.NewGray(image.Rect(0, 0, 2, 2)))
	gamma := func(v uint32) []byte { return binary.BigEndian.AppendUint32(nil, v) }
	for _, c := range []struct {
		name string
		b    []byte
		want string // in the only note; empty for no note
	}{
		{"plain", plain, ""},
		{"gAMA of 1", insertChunk(plain, "gAMA", gamma(100000)), ""},
		{"gAMA of sRGB", insertChunk(plain, "gAMA", gamma(45455)), ""},
		{"gAMA beside sRGB", insertChunk(insertChunk(plain, "gAMA", gamma(100000)), "sRGB", []byte{0}), ""},
		{"gAMA of 1.8", insertChunk(plain, "gAMA", gamma(55556)), ""},
		{"cICP of linear light", insertChunk(plain, "cICP", []byte{1, 8, 0, 1}), ""},
		{"cICP of BT.2100 PQ", insertChunk(plain, "cICP", []byte{9, 16, 0, 1}), "primaries 9 with transfer 16"},
		{"damaged profile", insertChunk(plain, "iCCP", []byte("x\x00\x00rubbish")), "damaged"},
		{"animated", insertChunk(plain, "acTL", make([]byte, 8)), "first frame"},
	} {
		f := decode(t, c.b)
		switch {
		case c.want == "" && len(f.Notes) == 0:
		case c.want != "" && len(f.Notes) == 1 && strings.Contains(f.Notes[0], c.want):
		default:
			t.Errorf("%s: notes %q", c.name, f.Notes)
		}
	}
	f := decode(t, insertChunk(plain, "cICP", []byte{12, 13, 0, 1}))
	if !bytes.Equal(f.CICP, []byte{12, 13, 0, 1}) {
		t.Errorf("cICP is %v", f.CICP)
	}
}

func BenchmarkReadPNG16(b *testing.B) {
	rgb, alpha := plateLike(1920, 1080)
	file := written(b, WritePNG16, rgb, alpha, Meta{})
	b.SetBytes(1920 * 1080 * 8)
	for b.Loop() {
		decode(b, file)
	}
}
