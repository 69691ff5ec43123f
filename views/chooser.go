//go:build !headless

package views

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// chooser shows one of several values and opens a menu of them. The keyboard comes to it by Tab alone. A name that is
// too long for it loses its middle.
type chooser struct {
	widget.BaseWidget
	reach
	// items makes the menu when it opens.
	items func() []*fyne.MenuItem
	help  string
	tell  func(string)

	label, note string
	// warned paints the note as a warning; locked shows a lock before the label.
	warned, locked    bool
	disabled, hovered bool
	flat              bool
	back              *canvas.Rectangle
	lock, caret       *widget.Icon
	menu              *widget.PopUpMenu
	title, beside     *canvas.Text
}

// newChooser returns an empty chooser.
func newChooser(help string, tell func(string), items func() []*fyne.MenuItem) *chooser {
	c := &chooser{help: help, tell: tell, items: items}
	c.back = canvas.NewRectangle(color.Transparent)
	c.back.CornerRadius = 4
	c.lock = widget.NewIcon(lockIcon())
	c.caret = widget.NewIcon(theme.NewColoredResource(theme.MenuDropDownIcon(), theme.ColorNamePlaceHolder))
	c.title = newText("", sizeText, grey(greyText))
	c.beside = newText("", sizeSmall, grey(greyQuiet))
	c.reach = reach{of: c, press: c.pressed, said: func(there bool) { explain(c.tell, func() string { return c.help })(there) }}
	c.ExtendBaseWidget(c)
	c.paint()
	return c
}

// wanted is the width at which nothing of the label is cut.
func (c *chooser) wanted() float32 {
	width := textWidth(c.label, sizeText, c.title.TextStyle) + 2*chooserPad + chooserCaret
	if c.note != "" {
		width += c.beside.MinSize().Width + 4
	}
	return width
}

// say changes the label and the note beside it.
func (c *chooser) say(label, note string) {
	if c.label != label || c.note != note {
		c.label, c.note = label, note
		c.Refresh()
	}
}

// hold shows a lock before the label, or not.
func (c *chooser) hold(locked bool) {
	if c.locked != locked {
		c.locked = locked
		c.Refresh()
	}
}

// enable lets the menu be opened, or not.
func (c *chooser) enable(yes bool) {
	if c.disabled != !yes {
		c.disabled = !yes
		c.Refresh()
	}
}

func (c *chooser) paint() {
	fill, text := color.Color(grey(greyRaised)), grey(greyText)
	if c.flat {
		fill, text = color.Transparent, grey(greyQuiet)
	}
	switch {
	case c.disabled:
		text = grey(greyOff)
		if !c.flat {
			fill = grey(greySunk)
		}
	case c.hovered:
		fill = grey(greyHover)
	}
	c.back.FillColor, c.back.StrokeColor, c.back.StrokeWidth = fill, grey(greyFocus), focusWidth(c.there)
	c.title.Color = text
	c.beside.Text, c.beside.Color = c.note, grey(greyQuiet)
	if c.warned {
		c.beside.Color = amber()
	}
	visible(c.lock, c.locked)
	visible(c.caret, !c.disabled)
}

// Tapped implements fyne.Tappable.
func (c *chooser) Tapped(*fyne.PointEvent) {
	c.clicked()
	c.pressed()
}

// Disabled implements fyne.Disableable: Tab passes over what is.
func (c *chooser) Disabled() bool { return c.disabled || c.off }

// Enable implements fyne.Disableable.
func (c *chooser) Enable() { c.enable(true) }

// Disable implements fyne.Disableable.
func (c *chooser) Disable() { c.enable(false) }

// pressed opens the menu.
func (c *chooser) pressed() {
	on := fyne.CurrentApp().Driver().CanvasForObject(c)
	if c.disabled || on == nil {
		return
	}
	items := c.items()
	for _, item := range items {
		item.Label = shorten(item.Label, widestItem, sizeText, fyne.TextStyle{})
	}
	c.menu = widget.NewPopUpMenu(fyne.NewMenu("", items...), on)
	c.menu.ShowAtRelativePosition(fyne.NewPos(0, c.Size().Height), c)
}

// widestItem is the width to which a menu's lines are cut.
const widestItem = 420

// MouseIn implements desktop.Hoverable.
func (c *chooser) MouseIn(*desktop.MouseEvent) {
	c.hovered = true
	c.Refresh()
	c.tell(c.help)
}

// MouseMoved implements desktop.Hoverable.
func (c *chooser) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (c *chooser) MouseOut() {
	c.hovered = false
	c.Refresh()
	c.tell("")
}

// CreateRenderer implements fyne.Widget.
func (c *chooser) CreateRenderer() fyne.WidgetRenderer {
	return &chooserRenderer{c: c, parts: parts{c.back, c.lock, c.title, c.beside, c.caret}}
}

type chooserRenderer struct {
	c *chooser
	parts
}

// MinSize leaves room for a short word: longer ones are cut.
func (r *chooserRenderer) MinSize() fyne.Size { return fyne.NewSize(64, rowHeight) }

const (
	chooserCaret = 16
	chooserLock  = 14
	chooserPad   = 8
)

func (r *chooserRenderer) Layout(size fyne.Size) {
	c := r.c
	c.back.Resize(size)
	left, right := float32(chooserPad), size.Width-chooserPad/2
	if c.locked {
		c.lock.Resize(fyne.NewSquareSize(chooserLock))
		c.lock.Move(fyne.NewPos(left-1, (size.Height-chooserLock)/2))
		left += chooserLock + 3
	}
	c.caret.Resize(fyne.NewSquareSize(chooserCaret))
	c.caret.Move(fyne.NewPos(right-chooserCaret, (size.Height-chooserCaret)/2))
	right -= chooserCaret
	if c.note != "" {
		m := c.beside.MinSize()
		right -= m.Width + 4
		c.beside.Resize(m)
		c.beside.Move(fyne.NewPos(right, (size.Height-m.Height)/2))
	}
	c.title.Text = shorten(c.label, fyne.Max(right-left-2, 0), sizeText, c.title.TextStyle)
	m := c.title.MinSize()
	c.title.Resize(m)
	c.title.Move(fyne.NewPos(left, (size.Height-m.Height)/2))
}

func (r *chooserRenderer) Refresh() {
	r.c.paint()
	r.Layout(r.c.Size())
	canvas.Refresh(r.c)
}

// lockIcon is a closed padlock in the chrome's quiet grey.
func lockIcon() fyne.Resource {
	return fyne.NewStaticResource("lock.svg", []byte(`<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24">`+
		`<path fill="none" stroke="#a0a0a0" stroke-width="2.4" d="M8 11V7.5a4 4 0 0 1 8 0V11"/>`+
		`<rect x="5" y="10.5" width="14" height="10" rx="1.6" fill="#a0a0a0"/></svg>`))
}
