package views

import (
	"image"

	"greenroom/engine/picture"
	"greenroom/engine/tiling"
)

// Heat is the difference of every pixel of a plate, made ready to be looked at, in 256ths of an 8-bit step: a pixel of a
// smaller copy is the greatest of those that it stands for, so that a seam of one pixel is seen at every zoom.
type Heat struct {
	levels pyramid[uint16]
}

// heatUnit is how many of a level's units are a difference of 1.
const heatUnit = 255 * 256

// NewHeat makes differences, [H, W, 1] and 0..1, ready; nil where there are none. The picture may change later.
func NewHeat(m picture.Image) *Heat {
	if m.W <= 0 || m.H <= 0 {
		return nil
	}
	first := newPyramidLevel[uint16](m.W, m.H)
	picture.ParallelRows(m.H, func(y0, y1 int) {
		for i := y0 * m.W; i < y1*m.W; i++ {
			first.pix[i] = uint16(min(max(m.Pix[i], 0), 1)*heatUnit + 0.5)
		}
	})
	return &Heat{newPyramid(first, 1, joinHeat)}
}

// joinHeat makes a row of a smaller copy.
func joinHeat(out, upper, lower []uint16) {
	for x := range out {
		a, b := 2*x, min(2*x+1, len(upper)-1)
		out[x] = max(upper[a], upper[b], lower[a], lower[b])
	}
}

// At returns the difference of a pixel in 8-bit steps; 0 outside the plate.
func (h *Heat) At(x, y int) float64 {
	l := h.levels[0]
	if x < 0 || y < 0 || x >= l.w || y >= l.h {
		return 0
	}
	return float64(l.pix[y*l.w+x]) / 256
}

// heatShift brings a level's differences to places of a heatTable: a sixteenth of an 8-bit step.
const heatShift = 4

// heatTable is how differences look under a scale.
type heatTable [heatUnit>>heatShift + 1]struct {
	// colour is already covered: premultiplied with how much it covers, 0..255.
	colour [3]uint16
	// clear is how much of what lies under it remains, in 256ths.
	clear uint16
}

func newHeatTable(s tiling.HeatScale) *heatTable {
	t := &heatTable{}
	for i := range t {
		colour, cover := s.Colour(float32(i<<heatShift) / heatUnit)
		for c, v := range colour {
			t[i].colour[c] = uint16(255*v*cover + 0.5)
		}
		t[i].clear = uint16(256*(1-cover) + 0.5)
	}
	return t
}

// heatPlate is how bright a picture is under a heat map, in 256ths.
const heatPlate = 90

// draw dims a drawn picture to grey and lays the differences over it.
func (h *Heat) draw(out *image.RGBA, p placed, t *heatTable) {
	h.levels.walk(p, p.seen, func(y int, upper, lower []uint16, spans []span) {
		line := out.Pix[out.PixOffset(p.seen.Min.X, y):][:4*len(spans)]
		for i, s := range spans {
			d := max(upper[s.first], upper[s.last], lower[s.first], lower[s.last])
			e := &t[d>>heatShift]
			q := line[4*i : 4*i+3]
			grey := (54*uint32(q[0]) + 183*uint32(q[1]) + 19*uint32(q[2])) * heatPlate >> 16
			for c := range q {
				q[c] = uint8(min(uint32(e.colour[c])+grey*uint32(e.clear)>>8, 255))
			}
		}
	})
}
