package engine

import (
	"math"
	"sync/atomic"

	"greenroom/engine/colour"
	"greenroom/engine/picture"
)

// sight turns samples of a plate and a hint into what the network sees.
type sight struct {
	encode  *colour.Converter // from the plate's space to sRGB
	swapped bool              // green and blue change places
}

// newSight returns the sight for a plate's space, which validate has found known.
func newSight(j Job) (sight, error) {
	encode, err := colour.NewConverter(j.Plate.Space, colour.SRGB, 1)
	return sight{encode: encode, swapped: j.swapped()}, err
}

// plate brings samples, R G B after R G B, to sRGB, into 0..1, non-finite values to 0, in place.
func (s sight) plate(pix []float32) {
	picture.ParallelRows(len(pix)/3, func(i0, i1 int) {
		for i := i0; i < i1; i++ {
			p := pix[3*i : 3*i+3]
			for c, v := range p {
				if !finite(v) {
					p[c] = 0
				}
			}
			r, g, b := s.encode.Colour(p[0], p[1], p[2])
			if s.swapped {
				g, b = b, g
			}
			p[0], p[1], p[2] = min(max(r, 0), 1), min(max(g, 0), 1), min(max(b, 0), 1)
		}
	})
}

// hint brings samples of a hint into 0..1, non-finite values to 0, in place.
func (s sight) hint(pix []float32) {
	for i, v := range pix {
		if !finite(v) {
			v = 0
		}
		pix[i] = min(max(v, 0), 1)
	}
}

// back gives the network's colours their places again: green and blue of pixels of n samples, of which red
// is at first.
func (s sight) back(pix []float32, n, first int) {
	if !s.swapped {
		return
	}
	for i := first + 1; i+1 < len(pix); i += n {
		pix[i], pix[i+1] = pix[i+1], pix[i]
	}
}

func finite(v float32) bool { return math.Float32bits(v)&0x7F800000 != 0x7F800000 }

// nonFinite counts the samples that are NaN or infinite.
func nonFinite(pix []float32) int {
	var sum atomic.Int64
	const run = 1 << 14
	picture.ParallelRows((len(pix)+run-1)/run, func(r0, r1 int) {
		n := 0
		for _, v := range pix[r0*run : min(r1*run, len(pix))] {
			if !finite(v) {
				n++
			}
		}
		sum.Add(int64(n))
	})
	return int(sum.Load())
}
