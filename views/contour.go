package views

import (
	"image"
	"image/color"
	"math"

	"greenroom/engine/picture"
)

const (
	// contourWidth is how wide a contour is in units, and contourRim how wide the dark lines on both of its sides.
	contourWidth, contourRim = 1.6, 1
)

// contours is memory for drawing contours: sums of the hint over a few pixels along each row, and how much of the line
// covers each pixel.
type contours struct {
	sums []uint16
	line []uint8
}

// contour draws the line where the hint, which is where alpha will be, is half bright, and makes a rectangle opaque.
//
// How far a pixel is from the line is its distance from the level over the slope there, which follows the line between
// pixels. The hint is evened out over the width of the line before, so that there is a slope beside hard edges too.
func (f frame) contour(r image.Rectangle) {
	if r.Empty() {
		return
	}
	half := float32(contourWidth * f.look.Unit / 2)
	rim := half + float32(contourRim*f.look.Unit)
	reach := int(math.Ceil(float64(rim)))
	f.evenOut(r, reach)
	f.drawLine(r, reach, half, rim)
	f.inkLine(r)
}

// evenOut sums the hint over reach pixels to both sides along each row.
func (f frame) evenOut(r image.Rectangle, reach int) {
	w, h := r.Dx(), r.Dy()
	c := &f.Painter.contours
	if n := w * h; cap(c.line) < n {
		c.line, c.sums = make([]uint8, n), make([]uint16, n)
	}
	picture.ParallelRows(h, func(y0, y1 int) {
		for y := y0; y < y1; y++ {
			hint, sums := f.out.Pix[f.out.PixOffset(r.Min.X, r.Min.Y+y)+3:], c.sums[y*w:(y+1)*w]
			sum := uint16(0)
			for x := -reach; x <= reach; x++ {
				sum += uint16(hint[4*max(0, min(x, w-1))])
			}
			for x := range sums {
				sums[x] = sum
				sum += uint16(hint[4*min(x+reach+1, w-1)]) - uint16(hint[4*max(x-reach, 0)])
			}
		}
	})
}

// drawLine finds how much of the line covers each pixel.
func (f frame) drawLine(r image.Rectangle, reach int, half, rim float32) {
	w, h := r.Dx(), r.Dy()
	c := &f.Painter.contours
	row := func(y int) []uint16 {
		y = max(0, min(y, h-1))
		return c.sums[y*w : (y+1)*w]
	}
	// The level is half of what as many white pixels sum up to.
	side := int32(2*reach + 1)
	level := side * side * 255
	picture.ParallelRows(h, func(y0, y1 int) {
		// The rows before, at, and after the one that is drawn, summed down the columns too.
		three := [3][]int32{make([]int32, w), make([]int32, w), make([]int32, w)}
		for i := range three {
			for j := -reach; j <= reach; j++ {
				for x, v := range row(y0 - 1 + i + j) {
					three[i][x] += int32(v)
				}
			}
		}
		for y := y0; y < y1; y++ {
			up, here, down := three[0], three[1], three[2]
			left := here[0]
			for x, v := range here {
				right := here[min(x+1, w-1)]
				c.line[y*w+x] = lineAt(2*v-level, right-left, down[x]-up[x], half, rim)
				left = v
			}
			add, take := row(y+2+reach), row(y+1-reach)
			for x := range up {
				up[x] = down[x] + int32(add[x]) - int32(take[x])
			}
			three = [3][]int32{here, down, up}
		}
	})
}

// lineAt says how much of a contour covers a pixel: 128 and up is its colour, under that its rim, 0 is none. From is twice
// how far the hint is from the level; across and along are its differences over two pixels.
func lineAt(from, across, along int32, half, rim float32) uint8 {
	if across == 0 && along == 0 {
		return 0
	}
	slope := float32(math.Sqrt(float64(across)*float64(across) + float64(along)*float64(along)))
	d := float32(from)
	if d < 0 {
		d = -d
	}
	switch d /= slope; {
	case d < half+0.5:
		return 128 + uint8(127*min(half+0.5-d, 1))
	case d < rim+0.5:
		return uint8(127 * min(rim+0.5-d, 1))
	}
	return 0
}

// inkLine lays the line over the picture.
func (f frame) inkLine(r image.Rectangle) {
	w := r.Dx()
	c := f.look.Tint.Colour.rgb()
	// A line needs more than a tint to be seen.
	opacity := 1 - math.Pow(1-f.look.Tint.opacity(), 3)
	var ink, edge [128]uint32
	for i := range ink {
		part := opacity * float64(i) / 127
		ink[i], edge[i] = uint32(part*255), uint32(part*200)
	}
	line := f.Painter.contours.line
	picture.ParallelRows(r.Dy(), func(y0, y1 int) {
		for y := y0; y < y1; y++ {
			row, out := line[y*w:(y+1)*w], f.out.Pix[f.out.PixOffset(r.Min.X, r.Min.Y+y):]
			for x, v := range row {
				o := out[4*x : 4*x+4]
				o[3] = 255
				switch {
				case v >= 128:
					// The rim goes on under the soft end of the line.
					cover(o, color.NRGBA{}, edge[127-(v-128)])
					cover(o, c, ink[v-128])
				case v > 0:
					cover(o, color.NRGBA{}, edge[v])
				}
			}
		}
	})
}
