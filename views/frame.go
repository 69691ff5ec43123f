package views

import (
	"image"
	"math"

	"greenroom/engine/colour"
	"greenroom/engine/picture"
)

// Shown is a picture made ready to be looked at: with smaller copies of itself, so that it can be drawn small
// without flicker and without reading every pixel.
type Shown struct {
	// levels holds the picture and its halvings, [H, W, 3], in the space of its numbers.
	levels []picture.Image
	linear bool
}

// NewShown makes a picture ready. It reads the picture once, on all processors; the picture must not change later.
func NewShown(p picture.Picture) *Shown {
	s := &Shown{levels: []picture.Image{p.RGB}, linear: p.Space == colour.LinearRec709}
	for m := p.RGB; min(m.W, m.H) >= 2 && max(m.W, m.H) > 256; {
		m = picture.BoxReduce(m, 2)
		s.levels = append(s.levels, m)
	}
	return s
}

// Size returns the picture's size in pixels.
func (s *Shown) Size() (w, h int) { return s.levels[0].W, s.levels[0].H }

// Fit returns where a picture of pw x ph pixels lies in a view of w x h pixels when all of it is shown, as large
// as possible, in the middle.
func Fit(pw, ph, w, h int) image.Rectangle {
	if pw <= 0 || ph <= 0 || w <= 0 || h <= 0 {
		return image.Rectangle{}
	}
	scale := math.Min(float64(w)/float64(pw), float64(h)/float64(ph))
	fw := min(w, max(1, int(math.Round(float64(pw)*scale))))
	fh := min(h, max(1, int(math.Round(float64(ph)*scale))))
	x, y := (w-fw)/2, (h-fh)/2
	return image.Rect(x, y, x+fw, y+fh)
}

// Draw returns a view of w x h device pixels: the picture fitted, sRGB-encoded, clear around it.
func (s *Shown) Draw(w, h int) *image.NRGBA {
	out := image.NewNRGBA(image.Rect(0, 0, max(w, 0), max(h, 0)))
	pw, ph := s.Size()
	place := Fit(pw, ph, w, h)
	if place.Empty() {
		return out
	}
	level := s.level(float64(place.Dx()) / float64(pw))
	src := s.levels[level]
	columns := stops(place.Dx(), pw, src.W, level)
	rows := stops(place.Dy(), ph, src.H, level)
	encode := s.encoder()
	picture.ParallelRows(place.Dy(), func(y0, y1 int) {
		for y := y0; y < y1; y++ {
			line := out.Pix[out.PixOffset(place.Min.X, place.Min.Y+y):]
			v := rows[y]
			top, bottom := src.Row(v.at), src.Row(v.next)
			for x, u := range columns {
				a, b := u.at*3, u.next*3
				for k := range 3 {
					upper := top[a+k] + (top[b+k]-top[a+k])*u.part
					lower := bottom[a+k] + (bottom[b+k]-bottom[a+k])*u.part
					line[4*x+k] = encode(upper + (lower-upper)*v.part)
				}
				line[4*x+3] = 255
			}
		}
	})
	return out
}

// level picks the smallest copy that is not smaller than what is drawn.
func (s *Shown) level(scale float64) int {
	i := 0
	for i+1 < len(s.levels) && float64(s.levels[i+1].W) >= scale*float64(s.levels[0].W) {
		i++
	}
	return i
}

// stop is where a drawn row or column falls among the samples: between at and next, part of the way.
type stop struct {
	at, next int
	part     float32
}

// stops places n drawn rows or columns of a picture of full samples over a copy of it that was halved level
// times to size samples. Over 200 % pixels are shown as squares.
func stops(n, full, size, level int) []stop {
	list := make([]stop, n)
	step := float64(int(1) << level)
	for i := range list {
		// The copy's last sample may stand for less than a whole step: positions follow the full picture.
		position := (float64(i) + 0.5) * float64(full) / float64(n) / step
		if n > 2*full {
			at := min(int(position), size-1)
			list[i] = stop{at: at, next: at}
			continue
		}
		position = math.Max(0, math.Min(position-0.5, float64(size-1)))
		at := int(position)
		list[i] = stop{at: at, next: min(at+1, size-1), part: float32(position - float64(at))}
	}
	return list
}

// encoder returns the function from a sample to 8 bits for the display. Linear light goes through a table whose
// steps are finer than those of 8 bits.
func (s *Shown) encoder() func(float32) uint8 {
	if !s.linear {
		return func(v float32) uint8 { return eight(v) }
	}
	const steps = 1 << 14
	table := make([]uint8, steps+1)
	for i := range table {
		table[i] = eight(colour.LinearToSRGB(float32(i) / steps))
	}
	return func(v float32) uint8 {
		if !(v > 0) {
			return 0
		}
		return table[int(min(v, 1)*steps+0.5)]
	}
}

// eight rounds 0..1 to 8 bits; NaN is black.
func eight(v float32) uint8 {
	if !(v > 0) {
		return 0
	}
	return uint8(min(v, 1)*255 + 0.5)
}
