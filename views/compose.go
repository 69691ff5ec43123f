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
		if even == odd {
			over(l, 0, len(l.upper), even, out)
			return
		}
		s := (x/square + y/square) & 1
		for from, to := 0, square-x%square; from < len(l.upper); from, to = to, to+square {
			to = min(to, len(l.upper))
			g := even
			if s == 1 {
				g = odd
			}
			over(l, from, to, g, out)
			s = 1 - s
		}
	}
	return b
}

// over returns what lays pixels from..to of a row over a ground.
func (f frame) over(linear bool) func(l line, from, to int, g ground, out []uint8) {
	if f.look.plain() && f.look.Comp.Blend != settings.BlendDisplay {
		// The common case in whole numbers, with both rows mixed at once.
		over := f.colourOver
		if linear {
			over = f.lightOver
		}
		return func(l line, from, to int, g ground, out []uint8) { over(l.pixels(from, to), g, out[4*from:4*to]) }
	}
	mix := f.mixer(linear)
	return func(l line, from, to int, g ground, out []uint8) { mix.overPlain(l, from, to, g, out) }
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

// foreground returns the colour and the matte, 0..1, of a pixel as they are mixed.
func (m *mixer) foreground(a, b *quad, part float32) (red, green, blue, matte float32) {
	red, green, blue = a[0]+(b[0]-a[0])*part, a[1]+(b[1]-a[1])*part, a[2]+(b[2]-a[2])*part
	if m.convert != nil {
		red, green, blue = m.convert.at(red), m.convert.at(green), m.convert.at(blue)
	}
	return red, green, blue, clip(a[3]+(b[3]-a[3])*part) / full
}

// overPlain lays pixels from..to of a row over a ground.
func (m *mixer) overPlain(l line, from, to int, g ground, out []uint8) {
	back := g.coded
	if !m.display {
		back = [3]float32{float32(g.light[0]), float32(g.light[1]), float32(g.light[2])}
	}
	for i := from; i < to; i++ {
		red, green, blue, matte := m.foreground(&l.upper[i], &l.lower[i], l.part)
		if matte == 0 {
			// The foreground there may be anything.
			m.put(out[4*i:4*i+4], back[0], back[1], back[2], m.opaque)
			continue
		}
		rest := 1 - matte
		m.put(out[4*i:4*i+4], red*matte+back[0]*rest, green*matte+back[1]*rest, blue*matte+back[2]*rest, m.opaque)
	}
}

// overPicture lays a row over a picture in linear light; outside the picture is black.
func (m *mixer) overPicture(l line, out []uint8) {
	for i := range l.upper {
		var back [3]float32
		if p := l.behind; p != nil && i >= p.from && i < p.to {
			a, b := &p.upper[i], &p.lower[i]
			for c := range back {
				back[c] = (a[c] + (b[c]-a[c])*p.part) * m.gain
				if m.encode != nil {
					back[c] = m.encode.at(back[c])
				}
			}
		}
		red, green, blue, matte := m.foreground(&l.upper[i], &l.lower[i], l.part)
		if matte == 0 {
			m.put(out[4*i:4*i+4], back[0], back[1], back[2], m.opaque)
			continue
		}
		rest := 1 - matte
		m.put(out[4*i:4*i+4], red*matte+back[0]*rest, green*matte+back[1]*rest, blue*matte+back[2]*rest, m.opaque)
	}
}

// solid is what a matte of 1 can be cut to between floats.
const solid = full - 1

// colourOver shows sRGB-encoded colour over a ground, mixed in linear light.
func (t *tables) colourOver(pixels []pixel, g ground, out []uint8) {
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
func (t *tables) lightOver(pixels []pixel, g ground, out []uint8) {
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
