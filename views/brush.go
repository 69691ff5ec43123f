package views

import (
	"encoding/binary"

	"greenroom/engine/colour"
)

// brush turns samples into pixels for the display.
type brush struct {
	// colour and matte are the pictures that it reads; one may be nil. The matte may be a hint.
	colour, matte *Shown
	// unmatted says that the colour's own matte is not needed, uncoloured that only that is.
	unmatted, uncoloured bool
	// row writes the pixels, R G B A, of a row whose first is at (x, y) in the viewport.
	row func(x, y int, l line, out []uint8)
	// same reports whether rows y and y-1 look the same where their samples are the same; nil is always.
	same func(y int) bool
}

// tables encode and decode sRGB.
type tables struct {
	// encode maps linear light to 8 bits for the display. It is read at the product of two of a pixel's numbers,
	// rounded by roundProduct and shifted by productShift.
	encode [1 << (32 - productShift)]uint8
	// decode maps an sRGB-encoded number of a pixel to linear light, 0..full. It is read at the number rounded by
	// roundNumber and shifted by numberShift.
	decode [1 << (16 - numberShift)]uint16
	// tint maps a hint in 8 bits to how much of the overlay covers the plate, in 256ths: it is a tint, and 8 bits of
	// it are enough.
	tint [256]uint8
	// opaque is an alpha of 255 where put wants it. It is no constant, because the compiler would write that byte by
	// itself, and the others too.
	opaque uint32
}

const (
	productShift, roundProduct = 18, 1 << 17
	numberShift, roundNumber   = 4, 1 << 3
)

// fill computes the tables.
func (t *tables) fill() {
	t.opaque = 255 << 24
	for i := range t.tint {
		t.tint[i] = uint8((255 - i) * tint / 255)
	}
	for i := range t.encode {
		light := float64(i<<productShift) / (full * full)
		t.encode[i] = uint8(min(colour.LinearToSRGB(float32(light)), 1)*255 + 0.5)
	}
	for i := range t.decode {
		number := float32(i<<numberShift) / full
		t.decode[i] = uint16(min(colour.SRGBToLinear(number), 1)*full + 0.5)
	}
}

// light decodes an sRGB-encoded number of a pixel.
func (t *tables) light(v uint32) uint32 { return uint32(t.decode[uint16(v+roundNumber)>>numberShift]) }

// product encodes the product of two of a pixel's numbers, to which roundProduct has been added.
func (t *tables) product(v uint32) uint32 { return uint32(t.encode[v>>productShift]) }

// put writes one pixel.
func put(out []uint8, red, green, blue, opaque uint32) {
	binary.LittleEndian.PutUint32(out, red|green<<8|blue<<16|opaque)
}

// colours shows a picture's colour.
func (f frame) colours(s *Shown) brush {
	return brush{colour: s, unmatted: true, row: func(_, _ int, l line, out []uint8) { f.colourRow(l, s.linear, f.opaque, out) }}
}

// colourRow shows colour; alpha is opaque, or 0 to leave what an sRGB-encoded colour's matte is in 8 bits there.
func (t *tables) colourRow(l line, linear bool, alpha uint32, out []uint8) {
	if !linear {
		downBytes(out, l.upper, l.lower, l.part, alpha)
		return
	}
	pixels := l.pixels()
	out = out[:4*len(pixels)]
	for i, p := range pixels {
		a := alpha
		if a == 0 {
			a = (p.matte() + half) >> 8 << 24
		}
		put(out[4*i:4*i+4], t.product(p.red()*full+roundProduct), t.product(p.green()*full+roundProduct),
			t.product(p.blue()*full+roundProduct), a)
	}
}

// hint shows a hint by its plain values, which are no light.
func (f frame) hint(s *Shown) brush { return brush{matte: s, row: f.matteRow} }

// matte shows a key's matte by its plain values, which are no light.
func (f frame) matte(k *Key) brush {
	if k.matte != nil {
		return f.hint(k.matte)
	}
	return brush{colour: k.fg, uncoloured: true, row: f.matteRow}
}

// matteRow shows mattes.
func (t *tables) matteRow(_, _ int, l line, out []uint8) {
	downBytes(out, l.upper, l.lower, l.part, 0)
	opaque := t.opaque
	for ; len(out) >= 4; out = out[4:] {
		v := uint32(out[3])
		put(out, v, v, v, opaque)
	}
}

// plate shows the plate, tinted outside the hint where the overlay is on.
func (f frame) plate() brush {
	b := f.colours(f.layers.Plate)
	hint := f.layers.Hint
	if !f.look.Overlay || hint == nil || hint.bounds() != f.layers.Plate.bounds() {
		return b
	}
	b.matte = hint
	b.row = func(_, _ int, l line, out []uint8) {
		f.colourRow(l, f.layers.Plate.linear, 0, out)
		f.tintRow(out)
	}
	return b
}

// tintRow tints what a hint, which is where alpha will be, leaves out.
func (t *tables) tintRow(out []uint8) {
	const redBlue, green = 0xff00ff, 0x00ff00
	opaque := t.opaque
	for ; len(out) >= 4; out = out[4:] {
		v := binary.LittleEndian.Uint32(out)
		k := uint32(t.tint[v>>24])
		rb, g := v&redBlue, v&green
		rb += (redBlue - rb) * k >> 8 & redBlue
		g -= g * k >> 8 & green
		binary.LittleEndian.PutUint32(out, rb|g|opaque)
	}
}

// waiting shows the plate where a key's tiles are missing: dim, and hatched once they will not come.
func (f frame) waiting() brush {
	b := f.colours(f.layers.Plate)
	step, width := int(hatchStep*f.look.Unit+0.5), int(hatchWidth*f.look.Unit+0.5)
	b.same = func(int) bool { return !f.layers.Stopped }
	b.row = func(x, y int, l line, out []uint8) {
		f.colourRow(l, f.layers.Plate.linear, f.opaque, out)
		dimRow(out)
		if f.layers.Stopped {
			hatchRow(x+y, step, width, out)
		}
	}
	return b
}

// dimRow darkens pixels.
func dimRow(out []uint8) {
	for ; len(out) >= 4; out = out[4:] {
		for c := range 3 {
			out[c] = uint8(int(out[c]) * dim >> 8)
		}
	}
}

// hatchRow draws stripes, of a width, one a step; from is how far the first pixel is behind the edge of one.
func hatchRow(from, step, width int, out []uint8) {
	for ; len(out) >= 4; out = out[4:] {
		if from%step < width {
			out[0], out[1], out[2] = hatchGrey, hatchGrey, hatchGrey
		}
		from++
	}
}

// comp shows a key over a checker, blended in linear light.
func (f frame) comp(k *Key) brush {
	square := max(int(checkerSquare*f.look.Unit+0.5), 1)
	var squares [2]ground
	for i, grey := range []uint32{checkerDark, checkerLight} {
		squares[i] = ground{grey: grey, light: f.light(grey << 8)}
	}
	over := f.colourOver
	if k.fg.linear {
		over = f.lightOver
	}
	return brush{
		colour: k.fg, matte: k.matte,
		same: func(y int) bool { return y%square != 0 },
		row: func(x, y int, l line, out []uint8) {
			pixels := l.pixels()
			s := (x/square + y/square) & 1
			for from, to := 0, square-x%square; from < len(pixels); from, to = to, to+square {
				to = min(to, len(pixels))
				over(pixels[from:to], squares[s], out[4*from:4*to])
				s = 1 - s
			}
		},
	}
}

// ground is a grey behind a key: sRGB-encoded in 8 bits, and its linear light, 0..full.
type ground struct{ grey, light uint32 }

// solid is what a matte of 1 can be cut to between floats.
const solid = full - 1

// colourOver shows sRGB-encoded colour over a grey.
func (t *tables) colourOver(pixels []pixel, g ground, out []uint8) {
	const round = roundNumber * (1 | 1<<16 | 1<<32)
	out, opaque := out[:4*len(pixels)], t.opaque
	for i, p := range pixels {
		matte, o := p.matte(), out[4*i:4*i+4]
		switch {
		case matte == 0:
			put(o, g.grey, g.grey, g.grey, opaque)
			continue
		case matte >= solid:
			put(o, (p.red()+half)>>8, (p.green()+half)>>8, (p.blue()+half)>>8, opaque)
			continue
		}
		p += round
		red := uint32(t.decode[p>>numberShift&0xfff])
		green := uint32(t.decode[p>>(16+numberShift)&0xfff])
		blue := uint32(t.decode[p>>(32+numberShift)&0xfff])
		rest := g.light*(full-matte) + roundProduct
		put(o, t.product(red*matte+rest), t.product(green*matte+rest), t.product(blue*matte+rest), opaque)
	}
}

// lightOver shows linear light over a grey.
func (t *tables) lightOver(pixels []pixel, g ground, out []uint8) {
	out, opaque := out[:4*len(pixels)], t.opaque
	for i, p := range pixels {
		matte, o := p.matte(), out[4*i:4*i+4]
		if matte == 0 {
			put(o, g.grey, g.grey, g.grey, opaque)
			continue
		}
		rest := g.light*(full-matte) + roundProduct
		put(o, t.product(p.red()*matte+rest), t.product(p.green()*matte+rest), t.product(p.blue()*matte+rest), opaque)
	}
}
