package hint

import "greenroom/engine/picture"

// SwapScreen exchanges green and blue of colour [H, W, 3] in place, so that a blue screen becomes a green
// one: before a network that knows only green, and on the foreground it gives. Twice changes nothing.
func SwapScreen(m picture.Image) {
	picture.ParallelRows(m.H, func(y0, y1 int) {
		for y := y0; y < y1; y++ {
			row := m.Row(y)
			for i := 0; i+2 < len(row); i += 3 {
				row[i+1], row[i+2] = row[i+2], row[i+1]
			}
		}
	})
}
