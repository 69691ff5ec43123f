package views

import (
	"image"
	"math"

	"greenroom/engine/picture"
)

// Finding is what the status view shows of a pixel.
type Finding uint8

// The findings. Where a pixel stands for several, the last of them counts, but black beside white is neither.
const (
	// FindingBlack is a matte of exactly 0, FindingWhite one of exactly 1, FindingBetween any between.
	FindingBlack Finding = iota
	FindingWhite
	FindingBetween
	// FindingClipped is a plate with a channel at or over 1, where the network sees no more detail.
	FindingClipped
	// FindingResidue is a matte over 0.1 outside the hint.
	FindingResidue
	// FindingHole is a matte under 0.1 where the hint says subject.
	FindingHole
	// FindingBroken is a number that is none, or infinite, in plate, hint or matte.
	FindingBroken
	findings
)

// Words says what a finding is.
func (f Finding) Words() string {
	return [findings]string{
		"Matte exactly 0", "Matte exactly 1", "Between",
		"Plate clipped: a channel at or over 1", "Matte over 0.1 outside the hint", "Hint says subject, matte under 0.1",
		"Not a number",
	}[f]
}

const (
	// faint is what a matte must reach to be noticed outside the hint, and inside it.
	faint = 0.1
	// A hint over says subject: more than translucent. Up to outside it says screen.
	subjectHint, outsideHint = 0.5, 0.1
)

// status is what was found of every pixel of a plate, with smaller copies of itself.
type status struct {
	levels pyramid[Finding]
	// counts are the pixels of each finding.
	counts [findings]int
	of     statusOf
}

// statusOf is what a status was found of.
type statusOf struct {
	plate, hint *Shown
	key         *Key
	tiles       int
}

// newStatus looks at every pixel of layers that have a key.
func newStatus(l Layers) *status {
	w, h := l.Plate.Size()
	s := &status{of: statusOf{l.Plate, l.Hint, l.Key, l.Tiles}}
	first := newPyramidLevel[Finding](w, h)
	l.Key.mu.RLock()
	defer l.Key.mu.RUnlock()
	hint := l.Hint
	if hint != nil && hint.bounds() != l.Plate.bounds() {
		hint = nil
	}
	const bands = 64
	var counts [bands][findings]int
	picture.ParallelRows(bands, func(b0, b1 int) {
		scratch := make([]float32, w)
		for b := b0; b < b1; b++ {
			for y := b * h / bands; y < (b+1)*h/bands; y++ {
				row := first.row(y)
				var hints []float32
				if hint != nil {
					hints = hint.original.Row(y)
				}
				findRow(row, l.Plate.original.Row(y), hints, l.Key.mattes(y, scratch))
				for _, f := range row {
					counts[b][f]++
				}
			}
		}
	})
	for _, c := range counts {
		for f, n := range c {
			s.counts[f] += n
		}
	}
	s.levels = newPyramid(first, smallest, joinFindings)
	return s
}

// mattes returns a row of the matte; it may use scratch.
func (k *Key) mattes(y int, scratch []float32) []float32 {
	switch {
	case k.matte != nil:
		return k.matte.original.Row(y)
	case k.whole:
		return k.fg.originalMatte.Row(y)
	}
	for x, p := range k.fg.pixels[0].row(y) {
		scratch[x] = float32(p.matte()) / full
	}
	return scratch
}

// findRow finds what there is to say of a row. Without a hint, hints is nil.
func findRow(out []Finding, plate, hints, mattes []float32) {
	plate, mattes = plate[:3*len(out)], mattes[:len(out)]
	for x := range out {
		a := mattes[x]
		r, g, b := plate[3*x], plate[3*x+1], plate[3*x+2]
		f := FindingBetween
		switch {
		case a == 0:
			f = FindingBlack
		case a == 1:
			f = FindingWhite
		}
		if r >= 1 || g >= 1 || b >= 1 {
			f = FindingClipped
		}
		sum := r + g + b + a
		if hints != nil {
			h := hints[x]
			switch {
			case h <= outsideHint && a > faint:
				f = FindingResidue
			case h > subjectHint && a < faint:
				f = FindingHole
			}
			sum += h
		}
		if sum-sum != 0 && broken(r, g, b, a, hints, x) {
			f = FindingBroken
		}
		out[x] = f
	}
}

// broken looks again at numbers whose sum is none: finite ones can be too large to be added.
func broken(r, g, b, a float32, hints []float32, x int) bool {
	odd := func(v float32) bool { return v-v != 0 }
	return odd(r) || odd(g) || odd(b) || odd(a) || hints != nil && odd(hints[x])
}

// worse returns what two pixels show as one.
func worse(a, b Finding) Finding {
	switch {
	case a == b:
		return a
	case max(a, b) <= FindingBetween:
		return FindingBetween
	}
	return max(a, b)
}

// joinFindings makes a row of a smaller copy.
func joinFindings(out, upper, lower []Finding) {
	for x := range out {
		a, b := 2*x, min(2*x+1, len(upper)-1)
		p, q, r, s := upper[a], upper[b], lower[a], lower[b]
		if p == q && p == r && p == s {
			out[x] = p
			continue
		}
		out[x] = worse(worse(p, q), worse(r, s))
	}
}

// statusTile is the edge of a pattern in units; patterns repeat.
const statusTile = 8

// statusMark is how a finding looks: a colour, with another where its pattern is.
type statusMark struct {
	flat, ink [3]uint8
	// drawn says where in a tile the pattern is.
	drawn func(x, y int) bool
}

// statusMarks are the looks of the findings. The colours differ in brightness too, and each has a pattern of its own.
func statusMarks() [findings]statusMark {
	nowhere := func(int, int) bool { return false }
	plain := func(v uint8) statusMark { return statusMark{flat: [3]uint8{v, v, v}, drawn: nowhere} }
	return [findings]statusMark{
		FindingBlack: plain(0), FindingWhite: plain(255), FindingBetween: plain(0x80),
		FindingClipped: {[3]uint8{0x4c, 0x8c, 0xf0}, [3]uint8{0x10, 0x2c, 0x70}, func(_, y int) bool { return y%4 < 1 }},
		FindingResidue: {[3]uint8{0xf0, 0xa0, 0x30}, [3]uint8{0x50, 0x28, 0x00}, func(x, y int) bool {
			return x%4 < 2 && y%4 < 2
		}},
		FindingHole:   {[3]uint8{0xd0, 0x40, 0xb0}, [3]uint8{0xff, 0xd0, 0xf4}, func(x, y int) bool { return (x+y)%8 < 2 }},
		FindingBroken: {[3]uint8{0xff, 0xf0, 0x40}, [3]uint8{0x10, 0x10, 0x10}, func(x, y int) bool { return (x/4+y/4)%2 == 0 }},
	}
}

// statusInk is every finding's tile of R G B A, row by row, with the given number of device pixels in a unit.
type statusInk struct {
	size  int
	tiles [findings][]uint8
}

func newStatusInk(unit float64) statusInk {
	s := statusInk{size: max(int(math.Round(statusTile*unit)), statusTile)}
	for f, m := range statusMarks() {
		tile := make([]uint8, 0, 4*s.size*s.size)
		for y := range s.size {
			for x := range s.size {
				c := m.flat
				if m.drawn(x*statusTile/s.size, y*statusTile/s.size) {
					c = m.ink
				}
				tile = append(tile, c[0], c[1], c[2], 255)
			}
		}
		s.tiles[f] = tile
	}
	return s
}

// draw shows what was found in a rectangle of the viewport.
func (s *status) draw(out *image.RGBA, p placed, r image.Rectangle, ink statusInk) {
	s.levels.walk(p, r, func(y int, upper, lower []Finding, spans []span) {
		line := out.Pix[out.PixOffset(r.Min.X, y):][:4*r.Dx()]
		across := y % ink.size * ink.size
		tx := r.Min.X % ink.size
		for i, c := range spans {
			f := upper[c.first]
			if a, b, d := upper[c.last], lower[c.first], lower[c.last]; a != f || b != f || d != f {
				f = worse(worse(f, a), worse(b, d))
			}
			at := 4 * (across + tx)
			copy(line[4*i:4*i+4], ink.tiles[f][at:at+4])
			if tx++; tx == ink.size {
				tx = 0
			}
		}
	})
}
