package hint

import (
	"fmt"

	"greenroom/engine/picture"
	"greenroom/engine/settings"
)

// Check looks at a hint [H, W, 1] together with its plate of the same size, and warns if it marks the screen
// instead of the subject. asked is the screen colour, or auto to find it; a plate without one says nothing,
// and neither does a hint of another size.
func Check(m picture.Image, p picture.Picture, asked settings.Screen) []Notice {
	if m.Empty() || m.C != 1 || !m.SameSize(p.RGB) || p.RGB.C != 3 {
		return nil
	}
	small, k, err := encoded(p, findEdge)
	if err != nil {
		return nil
	}
	found, err := findBackdrop(small, asked)
	if err != nil {
		return nil
	}
	if found.screen == settings.ScreenBlue {
		SwapScreen(small)
	}
	coarse := picture.BoxReduce(m, k)
	var sums, counts [2]float64
	for i, v := range coarse.Pix {
		at := 0
		if r, ok := ratioOf(small.Pix[3*i:]); ok && found.distance(r) <= radius {
			at = 1
		}
		sums[at] += float64(v)
		counts[at]++
	}
	elsewhere, screen := sums[0]/max(counts[0], 1), sums[1]/max(counts[1], 1)
	if screen > 0.5 && screen > elsewhere+0.25 {
		return []Notice{{KindInverted, true, fmt.Sprintf(
			"the hint looks inverted: it is %.0f %% bright over the %s screen and %.0f %% elsewhere (it must be bright over the subject: invert it)",
			100*screen, found.screen, 100*elsewhere)}}
	}
	return nil
}
