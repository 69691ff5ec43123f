package greenformer

// Tokens are kept in mask-unit order: units of 8x8 tokens from left to right and top to bottom, and inside a
// unit a Z-order, so that the four tokens of every 2x2 pooling group stand side by side, and so do those of
// every window of attention. That is a permutation of the order in which the paper unrolls tokens, within
// which nothing depends on the order of windows, of a window's tokens, or of a group's.

// unitEdge is the edge of a mask unit in tokens of stage 1.
const unitEdge = 8

// unitOrder lists, for every place in mask-unit order, the row-major token at it. The grid is h x w tokens of
// a stage whose units are unit tokens wide: 8 in stage 1, 4, 2 and 1 in the next. Both sides are multiples of unit.
func unitOrder(h, w, unit int) []int32 {
	order := make([]int32, 0, h*w)
	for uy := 0; uy < h; uy += unit {
		for ux := 0; ux < w; ux += unit {
			for i := range unit * unit {
				x, y := deinterleave(i)
				order = append(order, int32((uy+y)*w+ux+x))
			}
		}
	}
	return order
}

// inverse returns the permutation that undoes order.
func inverse(order []int32) []int32 {
	back := make([]int32, len(order))
	for place, token := range order {
		back[token] = int32(place)
	}
	return back
}

// deinterleave splits a place in Z-order into its even bits, x, and its odd bits, y.
func deinterleave(i int) (x, y int) {
	for bit := 0; i>>(2*bit) != 0; bit++ {
		x |= i >> (2 * bit) & 1 << bit
		y |= i >> (2*bit + 1) & 1 << bit
	}
	return x, y
}
