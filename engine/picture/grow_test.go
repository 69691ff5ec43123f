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

// halfPlane is a matte that is 1 to the left of a line through (x, y) whose normal points right at angle
// (radians, clockwise on screen). width is that of the edge in pixels: 0 is the exact area that the half plane
// covers of each pixel, over 0 a linear ramp.
func halfPlane(w, h int, x, y, angle, width float64) picture.Image {
	m := picture.New(w, h, 1)
	sin, cos := math.Sincos(angle)
	for j := range h {
		for i := range w {
			d := (float64(i)+0.5-x)*cos + (float64(j)+0.5-y)*sin
			v := covered(d, math.Abs(cos), math.Abs(sin))
			if width > 0 {
				v = min(max(0.5-d/width, 0), 1)
			}
			m.Row(j)[i] = float32(v)
		}
	}
	return m
}

// covered is the area of a unit square behind a line at distance d beyond its centre, with the normal
// (cos, sin), both at least 0: the convolution of two boxes of these widths, integrated.
func covered(d, cos, sin float64) float64 {
	wide, narrow := max(cos, sin), min(cos, sin)
	if narrow < 1e-9 {
		return min(max(0.5-d/wide, 0), 1)
	}
	ramp := func(v float64) float64 { v = max(v, 0); return v * v / 2 }
	s := -d
	area := ramp(s+(wide+narrow)/2) - ramp(s+(wide-narrow)/2) - ramp(s-(wide-narrow)/2) + ramp(s-(wide+narrow)/2)
	return area / (wide * narrow)
}

// edgeOf measures where the edge of a half plane lies: the mean over rows of the length that is covered in
// each, taken along the normal.
func edgeOf(m picture.Image, margin int, angle float64) float64 {
	sum := 0.0
	for y := margin; y < m.H-margin; y++ {
		for _, v := range m.Row(y) {
			sum += float64(v)
		}
	}
	return sum / float64(m.H-2*margin) * math.Cos(angle)
}

// edgeWidth measures the width of an edge: the distance along the normal between its levels 0.1 and 0.9, over
// 0.8, as the mean over rows.
func edgeWidth(m picture.Image, margin int, angle float64) float64 {
	sum := 0.0
	for y := margin; y < m.H-margin; y++ {
		row := m.Row(y)
		at := func(level float32) float64 {
			for x := len(row) - 2; x >= 0; x-- {
				if row[x] >= level {
					return float64(x) + float64((row[x]-level)/(row[x]-row[x+1]))
				}
			}
			return 0
		}
		sum += (at(0.1) - at(0.9)) / 0.8
	}
	return sum / float64(m.H-2*margin) * math.Cos(angle)
}

func TestGrowMovesAStraightEdgeAtAnyAngle(t *testing.T) {
	const w, h, margin = 180, 90, 25
	for _, tt := range []struct{ px, tolerance float64 }{
		{-0.5, 0.01}, {0.5, 0.01}, {-0.1, 0.01}, {0.25, 0.01}, {1, 0.06}, {-1.5, 0.06}, {-7.3, 0.12}, {20, 0.12},
	} {
		for degrees := -45.0; degrees <= 45; degrees += 7.5 {
			angle := degrees * math.Pi / 180
			for _, width := range []float64{0, 1, 6} {
				m := halfPlane(w, h, w/2+0.3, h/2, angle, width)
				got, err := picture.Grow(t.Context(), m, tt.px)
				if err != nil {
					t.Fatal(err)
				}
				moved := edgeOf(got, margin, angle) - edgeOf(m, margin, angle)
				if math.Abs(moved-tt.px) > tt.tolerance {
					t.Errorf("%v px at %v degrees, edge %v px wide: moved by %.4f", tt.px, degrees, width, moved)
				}
				// Softness stays: no harder than it was, no softer than interpolation between pixels makes it.
				before, after := edgeWidth(m, margin, angle), edgeWidth(got, margin, angle)
				if width == 6 && (after < before-0.1 || after > before+0.3) {
					t.Errorf("%v px at %v degrees: an edge of %.2f px is %.2f px wide", tt.px, degrees, before, after)
				}
			}
		}
	}
}

func TestGrowMovesBothSidesOfAStrand(t *testing.T) {
	// A vertical strand of 3 px, whole pixels and half pixels.
	for _, at := range []float64{0, 0.5} {
		m := picture.New(40, 30, 1)
		for y := range m.H {
			for x := range m.W {
				m.Row(y)[x] = float32(min(max(min(float64(x)+1-18-at, 21+at-float64(x)), 0), 1))
			}
		}
		for _, px := range []float64{-0.5, 0.5, 2} {
			got, err := picture.Grow(t.Context(), m, px)
			if err != nil {
				t.Fatal(err)
			}
			sum := 0.0
			for _, v := range got.Row(15) {
				sum += float64(v)
			}
			if want := 3 + 2*px; math.Abs(sum-want) > 0.05 {
				t.Errorf("a strand of 3 px at %v, grown by %v, is %v px wide, want %v", at, px, sum, want)
			}
		}
	}
}

func TestGrowKeepsExactEndsAndTheFramesEdge(t *testing.T) {
	m := picturetest.Matte(200, 150)
	for _, px := range []float64{-20, -2.5, -0.5, 0.5, 2.5, 20} {
		got, err := picture.Grow(t.Context(), m, px)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range got.Pix {
			if own := m.Pix[i]; (px > 0 && v < own) || (px < 0 && v > own) || v < 0 || v > 1 {
				t.Fatalf("%v px: pixel %d went from %v to %v", px, i, own, v)
			}
		}
		if got.Row(0)[0] != 0 || got.Row(90)[100] != 1 {
			t.Errorf("%v px: the corner is %v and the core %v", px, got.Row(0)[0], got.Row(90)[100])
		}
	}
	// A subject that the frame cuts does not shrink away from it.
	picturetest.FillBox(m, 0, 0, 200, 150, 1)
	if got, err := picture.Grow(t.Context(), m, -20); err != nil || picturetest.FirstDifference(got.Pix, m.Pix) >= 0 {
		t.Errorf("a full matte shrank, %v", err)
	}
}

func TestGrowByNothingIsACopy(t *testing.T) {
	m := picturetest.Matte(40, 30)
	got, err := picture.Grow(t.Context(), m, 0)
	if err != nil || picturetest.FirstDifference(got.Pix, m.Pix) >= 0 {
		t.Fatalf("not a copy, %v", err)
	}
	got.Pix[0] = 7
	if m.Pix[0] == 7 {
		t.Fatal("memory is shared")
	}
	if got, err = picture.Grow(t.Context(), picture.Image{C: 1}, 3); err != nil || !got.Empty() {
		t.Fatalf("an empty matte gave %dx%d, %v", got.W, got.H, err)
	}
}

func TestGrowOfSmallMattes(t *testing.T) {
	for _, size := range [][2]int{{1, 1}, {1, 9}, {33, 1}, {31, 65}, {64, 64}} {
		m := picture.New(size[0], size[1], 1)
		m.Pix[0] = 1
		for _, px := range []float64{-3.2, -0.5, 0.5, 3.2} {
			if _, err := picture.Grow(t.Context(), m, px); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestGrowStopsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := picture.Grow(ctx, picturetest.Matte(400, 300), 5); !errors.Is(err, context.Canceled) {
		t.Fatalf("error is %v", err)
	}
}

func BenchmarkGrow(b *testing.B) {
	for _, size := range [][2]int{{1920, 1080}, {4096, 2160}} {
		m := picturetest.Matte(size[0], size[1])
		for _, px := range []float64{-0.5, 2, -20, 100} {
			b.Run(fmt.Sprintf("%dx%d by %v", size[0], size[1], px), func(b *testing.B) {
				for b.Loop() {
					if _, err := picture.Grow(b.Context(), m, px); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
