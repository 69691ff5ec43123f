package matte

import (
	"greenroom/engine/picture"
)

// cells is a picture kept in square cells of edge pixels, [ceil(H/edge), ceil(W/edge), C], read bilinearly
// between their middles.
type cells struct {
	picture.Image
	edge int
}

func newCells(m picture.Image, edge, channels int) cells {
	return cells{picture.New((m.W+edge-1)/edge, (m.H+edge-1)/edge, channels), edge}
}

// between returns between which two of n cells, and how far from the first, pixel i lies.
func (c cells) between(i, n int) (first, second int, part float32) {
	at := max((float32(i)+0.5)/float32(c.edge)-0.5, 0)
	first = min(int(at), n-1)
	return first, min(first+1, n-1), at - float32(first)
}

// line writes the row of cells, [W, C], that belongs to row y of the pixels.
func (c cells) line(dst []float32, y int) {
	up, down, f := c.between(y, c.H)
	a, b := c.Row(up), c.Row(down)
	for i, v := range a {
		dst[i] = v + f*(b[i]-v)
	}
}

// fullCell is the weight from which a cell speaks for itself when holes are filled.
const fullCell = 0.2

// filled turns cells of weighted colour, [H, W, 4], into colours, [H, W, 3], with the holes filled. ok is
// false where no cell had any weight.
func (c cells) filled() (colours cells, ok bool) {
	picture.Fill(c.Image, fullCell)
	colours = cells{picture.New(c.W, c.H, 3), c.edge}
	for i := range c.W * c.H {
		w := c.Pix[4*i+3]
		if w == 0 {
			return colours, false
		}
		for k := range 3 {
			colours.Pix[3*i+k] = c.Pix[4*i+k] / w
		}
	}
	return colours, true
}
