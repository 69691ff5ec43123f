package hint

import (
	"greenroom/engine/picture"
)

// cleanScreen estimates the colour of the screen all over the frame, [H, W, 3] at the size of small, as if
// there were no subject: it follows uneven light, and goes on behind the subject.
//
// Where the picture shows the screen, cells of a thirtieth of the frame average it; cells without any take
// the average of ever larger surroundings.
func cleanScreen(small picture.Image, b backdrop) picture.Image {
	// colour holds the sum of weighted colour, and the weight as its fourth channel.
	sums := picture.New(small.W, small.H, 4)
	for y := range small.H {
		src, dst := small.Row(y), sums.Row(y)
		for x := range small.W {
			c := src[3*x : 3*x+3]
			r, ok := ratioOf(c)
			if !ok {
				continue
			}
			// Mixed pixels lie on the way from the screen's ratio to another one: the nearer, the purer.
			near := 1 - b.distance(r)/radius
			if near <= 0 {
				continue
			}
			w := float32(near * smoothness(small, x, y))
			for i, v := range c {
				dst[4*x+i] = v * w
			}
			dst[4*x+3] = w
		}
	}
	cell := max(small.W, small.H) / 30
	cells := picture.BoxReduce(sums, cell)
	picture.Fill(cells, fullCell)
	colours := picture.New(cells.W, cells.H, 3)
	for i := range cells.W * cells.H {
		for c := range 3 {
			colours.Pix[3*i+c] = cells.Pix[4*i+c] / cells.Pix[4*i+3]
		}
	}
	colours = picture.Blur(colours, 0.7)
	if cell <= 1 {
		return colours
	}
	// The last cells may reach beyond the frame.
	whole := picture.ResampleBilinear(colours, cells.W*cell, cells.H*cell)
	return picture.Crop(whole, 0, 0, small.W, small.H)
}

// fullCell is the mean weight from which a cell speaks for itself.
const fullCell = 0.2
