//go:build !headless

package views

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// check is a box with a label that is on or off. The keyboard comes to it by Tab alone.
type check struct {
	widget.BaseWidget
	reach
	do   func(on bool)
	help string
	tell func(string)

	on, disabled, hovered bool
	box, mark             *canvas.Rectangle
	title                 *canvas.Text
}

// newCheck returns a box that is off.
func newCheck(label, help string, tell func(string), do func(on bool)) *check {
	c := &check{do: do, help: help, tell: tell}
	c.box = canvas.NewRectangle(grey(greyTrough))
	c.box.CornerRadius, c.box.StrokeWidth = 3, 1
	c.mark = canvas.NewRectangle(grey(greyAccent))
	c.mark.CornerRadius = 2
	c.title = newText(label, sizeText, grey(greyText))
	c.reach = reach{of: c, press: c.pressed, said: func(there bool) { explain(c.tell, func() string { return c.help })(there) }}
	c.ExtendBaseWidget(c)
	c.paint()
	return c
}

// set shows the box on or off.
func (c *check) set(on bool) {
	if c.on != on {
		c.on = on
		c.Refresh()
	}
}

// enable lets the box be changed, or not.
func (c *check) enable(yes bool) {
	if c.disabled != !yes {
		c.disabled = !yes
		c.Refresh()
	}
}

func (c *check) paint() {
	text, stroke, mark := grey(greyText), grey(0x60), grey(greyAccent)
	switch {
	case c.disabled:
		text, stroke, mark = grey(greyOff), grey(greyRaised), grey(greyOff)
	case c.hovered:
		stroke = grey(greyQuiet)
	}
	c.box.StrokeWidth = 1
	if c.there {
		stroke, c.box.StrokeWidth = grey(greyFocus), focusWidth(true)
	}
	c.title.Color, c.box.StrokeColor = text, stroke
	c.mark.FillColor = color.Transparent
	if c.on {
		c.mark.FillColor = mark
	}
}

// Tapped implements fyne.Tappable.
func (c *check) Tapped(*fyne.PointEvent) {
	c.clicked()
	c.pressed()
}

// Disabled implements fyne.Disableable: Tab passes over what is.
func (c *check) Disabled() bool { return c.disabled || c.off }

// Enable implements fyne.Disableable.
func (c *check) Enable() { c.enable(true) }

// Disable implements fyne.Disableable.
func (c *check) Disable() { c.enable(false) }

func (c *check) pressed() {
	if !c.disabled {
		c.set(!c.on)
		c.do(c.on)
	}
}

// MouseIn implements desktop.Hoverable.
func (c *check) MouseIn(*desktop.MouseEvent) {
	c.hovered = true
	c.Refresh()
	c.tell(c.help)
}

// MouseMoved implements desktop.Hoverable.
func (c *check) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (c *check) MouseOut() {
	c.hovered = false
	c.Refresh()
	c.tell("")
}

// CreateRenderer implements fyne.Widget.
func (c *check) CreateRenderer() fyne.WidgetRenderer {
	return &checkRenderer{c: c, parts: parts{c.box, c.mark, c.title}}
}

// checkBox is the edge of the box.
const checkBox = 14

type checkRenderer struct {
	c *check
	parts
}

func (r *checkRenderer) MinSize() fyne.Size {
	return fyne.NewSize(checkBox+gap+r.c.title.MinSize().Width, rowHeight)
}

func (r *checkRenderer) Layout(size fyne.Size) {
	y := (size.Height - checkBox) / 2
	r.c.box.Move(fyne.NewPos(0, y))
	r.c.box.Resize(fyne.NewSquareSize(checkBox))
	r.c.mark.Move(fyne.NewPos(4, y+4))
	r.c.mark.Resize(fyne.NewSquareSize(checkBox - 8))
	m := r.c.title.MinSize()
	r.c.title.Move(fyne.NewPos(checkBox+gap, (size.Height-m.Height)/2))
	r.c.title.Resize(m)
}

func (r *checkRenderer) Refresh() {
	r.c.paint()
	r.Layout(r.c.Size())
	canvas.Refresh(r.c)
}
