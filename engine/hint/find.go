package hint

import (
	"fmt"

	"greenroom/engine/picture"
	"greenroom/engine/settings"
)

// FindScreen returns the colour of a plate's screen, green or blue, as FromChroma finds it, without making a
// hint. ErrNoScreen says that there is none.
func FindScreen(p picture.Picture) (settings.Screen, error) {
	if p.RGB.Empty() || p.RGB.C != 3 {
		return "", fmt.Errorf("finding the screen: the plate has %d channels at %s", p.RGB.C, sized(p.RGB))
	}
	// By the same two steps as FromChroma, so that both see the same picture.
	work, _, err := encoded(p, workEdge)
	if err != nil {
		return "", fmt.Errorf("finding the screen: %w", err)
	}
	small, _ := reduceTo(work, findEdge)
	found, err := findBackdrop(small, settings.ScreenAuto)
	return found.screen, err
}
