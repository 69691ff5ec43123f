//go:build !headless

package views

import "math"

// overlayStyles are the names of the styles, in their order.
func overlayStyles() []string { return []string{"Tint outside", "Tint inside", "Contour"} }

// overlayColours are the names of the colours, in their order.
func overlayColours() []string { return []string{"Magenta", "Cyan", "Yellow", "White", "Orange"} }

// opacityStep is what a key changes of the opacity.
const opacityStep = 0.05

// sound returns the look with what there is not put back to the usual: it may come from a file.
func (l OverlayLook) sound() OverlayLook {
	if l.Style < 0 || int(l.Style) >= len(overlayStyles()) {
		l.Style = TintOutside
	}
	if l.Colour < 0 || int(l.Colour) >= len(overlayColours()) {
		l.Colour = OverlayMagenta
	}
	if !(l.Opacity >= leastOpacity && l.Opacity <= 1) {
		l.Opacity = 0
	}
	return l
}

// with returns the look with an opacity, in whole hundredths.
func (l OverlayLook) with(opacity float64) OverlayLook {
	l.Opacity = math.Round(100*math.Max(leastOpacity, math.Min(opacity, 1))) / 100
	return l
}

// next returns the look in the next style.
func (l OverlayLook) next() OverlayLook {
	l.Style = (l.Style + 1) % OverlayStyle(len(overlayStyles()))
	return l
}

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
