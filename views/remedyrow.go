//go:build !headless

package views

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

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
	r.use = newButton("", plainButton, func() { s.UseRemedy(r.remedy.Setting, r.remedy.Value) }).helps("", s.tip)
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
