package truth

import (
	"math"
)

// bars are slats that moved while the shutter was open: the mean over the shutter's time of a row of
// sharp-edged bars, colour and coverage alike.
type bars struct {
	x, y          float64 // centre, pixels
	cos, sin      float64 // direction along the bars
	half          float64 // half the length of a bar
	pitch, width  float64
	count         int
	move          float64 // length of the motion across the bars, pixels
	colour, other rgb
	edge          float64
	spill         float64
}

func newBars(s Scene, screenHue float64) *bars {
	r := s.random(forBars)
	side := 1.0
	if r.IntN(2) == 0 {
		side = -1
	}
	angle := between(r, -0.6, 0.6) + math.Pi/2
	b := &bars{
		x: (0.5 + side*between(r, 0.29, 0.35)) * float64(s.Size), y: between(r, 0.25, 0.5) * float64(s.Size),
		cos: math.Cos(angle), sin: math.Sin(angle),
		half: s.pixels(between(r, 120, 240)), pitch: s.pixels(between(r, 44, 80)),
		count: 4 + r.IntN(4), move: s.pixels(between(r, 14, 60)),
		colour: hsv(clothHue(r, screenHue), between(r, 0.2, 0.7), between(r, 0.2, 0.9)),
		other:  hsv(clothHue(r, screenHue), between(r, 0, 0.6), between(r, 0.1, 0.9)),
		edge:   max(0.6, s.pixels(0.8)), spill: between(r, 0, 0.25),
	}
	b.width = b.pitch * between(r, 0.3, 0.65)
	return b
}

func (b *bars) bounds() (x0, y0, x1, y1 int) {
	reach := math.Hypot(b.half, float64(b.count)*b.pitch/2+b.move) + 8
	return int(b.x - reach), int(b.y - reach), int(b.x+reach) + 1, int(b.y+reach) + 1
}

// at draws the bars, averaged over positions at most half a pixel apart.
func (b *bars) at(x, y float64) sample {
	dx, dy := x-b.x, y-b.y
	along := dx*b.cos + dy*b.sin
	across := -dx*b.sin + dy*b.cos
	ends := step(b.half+b.edge, b.half-b.edge, math.Abs(along))
	if ends == 0 || math.Abs(across) > float64(b.count)*b.pitch/2+b.move {
		return sample{}
	}
	frames := int(2*b.move) + 1
	var cover float64
	var colour rgb
	for i := range frames {
		shift := b.move * ((float64(i)+0.5)/float64(frames) - 0.5)
		c, tint := b.still(across + shift)
		cover += c
		colour = colour.add(b.colour.mix(b.other, tint), c)
	}
	if cover == 0 {
		return sample{}
	}
	colour = colour.scale((0.85 + 0.15*math.Sin(along/b.pitch*3)) / cover)
	return sample{cover: ends * cover / float64(frames), colour: colour, spill: b.spill}
}

// still returns coverage and tint of the row of bars at rest, at a place across them.
func (b *bars) still(across float64) (cover, tint float64) {
	at := across/b.pitch + float64(b.count)/2
	i := math.Floor(at)
	if i < 0 || i >= float64(b.count) {
		return 0, 0
	}
	d := math.Abs(at-i-0.5) * b.pitch
	return step(b.width/2+b.edge, b.width/2-b.edge, d), math.Mod(i, 2)*0.8 + 0.2*d/b.width
}
