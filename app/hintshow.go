package app

import (
	"image/color"

	"greenroom/engine/colour"
	"greenroom/engine/hint"
	"greenroom/engine/settings"
	"greenroom/views"
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

// showFaults tells what is wrong with the hint, each with what does away with it.
func (h *Hint) showFaults() []views.Remark {
	var list []views.Remark
	for _, f := range h.Faults {
		list = append(list, views.Remark{Text: sentence(withoutFlags(f.Text)), Warning: f.Warning, Fix: h.fix(f)})
	}
	return list
}

// fix is what does away with a fault of the hint; the zero Fix where only the artist can.
func (h *Hint) fix(f hint.Notice) views.Fix {
	edit := h.Choices.Edit
	switch f.Kind {
	case hint.KindInverted:
		edit.Invert = !edit.Invert
		return views.Fix{Button: "Invert", Edit: edit}
	case hint.KindWrongChannel, hint.KindAlpha:
		edit.Channel = f.Channel
		return views.Fix{Button: "Read the " + string(f.Channel), Edit: edit}
	case hint.KindEmpty, hint.KindFull, hint.KindDetail:
		switch {
		case h.Source.From != "":
			return views.Fix{Button: "Make it from the screen", FromScreen: true}
		case edit != settings.HintEdit{}:
			return views.Fix{Button: "Undo the adjustments"}
		case f.Kind != hint.KindDetail && len(h.Choices.Marks.Hint) == 0:
			return views.Fix{Button: "Open a hint…", Open: true}
		}
	}
	return views.Fix{}
}
