package views

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"testing"

	"greenroom/engine/bench/benchtest"
	"greenroom/engine/colour"
	"greenroom/engine/picture"
	"greenroom/engine/settings"
)

// drawn makes an image of c channels whose samples are given by a function.
func drawn(w, h, c int, at func(x, y, c int) float32) picture.Image {
	m := picture.New(w, h, c)
	for y := range h {
		for x := range w {
			for k := range c {
				m.Pix[(y*w+x)*c+k] = at(x, y, k)
			}
		}
	}
	return m
}

// shown makes a picture whose samples are given by a function.
func shown(w, h int, space colour.Space, at func(x, y, c int) float32) *Shown {
	return NewShown(picture.Picture{RGB: drawn(w, h, 3, at), Space: space})
}

// evenly returns a function that gives every sample one value.
func evenly(v float32) func(int, int, int) float32 {
	return func(int, int, int) float32 { return v }
}

// fitted draws a plate that fits the viewport.
func fitted(s *Shown, w, h int) *image.RGBA {
	return NewPainter().Draw(w, h, Layers{Plate: s}, Sight{}, Look{})
}

// opaque is the colour of a drawn pixel.
func opaque(r, g, b uint8) color.RGBA { return color.RGBA{r, g, b, 255} }

func TestDrawShowsEveryPixelAtItsOwnSize(t *testing.T) {
	s := shown(5, 3, colour.SRGB, func(x, y, c int) float32 { return float32(50*y+10*x+c) / 255 })
	m := fitted(s, 5, 3)
	for y := range 3 {
		for x := range 5 {
			v := uint8(50*y + 10*x)
			if got, want := m.RGBAAt(x, y), opaque(v, v+1, v+2); got != want {
				t.Errorf("%d,%d: %v, want %v", x, y, got, want)
			}
		}
	}
}

func TestDrawEncodesLinearLightAndSurvivesAnyNumber(t *testing.T) {
	values := []float32{-1, 0, 0.0001, 0.18, 0.5, 1, 7, float32(math.NaN())}
	for _, c := range []struct {
		space colour.Space
		want  []uint8
	}{
		{colour.LinearRec709, []uint8{0, 0, 0, 118, 188, 255, 255, 0}},
		{colour.SRGB, []uint8{0, 0, 0, 46, 128, 255, 255, 0}},
	} {
		for i, want := range c.want {
			m := fitted(shown(1, 1, c.space, evenly(values[i])), 1, 1)
			if got := m.RGBAAt(0, 0).R; got != want {
				t.Errorf("%s: %v is shown as %d, want %d", c.space, values[i], got, want)
			}
		}
	}
}

func TestDrawIsGreyAroundThePicture(t *testing.T) {
	p := NewPainter()
	s := shown(10, 10, colour.SRGB, evenly(1))
	p.Draw(30, 30, Layers{Plate: s}, Sight{Zoom: 5}, Look{})
	m := p.Draw(30, 10, Layers{Plate: s}, Sight{}, Look{})
	for x := range 30 {
		want := opaque(surroundGrey, surroundGrey, surroundGrey)
		if x >= 10 && x < 20 {
			want = opaque(255, 255, 255)
		}
		if got := m.RGBAAt(x, 5); got != want {
			t.Errorf("x %d: %v, want %v", x, got, want)
		}
	}
	if got := p.Draw(30, 10, Layers{}, Sight{}, Look{}).RGBAAt(15, 5).R; got != surroundGrey {
		t.Errorf("no plate: %d", got)
	}
}

func TestDrawAveragesWhenSmallAndShowsSquaresWhenLarge(t *testing.T) {
	stripes := func(x, _, _ int) float32 { return float32(x % 2) }
	m := fitted(shown(2048, 512, colour.SRGB, stripes), 256, 64)
	for x := range 256 {
		if got := m.RGBAAt(x, 30).R; got < 126 || got > 129 {
			t.Fatalf("column %d of fine stripes is %d, want their mean", x, got)
		}
	}
	m = fitted(shown(4, 1, colour.SRGB, stripes), 40, 10)
	for x := range 40 {
		if got, want := m.RGBAAt(x, 5).R, uint8(255*(x/10%2)); got != want {
			t.Errorf("column %d is %d, want %d", x, got, want)
		}
	}
}

func TestSmoothPixelsAreFilteredAtEveryZoom(t *testing.T) {
	s := shown(4, 1, colour.SRGB, func(x, _, _ int) float32 { return float32(x) / 3 })
	m := NewPainter().Draw(40, 10, Layers{Plate: s}, Sight{}, Look{Smooth: true})
	for x := 6; x < 35; x++ {
		if a, b := m.RGBAAt(x-1, 5).R, m.RGBAAt(x, 5).R; b <= a {
			t.Errorf("column %d is %d after %d", x, b, a)
		}
	}
}

func TestDrawKeepsPositionsWhateverTheSize(t *testing.T) {
	// A step in the middle stays in the middle through the smaller copies, odd sizes included.
	for _, w := range []int{1000, 1001, 1023, 1025, 4097} {
		m := fitted(shown(w, 300, colour.SRGB, func(x, _, _ int) float32 {
			if x < w/2 {
				return 0
			}
			return 1
		}), 200, 60)
		sum := 0
		for x := range 200 {
			sum += int(m.RGBAAt(x, 30).R)
		}
		if got := float64(sum) / 255; math.Abs(got-100) > 0.6 {
			t.Errorf("width %d: %.2f columns are white, want 100", w, got)
		}
	}
}

func TestOverlayTintsThePlateOutsideTheHint(t *testing.T) {
	layers := Layers{
		Plate: shown(4, 1, colour.SRGB, evenly(100.0/255)),
		Hint:  NewShownHint(drawn(4, 1, 1, func(x, _, _ int) float32 { return float32(x) / 3 })),
	}
	p := NewPainter()
	m := p.Draw(4, 1, layers, Sight{}, Look{Overlay: true})
	if got := m.RGBAAt(3, 0); got != opaque(100, 100, 100) {
		t.Errorf("inside: %v", got)
	}
	// 45 % of magenta over 100: 100 + 0.45*155, 100 - 0.45*100; 61 % where the first stripe is.
	if got := m.RGBAAt(0, 0); got != opaque(194, 39, 194) {
		t.Errorf("outside, in a stripe: %v", got)
	}
	wide := Layers{Plate: shown(40, 1, colour.SRGB, evenly(100.0/255)), Hint: NewShownHint(picture.New(40, 1, 1))}
	if got := p.Draw(40, 1, wide, Sight{}, Look{Overlay: true}).RGBAAt(5, 0); got != opaque(169, 55, 169) {
		t.Errorf("outside: %v", got)
	}
	m = p.Draw(4, 1, layers, Sight{}, Look{Overlay: true})
	if a, b := m.RGBAAt(2, 0), m.RGBAAt(3, 0); a.R <= b.R || a.G >= b.G {
		t.Errorf("the tint does not follow the hint: %v, %v", a, b)
	}
	if got := p.Draw(4, 1, layers, Sight{}, Look{}).RGBAAt(0, 0); got != opaque(100, 100, 100) {
		t.Errorf("without the overlay: %v", got)
	}
	if got := p.Draw(4, 1, layers, Sight{}, Look{View: ViewHint}).RGBAAt(1, 0); got != opaque(85, 85, 85) {
		t.Errorf("the hint itself: %v", got)
	}
}

// testKey is a key of 4 x 1: matte 0, 0.5, 1, 1 before a foreground of one colour.
func testKey(space colour.Space) *Key {
	matte := drawn(4, 1, 1, func(x, _, _ int) float32 { return min(float32(x)/2, 1) })
	fg := drawn(4, 1, 3, func(_, _, c int) float32 { return []float32{1, 0.5, 0}[c] })
	return NewKey(matte, fg, space)
}

func TestKeyViewsShowMatteForegroundAndComp(t *testing.T) {
	p := NewPainter()
	for space, fg := range map[colour.Space]color.RGBA{colour.SRGB: opaque(255, 128, 0), colour.LinearRec709: opaque(255, 188, 0)} {
		layers := Layers{Plate: shown(4, 1, colour.SRGB, evenly(0)), Key: testKey(space)}
		m := p.Draw(4, 1, layers, Sight{}, Look{View: ViewMatte})
		for x, want := range []uint8{0, 128, 255, 255} {
			if got := m.RGBAAt(x, 0); got != opaque(want, want, want) {
				t.Errorf("%s: matte at %d is %v", space, x, got)
			}
		}
		if got := p.Draw(4, 1, layers, Sight{}, Look{View: ViewFG}).RGBAAt(0, 0); got != fg {
			t.Errorf("%s: foreground %v, want %v", space, got, fg)
		}
		m = p.Draw(4, 1, layers, Sight{}, Look{View: ViewComp, Unit: 1})
		if got := m.RGBAAt(0, 0); got != opaque(checkerDark, checkerDark, checkerDark) {
			t.Errorf("%s: the checker is %v", space, got)
		}
		if got := m.RGBAAt(3, 0); got != fg {
			t.Errorf("%s: the solid part is %v, want %v", space, got, fg)
		}
		// Half of white light over the dark square: encoded, (1 + 0.1329) / 2 is 199.
		if got := m.RGBAAt(1, 0).R; got < 198 || got > 200 {
			t.Errorf("%s: the edge is blended to %d, want 199", space, got)
		}
	}
}

func TestForegroundIsAveragedByItsMatte(t *testing.T) {
	// Right of the edge the foreground holds colour that nobody may see.
	w := 1024
	matte := drawn(w, 8, 1, func(x, _, _ int) float32 {
		if x < w/2+1 {
			return 1
		}
		return 0
	})
	fg := drawn(w, 8, 3, func(x, _, c int) float32 {
		if (x < w/2+1) == (c == 0) {
			return 1
		}
		return 0
	})
	p := NewPainter()
	for _, space := range []colour.Space{colour.SRGB, colour.LinearRec709} {
		layers := Layers{Plate: shown(w, 8, space, evenly(0)), Key: NewKey(matte, fg, space)}
		m := p.Draw(w/2, 4, layers, Sight{}, Look{View: ViewFG})
		if got := m.RGBAAt(w/4, 1); got != opaque(255, 0, 0) {
			t.Errorf("%s: at half size the edge is %v, want the subject's colour", space, got)
		}
		m = p.Draw(w/2, 4, layers, Sight{}, Look{View: ViewMatte})
		if got := m.RGBAAt(w/4, 1); got != opaque(128, 128, 128) {
			t.Errorf("%s: at half size the matte is %v, want half", space, got)
		}
	}
}

func TestTilesAppearOverADimPlate(t *testing.T) {
	k := NewPartialKey(40, 20)
	layers := Layers{Plate: shown(40, 20, colour.SRGB, evenly(200.0/255)), Key: k}
	k.Add(drawn(10, 20, 1, evenly(1)), drawn(10, 20, 3, evenly(0.5)), image.Pt(10, 0))
	p := NewPainter()
	m := p.Draw(40, 20, layers, Sight{}, Look{View: ViewMatte})
	waiting := uint8(200 * dim >> 8)
	for x := range 40 {
		want := waiting
		if x >= 10 && x < 20 {
			want = 255
		}
		if got := m.RGBAAt(x, 7).R; got != want {
			t.Fatalf("column %d: %d, want %d", x, got, want)
		}
	}
	if k.has(9, 0) || !k.has(10, 19) || k.has(20, 0) {
		t.Error("the tile is not where it was put")
	}
	layers.Stopped = true
	m = p.Draw(40, 20, layers, Sight{}, Look{View: ViewMatte})
	hatched := 0
	for x := 20; x < 40; x++ {
		if m.RGBAAt(x, 7).R == hatchGrey {
			hatched++
		}
	}
	if hatched < 2 || hatched > 10 || m.RGBAAt(15, 7).R != 255 {
		t.Errorf("%d of 20 columns are hatched after stopping", hatched)
	}
	// On the plate itself nothing is dimmed.
	if got := p.Draw(40, 20, layers, Sight{}, Look{}).RGBAAt(30, 7).R; got != 200 {
		t.Errorf("the plate is %d", got)
	}
	k.Clear()
	if k.has(10, 0) {
		t.Error("a tile is left after starting again")
	}
}

func TestTilesGiveTheSameHalvingsAsTheWhole(t *testing.T) {
	w, h := 700, 333
	at := func(x, y, c int) float32 { return float32((x*7+y*13+c*5)%97) / 96 }
	matte, fg := drawn(w, h, 1, at), drawn(w, h, 3, at)
	whole, parts := NewKey(matte, fg, colour.SRGB), NewPartialKey(w, h)
	for _, r := range []image.Rectangle{image.Rect(0, 0, 320, 333), image.Rect(288, 0, 608, 333), image.Rect(380, 0, 700, 333)} {
		parts.Add(picture.Crop(matte, r.Min.X, 0, r.Dx(), r.Dy()), picture.Crop(fg, r.Min.X, 0, r.Dx(), r.Dy()), r.Min)
	}
	for i := 1; i < len(whole.fg.pixels); i++ {
		for n, p := range whole.fg.pixels[i].pixels {
			q := parts.fg.pixels[i].pixels[n]
			for shift := 0; shift < 64; shift += 16 {
				// Tiles are cut to whole numbers before they are halved, the whole after.
				if d := int(p>>shift&0xffff) - int(q>>shift&0xffff); d < -4 || d > 4 {
					t.Fatalf("copy %d, pixel %d: %x, want %x", i, n, q, p)
				}
			}
		}
	}
}

// benchmarked are a plate of 4096 x 2160 and a matte, a wide ramp.
func benchmarked() (plate, matte picture.Image) {
	w, h := 4096, 2160
	plate = drawn(w, h, 3, func(x, y, c int) float32 { return float32((x+y+c)%256) / 255 })
	matte = drawn(w, h, 1, func(x, _, _ int) float32 { return min(max(float32(x-1500)/1000, 0), 1) })
	return plate, matte
}

func BenchmarkDraw(b *testing.B) {
	plate, matte := benchmarked()
	layers, linear := Layers{Hint: NewShownHint(matte)}, Layers{}
	layers.Plate = NewShown(picture.Picture{RGB: plate, Space: colour.SRGB})
	layers.Key = NewKey(matte, plate, colour.SRGB)
	layers.Backdrop = NewShownBackdrop(picture.Picture{RGB: plate, Space: colour.SRGB})
	linear.Plate = NewShown(picture.Picture{RGB: plate, Space: colour.LinearRec709})
	linear.Key = NewKey(matte, plate, colour.LinearRec709)
	linear.Backdrop = layers.Backdrop
	tone := Tone{Exposure: 1.5, Gamma: 1.2}
	behind := settings.DefaultLook().Comp
	display := behind
	display.Blend = settings.BlendDisplay
	wipe := Wipe{On: true, Right: Side{View: ViewComp}, At: 0.5}
	for _, c := range []struct {
		name   string
		layers Layers
		look   Look
	}{
		{"plate", layers, Look{}},
		{"overlay", layers, Look{Overlay: true}},
		{"hint", layers, Look{View: ViewHint}},
		{"matte", layers, Look{View: ViewMatte}},
		{"fg", layers, Look{View: ViewFG}},
		{"comp", layers, Look{View: ViewComp}},
		{"linear", linear, Look{}},
		{"linear_comp", linear, Look{View: ViewComp}},
		{"status", layers, Look{View: ViewStatus}},
		{"blue", layers, Look{Channel: ChannelBlue}},
		{"luminance", layers, Look{Channel: ChannelLuminance}},
		{"exposed", layers, Look{Tone: tone}},
		{"seen", layers, Look{View: ViewSeen, KeyExposure: 1}},
		{"blacks", layers, Look{View: ViewMatte, Gain: GainBlacks}},
		{"overlay_inside", layers, Look{Overlay: true, Tint: OverlayLook{Style: TintInside}}},
		{"overlay_contour", layers, Look{Overlay: true, Tint: OverlayLook{Style: Contour}}},
		{"exposed_overlay", layers, Look{Overlay: true, Tone: tone}},
		{"exposed_comp", layers, Look{View: ViewComp, Tone: tone}},
		{"display_comp", layers, Look{View: ViewComp, Comp: display}},
		{"picture_comp", layers, Look{View: ViewComp, Background: settings.BackgroundPicture, Comp: behind}},
		{"linear_exposed_comp", linear, Look{View: ViewComp, Tone: tone}},
		{"linear_picture_comp", linear, Look{View: ViewComp, Background: settings.BackgroundPicture, Comp: display}},
		{"wipe", layers, Look{Wipe: wipe}},
	} {
		for _, zoom := range []float64{0, 0.51, 0.73, 0.9, 1, 1.5, 2, 2.5, 8} {
			name := fmt.Sprintf("%s_%.0f", c.name, 100*zoom)
			if zoom == 0 {
				name = c.name + "_fit"
			}
			b.Run(name, func(b *testing.B) {
				p := NewPainter()
				draw := func() { p.Draw(1400, 900, c.layers, Sight{Zoom: zoom, X: 2048, Y: 1080}, c.look) }
				// What is found once for a plate or a look is no part of panning and zooming.
				draw()
				benchtest.Measure(b, draw)
			})
		}
	}
}

// BenchmarkStatus finds what the status view shows, which each new key needs once.
func BenchmarkStatus(b *testing.B) {
	plate, matte := benchmarked()
	layers := Layers{
		Plate: NewShown(picture.Picture{RGB: plate, Space: colour.SRGB}), Hint: NewShownHint(matte), Key: NewKey(matte, plate, colour.SRGB),
	}
	benchtest.Measure(b, func() { newStatus(layers) })
}

// BenchmarkShown makes pictures ready to be drawn; B/op is what they hold beside the pictures themselves.
func BenchmarkShown(b *testing.B) {
	plate, matte := benchmarked()
	for _, space := range []colour.Space{colour.SRGB, colour.LinearRec709} {
		b.Run("plate_"+string(space), func(b *testing.B) {
			benchtest.Measure(b, func() { NewShown(picture.Picture{RGB: plate, Space: space}) })
		})
		b.Run("key_"+string(space), func(b *testing.B) {
			benchtest.Measure(b, func() { NewKey(matte, plate, space) })
		})
	}
}
