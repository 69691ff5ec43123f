package hint

import (
	"slices"

	"greenroom/engine/picture"
)

const (
	// An island of the mask under crumb of the frame is never a subject; one under marker is a tracking marker
	// or such, unless the largest island is not markerTimes larger. What the shrinking leaves of hairs and
	// frames is under sliver.
	crumb, marker, sliver = 0.0004, 0.0025, 0.0001
	markerTimes           = 4
	// A hole under pinhole of the frame, all of it deeper inside than fringe of the long edge, is a blemish: a
	// green reflection, noise. Nearer the edge it is a gap between hairs.
	pinhole = 0.0005
)

// removeIslands clears the islands of a mask that are too small for a subject, in place.
func removeIslands(mask picture.Image) {
	frame := float64(len(mask.Pix))
	islands := regions(mask, true)
	largest := 0
	for _, island := range islands {
		largest = max(largest, len(island))
	}
	limit := max(crumb*frame, min(marker*frame, float64(largest)/markerTimes))
	for _, island := range islands {
		if float64(len(island)) < limit {
			set(mask, island, 0)
		}
	}
}

// removeSlivers clears what is left of thin things in a mask that was shrunk, in place.
func removeSlivers(mask picture.Image) {
	for _, island := range regions(mask, true) {
		if float64(len(island)) < sliver*float64(len(mask.Pix)) {
			set(mask, island, 0)
		}
	}
}

// fillBlemishes fills the small holes deep inside a mask, in place.
func fillBlemishes(mask picture.Image) {
	var small [][]int32
	for _, hole := range regions(mask, false) {
		if float64(len(hole)) < pinhole*float64(len(mask.Pix)) {
			small = append(small, hole)
			set(mask, hole, 1)
		}
	}
	reach := float32(fringe * float64(max(mask.W, mask.H)))
	inside := picture.Distance(mask, 0.5, reach)
	for _, hole := range small {
		if slices.ContainsFunc(hole, func(i int32) bool { return inside.Pix[i] < reach }) {
			set(mask, hole, 0)
		}
	}
}

// set gives the same value to some pixels of a mask.
func set(mask picture.Image, pixels []int32, v float32) {
	for _, i := range pixels {
		mask.Pix[i] = v
	}
}

// regions returns the pixels of each connected region over 0, joined across corners too; or of each region
// at 0, joined along sides only, so that the two kinds never cross.
func regions(mask picture.Image, lit bool) [][]int32 {
	w, h := mask.W, mask.H
	seen := make([]bool, w*h)
	// One list holds all regions: each begins where the last ended.
	pixels := make([]int32, 0, w*h)
	var found [][]int32
	for start := range mask.Pix {
		if seen[start] || (mask.Pix[start] > 0) != lit {
			continue
		}
		first := len(pixels)
		seen[start] = true
		pixels = append(pixels, int32(start))
		for next := first; next < len(pixels); next++ {
			x, y := int(pixels[next])%w, int(pixels[next])/w
			for j := max(y-1, 0); j <= min(y+1, h-1); j++ {
				for i := max(x-1, 0); i <= min(x+1, w-1); i++ {
					at := j*w + i
					if seen[at] || (mask.Pix[at] > 0) != lit || (!lit && i != x && j != y) {
						continue
					}
					seen[at] = true
					pixels = append(pixels, int32(at))
				}
			}
		}
		found = append(found, pixels[first:])
	}
	return found
}
