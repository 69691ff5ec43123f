package tiling

import "math"

// resolution is what shares are multiples of. Twelve bits for a row's share and twelve for a column's make
// every product, and every sum of products up to 1, exact in a float32's 24 bits: so weights add up to 1
// without rounding, and a ramp's steps (1/4096 of what two tiles differ by) are far under a 16-bit step.
const resolution = 1 << 12

// windows returns the weights along one axis for each tile: weights[j][p] is the share of tile j in its own
// pixel p. Origins and edge are in pixels of the plate, the weights in pixels 1/scale as many.
//
// Where tile k and the one before it lie over one another, k fades in along a straight ramp over all that the
// two share. Tile j's share is the product of the fades up to its own, less the product up to the next one's:
// the sum over all tiles telescopes to 1, even where three tiles meet because the last was moved back.
func windows(origins []int, edge, scale int) [][]float32 {
	weights := make([][]float32, len(origins))
	for j, at := range origins {
		w := make([]float32, edge/scale)
		for p := range w {
			x := float64(at/scale+p) + 0.5
			w[p] = share(origins, edge, scale, j, x) - share(origins, edge, scale, j+1, x)
		}
		weights[j] = w
	}
	return weights
}

// share returns how much of place x belongs to tile j or a later one, a multiple of 1/resolution. Fades
// before the last two are over where tile j-1 begins, because tiles overlap by half at most: they are left out.
func share(origins []int, edge, scale, j int, x float64) float32 {
	if j >= len(origins) {
		return 0
	}
	v := 1.0
	for k := max(1, j-2); k <= j; k++ {
		start, end := float64(origins[k]/scale), float64((origins[k-1]+edge)/scale)
		v *= fade(start, end, x)
	}
	return float32(math.Round(v*resolution) / resolution)
}

// fade rises from 0 at start to 1 at end; a step where both are one place.
func fade(start, end, x float64) float64 {
	if x <= start {
		return 0
	}
	if x >= end {
		return 1
	}
	return (x - start) / (end - start)
}
