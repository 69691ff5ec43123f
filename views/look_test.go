package views

import (
	"image"
	"image/color"
	"math"
	"testing"

	"greenroom/engine/colour"
	"greenroom/engine/picture"
	"greenroom/engine/settings"
)

// shownAs is how 8 bits show linear light under a tone, by the formula.
func shownAs(light float64, t Tone) float64 {
	gamma := t.Gamma
	if gamma == 0 {
		gamma = 1
	}
	light = math.Pow(math.Max(light*math.Exp2(t.Exposure), 0), 1/gamma)
	return 255 * math.Min(float64(colour.LinearToSRGB(float32(light))), 1)
}

func TestToneIsExposureThenGammaThenSRGB(t *testing.T) {
	ramp := func(x, _, _ int) float32 { return float32(x) / 255 }
	wide := func(x, _, _ int) float32 { return float32(math.Exp2(float64(x)/16 - 10)) } // 2^-10 .. 2^6
	p := NewPainter()
	for _, tone := range []Tone{{}, {Exposure: 2}, {Exposure: -6}, {Exposure: 6}, {Gamma: 0.2}, {Gamma: 5}, {Exposure: -1.5, Gamma: 2.2}, {Exposure: 6, Gamma: 5}} {
		for space, at := range map[colour.Space]func(x, y, c int) float32{colour.SRGB: ramp, colour.LinearRec709: wide} {
			m := p.Draw(256, 1, Layers{Plate: shown(256, 1, space, at)}, Sight{}, Look{Tone: tone})
			for x := range 256 {
				light := float64(at(x, 0, 0))
				if space == colour.SRGB {
					light = float64(colour.SRGBToLinear(at(x, 0, 0)))
				}
				if got, want := float64(m.RGBAAt(x, 0).G), shownAs(light, tone); math.Abs(got-want) > 0.8 {
					t.Fatalf("%s under %+v: light %v is %v, want %.2f", space, tone, light, got, want)
				}
			}
		}
	}
	// Highlights over 1 come back, and what is no number stays black.
	for v, want := range map[float32]uint8{4: 255, float32(math.NaN()): 0, -3: 0} {
		m := p.Draw(1, 1, Layers{Plate: shown(1, 1, colour.LinearRec709, evenly(v))}, Sight{}, Look{Tone: Tone{Exposure: -2}})
		if got := m.RGBAAt(0, 0).R; got != want {
			t.Errorf("%v is %d, want %d", v, got, want)
		}
	}
}

func TestChannelsShowOneNumberInGrey(t *testing.T) {
	p := NewPainter()
	at := func(_, _, c int) float32 { return []float32{1, 0.5, 0.1}[c] }
	for space, want := range map[colour.Space][3]float64{
		colour.SRGB: {255, 127.5, 25.5}, colour.LinearRec709: {255, shownAs(0.5, Tone{}), shownAs(0.1, Tone{})},
	} {
		layers := Layers{Plate: shown(4, 1, space, at), Key: NewKey(drawn(4, 1, 1, evenly(0.25)), drawn(4, 1, 3, at), space)}
		light := [3]float64{1, 0.5, 0.1}
		if space == colour.SRGB {
			for c, v := range light {
				light[c] = float64(colour.SRGBToLinear(float32(v)))
			}
		}
		luminance := shownAs(0.2126*light[0]+0.7152*light[1]+0.0722*light[2], Tone{})
		for _, view := range []View{ViewPlate, ViewFG} {
			for channel, want := range map[Channel]float64{
				ChannelRed: want[0], ChannelGreen: want[1], ChannelBlue: want[2], ChannelLuminance: luminance, ChannelAlpha: 63.75,
			} {
				got := p.Draw(4, 1, layers, Sight{}, Look{View: view, Channel: channel}).RGBAAt(1, 0)
				if got.R != got.G || got.G != got.B || math.Abs(float64(got.R)-want) > 0.6 {
					t.Errorf("%s, view %d, channel %d: %v, want %.1f", space, view, channel, got, want)
				}
			}
		}
		// The comp's channels are those of what is mixed.
		comp := p.Draw(4, 1, layers, Sight{}, Look{View: ViewComp, Background: settings.BackgroundBlack}).RGBAAt(1, 0)
		if got := p.Draw(4, 1, layers, Sight{}, Look{View: ViewComp, Background: settings.BackgroundBlack, Channel: ChannelGreen}).RGBAAt(1, 0); got != opaque(comp.G, comp.G, comp.G) {
			t.Errorf("%s: the comp's green is %v of %v", space, got, comp)
		}
	}
	// Mattes and hints are one number already.
	layers := Layers{Plate: shown(4, 1, colour.SRGB, at), Hint: NewShownHint(drawn(4, 1, 1, evenly(0.5)))}
	for _, channel := range Channels() {
		if got := p.Draw(4, 1, layers, Sight{}, Look{View: ViewHint, Channel: channel}).RGBAAt(0, 0); got != opaque(128, 128, 128) {
			t.Errorf("channel %d of a hint is %v", channel, got)
		}
	}
}

func TestMatteGainSlamsBlacksAndWhites(t *testing.T) {
	p := NewPainter()
	values := []float32{0, 0.001, 0.03, 0.5, 0.99, 1}
	matte := drawn(6, 1, 1, func(x, _, _ int) float32 { return values[x] })
	for _, space := range []colour.Space{colour.SRGB, colour.LinearRec709} {
		layers := Layers{Plate: shown(6, 1, space, evenly(0.5)), Key: NewKey(matte, drawn(6, 1, 3, evenly(0.5)), space)}
		for gain, want := range map[MatteGain]func(v float64) float64{
			GainNone:   func(v float64) float64 { return v },
			GainBlacks: func(v float64) float64 { return 16 * v },
			GainWhites: func(v float64) float64 { return 1 - 16*(1-v) },
		} {
			m := p.Draw(6, 1, layers, Sight{}, Look{View: ViewMatte, Gain: gain, Tone: Tone{Exposure: 3}})
			for x, v := range values {
				want := 255 * math.Max(0, math.Min(want(float64(v)), 1))
				if got := float64(m.RGBAAt(x, 0).R); math.Abs(got-want) > 0.75 {
					t.Errorf("%s, gain %d: %v is %v, want %.1f", space, gain, v, got, want)
				}
			}
		}
	}
}

func TestSeenPlateIsExposedThenCutThenToned(t *testing.T) {
	p := NewPainter()
	values := []float32{0.1, 0.5, 0.9, 3}
	for _, space := range []colour.Space{colour.SRGB, colour.LinearRec709} {
		layers := Layers{Plate: shown(4, 1, space, func(x, _, _ int) float32 { return values[x] })}
		for _, tone := range []Tone{{}, {Exposure: -1}} {
			m := p.Draw(4, 1, layers, Sight{}, Look{View: ViewSeen, KeyExposure: 1, Tone: tone})
			for x, v := range values {
				light := float64(v)
				if space == colour.SRGB {
					light = float64(colour.SRGBToLinear(v))
				}
				if got, want := float64(m.RGBAAt(x, 0).B), shownAs(math.Min(2*light, 1), tone); math.Abs(got-want) > 0.8 {
					t.Errorf("%s, %+v: %v is %v, want %.1f", space, tone, v, got, want)
				}
			}
		}
		// A picture of it goes before, and is not exposed twice.
		layers.Seen = shown(4, 1, colour.SRGB, evenly(0.5))
		if got := p.Draw(4, 1, layers, Sight{}, Look{View: ViewSeen, KeyExposure: 1}).RGBAAt(0, 0); got != opaque(128, 128, 128) {
			t.Errorf("%s: the picture of it is %v", space, got)
		}
	}
}

func TestCompLiesOverEveryBackground(t *testing.T) {
	p := NewPainter()
	matte := drawn(4, 1, 1, func(x, _, _ int) float32 { return []float32{0, 0.5, 1, 1}[x] })
	for _, space := range []colour.Space{colour.SRGB, colour.LinearRec709} {
		layers := Layers{Plate: shown(4, 1, space, evenly(0)), Key: NewKey(matte, drawn(4, 1, 3, evenly(1)), space)}
		for _, blend := range []settings.Blend{settings.BlendLinear, settings.BlendDisplay} {
			for background, back := range map[settings.Background][3]float64{
				settings.BackgroundBlack: {0, 0, 0}, settings.BackgroundWhite: {1, 1, 1},
				settings.BackgroundGrey: {0.4614, 0.4614, 0.4614}, settings.BackgroundColour: {0.2, 0.4, 0.8},
				settings.BackgroundChecker: {0.4, 0.4, 0.4},
			} {
				look := Look{View: ViewComp, Background: background, Comp: settings.Comp{Colour: settings.Colour{0.2, 0.4, 0.8}, Blend: blend}}
				for _, tone := range []Tone{{}, {Exposure: -2}} {
					look.Tone = tone
					m := p.Draw(4, 1, layers, Sight{}, look)
					for c := range 3 {
						half := (1 + float64(colour.SRGBToLinear(float32(back[c])))) / 2
						if blend == settings.BlendDisplay {
							half = float64(colour.SRGBToLinear(float32((1 + back[c]) / 2)))
						}
						for x, light := range []float64{float64(colour.SRGBToLinear(float32(back[c]))), half, 1} {
							got := float64([]uint8{m.RGBAAt(x, 0).R, m.RGBAAt(x, 0).G, m.RGBAAt(x, 0).B}[c])
							if want := shownAs(light, tone); math.Abs(got-want) > 1 {
								t.Errorf("%s %s %s %+v: channel %d at %d is %v, want %.1f", space, blend, background, tone, c, x, got, want)
							}
						}
					}
				}
			}
		}
	}
}

func TestWipeShowsTwoViewsBesideOneAnother(t *testing.T) {
	p := NewPainter()
	layers := Layers{
		Plate: shown(40, 20, colour.SRGB, evenly(100.0/255)), Hint: NewShownHint(drawn(40, 20, 1, evenly(200.0/255))),
		Key:    NewKey(drawn(40, 20, 1, evenly(0)), drawn(40, 20, 3, evenly(1)), colour.SRGB),
		Second: &Second{Key: NewKey(drawn(40, 20, 1, evenly(1)), drawn(40, 20, 3, evenly(0)), colour.SRGB), Known: []image.Rectangle{image.Rect(0, 0, 40, 10)}},
	}
	read := func(look Look, x, y int) uint8 { return p.Draw(40, 20, layers, Sight{}, look).RGBAAt(x, y).R }
	upright := Wipe{On: true, Right: Side{View: ViewHint}, At: 0.25}
	for x, want := range map[int]uint8{9: 100, 10: 200, 39: 200} {
		if got := read(Look{Wipe: upright}, x, 5); got != want {
			t.Errorf("upright, column %d: %d, want %d", x, got, want)
		}
	}
	level := upright
	level.Level = true
	for y, want := range map[int]uint8{4: 100, 5: 200} {
		if got := read(Look{Wipe: level}, 5, y); got != want {
			t.Errorf("level, row %d: %d, want %d", y, got, want)
		}
	}
	second := Wipe{On: true, Right: Side{Second: true}, At: 0.5}
	for at, want := range map[image.Point]uint8{{X: 5, Y: 5}: 0, {X: 30, Y: 5}: 255, {X: 30, Y: 15}: 0} {
		if got := read(Look{View: ViewMatte, Wipe: second}, at.X, at.Y); got != want {
			t.Errorf("the second key at %v: %d, want %d", at, got, want)
		}
	}
	// From the plate the other key is compared by its matte.
	if got := read(Look{View: ViewPlate, Wipe: second}, 30, 5); got != 255 {
		t.Errorf("beside the plate the second key is %d", got)
	}
	p.DrawWipe(layers, Look{Wipe: upright, Unit: 1})
	if got := p.out.RGBAAt(10, 15).R; got < 0xd0 {
		t.Errorf("the line is %d", got)
	}
}

// statusLayers are 8 x 1: every finding once.
func statusLayers(space colour.Space) Layers {
	inf := float32(math.Inf(1))
	return Layers{
		Plate: shown(8, 1, space, func(x, _, c int) float32 {
			switch {
			case x == 3 && c == 1:
				return 1
			case x == 7:
				return inf
			}
			return 0.5
		}),
		Hint: NewShownHint(drawn(8, 1, 1, func(x, _, _ int) float32 { return []float32{0, 1, 0.5, 0.5, 0, 1, 0.05, 0}[x] })),
		Key: NewKey(drawn(8, 1, 1, func(x, _, _ int) float32 { return []float32{0, 1, 1e-7, 1, 0.2, 0.05, 0.05, 0}[x] }),
			drawn(8, 1, 3, evenly(0.5)), space),
	}
}

func TestStatusFindsEveryKindOfPixel(t *testing.T) {
	want := []Finding{
		FindingBlack, FindingWhite, FindingBetween, FindingClipped, FindingResidue, FindingHole, FindingBetween, FindingBroken,
	}
	for _, space := range []colour.Space{colour.SRGB, colour.LinearRec709} {
		s := newStatus(statusLayers(space))
		for x, f := range want {
			if got := s.levels[0].pix[x]; got != f {
				t.Errorf("%s: pixel %d is %q, want %q", space, x, got.Words(), f.Words())
			}
		}
		if s.counts[FindingBetween] != 2 || s.counts[FindingHole] != 1 {
			t.Errorf("%s: counts %v", space, s.counts)
		}
		p := NewPainter()
		m := p.Draw(800, 100, statusLayers(space), Sight{}, Look{View: ViewStatus})
		marks := statusMarks()
		looks := map[Finding]map[color.RGBA]bool{}
		for x := range 800 {
			for y := range 16 {
				f := want[x/100]
				if looks[f] == nil {
					looks[f] = map[color.RGBA]bool{}
				}
				looks[f][m.RGBAAt(x, y)] = true
			}
		}
		for f, mark := range marks {
			if !looks[Finding(f)][opaque(mark.flat[0], mark.flat[1], mark.flat[2])] {
				t.Errorf("%s: %q has not its colour", space, Finding(f).Words())
			}
			patterned := Finding(f) > FindingBetween
			if got := len(looks[Finding(f)]); patterned != (got == 2) {
				t.Errorf("%s: %q has %d colours", space, Finding(f).Words(), got)
			}
		}
	}
}

func TestStatusKeepsLonelyPixelsWhateverTheZoom(t *testing.T) {
	w, h := 2000, 1200
	matte := drawn(w, h, 1, func(x, y, _ int) float32 {
		if x == 1301 && y == 700 {
			return 0.5
		}
		return 0
	})
	layers := Layers{
		Plate: shown(w, h, colour.SRGB, evenly(0.5)), Hint: NewShownHint(drawn(w, h, 1, evenly(0))),
		Key: NewKey(matte, drawn(w, h, 3, evenly(0)), colour.SRGB),
	}
	p := NewPainter()
	for _, zoom := range []float64{0.1, 0.13, 0.37, 0.5, 0.77, 1, 3} {
		m := p.Draw(400, 300, layers, Sight{Zoom: zoom, X: 1301, Y: 700}, Look{View: ViewStatus})
		n := 0
		for y := range 300 {
			for x := range 400 {
				if got := m.RGBAAt(x, y); got != opaque(0, 0, 0) && got.R != surroundGrey {
					n++
				}
			}
		}
		if n == 0 || n > 16 {
			t.Errorf("zoom %v: the lonely pixel is seen in %d", zoom, n)
		}
	}
	if len(p.statuses) != 1 {
		t.Errorf("%d statuses are kept", len(p.statuses))
	}
	p.Draw(400, 300, layers, Sight{}, Look{})
	if len(p.statuses) != 0 {
		t.Error("a status is kept that nothing shows")
	}
}

// TestBackdropFollowsPlateAndPlacement: what lies behind moves with the plate, and its own place is kept.
func TestBackdropFollowsPlateAndPlacement(t *testing.T) {
	// A red left half and a blue right half, of 100 x 100 under a plate of 200 x 100.
	halves := picture.Picture{Space: colour.SRGB, RGB: drawn(100, 100, 3, func(x, _, c int) float32 {
		if x < 50 && c == 0 || x >= 50 && c == 2 {
			return 1
		}
		return 0
	})}
	layers := Layers{
		Plate: shown(200, 100, colour.SRGB, evenly(0)), Backdrop: NewShownBackdrop(halves),
		Key: NewKey(drawn(200, 100, 1, evenly(0)), drawn(200, 100, 3, evenly(1)), colour.SRGB),
	}
	red, blue, black := opaque(255, 0, 0), opaque(0, 0, 255), opaque(0, 0, 0)
	usual := settings.DefaultLook().Comp
	p := NewPainter()
	for name, c := range map[string]struct {
		change func(*settings.Comp)
		want   map[int]color.RGBA
	}{
		"fill":         {func(*settings.Comp) {}, map[int]color.RGBA{5: red, 95: red, 105: blue, 195: blue}},
		"fit":          {func(c *settings.Comp) { c.Placement = settings.PlaceFit }, map[int]color.RGBA{45: black, 55: red, 145: blue, 155: black}},
		"moved by 30":  {func(c *settings.Comp) { c.Placement, c.OffsetX = settings.PlaceActual, 30 }, map[int]color.RGBA{75: black, 85: red, 135: blue, 185: black}},
		"half as wide": {func(c *settings.Comp) { c.Placement, c.Scale = settings.PlaceActual, 0.5 }, map[int]color.RGBA{70: black, 80: red, 120: blue, 130: black}},
		"two stops less": {func(c *settings.Comp) { c.Exposure = -2 }, map[int]color.RGBA{
			5: opaque(137, 0, 0),
		}},
	} {
		look := Look{View: ViewComp, Background: settings.BackgroundPicture, Comp: usual}
		c.change(&look.Comp)
		for _, sight := range []Sight{{}, {Zoom: 4, X: 100, Y: 50}, {Zoom: 0.5, X: 100, Y: 50}} {
			m := p.Draw(800, 400, layers, sight, look)
			place := sight.place(200, 100, 800, 400)
			for x, want := range c.want {
				at := place.device(image.Rect(x, 50, x+1, 51)).Min
				if got := m.RGBAAt(at.X, at.Y); got != want {
					t.Errorf("%s, zoom %v: column %d is %v, want %v", name, sight.Zoom, x, got, want)
				}
			}
		}
	}
}
