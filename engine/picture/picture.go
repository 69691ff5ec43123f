// Package picture holds float32 images and what is done to them whatever they show: sizes, crops,
// resampling, blur, and work shared over rows.
package picture

import "greenroom/engine/colour"

// Image is an image of float32 samples, channels interleaved, rows from the top: Pix is [H, W, C].
// Values may lie outside 0..1. The zero Image is empty.
type Image struct {
	W, H, C int
	Pix     []float32
}

// New returns a black image of w x h pixels with c channels.
func New(w, h, c int) Image {
	return Image{W: w, H: h, C: c, Pix: make([]float32, w*h*c)}
}

// Empty reports whether the image has no pixels.
func (m Image) Empty() bool { return len(m.Pix) == 0 }

// Row returns row y, [W, C].
func (m Image) Row(y int) []float32 {
	n := m.W * m.C
	return m.Pix[y*n : (y+1)*n : (y+1)*n]
}

// SameSize reports whether both images have the same width and height.
func (m Image) SameSize(o Image) bool { return m.W == o.W && m.H == o.H }

// Clone returns a copy that shares nothing with m.
func (m Image) Clone() Image {
	m.Pix = append([]float32(nil), m.Pix...)
	return m
}

// Picture is a picture as it was opened: upright, colour as stored (encoded or linear, as Space says),
// straight alpha apart from it, over-range values kept.
type Picture struct {
	// RGB is the colour, [H, W, 3], in Space.
	RGB Image
	// Alpha is the straight alpha, [H, W, 1], 0..1; empty where the file has none.
	Alpha Image
	// Space says what the numbers of RGB mean.
	Space colour.Space
}
