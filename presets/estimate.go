package presets

import (
	"cmp"
	"slices"

	"greenroom/engine/settings"
)

// Estimated is how long a key will take, by a bench on this machine.
type Estimated struct {
	// Seconds is the time of the network.
	Seconds float64
	// From is the row that it rests on.
	From settings.Measured
}

// Estimate says how long a key takes whose tiles have that many pixels together, from the rows of this machine that
// are nearest to its settings: the same attention, calls of a size within half as much again, then the most settings
// in common, then the newest. It is false where nothing of the kind was measured.
func Estimate(q Request, s settings.Settings, pixels int64) (Estimated, bool) {
	edge := callEdge(s.Tile, q.Size)
	type candidate struct {
		row    settings.Measured
		others int
		apart  float64
	}
	var list []candidate
	for _, row := range q.rows() {
		apart := far(callEdge(row.Settings.Tile, float64(row.Resolution)), edge)
		if apart > nearSize || row.Settings.SDPA != s.SDPA || row.Settings.Refine != s.Refine {
			continue
		}
		a, b := row.Settings, s
		a.Tile, b.Tile, a.Overlap, b.Overlap = 0, 0, 0, 0
		list = append(list, candidate{row, len(compare(a, b, "")), apart})
	}
	if len(list) == 0 || pixels <= 0 {
		return Estimated{}, false
	}
	best := slices.MinFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.others, b.others), cmp.Compare(a.apart, b.apart), b.row.At.Compare(a.row.At))
	}).row
	seconds := best.MedianMS / 1000 * float64(pixels) / float64(tilePixels(best))
	return Estimated{Seconds: seconds, From: best}, true
}

// tilePixels is how many pixels the tiles of a measured plate have together.
func tilePixels(row settings.Measured) int64 {
	edge, tile, overlap := int64(row.Resolution), int64(row.Settings.Tile), int64(row.Settings.Overlap)
	if wholeFrame(row.Settings.Tile, float64(row.Resolution)) {
		return edge * edge
	}
	// Tiles lie on a lattice of 32 pixels, so that the overlap in use is at least the one asked for.
	step := max(32, (tile-overlap)/32*32)
	n := (edge-tile+step-1)/step + 1
	return n * n * tile * tile
}
