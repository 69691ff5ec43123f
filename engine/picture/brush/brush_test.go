package brush

import (
	"context"
	"image"
	"math"
	"math/rand/v2"
	"testing"

	"greenroom/engine/settings"
)

// covered lays a line into a picture of w x h.
func covered(t testing.TB, b Brush, line []Segment, w, h int) []float32 {
	t.Helper()
	all := make([]float32, w*h)
	if err := b.Cover(t.Context(), line, image.Rect(0, 0, w, h), func(x, y int, coverage []float32) {
		for i, c := range coverage {
			if all[y*w+x+i] != 0 {
				t.Errorf("pixel %d,%d comes twice", x+i, y)
			}
			all[y*w+x+i] = c
		}
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

// TestCoverIsThatOfTheNearestPiece holds it against looking at every piece of the line for every pixel.
func TestCoverIsThatOfTheNearestPiece(t *testing.T) {
	const w, h = 301, 290
	random := rand.New(rand.NewPCG(1, 2))
	scatter := make([]settings.Point, 60)
	for i := range scatter {
		scatter[i] = settings.Point{X: random.Float64()*500 - 100, Y: random.Float64()*500 - 100}
	}
	var scribble []settings.Point
	for i := range 400 {
		v := float64(i) / 20
		scribble = append(scribble, settings.Point{X: 150 + 6*v*math.Cos(v), Y: 140 + 5*v*math.Sin(1.1*v)})
	}
	for name, points := range map[string][]settings.Point{"a dab": {{X: 120.3, Y: 99}}, "scattered": scatter, "scribbled": scribble} {
		line := Line(points)
		for _, b := range []Brush{New(0.4, 0), New(3, 0), New(20, 0.5), New(60, 0), New(400, 1), New(90, 0.02)} {
			for i, got := range covered(t, b, line, w, h) {
				square := math.Inf(1)
				for _, g := range line {
					square = min(square, g.square(float64(i%w)+0.5, float64(i/w)+0.5))
				}
				if want := b.coverage(square); got != want {
					t.Fatalf("%s with %+v: pixel %d,%d is covered by %v, want %v", name, b, i%w, i/w, got, want)
				}
			}
		}
	}
}

func TestCoverStopsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := New(5, 0).Cover(ctx, Line([]settings.Point{{X: 5, Y: 5}}), image.Rect(0, 0, 20, 20), func(int, int, []float32) {
		t.Error("something is covered")
	})
	if err != context.Canceled {
		t.Errorf("the error is %v", err)
	}
}

func BenchmarkCoverOfAThousandPoints(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	var points []settings.Point
	for range 1000 {
		points = append(points, settings.Point{X: random.Float64() * 4096, Y: random.Float64() * 2160})
	}
	line, brush := Line(points), New(4500, 1)
	for b.Loop() {
		if err := brush.Cover(b.Context(), line, image.Rect(0, 0, 4096, 2160), func(int, int, []float32) {}); err != nil {
			b.Fatal(err)
		}
	}
}
