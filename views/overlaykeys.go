//go:build !headless

package views

// SetOverlay changes how the overlay looks, for every plate.
func (s *Screen) SetOverlay(l OverlayLook) {
	p := s.preferences
	p.Overlay = l
	s.prefer(p)
}

// NextOverlay goes to the overlay's next style, and shows it.
func (s *Screen) NextOverlay() {
	if s.view != ViewPlate || !s.overlay {
		s.ToggleOverlay()
		return
	}
	s.SetOverlay(s.preferences.Overlay.next())
}

// bracket makes the brush smaller or larger; without a brush it makes the overlay weaker or stronger.
func (s *Screen) bracket(by int) {
	if s.painting() {
		factor := brushStep
		if by < 0 {
			factor = 1 / brushStep
		}
		s.tools.resize(factor)
		return
	}
	l := s.preferences.Overlay
	s.SetOverlay(l.with(l.opacity() + opacityStep*float64(by)))
}
