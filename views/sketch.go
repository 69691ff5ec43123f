package views

import (
	"image"
	"image/color"
	"math"

	"greenroom/engine/picture"
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

// DrawSketch draws over what Draw returned last for the same layers, sight and look.
func (p *Painter) DrawSketch(s Sketch, layers Layers, sight Sight, look Look) {
	if s.empty() || p.out == nil || layers.Plate == nil {
		return
	}
	size := p.out.Rect.Size()
	pw, ph := layers.Plate.Size()
	place := sight.place(pw, ph, size.X, size.Y)
	for _, b := range s.Boxes {
		p.sketchBox(b, place, look)
	}
	for _, stroke := range s.Strokes {
		p.sketchStroke(stroke, place)
	}
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

// sketchStroke draws one stroke as hint.Paint will paint it: where the brush goes over a place several times, the
// greatest cover counts.
func (p *Painter) sketchStroke(s SketchedStroke, place placed) {
	radius := s.Size / 2 * place.zoom
	if len(s.Points) == 0 || !(radius > 0) {
		return
	}
	b := liveBrush{outer: radius + 0.5, inner: radius - 0.5}
	if soft := radius * s.Softness; soft > 1 {
		b = liveBrush{outer: radius, inner: radius - soft}
	}
	line := b.line(s.Points, place)
	reach := b.reach(line).Intersect(place.seen)
	if reach.Empty() {
		return
	}
	picture.ParallelRows(reach.Dy(), func(y0, y1 int) {
		squares := make([]float32, reach.Dx())
		for y := reach.Min.Y + y0; y < reach.Min.Y+y1; y++ {
			x0, x1 := b.nearest(line, squares, reach.Min.X, y)
			row := p.out.Pix[p.out.PixOffset(reach.Min.X, y):]
			for x := x0; x < x1; x++ {
				if alpha := b.cover(squares[x]) * float32(s.Colour.A); alpha > 0 {
					cover(row[4*x:4*x+4], s.Colour, uint32(alpha+0.5))
				}
			}
		}
	})
}

// liveBrush is a brush in device pixels: it covers fully within inner of its line, and nothing beyond outer.
type liveBrush struct{ inner, outer float64 }

// segment is a piece of a stroke's line, from a point and as far as d.
type segment struct{ x, y, dx, dy float64 }

// line returns the pieces of a stroke's line in device pixels. Points that are much nearer to one another than the brush
// is wide are passed over: they make no difference that is seen.
func (b liveBrush) line(points []settings.Point, place placed) []segment {
	at := func(p settings.Point) (x, y float64) { return place.left + p.X*place.zoom, place.top + p.Y*place.zoom }
	x, y := at(points[0])
	list := []segment{{x: x, y: y}}
	apart := math.Max(1, b.outer/12)
	for i, p := range points[1:] {
		nx, ny := at(p)
		if last := i == len(points)-2; last || math.Hypot(nx-x, ny-y) >= apart {
			list = append(list, segment{x, y, nx - x, ny - y})
			x, y = nx, ny
		}
	}
	return list
}

// reach returns the device pixels that a line can touch.
func (b liveBrush) reach(line []segment) image.Rectangle {
	x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, s := range line {
		x, y := s.x+s.dx, s.y+s.dy
		x0, y0, x1, y1 = math.Min(x0, x), math.Min(y0, y), math.Max(x1, x), math.Max(y1, y)
	}
	near := func(v float64) int { return int(math.Max(-1e6, math.Min(v, 1e6))) }
	return image.Rect(near(x0-b.outer-1), near(y0-b.outer-1), near(x1+b.outer+2), near(y1+b.outer+2))
}

// nearest fills in how far the pixels of row y, whose first is at left, are from a line, squared, and returns which of them
// the brush can touch.
func (b liveBrush) nearest(line []segment, squares []float32, left, y int) (x0, x1 int) {
	x0 = len(squares)
	far := float32(b.outer * b.outer)
	for i := range squares {
		squares[i] = far
	}
	py := float64(y) + 0.5
	for _, s := range line {
		if py < math.Min(s.y, s.y+s.dy)-b.outer || py > math.Max(s.y, s.y+s.dy)+b.outer {
			continue
		}
		from := max(int(math.Min(s.x, s.x+s.dx)-b.outer)-left, 0)
		to := min(int(math.Max(s.x, s.x+s.dx)+b.outer)+1-left, len(squares))
		if from >= to {
			continue
		}
		x0, x1 = min(x0, from), max(x1, to)
		s.lower(squares[from:to], float64(left+from)+0.5, py)
	}
	return x0, x1
}

// lower brings squared distances of a row of pixels, the first at (x, y), down to those from the segment.
func (s segment) lower(squares []float32, x, y float64) {
	px, py, dx, dy := float32(x-s.x), float32(y-s.y), float32(s.dx), float32(s.dy)
	length := dx*dx + dy*dy
	inverse := float32(0)
	if length > 0 {
		inverse = 1 / length
	}
	for i := range squares {
		t := min(max((px*dx+py*dy)*inverse, 0), 1)
		ex, ey := px-t*dx, py-t*dy
		if d := ex*ex + ey*ey; d < squares[i] {
			squares[i] = d
		}
		px++
	}
}

// cover returns how much a pixel is covered at a squared distance, 0..1.
func (b liveBrush) cover(square float32) float32 {
	d := math.Sqrt(float64(square))
	switch {
	case d >= b.outer:
		return 0
	case d <= b.inner:
		return 1
	}
	v := (b.outer - d) / (b.outer - b.inner)
	if b.outer-b.inner > 1 {
		v = v * v * (3 - 2*v)
	}
	return float32(v)
}
