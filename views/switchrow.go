//go:build !headless

package views

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"
)

// switchRow is something that is on or off in a row of its own: a check, and a reset that shows when it is not as usual.
type switchRow struct {
	widget.BaseWidget
	box   *check
	reset *resetIcon
	usual bool
	row   *fyne.Container
}

// newSwitchRow returns a row at its usual value; do is called with each new one.
func newSwitchRow(label, help string, usual bool, tell func(string), do func(on bool)) *switchRow {
	t := &switchRow{usual: usual}
	t.box = newCheck(label, help, tell, func(on bool) {
		t.set(on)
		do(on)
	})
	t.reset = newResetIcon(func() {
		t.set(usual)
		do(usual)
	})
	t.row = container.New(switchCells{}, t.box, t.reset)
	t.ExtendBaseWidget(t)
	t.set(usual)
	return t
}

// set shows it on or off.
func (t *switchRow) set(on bool) {
	t.box.set(on)
	visible(t.reset, t.changed())
}

// changed reports whether it is not as usual.
func (t *switchRow) changed() bool { return t.box.on != t.usual }

// parts implements composed.
func (t *switchRow) parts() []fyne.CanvasObject { return t.row.Objects }

// CreateRenderer implements fyne.Widget.
func (t *switchRow) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(t.row) }

// switchCells lays out a check and a reset in line with the rows of numbers.
type switchCells struct{}

// MinSize implements fyne.Layout.
func (switchCells) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(o[0].MinSize().Width+controlReset, rowHeight)
}

// Layout implements fyne.Layout.
func (switchCells) Layout(o []fyne.CanvasObject, size fyne.Size) {
	o[0].Resize(fyne.NewSize(o[0].MinSize().Width, size.Height))
	o[0].Move(fyne.NewPos(0, 0))
	placeReset(o[1], size)
}
