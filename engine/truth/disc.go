package truth

import "math"

// disc is a ball far out of focus: a disc spread by the lens's own disc. Its coverage is the part of the
// lens's disc around a pixel that meets the ball: the area two circles share.
type disc struct {
	x, y, radius, lens float64 // pixels
	colour, rim        rgb
	spill              float64
}

// newDisc places the disc: a large one behind the subject, or a small one in front of everything.
func newDisc(s Scene, screenHue float64, behind bool) *disc {
	purpose := uint64(forDiscs)
	if behind {
		purpose += 100
	}
	r := s.random(purpose)
	d := &disc{
		colour: hsv(clothHue(r, screenHue), between(r, 0.1, 0.8), between(r, 0.2, 0.95)),
		spill:  between(r, 0, 0.25),
	}
	d.rim = d.colour.scale(between(r, 0.5, 1.2))
	n := float64(s.Size)
	if behind {
		d.x, d.y = between(r, 0.05, 0.95)*n, between(r, 0.1, 0.7)*n
		d.radius, d.lens = s.pixels(between(r, 110, 200)), s.pixels(between(r, 30, 70))
		return d
	}
	d.x, d.y = between(r, 0.1, 0.9)*n, between(r, 0.1, 0.9)*n
	d.radius, d.lens = s.pixels(between(r, 50, 110)), s.pixels(between(r, 15, 45))
	return d
}

func (d *disc) bounds() (x0, y0, x1, y1 int) {
	reach := d.radius + d.lens
	return int(d.x - reach), int(d.y - reach), int(d.x+reach) + 1, int(d.y+reach) + 1
}

func (d *disc) at(x, y float64) sample {
	away := math.Hypot(x-d.x, y-d.y)
	cover := shared(away, d.radius, d.lens) / (math.Pi * d.lens * d.lens)
	shade := 0.85 - 0.2*(y-d.y)/(d.radius+d.lens)
	return sample{
		cover:  clamp01(cover),
		colour: d.colour.mix(d.rim, step(0, d.radius, away)).scale(shade),
		spill:  d.spill,
	}
}

// shared is the area that two circles of radii a and b share whose centres are d apart.
func shared(d, a, b float64) float64 {
	if d >= a+b {
		return 0
	}
	if small := min(a, b); d <= math.Abs(a-b) {
		return math.Pi * small * small
	}
	x := (d*d + a*a - b*b) / (2 * d)
	h := math.Sqrt(max(a*a-x*x, 0))
	return a*a*math.Atan2(h, x) + b*b*math.Atan2(h, d-x) - d*h
}
