package matte

import (
	"math"
	"slices"

	"greenroom/engine/colour"
	"greenroom/engine/picture"
	"greenroom/engine/settings"
)

const (
	// flat is how far the samples of a bar may lie from its colour, encoded: 8-bit rounding and what JPEG
	// leaves. noisy is the share of a bar's line that may lie farther off.
	flat, noisy = 0.025, 0.002
	// sharp is how far the picture beside a bar must lie from its colour, encoded, in half of its pixels: a
	// screen that ends where the subject begins is no bar.
	sharp = 0.05
	// mostBar is the share of the frame that a bar may take on one side.
	mostBar = 0.4
)

// ProposeGarbage returns the uniform borders and letterbox bars of a plate as boxes: for each side of the frame
// lines of one colour, up to a line that differs from it in at least half of its pixels. Nothing is proposed
// where the screen itself is as even as a bar, or where the whole frame is of one colour. An unknown space is
// an error.
func ProposeGarbage(p picture.Picture) ([]settings.Box, error) {
	m, err := encodedPlate(p)
	if err != nil || m.Empty() {
		return nil, err
	}
	w, h := m.W, m.H
	top := bar(h, m.Row)
	bottom := bar(h, func(i int) []float32 { return m.Row(h - 1 - i) })
	if top+bottom >= h {
		return nil, nil
	}
	// The bars at the sides lie between those above and below.
	column := func(x int) []float32 {
		line := make([]float32, 0, 3*(h-top-bottom))
		for y := top; y < h-bottom; y++ {
			line = append(line, m.Row(y)[3*x:3*x+3]...)
		}
		return line
	}
	left := bar(w, column)
	right := bar(w, func(i int) []float32 { return column(w - 1 - i) })
	var boxes []settings.Box
	for _, b := range []settings.Box{
		{X0: 0, Y0: 0, X1: float64(w), Y1: float64(top)},
		{X0: 0, Y0: float64(h - bottom), X1: float64(w), Y1: float64(h)},
		{X0: 0, Y0: float64(top), X1: float64(left), Y1: float64(h - bottom)},
		{X0: float64(w - right), Y0: float64(top), X1: float64(w), Y1: float64(h - bottom)},
	} {
		if b.X0 < b.X1 && b.Y0 < b.Y1 {
			boxes = append(boxes, b)
		}
	}
	return boxes, nil
}

// encodedPlate returns the plate's colour sRGB-encoded: differences are judged as the eye sees them.
func encodedPlate(p picture.Picture) (picture.Image, error) {
	if p.Space == colour.SRGB {
		return p.RGB, nil
	}
	from, err := colour.NewCurve(p.Space)
	if err != nil {
		return picture.Image{}, err
	}
	to, err := colour.NewCurve(colour.SRGB)
	if err != nil {
		return picture.Image{}, err
	}
	m := p.RGB.Clone()
	picture.ParallelRows(m.H, func(y0, y1 int) {
		for y := y0; y < y1; y++ {
			row := m.Row(y)
			for i, v := range row {
				row[i] = to.FromLinear(from.ToLinear(v))
			}
		}
	})
	return m, nil
}

// bar returns how many of n lines from the frame's edge on are a bar; line returns the colours of line i.
func bar(n int, line func(i int) []float32) int {
	first := line(0)
	var c [3]float32
	for i := range c {
		c[i] = median(first, i)
	}
	most := int(mostBar * float64(n))
	for i := 0; i <= most && i < n; i++ {
		l := line(i)
		if share(l, c, flat) <= noisy {
			continue
		}
		// The line after the bar may be half bar, half picture: the next one tells.
		if max(share(l, c, sharp), share(line(min(i+1, n-1)), c, sharp)) >= 0.5 {
			return i
		}
		return 0
	}
	return 0
}

// share returns the share of a line's pixels that lie farther than by from a colour in some channel.
func share(line []float32, c [3]float32, by float64) float64 {
	off := 0
	for i := 0; i < len(line); i += 3 {
		for k, v := range c {
			if !(math.Abs(float64(line[i+k]-v)) <= by) {
				off++
				break
			}
		}
	}
	return float64(3*off) / float64(len(line))
}

// median returns the middle value of one channel of a line.
func median(line []float32, channel int) float32 {
	values := make([]float32, 0, len(line)/3)
	for i := channel; i < len(line); i += 3 {
		values = append(values, line[i])
	}
	slices.Sort(values)
	return values[len(values)/2]
}
