package imageio

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/adler32"
	"image"
	"image/color"
	"image/png"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"greenroom/engine/colour"
	"greenroom/engine/imageio/disktest"
	"greenroom/engine/picture"
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

// levels is an image of the given size whose samples are levels of 16 bits, chosen by a seed.
func levels(w, h, c int) picture.Image {
	m := picture.New(w, h, c)
	r := rand.New(rand.NewPCG(1, uint64(w*h*c)))
	for i := range m.Pix {
		m.Pix[i] = float32(r.IntN(65536)) / 65535
	}
	return m
}

func TestEvery16BitLevelSurvives(t *testing.T) {
	all := picture.New(256, 256, 1)
	for i := range all.Pix {
		all.Pix[i] = float32(i) / 65535
	}
	for _, c := range writers {
		back := decode(t, written(t, c.write, all, picture.Image{}, Meta{Pass: "matte"})).Picture.RGB
		for i, v := range all.Pix {
			if back.Pix[3*i] != v || back.Pix[3*i+1] != v || back.Pix[3*i+2] != v {
				t.Fatalf("%s: level %d came back as %v", c.name, i, back.Pix[3*i]*65535)
			}
		}
	}
}

// TestEvery8BitLevelSurvives in every layout, and other decoders see the same.
func TestEvery8BitLevelSurvives(t *testing.T) {
	for channels := 1; channels <= 4; channels++ {
		all := picture.New(256, 3, channels)
		for i := range all.Pix {
			all.Pix[i] = float32((i*7+i/channels)%256) / 255
		}
		out := picture.New(256, 3, channels)
		for i, v := range all.Pix {
			out.Pix[i] = v + [3]float32{0, 0.4, -0.4}[i%3]/255 // what rounding takes back
		}
		ours := written(t, WritePNG8, out, picture.Image{}, Meta{Pass: "comp", Space: colour.SRGB})
		tif := written(t, WriteTIFF8, out, picture.Image{}, Meta{Pass: "comp", Space: colour.SRGB})
		for name, b := range map[string][]byte{"PNG": ours, "TIFF": tif} {
			f := decode(t, b)
			if f.Depth != 8 || f.Channels != channels {
				t.Fatalf("%s of %d channels: %+v", name, channels, f.Header)
			}
			for i := range 256 * 3 {
				for c := range channels {
					got, colours := float32(0), channels-1+channels%2 // 1, 1, 3, 3
					if c < colours {
						got = f.Picture.RGB.Pix[3*i+c]
					} else {
						got = f.Picture.Alpha.Pix[i]
					}
					if got != all.Pix[i*channels+c] {
						t.Fatalf("%s of %d channels: sample %d of pixel %d is %v, want %v", name, channels, c, i, got*255, all.Pix[i*channels+c]*255)
					}
				}
			}
		}
		theirs, err := png.Decode(bytes.NewReader(ours))
		if err != nil {
			t.Fatal(err)
		}
		if v := color.NRGBAModel.Convert(theirs.At(9, 1)).(color.NRGBA); v.R != uint8(all.Pix[(256+9)*channels]*255+0.5) {
			t.Errorf("another decoder reads %v", v)
		}
		if _, err := exec.LookPath("oiiotool"); err != nil || channels == 2 {
			continue
		}
		path := filepath.Join(t.TempDir(), "x.tif")
		if err := os.WriteFile(path, tif, 0o666); err != nil {
			t.Fatal(err)
		}
		output(t, tool(t, "oiiotool", "--iconfig", "oiio:UnassociatedAlpha", "1", path, "-d", "float", "-o", path+".exr"))
		for name, m := range channelsOf(t, path+".exr") {
			c := strings.Index("RGBA", name)
			if name == "Y" {
				c = 0
			}
			for i, v := range m.Pix {
				if d := v - all.Pix[i*channels+c]; d > 1e-6 || d < -1e-6 {
					t.Fatalf("oiiotool reads %v for %s of pixel %d, want %v", v, name, i, all.Pix[i*channels+c])
				}
			}
		}
	}
	if err := WritePNG8(&disktest.File{}, picture.Image{W: 1, H: 1, C: 1, Pix: []float32{float32(math.NaN())}}, picture.Image{}, Meta{}); !errors.Is(err, ErrNotFinite) {
		t.Errorf("NaN: %v", err)
	}
}

func TestColourUnderAlphaSurvives(t *testing.T) {
	rgb, alpha := levels(67, 41, 3), levels(67, 41, 1)
	for i := range alpha.Pix {
		switch i % 3 {
		case 0:
			alpha.Pix[i] = 0
		case 1:
			alpha.Pix[i] = 1.0 / 65535
		}
	}
	rgba := picture.New(67, 41, 4)
	for i, a := range alpha.Pix {
		copy(rgba.Pix[4*i:], rgb.Pix[3*i:3*i+3])
		rgba.Pix[4*i+3] = a
	}
	for _, c := range writers {
		for name, b := range map[string][]byte{
			"apart":    written(t, c.write, rgb, alpha, Meta{Pass: "key", Space: colour.SRGB}),
			"together": written(t, c.write, rgba, picture.Image{}, Meta{Pass: "key", Space: colour.SRGB}),
		} {
			f := decode(t, b)
			if !slices.Equal(f.Picture.RGB.Pix, rgb.Pix) || !slices.Equal(f.Picture.Alpha.Pix, alpha.Pix) {
				t.Errorf("%s, %s: the picture came back changed", c.name, name)
			}
			if f.Channels != 4 || f.Depth != 16 || !f.HasAlpha() || f.Picture.Space != colour.SRGB {
				t.Errorf("%s, %s: header %+v", c.name, name, f.Header)
			}
		}
	}
}

func TestWrittenFilesSayWhatTheyAre(t *testing.T) {
	icc := append(make([]byte, 128), "a profile"...)
	copy(icc[16:], "RGB ")
	for _, c := range writers {
		m := decode(t, written(t, c.write, levels(5, 4, 1), picture.Image{}, Meta{Pass: "matte", Space: colour.SRGB, ICC: icc}))
		if !m.WrittenByGreenroom || m.Pass != "matte" || m.ICC != nil || m.Channels != 1 {
			t.Errorf("%s matte: %+v", c.name, m.Header)
		}
		f := decode(t, written(t, c.write, levels(5, 4, 3), picture.Image{}, Meta{Pass: "fg", Space: colour.SRGB, ICC: icc}))
		if f.Pass != "fg" || !bytes.Equal(f.ICC, icc) || f.Channels != 3 {
			t.Errorf("%s fg: %+v", c.name, f.Header)
		}
	}
	if decode(t, encodePNG(t, image.NewGray(image.Rect(0, 0, 2, 2)))).WrittenByGreenroom {
		t.Error("another program's file counts as ours")
	}
}

func TestMattePNGHasNoColourChunks(t *testing.T) {
	b := written(t, WritePNG16, levels(4, 4, 1), picture.Image{}, Meta{Pass: "matte", Space: colour.SRGB, ICC: make([]byte, 200)})
	for _, kind := range []string{"gAMA", "sRGB", "iCCP", "cICP", "cHRM"} {
		if bytes.Contains(b, []byte(kind)) {
			t.Errorf("the matte has a %s chunk", kind)
		}
	}
	if !bytes.Contains(b, []byte("tEXtSoftware\x00Greenroom")) {
		t.Error("no Software text")
	}
	key := written(t, WritePNG16, levels(4, 4, 4), picture.Image{}, Meta{Pass: "key", Space: colour.SRGB})
	if !bytes.Contains(key, []byte("sRGB\x00")) {
		t.Error("the key has no sRGB chunk")
	}
	linear := decode(t, written(t, WritePNG16, levels(4, 4, 3), picture.Image{}, Meta{Pass: "fg", Space: colour.LinearRec709}))
	if len(linear.Notes) != 0 || !strings.Contains(linear.SpaceNote(), "linear Rec.709, by its cICP chunk") {
		t.Errorf("notes of a linear PNG: %q, %s", linear.Notes, linear.SpaceNote())
	}
}

func TestValuesOutsideAreClamped(t *testing.T) {
	m := picture.Image{W: 6, H: 1, C: 1, Pix: []float32{
		-1, 2, float32(math.Inf(1)), float32(math.Inf(-1)), 0.5 / 65535, 0.4999 / 65535,
	}}
	want := []float32{0, 1, 1, 0, 1.0 / 65535, 0}
	for _, c := range writers {
		back := decode(t, written(t, c.write, m, picture.Image{}, Meta{})).Picture.RGB
		for i, v := range want {
			if back.Pix[3*i] != v {
				t.Errorf("%s: %v was written as %v, want %v", c.name, m.Pix[i], back.Pix[3*i], v)
			}
		}
	}
}

func TestWritersRefuseWhatCannotBeStored(t *testing.T) {
	nan := levels(3, 3, 3)
	nan.Pix[13] = float32(math.NaN())
	for _, c := range writers {
		for name, images := range map[string][2]picture.Image{
			"NaN":                   {nan, {}},
			"empty":                 {{}, {}},
			"five channels":         {levels(2, 2, 5), {}},
			"alpha of another size": {levels(2, 2, 3), levels(2, 3, 1)},
			"alpha of 3 channels":   {levels(2, 2, 1), levels(2, 2, 3)},
		} {
			var b disktest.File
			err := c.write(&b, images[0], images[1], Meta{})
			if err == nil {
				t.Errorf("%s: %s was written", c.name, name)
			}
			if name == "NaN" && !errors.Is(err, ErrNotFinite) {
				t.Errorf("%s: NaN gives %v", c.name, err)
			}
		}
	}
}

func TestBandsMakeOnePicture(t *testing.T) {
	// Wide enough for several bands, so that filters and sums go across them.
	rgb := levels(9000, 61, 3)
	for _, c := range writers {
		b := written(t, c.write, rgb, picture.Image{}, Meta{})
		if !slices.Equal(decode(t, b).Picture.RGB.Pix, rgb.Pix) {
			t.Errorf("%s: bands do not fit together", c.name)
		}
	}
}

func TestAdlerOfTwoRuns(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{0, 1, 7, 65521, 200000} {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		for _, cut := range []int{0, n / 3, n} {
			got := combineAdler(adler32.Checksum(b[:cut]), adler32.Checksum(b[cut:]), int64(n-cut))
			if want := adler32.Checksum(b); got != want {
				t.Errorf("%d bytes cut at %d: %08x, want %08x", n, cut, got, want)
			}
		}
	}
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

func BenchmarkWritePNG16(b *testing.B) {
	rgb, alpha := plateLike(1920, 1080)
	b.SetBytes(1920 * 1080 * 8)
	for b.Loop() {
		var out bytes.Buffer
		if err := WritePNG16(&out, rgb, alpha, Meta{Pass: "key", Space: colour.SRGB}); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(out.Len())/1e6, "MB")
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

// plateLike is smooth colour with grain, and a matte with a soft edge.
func plateLike(w, h int) (rgb, alpha picture.Image) {
	rgb, alpha = picture.New(w, h, 3), picture.New(w, h, 1)
	r := rand.New(rand.NewPCG(5, 6))
	for i := range alpha.Pix {
		x, y := float64(i%w)/float64(w), float64(i/w)/float64(h)
		for c := range 3 {
			v := 0.4 + 0.3*math.Sin(3*x+float64(c))*math.Cos(2*y) + 0.01*r.NormFloat64()
			rgb.Pix[3*i+c] = float32(v)
		}
		alpha.Pix[i] = float32(min(max(20*(0.3-math.Hypot(x-0.5, y-0.5)), 0), 1))
	}
	return rgb, alpha
}
