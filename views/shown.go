package views

import (
	"image"

	"greenroom/engine/colour"
	"greenroom/engine/picture"
)

// Shown is a picture made ready to be looked at: with smaller copies of itself, so that it can be drawn small
// without flicker and without reading every pixel.
//
// The smaller copies of sRGB-encoded colour are pixels, to be drawn fast and held in half the memory. Those of linear
// light, which needs finer steps in the dark and goes beyond 1, and of hints, which few views read, are floats.
type Shown struct {
	w, h int
	// original are the numbers as they came, [H, W, C] with C 1 or 3, and originalMatte the matte of a key's
	// sRGB-encoded foreground. A key that grows has none.
	original, originalMatte picture.Image
	// linear says that colour is linear light and must be encoded for the display.
	linear bool
	// pixels or floats are the picture and its halvings, in the space of its numbers; the other is empty. The first
	// of the pixels is empty where the originals are there to be read.
	pixels []grid
	floats []picture.Image
}

// smallest is the long edge in pixels at which halving ends: no window is smaller.
const smallest = 256

// NewShown makes a picture ready. It reads the picture once, on all processors; the picture must not change later.
func NewShown(p picture.Picture) *Shown {
	m, space := drawable(p.RGB, p.Space)
	if space == colour.LinearRec709 {
		return newShownFloats(m, nil)
	}
	return newShownKey(m, picture.Image{})
}

// NewShownHint makes a hint, [H, W, 1], ready. It must not change later.
func NewShownHint(m picture.Image) *Shown { return newShownFloats(m, nil) }

// newShownFloats makes a picture of linear light or of one channel ready. A weight, of the same size with one
// channel, says how much each pixel counts in the halvings; it may be nil.
func newShownFloats(m picture.Image, weight *Shown) *Shown {
	s := &Shown{w: m.W, h: m.H, original: m, linear: m.C == 3, floats: []picture.Image{m}}
	for _, size := range s.halvings() {
		s.floats = append(s.floats, picture.New(size.X, size.Y, m.C))
	}
	s.shrinkFloats(weight)
	return s
}

// newShownKey makes an sRGB-encoded colour ready, with its matte where it has one.
func newShownKey(colour, matte picture.Image) *Shown {
	s := &Shown{w: colour.W, h: colour.H, original: colour, originalMatte: matte, pixels: []grid{{w: colour.W, h: colour.H}}}
	for _, size := range s.halvings() {
		s.pixels = append(s.pixels, newGrid(size.X, size.Y))
	}
	if len(s.pixels) > 1 {
		s.shrinkOriginals(s.pixels[1])
		s.shrinkPixels(2, s.bounds())
	}
	return s
}

// newGrowing makes room for the sRGB-encoded colour and the matte of a key that grows.
func newGrowing(w, h int) *Shown {
	s := &Shown{w: w, h: h, pixels: []grid{newGrid(w, h)}}
	for _, size := range s.halvings() {
		s.pixels = append(s.pixels, newGrid(size.X, size.Y))
	}
	return s
}

// put puts a colour and a matte at their place in a key that grows and returns it.
func (s *Shown) put(colour, matte picture.Image, at image.Point) image.Rectangle {
	r := image.Rect(0, 0, colour.W, colour.H).Add(at).Intersect(s.bounds())
	picture.ParallelRows(r.Dy(), func(y0, y1 int) {
		from, to := r.Min.X-at.X, r.Max.X-at.X
		for y := r.Min.Y + y0; y < r.Min.Y+y1; y++ {
			out := s.pixels[0].row(y)[r.Min.X:r.Max.X]
			putColour(out, colour.Row(y - at.Y)[3*from:3*to])
			putMatte(out, matte.Row(y - at.Y)[from:to])
		}
	})
	s.shrinkPixels(1, r)
	return r
}

// halvings returns the sizes of the smaller copies.
func (s *Shown) halvings() []image.Point {
	var sizes []image.Point
	for w, h := s.w, s.h; min(w, h) >= 2 && max(w, h) > smallest; {
		w, h = (w+1)/2, (h+1)/2
		sizes = append(sizes, image.Pt(w, h))
	}
	return sizes
}

// Size returns the picture's size in pixels.
func (s *Shown) Size() (w, h int) { return s.w, s.h }

// bounds returns the picture's pixels.
func (s *Shown) bounds() image.Rectangle { return image.Rect(0, 0, s.w, s.h) }

// At returns the samples of a pixel, which the picture holds.
func (s *Shown) At(x, y int) []float32 {
	m := s.original
	return m.Row(y)[x*m.C : (x+1)*m.C]
}

// shrinkOriginals makes the first halving.
func (s *Shown) shrinkOriginals(dst grid) {
	src, mattes := s.original, s.originalMatte
	picture.ParallelRows(dst.h, func(y0, y1 int) {
		colour, matte := make([]float32, 3*dst.w), make([]float32, dst.w)
		for y := y0; y < y1; y++ {
			lower, out := min(2*y+1, src.H-1), dst.row(y)
			if mattes.Pix == nil {
				halveColour(colour, src.Row(2*y), src.Row(lower), 0, dst.w)
				putColour(out, colour)
				continue
			}
			a, b := mattes.Row(2*y), mattes.Row(lower)
			halveWeighted(colour, src.Row(2*y), src.Row(lower), a, b, 0, dst.w)
			halveGrey(matte, a, b, 0, dst.w)
			putColour(out, colour)
			putMatte(out, matte)
		}
	})
}

// shrinkPixels brings the halvings from the given one on up to date where the rectangle r of the picture has changed.
func (s *Shown) shrinkPixels(first int, r image.Rectangle) {
	for i := 1; i < len(s.pixels); i++ {
		r = image.Rect(r.Min.X/2, r.Min.Y/2, (r.Max.X+1)/2, (r.Max.Y+1)/2)
		if i < first {
			continue
		}
		src, dst := s.pixels[i-1], s.pixels[i]
		picture.ParallelRows(r.Dy(), func(y0, y1 int) {
			for y := r.Min.Y + y0; y < r.Min.Y+y1; y++ {
				halvePixels(dst.row(y), src.row(2*y), src.row(min(2*y+1, src.h-1)), r.Min.X, r.Max.X, pairMask)
			}
		})
	}
}

// shrinkFloats makes the halvings.
func (s *Shown) shrinkFloats(weight *Shown) {
	for i := 1; i < len(s.floats); i++ {
		src, dst := s.floats[i-1], s.floats[i]
		picture.ParallelRows(dst.H, func(y0, y1 int) {
			for y := y0; y < y1; y++ {
				lower := min(2*y+1, src.H-1)
				switch {
				case weight != nil:
					w := weight.floats[i-1]
					halveWeighted(dst.Row(y), src.Row(2*y), src.Row(lower), w.Row(2*y), w.Row(lower), 0, dst.W)
				case src.C == 1:
					halveGrey(dst.Row(y), src.Row(2*y), src.Row(lower), 0, dst.W)
				default:
					halveColour(dst.Row(y), src.Row(2*y), src.Row(lower), 0, dst.W)
				}
			}
		})
	}
}
