//go:build !headless

package views

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
)

// keySheet lists every key of the table over the window's middle. It is filled when it is first opened.
type keySheet struct {
	content *fyne.Container
	screen  *Screen
}

func newKeySheet(s *Screen) *keySheet {
	return &keySheet{screen: s, content: newCardPlace()}
}

// ToggleKeys opens the sheet of keys, or puts it away.
func (s *Screen) ToggleKeys() {
	k := s.keys
	if len(k.content.Objects) == 0 {
		k.content.Objects = inPlace(k.card())
	}
	visible(k.content, !k.content.Visible())
	s.content.Refresh()
}

// keyGroup is the part of the sheet that is called like a menu.
type keyGroup struct {
	title string
	rows  []keyRow
}

// keyRow is what one action is called, and its keys.
type keyRow struct{ label, keys string }

// keyGroups sorts a table into groups, in its order. Keys that do the same are in one row.
func keyGroups(table []action) []keyGroup {
	var groups []keyGroup
	for _, a := range table {
		if a.key == "" && a.char == 0 {
			continue
		}
		name, label := a.names()
		i := slices.IndexFunc(groups, func(g keyGroup) bool { return g.title == name })
		if i < 0 {
			i = len(groups)
			groups = append(groups, keyGroup{title: name})
		}
		rows := groups[i].rows
		if j := slices.IndexFunc(rows, func(r keyRow) bool { return r.label == label }); j >= 0 {
			rows[j].keys += "  or  " + a.keyName()
			continue
		}
		groups[i].rows = append(rows, keyRow{label, a.keyName()})
	}
	return groups
}

const (
	// sheetColumn is the width of a column of the sheet, and sheetRow the height of a line.
	sheetColumn, sheetRow = 268, 19
	// sheetColumns is how many columns there are.
	sheetColumns = 3
)

// card draws the sheet: the groups one under another, in columns that are about as long.
func (k *keySheet) card() fyne.CanvasObject {
	groups := keyGroups(k.screen.table)
	lines := 0
	for _, g := range groups {
		lines += len(g.rows) + 2
	}
	most := (lines + sheetColumns - 1) / sheetColumns
	var columns []fyne.CanvasObject
	var now []fyne.CanvasObject
	left := most
	next := func() {
		if len(now) > 0 {
			columns = append(columns, container.New(column(1), append([]fyne.CanvasObject{spacer(sheetColumn, 0)}, now...)...))
		}
		now, left = nil, most
	}
	for _, g := range groups {
		// A title alone at the end of a column would say nothing.
		if left < 3 && len(columns) < sheetColumns-1 {
			next()
		}
		now = append(now, sheetTitle(g.title))
		left--
		for _, row := range g.rows {
			if left <= 0 && len(columns) < sheetColumns-1 {
				next()
				now = append(now, sheetTitle(g.title+", more"))
				left--
			}
			now = append(now, row.object())
			left--
		}
		now = append(now, spacer(1, 8))
		left--
	}
	next()
	title := newText("Keys", sizeTitle, grey(greyText))
	title.TextStyle.Bold = true
	said := newText("Single letters work whenever no text is being typed", sizeSmall, grey(greyQuiet))
	shut := newButton("Close   Esc", flatButton, k.screen.ToggleKeys)
	back := canvas.NewRectangle(grey(greyChrome))
	back.CornerRadius, back.StrokeWidth, back.StrokeColor = 8, 1, grey(0x50)
	inside := container.New(column(10), container.NewBorder(nil, nil, title, shut, container.NewHBox(spacer(8, 1), said)),
		container.New(layout.NewCustomPaddedHBoxLayout(20), columns...))
	return container.NewStack(back, container.New(layout.NewCustomPaddedLayout(14, 14, 20, 20), inside))
}

func sheetTitle(text string) fyne.CanvasObject {
	t := newText(text, sizeText, grey(greyText))
	t.TextStyle.Bold = true
	return t
}

// object draws the row: the name at the left, the keys at the right.
func (r keyRow) object() fyne.CanvasObject {
	keys := newText(r.keys, sizeSmall, grey(greyText))
	room := sheetColumn - keys.MinSize().Width - gap
	label := newText(shorten(r.label, room, sizeSmall, fyne.TextStyle{}), sizeSmall, grey(greyQuiet))
	row := container.NewBorder(nil, nil, label, keys)
	return container.New(tall(sheetRow), row)
}
