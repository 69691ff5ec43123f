//go:build !headless

package views

import (
	"math"

	"fyne.io/fyne/v2"

	"greenroom/engine/settings"
)

// dial is a row that shows a part of the choices and changes nothing else of them.
type dial struct {
	fyne.CanvasObject
	// show shows the choices.
	show func(c settings.Choices)
	// changed reports whether what is shown is not the usual choice, and reset brings that back.
	changed func() bool
	reset   func(c *settings.Choices)
	// can says why it has no effect as things are; empty where it has, and nil is always.
	can    func(c settings.Choices) string
	enable func(why string)
}

// only says when a dial has an effect: can returns why it has none.
func (d dial) only(can func(c settings.Choices) string) dial {
	d.can = can
	return d
}

// numberDial is a row for a number of the look.
func numberDial(s *Screen, spec controlSpec, field func(l *settings.Look) *float64) dial {
	return choiceDial(s, spec, func(c *settings.Choices) float64 { return *field(&c.Look) },
		func(c *settings.Choices, v float64) { *field(&c.Look) = v })
}

// wholeDial is a row for a whole number of the look.
func wholeDial(s *Screen, spec controlSpec, field func(l *settings.Look) *int) dial {
	return choiceDial(s, spec, func(c *settings.Choices) float64 { return float64(*field(&c.Look)) },
		func(c *settings.Choices, v float64) { *field(&c.Look) = int(math.Round(v)) })
}

// choiceDial is a row for a number that is read from the choices and put into them.
func choiceDial(s *Screen, spec controlSpec, get func(c *settings.Choices) float64, put func(c *settings.Choices, v float64)) dial {
	usual := settings.Choices{Look: settings.DefaultLook()}
	spec.usual = get(&usual)
	var n *control
	n = newControl(spec, s.tip, func(v float64) {
		s.intents.Choose(n.step(), func(c *settings.Choices) { put(c, v) })
	})
	return dial{
		CanvasObject: n, changed: n.changed, enable: n.enable,
		show:  func(c settings.Choices) { n.set(get(&c)) },
		reset: func(c *settings.Choices) { put(c, spec.usual) },
	}
}

// wordDial is a row for a word of the look.
func wordDial[T ~string](s *Screen, spec optionSpec, field func(l *settings.Look) *T) dial {
	return choiceOption(s, spec, func(c *settings.Choices) string { return string(*field(&c.Look)) },
		func(c *settings.Choices, v string) { *field(&c.Look) = T(v) })
}

// choiceOption is a row for a word that is read from the choices and put into them.
func choiceOption(s *Screen, spec optionSpec, get func(c *settings.Choices) string, put func(c *settings.Choices, v string)) dial {
	usual := settings.Choices{Look: settings.DefaultLook()}
	spec.usual = get(&usual)
	o := newOption(spec, s.tip, func(v string) {
		s.intents.Choose(s.step(spec.label), func(c *settings.Choices) { put(c, v) })
	})
	return dial{
		CanvasObject: o, changed: o.changed, enable: o.enable,
		show:  func(c settings.Choices) { o.set(get(&c)) },
		reset: func(c *settings.Choices) { put(c, spec.usual) },
	}
}

// checkDial is a row for something of the look that is on or off.
func checkDial(s *Screen, label, help string, field func(l *settings.Look) *bool) dial {
	usual := settings.DefaultLook()
	on := *field(&usual)
	t := newSwitchRow(label, help, on, s.tip, func(on bool) {
		s.intents.Choose(s.step(label), func(c *settings.Choices) { *field(&c.Look) = on })
	})
	return dial{
		CanvasObject: t, changed: t.changed,
		show:  func(c settings.Choices) { t.set(*field(&c.Look)) },
		reset: func(c *settings.Choices) { *field(&c.Look) = on },
	}
}

// step names what a button or a chooser changes, for undo: each press is a step.
func (s *Screen) step(name string) Step {
	s.presses++
	return Step{Name: name, Turn: s.presses}
}
