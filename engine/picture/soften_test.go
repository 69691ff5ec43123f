package picture_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"greenroom/engine/picture"
	"greenroom/engine/picture/picturetest"
)

func TestSoftenIsAGaussianOfAnEdge(t *testing.T) {
	// A hard vertical edge becomes the Gaussian's integral.
	for _, px := range []float64{0.7, 3, 12, 50} {
		m := picture.New(600, 40, 1)
		picturetest.FillBox(m, 0, 0, 300, 40, 1)
		got, err := picture.Soften(t.Context(), m, px)
		if err != nil {
			t.Fatal(err)
		}
		for x, v := range got.Row(20) {
			// The samples of a row are blurred, so the edge lies between two of them.
			want := 0.0
			for k := x - 300 + 1; k < 400; k++ {
				want += math.Exp(-float64(k)*float64(k)/(2*px*px)) / (px * math.Sqrt(2*math.Pi))
			}
			if math.Abs(float64(v)-want) > 2e-3 {
				t.Fatalf("%v px: at %d is %v, want %v", px, x, v, want)
			}
		}
	}
}

func TestSoftenKeepsExactEndsAwayFromEdges(t *testing.T) {
	m := picturetest.Matte(480, 270)
	for _, px := range []float64{0.4, 2, 6} {
		got, err := picture.Soften(t.Context(), m, px)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range got.Pix {
			if !(v >= 0 && v <= 1) {
				t.Fatalf("%v px: pixel %d is %v", px, i, v)
			}
		}
		if got.Row(0)[0] != 0 || got.Row(162)[240] != 1 {
			t.Errorf("%v px: the corner is %v, the core %v", px, got.Row(0)[0], got.Row(162)[240])
		}
	}
}

func TestSoftenByNothingIsACopy(t *testing.T) {
	m := picturetest.Matte(40, 30)
	got, err := picture.Soften(t.Context(), m, 0)
	if err != nil || picturetest.FirstDifference(got.Pix, m.Pix) >= 0 {
		t.Fatalf("not a copy, %v", err)
	}
}

func TestSoftenStopsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := picture.Soften(ctx, picturetest.Matte(40, 30), 2); !errors.Is(err, context.Canceled) {
		t.Fatalf("error is %v", err)
	}
}

func BenchmarkSoften(b *testing.B) {
	m := picturetest.Matte(1920, 1080)
	for _, px := range []float64{1, 30} {
		b.Run(fmt.Sprintf("%v px", px), func(b *testing.B) {
			for b.Loop() {
				if _, err := picture.Soften(b.Context(), m, px); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
