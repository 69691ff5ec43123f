package main

import (
	"image"
	"math"
)

// samplePlate draws a figure with curly hair and spectacles before an uneven green screen, for a plate of
// 960 x 540: other sizes are scaled.
func samplePlate(w, h int) image.Image {
	c := newCanvas(w, h, 2)
	screen(c)
	drawFigure(c)
	return c.image(0.7)
}

var screenGreen = srgb(66, 168, 78)

// screen paints cloth: lit from the upper left, falling off to the corners, with folds and tracking markers.
func screen(c *canvas) {
	n := newNoise(3)
	light := func(x, y float64) float64 {
		fall := 1.12 - 0.55*math.Pow(math.Hypot((x-380)/960, (y-200)/620), 1.6)
		wander := 0.10 * n.layers(x/260, y/260, 3)
		// Folds hang down and lean; each is a soft ridge beside a soft valley.
		lean := x + 0.12*y + 26*n.at(x/300, y/200)
		fold := 0.045*math.Sin(lean/37) + 0.03*math.Sin(lean/21+1.7)*smooth(150, 540, y)
		weave := 0.012 * n.at(x*0.9, y*0.9)
		return fall + wander + fold + weave
	}
	c.each(c.everywhere(), func(i int, x, y float64) {
		k := light(x, y)
		c.blend(i, screenGreen.mix(rgb{0.10, 0.44, 0.16}, 0.5+0.5*n.at(x/180, y/160)).times(k), 1)
	})
	marker := screenGreen.times(0.78)
	for _, at := range [][2]float64{{110, 90}, {310, 70}, {700, 80}, {880, 120}, {120, 300}, {860, 330}, {250, 450}} {
		b := box{at[0] - 12, at[1] - 12, at[0] + 12, at[1] + 12}
		c.fill(b, 1, func(x, y float64) float64 {
			dx, dy := math.Abs(x-at[0]), math.Abs(y-at[1])
			return math.Min(math.Max(dx-9, dy-1.6), math.Max(dx-1.6, dy-9))
		}, func(x, y float64) rgb { return marker.times(light(x, y)) })
	}
}
