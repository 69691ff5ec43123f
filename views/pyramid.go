package views

import (
	"image"
	"math"

	"greenroom/engine/picture"
)

// pyramid is something of every pixel of a plate, with smaller copies of itself: each is half as wide and high as the one
// before it, and a pixel of it stands for four.
type pyramid[T any] []pyramidLevel[T]

// pyramidLevel is one copy, row by row.
type pyramidLevel[T any] struct {
	w, h int
	pix  []T
}

func newPyramidLevel[T any](w, h int) pyramidLevel[T] { return pyramidLevel[T]{w, h, make([]T, w*h)} }

func (l pyramidLevel[T]) row(y int) []T { return l.pix[y*l.w:][:l.w] }

// newPyramid makes copies until the long edge of one is at most least. join makes a row of two: pixel x of it stands for
// the pixels 2x and, unless that is beyond the edge, 2x+1 of both.
func newPyramid[T any](first pyramidLevel[T], least int, join func(out, upper, lower []T)) pyramid[T] {
	p := pyramid[T]{first}
	for last := first; max(last.w, last.h) > least; {
		next := newPyramidLevel[T]((last.w+1)/2, (last.h+1)/2)
		picture.ParallelRows(next.h, func(y0, y1 int) {
			for y := y0; y < y1; y++ {
				join(next.row(y), last.row(2*y), last.row(min(2*y+1, last.h-1)))
			}
		})
		p = append(p, next)
		last = next
	}
	return p
}

// level returns the copy for a zoom, and how many pixels of the plate each of its pixels is wide.
func (p pyramid[T]) level(zoom float64) (l pyramidLevel[T], wide int) {
	i := 0
	for i+1 < len(p) && zoom*float64(int(2)<<i) <= 1 {
		i++
	}
	return p[i], 1 << i
}

// walk calls do for every row of a rectangle of the viewport, with the rows of the copy for the zoom that it shows, and
// which of their pixels each device pixel does. Rows are walked at the same time.
func (p pyramid[T]) walk(at placed, r image.Rectangle, do func(y int, upper, lower []T, spans []span)) {
	if r.Empty() {
		return
	}
	l, wide := p.level(at.zoom)
	spans := make([]span, r.Dx())
	for i := range spans {
		spans[i] = spanOf(at.left, at.zoom, r.Min.X+i, wide, l.w)
	}
	picture.ParallelRows(r.Dy(), func(y0, y1 int) {
		for y := r.Min.Y + y0; y < r.Min.Y+y1; y++ {
			rows := spanOf(at.top, at.zoom, y, wide, l.h)
			do(y, l.row(rows.first), l.row(rows.last), spans)
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
