package imageio

import (
	"bytes"
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
