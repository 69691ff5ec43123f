package app

import (
	"math"
	"testing"

	"greenroom/engine/settings"
	"greenroom/views"
)

// drawn returns what the viewer draws of layers at their own size.
func drawn(layers views.Layers, look views.Look) func(x, y int) [3]uint8 {
	w, h := layers.Plate.Size()
	m := views.NewPainter().Draw(w, h, layers, views.Sight{Zoom: 1, X: float64(w) / 2, Y: float64(h) / 2}, look)
	return func(x, y int) [3]uint8 {
		c := m.RGBAAt(x, y)
		return [3]uint8{c.R, c.G, c.B}
	}
}

// TestViewerShowsWhatTheNetworkSees holds the view against the pixels that the job is given: of a plate that is brightened
// for it, and of one whose colour is smoothed.
func TestViewerShowsWhatTheNetworkSees(t *testing.T) {
	w := newTested(t)
	w.Open(savePlate(t, "shot.png", 60, 40))
	w.until(t, "the hint", func(s State) bool { return s.Hint != nil && !s.FindingHint })
	for _, smooth := range []float64{0, 2} {
		look := settings.DefaultLook()
		look.ChromaSmooth, look.KeyExposure = smooth, 1
		w.setLook(look)
		s := w.until(t, "the hint", func(s State) bool { return !s.FindingHint && s.Hint.Choices.Look == look })
		v := w.show(s)
		if v.NoSeen != "" || (v.Layers.Seen != nil) != (smooth > 0) {
			t.Fatalf("smoothed by %v: seen %v, %q", smooth, v.Layers.Seen, v.NoSeen)
		}
		at := drawn(v.Layers, views.Look{View: views.ViewSeen, KeyExposure: look.KeyExposure})
		seen := s.Hint.Source.Seen.RGB
		for y := range seen.H {
			for x := range seen.W {
				for c, got := range at(x, y) {
					if want := 255 * float64(seen.Row(y)[3*x+c]); math.Abs(float64(got)-want) > 1 {
						t.Fatalf("smoothed by %v: %d,%d channel %d is %d, the network sees %.2f", smooth, x, y, c, got, want)
					}
				}
			}
		}
		if before := drawn(v.Layers, views.Look{})(30, 20); at(30, 20) == before {
			t.Errorf("smoothed by %v: the plate looks the same", smooth)
		}
	}
	// A hint of other choices has not what the network will see.
	s := w.State()
	s.Choices.Look.ChromaSmooth = 3
	if seen, why := s.showSeen(); seen != nil || why == "" {
		t.Errorf("another smoothing: %v, %q", seen, why)
	}
	s.Hint = nil
	if seen, why := s.showSeen(); seen != nil || why == "" {
		t.Errorf("no hint: %v, %q", seen, why)
	}
}
