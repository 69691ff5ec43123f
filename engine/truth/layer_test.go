package truth

import (
	"math"
	"testing"

	"greenroom/engine/settings"
)

func TestAcrossKeepsTheWidthOfAHair(t *testing.T) {
	for _, width := range []float64{0.1, 0.4, 1, 2.7} {
		sum := 0.0
		const steps = 1000
		for i := range 10 * steps {
			sum += across(float64(i)/steps-5, width) / steps
		}
		if math.Abs(sum-width) > 1e-3 {
			t.Errorf("a band %v wide covers %v", width, sum)
		}
	}
}

func TestStrandsCoverTheAreaOfTheirTaper(t *testing.T) {
	const size = 256
	st := &stack{size: size, pix: make([]float32, size*size*stride)}
	cover := make([]float32, size*size)
	x, y := 40.0, 128.3
	var area, want float64
	for i := range 100 {
		w := 3 * math.Sqrt(1-float64(i)/100)
		segment(cover, size, nil, x+float64(i), y, x+float64(i)+1, y, w)
		want += w
	}
	for _, c := range cover {
		area += float64(c)
	}
	if math.Abs(area-want)/want > 0.05 {
		t.Errorf("covered %.1f pixels, the taper is %.1f", area, want)
	}
	h := strand{x: 128, y: 128, length: 60, width: 2, opacity: 0.5, colour: rgb{1, 1, 1}}
	st.strands([]strand{h, h})
	most := float32(0)
	for _, a := range st.matte().Pix {
		most = max(most, a)
	}
	if math.Abs(float64(most)-0.75) > 1e-3 {
		t.Errorf("two hairs of opacity 0.5 over one another give %v, want 0.75", most)
	}
}

func TestSharedAreaAgreesWithCounting(t *testing.T) {
	for _, c := range []struct{ d, a, b float64 }{{0, 3, 1}, {2.5, 3, 1}, {3.9, 3, 1}, {1, 2, 2}, {5, 3, 1}, {1.2, 1, 3}} {
		const n = 2000
		in := 0
		for i := range n {
			for j := range n {
				x, y := 8*float64(i)/n-4, 8*float64(j)/n-4
				if math.Hypot(x, y) < c.a && math.Hypot(x-c.d, y) < c.b {
					in++
				}
			}
		}
		counted := float64(in) * 64 / n / n
		if got := shared(c.d, c.a, c.b); math.Abs(got-counted) > 0.02 {
			t.Errorf("circles of %v and %v, %v apart share %v, counted %v", c.a, c.b, c.d, got, counted)
		}
	}
}

func TestMovingBarsKeepTheirCoverage(t *testing.T) {
	s := Scene{Size: 512, Screen: settings.ScreenGreen, Seed: 3}
	b := newBars(s, 0.33)
	total := func(move float64) float64 {
		m := *b
		m.move = move
		sum := 0.0
		reach := float64(b.count)*b.pitch/2 + 60
		for i := range 20000 {
			across := (float64(i)/20000*2 - 1) * reach
			sum += m.at(m.x-across*m.sin, m.y+across*m.cos).cover * 2 * reach / 20000
		}
		return sum
	}
	still, moved := total(0), total(40)
	if want := float64(b.count) * b.width; math.Abs(still-want)/want > 0.01 || math.Abs(moved-want)/want > 0.01 {
		t.Errorf("bars %v wide in all cover %v at rest and %v in motion", want, still, moved)
	}
}

func TestStackPutsLayersOverOneAnother(t *testing.T) {
	for _, linear := range []bool{false, true} {
		st := &stack{size: 1, light: light{linear}, pix: make([]float32, stride)}
		st.put(0, 0, sample{cover: 1, colour: rgb{1, 0, 0}})
		st.put(0, 0, sample{cover: 0.25, colour: rgb{0, 0, 1}})
		fg := st.foreground()
		want := [3]float64{st.light.encode(0.75), 0, st.light.encode(0.25)}
		for c := range 3 {
			if math.Abs(float64(fg.Pix[c])-want[c]) > 1e-5 {
				t.Errorf("linear %v: foreground is %v, want %v", linear, fg.Pix, want)
			}
		}
		if a := st.matte().Pix[0]; a != 1 {
			t.Errorf("linear %v: matte is %v over a solid layer", linear, a)
		}
	}
}
