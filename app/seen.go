package app

import (
	"greenroom/engine/hint"
	"greenroom/engine/settings"
	"greenroom/views"
)

// smoothed reports whether hint and network see a plate with its colour smoothed. Without that the viewer can show by
// itself what they see: the plate under its key exposure, cut to what sRGB holds.
func (p *Plate) smoothed(look settings.Look) bool {
	return hint.ChromaSmoothing(look.ChromaSmooth, p.Source.Header.Subsampling) > 0
}

// showSeen returns what hint and network see of the plate where that has to be computed, or why it cannot be shown yet.
func (s *State) showSeen() (seen *views.Shown, whyNot string) {
	look := s.Choices.Look
	switch {
	case s.Plate == nil || !s.Plate.smoothed(look):
		return nil, ""
	case s.Hint == nil:
		return nil, "The network sees the plate with its colour smoothed, which is done for the hint: there is none yet"
	case s.Hint.Seen == nil || s.Hint.Choices.Look.ChromaSmooth != look.ChromaSmooth || s.Hint.Choices.Look.KeyExposure != look.KeyExposure:
		return nil, "The plate's colour is being smoothed for the network"
	}
	return s.Hint.Seen, ""
}
