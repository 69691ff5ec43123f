package views

import (
	"image"
	"math"

	"greenroom/engine/picture"
	"greenroom/engine/tiling"
)

// Heat is the difference of every pixel of a plate, made ready to be looked at: with smaller copies in which a pixel is the
// greatest of those that it stands for, so that a seam of one pixel is seen at every zoom.
type Heat struct {
	levels []heatLevel
}

// heatLevel holds differences in 256ths of an 8-bit step.
type heatLevel struct {
	w, h int
	pix  []uint16
}

// heatUnit is how many of a level's units are a difference of 1.
const heatUnit = 255 * 256

// NewHeat makes differences, [H, W, 1] and 0..1, ready; nil where there are none. The picture may change later.
func NewHeat(m picture.Image) *Heat {
	if m.W <= 0 || m.H <= 0 {
		return nil
	}
	first := heatLevel{w: m.W, h: m.H, pix: make([]uint16, m.W*m.H)}
	picture.ParallelRows(m.H, func(y0, y1 int) {
		for i := y0 * m.W; i < y1*m.W; i++ {
			first.pix[i] = uint16(min(max(m.Pix[i], 0), 1)*heatUnit + 0.5)
		}
	})
	h := &Heat{levels: []heatLevel{first}}
	for last := first; max(last.w, last.h) > 1; {
		last = last.halved()
		h.levels = append(h.levels, last)
	}
	return h
}

func (l heatLevel) halved() heatLevel {
	out := heatLevel{w: (l.w + 1) / 2, h: (l.h + 1) / 2}
	out.pix = make([]uint16, out.w*out.h)
	picture.ParallelRows(out.h, func(y0, y1 int) {
		for y := y0; y < y1; y++ {
			upper := l.pix[2*y*l.w:][:l.w]
			lower := l.pix[min(2*y+1, l.h-1)*l.w:][:l.w]
			for x := range out.w {
				a, b := 2*x, min(2*x+1, l.w-1)
				out.pix[y*out.w+x] = max(upper[a], upper[b], lower[a], lower[b])
			}
		}
	})
	return out
}

// At returns the difference of a pixel in 8-bit steps; 0 outside the plate.
func (h *Heat) At(x, y int) float64 {
	l := h.levels[0]
	if x < 0 || y < 0 || x >= l.w || y >= l.h {
		return 0
	}
	return float64(l.pix[y*l.w+x]) / 256
}

// level returns the copy for a zoom, and how many pixels of the plate each of its pixels is wide.
func (h *Heat) level(zoom float64) (l heatLevel, wide int) {
	i := 0
	for i+1 < len(h.levels) && zoom*float64(int(2)<<i) <= 1 {
		i++
	}
	return h.levels[i], 1 << i
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
	l, wide := h.level(p.zoom)
	r := p.seen
	if r.Empty() {
		return
	}
	spans := make([]span, r.Dx())
	for i := range spans {
		spans[i] = spanOf(p.left, p.zoom, r.Min.X+i, wide, l.w)
	}
	picture.ParallelRows(r.Dy(), func(y0, y1 int) {
		for y := r.Min.Y + y0; y < r.Min.Y+y1; y++ {
			rows := spanOf(p.top, p.zoom, y, wide, l.h)
			upper, lower := l.pix[rows.first*l.w:][:l.w], l.pix[rows.last*l.w:][:l.w]
			line := out.Pix[out.PixOffset(r.Min.X, y):][:4*r.Dx()]
			for i, s := range spans {
				d := max(upper[s.first], upper[s.last], lower[s.first], lower[s.last])
				e := &t[d>>heatShift]
				q := line[4*i : 4*i+3]
				grey := (54*uint32(q[0]) + 183*uint32(q[1]) + 19*uint32(q[2])) * heatPlate >> 16
				for c := range q {
					q[c] = uint8(min(uint32(e.colour[c])+grey*uint32(e.clear)>>8, 255))
				}
			}
		}
	})
}

// span is what a device pixel shows of a level: its first and last pixel along an axis, at most two.
type span struct{ first, last int }

func spanOf(from, zoom float64, at, wide, n int) span {
	first := int(math.Floor((float64(at) - from) / zoom / float64(wide)))
	last := int(math.Ceil((float64(at+1)-from)/zoom/float64(wide))) - 1
	first = min(max(first, 0), n-1)
	return span{first, min(max(last, first), min(first+1, n-1))}
}
