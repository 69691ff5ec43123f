package settings

import "testing"

// TestChoicesKnowWhatDependsOnThem changes each part of the choices, and holds which comparisons see it.
func TestChoicesKnowWhatDependsOnThem(t *testing.T) {
	const hint, finish, backdrop, plate = 1, 2, 4, 8
	stroke := []Stroke{{Points: []Point{{1, 2}}, Size: 3, Value: 1}}
	for name, c := range map[string]struct {
		sees  int
		alter func(c *Choices)
	}{
		"screen":             {hint, func(c *Choices) { c.Look.Screen = ScreenBlue }},
		"key exposure":       {hint, func(c *Choices) { c.Look.KeyExposure = 1 }},
		"gamma":              {finish, func(c *Choices) { c.Look.Gamma = 2 }},
		"source detail":      {finish, func(c *Choices) { c.Look.SourceDetail = false }},
		"background":         {0, func(c *Choices) { c.Look.Background = BackgroundWhite }},
		"background's scale": {0, func(c *Choices) { c.Look.Comp.Scale = 2 }},
		"hint":               {hint, func(c *Choices) { c.Hint = "x.png" }},
		"chroma":             {hint, func(c *Choices) { c.Chroma = true }},
		"samples":            {hint, func(c *Choices) { c.Marks.Samples = []Colour{{0, 1, 0}} }},
		"hint's strokes":     {hint, func(c *Choices) { c.Marks.Hint = stroke }},
		"core":               {finish, func(c *Choices) { c.Core = "core.png" }},
		"core's boxes":       {finish, func(c *Choices) { c.Marks.Core.Boxes = []Box{{0, 0, 1, 1}} }},
		"garbage":            {finish, func(c *Choices) { c.Garbage = "garbage.png" }},
		"garbage's strokes":  {finish, func(c *Choices) { c.Marks.Garbage.Strokes = stroke }},
		"kept colours":       {finish, func(c *Choices) { c.Marks.Kept = []KeptColour{{Tolerance: 0.1}} }},
		"kept strokes":       {finish, func(c *Choices) { c.Marks.KeptStrokes = stroke }},
		"picture":            {backdrop, func(c *Choices) { c.Backdrop = "street.png" }},
		"picture's space":    {backdrop, func(c *Choices) { c.BackdropSpace = "linear" }},
		"space":              {plate, func(c *Choices) { c.Space = "linear" }},
		"layer":              {plate, func(c *Choices) { c.Layer = "beauty" }},
	} {
		a := Choices{Look: DefaultLook()}
		b := a
		c.alter(&b)
		sees := 0
		for bit, same := range map[int]bool{
			hint: a.SameHint(b), finish: a.SameFinish(b), backdrop: a.SameBackdrop(b), plate: a.SamePlate(b),
		} {
			if !same {
				sees |= bit
			}
		}
		if sees != c.sees || a.Equal(b) || !b.Equal(b) {
			t.Errorf("%s is seen by %04b, want %04b; equal %v", name, sees, c.sees, a.Equal(b))
		}
	}
}
