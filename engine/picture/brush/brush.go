// Package brush works out how much of each pixel a stroke of a brush covers.
package brush

import (
	"context"
	"image"
	"math"

	"greenroom/engine/picture"
	"greenroom/engine/settings"
)

// Brush is the shape of a stroke's edge: it covers fully within Inner of its line, and nothing beyond Outer, in pixels.
type Brush struct{ Inner, Outer float64 }

// New returns the brush of a radius in pixels of which the outer share, 0..1, is soft. A sharp edge is one pixel wide.
func New(radius, softness float64) Brush {
	if soft := radius * softness; soft > 1 {
		return Brush{radius - soft, radius}
	}
	return Brush{radius - 0.5, radius + 0.5}
}

// coverage of a pixel whose centre lies at that distance from the line, squared.
func (b Brush) coverage(square float64) float32 {
	if square >= b.Outer*b.Outer {
		return 0
	}
	d := math.Sqrt(square)
	if d <= b.Inner {
		return 1
	}
	v := (b.Outer - d) / (b.Outer - b.Inner)
	if b.Outer-b.Inner > 1 {
		v = v * v * (3 - 2*v)
	}
	return float32(v)
}

// Segment is a piece of a stroke's line, in pixels.
type Segment struct{ From, To settings.Point }

// Line returns the pieces of the line through points; of one point it is that.
func Line(points []settings.Point) []Segment {
	if len(points) == 0 {
		return nil
	}
	line := make([]Segment, max(len(points)-1, 1))
	for i := range line {
		line[i] = Segment{points[i], points[min(i+1, len(points)-1)]}
	}
	return line
}

// Reach returns the pixels within a rectangle that a line can cover, and some beside.
func (b Brush) Reach(line []Segment, within image.Rectangle) image.Rectangle {
	x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, g := range line {
		x0, x1 = min(x0, g.From.X, g.To.X), max(x1, g.From.X, g.To.X)
		y0, y1 = min(y0, g.From.Y, g.To.Y), max(y1, g.From.Y, g.To.Y)
	}
	if x0 > x1 {
		return image.Rectangle{}
	}
	limit := func(v float64, from, to int) int { return int(min(max(v, float64(from)), float64(to))) }
	return image.Rectangle{
		Min: image.Pt(limit(math.Floor(x0-b.Outer), within.Min.X, within.Max.X), limit(math.Floor(y0-b.Outer), within.Min.Y, within.Max.Y)),
		Max: image.Pt(limit(math.Ceil(x1+b.Outer), within.Min.X, within.Max.X), limit(math.Ceil(y1+b.Outer), within.Min.Y, within.Max.Y)),
	}.Canon()
}

const (
	// blockSide is the side of the blocks of pixels that are worked on at once, leafSide of those that are cut no further,
	// wholeSide of those that are not where only a few pieces of the line are near.
	blockSide, leafSide, wholeSide = 256, 8, 64
	few                            = 2
)

// Cover works out how much a line covers of the pixels within a rectangle; where the line comes near itself the greatest
// cover counts. It calls put with runs of pixels, the first at (x, y): each pixel once at most, those that are left out
// are not covered. Put is called on several goroutines and must not keep the slice. The error is ctx's.
//
// The time goes with the pixels that are covered: of a block of pixels only the pieces count that can be the nearest to
// one of them, and a block within Inner of one of them needs no more.
func (b Brush) Cover(ctx context.Context, line []Segment, within image.Rectangle, put func(x, y int, coverage []float32)) error {
	reach := b.Reach(line, within)
	if reach.Empty() {
		return ctx.Err()
	}
	across := (reach.Dx() + blockSide - 1) / blockSide
	down := (reach.Dy() + blockSide - 1) / blockSide
	return picture.ParallelContext(ctx, across*down, func(i0, i1 int) {
		w := worker{Brush: b, put: put}
		for i := i0; i < i1 && ctx.Err() == nil; i++ {
			at := reach.Min.Add(image.Pt(i%across*blockSide, i/across*blockSide))
			w.block(image.Rectangle{at, at.Add(image.Pt(blockSide, blockSide))}.Intersect(reach), line, 0)
		}
	})
}

// worker covers blocks of pixels, one after another.
type worker struct {
	Brush
	put func(x, y int, coverage []float32)
	// near are the pieces that count in the blocks that are being cut, by how often they were cut.
	near      [10][]Segment
	distances []float64
	squares   [blockSide]float64
	row       [blockSide]float32
}

// block covers a block of which no other pieces of the line count.
func (w *worker) block(r image.Rectangle, line []Segment, depth int) {
	if r.Empty() {
		return
	}
	x, y := float64(r.Min.X+r.Max.X)/2, float64(r.Min.Y+r.Max.Y)/2
	// No pixel's centre is farther from the block's, but for rounding.
	half := math.Hypot(float64(r.Dx()-1), float64(r.Dy()-1))/2 + 1e-6
	w.distances = w.distances[:0]
	nearest := math.Inf(1)
	for _, g := range line {
		d := math.Sqrt(g.square(x, y))
		w.distances = append(w.distances, d)
		nearest = min(nearest, d)
	}
	if nearest-half >= w.Outer {
		return
	}
	if nearest+half <= w.Inner {
		w.full(r)
		return
	}
	near, most := w.near[depth][:0], min(nearest+half, w.Outer)+half
	for i, g := range line {
		if w.distances[i] <= most {
			near = append(near, g)
		}
	}
	w.near[depth] = near
	if side := max(r.Dx(), r.Dy()); side <= leafSide || side <= wholeSide && len(near) <= few {
		w.leaf(r, near)
		return
	}
	middle := r.Min.Add(r.Max).Div(2)
	for _, part := range []image.Rectangle{
		{r.Min, middle}, image.Rect(middle.X, r.Min.Y, r.Max.X, middle.Y),
		image.Rect(r.Min.X, middle.Y, middle.X, r.Max.Y), {middle, r.Max},
	} {
		w.block(part, near, depth+1)
	}
}

// full covers a block fully.
func (w *worker) full(r image.Rectangle) {
	row := w.row[:r.Dx()]
	for i := range row {
		row[i] = 1
	}
	for y := r.Min.Y; y < r.Max.Y; y++ {
		w.put(r.Min.X, y, row)
	}
}

// leaf covers a block pixel by pixel.
func (w *worker) leaf(r image.Rectangle, line []Segment) {
	squares, row := w.squares[:r.Dx()], w.row[:r.Dx()]
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for i := range squares {
			squares[i] = math.Inf(1)
		}
		for _, g := range line {
			for i := range squares {
				squares[i] = min(squares[i], g.square(float64(r.Min.X+i)+0.5, float64(y)+0.5))
			}
		}
		for i, s := range squares {
			row[i] = w.coverage(s)
		}
		w.put(r.Min.X, y, row)
	}
}

// square returns the squared distance of a place from the segment.
func (g Segment) square(x, y float64) float64 {
	alongX, alongY := g.To.X-g.From.X, g.To.Y-g.From.Y
	dx, dy := x-g.From.X, y-g.From.Y
	if length := alongX*alongX + alongY*alongY; length > 0 {
		t := min(max((dx*alongX+dy*alongY)/length, 0), 1)
		dx, dy = dx-t*alongX, dy-t*alongY
	}
	return dx*dx + dy*dy
}
