package views

import (
	"encoding/binary"
	"image"

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
	// behind samples what lies behind the colour; nil is nothing.
	behind func(image.Rectangle) *behindSampler
}

// tables encode and decode sRGB.
type tables struct {
	// encode maps linear light to 8 bits for the display. It is read at the product of two of a pixel's numbers,
	// rounded by roundProduct and shifted by productShift.
	encode [1 << (32 - productShift)]uint8
	// decode maps an sRGB-encoded number of a pixel to linear light, 0..full. It is read at the number rounded by
	// roundNumber and shifted by numberShift.
	decode [1 << (16 - numberShift)]uint16
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
	for i := range t.encode {
		light := float64(i<<productShift) / (full * full)
		t.encode[i] = uint8(min(colour.LinearToSRGB(float32(light)), 1)*255 + 0.5)
	}
	for i := range t.decode {
		number := float32(i<<numberShift) / full
		t.decode[i] = uint16(min(colour.SRGBToLinear(number), 1)*full + 0.5)
	}
}

// product encodes the product of two of a pixel's numbers, to which roundProduct has been added.
func (t *tables) product(v uint32) uint32 { return uint32(t.encode[v>>productShift]) }

// put writes one pixel.
func put(out []uint8, red, green, blue, opaque uint32) {
	binary.LittleEndian.PutUint32(out, red|green<<8|blue<<16|opaque)
}

// colours shows a picture's colour.
func (f frame) colours(s *Shown) brush {
	row := f.colourRow(s.linear)
	return brush{colour: s, unmatted: true, row: func(_, _ int, l line, out []uint8) { row(l, f.opaque, out) }}
}

// colourRow returns what shows a row of colour; alpha is opaque, or 0 to leave what the line's matte is in 8 bits there.
func (f frame) colourRow(linear bool) func(l line, alpha uint32, out []uint8) {
	switch {
	case !f.look.plain():
		s := f.shader(linear)
		return s.row
	case linear:
		return f.lightRow
	}
	return func(l line, alpha uint32, out []uint8) { downBytes(out, l.upper, l.lower, l.part, alpha) }
}

// lightRow shows linear light as it is.
func (t *tables) lightRow(l line, alpha uint32, out []uint8) {
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

// seenPlate shows the plate as the network sees it.
func (f frame) seenPlate() brush {
	if f.layers.Seen != nil {
		return f.colours(f.layers.Seen)
	}
	return f.colours(f.layers.Plate)
}

// seenStops is how much brighter the network sees the picture of seenPlate.
func (f frame) seenStops() float64 {
	if f.layers.Seen != nil {
		return 0
	}
	return f.look.KeyExposure
}

// hint shows a hint by its plain values, which are no light.
func (f frame) hint(s *Shown) brush { return brush{matte: s, row: f.matteRow()} }

// matte shows a key's matte by its plain values, which are no light.
func (f frame) matte(k *Key) brush {
	if k.matte != nil {
		return f.hint(k.matte)
	}
	return brush{colour: k.fg, uncoloured: true, row: f.matteRow()}
}

// matteRow returns what shows mattes.
func (f frame) matteRow() func(x, y int, l line, out []uint8) {
	if f.look.Gain == GainNone {
		return f.plainMatteRow
	}
	return func(_, _ int, l line, out []uint8) {
		quads := l.quads()
		out = out[:4*len(quads)]
		for i := range quads {
			v := uint32(clip(f.look.Gain.apply(quads[i][3]))/256 + 0.5)
			put(out[4*i:4*i+4], v, v, v, f.opaque)
		}
	}
}

// plainMatteRow shows mattes as they are.
func (t *tables) plainMatteRow(_, _ int, l line, out []uint8) {
	downBytes(out, l.upper, l.lower, l.part, 0)
	opaque := t.opaque
	for ; len(out) >= 4; out = out[4:] {
		v := uint32(out[3])
		put(out, v, v, v, opaque)
	}
}

// plate shows the plate, under the hint's overlay where that is on.
func (f frame) plate() brush {
	b := f.colours(f.layers.Plate)
	if !f.overlays() {
		return b
	}
	return f.overlaid(b)
}

// overlays reports whether the hint is laid over the plate.
func (f frame) overlays() bool {
	hint := f.layers.Hint
	return f.look.Overlay && hint != nil && hint.bounds() == f.layers.Plate.bounds()
}

// waiting shows the plate where a key's tiles are missing: dim, and hatched once they will not come.
func (f frame) waiting() brush {
	b := f.colours(f.layers.Plate)
	step, width := int(hatchStep*f.look.Unit+0.5), int(hatchWidth*f.look.Unit+0.5)
	b.same = func(int) bool { return !f.layers.Stopped }
	row := f.colourRow(f.layers.Plate.linear)
	b.row = func(x, y int, l line, out []uint8) {
		row(l, f.opaque, out)
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
