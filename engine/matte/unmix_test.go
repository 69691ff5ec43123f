package matte

import (
	"math"
	"math/rand/v2"
	"testing"

	"greenroom/engine/colour"
	"greenroom/engine/picture"
	"greenroom/engine/picture/picturetest"
	"greenroom/engine/settings"
)

// unevenScreen is the clean screen of the tests in linear light: brighter to the right, bluer below.
func unevenScreen(x, y, w, h int) [3]float32 {
	u, v := float32(x)/float32(w), float32(y)/float32(h)
	return [3]float32{0.04 + 0.02*u, 0.3 + 0.25*u, 0.06 + 0.05*v}
}

// mixed is a plate of fg in linear light through matte over the uneven screen, with grain.
func mixed(fg, matte picture.Image, space colour.Space, grain float32) picture.Picture {
	random := rand.New(rand.NewPCG(7, 8))
	p := picture.Picture{RGB: picture.New(fg.W, fg.H, 3), Space: space}
	for y := range fg.H {
		for x := range fg.W {
			s, a := unevenScreen(x, y, fg.W, fg.H), matte.Row(y)[x]
			for k := range 3 {
				v := a*fg.Row(y)[3*x+k] + (1-a)*s[k] + grain*(random.Float32()-0.5)
				if space == colour.SRGB {
					v = colour.LinearToSRGB(v)
				}
				p.RGB.Row(y)[3*x+k] = v
			}
		}
	}
	return p
}

func TestBackingFollowsTheScreenAndGoesOnBehindTheSubject(t *testing.T) {
	const w, h = 400, 300
	fg, matte := drawnForeground(w, h), picturetest.Matte(w, h)
	// A rig beside the screen has no matte either, and must not be taken for it.
	for _, space := range []colour.Space{colour.SRGB, colour.LinearRec709} {
		plate := mixed(fg, matte, space, 0.02)
		for y := range 100 {
			for x := range 40 {
				copy(plate.RGB.Row(y)[3*x:], []float32{0.5, 0.5, 0.5})
			}
		}
		b, ok, err := FindBacking(t.Context(), plate, matte, settings.ScreenGreen)
		if err != nil || !ok {
			t.Fatalf("%s: no screen, %v", space, err)
		}
		line := make([]float32, 3*b.colour.W)
		for y := 0; y < h; y += 10 {
			b.colour.line(line, y)
			for x := 0; x < w; x += 10 {
				got, want := b.at(line, x), unevenScreen(x, y, w, h)
				tolerance := 0.03
				if matte.Row(y)[x] > 0 || x < 80 && y < 120 {
					tolerance = 0.06 // far from where it is seen
				}
				for k := range got {
					if math.Abs(float64(got[k]-want[k])) > tolerance {
						t.Fatalf("%s: at %d,%d is %v, want %v", space, x, y, got, want)
					}
				}
			}
		}
		if b.Mean[1] < 0.35 || b.Mean[1] > 0.5 {
			t.Errorf("%s: the mean is %v", space, b.Mean)
		}
	}
}

func TestBackingOfAPlateWithoutScreen(t *testing.T) {
	plate := picture.Picture{RGB: drawnForeground(64, 48), Space: colour.LinearRec709}
	full := picture.New(64, 48, 1)
	picturetest.FillBox(full, 0, 0, 64, 48, 1)
	if _, ok, err := FindBacking(t.Context(), plate, full, settings.ScreenGreen); ok || err != nil {
		t.Errorf("a full matte: screen %v, %v", ok, err)
	}
	grey := picture.Picture{RGB: picture.New(64, 48, 3), Space: colour.LinearRec709}
	for i := range grey.RGB.Pix {
		grey.RGB.Pix[i] = 0.4
	}
	if _, ok, err := FindBacking(t.Context(), grey, picture.New(64, 48, 1), settings.ScreenGreen); ok || err != nil {
		t.Errorf("a grey plate: screen %v, %v", ok, err)
	}
	if _, _, err := FindBacking(t.Context(), picture.Picture{RGB: grey.RGB, Space: "teal"}, full, settings.ScreenGreen); err == nil {
		t.Error("an unknown space gave no error")
	}
}

func TestUnmixGivesTheSubjectsOwnColourBack(t *testing.T) {
	const w, h = 400, 300
	matte := picturetest.Matte(w, h)
	fg := picture.New(w, h, 3)
	for y := range h {
		for x := range w {
			// Detail that a network would smooth away.
			v := float32(0.2)
			if x%2 == 0 {
				v = 0.5
			}
			copy(fg.Row(y)[3*x:], []float32{v, v * 0.7, v * 0.5})
		}
	}
	network := picture.New(w, h, 3)
	for i := range network.Pix {
		network.Pix[i] = 0.25
	}
	for _, space := range []colour.Space{colour.SRGB, colour.LinearRec709} {
		plate := mixed(fg, matte, space, 0)
		b, ok, err := FindBacking(t.Context(), plate, matte, settings.ScreenGreen)
		if err != nil || !ok {
			t.Fatal(err)
		}
		got, err := Unmix(t.Context(), network, plate.RGB, space, matte, b)
		if err != nil {
			t.Fatal(err)
		}
		sum, n := 0.0, 0
		for i, a := range matte.Pix {
			switch {
			case a <= unmixFrom:
				if j := picturetest.FirstDifference(got.Pix[3*i:3*i+3], network.Pix[3*i:3*i+3]); j >= 0 {
					t.Fatalf("%s: pixel %d of matte %v is not the network's", space, i, a)
				}
			case a == 1:
				if j := picturetest.FirstDifference(got.Pix[3*i:3*i+3], plate.RGB.Pix[3*i:3*i+3]); j >= 0 {
					t.Fatalf("%s: pixel %d of the core is not the plate's", space, i)
				}
			case a >= unmixTo && a < 0.95:
				for k := range 3 {
					v := got.Pix[3*i+k]
					if space == colour.SRGB {
						v = colour.SRGBToLinear(v)
					}
					if v < 0 {
						t.Fatalf("%s: pixel %d is %v", space, i, v)
					}
					sum += math.Abs(float64(v - fg.Pix[3*i+k]))
					n++
				}
			}
		}
		if n < 1000 || sum/float64(n) > 0.03 {
			t.Errorf("%s: mean error %v of %d edge samples", space, sum/float64(n), n)
		}
	}
}
