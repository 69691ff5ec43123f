package views

import (
	"image"

	"greenroom/engine/colour"
	"greenroom/engine/picture"
)

// Shown is a picture made ready to be looked at: with smaller copies of itself, so that it can be drawn small
// without flicker and without reading every pixel.
type Shown struct {
	// levels holds the picture and its halvings, [H, W, C] with C 1 or 3, in the space of its numbers.
	levels []picture.Image
	// linear says that colour is linear light and must be encoded for the display.
	linear bool
}

// smallest is the long edge in pixels at which halving ends: no window is smaller.
const smallest = 256

// NewShown makes a picture ready. It reads the picture once, on all processors; the picture must not change later.
func NewShown(p picture.Picture) *Shown {
	s := newShown(p.RGB, p.Space)
	s.shrink(s.bounds(), nil)
	return s
}

// NewShownHint makes a hint, [H, W, 1], ready. It must not change later.
func NewShownHint(m picture.Image) *Shown {
	s := newShown(m, colour.SRGB)
	s.shrink(s.bounds(), nil)
	return s
}

// newShown makes room for the halvings of a picture.
func newShown(m picture.Image, space colour.Space) *Shown {
	s := &Shown{levels: []picture.Image{m}, linear: space == colour.LinearRec709}
	for w, h := m.W, m.H; min(w, h) >= 2 && max(w, h) > smallest; {
		w, h = (w+1)/2, (h+1)/2
		s.levels = append(s.levels, picture.New(w, h, m.C))
	}
	return s
}

// Size returns the picture's size in pixels.
func (s *Shown) Size() (w, h int) { return s.levels[0].W, s.levels[0].H }

// bounds returns the picture's pixels.
func (s *Shown) bounds() image.Rectangle { return image.Rect(0, 0, s.levels[0].W, s.levels[0].H) }

// At returns the samples of a pixel, which the picture holds.
func (s *Shown) At(x, y int) []float32 {
	m := s.levels[0]
	return m.Row(y)[x*m.C : (x+1)*m.C]
}

// shrink brings the halvings up to date where the rectangle r of the picture has changed. A weight, of the same
// size with one channel and up to date, says how much each pixel counts.
func (s *Shown) shrink(r image.Rectangle, weight *Shown) {
	for i := 1; i < len(s.levels); i++ {
		r = image.Rect(r.Min.X/2, r.Min.Y/2, (r.Max.X+1)/2, (r.Max.Y+1)/2)
		src, dst := s.levels[i-1], s.levels[i]
		picture.ParallelRows(r.Dy(), func(y0, y1 int) {
			for y := r.Min.Y + y0; y < r.Min.Y+y1; y++ {
				lower := min(2*y+1, src.H-1)
				switch {
				case weight != nil:
					w := weight.levels[i-1]
					halveWeighted(dst.Row(y), src.Row(2*y), src.Row(lower), w.Row(2*y), w.Row(lower), r.Min.X, r.Max.X)
				case src.C == 1:
					halveGrey(dst.Row(y), src.Row(2*y), src.Row(lower), r.Min.X, r.Max.X)
				default:
					halveColour(dst.Row(y), src.Row(2*y), src.Row(lower), r.Min.X, r.Max.X)
				}
			}
		})
	}
}

// halveGrey writes pixels x0..x1 of a row that is the mean of two rows of twice its length. A last column without
// a neighbour counts twice.
func halveGrey(dst, a, b []float32, x0, x1 int) {
	for x := x0; x < x1; x++ {
		i, j := 2*x, min(2*x+1, len(a)-1)
		dst[x] = (a[i] + a[j] + b[i] + b[j]) / 4
	}
}

// halveColour is halveGrey for three channels.
func halveColour(dst, a, b []float32, x0, x1 int) {
	last := len(a)/3 - 1
	for x := x0; x < x1; x++ {
		i, j := 6*x, 3*min(2*x+1, last)
		p, q, r, s := a[i:i+3], a[j:j+3], b[i:i+3], b[j:j+3]
		out := dst[3*x : 3*x+3]
		for c := range out {
			out[c] = (p[c] + q[c] + r[c] + s[c]) / 4
		}
	}
}

// halveWeighted is halveColour where each pixel counts by its weight, so that colour where a matte is 0 does not
// bleed into the edges of a subject. Where no pixel has weight it is the plain mean.
func halveWeighted(dst, a, b, wa, wb []float32, x0, x1 int) {
	last := len(wa) - 1
	for x := x0; x < x1; x++ {
		i, j := 2*x, min(2*x+1, last)
		u, v, w, z := wa[i], wa[j], wb[i], wb[j]
		sum := u + v + w + z
		if !(sum > 0) {
			u, v, w, z, sum = 1, 1, 1, 1, 4
		}
		k := 1 / sum
		p, q, r, s := a[3*i:3*i+3], a[3*j:3*j+3], b[3*i:3*i+3], b[3*j:3*j+3]
		out := dst[3*x : 3*x+3]
		for c := range out {
			out[c] = (p[c]*u + q[c]*v + r[c]*w + s[c]*z) * k
		}
	}
}
