package views

import (
	"encoding/binary"
	"image/color"
	"math"
)

// OverlayStyle is how the hint is laid over the plate.
type OverlayStyle int

const (
	// TintOutside tints what the hint leaves out, TintInside what it marks; both under stripes, so that they are not told
	// by their colour alone. Contour draws a line where the hint is half bright.
	TintOutside OverlayStyle = iota
	TintInside
	Contour
)

// OverlayColour is the colour of an overlay.
type OverlayColour int

// The colours that neither screens nor skin have.
const (
	OverlayMagenta OverlayColour = iota
	OverlayCyan
	OverlayYellow
	OverlayWhite
	OverlayOrange
)

// rgb is the colour, sRGB-encoded; one that there is not is magenta.
func (c OverlayColour) rgb() color.NRGBA {
	switch c {
	case OverlayCyan:
		return color.NRGBA{0, 255, 255, 255}
	case OverlayYellow:
		return color.NRGBA{255, 255, 0, 255}
	case OverlayWhite:
		return color.NRGBA{255, 255, 255, 255}
	case OverlayOrange:
		return color.NRGBA{255, 128, 0, 255}
	}
	return color.NRGBA{255, 0, 255, 255}
}

// OverlayLook is how an overlay looks. The zero OverlayLook is magenta outside, at usualOpacity.
type OverlayLook struct {
	Style  OverlayStyle  `toml:"style,omitempty"`
	Colour OverlayColour `toml:"colour,omitempty"`
	// Opacity is how much of the plate it covers, leastOpacity..1; 0 is the usual one.
	Opacity float64 `toml:"opacity,omitempty"`
}

const (
	leastOpacity, usualOpacity = 0.05, 0.45
	// stripe is how much denser the stripes of a tint are.
	stripe = 0.16
	// stripeStep is the distance between stripes in units, stripeWidth their width.
	stripeStep, stripeWidth = 10, 2
)

// opacity is the opacity with 0 filled in.
func (l OverlayLook) opacity() float64 {
	if l.Opacity == 0 {
		return usualOpacity
	}
	return math.Max(leastOpacity, math.Min(l.Opacity, 1))
}

// overlaid lays the hint over what a brush draws of the plate.
func (f frame) overlaid(b brush) brush {
	b.matte = f.layers.Hint
	row := f.colourRow(f.layers.Plate.linear)
	if f.look.Tint.Style == Contour {
		// The hint stays where alpha will be until the line is drawn.
		b.row = func(_, _ int, l line, out []uint8) { row(l, 0, out) }
		return b
	}
	ink := f.tintInk(f.look.Tint)
	step, width := max(int(stripeStep*f.look.Unit+0.5), 2), max(int(stripeWidth*f.look.Unit+0.5), 1)
	b.same = func(int) bool { return false }
	b.row = func(x, y int, l line, out []uint8) {
		row(l, 0, out)
		from := x + y
		if f.look.Tint.Style == TintInside {
			// The other way round, as the stripes of what is inside.
			from = x - y + step*(y/step+1)
		}
		ink.row(from%step, step, width, out)
	}
	return b
}

// tintInk is how much of a colour covers the plate at each value of a hint in 8 bits, in 256ths: between stripes and in
// them. It is a tint, and 8 bits of it are enough.
type tintInk struct {
	of         OverlayLook
	share      [2][256]uint16
	redBlue, g uint32
}

// tintInk returns the ink of a look, which is kept for the next drawing.
func (p *Painter) tintInk(l OverlayLook) *tintInk {
	if p.tint != nil && p.tint.of == l {
		return p.tint
	}
	c := l.Colour.rgb()
	ink := &tintInk{of: l, redBlue: uint32(c.R) | uint32(c.B)<<16, g: uint32(c.G) << 8}
	for i, o := range [2]float64{l.opacity(), math.Min(l.opacity()+stripe, 1)} {
		for v := range 256 {
			part := 255 - v
			if l.Style == TintInside {
				part = v
			}
			ink.share[i][v] = uint16(float64(part) / 255 * o * 256)
		}
	}
	p.tint = ink
	return ink
}

// row tints a row of which the hint is where alpha will be. The first pixel lies from pixels behind the edge of a stripe.
func (t *tintInk) row(from, step, width int, out []uint8) {
	for len(out) >= 4 {
		run, share := step-from, &t.share[0]
		if from < width {
			run, share = width-from, &t.share[1]
		}
		run = min(run, len(out)/4)
		t.run(share, out[:4*run])
		out = out[4*run:]
		if from += run; from == step {
			from = 0
		}
	}
}

func (t *tintInk) run(share *[256]uint16, out []uint8) {
	const redBlue, green = 0xff00ff, 0x00ff00
	tintRB, tintG := t.redBlue, t.g
	for ; len(out) >= 4; out = out[4:] {
		v := binary.LittleEndian.Uint32(out)
		k := uint32(share[v>>24])
		rb := ((v&redBlue)*(256-k) + tintRB*k) >> 8 & redBlue
		g := ((v&green)*(256-k) + tintG*k) >> 8 & green
		binary.LittleEndian.PutUint32(out, rb|g|255<<24)
	}
}
