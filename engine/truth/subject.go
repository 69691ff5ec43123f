package truth

import (
	"math"
	"math/rand/v2"
)

// subject is a person down to the chest, drawn as a distance field: head, neck, shoulders, warped so that
// no outline is a clean ellipse, with an edge whose softness changes along the outline.
type subject struct {
	size           float64
	headX, headY   float64 // centre of the head, in plate edges
	headW, headH   float64 // its radii
	lean           float64 // how far the shoulders are from under the head
	shoulderY      float64
	warp, softness noise
	sharp, soft    float64 // softness of the edge in pixels, least and most
	skin, cloth    rgb
	second         rgb // the cloth's other colour
	mane           rgb // hair
	pattern        int
	weave, grain   noise
	lightX         float64 // direction of the key light, -1 left .. 1 right
	spill          float64
}

func newSubject(s Scene, screenHue float64) *subject {
	r := s.random(forSubject)
	b := &subject{
		size:  float64(s.Size),
		headX: between(r, 0.42, 0.58), headY: between(r, 0.37, 0.43),
		headW: between(r, 0.085, 0.11), headH: between(r, 0.115, 0.145),
		lean: between(r, -0.04, 0.04), shoulderY: between(r, 0.645, 0.685),
		warp: noise(r.Uint64()), softness: noise(r.Uint64()),
		sharp: max(0.6, s.pixels(0.7)), soft: max(1, s.pixels(between(r, 6, 14))),
		skin:    rgb{0.80, 0.60, 0.50}.scale(between(r, 0.45, 1.1)),
		cloth:   hsv(clothHue(r, screenHue), between(r, 0.05, 0.7), between(r, 0.15, 0.85)),
		second:  hsv(clothHue(r, screenHue), between(r, 0.0, 0.6), between(r, 0.1, 0.95)),
		mane:    hsv(between(r, 0.03, 0.11), between(r, 0.2, 0.6), between(r, 0.12, 0.75)),
		pattern: r.IntN(3), weave: noise(r.Uint64()), grain: noise(r.Uint64()),
		lightX: between(r, -1, 1), spill: between(r, 0.1, 0.35),
	}
	return b
}

func (b *subject) bounds() (x0, y0, x1, y1 int) { return 0, 0, int(b.size), int(b.size) }

// distance returns the signed distance to the outline in plate edges, negative inside; (u, v) in plate edges.
func (b *subject) distance(u, v float64) float64 {
	wu := u + 0.012*b.warp.octaves(9*u, 9*v, 3, 0.5)
	wv := v + 0.012*(b.warp+1).octaves(9*u, 9*v, 3, 0.5)
	head := ellipse(wu-b.headX, wv-b.headY, b.headW, b.headH)
	neckX := b.headX + b.lean/2
	neck := capsule(wu, wv, b.headX, b.headY, neckX, b.shoulderY, 0.052)
	sx := b.headX + b.lean
	chest := capsule(wu, wv, sx-0.13, b.shoulderY+0.09, sx+0.13, b.shoulderY+0.09, 0.115)
	chest = blend(chest, capsule(wu, wv, sx, b.shoulderY+0.2, sx, 1.3, 0.24), 0.05)
	return blend(head, blend(neck, chest, 0.06), 0.02)
}

// at draws the body.
func (b *subject) at(x, y float64) sample {
	u, v := x/b.size, y/b.size
	d := b.distance(u, v) * b.size
	t := clamp01(0.5 + 0.8*b.softness.octaves(4*u, 4*v, 2, 0.5))
	radius := b.sharp * math.Pow(b.soft/b.sharp, t*t)
	if d >= radius {
		return sample{}
	}
	inside := -d / b.size
	return sample{
		cover:  step(radius, -radius, d),
		colour: b.colour(u, v, inside),
		spill:  b.spill * (0.25 + 0.75*math.Exp(-max(inside, 0)/0.02)),
	}
}

// colour returns the body's colour, inside plate edges from the outline.
func (b *subject) colour(u, v, inside float64) rgb {
	// A soft key light from one side, darker towards the rim: enough for the eye to see a round body.
	shade := 0.78 + 0.22*step(0, 0.07, inside) + 0.18*b.lightX*(u-b.headX)/b.headW/3
	fine := b.grain.octaves(60*u, 60*v, 6, 0.75)
	face := step(1.25, 0.95, (v-b.headY)/b.headH)
	var c rgb
	if face < 1 {
		neck := b.skin.scale(0.85 + 0.1*fine)
		c = b.dress(u, v, fine).mix(neck, step(0.004, -0.004, v-b.neckline(u)))
	}
	if face > 0 {
		c = c.mix(b.head(u, v, fine), face)
	}
	return c.scale(shade).clamp()
}

// neckline is where the clothes begin.
func (b *subject) neckline(u float64) float64 {
	return b.shoulderY - 0.02 - 0.9*math.Pow(math.Abs(u-b.headX-b.lean), 1.3) + 0.004*b.weave.at(60*u, 0)
}

// head draws face and hair.
func (b *subject) head(u, v, fine float64) rgb {
	x, y := (u-b.headX)/b.headW, (v-b.headY)/b.headH
	skin := b.skin.scale(1 + 0.08*fine + 0.10*b.warp.octaves(20*u, 20*v, 3, 0.5))
	skin = skin.add(rgb{0.09, -0.01, -0.01}, math.Exp(-8*((math.Abs(x)-0.5)*(math.Abs(x)-0.5)+(y-0.25)*(y-0.25))))
	eye := math.Hypot((math.Abs(x)-0.38)/0.16, (y+0.05)/0.07)
	skin = skin.mix(rgb{0.08, 0.06, 0.05}, step(1.1, 0.8, eye))
	brow := math.Hypot((math.Abs(x)-0.38)/0.22, (y+0.24+0.1*x*x)/0.05)
	skin = skin.mix(b.mane.scale(0.6), step(1.2, 0.7, brow))
	mouth := math.Hypot(x/0.3, (y-0.52)/0.07)
	skin = skin.mix(rgb{0.55, 0.25, 0.23}.scale(b.skin[0]/0.8), step(1.2, 0.6, mouth))
	// Combed hair: noise drawn out along rays from the crown.
	angle := math.Atan2(x, -(y + 0.2))
	comb := b.weave.octaves(40*angle, 2*math.Hypot(x, y), 4, 0.7)
	hair := b.mane.scale(1 + 0.55*comb)
	line := y + 0.45 - 0.35*x*x*x*x + 0.12*b.warp.octaves(30*u, 5, 3, 0.6)
	return hair.mix(skin, step(-0.04, 0.04, line)*step(0.98, 0.86, math.Abs(x)))
}

// dress draws the clothes: a knit, a check or a print.
func (b *subject) dress(u, v, fine float64) rgb {
	c := b.cloth.scale(1 + 0.25*fine + 0.3*b.weave.octaves(5*u, 5*v, 3, 0.5))
	switch b.pattern {
	case 0: // knit: rows of short slanted stitches
		row := math.Sin(2 * math.Pi * (90*v + 0.3*math.Abs(math.Mod(60*u, 2)-1)))
		return c.scale(1 + 0.3*row)
	case 1: // check: two crossing sets of hard stripes
		a, d := 0.7*u+0.7*v, 0.7*u-0.7*v
		s := step(-0.05, 0.05, math.Sin(2*math.Pi*14*a)-0.3) + step(-0.05, 0.05, math.Sin(2*math.Pi*14*d)-0.5)
		return c.mix(b.second, 0.45*s)
	default: // print: hard-edged blots
		return c.mix(b.second, step(0.02, 0.06, b.weave.octaves(13*u, 13*v+40, 3, 0.5)))
	}
}

// ellipse is the distance to an ellipse to first order, exact on its outline.
func ellipse(x, y, rx, ry float64) float64 {
	k := math.Hypot(x/rx, y/ry)
	g := math.Hypot(x/(rx*rx), y/(ry*ry))
	if g == 0 {
		return -min(rx, ry)
	}
	return k * (k - 1) / g
}

// capsule is the distance to a line from a to b with round ends of radius r.
func capsule(x, y, ax, ay, bx, by, r float64) float64 {
	dx, dy := bx-ax, by-ay
	t := clamp01(((x-ax)*dx + (y-ay)*dy) / (dx*dx + dy*dy))
	return math.Hypot(x-ax-t*dx, y-ay-t*dy) - r
}

// blend is the union of two distances with the seam rounded over k (Quilez, polynomial smooth minimum).
func blend(a, b, k float64) float64 {
	h := max(k-math.Abs(a-b), 0) / k
	return min(a, b) - h*h*k/4
}

// outline returns the point where a ray from (u, v) in the given direction leaves the body, or false.
func (b *subject) outline(u, v, angle float64) (x, y float64, ok bool) {
	dx, dy := math.Cos(angle), math.Sin(angle)
	in, out := 0.0, 1.0
	if b.distance(u, v) >= 0 || b.distance(u+dx, v+dy) < 0 {
		return 0, 0, false
	}
	for range 24 {
		if mid := (in + out) / 2; b.distance(u+mid*dx, v+mid*dy) < 0 {
			in = mid
		} else {
			out = mid
		}
	}
	return u + in*dx, v + in*dy, true
}

// hair grows the subject's strands: a mane around the head, flyaways, and the fuzz of the clothes.
func (b *subject) hair(r *rand.Rand) []strand {
	var strands []strand
	px := b.size / 2048
	wave := noise(r.Uint64())
	curl := between(r, 0, 1)
	for range 3000 {
		angle := -math.Pi/2 + between(r, -1.9, 1.9)
		x, y, ok := b.outline(b.headX, b.headY-0.3*b.headH, angle)
		if !ok {
			continue
		}
		length := px * mix(40, 260, math.Pow(r.Float64(), 2.2))
		if r.Float64() < 0.06 {
			length = px * between(r, 250, 520)
		}
		root := between(r, 10, 110)
		s := strand{
			x: x*b.size - px*root*math.Cos(angle), y: y*b.size - px*root*math.Sin(angle),
			angle: angle + 0.35*r.NormFloat64(), length: length + px*root,
			bend: between(r, -1, 1) * mix(0.6, 2.2, curl), fall: between(r, 0.2, 1.1),
			wave: wave, phase: 40 * x, width: px * mix(0.5, 3.6, math.Pow(r.Float64(), 1.8)),
			opacity: between(r, 0.7, 1), colour: b.mane.scale(between(r, 0.7, 1.5)), spill: b.spill * between(r, 0.4, 1.2),
		}
		strands = append(strands, s)
	}
	sx := b.headX + b.lean
	for range 1500 {
		angle := between(r, -math.Pi*1.05, math.Pi*0.05)
		x, y, ok := b.outline(sx, b.shoulderY+0.12, angle)
		if !ok || y < b.headY+b.headH || y > 0.99 {
			continue
		}
		strands = append(strands, strand{
			x: x * b.size, y: y * b.size, angle: angle + 0.7*r.NormFloat64(), length: px * mix(8, 50, r.Float64()*r.Float64()),
			bend: 1.5 * r.NormFloat64(), wave: wave, phase: 90 * x, width: px * between(r, 0.4, 1.6),
			opacity: between(r, 0.5, 0.95), colour: b.cloth.scale(between(r, 0.9, 1.3)), spill: b.spill,
		})
	}
	return strands
}
