//go:build !headless

package views

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// buttonKind is how a button looks.
type buttonKind int

const (
	// plainButton stands out a little from the chrome.
	plainButton buttonKind = iota
	// mainButton is the one that the artist is looking for.
	mainButton
	// flatButton shows only under the pointer.
	flatButton
)

// button is something to press. The pointer never gives it the keyboard, so that single-letter keys go on working after
// it was pressed.
type button struct {
	widget.BaseWidget
	reach
	kind buttonKind
	// do is called when it is pressed; help is told while the pointer is over it.
	do   func()
	help string
	tell func(string)

	label, detail string
	disabled, on  bool
	hovered, held bool
	leftAligned   bool
	// pad is left beside the label; 0 is the usual.
	pad float32
	// indent is left before a label that is aligned to the left.
	indent            float32
	back              *canvas.Rectangle
	title, underTitle *canvas.Text
}

// newButton returns a button with a label.
func newButton(label string, kind buttonKind, do func()) *button {
	b := &button{kind: kind, do: do, label: label}
	b.back = canvas.NewRectangle(color.Transparent)
	b.back.CornerRadius = 4
	b.title = newText(label, sizeText, grey(greyText))
	b.underTitle = newText("", sizeSmall, grey(greyQuiet))
	b.reach = reach{of: b, press: b.pressed, said: func(there bool) { explain(b.tell, func() string { return b.help })(there) }}
	b.ExtendBaseWidget(b)
	b.paint()
	return b
}

// helps gives the button a sentence that says what it does, shown while the pointer is over it.
func (b *button) helps(help string, tell func(string)) *button {
	b.help, b.tell = help, tell
	return b
}

// say changes the label and the smaller line under it; it reports whether the button's size may have changed.
func (b *button) say(label, detail string) bool {
	if b.label == label && b.detail == detail {
		return false
	}
	b.label, b.detail = label, detail
	b.Refresh()
	return true
}

// enable lets the button be pressed, or not.
func (b *button) enable(yes bool) {
	if b.disabled != !yes {
		b.disabled = !yes
		b.held = false
		b.Refresh()
	}
}

// turn shows the button as switched on, or off.
func (b *button) turn(on bool) {
	if b.on != on {
		b.on = on
		b.Refresh()
	}
}

// lower makes a main button look plain while it is not what the artist is looking for.
func (b *button) lower(yes bool) {
	kind := mainButton
	if yes {
		kind = plainButton
	}
	if b.kind != kind {
		b.kind = kind
		b.Refresh()
	}
}

// paint chooses the colours.
func (b *button) paint() {
	fill, text, under := color.Color(color.Transparent), grey(greyText), grey(greyQuiet)
	switch {
	case b.disabled:
		text, under = grey(greyOff), grey(greyOff)
		if b.kind != flatButton {
			fill = grey(greySunk)
		}
	case b.kind == mainButton:
		fill, text, under = grey(greyAccent), grey(greyOnLight), grey(0x48)
		if b.hovered && !b.held {
			fill = grey(0xe8)
		}
	case b.held:
		fill = grey(greySunk)
	case b.hovered:
		fill = grey(greyHover)
	case b.kind == plainButton || b.on:
		fill = grey(greyRaised)
	case !b.leftAligned:
		text = grey(greyQuiet)
	}
	if b.on && !b.disabled {
		fill = grey(0x55)
	}
	b.back.FillColor, b.back.StrokeColor, b.back.StrokeWidth = fill, grey(greyFocus), focusWidth(b.there)
	b.title.Text, b.title.Color = b.label, text
	b.underTitle.Text, b.underTitle.Color = b.detail, under
}

// Tapped implements fyne.Tappable.
func (b *button) Tapped(*fyne.PointEvent) {
	b.clicked()
	b.pressed()
}

// Disabled implements fyne.Disableable: Tab passes over what is.
func (b *button) Disabled() bool { return b.disabled || b.off }

// Enable implements fyne.Disableable.
func (b *button) Enable() { b.enable(true) }

// Disable implements fyne.Disableable.
func (b *button) Disable() { b.enable(false) }

func (b *button) pressed() {
	if !b.disabled && b.do != nil {
		b.do()
	}
}

// MouseIn implements desktop.Hoverable.
func (b *button) MouseIn(*desktop.MouseEvent) {
	b.hovered = true
	b.Refresh()
	if b.tell != nil {
		b.tell(b.help)
	}
}

// MouseMoved implements desktop.Hoverable.
func (b *button) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (b *button) MouseOut() {
	b.hovered, b.held = false, false
	b.Refresh()
	if b.tell != nil {
		b.tell("")
	}
}

// MouseDown implements desktop.Mouseable.
func (b *button) MouseDown(e *desktop.MouseEvent) {
	if e.Button == desktop.MouseButtonPrimary && !b.disabled {
		b.held = true
		b.Refresh()
	}
}

// MouseUp implements desktop.Mouseable.
func (b *button) MouseUp(*desktop.MouseEvent) {
	if b.held {
		b.held = false
		b.Refresh()
	}
}

// CreateRenderer implements fyne.Widget.
func (b *button) CreateRenderer() fyne.WidgetRenderer {
	return &buttonRenderer{b: b, parts: parts{b.back, b.title, b.underTitle}}
}

type buttonRenderer struct {
	b *button
	parts
}

func (r *buttonRenderer) MinSize() fyne.Size {
	width := fyne.Max(r.b.title.MinSize().Width, 0)
	height := float32(rowHeight + 2)
	if r.b.detail != "" {
		width = fyne.Max(width, r.b.underTitle.MinSize().Width)
		height = 44
	}
	pad := r.b.pad
	if pad == 0 {
		pad = margin
	}
	return fyne.NewSize(width+2*pad, height)
}

func (r *buttonRenderer) Layout(size fyne.Size) {
	b := r.b
	b.back.Resize(size)
	put := func(t *canvas.Text, y float32) {
		m := t.MinSize()
		x := (size.Width - m.Width) / 2
		if b.leftAligned {
			x = margin + b.indent
		}
		t.Resize(m)
		t.Move(fyne.NewPos(x, y))
	}
	title := b.title.MinSize().Height
	if b.detail == "" {
		b.underTitle.Hide()
		put(b.title, (size.Height-title)/2)
		return
	}
	b.underTitle.Show()
	under := b.underTitle.MinSize().Height
	top := (size.Height - title - under) / 2
	put(b.title, top)
	put(b.underTitle, top+title)
}

func (r *buttonRenderer) Refresh() {
	r.b.paint()
	r.Layout(r.b.Size())
	canvas.Refresh(r.b)
}
