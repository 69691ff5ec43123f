package main

import (
	"image"
	"image/color"
	"math"
)

// rgb is a colour in linear light.
type rgb [3]float64

// srgb returns the colour that 8-bit sRGB values name.
func srgb(r, g, b float64) rgb {
	decode := func(v float64) float64 {
		if v /= 255; v > 0.04045 {
			return math.Pow((v+0.055)/1.055, 2.4)
		}
		return v / 12.92
	}
	return rgb{decode(r), decode(g), decode(b)}
}

// times returns the colour at another brightness.
func (c rgb) times(k float64) rgb { return rgb{c[0] * k, c[1] * k, c[2] * k} }

// mix goes from c to o.
func (c rgb) mix(o rgb, t float64) rgb {
	t = clamp(t)
	for i := range c {
		c[i] += (o[i] - c[i]) * t
	}
	return c
}

// canvas is an opaque picture in linear light with scale x scale samples a pixel. Shapes are given in pixels.
type canvas struct {
	w, h, scale int
	pix         []rgb
	alpha       []float64
}

func newCanvas(w, h, scale int) *canvas {
	n := w * h * scale * scale
	return &canvas{w: w, h: h, scale: scale, pix: make([]rgb, n), alpha: make([]float64, n)}
}

// box is a region in pixels.
type box struct{ x0, y0, x1, y1 float64 }

// each visits the samples of a region with their position in pixels.
func (c *canvas) each(b box, visit func(i int, x, y float64)) {
	k := float64(c.scale)
	x0, y0 := max(0, int(b.x0*k)), max(0, int(b.y0*k))
	x1, y1 := min(c.w*c.scale, int(b.x1*k)+1), min(c.h*c.scale, int(b.y1*k)+1)
	for y := y0; y < y1; y++ {
		for x := x0; x < x1; x++ {
			visit(y*c.w*c.scale+x, (float64(x)+0.5)/k, (float64(y)+0.5)/k)
		}
	}
}

// blend lays a colour over a sample.
func (c *canvas) blend(i int, col rgb, alpha float64) {
	alpha = clamp(alpha)
	c.pix[i] = c.pix[i].mix(col, alpha)
	c.alpha[i] += (1 - c.alpha[i]) * alpha
}

// everywhere is the whole canvas.
func (c *canvas) everywhere() box { return box{0, 0, float64(c.w), float64(c.h)} }

// fill paints where distance (in pixels, negative inside) is under 0, over an edge of soft pixels.
func (c *canvas) fill(b box, soft float64, distance func(x, y float64) float64, paint func(x, y float64) rgb) {
	c.each(b, func(i int, x, y float64) {
		if a := clamp(0.5 - distance(x, y)/soft); a > 0 {
			c.blend(i, paint(x, y), a)
		}
	})
}

// stroke draws a line of points whose width and opacity change from the first to the last.
func (c *canvas) stroke(points [][2]float64, from, to, opacity float64, col rgb) {
	for i := 1; i < len(points); i++ {
		p, q := points[i-1], points[i]
		t := float64(i) / float64(len(points)-1)
		r := (from + (to-from)*t) / 2
		reach := r + 1
		b := box{min(p[0], q[0]) - reach, min(p[1], q[1]) - reach, max(p[0], q[0]) + reach, max(p[1], q[1]) + reach}
		c.each(b, func(i int, x, y float64) {
			d, along := segment(x, y, p, q)
			// A point beyond the end belongs to the next piece, so that joints are not painted twice.
			if along >= 1 {
				return
			}
			if a := clamp((r - d + 0.35) / 0.7); a > 0 {
				c.blend(i, col, a*opacity)
			}
		})
	}
}

// image averages the samples of each pixel and encodes them, with grain of that many 8-bit steps.
func (c *canvas) image(grain float64) *image.NRGBA {
	out := image.NewNRGBA(image.Rect(0, 0, c.w, c.h))
	random := newNoise(7)
	for y := range c.h {
		for x := range c.w {
			var sum rgb
			alpha := 0.0
			for j := range c.scale {
				for i := range c.scale {
					at := (y*c.scale+j)*c.w*c.scale + x*c.scale + i
					for k := range sum {
						sum[k] += c.pix[at][k] * c.alpha[at]
					}
					alpha += c.alpha[at]
				}
			}
			if alpha == 0 {
				continue
			}
			var v [3]uint8
			for k := range v {
				v[k] = encode(sum[k]/alpha, grain*random.bell())
			}
			out.SetNRGBA(x, y, color.NRGBA{v[0], v[1], v[2], uint8(alpha/float64(c.scale*c.scale)*255 + 0.5)})
		}
	}
	return out
}

func encode(v, grain float64) uint8 {
	if v > 0.0031308 {
		v = 1.055*math.Pow(v, 1/2.4) - 0.055
	} else {
		v *= 12.92
	}
	return uint8(math.Max(0, math.Min(255, v*255+grain+0.5)))
}

func clamp(v float64) float64 { return math.Max(0, math.Min(1, v)) }

// smooth goes from 0 at a to 1 at b without a kink.
func smooth(a, b, v float64) float64 {
	t := clamp((v - a) / (b - a))
	return t * t * (3 - 2*t)
}

// ellipse is about the distance to an ellipse; exact on its edge.
func ellipse(x, y, cx, cy, rx, ry float64) float64 {
	dx, dy := (x-cx)/rx, (y-cy)/ry
	r := math.Hypot(dx, dy)
	slope := math.Hypot(dx/rx, dy/ry)
	if slope == 0 {
		return -math.Min(rx, ry)
	}
	return r * (r - 1) / slope
}

// segment returns the distance to a segment and how far along it the nearest point lies, 0..1.
func segment(x, y float64, p, q [2]float64) (distance, along float64) {
	dx, dy := q[0]-p[0], q[1]-p[1]
	t := clamp(((x-p[0])*dx + (y-p[1])*dy) / math.Max(dx*dx+dy*dy, 1e-9))
	return math.Hypot(x-p[0]-t*dx, y-p[1]-t*dy), t
}

// join is the distance to the union of two shapes with a fillet of about k pixels.
func join(a, b, k float64) float64 {
	h := clamp(0.5 + (b-a)/(2*k))
	return b + (a-b)*h - k*h*(1-h)
}
