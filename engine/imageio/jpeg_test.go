package imageio

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/jpeg"
	"math"
	"strings"
	"testing"
)

// encodeJPEG writes an image with the standard library at its best quality.
func encodeJPEG(t testing.TB, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, &jpeg.Options{Quality: 100}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// insertSegment puts a segment behind the first marker of a JPEG.
func insertSegment(b []byte, marker byte, data []byte) []byte {
	segment := binary.BigEndian.AppendUint16([]byte{0xff, marker}, uint16(len(data)+2))
	return bytes.Join([][]byte{b[:2], segment, data, b[2:]}, nil)
}

// smooth is a picture without sharp edges, which survives chroma subsampling.
func smooth(w, h int) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			wave := func(k float64) uint8 { return uint8(128 + 100*math.Sin(k*float64(x)/40)*math.Cos(float64(y)/50)) }
			m.SetNRGBA(x, y, color.NRGBA{R: wave(1), G: wave(1.3), B: wave(0.7), A: 255})
		}
	}
	return m
}

func TestJPEGColourAndGrey(t *testing.T) {
	m := smooth(97, 61)
	f := decode(t, encodeJPEG(t, m))
	if f.Format != JPEG || f.W != 97 || f.H != 61 || f.Channels != 3 || f.Depth != 8 || f.Subsampling != "4:2:0" {
		t.Errorf("header %+v", f.Header)
	}
	for i := range 97 * 61 {
		for c := range 3 {
			got, want := f.Picture.RGB.Pix[3*i+c]*255, float32(m.Pix[4*i+c])
			if d := got - want; d > 5 || d < -5 {
				t.Fatalf("pixel %d: %v, want %v", i, got, want)
			}
			if got != float32(int(got+0.5)) && math.Abs(float64(got)-math.Round(float64(got))) > 1e-4 {
				t.Fatalf("pixel %d is %v, not one of 256 levels", i, got)
			}
		}
	}
	grey := image.NewGray(image.Rect(0, 0, 16, 16))
	for i := range grey.Pix {
		grey.Pix[i] = 77
	}
	g := decode(t, encodeJPEG(t, grey))
	if g.Channels != 1 || g.Subsampling != "" || g.Picture.RGB.Pix[5] != 77.0/255 {
		t.Errorf("grey: %+v, %v", g.Header, g.Picture.RGB.Pix[5]*255)
	}
}

func TestChromaIsInterpolatedBetweenItsCentres(t *testing.T) {
	for _, ratio := range []image.YCbCrSubsampleRatio{
		image.YCbCrSubsampleRatio444, image.YCbCrSubsampleRatio422, image.YCbCrSubsampleRatio420,
		image.YCbCrSubsampleRatio440, image.YCbCrSubsampleRatio411, image.YCbCrSubsampleRatio410,
	} {
		m := image.NewYCbCr(image.Rect(0, 0, 33, 19), ratio)
		across, down := chromaFactors(ratio)
		for i := range m.Y {
			m.Y[i] = 128
		}
		for y := range (19 + down - 1) / down {
			for x := range (33 + across - 1) / across {
				// Chroma rises by one level a luma pixel, both ways.
				at := (float64(x)+0.5)*float64(across) + (float64(y)+0.5)*float64(down)
				m.Cb[y*m.CStride+x], m.Cr[y*m.CStride+x] = uint8(100+at/2), 128
			}
		}
		out := upsampled(m)
		for y := 4; y < 14; y++ {
			for x := 4; x < 28; x++ {
				cb := 100 + (float64(x)+0.5+float64(y)+0.5)/2
				want := min(max(128+1.772*(cb-128), 0), 255)
				got := float64(out.Row(y)[3*x+2]) * 255
				if math.Abs(got-want) > 2.3 { // chroma itself was rounded down to a level
					t.Fatalf("%v: blue at (%d, %d) is %v, want %v", ratio, x, y, got, want)
				}
			}
		}
	}
}

func TestJPEGConversionIsExact(t *testing.T) {
	m := image.NewYCbCr(image.Rect(0, 0, 256, 256), image.YCbCrSubsampleRatio444)
	for i := range m.Y {
		m.Y[i], m.Cb[i], m.Cr[i] = uint8(i*7), uint8(i), uint8(i>>8)
	}
	out := upsampled(m)
	for i := range m.Y {
		y, cb, cr := float64(m.Y[i]), float64(m.Cb[i])-128, float64(m.Cr[i])-128
		for c, v := range []float64{y + 1.402*cr, y - 0.114*1.772/0.587*cb - 0.299*1.402/0.587*cr, y + 1.772*cb} {
			want := min(max(v, 0), 255)
			if got := float64(out.Pix[3*i+c]) * 255; math.Abs(got-want) > 0.501 {
				t.Fatalf("Y %v Cb %v Cr %v channel %d: %v, want %v", y, cb, cr, c, got, want)
			}
		}
	}
}

func TestJPEGSegments(t *testing.T) {
	plain := encodeJPEG(t, smooth(12, 8))
	icc := make([]byte, 300)
	for i := range icc {
		icc[i] = byte(i)
	}
	part := func(n, of byte, b []byte) []byte {
		return append(append([]byte("ICC_PROFILE\x00"), n, of), b...)
	}
	// Segments go in front, so the last inserted comes first: parts arrive out of order.
	b := insertSegment(plain, 0xe2, part(1, 2, icc[:200]))
	b = insertSegment(b, 0xe2, part(2, 2, icc[200:]))
	b = insertSegment(b, 0xe1, append([]byte("Exif\x00\x00"), exifBlock(6)...))
	f := decode(t, b)
	if !bytes.Equal(f.ICC, icc) || f.Orientation != 6 || f.W != 8 || f.H != 12 || f.Picture.RGB.W != 8 {
		t.Errorf("header %+v", f.Header)
	}
	if f := decode(t, insertSegment(plain, 0xe2, part(1, 2, icc[:200]))); f.ICC != nil {
		t.Error("half a profile is taken for one")
	}
}

func TestJPEGRefusals(t *testing.T) {
	plain := encodeJPEG(t, smooth(12, 8))
	frame := bytes.Index(plain, []byte{0xff, 0xc0})
	changed := func(at int, v ...byte) []byte {
		b := bytes.Clone(plain)
		copy(b[frame+at:], v)
		return b
	}
	for _, c := range []struct {
		name string
		b    []byte
		kind error
		says string
	}{
		{"12 bits", changed(4, 12), ErrUnsupported, "12 bits"},
		{"lossless", changed(1, 0xc3), ErrUnsupported, "lossless"},
		{"arithmetic", changed(1, 0xc9), ErrUnsupported, "arithmetic"},
		{"hierarchical", changed(1, 0xc5), ErrUnsupported, "hierarchical"},
		{"height at the end", changed(5, 0, 0), ErrUnsupported, "height"},
		{"no width", changed(7, 0, 0), ErrDamaged, "0 x 8"},
		{"a bomb", changed(5, 0xff, 0xff, 0xff, 0xff), ErrTooLarge, "65535 x 65535"},
		{"too little data", changed(5, 0x2f, 0xff, 0x2f, 0xff), ErrDamaged, "cannot hold"},
		{"two frames", insertSegment(plain, 0xc0, plain[frame+4:frame+4+15]), ErrDamaged, "two frame headers"},
		{"no scan", plain[:2:2], ErrUnsupported, ""},
		{"end before a scan", append(bytes.Clone(plain[:frame]), 0xff, 0xd9), ErrDamaged, "no picture"},
		{"cut", plain[:len(plain)*2/3], ErrDamaged, "cut short"},
		{"no marker", append(bytes.Clone(plain[:frame]), 1, 2, 3, 4), ErrDamaged, "marker"},
	} {
		_, err := Decode(bytes.NewReader(c.b), int64(len(c.b)), "x.jpg", Limits{})
		if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestAJPEGOfCountlessScansIsRefused builds a progressive JPEG whose scans take some bytes each and say nothing.
func TestAJPEGOfCountlessScansIsRefused(t *testing.T) {
	const w, h = 4096, 4096
	segment := func(marker byte, b ...byte) []byte {
		return append(binary.BigEndian.AppendUint16([]byte{0xff, marker}, uint16(len(b)+2)), b...)
	}
	table := func(class, symbol byte) []byte { // the code 0 stands for the symbol
		return segment(0xc4, append(append([]byte{class, 1}, make([]byte, 15)...), symbol)...)
	}
	b := append([]byte{0xff, 0xd8}, segment(0xdb, append([]byte{0}, bytes.Repeat([]byte{1}, 64)...)...)...)
	b = append(b, segment(0xc2, 8, h>>8, h&255, w>>8, w&255, 1, 1, 0x11, 0)...)
	b = append(append(b, table(0x00, 0)...), table(0x10, 0xe0)...)
	b = append(append(b, segment(0xda, 1, 1, 0, 0, 0, 0)...), make([]byte, w*h/64/8)...)
	// Runs of 16384 blocks without content: 0, and 14 bits for the rest of the length.
	empty := append(segment(0xda, 1, 1, 0, 1, 63, 0), make([]byte, (w*h/64/16384*15+7)/8)...)
	few := append(bytes.Repeat(empty, 3), 0xff, 0xd9)
	if f, err := Decode(bytes.NewReader(append(bytes.Clone(b), few...)), int64(len(b)+len(few)), "x", Limits{}); err != nil || f.W != w {
		t.Fatalf("three scans: %v", err)
	}
	b = append(b, bytes.Repeat(empty, scannedPixels/(w*h)+1)...)
	_, err := Decode(bytes.NewReader(b), int64(len(b)), "x", Limits{})
	if !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "514 scans, which is more than it can need") {
		t.Error(err)
	}
}
