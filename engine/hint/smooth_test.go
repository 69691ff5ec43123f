package hint

import (
	"context"
	"errors"
	"image"
	"math"
	"testing"

	"greenroom/engine/colour"
	"greenroom/engine/picture"
	"greenroom/engine/settings"
)

func TestChromaSmoothingGoesByTheFile(t *testing.T) {
	for _, c := range []struct {
		asked       float64
		subsampling string
		want        float64
	}{
		{settings.ChromaAuto, "", 0},
		{settings.ChromaAuto, "4:4:4", 0},
		{settings.ChromaAuto, "4:2:0", 1},
		{settings.ChromaAuto, "4:2:2", 1},
		{settings.ChromaAuto, "4:1:1", 1},
		{0, "4:2:0", 0},
		{2.5, "", 2.5},
	} {
		if got := ChromaSmoothing(c.asked, c.subsampling); got != c.want {
			t.Errorf("%v of %q is %v, want %v", c.asked, c.subsampling, got, c.want)
		}
	}
}

// subsampled is a red disc on green as 4:2:0 stores it, and without that.
func subsampled(w, h int) (stored, whole picture.Picture) {
	m := image.NewYCbCr(image.Rect(0, 0, w, h), image.YCbCrSubsampleRatio420)
	full := image.NewYCbCr(image.Rect(0, 0, w, h), image.YCbCrSubsampleRatio444)
	cb, cr := make([]int, len(m.Cb)), make([]int, len(m.Cr))
	for y := range h {
		for x := range w {
			// Green and red of like brightness: only the colour shows the edge.
			yy, b, r := uint8(120), uint8(80), uint8(60)
			if math.Hypot(float64(x)-float64(w)/2+0.3, float64(y)-float64(h)/2+0.3) < float64(h)/3 {
				b, r = 110, 200
			}
			full.Y[y*full.YStride+x], full.Cb[y*full.CStride+x], full.Cr[y*full.CStride+x] = yy, b, r
			m.Y[y*m.YStride+x] = yy
			i := y/2*m.CStride + x/2
			cb[i] += int(b)
			cr[i] += int(r)
		}
	}
	for i := range cb {
		m.Cb[i], m.Cr[i] = uint8(cb[i]/4), uint8(cr[i]/4)
	}
	convert := func(m *image.YCbCr) picture.Picture {
		p := picture.Picture{RGB: picture.New(w, h, 3), Space: colour.SRGB}
		for y := range h {
			for x := range w {
				r, g, b, _ := m.At(x, y).RGBA()
				copy(p.RGB.Row(y)[3*x:], []float32{float32(r) / 65535, float32(g) / 65535, float32(b) / 65535})
			}
		}
		return p
	}
	return convert(m), convert(full)
}

func TestSmoothChromaKeepsBrightnessAndTakesBlocksAway(t *testing.T) {
	stored, _ := subsampled(96, 64)
	got, err := SmoothChroma(t.Context(), stored, 1)
	if err != nil {
		t.Fatal(err)
	}
	luma := func(c []float32) float64 {
		return jpegRed*float64(c[0]) + jpegGreen*float64(c[1]) + jpegBlue*float64(c[2])
	}
	// steps is the mean square of the second difference of colour along rows: what blocks add.
	steps := func(p picture.Picture) float64 {
		sum := 0.0
		for y := range p.RGB.H {
			row := p.RGB.Row(y)
			for x := 1; x < p.RGB.W-1; x++ {
				d := float64(row[3*x-3] - 2*row[3*x] + row[3*x+3])
				sum += d * d
			}
		}
		return sum
	}
	for i := 0; i < len(got.RGB.Pix); i += 3 {
		if d := luma(got.RGB.Pix[i:]) - luma(stored.RGB.Pix[i:]); math.Abs(d) > 1e-6 {
			t.Fatalf("the brightness of pixel %d changed by %v", i/3, d)
		}
	}
	if a, b := steps(stored), steps(got); b > a/4 {
		t.Errorf("blocks were %v and are %v", a, b)
	}
}

func TestSmoothChromaOff(t *testing.T) {
	p, _ := subsampled(32, 16)
	got, err := SmoothChroma(t.Context(), p, 0)
	if err != nil || &got.RGB.Pix[0] != &p.RGB.Pix[0] {
		t.Fatalf("not the plate itself, %v", err)
	}
}

func TestSmoothChromaKeepsNonFiniteToItself(t *testing.T) {
	p, _ := subsampled(32, 16)
	p.RGB.Row(8)[3*16] = float32(math.Inf(1))
	got, err := SmoothChroma(t.Context(), p, 1)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range got.RGB.Pix {
		if bad := i == 3*(8*32+16); finite(v) == bad {
			t.Fatalf("sample %d is %v", i, v)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := SmoothChroma(ctx, p, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
}
