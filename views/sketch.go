package views

import (
	"image"
	"image/color"
	"math"

	"greenroom/engine/settings"
)

// Sketch is what a tool has drawn and the layers do not show yet. The zero Sketch is nothing.
type Sketch struct {
	Strokes []SketchedStroke
	Boxes   []SketchedBox
}

// SketchedStroke is a stroke of the brush as it is drawn, in a colour whose alpha says how much of it covers the picture.
type SketchedStroke struct {
	settings.Stroke
	Colour color.NRGBA
}

// SketchedBox is a box as it is drawn, with its edge in bright and dark lines.
type SketchedBox struct {
	settings.Box
	Colour color.NRGBA
}

// empty reports whether nothing is drawn.
func (s Sketch) empty() bool { return len(s.Strokes) == 0 && len(s.Boxes) == 0 }

// DrawSketch draws over what Draw returned last for the same layers, sight and look. It reports whether that is all: of
// much some is drawn in a next turn, so that none takes long.
func (p *Painter) DrawSketch(s Sketch, layers Layers, sight Sight, look Look) (all bool) {
	if len(s.Strokes) == 0 {
		p.sketched = nil
	}
	if s.empty() || p.out == nil || layers.Plate == nil {
		return true
	}
	size := p.out.Rect.Size()
	pw, ph := layers.Plate.Size()
	place := sight.place(pw, ph, size.X, size.Y)
	for _, b := range s.Boxes {
		p.sketchBox(b, place, look)
	}
	if len(s.Strokes) == 0 {
		return true
	}
	if p.sketched == nil {
		p.sketched = &strokeInk{}
	}
	all = p.sketched.take(s.Strokes, place, size)
	p.sketched.over(p.out)
	return all
}

func (p *Painter) sketchBox(b SketchedBox, place placed, look Look) {
	r := image.Rect(int(math.Round(b.X0)), int(math.Round(b.Y0)), int(math.Round(b.X1)), int(math.Round(b.Y1)))
	d := place.device(r)
	pen := pen{out: p.out, within: place.seen, thick: max(int(look.Unit+0.5), 1)}
	inside := d.Intersect(place.seen)
	for y := inside.Min.Y; y < inside.Max.Y; y++ {
		row := p.out.Pix[p.out.PixOffset(inside.Min.X, y):][:4*inside.Dx()]
		for ; len(row) >= 4; row = row[4:] {
			cover(row, b.Colour, uint32(b.Colour.A))
		}
	}
	if !d.Empty() {
		pen.edges(d, true)
		pen.edges(d, false)
	}
}

// cover lays a colour over a pixel, by alpha of 255.
func cover(pixel []uint8, c color.NRGBA, alpha uint32) {
	for i, v := range [3]uint8{c.R, c.G, c.B} {
		pixel[i] = uint8((uint32(pixel[i])*(255-alpha) + uint32(v)*alpha + 127) / 255)
	}
}
