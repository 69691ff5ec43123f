package command

import (
	"greenroom/engine/settings"
)

// hintFlags say what is done with a hint before it is used, in the order in which it is done. A flag that is not given
// leaves its control as it is: at nothing, or as the key was that --like names.
type hintFlags struct {
	Channel  *string  `placeholder:"CHANNEL" help:"Where in its file the hint is read: auto, ${hint_channels}. Default: auto, found in the file."`
	Strength *float64 `placeholder:"-1..1" help:"How much a hint from the screen's colour leaves out: over 0 also what has little of that colour. Default: 0."`
	Invert   *bool    `negatable:"" help:"Exchange bright and dark."`
	Grow     *float64 `placeholder:"-100..100" help:"Move the hint's edge outwards by pixels, or inwards under 0. Default: 0."`
	Soften   *float64 `placeholder:"0..100" help:"Blur the hint by a Gaussian of this deviation in pixels. Default: 0."`
}

// apply lays the given flags over an edit.
func (f *hintFlags) apply(e *settings.HintEdit) error {
	if f.Channel != nil && *f.Channel == "" {
		return badUsage("--hint-channel: the name is empty")
	}
	set(&e.Channel, f.Channel, func(name string) settings.HintChannel {
		if name == "auto" {
			return settings.ChannelAuto
		}
		return settings.HintChannel(name)
	})
	set(&e.Strength, f.Strength, number)
	set(&e.Invert, f.Invert, toggle)
	set(&e.Grow, f.Grow, number)
	set(&e.Soften, f.Soften, number)
	if err := e.Validate(); err != nil {
		return usageError{err}
	}
	return nil
}

// hintChannels lists the channels that --hint-channel takes beside auto.
func hintChannels() []string {
	var names []string
	for _, c := range settings.HintChannels() {
		names = append(names, string(c))
	}
	return names
}
