package app

import (
	"image/color"

	"greenroom/engine/colour"
	"greenroom/engine/settings"
)

// paintedOf counts the strokes that are chosen now and painted already: 0 where something else was painted.
func paintedOf(painted, chosen []settings.Stroke) int {
	n := min(len(painted), len(chosen))
	if !settings.EqualStrokes(painted[:n], chosen[:n]) {
		return 0
	}
	return n
}

// showSamples returns the colours of the screen that were picked, sRGB-encoded in 8 bits.
func (s *State) showSamples() []color.NRGBA {
	if s.Plate == nil || len(s.Choices.Marks.Samples) == 0 {
		return nil
	}
	c, err := colour.NewConverter(s.Plate.Source.Plate.Space, colour.SRGB, 1)
	if err != nil {
		return nil
	}
	var list []color.NRGBA
	for _, sample := range s.Choices.Marks.Samples {
		r, g, b := c.Colour(float32(sample[0]), float32(sample[1]), float32(sample[2]))
		bits := func(v float32) uint8 { return uint8(max(0, min(v, 1))*255 + 0.5) }
		list = append(list, color.NRGBA{R: bits(r), G: bits(g), B: bits(b), A: 255})
	}
	return list
}
