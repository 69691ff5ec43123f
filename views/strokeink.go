package views

import (
	"context"
	"image"
	"image/color"
	"slices"

	"greenroom/engine/picture"
	strokes "greenroom/engine/picture/brush"
	"greenroom/engine/settings"
)

// strokeInk is what the strokes of a sketch cover of the viewport. It is kept from one drawing to the next, so that a stroke
// that grows costs only what is new of it, and it is laid in turns, so that no drawing takes long.
type strokeInk struct {
	place placed
	// dry holds the strokes in laid one over the other, with alpha; used is the part of it that is not clear.
	dry  *image.RGBA
	used image.Rectangle
	laid []SketchedStroke
	// wet is how much the stroke last covers, 0..255, within touched: it may grow yet.
	wet     []uint8
	touched image.Rectangle
	last    SketchedStroke
}

// inkTurn is how many pixels are looked at in one turn, at least a stroke.
const inkTurn = 8_000_000

// same reports whether two strokes are drawn alike, but for their points.
func (s SketchedStroke) same(o SketchedStroke) bool {
	return s.Colour == o.Colour && s.Size == o.Size && s.Softness == o.Softness
}

// begins reports whether points begin with others.
func begins(points, with []settings.Point) bool {
	if len(points) < len(with) {
		return false
	}
	return len(with) == 0 || &points[0] == &with[0] || slices.Equal(points[:len(with)], with)
}

// follows reports whether strokes begin with what is laid.
func (k *strokeInk) follows(strokes []SketchedStroke) bool {
	if len(strokes) < len(k.laid) {
		return false
	}
	for i, s := range k.laid {
		if !s.same(strokes[i]) || len(s.Points) != len(strokes[i].Points) || !begins(strokes[i].Points, s.Points) {
			return false
		}
	}
	if k.last.Points == nil {
		return true
	}
	rest := strokes[len(k.laid):]
	return len(rest) > 0 && k.last.same(rest[0]) && begins(rest[0].Points, k.last.Points)
}

// take lays strokes that are looked at from a place, as many as a turn allows, and reports whether that is all.
func (k *strokeInk) take(strokes []SketchedStroke, place placed, size image.Point) (all bool) {
	if k.dry == nil || k.place != place || k.dry.Rect.Size() != size || !k.follows(strokes) {
		*k = strokeInk{place: place, dry: image.NewRGBA(image.Rectangle{Max: size}), wet: make([]uint8, size.X*size.Y)}
	}
	left := inkTurn
	for left > 0 {
		i := len(k.laid)
		if i == len(strokes) {
			return true
		}
		left -= k.lay(strokes[i])
		if i == len(strokes)-1 {
			return true
		}
		k.dryUp()
	}
	return false
}

// lay lays what is new of a stroke, as hint.Paint will paint it, and returns how many pixels were looked at.
func (k *strokeInk) lay(s SketchedStroke) int {
	from := max(len(k.last.Points)-1, 0)
	grown := len(s.Points) > len(k.last.Points)
	k.last = s
	radius := s.Size / 2 * k.place.zoom
	if !grown || !(radius > 0) {
		return 0
	}
	points := make([]settings.Point, len(s.Points)-from)
	for i, p := range s.Points[from:] {
		points[i] = settings.Point{X: k.place.left + p.X*k.place.zoom, Y: k.place.top + p.Y*k.place.zoom}
	}
	b, line := strokes.New(radius, s.Softness), strokes.Line(points)
	reach := b.Reach(line, k.place.seen)
	if reach.Empty() {
		return len(points)
	}
	stride := k.dry.Rect.Dx()
	// It can be neither stopped nor fail.
	_ = b.Cover(context.Background(), line, reach, func(x, y int, coverage []float32) {
		row := k.wet[y*stride+x:][:len(coverage)]
		for i, c := range coverage {
			row[i] = max(row[i], uint8(255*c+0.5))
		}
	})
	k.touched = k.touched.Union(reach)
	return reach.Dx()*reach.Dy() + len(points)
}

// dryUp lays the last stroke over those before: the next one goes over it.
func (k *strokeInk) dryUp() {
	c := k.last.Colour
	k.wetRows(func(pixel []uint8, alpha uint32) {
		for i, v := range [4]uint8{c.R, c.G, c.B, 255} {
			pixel[i] = uint8((uint32(pixel[i])*(255-alpha) + uint32(v)*alpha + 127) / 255)
		}
	}, k.dry, true)
	k.used = k.used.Union(k.touched)
	k.laid = append(k.laid, k.last)
	k.touched, k.last = image.Rectangle{}, SketchedStroke{}
}

// wetRows hands the pixels of a picture that the last stroke covers to lay, with its alpha of 255 there. Wipe takes the
// stroke away after that.
func (k *strokeInk) wetRows(lay func(pixel []uint8, alpha uint32), m *image.RGBA, wipe bool) {
	r := k.touched
	strength := uint32(k.last.Colour.A)
	picture.ParallelRows(r.Dy(), func(y0, y1 int) {
		for y := r.Min.Y + y0; y < r.Min.Y+y1; y++ {
			wet := k.wet[y*k.dry.Rect.Dx()+r.Min.X:][:r.Dx()]
			row := m.Pix[m.PixOffset(r.Min.X, y):]
			for x, c := range wet {
				if c > 0 {
					lay(row[4*x:4*x+4], (uint32(c)*strength+127)/255)
				}
			}
			if wipe {
				clear(wet)
			}
		}
	})
}

// over draws what is laid over a picture of the viewport.
func (k *strokeInk) over(m *image.RGBA) {
	picture.ParallelRows(k.used.Dy(), func(y0, y1 int) {
		for y := k.used.Min.Y + y0; y < k.used.Min.Y+y1; y++ {
			dry := k.dry.Pix[k.dry.PixOffset(k.used.Min.X, y):][:4*k.used.Dx()]
			row := m.Pix[m.PixOffset(k.used.Min.X, y):]
			for x := 0; x < len(dry); x += 4 {
				if alpha := uint32(dry[x+3]); alpha > 0 {
					for i := range 3 {
						row[x+i] = uint8(min(uint32(dry[x+i])+(uint32(row[x+i])*(255-alpha)+127)/255, 255))
					}
				}
			}
		}
	})
	c := k.last.Colour
	k.wetRows(func(pixel []uint8, alpha uint32) { cover(pixel, color.NRGBA{c.R, c.G, c.B, 255}, alpha) }, m, false)
}
