package tiling

import (
	"image"

	"greenroom/engine/picture"
)

// HeatScale says how differences are shown: those under Threshold are not, those of Full and more are as bright as
// can be. Both are in 8-bit steps.
type HeatScale struct{ Threshold, Full float64 }

// DefaultHeatScale shows what is worth looking at: under half a step nothing is seen, eight steps are a plain line.
func DefaultHeatScale() HeatScale { return HeatScale{Threshold: 0.5, Full: 8} }

// heatColours are the stops from nothing to Full, sRGB-encoded. Each is lighter than the one before it, so that
// the order is seen without seeing colours.
var heatColours = [...][3]float32{{0.16, 0.07, 0.33}, {0.55, 0.13, 0.45}, {0.90, 0.36, 0.20}, {0.99, 0.75, 0.20}, {1, 1, 0.88}}

// Colour returns the colour of a difference of 0..1, sRGB-encoded, and how much of it covers what lies under it.
func (s HeatScale) Colour(difference float32) (colour [3]float32, cover float32) {
	steps := 255 * difference
	if steps <= float32(s.Threshold) || s.Full <= s.Threshold {
		return colour, 0
	}
	t := min((steps-float32(s.Threshold))/float32(s.Full-s.Threshold), 1)
	at := t * float32(len(heatColours)-1)
	i := min(int(at), len(heatColours)-2)
	part := at - float32(i)
	for c := range 3 {
		colour[c] = heatColours[i][c] + (heatColours[i+1][c]-heatColours[i][c])*part
	}
	return colour, 0.6 + 0.4*t
}

// How bright a plate is under a heat map, and the lines along the bands.
const (
	heatPlate = 0.3
	heatLine  = 0.45
)

// HeatMap draws differences [H, W, 1] over a plate [H, W, 3], sRGB-encoded, dimmed to grey, with thin lines along the
// bands in which tiles fade.
func HeatMap(g Grid, plate, heat picture.Image, s HeatScale) picture.Image {
	out := picture.New(plate.W, plate.H, 3)
	picture.ParallelRows(plate.H, func(y0, y1 int) {
		for i := y0 * plate.W; i < y1*plate.W; i++ {
			p := plate.Pix[3*i : 3*i+3]
			grey := heatPlate * min(max(0.2126*p[0]+0.7152*p[1]+0.0722*p[2], 0), 1)
			colour, cover := s.Colour(heat.Pix[i])
			for c := range 3 {
				out.Pix[3*i+c] = grey + (colour[c]-grey)*cover
			}
		}
	})
	for _, b := range g.Borders() {
		r := b.Band
		if b.Upright {
			line(out, image.Rect(r.Min.X, r.Min.Y, r.Min.X+1, r.Max.Y))
			line(out, image.Rect(r.Max.X-1, r.Min.Y, r.Max.X, r.Max.Y))
		} else {
			line(out, image.Rect(r.Min.X, r.Min.Y, r.Max.X, r.Min.Y+1))
			line(out, image.Rect(r.Min.X, r.Max.Y-1, r.Max.X, r.Max.Y))
		}
	}
	return out
}

// line lightens the pixels of r where they are darker than a line.
func line(m picture.Image, r image.Rectangle) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			p := m.Row(y)[3*x : 3*x+3]
			for c := range p {
				p[c] = max(p[c], heatLine)
			}
		}
	}
}
