package settings

import "fmt"

// HintChannel is where in a file a hint is read.
type HintChannel string

// The channels. Values are taken as they are stored, encoded or linear: a hint is data, not light.
const (
	// ChannelAuto finds the channel that holds the hint.
	ChannelAuto HintChannel = ""
	// ChannelAlpha is the alpha.
	ChannelAlpha HintChannel = "alpha"
	// ChannelGrey is the mean of red, green and blue.
	ChannelGrey HintChannel = "grey"
	// ChannelRed, ChannelGreen and ChannelBlue are one of them.
	ChannelRed   HintChannel = "red"
	ChannelGreen HintChannel = "green"
	ChannelBlue  HintChannel = "blue"
	// ChannelLuminance weighs the three as Rec.709 does.
	ChannelLuminance HintChannel = "luminance"
)

// HintChannels lists every channel but ChannelAuto, in the order in which a picker shows them.
func HintChannels() []HintChannel {
	return []HintChannel{ChannelAlpha, ChannelGrey, ChannelRed, ChannelGreen, ChannelBlue, ChannelLuminance}
}

// The ends of a hint's controls; all begin at 0, and grow at -MostHintGrow.
const (
	// MostHintStrength is the strongest and, negative, the weakest chroma hint.
	MostHintStrength = 1
	// MostHintGrow is the farthest that a hint's edge moves, and MostHintSoften its widest blur, in pixels.
	MostHintGrow, MostHintSoften = 100, 100
)

// HintEdit is what is done with a hint before strokes are painted over it; the order of the fields is the order in which
// it is done. The zero HintEdit takes a hint as it comes.
type HintEdit struct {
	// Channel is where in a file the hint is read.
	Channel HintChannel `toml:"channel,omitempty"`
	// Strength is how much a hint that is made from the screen's colour leaves out, -1..1: over 0 also what has only a
	// little of the screen's colour, under 0 only what has much of it.
	Strength float64 `toml:"strength,omitzero"`
	// Invert exchanges bright and dark.
	Invert bool `toml:"invert,omitempty"`
	// Grow moves the hint's edge outwards, or inwards under 0, in pixels, -100..100.
	Grow float64 `toml:"grow,omitzero"`
	// Soften blurs the hint by a Gaussian of this standard deviation in pixels, 0..100.
	Soften float64 `toml:"soften,omitzero"`
}

// Source returns what of the edit concerns where the hint comes from, without what is done with it after that.
func (e HintEdit) Source() HintEdit { return HintEdit{Channel: e.Channel, Strength: e.Strength} }

// Validate reports the first control whose value cannot work, with what would. NaN is refused everywhere.
func (e HintEdit) Validate() error {
	switch {
	case !(e.Strength >= -MostHintStrength && e.Strength <= MostHintStrength):
		return fmt.Errorf("hint strength is %v: it goes from %d to %d", e.Strength, -MostHintStrength, MostHintStrength)
	case !(e.Grow >= -MostHintGrow && e.Grow <= MostHintGrow):
		return fmt.Errorf("hint shrink/grow is %v: it goes from %d to %d", e.Grow, -MostHintGrow, MostHintGrow)
	case !(e.Soften >= 0 && e.Soften <= MostHintSoften):
		return fmt.Errorf("hint soften is %v: it goes from 0 to %d", e.Soften, MostHintSoften)
	case e.Channel == ChannelAuto:
		return nil
	}
	return oneOf("hint channel", e.Channel, HintChannels()...)
}
