package matte

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"greenroom/engine/colour"
	"greenroom/engine/imageio"
	"greenroom/engine/picture"
	"greenroom/engine/picture/picturetest"
	"greenroom/engine/settings"
)

// band is the pixels of a composite whose matte lies in 0.3..0.94, one after another, in linear light.
type band struct {
	// clean is the subject's own colour, seen the same with the screen's light on it: what a foreground should
	// hold, and what it holds before despill.
	clean, seen picture.Image
	vector      [3]float32
	screen      settings.Screen
}

// screensOfTheTable are the screens that composites stand before, in linear light.
func screensOfTheTable() []struct {
	name   string
	screen settings.Screen
	colour [3]float32
} {
	return []struct {
		name   string
		screen settings.Screen
		colour [3]float32
	}{
		{"green", settings.ScreenGreen, [3]float32{0.04, 0.4, 0.09}},
		{"pale green", settings.ScreenGreen, [3]float32{0.16, 0.45, 0.2}},
		{"cyan green", settings.ScreenGreen, [3]float32{0.02, 0.42, 0.25}},
		{"yellow green", settings.ScreenGreen, [3]float32{0.2, 0.45, 0.04}},
		{"blue", settings.ScreenBlue, [3]float32{0.04, 0.1, 0.45}},
	}
}

// subject reads a real subject: its clean colour in linear light and its matte.
func subject(t testing.TB, image, alpha string, cutOut bool) (fg, matte picture.Image) {
	t.Helper()
	open := func(name string) picture.Picture {
		f, err := imageio.Open(picturetest.Shared(t, "plates", "mattes", name), imageio.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		return f.Picture
	}
	a, m := open(alpha).RGB, open(image).RGB
	matte = picture.New(a.W, a.H, 1)
	for i := range matte.Pix {
		matte.Pix[i] = a.Pix[3*i]
	}
	fg = picture.New(m.W, m.H, 3)
	for i, v := range m.Pix {
		fg.Pix[i] = colour.SRGBToLinear(v)
	}
	if cutOut {
		return fg, matte
	}
	// A photograph's edge holds what was behind the subject: its solid colours are carried over it instead.
	solidOnly := matte.Clone()
	for i, v := range solidOnly.Pix {
		if v < solid {
			solidOnly.Pix[i] = 0
		}
	}
	if err := Extend(t.Context(), fg, fg, colour.LinearRec709, solidOnly, 200); err != nil {
		t.Fatal(err)
	}
	return fg, matte
}

// mostOfABand is how many pixels of a subject's band are taken, evenly spread.
const mostOfABand = 10_000

// pollution is a way in which the screen gets into a foreground's colour c at matte a.
type pollution func(c float32, a, screen, brightest float32) float32

// light is spill as the camera sees it: half of it screen light that the subject reflects in its own colour,
// half a sheen in the screen's, both stronger the thinner the subject is.
func light(c, a, screen, brightest float32) float32 {
	amount := 0.1 + 0.5*(1-a)
	return c + amount*(0.5*c*screen/brightest+0.3*screen)
}

// leak is screen that is seen through the subject because the matte is too high.
func leak(c, a, screen, _ float32) float32 {
	amount := 0.3 * (1 - a)
	return (1-amount)*c + amount*screen
}

// polluted returns the band of a subject before a screen.
func polluted(fg, matte picture.Image, screen settings.Screen, s [3]float32, how pollution) band {
	b := band{screen: screen, vector: s}
	var at []int
	for i, a := range matte.Pix {
		if a >= 0.3 && a <= 0.94 {
			at = append(at, i)
		}
	}
	n := min(len(at), mostOfABand)
	b.clean, b.seen = picture.New(n, 1, 3), picture.New(n, 1, 3)
	for j := range n {
		i := at[j*len(at)/n]
		for k := range 3 {
			c := fg.Pix[3*i+k]
			b.clean.Pix[3*j+k], b.seen.Pix[3*j+k] = c, how(c, matte.Pix[i], s[k], max(s[0], s[1], s[2]))
		}
	}
	return b
}

// spillScore is how far a despilled band is from its clean colours, in 8-bit steps of sRGB: how far it leans
// towards the screen's channel or away from it, and the mean error of all channels.
type spillScore struct{ left, tint, off float64 }

func (b band) score(curve *colour.Curve, m picture.Image) spillScore {
	key, p, q := channelsOf(b.screen)
	steps := func(c []float32) (e [3]float64) {
		for k := range e {
			e[k] = 255 * float64(curve.FromLinear(max(c[k], 0)))
		}
		return e
	}
	lean := func(e [3]float64) float64 { return e[key] - (e[p]+e[q])/2 }
	var s spillScore
	n := float64(m.W)
	for i := 0; i < len(m.Pix); i += 3 {
		got, want := steps(m.Pix[i:i+3]), steps(b.clean.Pix[i:i+3])
		d := lean(got) - lean(want)
		s.left += max(d, 0) / n
		s.tint += max(-d, 0) / n
		for k := range 3 {
			s.off += math.Abs(got[k]-want[k]) / 3 / n
		}
	}
	return s
}

// method is a way to despill.
type method struct {
	name  string
	limit settings.DespillLimit
	back  float64
}

func methods() []method {
	list := []method{{"none", settings.DespillAverage, 0}}
	for _, l := range settings.DespillLimits() {
		for _, back := range []float64{0, 0.5, 1} {
			m := method{fmt.Sprintf("%s, return %v", l, back), l, back}
			if l == settings.DespillReference {
				m.name = string(l)
			}
			list = append(list, m)
			if l == settings.DespillReference {
				break
			}
		}
	}
	return list
}

// subjectsOfTheTable are the real subjects with their mattes.
func subjectsOfTheTable(t testing.TB) []struct{ fg, matte picture.Image } {
	var subjects []struct{ fg, matte picture.Image }
	for _, name := range []struct {
		image, alpha string
		cutOut       bool
	}{
		{"m01_lemur_fg.png", "m01_lemur_alpha.png", true},
		{"am_01_image.jpg", "am_01_alpha.png", false},
		{"am_02_image.jpg", "am_02_alpha.png", false},
		{"am_03_image.jpg", "am_03_alpha.png", false},
		{"am_09_image.jpg", "am_09_alpha.png", false},
	} {
		fg, matte := subject(t, name.image, name.alpha, name.cutOut)
		subjects = append(subjects, struct{ fg, matte picture.Image }{fg, matte})
	}
	return subjects
}

// TestDespillTable measures every way to despill on real subjects before drawn screens, in the band of matte
// 0.3..0.94, and prints what is left of the spill and what is tinted (run it with -v).
func TestDespillTable(t *testing.T) {
	if testing.Short() {
		t.Skip("it reads and composites five photographs")
	}
	curve, err := colour.NewCurve(colour.SRGB)
	if err != nil {
		t.Fatal(err)
	}
	subjects := subjectsOfTheTable(t)
	for _, scene := range []struct {
		name string
		how  pollution
	}{{"spilled light", light}, {"leaking screen", leak}} {
		table := &strings.Builder{}
		fmt.Fprintf(table, "%-24s", "left / tint / off")
		for _, s := range screensOfTheTable() {
			fmt.Fprintf(table, "%20s", s.name)
		}
		fmt.Fprintf(table, "%20s\n", "mean")
		means := map[string]spillScore{}
		for _, m := range methods() {
			fmt.Fprintf(table, "%-24s", m.name)
			var mean spillScore
			for _, s := range screensOfTheTable() {
				var sum spillScore
				for _, sub := range subjects {
					b := polluted(sub.fg, sub.matte, s.screen, s.colour, scene.how)
					spill := Spill{Screen: s.screen, Limit: m.limit, Strength: 1, NeutralReturn: m.back, Vector: b.vector}
					if m.name == "none" {
						spill.Strength = 0
					}
					if err := Despill(t.Context(), b.seen, b.seen, colour.LinearRec709, spill); err != nil {
						t.Fatal(err)
					}
					sum = sum.plus(b.score(curve, b.seen), float64(len(subjects)))
				}
				fmt.Fprintf(table, "%20s", sum)
				mean = mean.plus(sum, float64(len(screensOfTheTable())))
			}
			fmt.Fprintf(table, "%20s\n", mean)
			means[m.name] = mean
		}
		t.Logf("%s, 8-bit steps in the band of matte 0.3..0.94:\n%s", scene.name, table)
		none, usual, reference := means["none"], means["average, return 0.5"], means["reference"]
		if usual.left > none.left/2 || usual.tint > none.left/4 {
			t.Errorf("%s: the default leaves %.1f and tints %.1f of %.1f steps of spill", scene.name, usual.left, usual.tint, none.left)
		}
		if usual.off >= reference.off || usual.tint >= reference.tint/2 {
			t.Errorf("%s: the default is off by %.1f steps, the reference by %.1f", scene.name, usual.off, reference.off)
		}
	}
}

// plus returns a mean of n scores with one more.
func (s spillScore) plus(o spillScore, n float64) spillScore {
	return spillScore{s.left + o.left/n, s.tint + o.tint/n, s.off + o.off/n}
}

// String is left / tint / off.
func (s spillScore) String() string { return fmt.Sprintf("%.1f / %.1f / %.1f", s.left, s.tint, s.off) }
