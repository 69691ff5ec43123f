package app

import (
	"bytes"
	"testing"

	"greenroom/engine/settings"
	"greenroom/views"
)

// TestEveryControlOfTheCompChangesThePicture moves each by itself, and sees the comp change as the window draws it, and
// nothing of the key.
func TestEveryControlOfTheCompChangesThePicture(t *testing.T) {
	w := newKeyed(t)
	key := w.until(t, "the key", still).Key
	w.UseBackdrop(savePlate(t, "street.png", 90, 70))
	base := w.until(t, "the picture", still).Choices
	comp := func() []byte {
		s := w.until(t, "the comp", still)
		if s.Key != key {
			t.Fatal("the comp's controls finish the key again")
		}
		l := s.Choices.Look
		m := views.NewPainter().Draw(256, 192, w.show(s).Layers, views.Sight{}, views.Look{View: views.ViewComp, Background: l.Background, Comp: l.Comp})
		return bytes.Clone(m.Pix)
	}
	colour := func(c *settings.Choices) {
		c.Look.Background, c.Look.Comp.Colour = settings.BackgroundColour, settings.Colour{0.2, 0.4, 0.6}
	}
	type alter = func(c *settings.Choices)
	for _, c := range []struct {
		name        string
		before, set alter
	}{
		{"checker", nil, func(c *settings.Choices) { c.Look.Background = settings.BackgroundChecker }},
		{"black", nil, func(c *settings.Choices) { c.Look.Background = settings.BackgroundBlack }},
		{"grey", nil, func(c *settings.Choices) { c.Look.Background = settings.BackgroundGrey }},
		{"white", nil, func(c *settings.Choices) { c.Look.Background = settings.BackgroundWhite }},
		{"colour", nil, colour},
		{"red", colour, func(c *settings.Choices) { c.Look.Comp.Colour[0] = 0.9 }},
		{"green", colour, func(c *settings.Choices) { c.Look.Comp.Colour[1] = 0.9 }},
		{"blue", colour, func(c *settings.Choices) { c.Look.Comp.Colour[2] = 0.9 }},
		{"blend", nil, func(c *settings.Choices) { c.Look.Comp.Blend = settings.BlendDisplay }},
		{"space", nil, func(c *settings.Choices) { c.BackdropSpace = "linear" }},
		{"fit", nil, func(c *settings.Choices) { c.Look.Comp.Placement = settings.PlaceFit }},
		{"1:1", nil, func(c *settings.Choices) { c.Look.Comp.Placement = settings.PlaceActual }},
		{"scale", nil, func(c *settings.Choices) { c.Look.Comp.Scale = 0.5 }},
		{"offset x", nil, func(c *settings.Choices) { c.Look.Comp.OffsetX = 20 }},
		{"offset y", nil, func(c *settings.Choices) { c.Look.Comp.OffsetY = 20 }},
		{"exposure", nil, func(c *settings.Choices) { c.Look.Comp.Exposure = 1 }},
	} {
		choose := func(alter alter) {
			w.Choose(views.Step{}, func(next *settings.Choices) {
				*next = base
				if c.before != nil {
					c.before(next)
				}
				if alter != nil {
					alter(next)
				}
			})
		}
		choose(nil)
		before := comp()
		choose(c.set)
		if bytes.Equal(comp(), before) {
			t.Errorf("%s changes nothing", c.name)
		}
		choose(nil)
		if !bytes.Equal(comp(), before) {
			t.Errorf("%s cannot be taken back", c.name)
		}
	}
}
