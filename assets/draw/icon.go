package main

import (
	"image"
	"math"
)

// icon draws the app's icon: a plate that turns into its matte along a slanted line.
func icon(size int) image.Image {
	c := newCanvas(size, size, 4)
	k := float64(size) / 512
	tile := func(x, y float64) float64 { return rounded(x/k, y/k, 256, 256, 224, 224, 96) * k }
	split := func(x, y float64) float64 { return (x/k - 256) + 0.28*(y/k-256) }
	c.fill(c.everywhere(), 1, tile, func(x, y float64) rgb {
		if split(x, y) > 0 {
			return srgb(14, 15, 16)
		}
		return srgb(92, 214, 104).mix(srgb(22, 118, 52), smooth(-60, 560, y/k+0.35*x/k))
	})
	bust := func(x, y float64) float64 {
		x, y = x/k, y/k
		head := ellipse(x, y, 256, 208, 84, 98)
		neck := math.Max(math.Abs(x-256)-34, math.Max(260-y, y-360))
		shoulders := ellipse(x, y, 256, 470, 176, 142)
		return join(join(head, neck, 18), shoulders, 34) * k
	}
	inside := func(x, y float64) float64 { return math.Max(bust(x, y), tile(x, y)) }
	c.fill(c.everywhere(), 1, inside, func(x, y float64) rgb {
		if split(x, y) > 0 {
			return rgb{0.93, 0.93, 0.93}
		}
		return srgb(38, 44, 66).mix(srgb(16, 18, 30), smooth(100, 460, y/k))
	})
	// The line along which one becomes the other.
	c.fill(c.everywhere(), 1, func(x, y float64) float64 {
		return math.Max(math.Abs(split(x, y))*k/1.04-4.5*k, tile(x, y))
	}, func(float64, float64) rgb { return rgb{1, 1, 1} })
	return c.image(0)
}

// rounded is the distance to a box with rounded corners.
func rounded(x, y, cx, cy, hw, hh, radius float64) float64 {
	dx, dy := math.Abs(x-cx)-hw+radius, math.Abs(y-cy)-hh+radius
	return math.Hypot(math.Max(dx, 0), math.Max(dy, 0)) + math.Min(math.Max(dx, dy), 0) - radius
}
