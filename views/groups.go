//go:build !headless

package views

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"greenroom/engine/settings"
)

// lookGroup holds the live controls: none of them runs the network.
type lookGroup struct {
	content  *fyne.Container
	look     settings.Look
	controls []lookControl
	detail   *check
}

// lookControl ties a control to its field.
type lookControl struct {
	*control
	field func(*settings.Look) *float64
}

func newLookGroup(s *Screen) *lookGroup {
	g := &lookGroup{look: settings.DefaultLook()}
	usual := settings.DefaultLook()
	add := func(spec controlSpec, field func(*settings.Look) *float64) fyne.CanvasObject {
		spec.usual = *field(&usual)
		var c *control
		c = newControl(spec, s.tip, func(v float64) {
			look := g.look
			*field(&look) = v
			g.change(s, c.step(), look)
		})
		g.controls = append(g.controls, lookControl{c, field})
		return c
	}
	black := add(controlSpec{
		label: "Clip black", help: "Matte values up to this become exactly 0", most: 0.5, step: 0.005, curve: 1.5, decimals: 3,
	}, func(l *settings.Look) *float64 { return &l.ClipBlack })
	white := add(controlSpec{
		label: "Clip white", help: "Matte values from this on become exactly 1", least: 0.5, most: 1, step: 0.005, curve: 1, decimals: 3,
	}, func(l *settings.Look) *float64 { return &l.ClipWhite })
	despill := add(controlSpec{
		label: "Despill", help: "How much of the screen's colour is taken out of the foreground", most: 1, step: 0.01, curve: 1, decimals: 2,
	}, func(l *settings.Look) *float64 { return &l.Despill })
	neutral := add(controlSpec{
		label: "Neutral return", help: "How much of the brightness that despill takes comes back as grey", most: 1, step: 0.01, curve: 1, decimals: 2,
	}, func(l *settings.Look) *float64 { return &l.NeutralReturn })
	var despeckle *control
	despeckle = newControl(controlSpec{
		label: "Despeckle", help: "Faint lonely islands smaller than this are removed, in pixels of a plate 1920 wide; 0 is off",
		most: 20000, step: 50, usual: float64(usual.Despeckle), curve: 3,
	}, s.tip, func(v float64) {
		look := g.look
		look.Despeckle = int(v)
		g.change(s, despeckle.step(), look)
	})
	g.controls = append(g.controls, lookControl{control: despeckle})
	g.detail = newCheck("Source detail", "Take the foreground from the plate itself where the matte is solid", s.tip, func(on bool) {
		look := g.look
		look.SourceDetail = on
		g.change(s, Step{Name: "Source detail"}, look)
	})
	g.set(usual)
	g.content = foldable(s, "Matte and spill", nil, container.New(column(0), black, white, despeckle, despill, neutral, g.detail))
	return g
}

// change asks for another look. A black point over the white one pushes it.
func (g *lookGroup) change(s *Screen, step Step, look settings.Look) {
	const apart = 0.01
	if look.ClipBlack != g.look.ClipBlack && look.ClipWhite < look.ClipBlack+apart {
		look.ClipWhite = look.ClipBlack + apart
	}
	if look.ClipWhite != g.look.ClipWhite && look.ClipBlack > look.ClipWhite-apart {
		look.ClipBlack = look.ClipWhite - apart
	}
	g.set(look)
	s.intents.Choose(step, func(c *settings.Choices) { c.Look = look })
}

func (g *lookGroup) set(look settings.Look) {
	g.look = look
	for _, c := range g.controls {
		if c.field == nil {
			c.set(float64(look.Despeckle))
		} else {
			c.set(*c.field(&look))
		}
	}
	g.detail.set(look.SourceDetail)
}

func (g *lookGroup) show(s State) {
	if look := s.Choices.Look; look != (settings.Look{}) && look != g.look {
		g.set(look)
	}
}
