//go:build !headless

package views

import (
	"fmt"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"
)

// reviewGroup lists what was found about the finished matte, the worst first. It judges nothing and blocks nothing.
type reviewGroup struct {
	content        *fyne.Container
	screen         *Screen
	about          *paragraph
	table          *fyne.Container
	rows           []*findingRow
	more           *paragraph
	previous, next *button
	// blacks and whites show the matte under a gain, status in flat colours.
	blacks, whites, status *button
}

// findingsShown is how many findings the list shows; keys and buttons go on to the others.
const findingsShown = 8

func newReviewGroup(s *Screen) *reviewGroup {
	g := &reviewGroup{
		screen: s, about: newParagraph(panelText, sizeSmall, grey(greyQuiet)), more: newParagraph(panelText, sizeSmall, grey(greyQuiet)),
	}
	g.table = container.New(column(0))
	var head []fyne.CanvasObject
	for _, name := range []string{"Finding", "pixels", "matte"} {
		head = append(head, newText(name, sizeSmall, grey(greyQuiet)))
	}
	g.table.Add(container.New(findingCells{}, head...))
	g.table.Hide()
	g.previous = newButton("Previous", plainButton, func() { s.JumpFinding(-1) }).helps("Show the finding before"+s.keyOf("Previous Seam or Finding"), s.tip)
	g.next = newButton("Next", plainButton, func() { s.JumpFinding(1) }).helps("Show the next finding"+s.keyOf("Next Seam or Finding"), s.tip)
	g.blacks = newButton("Blacks x16", plainButton, func() { s.slam(GainBlacks) }).
		helps("Show sixteen times the matte: what is left on the screen lights up", s.tip)
	g.whites = newButton("Whites x16", plainButton, func() { s.slam(GainWhites) }).
		helps("Show the matte sixteen times as far from 1: what is missing in the core turns dark", s.tip)
	g.status = newButton("Status", plainButton, func() { s.View(ViewStatus) }).
		helps("Show what is exactly black or white, and what is to be looked at"+s.keyOf("Status"), s.tip)
	g.content = foldable(s, "Matte check", container.NewHBox(g.previous, g.next), g.about, g.table, g.more,
		container.NewHBox(g.blacks, g.whites, g.status))
	return g
}

// slam shows the matte under a gain, or as it is where that is on already.
func (s *Screen) slam(gain MatteGain) {
	shown := s.view == ViewMatte && s.looking.gain == gain
	if s.looking.gain != gain || shown {
		s.ToggleGain(gain)
	}
	if !shown {
		s.View(ViewMatte)
	}
}

// show draws a state and reports whether the group's height may have changed.
func (g *reviewGroup) show(state State) bool {
	m := state.Matte.Review
	changed := g.about.say(m.words(), grey(greyQuiet))
	n := min(len(m.Findings), findingsShown)
	changed = changed || len(g.rows) != n || g.table.Visible() != (n > 0)
	for len(g.rows) < n {
		row := newFindingRow(g.screen, len(g.rows))
		g.rows = append(g.rows, row)
		g.table.Add(row)
	}
	if len(g.rows) > n {
		g.rows = slices.Clip(g.rows[:n])
		g.table.Objects = slices.Clip(g.table.Objects[:1+n])
	}
	for i, row := range g.rows {
		row.show(m.Findings[i])
	}
	visible(g.table, n > 0)
	more := ""
	if rest := len(m.Findings) - n; rest > 0 {
		more = fmt.Sprintf("%d smaller ones are not listed; Next goes on to them.", rest)
	}
	if m.More > 0 {
		more += fmt.Sprintf(" Beyond those there are %d.", m.More)
	}
	changed = g.more.say(more, grey(greyQuiet)) || changed
	for _, b := range []*button{g.previous, g.next} {
		b.enable(len(m.Findings) > 0)
	}
	for _, b := range []*button{g.blacks, g.whites, g.status} {
		b.enable(state.Layers.Key != nil)
	}
	return changed
}

// look marks what is shown.
func (g *reviewGroup) look(s *Screen) {
	for i, row := range g.rows {
		row.button.turn(i == s.finding)
	}
	g.status.turn(s.view == ViewStatus)
	g.blacks.turn(s.view == ViewMatte && s.looking.gain == GainBlacks)
	g.whites.turn(s.view == ViewMatte && s.looking.gain == GainWhites)
}

// words says what is known in all.
func (m ReviewState) words() string {
	switch {
	case !m.Known && m.Checking:
		return "Looking over the matte"
	case !m.Known:
		return m.WhyNot
	}
	text := fmt.Sprintf("%s translucent, %s solid, %s clear.", share(m.Translucent), share(m.Solid), share(m.Clear))
	if len(m.Findings) == 0 {
		text += " No hole in the core, nothing left on the screen."
	}
	if m.Checking {
		text += " Checking again."
	}
	return text
}

// share writes a share in percent; what is there is never 0.
func share(percent float64) string {
	if percent > 0 && percent < 0.05 {
		return "under 0.1 %"
	}
	return fmt.Sprintf("%.1f %%", percent)
}

// findingRow is a finding in the list; pressing it shows the place.
type findingRow struct {
	widget.BaseWidget
	button *button
	cells  []*canvas.Text
	row    *fyne.Container
}

func newFindingRow(s *Screen, i int) *findingRow {
	r := &findingRow{button: newButton("", flatButton, func() { s.ShowFinding(i) })}
	var cells []fyne.CanvasObject
	for range 3 {
		t := newText("", sizeSmall, grey(greyText))
		r.cells, cells = append(r.cells, t), append(cells, t)
	}
	r.button.helps("", s.tip)
	r.row = container.New(overButton{}, r.button, container.New(findingCells{}, cells...))
	r.ExtendBaseWidget(r)
	return r
}

// show writes a finding.
func (r *findingRow) show(f MatteFinding) {
	r.button.help = "Show it: " + f.Text
	for i, text := range []string{fmt.Sprintf("%s  x %d, y %d", f.Kind, f.X, f.Y), fmt.Sprint(f.Pixels), fmt.Sprintf("%.3f", f.Worst)} {
		say(r.cells[i], text, grey(greyText))
	}
	r.row.Objects[1].Refresh()
}

// parts implements composed.
func (r *findingRow) parts() []fyne.CanvasObject { return r.row.Objects[:1] }

// CreateRenderer implements fyne.Widget.
func (r *findingRow) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(r.row) }

// findingCells lays out a finding's place and its two numbers, the latter against the right.
type findingCells struct{}

// findingNumber is the width of a number.
const findingNumber = 54

// MinSize implements fyne.Layout.
func (findingCells) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(seamWidth, o[0].MinSize().Height)
}

// Layout implements fyne.Layout.
func (findingCells) Layout(o []fyne.CanvasObject, size fyne.Size) {
	right := size.Width - 6
	for i := len(o) - 1; i > 0; i-- {
		m := o[i].MinSize()
		o[i].Resize(m)
		o[i].Move(fyne.NewPos(right-m.Width, 0))
		right -= findingNumber
	}
	o[0].Resize(o[0].MinSize())
	o[0].Move(fyne.NewPos(6, 0))
}
