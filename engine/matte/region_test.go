package matte

import (
	"math"
	"math/rand/v2"
	"testing"

	"greenroom/engine/colour"
	"greenroom/engine/picture"
	"greenroom/engine/picture/picturetest"
	"greenroom/engine/settings"
	"pgregory.net/rapid"
)

func TestDrawRegionPutsStrokesOverBoxesOverTheImage(t *testing.T) {
	under := picture.New(60, 40, 1)
	picturetest.FillBox(under, 0, 0, 10, 40, 0.7)
	under.Row(5)[50], under.Row(6)[50] = float32(math.NaN()), 3
	dab := func(x, value float64) settings.Stroke {
		return settings.Stroke{Points: []settings.Point{{X: x, Y: 20}}, Size: 8, Value: value}
	}
	r := settings.Region{
		Boxes:   []settings.Box{{X0: 20, Y0: 10.25, X1: 40.5, Y1: 30}},
		Strokes: []settings.Stroke{dab(5, settings.PaintScreen), dab(30, settings.PaintScreen), dab(52, settings.PaintSubject)},
	}
	m, err := DrawRegion(t.Context(), r, under, 60, 40)
	if err != nil {
		t.Fatal(err)
	}
	for at, want := range map[[2]int]float32{
		{2, 2}: 0.7, {5, 20}: 0, {30, 20}: 0, {52, 20}: 1, {22, 12}: 1, {19, 20}: 0, {22, 10}: 0.75, {40, 20}: 0.5,
		{40, 10}: 0.375, {22, 30}: 0, {50, 5}: 0, {50, 6}: 1,
	} {
		if got := m.Row(at[1])[at[0]]; got != want {
			t.Errorf("at %v is %v, want %v", at, got, want)
		}
	}
	if _, err := DrawRegion(t.Context(), r, picture.New(3, 3, 1), 60, 40); err == nil {
		t.Error("a mask of another size gave no error")
	}
}

func TestCoreAndGarbageAlwaysWinAndGarbageOverCore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, core, garbage := picture.New(6, 1, 1), picture.New(6, 1, 1), picture.New(6, 1, 1)
		unit := rapid.SampledFrom([]float32{0, 1, 0.25, 0.5, 0.999})
		for i := range m.Pix {
			m.Pix[i], core.Pix[i], garbage.Pix[i] = unit.Draw(t, "matte"), unit.Draw(t, "core"), unit.Draw(t, "garbage")
		}
		got := Hold(m, core, garbage)
		for i, v := range got.Pix {
			switch {
			case garbage.Pix[i] == 1 && v != 0:
				t.Fatalf("garbage 1 over matte %v and core %v is %v", m.Pix[i], core.Pix[i], v)
			case garbage.Pix[i] == 0 && core.Pix[i] == 1 && v != 1:
				t.Fatalf("core 1 over matte %v is %v", m.Pix[i], v)
			case garbage.Pix[i] == 0 && core.Pix[i] == 0 && v != m.Pix[i]:
				t.Fatalf("matte %v without core and garbage is %v", m.Pix[i], v)
			}
		}
		if only := Hold(m, picture.Image{}, picture.Image{}); picturetest.FirstDifference(only.Pix, m.Pix) >= 0 {
			t.Fatal("nothing marked changed something")
		}
	})
}

func TestFeatherFadesOutsideOverItsWidth(t *testing.T) {
	m := picture.New(40, 30, 1)
	picturetest.FillBox(m, 10, 10, 10, 10, 1)
	m.Row(15)[30] = 0.4
	got, err := Feather(t.Context(), m, garbageFeather)
	if err != nil {
		t.Fatal(err)
	}
	// From the box's border at x = 20 on: 1 - (x + 0.5 - 20) / 2.
	for x, want := range map[int]float64{12: 1, 19: 1, 20: 0.75, 21: 0.25, 22: 0, 30: 0.4, 9: 0.75, 7: 0} {
		if v := float64(got.Row(15)[x]); math.Abs(v-want) > 1e-6 {
			t.Errorf("at %d is %v, want %v", x, v, want)
		}
	}
}

// framedPlate is a noisy, unevenly lit green plate with bars of these widths: top, right, bottom, left.
func framedPlate(bars [4]int, level float32, space colour.Space) picture.Picture {
	const w, h = 160, 90
	random := rand.New(rand.NewPCG(5, 6))
	m := picture.New(w, h, 3)
	for y := range h {
		for x := range w {
			c := m.Row(y)[3*x : 3*x+3]
			light := 0.7 + 0.3*float32(x)/w
			c[0], c[1], c[2] = 0.15*light, 0.7*light, 0.2*light
			if math.Hypot(float64(x-80), float64(y-60)) < 28 {
				c[0], c[1], c[2] = 0.6, 0.45, 0.4
			}
			noise := float32(0.02)
			if y < bars[0] || x >= w-bars[1] || y >= h-bars[2] || x < bars[3] {
				c[0], c[1], c[2], noise = level, level, level, 0.008
			}
			for i := range c {
				c[i] += noise * (random.Float32() - 0.5)
				if space == colour.LinearRec709 {
					c[i] = colour.SRGBToLinear(c[i])
				}
			}
		}
	}
	return picture.Picture{RGB: m, Space: space}
}

func TestProposeGarbageFindsBars(t *testing.T) {
	for name, c := range map[string]struct {
		bars  [4]int
		level float32
		want  []settings.Box
	}{
		"none":      {},
		"letterbox": {bars: [4]int{12, 0, 12, 0}, want: []settings.Box{{X0: 0, Y0: 0, X1: 160, Y1: 12}, {X0: 0, Y0: 78, X1: 160, Y1: 90}}},
		"pillars":   {bars: [4]int{0, 20, 0, 20}, level: 0.5, want: []settings.Box{{X0: 0, Y0: 0, X1: 20, Y1: 90}, {X0: 140, Y0: 0, X1: 160, Y1: 90}}},
		"all round": {bars: [4]int{5, 4, 3, 2}, level: 1, want: []settings.Box{
			{X0: 0, Y0: 0, X1: 160, Y1: 5}, {X0: 0, Y0: 87, X1: 160, Y1: 90}, {X0: 0, Y0: 5, X1: 2, Y1: 87}, {X0: 156, Y0: 5, X1: 160, Y1: 87},
		}},
	} {
		for _, space := range []colour.Space{colour.SRGB, colour.LinearRec709} {
			got, err := ProposeGarbage(framedPlate(c.bars, c.level, space))
			if err != nil {
				t.Fatal(err)
			}
			if len(got) != len(c.want) {
				t.Errorf("%s, %s: proposed %v, want %v", name, space, got, c.want)
				continue
			}
			for i, b := range got {
				if b != c.want[i] {
					t.Errorf("%s, %s: box %d is %v, want %v", name, space, i, b, c.want[i])
				}
			}
		}
	}
}

func TestProposeGarbageLeavesAnEvenScreenAlone(t *testing.T) {
	// A drawn screen without any noise: every line above the subject is of one colour.
	m := picture.New(160, 90, 3)
	for y := range m.H {
		for x := range m.W {
			c := m.Row(y)[3*x : 3*x+3]
			c[1] = 0.8
			if math.Hypot(float64(x-80), float64(y-60)) < 28 {
				c[0], c[1], c[2] = 0.6, 0.45, 0.4
			}
		}
	}
	for name, p := range map[string]picture.Picture{
		"screen": {RGB: m, Space: colour.SRGB}, "black": {RGB: picture.New(160, 90, 3), Space: colour.SRGB}, "empty": {Space: colour.SRGB},
	} {
		if got, err := ProposeGarbage(p); err != nil || len(got) != 0 {
			t.Errorf("%s: proposed %v, %v", name, got, err)
		}
	}
	if _, err := ProposeGarbage(picture.Picture{RGB: m, Space: "teal"}); err == nil {
		t.Error("an unknown space gave no error")
	}
}
