//go:build !headless

package views

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"
)

// seamRow is a border in the list; pressing it shows the border.
type seamRow struct {
	widget.BaseWidget
	button *button
	cells  []*canvas.Text
	row    *fyne.Container
}

func newSeamRow(s *Screen, i int) *seamRow {
	r := &seamRow{button: newButton("", flatButton, func() { s.ShowSeam(i) })}
	var cells []fyne.CanvasObject
	for range 4 {
		t := newText("", sizeSmall, grey(greyText))
		r.cells, cells = append(r.cells, t), append(cells, t)
	}
	r.button.helps("", s.tip)
	r.row = container.New(overButton{}, r.button, container.New(seamCells{}, cells...))
	r.ExtendBaseWidget(r)
	return r
}

// show writes a border.
func (r *seamRow) show(seam Seam) {
	direction := "—"
	if seam.Upright {
		direction = "|"
	}
	at := fmt.Sprintf("%s  x %d, y %d", direction, seam.At.X, seam.At.Y)
	r.button.help = "Show at 100 %: " + seam.words()
	for i, text := range []string{at, steps(seam.Mean), steps(seam.P99), steps(seam.Worst)} {
		say(r.cells[i], text, grey(greyText))
	}
	r.row.Objects[1].Refresh()
}

// parts implements composed.
func (r *seamRow) parts() []fyne.CanvasObject { return []fyne.CanvasObject{r.button} }

// CreateRenderer implements fyne.Widget.
func (r *seamRow) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(r.row) }

// overButton lays words over a button of a row's height.
type overButton struct{}

const seamRowHeight = 20

// MinSize implements fyne.Layout.
func (overButton) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(seamWidth, seamRowHeight)
}

// Layout implements fyne.Layout.
func (overButton) Layout(o []fyne.CanvasObject, size fyne.Size) {
	o[0].Resize(size)
	h := o[1].MinSize().Height
	o[1].Move(fyne.NewPos(0, (size.Height-h)/2))
	o[1].Resize(fyne.NewSize(size.Width, h))
}

// seamCells lays out a border's place and its three numbers, the latter against the right.
type seamCells struct{}

const (
	seamNumber = 48
	seamWidth  = 120 + 3*seamNumber
)

// MinSize implements fyne.Layout.
func (seamCells) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(seamWidth, o[0].MinSize().Height)
}

// Layout implements fyne.Layout.
func (seamCells) Layout(o []fyne.CanvasObject, size fyne.Size) {
	right := size.Width - 6
	for i := len(o) - 1; i > 0; i-- {
		m := o[i].MinSize()
		o[i].Resize(m)
		o[i].Move(fyne.NewPos(right-m.Width, 0))
		right -= seamNumber
	}
	o[0].Resize(o[0].MinSize())
	o[0].Move(fyne.NewPos(6, 0))
}

// remedyRow is a remedy: a button that uses it, and what it costs.
type remedyRow struct {
	content *fyne.Container
	use     *button
	cost    *paragraph
	remedy  Remedy
}

// remedyButton is the width of a remedy's button.
const remedyButton = 104

func newRemedyRow(s *Screen) *remedyRow {
	r := &remedyRow{cost: newParagraph(panelText-remedyButton-gap, sizeSmall, grey(greyQuiet))}
	r.use = newButton("", plainButton, func() { s.intents.UseRemedy(r.remedy.Setting, r.remedy.Value) }).helps("", s.tip)
	r.content = container.New(remedyCells{}, r.use, r.cost)
	return r
}

// show writes a remedy.
func (r *remedyRow) show(m Remedy) {
	r.remedy = m
	r.use.say(m.Label, "")
	r.use.enable(m.WhyNot == "")
	r.use.help = m.Note
	cost := m.Cost
	if m.WhyNot != "" {
		r.use.help = m.WhyNot
		if cost == "" {
			cost = cutEnd(m.WhyNot, panelText-remedyButton-gap, sizeSmall)
		}
	}
	r.cost.say(cost, grey(greyQuiet))
	r.content.Refresh()
}

// remedyCells lays out a remedy's button and cost.
type remedyCells struct{}

// MinSize implements fyne.Layout.
func (remedyCells) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(panelText, rowHeight) }

// Layout implements fyne.Layout.
func (remedyCells) Layout(o []fyne.CanvasObject, size fyne.Size) {
	o[0].Resize(fyne.NewSize(remedyButton, size.Height))
	h := o[1].MinSize().Height
	o[1].Move(fyne.NewPos(remedyButton+gap, (size.Height-h)/2))
	o[1].Resize(fyne.NewSize(size.Width-remedyButton-gap, h))
}
