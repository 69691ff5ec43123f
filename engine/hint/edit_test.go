package hint

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"greenroom/engine/picture"
	"greenroom/engine/settings"
)

// edged is white left of a straight edge through the middle, at an angle, with a ramp of the given width in pixels.
func edged(w, h int, angle, ramp float64) picture.Image {
	m := picture.New(w, h, 1)
	sin, cos := math.Sincos(angle)
	for y := range h {
		for x := range w {
			d := (float64(x)+0.5-float64(w)/2)*cos + (float64(y)+0.5-float64(h)/2)*sin
			m.Row(y)[x] = float32(min(max(0.5-d/ramp, 0), 1))
		}
	}
	return m
}

// moved is how far the edge of edged lies beyond the middle, along its normal, over the rows away from the frame.
func moved(m picture.Image, angle float64, margin int) float64 {
	sum := 0.0
	for y := margin; y < m.H-margin; y++ {
		row := 0.0
		for _, v := range m.Row(y) {
			row += float64(v)
		}
		sum += row - float64(m.W)/2
	}
	return sum / float64(m.H-2*margin) * math.Cos(angle)
}

func TestEditMovesTheEdgeByWhatIsAsked(t *testing.T) {
	for _, px := range []float64{0.5, -0.5, 3.25, -7, 12, 15.5, 16, -24.5, 40, -60, 100} {
		for _, angle := range []float64{0, 0.3} {
			m := edged(700, 420, angle, 6)
			got, err := Edit(t.Context(), m, settings.HintEdit{Grow: px})
			if err != nil {
				t.Fatal(err)
			}
			within := max(0.15, math.Abs(px)/50)
			if by := moved(got, angle, 130); math.Abs(by-px) > within {
				t.Errorf("by %v px at %v: moved by %.3f", px, angle, by)
			}
		}
	}
}

func TestEditSoftensAsAGaussian(t *testing.T) {
	for _, px := range []float64{1, 6, 8, 20, 50, 100} {
		m := edged(1600, 60, 0, 1)
		got, err := Edit(t.Context(), m, settings.HintEdit{Soften: px})
		if err != nil {
			t.Fatal(err)
		}
		for x, v := range got.Row(30) {
			want := 0.5 * math.Erfc((float64(x)+0.5-800)/px/math.Sqrt2)
			if math.Abs(float64(v)-want) > 0.03 {
				t.Fatalf("by %v px: at %d is %v, want %.4f", px, x, v, want)
			}
		}
	}
}

func TestEditInvertsBeforeItGrows(t *testing.T) {
	m := edged(200, 80, 0, 2)
	got, err := Edit(t.Context(), m, settings.HintEdit{Invert: true, Grow: 5})
	if err != nil {
		t.Fatal(err)
	}
	if by := moved(got, 0, 10); math.Abs(by-5) > 0.1 {
		t.Errorf("what is white to the right now ends at %.2f, want 5 to the left", -by)
	}
	if got.Row(40)[20] != 0 || got.Row(40)[180] != 1 {
		t.Errorf("left is %v, right %v", got.Row(40)[20], got.Row(40)[180])
	}
	same, err := Edit(t.Context(), m, settings.HintEdit{Channel: ChannelRed, Strength: 1})
	if err != nil || &same.Pix[0] != &m.Pix[0] {
		t.Errorf("an edit of nothing made another image, or failed: %v", err)
	}
}

func TestEditOfSmallHintsAndEndedContexts(t *testing.T) {
	for _, size := range [][2]int{{1, 1}, {3, 50}, {17, 5}} {
		for _, e := range []settings.HintEdit{{Grow: -100}, {Grow: 100}, {Soften: 100}, {Invert: true}} {
			got, err := Edit(t.Context(), picture.New(size[0], size[1], 1), e)
			if err != nil || got.W != size[0] || got.H != size[1] {
				t.Errorf("%v with %+v: %dx%d, %v", size, e, got.W, got.H, err)
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, e := range []settings.HintEdit{{Grow: 3}, {Grow: 50}, {Soften: 3}, {Soften: 50}} {
		if _, err := Edit(ctx, picture.New(64, 64, 1), e); !errors.Is(err, context.Canceled) {
			t.Errorf("%+v: %v", e, err)
		}
	}
}

func TestStrengthLeavesOutMore(t *testing.T) {
	plate, _ := drawn{w: 640, h: 360, screen: hsv(0.37, 0.8, 0.7), subject: 0.8, spill: 0.1, grain: 0.01}.plate()
	before := math.Inf(1)
	for _, strength := range []float64{-1, -0.4, 0, 0.4, 1} {
		h, _, err := FromChroma(plate, settings.ScreenAuto, strength)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for _, v := range h.Matte.Pix {
			sum += float64(v)
		}
		if sum >= before {
			t.Errorf("a strength of %v marks %v, and a weaker one %v", strength, sum, before)
		}
		before = sum
	}
}

func BenchmarkEdit(b *testing.B) {
	m := edged(4096, 2160, 0.3, 20)
	for _, e := range []settings.HintEdit{{Grow: 2}, {Grow: -12}, {Grow: 20}, {Grow: 100}, {Soften: 3}, {Soften: 40}, {Invert: true}} {
		b.Run(fmt.Sprintf("%+v", e), func(b *testing.B) {
			for b.Loop() {
				if _, err := Edit(b.Context(), m, e); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
