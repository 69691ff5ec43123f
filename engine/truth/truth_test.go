package truth

import (
	"math"
	"slices"
	"testing"

	"greenroom/engine/picture"
	"greenroom/engine/settings"
)

func TestSetHasBothScreensInBothKindsOfLight(t *testing.T) {
	count := map[settings.Screen]map[bool]int{settings.ScreenGreen: {}, settings.ScreenBlue: {}}
	names := map[string]bool{}
	for _, s := range Set(64) {
		count[s.Screen][s.Linear]++
		names[s.Name()] = true
	}
	for screen, byLight := range count {
		if byLight[true] != 2 || byLight[false] != 2 {
			t.Errorf("%s: %v, want two of each light", screen, byLight)
		}
	}
	if len(names) != 8 {
		t.Errorf("names are not unique: %v", names)
	}
}

func TestDrawGivesTheSamePlateForTheSameScene(t *testing.T) {
	s := Set(96)[3]
	a, b := s.Draw(), s.Draw()
	if !slices.Equal(a.RGB.Pix, b.RGB.Pix) || !slices.Equal(a.Matte.Pix, b.Matte.Pix) || !slices.Equal(a.FG.Pix, b.FG.Pix) {
		t.Error("two draws of one scene differ")
	}
	other := s
	other.Seed++
	if slices.Equal(a.Matte.Pix, other.Draw().Matte.Pix) {
		t.Error("another seed draws the same matte")
	}
}

func TestDrawKeepsAnySizeAndRange(t *testing.T) {
	for _, size := range []int{0, 1, 7, 33, 128} {
		p := Scene{Size: size, Screen: settings.ScreenBlue, Linear: true, Seed: 5}.Draw()
		for _, m := range []struct {
			name string
			picture.Image
			channels int
		}{{"plate", p.RGB, 3}, {"matte", p.Matte, 1}, {"foreground", p.FG, 3}, {"hint", p.Hint, 1}} {
			if size > 0 && (m.W != size || m.H != size || m.C != m.channels) {
				t.Errorf("size %d: %s is %dx%dx%d", size, m.name, m.W, m.H, m.C)
			}
			for i, v := range m.Pix {
				if !(v >= 0 && v <= 1) {
					t.Fatalf("size %d: %s[%d] = %v", size, m.name, i, v)
				}
			}
		}
	}
}

// A plate must be its foreground over its screen by its matte: that is what makes the matte exact.
func TestPlateIsForegroundOverScreenByTheMatte(t *testing.T) {
	for _, s := range Set(160) {
		screen := newScreen(s)
		st := newStack(s, screen)
		st.spill = rgb{}
		body := newSubject(s, screen.hue)
		st.paint(newDisc(s, screen.hue, true))
		st.paint(body)
		st.strands(body.hair(s.random(forStrands)))
		st.paint(newBars(s, screen.hue))
		plate, matte, fg := st.over(screen), st.matte(), st.foreground()
		l := light{s.Linear}
		for i, a := range matte.Pix {
			front := l.from(rgb{float64(fg.Pix[3*i]), float64(fg.Pix[3*i+1]), float64(fg.Pix[3*i+2])})
			behind := l.from(screen.at(float64(i%160)+0.5, float64(i/160)+0.5))
			for c := range 3 {
				want := l.encode(front[c]*float64(a) + behind[c]*(1-float64(a)))
				if got := float64(plate.Pix[3*i+c]); math.Abs(got-want) > 1e-4 {
					t.Fatalf("%s: pixel %d channel %d is %v, foreground over screen is %v", s.Name(), i, c, got, want)
				}
			}
		}
	}
}

func TestPlatesHoldEdgesSolidsAndScreen(t *testing.T) {
	set := Set(1024)
	for _, s := range []Scene{set[0], set[6]} {
		p := s.Draw()
		var soft, solid, clear int
		for _, a := range p.Matte.Pix {
			switch {
			case a == 0:
				clear++
			case a == 1:
				solid++
			case a > 0.02 && a < 0.98:
				soft++
			}
		}
		n := float64(len(p.Matte.Pix))
		if float64(soft)/n < 0.04 || float64(solid)/n < 0.15 || float64(clear)/n < 0.3 {
			t.Errorf("%s: soft %.3f, solid %.3f, clear %.3f of the plate", s.Name(), float64(soft)/n, float64(solid)/n, float64(clear)/n)
		}
		if e := MAE(p.Hint, p.Matte); e < 0.015 || e > 0.025 {
			t.Errorf("%s: the hint is off by %.4f on average, want near 0.02", s.Name(), e)
		}
		if s.Screen == settings.ScreenGreen != greenest(p) {
			t.Errorf("%s: the screen has another colour", s.Name())
		}
	}
}

// greenest reports whether green leads blue where the matte is 0.
func greenest(p Plate) bool {
	var g, b float64
	for i, a := range p.Matte.Pix {
		if a == 0 {
			g += float64(p.RGB.Pix[3*i+1])
			b += float64(p.RGB.Pix[3*i+2])
		}
	}
	return g > b
}

func TestGrainIsOfTheStatedStrengthAndAlone(t *testing.T) {
	s := Scene{Size: 256, Screen: settings.ScreenGreen, Seed: 1}
	m := picture.New(256, 256, 3)
	for i := range m.Pix {
		m.Pix[i] = 0.5
	}
	addGrain(m, s)
	var sum, squares float64
	for _, v := range m.Pix {
		d := float64(v) - 0.5
		sum += d
		squares += d * d
		if r := math.Abs(float64(v)*255 - math.Round(float64(v)*255)); r > 1e-3 {
			t.Fatalf("%v is not on an 8-bit step", v)
		}
	}
	n := float64(len(m.Pix))
	if mean, dev := sum/n, math.Sqrt(squares/n); math.Abs(mean) > 3e-4 || dev < 0.005 || dev > 0.018 {
		t.Errorf("grain has mean %.5f and deviation %.5f", mean, dev)
	}
}

func TestHintOfAConstantMatteIsThatConstant(t *testing.T) {
	for _, size := range [][2]int{{1, 1}, {31, 7}, {64, 64}, {65, 40}} {
		m := picture.New(size[0], size[1], 1)
		for i := range m.Pix {
			m.Pix[i] = 0.75
		}
		h := Hint(m, 8)
		if !h.SameSize(m) {
			t.Fatalf("%v: the hint is %dx%d", size, h.W, h.H)
		}
		if e := MAE(h, m); e > 1e-6 {
			t.Errorf("%v: off by %v", size, e)
		}
	}
}
