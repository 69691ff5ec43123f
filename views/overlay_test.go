//go:build !headless

package views

import (
	"image"
	"math"
	"testing"

	"greenroom/engine/colour"
)

// overlaid draws a grey plate of 60 x 40 at 100 % under the overlay of a hint that is white left of column 30.
func overlaid(l OverlayLook, unit float64) *image.RGBA {
	layers := Layers{
		Plate: shown(60, 40, colour.SRGB, evenly(100.0/255)),
		Hint: NewShownHint(drawn(60, 40, 1, func(x, _, _ int) float32 {
			if x < 30 {
				return 1
			}
			return 0
		})),
	}
	m := NewPainter().Draw(60, 40, layers, Sight{Zoom: 1, X: 30, Y: 20}, Look{Overlay: true, Tint: l, Unit: unit})
	copied := *m
	copied.Pix = append([]uint8{}, m.Pix...)
	return &copied
}

// changed counts the pixels of some columns that are not the plate's grey.
func changed(m *image.RGBA, x0, x1 int) int {
	n := 0
	for y := range 40 {
		for x := x0; x < x1; x++ {
			if m.RGBAAt(x, y) != opaque(100, 100, 100) {
				n++
			}
		}
	}
	return n
}

func TestOverlayStylesCoverWhatTheySay(t *testing.T) {
	const side = 30 * 40
	outside := overlaid(OverlayLook{}, 1)
	if in, out := changed(outside, 0, 30), changed(outside, 30, 60); in != 0 || out != side {
		t.Errorf("outside: %d pixels inside, %d outside", in, out)
	}
	inside := overlaid(OverlayLook{Style: TintInside}, 1)
	if in, out := changed(inside, 0, 30), changed(inside, 30, 60); in != side || out != 0 {
		t.Errorf("inside: %d pixels inside, %d outside", in, out)
	}
	contour := overlaid(OverlayLook{Style: Contour}, 1)
	if near, far := changed(contour, 27, 33), changed(contour, 0, 26)+changed(contour, 34, 60); near < 2*40 || far != 0 {
		t.Errorf("contour: %d pixels at the edge, %d elsewhere", near, far)
	}
	// The line is light and has dark sides, whatever lies under it.
	if c := contour.RGBAAt(30, 20); c.R < 180 || c.G > 60 {
		t.Errorf("the contour is %v", c)
	}
	if c := contour.RGBAAt(28, 20); c.R >= 100 {
		t.Errorf("beside the contour is %v", c)
	}
	if c := contour.RGBAAt(30, 20); c.A != 255 {
		t.Errorf("the contour has an alpha of %d", c.A)
	}
}

func TestOverlayStripesAreToldWithoutColour(t *testing.T) {
	for _, style := range []OverlayStyle{TintOutside, TintInside} {
		m := overlaid(OverlayLook{Style: style}, 1)
		x0 := 30
		if style == TintInside {
			x0 = 0
		}
		brightest, darkest := 0.0, 255.0
		for x := x0; x < x0+30; x++ {
			c := m.RGBAAt(x, 7)
			luma := 0.2126*float64(c.R) + 0.7152*float64(c.G) + 0.0722*float64(c.B)
			brightest, darkest = math.Max(brightest, luma), math.Min(darkest, luma)
		}
		if brightest-darkest < 3 {
			t.Errorf("style %d: a row goes from %.1f to %.1f", style, darkest, brightest)
		}
	}
}

func TestOverlayColoursAndOpacity(t *testing.T) {
	seen := map[[3]uint8]bool{}
	for i := range overlayColours() {
		c := overlaid(OverlayLook{Colour: OverlayColour(i), Opacity: 1}, 1).RGBAAt(45, 3)
		want := OverlayColour(i).rgb()
		if c.R != want.R || c.G != want.G || c.B != want.B {
			t.Errorf("%s at full opacity is %v", overlayColours()[i], c)
		}
		seen[[3]uint8{c.R, c.G, c.B}] = true
	}
	if len(seen) != len(overlayColours()) {
		t.Error("two colours are one")
	}
	before := 0
	for _, opacity := range []float64{0.05, 0.2, 0.45, 0.8} {
		c := overlaid(OverlayLook{Opacity: opacity}, 1).RGBAAt(45, 3)
		if int(c.R) <= before {
			t.Errorf("an opacity of %v gives %v", opacity, c)
		}
		before = int(c.R)
	}
}

func TestContoursAreAsWideAtEveryScale(t *testing.T) {
	if one, two := changed(overlaid(OverlayLook{Style: Contour}, 1), 20, 40), changed(overlaid(OverlayLook{Style: Contour}, 2), 20, 40); two <= one {
		t.Errorf("at a scale of 1 the line covers %d pixels, at 2 %d", one, two)
	}
}

func TestNextStyleGoesRound(t *testing.T) {
	l := OverlayLook{Colour: OverlayCyan}
	for range overlayStyles() {
		l = l.next()
	}
	if l != (OverlayLook{Colour: OverlayCyan}) {
		t.Errorf("after all styles it is %+v", l)
	}
}
