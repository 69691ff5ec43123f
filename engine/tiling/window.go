package tiling

import "math"

// resolution is what shares are multiples of. Twelve bits for a row's share and twelve for a column's make
// every product, and every sum of products up to 1, exact in a float32's 24 bits: so weights add up to 1
// without rounding, and a ramp's steps (1/4096 of what two tiles differ by) are far under a 16-bit step.
const resolution = 1 << 12

// Window is how a tile fades into the next where they overlap.
type Window struct {
	// Cosine rises like half a period of a cosine instead of along a straight line.
	Cosine bool
	// Margin is how much of a tile along a border with another is not used at all, in pixels, where the overlap
	// leaves room for it: never more than a quarter of the overlap, so that half of it is left to fade in.
	Margin int
}

// DefaultWindow is the window of every key.
func DefaultWindow() Window { return Window{} }

// Reach is how far the refiner's convolutions reach: so near to its border a tile sees what is not there.
const Reach = 31

// windows returns the weights along one axis for each tile: weights[j][p] is the share of tile j in its own
// pixel p. Origins and edge are in pixels of the plate, the weights in pixels 1/scale as many.
//
// Where tile k and the one before it lie over one another, k fades in along the window's ramp. Tile j's share is the product of the fades up to its own, less the product up to the next one's:
// the sum over all tiles telescopes to 1, even where three tiles meet because the last was moved back.
func (f Window) weights(origins []int, edge, scale int) [][]float32 {
	weights := make([][]float32, len(origins))
	for j, at := range origins {
		w := make([]float32, edge/scale)
		for p := range w {
			x := float64(at/scale+p) + 0.5
			w[p] = f.share(origins, edge, scale, j, x) - f.share(origins, edge, scale, j+1, x)
		}
		weights[j] = w
	}
	return weights
}

// share returns how much of place x belongs to tile j or a later one, a multiple of 1/resolution. Fades
// before the last two are over where tile j-1 begins, because all tiles but the last, and the first of a shifted grid, overlap by
// half at most: they are left out.
func (f Window) share(origins []int, edge, scale, j int, x float64) float32 {
	if j >= len(origins) {
		return 0
	}
	v := 1.0
	for k := max(1, j-2); k <= j; k++ {
		start, end := float64(origins[k]/scale), float64((origins[k-1]+edge)/scale)
		v *= f.fade(start, end, float64(f.Margin)/float64(scale), x)
	}
	return float32(math.Round(v*resolution) / resolution)
}

// fade rises from 0 at start to 1 at end, or margin within; a step where both are one place.
func (f Window) fade(start, end, margin, x float64) float64 {
	margin = min(margin, (end-start)/4)
	start, end = start+margin, end-margin
	switch {
	case x <= start:
		return 0
	case x >= end:
		return 1
	case f.Cosine:
		return (1 - math.Cos(math.Pi*(x-start)/(end-start))) / 2
	}
	return (x - start) / (end - start)
}

// ramp returns where tile k fades in over the tile before it: from and to, in pixels.
func (f Window) ramp(origins []int, edge, k int) (from, to int) {
	start, end := origins[k], origins[k-1]+edge
	margin := min(float64(f.Margin), float64(end-start)/4)
	return start + int(margin), end - int(margin)
}
