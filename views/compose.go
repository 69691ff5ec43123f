package views

import (
	"math"

	"greenroom/engine/colour"
	"greenroom/engine/settings"
)

// ground is a colour behind a key.
type ground struct {
	// shown is sRGB-encoded in 8 bits, light linear light, 0..full.
	shown, light [3]uint32
	// coded is sRGB-encoded, 0..full.
	coded [3]float32
}

// plainGround returns the ground of an sRGB-encoded colour, 0..1.
func plainGround(c [3]float32) ground {
	var g ground
	for i, v := range c {
		g.coded[i] = clip(v * full)
		g.shown[i] = uint32(g.coded[i]/256 + 0.5)
		g.light[i] = uint32(clip(colour.SRGBToLinear(v)*full) + 0.5)
	}
	return g
}

// middleGrey is settings.BackgroundGrey in linear light.
const middleGrey = 0.18

// grounds returns the colours behind a key: two by turns for the checker.
func (f frame) grounds() (even, odd ground) {
	plain := func(r, g, b float32) (ground, ground) {
		c := plainGround([3]float32{r, g, b})
		return c, c
	}
	switch f.look.Background {
	case settings.BackgroundBlack:
		return plain(0, 0, 0)
	case settings.BackgroundWhite:
		return plain(1, 1, 1)
	case settings.BackgroundGrey:
		v := colour.LinearToSRGB(middleGrey)
		return plain(v, v, v)
	case settings.BackgroundColour:
		c := f.look.Comp.Colour
		return plain(float32(c[0]), float32(c[1]), float32(c[2]))
	}
	const dark, light = checkerDark / 255.0, checkerLight / 255.0
	return plainGround([3]float32{dark, dark, dark}), plainGround([3]float32{light, light, light})
}

// comp shows a key over its background.
func (f frame) comp(k *Key) brush {
	b := brush{colour: k.fg, matte: k.matte}
	if f.look.Background == settings.BackgroundPicture && f.layers.Backdrop != nil {
		b.same = func(int) bool { return false }
		b.behind = f.backdrop(f.layers.Backdrop)
		mix := f.mixer(k.fg.linear)
		b.row = func(_, _ int, l line, out []uint8) { mix.overPicture(l, out) }
		return b
	}
	square := max(int(checkerSquare*f.look.Unit+0.5), 1)
	even, odd := f.grounds()
	b.same = func(y int) bool { return even == odd || y%square != 0 }
	over := f.over(k.fg.linear)
	b.row = func(x, y int, l line, out []uint8) {
		paint := over(l)
		n := len(l.upper)
		if even == odd {
			paint(0, n, &even, out)
			return
		}
		this, other := &even, &odd
		if (x/square+y/square)&1 == 1 {
			this, other = other, this
		}
		for from, to := 0, square-x%square; from < n; from, to = to, to+square {
			to = min(to, n)
			paint(from, to, this, out[4*from:4*to])
			this, other = other, this
		}
	}
	return b
}

// over returns what begins a row, and then lays its pixels from..to over a ground.
func (f frame) over(linear bool) func(l line) func(from, to int, g *ground, out []uint8) {
	if f.look.plain() && f.look.Comp.Blend != settings.BlendDisplay {
		// The common case in whole numbers.
		over := f.colourOver
		if linear {
			over = f.lightOver
		}
		return func(l line) func(from, to int, g *ground, out []uint8) {
			pixels := l.pixels()
			return func(from, to int, g *ground, out []uint8) { over(pixels[from:to], g, out) }
		}
	}
	mix := f.mixer(linear)
	return func(l line) func(from, to int, g *ground, out []uint8) {
		quads := mix.foreground(l)
		return func(from, to int, g *ground, out []uint8) { mix.overPlain(quads[from:to], g, out) }
	}
}

// mixer lays colours over others in any light, under any tone.
type mixer struct {
	// display says that sRGB-encoded values are mixed.
	display bool
	// convert makes the foreground's numbers what is mixed, encode does so with the background's linear light; nil where
	// they are.
	convert, encode *curveTable
	// gain brightens a picture behind.
	gain   float32
	opaque uint32
	shader
}

func (f frame) mixer(linear bool) *mixer {
	m := &mixer{
		display: f.look.Comp.Blend == settings.BlendDisplay, gain: float32(math.Exp2(f.look.Comp.Exposure)), opaque: f.opaque,
	}
	switch {
	case m.display && linear:
		m.convert = f.encoding
	case !m.display && !linear:
		m.convert = f.decoding
	}
	if m.display {
		m.encode = f.encoding
	}
	m.shader = f.shader(!m.display)
	return m
}

// foreground returns a row's colours as they are mixed, with their mattes, 0..full.
func (m *mixer) foreground(l line) []quad {
	out := l.ownQuads()
	for i := range out {
		q := &out[i]
		if q[3] = clip(q[3]); m.convert != nil && q[3] > 0 {
			q[0], q[1], q[2] = m.convert.at(q[0]), m.convert.at(q[1]), m.convert.at(q[2])
		}
	}
	return out
}

// overPlain lays colours over a ground, in place, and shows them.
func (m *mixer) overPlain(quads []quad, g *ground, out []uint8) {
	back := g.coded
	if !m.display {
		back = [3]float32{float32(g.light[0]), float32(g.light[1]), float32(g.light[2])}
	}
	for i := range quads {
		q := &quads[i]
		if q[3] == 0 {
			// The foreground there may be anything.
			q[0], q[1], q[2] = back[0], back[1], back[2]
			continue
		}
		matte := q[3] / full
		rest := 1 - matte
		q[0], q[1], q[2] = q[0]*matte+back[0]*rest, q[1]*matte+back[1]*rest, q[2]*matte+back[2]*rest
	}
	m.show(quads, m.opaque, out)
}

// overPicture lays a row over a picture in linear light, and shows it; outside the picture is black.
func (m *mixer) overPicture(l line, out []uint8) {
	quads := m.foreground(l)
	p := l.behind
	if p == nil || p.from >= p.to {
		m.overPlain(quads, &ground{}, out)
		return
	}
	m.overPlain(quads[:p.from], &ground{}, out)
	m.overPlain(quads[p.to:], &ground{}, out[4*p.to:])
	back := p.quads()[p.from:p.to]
	covered := quads[p.from:p.to]
	for i := range covered {
		q, b := &covered[i], &back[i]
		if q[3] == full {
			continue
		}
		red, green, blue := b[0]*m.gain, b[1]*m.gain, b[2]*m.gain
		if m.encode != nil {
			red, green, blue = m.encode.at(red), m.encode.at(green), m.encode.at(blue)
		}
		if q[3] == 0 {
			q[0], q[1], q[2] = red, green, blue
			continue
		}
		matte := q[3] / full
		rest := 1 - matte
		q[0], q[1], q[2] = q[0]*matte+red*rest, q[1]*matte+green*rest, q[2]*matte+blue*rest
	}
	m.show(covered, m.opaque, out[4*p.from:4*p.to])
}

// solid is what a matte of 1 can be cut to between floats.
const solid = full - 1

// colourOver shows sRGB-encoded colour over a ground, mixed in linear light.
func (t *tables) colourOver(pixels []pixel, g *ground, out []uint8) {
	const round = roundNumber * (1 | 1<<16 | 1<<32)
	out, opaque := out[:4*len(pixels)], t.opaque
	for i, p := range pixels {
		matte, o := p.matte(), out[4*i:4*i+4]
		switch {
		case matte == 0:
			put(o, g.shown[0], g.shown[1], g.shown[2], opaque)
			continue
		case matte >= solid:
			put(o, (p.red()+half)>>8, (p.green()+half)>>8, (p.blue()+half)>>8, opaque)
			continue
		}
		p += round
		red := uint32(t.decode[p>>numberShift&0xfff])
		green := uint32(t.decode[p>>(16+numberShift)&0xfff])
		blue := uint32(t.decode[p>>(32+numberShift)&0xfff])
		rest := full - matte
		put(o, t.product(red*matte+g.light[0]*rest+roundProduct), t.product(green*matte+g.light[1]*rest+roundProduct),
			t.product(blue*matte+g.light[2]*rest+roundProduct), opaque)
	}
}

// lightOver shows linear light over a ground.
func (t *tables) lightOver(pixels []pixel, g *ground, out []uint8) {
	out, opaque := out[:4*len(pixels)], t.opaque
	for i, p := range pixels {
		matte, o := p.matte(), out[4*i:4*i+4]
		if matte == 0 {
			put(o, g.shown[0], g.shown[1], g.shown[2], opaque)
			continue
		}
		rest := full - matte
		put(o, t.product(p.red()*matte+g.light[0]*rest+roundProduct), t.product(p.green()*matte+g.light[1]*rest+roundProduct),
			t.product(p.blue()*matte+g.light[2]*rest+roundProduct), opaque)
	}
}
