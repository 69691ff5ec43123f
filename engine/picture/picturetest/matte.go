// Package picturetest holds what tests of pictures share: a drawn matte, and the test pictures beside the repository.
package picturetest

import (
	"math"

	"greenroom/engine/picture"
)

// Matte draws a subject with a soft edge, strands that leave it, and a veil of 0.1 to 0.5 beside it.
func Matte(w, h int) picture.Image {
	m := picture.New(w, h, 1)
	cx, cy, r := float64(w)/2, float64(h)*0.6, float64(h)*0.35
	for y := range h {
		for x := range w {
			d := math.Hypot(float64(x)-cx, float64(y)-cy)
			v := min(max((r-d)/6+0.5, 0), 1)
			angle := math.Atan2(float64(y)-cy, float64(x)-cx)
			if d >= r && d < r*1.3 && math.Abs(math.Sin(angle*60)) > 0.95 {
				v = max(v, 0.6*(r*1.3-d)/(r*0.3))
			}
			if x > w*3/4 && x < w*3/4+w/12 && y > h/3 && y < h*2/3 {
				v = max(v, 0.1+0.4*float64(y-h/3)/float64(h/3))
			}
			m.Row(y)[x] = float32(v)
		}
	}
	return m
}

// FillBox sets a rectangle of a one-channel image.
func FillBox(m picture.Image, x, y, w, h int, v float32) {
	for j := y; j < y+h; j++ {
		for i := x; i < x+w; i++ {
			m.Row(j)[i] = v
		}
	}
}

// FirstDifference returns the first index at which the bits of a and b differ, or -1.
func FirstDifference(a, b []float32) int {
	for i := range a {
		if math.Float32bits(a[i]) != math.Float32bits(b[i]) {
			return i
		}
	}
	return -1
}
