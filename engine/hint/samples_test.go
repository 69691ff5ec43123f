package hint

import (
	"errors"
	"math"
	"strings"
	"testing"

	"greenroom/engine/colour"
	"greenroom/engine/picture"
	"greenroom/engine/settings"
)

// twoCloths is a plate whose screen is green to the left and of another hue to the right, with a subject in
// the middle, and the truth.
func twoCloths(w, h int, left, right [3]float32) (picture.Picture, picture.Image) {
	p, truth := picture.Picture{RGB: picture.New(w, h, 3), Space: colour.SRGB}, picture.New(w, h, 1)
	for y := range h {
		for x := range w {
			c := left
			if x >= w/2 {
				c = right
			}
			if x > w/3 && x < 2*w/3 && y > h/4 {
				c = [3]float32{0.6, 0.4, 0.35}
				truth.Row(y)[x] = 1
			}
			copy(p.RGB.Row(y)[3*x:], c[:])
		}
	}
	return p, truth
}

func sampleOf(c [3]float32) settings.Colour {
	return settings.Colour{float64(c[0]), float64(c[1]), float64(c[2])}
}

func TestSeveralSamplesMakeOneScreen(t *testing.T) {
	left, right := hsv(0.36, 0.8, 0.7), hsv(0.19, 0.45, 0.8)
	for name, swap := range map[string]bool{"green": false, "blue": true} {
		p, truth := twoCloths(640, 360, left, right)
		l, r := left, right
		want := settings.ScreenGreen
		if swap {
			SwapScreen(p.RGB)
			l[1], l[2], r[1], r[2] = l[2], l[1], r[2], r[1]
			want = settings.ScreenBlue
		}
		marked := func(samples ...settings.Colour) (onScreen, onSubject float64) {
			h, screen, err := FromSamples(p, samples, 0)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if screen != want || !h.Matte.SameSize(p.RGB) {
				t.Fatalf("%s: screen %s, hint %s", name, screen, sized(h.Matte))
			}
			var sums, counts [2]float64
			for i, v := range h.Matte.Pix {
				at := int(truth.Pix[i])
				sums[at] += float64(v)
				counts[at]++
			}
			return sums[0] / counts[0], sums[1] / counts[1]
		}
		if screen, subject := marked(sampleOf(l), sampleOf(r)); screen > 0.01 || subject < 0.8 {
			t.Errorf("%s: with both cloths the screen is %v and the subject %v", name, screen, subject)
		}
		if screen, _ := marked(sampleOf(l)); screen < 0.1 {
			t.Errorf("%s: with one cloth the other is no subject: the screen is %v", name, screen)
		}
	}
}

func TestSamplesAreReadInThePlatesSpace(t *testing.T) {
	left, right := hsv(0.36, 0.8, 0.7), hsv(0.19, 0.45, 0.8)
	p, _ := twoCloths(320, 180, left, right)
	want, _, err := FromSamples(p, []settings.Colour{sampleOf(left), sampleOf(right)}, 0)
	if err != nil {
		t.Fatal(err)
	}
	linear := picture.Picture{RGB: p.RGB.Clone(), Space: colour.LinearRec709}
	for i, v := range linear.RGB.Pix {
		linear.RGB.Pix[i] = colour.SRGBToLinear(v)
	}
	at := func(x int) settings.Colour { return sampleOf([3]float32(linear.RGB.Row(2)[3*x:])) }
	got, _, err := FromSamples(linear, []settings.Colour{at(5), at(310)}, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range got.Matte.Pix {
		if d := v - want.Matte.Pix[i]; d > 0.01 || d < -0.01 {
			t.Fatalf("pixel %d is %v in linear light and %v encoded", i, v, want.Matte.Pix[i])
		}
	}
}

func TestSamplesThatAreNoScreenAreNamed(t *testing.T) {
	green := settings.Colour{0.1, 0.7, 0.2}
	p, _ := twoCloths(320, 180, [3]float32{0.1, 0.7, 0.2}, [3]float32{0.1, 0.7, 0.2})
	for want, samples := range map[string][]settings.Colour{
		"no colour":             nil,
		"sample 2 is not green": {green, {0.5, 0.5, 0.5}},
		"sample 1 is too dark":  {{0.01, 0.03, 0.01}, green},
		"sample 3 is not green": {green, green, {0.1, 0.2, 0.7}},
	} {
		if _, _, err := FromSamples(p, samples, 0); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	if _, _, err := FromSamples(p, []settings.Colour{{0.65, 0.7, 0.1}}, 0); !errors.Is(err, ErrNoSampledScreen) {
		t.Errorf("a colour that the plate lacks: %v", err)
	}
	if _, _, err := FromSamples(picture.Picture{Space: colour.SRGB}, []settings.Colour{green}, 0); err == nil {
		t.Error("an empty plate gave no error")
	}
	if _, _, err := FromSamples(picture.Picture{RGB: p.RGB, Space: "teal"}, []settings.Colour{green}, 0); err == nil {
		t.Error("an unknown space gave no error")
	}
}

func TestPickAveragesAroundAPlace(t *testing.T) {
	p, _ := twoCloths(40, 30, [3]float32{0.1, 0.5, 0.2}, [3]float32{0.3, 0.7, 0.2})
	nan := float32(math.NaN())
	p.RGB.Row(5)[3*5] = nan
	for at, want := range map[settings.Point]settings.Colour{
		{X: 5, Y: 5}: {0.1, 0.5, 0.2}, {X: 0, Y: 0}: {0.1, 0.5, 0.2}, {X: 39.9, Y: 2}: {0.3, 0.7, 0.2},
		{X: 20.5, Y: 2}: {0.22, 0.62, 0.2}, // two columns of the left, three of the right
	} {
		got, ok := Pick(p, at)
		for k := range got {
			if !ok || math.Abs(got[k]-want[k]) > 1e-6 {
				t.Errorf("at %v is %v, %v; want %v", at, got, ok, want)
				break
			}
		}
	}
	for _, at := range []settings.Point{{X: -1, Y: 5}, {X: 40, Y: 5}, {X: 5, Y: math.NaN()}} {
		if c, ok := Pick(p, at); ok {
			t.Errorf("at %v is %v", at, c)
		}
	}
}
