//go:build !headless

package views

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"
)

// placesShown is how many places a list shows; keys and buttons go on to the others.
const placesShown = 8

// placeList is a table of places on the plate, each with numbers. Pressing one shows it.
type placeList struct {
	table *fyne.Container
	rows  []*placeRow
	// more says what is not listed.
	more *paragraph
	add  func(i int) *placeRow
}

// newPlaceList returns an empty list. show shows a place, number is the width of a number, and heads are what stands over
// the places and each of the numbers.
func newPlaceList(s *Screen, number float32, show func(i int), heads ...string) *placeList {
	l := &placeList{table: container.New(column(0)), more: newParagraph(panelText, sizeSmall, grey(greyQuiet))}
	l.add = func(i int) *placeRow { return newPlaceRow(len(heads), number, s.tip, func() { show(i) }) }
	var head []fyne.CanvasObject
	for _, name := range heads {
		head = append(head, newText(name, sizeSmall, grey(greyQuiet)))
	}
	l.table.Add(container.New(placeCells{number}, head...))
	l.table.Hide()
	return l
}

// show writes n places, of which row says what each shows and what its tooltip is, and what there is to say of others. It
// reports whether the list's height may have changed.
func (l *placeList) show(n int, row func(i int) (words []string, help string), more string) bool {
	changed := len(l.rows) != n || l.table.Visible() != (n > 0)
	for len(l.rows) < n {
		r := l.add(len(l.rows))
		l.rows = append(l.rows, r)
		l.table.Add(r)
	}
	if len(l.rows) > n {
		l.rows = slices.Clip(l.rows[:n])
		l.table.Objects = slices.Clip(l.table.Objects[:1+n])
	}
	for i, r := range l.rows {
		r.show(row(i))
	}
	visible(l.table, n > 0)
	return l.more.say(more, grey(greyQuiet)) || changed
}

// choose marks one of the places; another number marks none.
func (l *placeList) choose(which int) {
	for i, r := range l.rows {
		r.button.turn(i == which)
	}
}

// placeRow is a place in a list.
type placeRow struct {
	widget.BaseWidget
	button *button
	cells  []*canvas.Text
	row    *fyne.Container
}

func newPlaceRow(cells int, number float32, tip func(string), do func()) *placeRow {
	r := &placeRow{button: newButton("", flatButton, do).helps("", tip)}
	var texts []fyne.CanvasObject
	for range cells {
		t := newText("", sizeSmall, grey(greyText))
		r.cells, texts = append(r.cells, t), append(texts, t)
	}
	r.row = container.New(overButton{}, r.button, container.New(placeCells{number}, texts...))
	r.ExtendBaseWidget(r)
	return r
}

// show writes a place.
func (r *placeRow) show(words []string, help string) {
	r.button.help = help
	for i, text := range words {
		say(r.cells[i], text, grey(greyText))
	}
	r.row.Objects[1].Refresh()
}

// parts implements composed.
func (r *placeRow) parts() []fyne.CanvasObject { return r.row.Objects[:1] }

// CreateRenderer implements fyne.Widget.
func (r *placeRow) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(r.row) }

const (
	placeRowHeight = 20
	placeRowWidth  = 264
)

// overButton lays words over a button of a row's height.
type overButton struct{}

// MinSize implements fyne.Layout.
func (overButton) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(placeRowWidth, placeRowHeight)
}

// Layout implements fyne.Layout.
func (overButton) Layout(o []fyne.CanvasObject, size fyne.Size) {
	o[0].Resize(size)
	h := o[1].MinSize().Height
	o[1].Move(fyne.NewPos(0, (size.Height-h)/2))
	o[1].Resize(fyne.NewSize(size.Width, h))
}

// placeCells lays out a place and its numbers, the latter against the right.
type placeCells struct{ number float32 }

// MinSize implements fyne.Layout.
func (placeCells) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(placeRowWidth, o[0].MinSize().Height)
}

// Layout implements fyne.Layout.
func (c placeCells) Layout(o []fyne.CanvasObject, size fyne.Size) {
	right := size.Width - 6
	for i := len(o) - 1; i > 0; i-- {
		m := o[i].MinSize()
		o[i].Resize(m)
		o[i].Move(fyne.NewPos(right-m.Width, 0))
		right -= c.number
	}
	o[0].Resize(o[0].MinSize())
	o[0].Move(fyne.NewPos(6, 0))
}
