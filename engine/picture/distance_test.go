package picture

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestDistanceIsTheNearestPixelOutside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(1, 40).Draw(t, "w"), rapid.IntRange(1, 40).Draw(t, "h")
		limit := rapid.Float32Range(0, 15).Draw(t, "limit")
		m := New(w, h, 1)
		for i := range m.Pix {
			m.Pix[i] = 1
		}
		for _, i := range rapid.SliceOfN(rapid.IntRange(0, w*h-1), 0, 12).Draw(t, "outside") {
			m.Pix[i] = rapid.SampledFrom([]float32{0, 0.4, float32(math.NaN())}).Draw(t, "value")
		}
		got := Distance(m, 0.5, limit)
		for i := range m.Pix {
			want := float64(limit)
			for j, v := range m.Pix {
				if !(v >= 0.5) {
					want = min(want, math.Hypot(float64(i%w-j%w), float64(i/w-j/w)))
				}
			}
			if math.Abs(float64(got.Pix[i])-want) > 1e-5 {
				t.Fatalf("pixel %d,%d: distance %v, want %v", i%w, i/w, got.Pix[i], want)
			}
		}
	})
}

func TestDistanceOfNothing(t *testing.T) {
	if d := Distance(Image{C: 1}, 0.5, 3); !d.Empty() {
		t.Fatalf("an empty image gave %dx%d", d.W, d.H)
	}
}

func BenchmarkDistance(b *testing.B) {
	m := New(1920, 1080, 1)
	for y := range m.H {
		for x := range m.W {
			if math.Hypot(float64(x-960), float64(y-700)) < 450 {
				m.Row(y)[x] = 1
			}
		}
	}
	for b.Loop() {
		Distance(m, 0.98, 10)
	}
}
