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

// stripCell is a plate of the strip: its thumbnail, its name, how it is, and a cross that takes it out. A press opens it;
// with Ctrl, Cmd or Shift it is chosen instead, or not any more.
type stripCell struct {
	widget.BaseWidget
	reach
	bar *stripBar
	// plate is what is shown; off says that it cannot be opened now.
	plate           StripPlate
	off             bool
	chosen, hovered bool
	// choosing says that the press that goes on chooses.
	choosing bool

	back, frame *canvas.Rectangle
	picture     *canvas.Image
	tick, mark  *widget.Icon
	name, words *canvas.Text
	cross       *crossIcon
}

// The size of a cell in units of the window.
const (
	cellWidth     = 112
	cellHeight    = 98
	cellThumb     = 54
	cellMark      = 13
	cellPad       = 6
	cellCross     = 16
	cellTextWidth = cellWidth - 2*cellPad
)

func newStripCell(bar *stripBar) *stripCell {
	c := &stripCell{bar: bar}
	c.back = canvas.NewRectangle(color.Transparent)
	c.back.CornerRadius = 4
	c.frame = canvas.NewRectangle(color.Transparent)
	c.picture = newThumbnail()
	c.tick = widget.NewIcon(theme.NewColoredResource(theme.CheckButtonCheckedIcon(), theme.ColorNameForeground))
	c.tick.Hide()
	c.mark = widget.NewIcon(nil)
	c.mark.Hide()
	c.name = newText("", sizeSmall, grey(greyText))
	c.words = newText("", sizeSmall, grey(greyQuiet))
	c.cross = newCrossIcon(func() { bar.screen.intents.ClosePlate(c.plate.ID) }, func(there bool) {
		c.hover(there)
		bar.tell(there, "Take "+c.plate.Name+" out of the strip; its file stays")
	})
	c.cross.Hide()
	c.reach = reach{of: c, press: func() { bar.open(c.plate) }, said: func(there bool) { bar.tell(there, c.help()) }}
	c.ExtendBaseWidget(c)
	return c
}

// help says what the plate is.
func (c *stripCell) help() string {
	text := c.plate.Name + ": " + c.plate.Words
	if c.plate.Why != "" {
		text += " (" + c.plate.Why + ")"
	}
	switch {
	case c.plate.Open:
	case c.off:
		text += ". " + c.bar.state.NoSwitch
	default:
		text += ". Click to open it, with " + modifierName() + " to choose it"
	}
	return text
}

// show draws a plate.
func (c *stripCell) show(p StripPlate, off, chosen bool) {
	if c.plate == p && c.off == off && c.chosen == chosen {
		return
	}
	if c.plate.Thumb != p.Thumb {
		c.picture.Image = p.Thumb
		visible(c.picture, p.Thumb != nil)
		c.picture.Refresh()
	}
	if c.plate.Mark != p.Mark || c.mark.Resource == nil {
		c.mark.SetResource(p.Mark.icon())
		visible(c.mark, p.Mark != MarkNone)
	}
	c.plate, c.off, c.chosen = p, off, chosen
	visible(c.tick, chosen)
	c.Refresh()
}

// icon is the sign as it is drawn.
func (m StripMark) icon() fyne.Resource {
	switch m {
	case MarkKeyed:
		return theme.NewColoredResource(theme.ConfirmIcon(), theme.ColorNameForeground)
	case MarkStale:
		return theme.NewWarningThemedResource(theme.WarningIcon())
	case MarkExported:
		return theme.NewColoredResource(theme.DocumentSaveIcon(), theme.ColorNameForeground)
	case MarkFailed:
		return theme.NewWarningThemedResource(theme.ErrorIcon())
	case MarkWaiting:
		return theme.NewColoredResource(theme.HistoryIcon(), theme.ColorNamePlaceHolder)
	case MarkRunning:
		return theme.NewColoredResource(theme.MediaPlayIcon(), theme.ColorNameForeground)
	}
	return nil
}

// paint chooses the colours.
func (c *stripCell) paint() {
	fill, frame, width := color.Color(color.Transparent), color.Color(grey(greyLine)), float32(1)
	switch {
	case c.plate.Open:
		fill, frame, width = grey(greyRaised), grey(greyAccent), 2
	case c.hovered && !c.off:
		fill = grey(greyHover)
	case c.chosen:
		fill = grey(greySunk)
	}
	c.back.FillColor, c.back.StrokeColor, c.back.StrokeWidth = fill, grey(greyFocus), focusWidth(c.there)
	c.frame.StrokeColor, c.frame.StrokeWidth = frame, width
	words := grey(greyQuiet)
	if c.plate.Mark == MarkFailed || c.plate.Mark == MarkStale {
		words = amber()
	}
	c.name.Text = shorten(c.plate.Name, cellTextWidth, sizeSmall, fyne.TextStyle{})
	c.words.Text, c.words.Color = cutEnd(c.plate.Words, cellTextWidth-c.indent(), sizeSmall), words
}

// indent is what the sign takes of the line of words.
func (c *stripCell) indent() float32 {
	if c.plate.Mark == MarkNone {
		return 0
	}
	return cellMark + 3
}

// MouseDown implements desktop.Mouseable.
func (c *stripCell) MouseDown(e *desktop.MouseEvent) {
	c.choosing = e.Modifier&(fyne.KeyModifierShortcutDefault|fyne.KeyModifierShift|fyne.KeyModifierControl) != 0
}

// MouseUp implements desktop.Mouseable.
func (c *stripCell) MouseUp(*desktop.MouseEvent) {}

// Tapped implements fyne.Tappable.
func (c *stripCell) Tapped(*fyne.PointEvent) {
	c.clicked()
	if c.choosing {
		c.bar.choose(c.plate.ID)
	} else {
		c.bar.open(c.plate)
	}
	c.choosing = false
}

func (c *stripCell) hover(there bool) {
	c.hovered = there
	visible(c.cross, there && !c.off)
	c.Refresh()
}

// MouseIn implements desktop.Hoverable.
func (c *stripCell) MouseIn(*desktop.MouseEvent) { c.hover(true); c.bar.tell(true, c.help()) }

// MouseMoved implements desktop.Hoverable.
func (c *stripCell) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (c *stripCell) MouseOut() { c.hover(false); c.bar.tell(false, "") }

// CreateRenderer implements fyne.Widget.
func (c *stripCell) CreateRenderer() fyne.WidgetRenderer {
	return &stripCellRenderer{c, parts{c.back, c.picture, c.frame, c.tick, c.mark, c.name, c.words, c.cross}}
}

type stripCellRenderer struct {
	c *stripCell
	parts
}

func (r *stripCellRenderer) MinSize() fyne.Size { return fyne.NewSize(cellWidth, cellHeight) }

func (r *stripCellRenderer) Layout(size fyne.Size) {
	c := r.c
	c.back.Resize(size)
	thumb := fyne.NewSize(size.Width-2*cellPad, cellThumb)
	for _, o := range []fyne.CanvasObject{c.picture, c.frame} {
		o.Move(fyne.NewPos(cellPad, cellPad))
		o.Resize(thumb)
	}
	c.tick.Move(fyne.NewPos(cellPad+2, cellPad+2))
	c.tick.Resize(fyne.NewSquareSize(cellCross))
	c.cross.Move(fyne.NewPos(size.Width-cellPad-cellCross-1, cellPad+1))
	c.cross.Resize(fyne.NewSquareSize(cellCross))
	y := float32(cellPad + cellThumb + 2)
	line := func(t *canvas.Text, x float32) {
		m := t.MinSize()
		t.Move(fyne.NewPos(x, y))
		t.Resize(m)
		y += 14
	}
	line(c.name, cellPad)
	c.mark.Move(fyne.NewPos(cellPad, y+1))
	c.mark.Resize(fyne.NewSquareSize(cellMark))
	line(c.words, cellPad+c.indent())
}

func (r *stripCellRenderer) Refresh() {
	r.c.paint()
	r.Layout(r.c.Size())
	canvas.Refresh(r.c)
}

// crossIcon is a small cross to press.
type crossIcon struct {
	widget.Icon
	do    func()
	hover func(there bool)
}

func newCrossIcon(do func(), hover func(there bool)) *crossIcon {
	c := &crossIcon{do: do, hover: hover}
	c.Resource = theme.NewColoredResource(theme.CancelIcon(), theme.ColorNameForeground)
	c.ExtendBaseWidget(c)
	return c
}

// Tapped implements fyne.Tappable.
func (c *crossIcon) Tapped(*fyne.PointEvent) { c.do() }

// MouseIn implements desktop.Hoverable.
func (c *crossIcon) MouseIn(*desktop.MouseEvent) { c.hover(true) }

// MouseMoved implements desktop.Hoverable.
func (c *crossIcon) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (c *crossIcon) MouseOut() { c.hover(false) }
