package views

import (
	"image"

	"greenroom/engine/tiling"
)

// SeamLayer is what the viewer draws over its picture to show tiles and seams. The zero SeamLayer draws nothing.
type SeamLayer struct {
	// Bands are drawn where Grid is on; Heat where it is not nil, under Scale.
	Grid  bool
	Bands []Band
	Heat  *Heat
	Scale tiling.HeatScale
	// Checked says that Heat is between two grids, and not between tiles that overlap. Wait is what there is to say while
	// there is no Heat yet; empty for nothing.
	Checked bool
	Wait    string
	// Mark is a pixel that is pointed out where Marked.
	Marked bool
	Mark   image.Point
}

// empty reports whether nothing is drawn.
func (l SeamLayer) empty() bool { return !l.Grid && l.Heat == nil && !l.Marked }

// heatLook is a table of how heat looks with the scale that it was made for.
type heatLook struct {
	scale tiling.HeatScale
	table *heatTable
}

// DrawSeams draws a layer over what Draw returned last for the same layers, sight and look.
func (p *Painter) DrawSeams(l SeamLayer, layers Layers, sight Sight, look Look) {
	if l.empty() || p.out == nil || layers.Plate == nil {
		return
	}
	size := p.out.Rect.Size()
	pw, ph := layers.Plate.Size()
	if look.Unit <= 0 {
		look.Unit = 1
	}
	place := sight.place(pw, ph, size.X, size.Y)
	if l.Heat != nil && l.Heat.levels[0].w == pw && l.Heat.levels[0].h == ph {
		if p.heat.table == nil || p.heat.scale != l.Scale {
			p.heat = heatLook{l.Scale, newHeatTable(l.Scale)}
		}
		l.Heat.draw(p.out, place, p.heat.table)
	}
	pen := pen{out: p.out, within: place.seen, thick: max(int(look.Unit+0.5), 1)}
	if l.Grid || l.Heat != nil {
		bands := make([]image.Rectangle, len(l.Bands))
		for i, b := range l.Bands {
			bands[i] = place.device(b.Rectangle)
		}
		if l.Heat == nil {
			pen.stripes(bands)
		}
		for i, b := range l.Bands {
			pen.edges(bands[i], b.Upright)
		}
	}
	if l.Marked {
		pen.mark(place, l.Mark, look.Unit)
	}
}

// pen draws lines that are seen over bright and over dark pictures: bright ones with a dark rim.
type pen struct {
	out    *image.RGBA
	within image.Rectangle
	thick  int
}

const (
	penLight = 0xf0
	penDark  = 0x10
	// bandLift is how much of the way to white a band is lightened, bandSink how much to black, in stripes by turns, in
	// 256ths.
	bandLift, bandSink = 40, 28
	// bandStripe is the width of a band's stripes in thicknesses of a line.
	bandStripe = 5
)

// mix covers a rectangle with a grey, by a cover in 256ths.
func (p pen) mix(r image.Rectangle, grey, cover uint32) {
	r = r.Intersect(p.within)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		line := p.out.Pix[p.out.PixOffset(r.Min.X, y):][:4*r.Dx()]
		for i := range line {
			if i&3 != 3 {
				line[i] = uint8((uint32(line[i])*(256-cover) + grey*cover) >> 8)
			}
		}
	}
}

// upright draws a line from top to bottom, level one from left to right.
func (p pen) upright(x, y0, y1 int) {
	p.mix(image.Rect(x-p.thick, y0, x+2*p.thick, y1), penDark, 128)
	p.mix(image.Rect(x, y0, x+p.thick, y1), penLight, 220)
}

func (p pen) level(y, x0, x1 int) {
	p.mix(image.Rect(x0, y-p.thick, x1, y+2*p.thick), penDark, 128)
	p.mix(image.Rect(x0, y, x1, y+p.thick), penLight, 220)
}

// edges draws the two edges of a band, which are the edges of the two tiles.
func (p pen) edges(r image.Rectangle, upright bool) {
	if upright {
		p.upright(r.Min.X, r.Min.Y, r.Max.Y)
		p.upright(r.Max.X-p.thick, r.Min.Y, r.Max.Y)
		return
	}
	p.level(r.Min.Y, r.Min.X, r.Max.X)
	p.level(r.Max.Y-p.thick, r.Min.X, r.Max.X)
}

// stripes fills rectangles with slanted stripes, once where several lie over one another.
func (p pen) stripes(list []image.Rectangle) {
	wide := bandStripe * p.thick
	inside := make([]bool, p.within.Dx())
	for y := p.within.Min.Y; y < p.within.Max.Y; y++ {
		clear(inside)
		any := false
		for _, r := range list {
			r = r.Intersect(p.within)
			if y < r.Min.Y || y >= r.Max.Y {
				continue
			}
			for x := r.Min.X; x < r.Max.X; x++ {
				inside[x-p.within.Min.X] = true
			}
			any = true
		}
		if !any {
			continue
		}
		line := p.out.Pix[p.out.PixOffset(p.within.Min.X, y):][:4*len(inside)]
		for x, in := range inside {
			if !in {
				continue
			}
			grey, cover := uint32(255), uint32(bandLift)
			if (p.within.Min.X+x+y)/wide&1 == 1 {
				grey, cover = 0, bandSink
			}
			for c, v := range line[4*x : 4*x+3] {
				line[4*x+c] = uint8((uint32(v)*(256-cover) + grey*cover) >> 8)
			}
		}
	}
}

// markReach is how far the corners around a mark are from it, markArm how long they are, in units.
const markReach, markArm = 16, 7

// mark draws four corners around a pixel.
func (p pen) mark(place placed, at image.Point, unit float64) {
	r := place.device(image.Rectangle{Min: at, Max: at.Add(image.Pt(1, 1))}).Inset(-int(markReach * unit))
	arm := int(markArm * unit)
	for _, y := range [2]int{r.Min.Y, r.Max.Y - p.thick} {
		p.level(y, r.Min.X, r.Min.X+arm)
		p.level(y, r.Max.X-arm, r.Max.X)
	}
	for _, x := range [2]int{r.Min.X, r.Max.X - p.thick} {
		p.upright(x, r.Min.Y, r.Min.Y+arm)
		p.upright(x, r.Max.Y-arm, r.Max.Y)
	}
}
