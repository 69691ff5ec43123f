package engine

import (
	"image"

	"greenroom/engine/picture"
	"greenroom/engine/settings"
	"greenroom/engine/tiling"
)

// all lists the tiles of a grid.
func all(g tiling.Grid) []int {
	list := make([]int, g.Len())
	for i := range list {
		list[i] = i
	}
	return list
}

// Detail is where a hint or a matte is neither screen nor subject, or passes from one to the other: there an edge is
// likely, and a seam shows. A matte beyond these is clipped unless the artist says otherwise.
const (
	detailLow  = 0.02
	detailHigh = 0.98
)

// checked returns the shifted grid of a check and the tiles of it that see a border of g with detail of the hint
// or of the key's matte, which a rough hint may not know of. The refiner of a whole frame needs all of them.
func checked(g tiling.Grid, hint, matte picture.Image, s settings.Settings) (tiling.Grid, []int) {
	other := g.Shifted()
	if refinesFrame(g, s) {
		return other, all(other)
	}
	needed := make([]bool, other.Len())
	for _, b := range g.Lines() {
		if !detailed(hint, b.Band) && !detailed(matte, b.Band) {
			continue
		}
		for i := range needed {
			needed[i] = needed[i] || other.Tile(i).Overlaps(b.Band)
		}
	}
	var list []int
	for i, yes := range needed {
		if yes {
			list = append(list, i)
		}
	}
	return other, list
}

// detailed reports whether any pixel of r is between screen and subject, or whether r holds some of both: a hint need
// not be soft.
func detailed(m picture.Image, r image.Rectangle) bool {
	screen, subject := false, false
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for _, v := range m.Row(y)[r.Min.X:r.Max.X] {
			screen, subject = screen || v < detailHigh, subject || v > detailLow
			if screen && subject {
				return true
			}
		}
	}
	return false
}

// seams adds what is known of the borders to a result. Known marks the pixels that a check keyed; empty for all.
func (a *attempt) seams(r *Result, known picture.Image) {
	j := a.ticket.job
	switch {
	case j.Check != nil:
		g := layout(a.plate.W, a.plate.H, a.settings)
		var heat picture.Image
		r.Seams, heat = tiling.Compare(g, j.Check.Matte, j.Check.FG, r.Matte, r.FG, known)
		if j.Heat {
			r.Heat = heat
		}
	case a.meter != nil:
		r.Seams, r.Heat = a.meter.Seams(), a.meter.Heat()
		if a.frame.edge == 0 {
			return
		}
		for i := range r.Seams {
			s := &r.Seams[i]
			s.Band = a.frame.onPlate(s.Band)
			for _, d := range []*tiling.Difference{&s.Matte, &s.FG} {
				at := a.frame.onPlate(image.Rect(d.X, d.Y, d.X+1, d.Y+1)).Min
				d.X, d.Y = at.X, at.Y
			}
		}
		if j.Heat {
			r.Heat = picture.ResampleBilinear(r.Heat, a.frame.w, a.frame.h)
		}
	}
}
