package settings

import (
	"fmt"
	"slices"
)

// Screen is the colour of the screen behind the subject.
type Screen string

const (
	// ScreenAuto finds the screen colour in the plate.
	ScreenAuto Screen = "auto"
	// ScreenGreen is a green screen.
	ScreenGreen Screen = "green"
	// ScreenBlue is a blue screen.
	ScreenBlue Screen = "blue"
)

// Background is what a comp shows behind the subject.
type Background string

const (
	// BackgroundChecker is a grey checker of 16-pixel squares.
	BackgroundChecker Background = "checker"
	// BackgroundBlack is black.
	BackgroundBlack Background = "black"
	// BackgroundGrey is middle grey, 0.18 in linear light.
	BackgroundGrey Background = "grey"
	// BackgroundWhite is white.
	BackgroundWhite Background = "white"
)

// Look says how the key is finished after the network. Nothing here re-runs the network, but for Screen.
// Defaults are those of DefaultLook; the order of the fields is the order of the chain.
type Look struct {
	// Screen is the colour of the screen; it chooses the channel swap before the network and the despill channel.
	Screen Screen
	// ClipBlack and ClipWhite remap the matte linearly, so that ClipBlack becomes exactly 0 and ClipWhite exactly 1.
	ClipBlack, ClipWhite float64
	// Despeckle is the area in pixels under which a faint lonely island is removed; 0 is off.
	Despeckle int
	// Despill is the strength of spill removal in the foreground, 0..1.
	Despill float64
	// NeutralReturn is the share of the removed luminance that comes back as neutral, 0..1.
	NeutralReturn float64
	// SourceDetail takes the foreground from the plate itself where the matte is solid.
	SourceDetail bool
	// Background is what a comp shows behind the subject.
	Background Background
}

// DefaultLook returns the look that a new plate starts with.
func DefaultLook() Look {
	return Look{
		Screen:    ScreenAuto,
		ClipBlack: 0.02, ClipWhite: 0.98,
		Despeckle: 400,
		Despill:   1, NeutralReturn: 0.5,
		SourceDetail: true,
		Background:   BackgroundChecker,
	}
}

// Validate reports the first control whose value cannot work, with what would. NaN is refused everywhere.
func (l Look) Validate() error {
	unit := func(name string, v float64) error {
		if !(v >= 0 && v <= 1) {
			return fmt.Errorf("%s is %v: it goes from 0 to 1", name, v)
		}
		return nil
	}
	for _, c := range []struct {
		name  string
		value float64
	}{
		{"clip black", l.ClipBlack}, {"clip white", l.ClipWhite},
		{"despill", l.Despill}, {"neutral return", l.NeutralReturn},
	} {
		if err := unit(c.name, c.value); err != nil {
			return err
		}
	}
	switch {
	case l.ClipBlack >= l.ClipWhite:
		return fmt.Errorf("clip is %v,%v: black must be under white", l.ClipBlack, l.ClipWhite)
	case l.Despeckle < 0:
		return fmt.Errorf("despeckle is %d: give an area in pixels, or 0 for off", l.Despeckle)
	case !slices.Contains([]Screen{ScreenAuto, ScreenGreen, ScreenBlue}, l.Screen):
		return fmt.Errorf("screen is %q: it is auto, green or blue", l.Screen)
	case !slices.Contains([]Background{BackgroundChecker, BackgroundBlack, BackgroundGrey, BackgroundWhite}, l.Background):
		return fmt.Errorf("background is %q: it is checker, black, grey or white", l.Background)
	}
	return nil
}
