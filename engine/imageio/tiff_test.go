package imageio

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"math"
	"slices"
	"strings"
	"testing"

	"golang.org/x/image/tiff"

	"greenroom/engine/colour"
	"greenroom/engine/imageio/disktest"
	"greenroom/engine/picture"
)

func TestTIFFColourLayouts(t *testing.T) {
	plain := rgb8()
	pixels := plain.blocks[0]
	planes := [][]byte{{}, {}, {}}
	var wide, wideBig []byte
	for i, v := range pixels {
		planes[i%3] = append(planes[i%3], v)
		wide = binary.LittleEndian.AppendUint16(wide, uint16(v)*257)
		wideBig = binary.BigEndian.AppendUint16(wideBig, uint16(v)*257)
	}
	differences := slices.Clone(pixels)
	wideDifferences := slices.Clone(wide)
	for y := range 2 {
		for i := 8; i >= 3; i-- {
			differences[9*y+i] -= differences[9*y+i-3]
			at, left := wideDifferences[18*y+2*i:], wideDifferences[18*y+2*i-6:]
			binary.LittleEndian.PutUint16(at, binary.LittleEndian.Uint16(at)-binary.LittleEndian.Uint16(left))
		}
	}
	sixteen := map[uint16][]uint64{tagBitsPerSample: {16, 16, 16}}
	// Tiles of 2 x 2 over 3 x 2 pixels; the second has a column of padding.
	tiles := [][]byte{
		slices.Concat(pixels[0:6], pixels[9:15]),
		slices.Concat(pixels[6:9], []byte{1, 2, 3}, pixels[15:18], []byte{4, 5, 6}),
	}
	blocks := func(f testTIFF, b ...[]byte) testTIFF { f.blocks = b; return f }
	for _, c := range []struct {
		name string
		file testTIFF
	}{
		{"plain", plain},
		{"no compression stated", plain.with(map[uint16][]uint64{tagCompression: nil})},
		{"no lengths stated", plain.with(map[uint16][]uint64{tagStripCounts: nil})},
		{"big-endian", testTIFF{order: binary.BigEndian, fields: plain.fields, blocks: plain.blocks}},
		{"BigTIFF", testTIFF{big: true, fields: plain.fields, blocks: plain.blocks}},
		{"big-endian BigTIFF", testTIFF{big: true, order: binary.BigEndian, fields: plain.fields, blocks: plain.blocks}},
		{"strips", blocks(plain.with(map[uint16][]uint64{tagRowsPerStrip: {1}}), pixels[:9], pixels[9:])},
		{"tiles", blocks(plain.with(map[uint16][]uint64{tagTileWidth: {2}, tagTileHeight: {2}}), tiles...)},
		{"planes", blocks(plain.with(map[uint16][]uint64{tagPlanar: {2}}), planes...)},
		{
			"planes in strips", blocks(plain.with(map[uint16][]uint64{tagPlanar: {2}, tagRowsPerStrip: {1}}),
				planes[0][:3], planes[0][3:], planes[1][:3], planes[1][3:], planes[2][:3], planes[2][3:]),
		},
		{"16 bits", blocks(plain.with(sixteen), wide)},
		{"16 bits big-endian", testTIFF{order: binary.BigEndian, fields: plain.with(sixteen).fields, blocks: [][]byte{wideBig}}},
		{"LZW", blocks(plain.with(map[uint16][]uint64{tagCompression: {5}}), lzwLiterals(pixels))},
		{"old LZW", blocks(plain.with(map[uint16][]uint64{tagCompression: {5}}), oldLZW(pixels))},
		{"Deflate", blocks(plain.with(map[uint16][]uint64{tagCompression: {8}}), deflated(pixels))},
		{"old Deflate", blocks(plain.with(map[uint16][]uint64{tagCompression: {32946}}), deflated(pixels))},
		{"Deflate and predictor", blocks(plain.with(map[uint16][]uint64{tagCompression: {8}, tagPredictor: {2}}), deflated(differences))},
		{"LZW and predictor", blocks(plain.with(map[uint16][]uint64{tagCompression: {5}, tagPredictor: {2}}), lzwLiterals(differences))},
		{
			"16 bits, Deflate and predictor",
			blocks(plain.with(sixteen).with(map[uint16][]uint64{tagCompression: {8}, tagPredictor: {2}}), deflated(wideDifferences)),
		},
		{"PackBits", blocks(plain.with(map[uint16][]uint64{tagCompression: {32773}}), slices.Concat([]byte{128, 16}, pixels[:17], []byte{0, 255}))},
		{
			"palette",
			blocks(plain.with(map[uint16][]uint64{
				tagBitsPerSample: {8}, tagSamples: {1}, tagPhotometric: {3},
				tagColorMap: paletteOf(pixels),
			}), []byte{0, 1, 2, 3, 4, 5}),
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := decode(t, c.file.bytes())
			if f.W != 3 || f.H != 2 || f.Channels != 3 || f.Format != TIFF || f.Picture.Space != colour.SRGB || len(f.Notes) != 0 {
				t.Errorf("header %+v", f.Header)
			}
			for i, v := range pixels {
				if f.Picture.RGB.Pix[i] != float32(v)/255 {
					t.Fatalf("sample %d is %v, want %v", i, f.Picture.RGB.Pix[i]*255, v)
				}
			}
		})
	}
}

// paletteOf returns a colour map whose first six colours are the pixels.
func paletteOf(pixels []byte) []uint64 {
	m := make([]uint64, 3*256)
	for i, v := range pixels {
		m[i%3*256+i/3] = uint64(v) * 257
	}
	return m
}

func TestTIFFDepths(t *testing.T) {
	float := func(bits int) map[uint16][]uint64 {
		return map[uint16][]uint64{tagBitsPerSample: {uint64(bits)}, tagSampleFormat: {3}}
	}
	order := binary.LittleEndian
	var half, single, double []byte
	for _, v := range []uint16{0x3c00, 0x4200, 0xb800, 0x0001} { // 1, 3, -0.5, 2^-24
		half = order.AppendUint16(half, v)
	}
	for _, v := range []float64{1, 3, -0.5, 1.0 / (1 << 24)} {
		single = order.AppendUint32(single, math.Float32bits(float32(v)))
		double = order.AppendUint64(double, math.Float64bits(v))
	}
	floats := []float32{1, 3, -0.5, 1.0 / (1 << 24)}
	for _, c := range []struct {
		name string
		file testTIFF
		want []float32
	}{
		{"1 bit", greyRow(4, 1, []byte{0b0101_0000}), []float32{0, 1, 0, 1}},
		{"1 bit, 0 is white", greyRow(4, 1, []byte{0b0101_0000}).with(map[uint16][]uint64{tagPhotometric: {0}}), []float32{1, 0, 1, 0}},
		{"2 bits", greyRow(4, 2, []byte{0b00_01_10_11}), []float32{0, 1.0 / 3, 2.0 / 3, 1}},
		{"4 bits", greyRow(4, 4, []byte{0x0f, 0x36}), []float32{0, 1, 3.0 / 15, 6.0 / 15}},
		{"10 bits", greyRow(4, 10, []byte{0x00, 0x3f, 0xf0, 0x04, 0x02}), []float32{0, 1, 1.0 / 1023, 2.0 / 1023}},
		{"12 bits", greyRow(4, 12, []byte{0x00, 0x0f, 0xff, 0x80, 0x00, 0x01}), []float32{0, 1, 2048.0 / 4095, 1.0 / 4095}},
		{"16 bits", greyRow(2, 16, []byte{0xff, 0xff, 0x01, 0x00}), []float32{1, 1.0 / 65535}},
		{"32 bits", greyRow(2, 32, []byte{0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0x80}), []float32{1, 0.5}},
		{"half", greyRow(4, 16, half).with(float(16)), floats},
		{"float", greyRow(4, 32, single).with(float(32)), floats},
		{"double", greyRow(4, 64, double).with(float(64)), floats},
		{
			"float with its predictor",
			greyRow(4, 32, deflated(splitBytes(single, 4))).with(float(32)).with(map[uint16][]uint64{tagCompression: {8}, tagPredictor: {3}}),
			floats,
		},
	} {
		f := decode(t, c.file.bytes())
		for i, v := range c.want {
			if got := f.Picture.RGB.Pix[3*i+1]; got != v {
				t.Errorf("%s: sample %d is %v, want %v", c.name, i, got, v)
			}
		}
		wantSpace := colour.SRGB
		if f.Float {
			wantSpace = colour.LinearRec709
		}
		if f.Channels != 1 || f.Picture.Space != wantSpace {
			t.Errorf("%s: header %+v", c.name, f.Header)
		}
	}
}

// splitBytes is the floating-point predictor's encoder for one channel, little-endian.
func splitBytes(b []byte, width int) []byte {
	n := len(b) / width
	out := make([]byte, len(b))
	for i := range n {
		for k := range width {
			out[k*n+i] = b[i*width+width-1-k]
		}
	}
	for i := len(out) - 1; i > 0; i-- {
		out[i] -= out[i-1]
	}
	return out
}

func TestTIFFNonFiniteIsReplacedAndCounted(t *testing.T) {
	var row []byte
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 7} {
		row = binary.LittleEndian.AppendUint32(row, math.Float32bits(float32(v)))
	}
	f := decode(t, greyRow(4, 32, row).with(map[uint16][]uint64{tagSampleFormat: {3}}).bytes())
	want := []float32{0, 65504, 0, 7}
	for i, v := range want {
		if f.Picture.RGB.Pix[3*i] != v {
			t.Errorf("sample %d is %v, want %v", i, f.Picture.RGB.Pix[3*i], v)
		}
	}
	if len(f.Notes) != 1 || !strings.HasPrefix(f.Notes[0], "3 of its values") {
		t.Errorf("notes %q", f.Notes)
	}
}

func TestTIFFAlpha(t *testing.T) {
	file := func(photometric uint64, samples int, extra []uint64, pixels ...byte) testTIFF {
		return testTIFF{
			fields: map[uint16][]uint64{
				tagWidth: {uint64(len(pixels) / samples)}, tagHeight: {1},
				tagBitsPerSample: slices.Repeat([]uint64{8}, samples), tagPhotometric: {photometric},
				tagSamples: {uint64(samples)}, tagExtraSamples: extra,
			},
			blocks: [][]byte{pixels},
		}
	}
	for _, c := range []struct {
		name       string
		file       testTIFF
		rgb, alpha []float32
		channels   int
		note       string
	}{
		{"straight", file(2, 4, []uint64{2}, 10, 20, 30, 0, 50, 60, 70, 255), []float32{10, 20, 30, 50, 60, 70}, []float32{0, 255}, 4, ""},
		{
			"premultiplied", file(2, 4, []uint64{1}, 51, 0, 102, 102, 7, 8, 9, 0, 200, 0, 0, 100),
			[]float32{127.5, 0, 255, 7, 8, 9, 255, 0, 0},
			[]float32{102, 0, 100},
			4, "divided out",
		},
		{"not described", file(2, 4, []uint64{0}, 1, 2, 3, 99), []float32{1, 2, 3}, []float32{99}, 4, "channel 4 is not described"},
		{"grey", file(1, 2, []uint64{2}, 40, 80), []float32{40, 40, 40}, []float32{80}, 2, ""},
		{"second extra is alpha", file(2, 5, []uint64{0, 2}, 1, 2, 3, 4, 5), []float32{1, 2, 3}, []float32{5}, 4, "1 more channels"},
	} {
		f := decode(t, c.file.bytes())
		near := func(got []float32, want []float32) bool {
			if len(got) != len(want) {
				return false
			}
			for i := range got {
				if math.Abs(float64(got[i]*255-want[i])) > 1e-4 {
					return false
				}
			}
			return true
		}
		if !near(f.Picture.RGB.Pix, c.rgb) || !near(f.Picture.Alpha.Pix, c.alpha) || f.Channels != c.channels {
			t.Errorf("%s: %d channels, colour %v, alpha %v", c.name, f.Channels, f.Picture.RGB.Pix, f.Picture.Alpha.Pix)
		}
		if c.note == "" && len(f.Notes) != 0 || c.note != "" && !strings.Contains(strings.Join(f.Notes, " "), c.note) {
			t.Errorf("%s: notes %q", c.name, f.Notes)
		}
	}
}

func TestTIFFRefusesByName(t *testing.T) {
	plain := rgb8()
	for _, c := range []struct {
		fields map[uint16][]uint64
		says   string
	}{
		{map[uint16][]uint64{tagCompression: {7}}, "JPEG compression"},
		{map[uint16][]uint64{tagCompression: {6}}, "old JPEG compression"},
		{map[uint16][]uint64{tagCompression: {34677}}, "LogLuv"},
		{map[uint16][]uint64{tagCompression: {50000}}, "Zstandard"},
		{map[uint16][]uint64{tagCompression: {1234}}, "compression 1234"},
		{map[uint16][]uint64{tagPhotometric: {5}}, "CMYK"},
		{map[uint16][]uint64{tagPhotometric: {6}}, "YCbCr"},
		{map[uint16][]uint64{tagPhotometric: {8}}, "CIE Lab"},
		{map[uint16][]uint64{tagPhotometric: {77}}, "colour model 77"},
		{map[uint16][]uint64{tagBitsPerSample: {5, 6, 5}}, "different depth"},
		{map[uint16][]uint64{tagBitsPerSample: {24, 24, 24}}, "24 bits"},
		{map[uint16][]uint64{tagBitsPerSample: {24, 24, 24}, tagSampleFormat: {3, 3, 3}}, "24-bit floating point"},
		{map[uint16][]uint64{tagSampleFormat: {2, 2, 2}}, "signed"},
		{map[uint16][]uint64{tagSampleFormat: {1, 1, 3}}, "different kinds"},
		{map[uint16][]uint64{tagSampleFormat: {6, 6, 6}}, "complex"},
		{map[uint16][]uint64{tagFillOrder: {2}}, "reversed bits"},
		{map[uint16][]uint64{tagCompression: {8}, tagPredictor: {3}}, "predictor 3"},
		{map[uint16][]uint64{tagSamples: {99}}, "99 channels"},
		{map[uint16][]uint64{tagDNGVersion: {1}}, "camera raw"},
		{map[uint16][]uint64{tagPhotometric: {32803}}, "camera raw"},
		{map[uint16][]uint64{tagNewSubfileType: {1}}, "thumbnail"},
		{map[uint16][]uint64{tagPhotometric: {3}, tagBitsPerSample: {16}, tagSamples: {1}}, "palette of 16 bits"},
	} {
		b := plain.with(c.fields).bytes()
		_, err := Decode(bytes.NewReader(b), int64(len(b)), "x.tif", Limits{})
		if !errors.Is(err, ErrUnsupported) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("want one that says %q, got %v", c.says, err)
		}
	}
}

func TestTIFFDamage(t *testing.T) {
	plain := rgb8()
	for _, c := range []struct {
		name   string
		fields map[uint16][]uint64
		kind   error
	}{
		{"no width", map[uint16][]uint64{tagWidth: nil}, ErrDamaged},
		{"a bomb", map[uint16][]uint64{tagWidth: {65535}, tagHeight: {65535}}, ErrTooLarge},
		{"more pixels than data", map[uint16][]uint64{tagWidth: {10000}, tagHeight: {10000}}, ErrDamaged},
		{"more pixels than Deflate can hold", map[uint16][]uint64{tagWidth: {10000}, tagHeight: {10000}, tagCompression: {8}}, ErrDamaged},
		{"a block outside the file", map[uint16][]uint64{tagStripOffsets: {1 << 20}}, ErrDamaged},
		{"no blocks", map[uint16][]uint64{tagStripOffsets: {}}, ErrDamaged},
		{"two channels of colour", map[uint16][]uint64{tagSamples: {2}}, ErrDamaged},
		{"tiles too large", map[uint16][]uint64{tagTileWidth: {1 << 20}, tagTileHeight: {16}}, ErrDamaged},
		{"a palette too short", map[uint16][]uint64{tagPhotometric: {3}, tagBitsPerSample: {8}, tagSamples: {1}, tagColorMap: {1, 2, 3}}, ErrDamaged},
		{"no Deflate stream", map[uint16][]uint64{tagCompression: {8}}, ErrDamaged},
	} {
		fields := c.fields
		b := plain.with(fields).bytes()
		_, err := Decode(bytes.NewReader(b), int64(len(b)), "x.tif", Limits{})
		if !errors.Is(err, c.kind) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	whole := plain.bytes()
	for n := 4; n < len(whole); n++ {
		if _, err := Decode(bytes.NewReader(whole[:n]), int64(n), "x.tif", Limits{}); !errors.Is(err, ErrDamaged) {
			t.Fatalf("cut to %d of %d bytes: %v", n, len(whole), err)
		}
	}
}

func TestTIFFSecondPageIsNoted(t *testing.T) {
	two := rgb8()
	two.second = true
	if f := decode(t, two.bytes()); len(f.Notes) != 1 || !strings.Contains(f.Notes[0], "several pages") {
		t.Errorf("notes %q", f.Notes)
	}
}

func TestTIFFAgreesWithAnotherDecoder(t *testing.T) {
	rgb, alpha := levels(300, 170, 3), levels(300, 170, 1)
	b := written(t, WriteTIFF16, rgb, alpha, Meta{Pass: "key"})
	m, err := tiff.Decode(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	other, ok := m.(*image.NRGBA64)
	if !ok {
		t.Fatalf("read as %T", m)
	}
	for i, a := range alpha.Pix {
		c := other.NRGBA64At(i%300, i/300)
		for k, v := range []float32{rgb.Pix[3*i], rgb.Pix[3*i+1], rgb.Pix[3*i+2], a} {
			if want := []uint16{c.R, c.G, c.B, c.A}[k]; uint16(v*65535+0.5) != want {
				t.Fatalf("pixel %d sample %d: wrote %v, another decoder reads %d", i, k, v*65535, want)
			}
		}
	}
	grey := levels(31, 17, 1)
	m, err = tiff.Decode(bytes.NewReader(written(t, WriteTIFF16, grey, picture.Image{}, Meta{})))
	if _, ok := m.(*image.Gray16); err != nil || !ok {
		t.Errorf("a matte is read as %T, error %v", m, err)
	}
	// And the other way round.
	var buf bytes.Buffer
	if err := tiff.Encode(&buf, other, &tiff.Options{Compression: tiff.Deflate, Predictor: true}); err != nil {
		t.Fatal(err)
	}
	back := decode(t, buf.Bytes())
	if !slices.Equal(back.Picture.RGB.Pix, rgb.Pix) || !slices.Equal(back.Picture.Alpha.Pix, alpha.Pix) {
		t.Error("another encoder's file is read differently")
	}
}

func BenchmarkWriteTIFF16(b *testing.B) {
	rgb, alpha := plateLike(1920, 1080)
	b.SetBytes(1920 * 1080 * 8)
	for b.Loop() {
		var out disktest.File
		if err := WriteTIFF16(&out, rgb, alpha, Meta{Pass: "key"}); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(out.Bytes))/1e6, "MB")
	}
}
