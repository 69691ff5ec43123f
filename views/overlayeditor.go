//go:build !headless

package views

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// overlayEditor sets how the overlay looks.
type overlayEditor struct {
	content *fyne.Container
	style   *chooser
	colour  *chooser
	opacity *control
}

func newOverlayEditor(s *Screen) *overlayEditor {
	e := &overlayEditor{}
	pick := func(names []string, now func() int, set func(i int)) func() []*fyne.MenuItem {
		return func() []*fyne.MenuItem {
			var items []*fyne.MenuItem
			for i, name := range names {
				item := fyne.NewMenuItem(name, func() { set(i) })
				item.Checked = i == now()
				items = append(items, item)
			}
			return items
		}
	}
	look := func() OverlayLook { return s.preferences.Overlay }
	e.style = newChooser("What of the hint is laid over the plate"+s.keyOf("Overlay Style"), s.tip,
		pick(overlayStyles(), func() int { return int(look().Style) }, func(i int) {
			l := look()
			l.Style = OverlayStyle(i)
			s.SetOverlay(l)
		}))
	e.colour = newChooser("The overlay's colour", s.tip,
		pick(overlayColours(), func() int { return int(look().Colour) }, func(i int) {
			l := look()
			l.Colour = OverlayColour(i)
			s.SetOverlay(l)
		}))
	e.opacity = newControl(controlSpec{
		label: "Opacity", help: "How much of the plate the overlay covers; the keys do without a brush" + s.keyOf("Larger Brush, or More Overlay"),
		least: leastOpacity, most: 1, step: 0.01, usual: usualOpacity, curve: 1, decimals: 2,
	}, s.tip, func(v float64) { s.SetOverlay(look().with(v)) })
	e.content = container.New(column(2), container.New(labelled{}, newText("Style", sizeText, grey(greyText)), e.style), container.New(labelled{}, newText("Colour", sizeText, grey(greyText)), e.colour), e.opacity)
	e.show(OverlayLook{})
	return e
}

// show draws how the overlay looks.
func (e *overlayEditor) show(l OverlayLook) {
	e.style.say(overlayStyles()[l.Style], "")
	e.colour.say(overlayColours()[l.Colour], "")
	e.opacity.set(l.opacity())
}
