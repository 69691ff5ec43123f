//go:build !headless

package views

import (
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// control is one live control in a row: label, slider, number, and a reset that shows when the value is not the
// usual one.
type control struct {
	widget.BaseWidget
	// do is called with each new value.
	do func(float64)

	// name names the control; turn counts its drags and what was typed.
	name   string
	turn   int
	help   string
	whyNot string
	title  *canvas.Text
	tell   func(string)
	slider *slider
	number *number
	reset  *resetIcon
	row    *fyne.Container
}

// controlSpec says what a control is for.
type controlSpec struct {
	label, help string
	// name is what undo calls it; empty is the label.
	name              string
	least, most, step float64
	usual             float64
	curve             float64
	decimals          int
	// low and high are the ends of what may be typed; both 0 are those of the slider.
	low, high float64
}

// newControl returns a control at its usual value.
func newControl(spec controlSpec, tell func(string), do func(float64)) *control {
	c := &control{do: do, name: spec.name, help: spec.help, tell: tell}
	if c.name == "" {
		c.name = spec.label
	}
	if spec.low == 0 && spec.high == 0 {
		spec.low, spec.high = spec.least, spec.most
	}
	apply := func(v float64) {
		v = math.Max(spec.low, math.Min(v, spec.high))
		c.set(v)
		c.do(v)
	}
	anew := func(v float64) {
		c.turn++
		apply(v)
	}
	c.slider = newSlider(spec.least, spec.most, spec.step, spec.usual, spec.curve, apply)
	c.slider.begin = func() { c.turn++ }
	c.number = newNumber(spec.decimals, anew)
	c.reset = newResetIcon(func() { anew(spec.usual) })
	c.title = newText(spec.label, sizeText, grey(greyText))
	c.row = container.New(controlRow{}, c.title, c.slider, container.NewThemeOverride(c.number, compact{}), c.reset)
	c.ExtendBaseWidget(c)
	c.set(spec.usual)
	return c
}

// step names a change of the value for undo: all of a drag are one.
func (c *control) step() Step { return Step{c.name, c.turn} }

// set shows a value.
func (c *control) set(v float64) {
	c.slider.set(v)
	c.number.set(v)
	visible(c.reset, c.changed())
}

// changed reports whether the value is not the usual one.
func (c *control) changed() bool { return math.Abs(c.slider.value-c.slider.usual) > 1e-9 }

// enable lets the value be changed; why says why it cannot, and empty that it can.
func (c *control) enable(why string) {
	if c.whyNot == why {
		return
	}
	c.whyNot = why
	greyOut(c.title, why != "")
	c.slider.enable(why == "")
	c.number.enable(why == "")
}

// MouseIn implements desktop.Hoverable.
func (c *control) MouseIn(*desktop.MouseEvent) {
	if c.whyNot != "" {
		c.tell(c.whyNot)
		return
	}
	c.tell(c.help)
}

// MouseMoved implements desktop.Hoverable.
func (c *control) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (c *control) MouseOut() { c.tell("") }

// parts implements composed.
func (c *control) parts() []fyne.CanvasObject { return c.row.Objects }

// CreateRenderer implements fyne.Widget.
func (c *control) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(c.row) }

// controlRow lays out label, slider, number and reset.
type controlRow struct{}

const (
	controlLabel  = 108
	controlNumber = 52
	controlReset  = 20
)

// MinSize implements fyne.Layout.
func (controlRow) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(controlLabel+60+controlNumber+controlReset, rowHeight)
}

// Layout implements fyne.Layout.
func (controlRow) Layout(o []fyne.CanvasObject, size fyne.Size) {
	placeLabel(o[0], size)
	right := placeReset(o[3], size) - controlNumber
	o[2].Move(fyne.NewPos(right, 1))
	o[2].Resize(fyne.NewSize(controlNumber, size.Height-2))
	o[1].Move(fyne.NewPos(controlLabel-knobSize/2, 0))
	o[1].Resize(fyne.NewSize(right-controlLabel+knobSize/2-gap, size.Height))
}

// placeLabel lays out a row's label at its left end.
func placeLabel(label fyne.CanvasObject, size fyne.Size) {
	m := label.MinSize()
	label.Move(fyne.NewPos(0, (size.Height-m.Height)/2))
	label.Resize(m)
}

// placeReset lays out a row's reset at its right end, and returns where it begins.
func placeReset(reset fyne.CanvasObject, size fyne.Size) (right float32) {
	right = size.Width - controlReset
	reset.Move(fyne.NewPos(right+2, (size.Height-controlReset)/2))
	reset.Resize(fyne.NewSquareSize(controlReset))
	return right
}

// compact is the theme of entries in rows.
type compact struct{ Theme }

// Size implements fyne.Theme.
func (c compact) Size(name fyne.ThemeSizeName) float32 {
	if name == theme.SizeNameInnerPadding {
		return 4
	}
	return c.Theme.Size(name)
}

// resetIcon brings a control's usual value back.
type resetIcon struct {
	widget.Icon
	reach
	do func()
}

func newResetIcon(do func()) *resetIcon {
	r := &resetIcon{do: do}
	r.paint()
	r.reach = reach{of: r, press: do, said: func(bool) { r.paint() }}
	r.ExtendBaseWidget(r)
	return r
}

// Tapped implements fyne.Tappable.
func (r *resetIcon) Tapped(*fyne.PointEvent) {
	r.clicked()
	r.do()
}

func (r *resetIcon) paint() {
	name := theme.ColorNamePlaceHolder
	if r.there {
		name = theme.ColorNameForeground
	}
	r.Resource = theme.NewColoredResource(theme.ContentUndoIcon(), name)
}

// visible shows or hides an object.
func visible(o fyne.CanvasObject, show bool) {
	switch {
	case show && !o.Visible():
		o.Show()
	case !show && o.Visible():
		o.Hide()
	}
}
