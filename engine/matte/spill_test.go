package matte

import (
	"context"
	"math"
	"testing"

	"greenroom/engine/bench/benchtest"
	"greenroom/engine/colour"
	"greenroom/engine/picture"
	"greenroom/engine/picture/picturetest"
	"greenroom/engine/settings"
	"pgregory.net/rapid"
)

// despillOne despills one colour of linear light, red, green, blue.
func despillOne(t interface{ Fatal(...any) }, c [3]float32, s Spill) [3]float32 {
	m := picture.New(1, 1, 3)
	copy(m.Pix, c[:])
	if err := Despill(context.Background(), m, m, colour.LinearRec709, s); err != nil {
		t.Fatal(err)
	}
	return [3]float32(m.Pix)
}

// average is despill by the average limit.
func average(screen settings.Screen, strength, back float64) Spill {
	return Spill{Screen: screen, Limit: settings.DespillAverage, Strength: strength, NeutralReturn: back}
}

func luminance(c [3]float32) float64 {
	return lumaRed*float64(c[0]) + lumaGreen*float64(c[1]) + lumaBlue*float64(c[2])
}

func drawColour(t *rapid.T) [3]float32 {
	one := rapid.Float32Range(-0.05, 4)
	return [3]float32{one.Draw(t, "r"), one.Draw(t, "g"), one.Draw(t, "b")}
}

var screens = rapid.SampledFrom([]settings.Screen{settings.ScreenGreen, settings.ScreenBlue})

func TestDespillLimitsTheScreensChannelAndMakesNoMagenta(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, screen := drawColour(t), screens.Draw(t, "screen")
		back := rapid.Float64Range(0, 1).Draw(t, "neutral return")
		got := despillOne(t, c, average(screen, 1, back))
		key, a, b := channelsOf(screen)
		const rounding = 1e-5
		if got[key] > (got[a]+got[b])/2+rounding {
			t.Errorf("%v became %v: over the limit", c, got)
		}
		if c[key] >= min(c[a], c[b]) && got[key] < min(got[a], got[b])-rounding {
			t.Errorf("%v became %v: the complement of the screen's colour", c, got)
		}
		// The others rise by the same: the returned share of the luminance that was removed, up to the brightest
		// channel or white.
		spill := max(float64(c[key])-float64(c[a]+c[b])/2, 0)
		room := float64(max(c[0], c[1], c[2], 1) - max(c[a], c[b]))
		want := min(back*spill*[]float64{lumaRed, lumaGreen, lumaBlue}[key], room)
		for _, i := range []int{a, b} {
			if math.Abs(float64(got[i]-c[i])-want) > rounding {
				t.Errorf("%v became %v: channel %d rose by %v, want %v", c, got, i, got[i]-c[i], want)
			}
		}
	})
}

func TestDespillKeepsAGreyEdgeGrey(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		grey, spill := rapid.Float32Range(0, 2).Draw(t, "grey"), rapid.Float32Range(0, 1).Draw(t, "spill")
		screen := screens.Draw(t, "screen")
		key, _, _ := channelsOf(screen)
		c := [3]float32{grey, grey, grey}
		c[key] += spill
		got := despillOne(t, c, average(screen, 1, rapid.Float64Range(0, 1).Draw(t, "neutral return")))
		for _, v := range got {
			if math.Abs(float64(v-got[0])) > 1e-6 {
				t.Fatalf("grey %v with spill %v became %v", grey, spill, got)
			}
		}
	})
}

func TestDespillWithFullReturnKeepsTheLuminance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawColour(t)
		got := despillOne(t, c, average(screens.Draw(t, "screen"), rapid.Float64Range(0, 1).Draw(t, "strength"), 1))
		top := max(c[0], c[1], c[2], 1)
		if max(got[0], got[1], got[2]) > top+1e-6 {
			t.Fatalf("%v became %v, over %v", c, got, top)
		}
		// What does not fit under the top is lost.
		full := max(got[0], got[1], got[2]) >= top-1e-6
		if lost := luminance(c) - luminance(got); lost < -1e-5 || lost > 1e-5 && !full {
			t.Fatalf("%v became %v: luminance %v, was %v", c, got, luminance(got), luminance(c))
		}
	})
}

func TestDespillByStrengthLeavesTheRest(t *testing.T) {
	got := despillOne(t, [3]float32{0.2, 0.6, 0.2}, average(settings.ScreenGreen, 0.25, 0))
	if want := [3]float32{0.2, 0.5, 0.2}; math.Abs(float64(got[1]-want[1])) > 1e-6 || got[0] != want[0] || got[2] != want[2] {
		t.Fatalf("got %v, want %v", got, want)
	}
}

func TestDespillKeepsTheBitsOfWhatHasNoSpill(t *testing.T) {
	for _, space := range []colour.Space{colour.SRGB, colour.LinearRec709} {
		rapid.Check(t, func(t *rapid.T) {
			c := drawColour(t)
			screen := screens.Draw(t, "screen")
			strength := rapid.SampledFrom([]float64{0, 1}).Draw(t, "strength")
			key, a, b := channelsOf(screen)
			if strength > 0 {
				c[key] = min(c[key], c[a], c[b])
			}
			m := picture.New(1, 1, 3)
			copy(m.Pix, c[:])
			if err := Despill(context.Background(), m, m, space, average(screen, strength, 0.5)); err != nil {
				t.Fatal(err)
			}
			if i := picturetest.FirstDifference(m.Pix, c[:]); i >= 0 {
				t.Fatalf("%v became %v", c, m.Pix)
			}
		})
	}
}

func TestDespillOfEncodedColourIsThatOfLinearLight(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		one := rapid.Float32Range(0, 1.2)
		c := [3]float32{one.Draw(t, "r"), one.Draw(t, "g"), one.Draw(t, "b")}
		screen := screens.Draw(t, "screen")
		encoded := picture.New(1, 1, 3)
		linear := c
		for i, v := range c {
			encoded.Pix[i] = v
			linear[i] = colour.SRGBToLinear(v)
		}
		if err := Despill(context.Background(), encoded, encoded, colour.SRGB, average(screen, 1, 0.5)); err != nil {
			t.Fatal(err)
		}
		want := despillOne(t, linear, average(screen, 1, 0.5))
		for i, v := range want {
			if math.Abs(float64(encoded.Pix[i]-colour.LinearToSRGB(v))) > 3e-6 {
				t.Fatalf("%v became %v, want linear %v", c, encoded.Pix, want)
			}
		}
	})
}

func TestDespillOfAnUnknownSpaceOrLimit(t *testing.T) {
	m := picture.New(1, 1, 3)
	if err := Despill(t.Context(), m, m, "teal", average(settings.ScreenGreen, 1, 0)); err == nil {
		t.Error("an unknown space gave no error")
	}
	if err := Despill(t.Context(), m, m, colour.SRGB, Spill{Screen: settings.ScreenGreen, Limit: "least"}); err == nil {
		t.Error("an unknown limit gave no error")
	}
}

func BenchmarkDespill(b *testing.B) {
	for _, space := range []colour.Space{colour.SRGB, colour.LinearRec709} {
		b.Run(string(space), func(b *testing.B) {
			fg := drawnForeground(1920, 1080)
			work := fg.Clone()
			benchtest.Measure(b, func() {
				if err := Despill(b.Context(), work, fg, space, average(settings.ScreenGreen, 1, 0.5)); err != nil {
					b.Fatal(err)
				}
			})
		})
	}
}

// drawnForeground is a colour gradient, of which about a third is greener than its red and blue.
func drawnForeground(w, h int) picture.Image {
	m := picture.New(w, h, 3)
	for y := range h {
		row := m.Row(y)
		for x := range w {
			row[3*x] = 0.2 + 0.6*float32(x)/float32(w)
			row[3*x+1] = 0.1 + 0.7*float32(y)/float32(h)
			row[3*x+2] = 0.5
		}
	}
	return m
}

func TestEveryLimitLeavesNoMoreThanItSays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		screen := screens.Draw(t, "screen")
		key, a, b := channelsOf(screen)
		one := rapid.Float32Range(0, 2)
		c := [3]float32{one.Draw(t, "r"), one.Draw(t, "g"), one.Draw(t, "b")}
		s := average(screen, 1, rapid.Float64Range(0, 0.9).Draw(t, "neutral return"))
		s.Limit = rapid.SampledFrom([]settings.DespillLimit{
			settings.DespillAverage, settings.DespillMax, settings.DespillScreen,
		}).Draw(t, "limit")
		s.Vector[key], s.Vector[a], s.Vector[b] = 0.6, rapid.Float32Range(0, 0.4).Draw(t, "va"), rapid.Float32Range(0, 0.4).Draw(t, "vb")
		got := despillOne(t, c, s)
		limit := (got[a] + got[b]) / 2
		if s.Limit == settings.DespillMax {
			limit = max(got[a], got[b])
		}
		const rounding = 1e-5
		if got[key] > limit+rounding {
			t.Errorf("%s: %v became %v: over the limit", s.Limit, c, got)
		}
		// No magenta: the others never rise above the neutral return, and nothing falls under 0.
		gone := luminance(c) - luminance(got)
		back := s.NeutralReturn / (1 - s.NeutralReturn) * gone
		for _, i := range []int{a, b} {
			if float64(got[i]-c[i]) > back+1e-4 || got[i] < min(c[i], 0)-rounding {
				t.Errorf("%s: %v became %v: channel %d rose by %v, the return is %v", s.Limit, c, got, i, got[i]-c[i], back)
			}
		}
	})
}

func TestTheScreensLimitTakesTheScreensOwnLightAway(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := [3]float32{0.06, 0.4, 0.1}
		grey, lit := rapid.Float32Range(0, 1).Draw(t, "grey"), rapid.Float32Range(0, 1).Draw(t, "lit")
		c := [3]float32{grey + lit*v[0], grey + lit*v[1], grey + lit*v[2]}
		got := despillOne(t, c, Spill{Screen: settings.ScreenGreen, Limit: settings.DespillScreen, Strength: 1, Vector: v})
		for _, x := range got {
			if math.Abs(float64(x-grey)) > 1e-5 {
				t.Fatalf("grey %v lit by %v of the screen became %v", grey, lit, got)
			}
		}
	})
	// Without an excess of green the vector says nothing.
	got := despillOne(t, [3]float32{0.2, 0.6, 0.2}, Spill{
		Screen: settings.ScreenGreen, Limit: settings.DespillScreen, Strength: 1, Vector: [3]float32{1, 1, 1},
	})
	if math.Abs(float64(got[1]-0.2)) > 1e-6 || got[0] != 0.2 {
		t.Errorf("a grey vector gave %v", got)
	}
}

// Rec.709 luminance weights of linear light (ITU-R BT.709-6, item 3.2).
const lumaRed, lumaGreen, lumaBlue = 0.2126, 0.7152, 0.0722

func TestTheReferenceIsTheReferenceToolsFormula(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		one := rapid.Float32Range(0, 1)
		c := [3]float32{one.Draw(t, "r"), one.Draw(t, "g"), one.Draw(t, "b")}
		strength := rapid.Float64Range(0, 1).Draw(t, "strength")
		spill := max(float64(c[1])-float64(c[0]+c[2])/2, 0) * strength
		want := [3]float64{float64(c[0]) + spill/2, float64(c[1]) - spill, float64(c[2]) + spill/2}
		s := Spill{Screen: settings.ScreenGreen, Limit: settings.DespillReference, Strength: strength, NeutralReturn: 0.5}
		for _, space := range []colour.Space{colour.SRGB, colour.LinearRec709, colour.LogC3} {
			m := picture.New(1, 1, 3)
			curve, err := colour.NewCurve(space)
			if err != nil {
				t.Fatal(err)
			}
			for i, v := range c {
				if m.Pix[i] = v; space != colour.SRGB {
					m.Pix[i] = curve.FromLinear(colour.SRGBToLinear(v))
				}
			}
			if err := Despill(context.Background(), m, m, space, s); err != nil {
				t.Fatal(err)
			}
			for i, v := range m.Pix {
				if space != colour.SRGB {
					v = colour.LinearToSRGB(curve.ToLinear(v))
				}
				if math.Abs(float64(v)-want[i]) > 2e-5 {
					t.Fatalf("%s: %v became %v, want %v", space, c, m.Pix, want)
				}
			}
		}
	})
}

func TestAKeptGreenShirtStaysGreen(t *testing.T) {
	// A shirt in light and shadow, skin with spill, and what lies between, sRGB-encoded.
	shirt := [3]float32{0.25, 0.55, 0.2}
	shadow := [3]float32{colour.LinearToSRGB(0.3 * colour.SRGBToLinear(0.25)), colour.LinearToSRGB(0.3 * colour.SRGBToLinear(0.55)), colour.LinearToSRGB(0.3 * colour.SRGBToLinear(0.2))}
	skin := [3]float32{0.65, 0.72, 0.5}
	for _, limit := range settings.DespillLimits() {
		s := Spill{
			Screen: settings.ScreenGreen, Limit: limit, Strength: 1, NeutralReturn: 0.5, Vector: [3]float32{0.03, 0.4, 0.06},
			Kept: []settings.KeptColour{{Colour: settings.Colour{0.25, 0.55, 0.2}, Tolerance: settings.DefaultTolerance}},
		}
		m := picture.New(3, 1, 3)
		copy(m.Pix, append(append(shirt[:], shadow[:]...), skin[:]...))
		before := m.Clone()
		if err := Despill(t.Context(), m, m, colour.SRGB, s); err != nil {
			t.Fatal(err)
		}
		if i := picturetest.FirstDifference(m.Pix[:6], before.Pix[:6]); i >= 0 {
			t.Errorf("%s: the kept shirt became %v", limit, m.Pix[:6])
		}
		if screenShows(m.Pix[6:]) >= screenShows(before.Pix[6:]) {
			t.Errorf("%s: skin kept its spill: %v", limit, m.Pix[6:])
		}
		// By strokes alone.
		s.Kept, s.KeptArea = nil, picture.New(3, 1, 1)
		s.KeptArea.Pix[0] = 1
		copy(m.Pix, before.Pix)
		if err := Despill(t.Context(), m, m, colour.SRGB, s); err != nil {
			t.Fatal(err)
		}
		if i := picturetest.FirstDifference(m.Pix[:3], before.Pix[:3]); i >= 0 || picturetest.FirstDifference(m.Pix[3:6], before.Pix[3:6]) < 0 {
			t.Errorf("%s: a kept area gave %v", limit, m.Pix[:6])
		}
	}
}

func TestKeptColoursFadeBeyondTheirTolerance(t *testing.T) {
	curve, err := colour.NewCurve(colour.LinearRec709)
	if err != nil {
		t.Fatal(err)
	}
	k := newKeptColour(settings.KeptColour{Colour: settings.Colour{0.2, 0.6, 0.2}, Tolerance: 0.1}, curve)
	last := float32(1)
	for i := range 100 {
		// Along the line from green to grey, at any brightness.
		f := float32(i) / 100
		v := k.keeps([3]float32{3 * (0.2 + f*0.4/3), 3 * (0.6 - f*0.8/3), 3 * (0.2 + f*0.4/3)})
		if v > last+1e-6 || v < 0 || v > 1 {
			t.Fatalf("at %v is %v after %v", f, v, last)
		}
		last = v
	}
	if last != 0 || k.keeps([3]float32{}) != 0 {
		t.Errorf("grey is kept by %v, black by %v", last, k.keeps([3]float32{}))
	}
}
