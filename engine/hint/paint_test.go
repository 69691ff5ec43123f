package hint

import (
	"context"
	"errors"
	"math"
	"testing"

	"greenroom/engine/picture"
	"greenroom/engine/settings"
)

func painted(t *testing.T, m picture.Image, strokes ...settings.Stroke) picture.Image {
	t.Helper()
	m = m.Clone()
	if err := Paint(t.Context(), m, strokes); err != nil {
		t.Fatal(err)
	}
	return m
}

func TestADabIsADiscOfItsSize(t *testing.T) {
	for _, soft := range []float64{0, 0.5, 1} {
		for _, size := range []float64{5, 20, 31.5} {
			m := painted(t, picture.New(80, 60, 1), settings.Stroke{
				Points: []settings.Point{{X: 40.3, Y: 30.8}}, Size: size, Softness: soft, Value: settings.PaintSubject,
			})
			sum := 0.0
			for y := range m.H {
				for x, v := range m.Row(y) {
					sum += float64(v)
					d := math.Hypot(float64(x)+0.5-40.3, float64(y)+0.5-30.8)
					if d < size/2*(1-soft)-0.5 && v != 1 || d > size/2+0.5 && v != 0 {
						t.Fatalf("size %v, softness %v: %v px from the middle is %v", size, soft, d, v)
					}
				}
			}
			if area := math.Pi * size * size / 4; soft == 0 && math.Abs(sum-area) > 0.02*area {
				t.Errorf("a sharp dab of %v px covers %v px, want %v", size, sum, area)
			}
		}
	}
}

func TestAStrokeFollowsItsLineAndDoesNotBuildUp(t *testing.T) {
	// There and back again: as soft as once.
	there := settings.Stroke{
		Points: []settings.Point{{X: 20, Y: 20}, {X: 60, Y: 35}}, Size: 16, Softness: 1, Value: settings.PaintTranslucent,
	}
	back := there
	back.Points = append(back.Points, settings.Point{X: 20, Y: 20})
	a, b := painted(t, picture.New(90, 60, 1), there), painted(t, picture.New(90, 60, 1), back)
	for i, v := range a.Pix {
		if v != b.Pix[i] {
			t.Fatalf("pixel %d is %v once and %v there and back", i, v, b.Pix[i])
		}
		if v > 0.5 {
			t.Fatalf("pixel %d is %v, over what is painted", i, v)
		}
	}
	if v := a.Row(27)[40]; v < 0.49 {
		t.Errorf("the middle of the line is %v, want 0.5", v)
	}
	if a.Row(5)[40] != 0 || a.Row(50)[40] != 0 {
		t.Error("something far from the line was painted")
	}
}

func TestStrokesPaintOverOneAnotherInOrder(t *testing.T) {
	m := picture.New(40, 40, 1)
	for i := range m.Pix {
		m.Pix[i] = 1
	}
	dab := func(value float64) settings.Stroke {
		return settings.Stroke{Points: []settings.Point{{X: 20, Y: 20}}, Size: 10, Value: value}
	}
	for _, c := range []struct {
		values []float64
		want   float32
	}{
		{[]float64{settings.PaintScreen}, 0},
		{[]float64{settings.PaintScreen, settings.PaintTranslucent}, 0.5},
		{[]float64{settings.PaintTranslucent, settings.PaintSubject}, 1},
	} {
		var strokes []settings.Stroke
		for _, v := range c.values {
			strokes = append(strokes, dab(v))
		}
		if got := painted(t, m, strokes...).Row(20)[20]; got != c.want {
			t.Errorf("%v gave %v, want %v", c.values, got, c.want)
		}
	}
	if got := painted(t, m, dab(0)).Row(2)[2]; got != 1 {
		t.Errorf("away from the brush is %v", got)
	}
}

func TestStrokesOutsideTheFrame(t *testing.T) {
	m := picture.New(30, 20, 1)
	got := painted(t, m, settings.Stroke{Points: []settings.Point{{X: -1e6, Y: -1e6}, {X: 1e6, Y: -500}}, Size: 100, Value: 1},
		settings.Stroke{Points: []settings.Point{{X: 900, Y: 10}}, Size: 40, Value: 1})
	for i, v := range got.Pix {
		if v != 0 {
			t.Fatalf("pixel %d is %v", i, v)
		}
	}
	// Partly inside.
	got = painted(t, m, settings.Stroke{Points: []settings.Point{{X: -5, Y: 10}, {X: 3, Y: 10}}, Size: 6, Value: 1})
	if got.Row(10)[0] != 1 || got.Row(10)[5] == 0 || got.Row(10)[8] != 0 {
		t.Errorf("at the frame's edge: %v", got.Row(10)[:9])
	}
	if err := Paint(t.Context(), picture.Image{C: 1}, []settings.Stroke{{Points: []settings.Point{{}}, Size: 3}}); err != nil {
		t.Fatal(err)
	}
}

func TestPaintStopsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := Paint(ctx, picture.New(30, 20, 1), []settings.Stroke{{Points: []settings.Point{{}}, Size: 3, Value: 1}})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("error is %v", err)
	}
}

func BenchmarkPaint(b *testing.B) {
	m := picture.New(1920, 1080, 1)
	var s settings.Stroke
	for i := range 400 {
		s.Points = append(s.Points, settings.Point{X: 100 + 4*float64(i), Y: 500 + 200*math.Sin(float64(i)/40)})
	}
	s.Size, s.Softness, s.Value = 80, 0.5, 1
	for b.Loop() {
		if err := Paint(b.Context(), m, []settings.Stroke{s}); err != nil {
			b.Fatal(err)
		}
	}
}
