//go:build !headless

package views

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// variantGroup lists the keys of the plate that can be brought back. It is hidden while there is no choice.
type variantGroup struct {
	content *fyne.Container
	rows    *fyne.Container
	screen  *Screen
	shown   []*variantRow
}

func newVariantGroup(s *Screen) *variantGroup {
	g := &variantGroup{screen: s, rows: container.New(column(2))}
	g.content = foldable(s, "Keys", nil, g.rows)
	g.content.Hide()
	return g
}

// show draws a state and reports whether the group's size has changed.
func (g *variantGroup) show(s State) bool {
	several := len(s.Variants) > 1 || len(s.Variants) == 1 && !s.Variants[0].Shown
	changed := g.content.Visible() != several || len(g.shown) != len(s.Variants)
	visible(g.content, several)
	for len(g.shown) < len(s.Variants) {
		g.shown = append(g.shown, newVariantRow(g.screen))
	}
	if g.shown = g.shown[:len(s.Variants)]; changed {
		g.rows.Objects = nil
		for _, row := range g.shown {
			g.rows.Objects = append(g.rows.Objects, row)
		}
		g.rows.Refresh()
	}
	why := ""
	if s.Key.Running {
		why = "A key is being made"
	}
	for i, v := range s.Variants {
		g.shown[i].show(v, why)
	}
	return changed
}

// variantRow is a key: its thumbnail, which it is and what differs from the one that is shown. A press brings it back; a
// button beside compares it with the one that is shown.
type variantRow struct {
	widget.BaseWidget
	reach
	screen  *Screen
	variant VariantState
	// why says why it cannot be brought back now; empty when it can.
	why     string
	hovered bool

	back, frame   *canvas.Rectangle
	picture       *canvas.Image
	title, detail *canvas.Text
	compare       *button
}

// The size of a row and its thumbnail.
const (
	variantHeight     = 46
	variantThumbWidth = 64
	variantCompare    = 66
)

func newVariantRow(s *Screen) *variantRow {
	r := &variantRow{screen: s}
	r.back = canvas.NewRectangle(color.Transparent)
	r.back.CornerRadius = 4
	r.frame = canvas.NewRectangle(color.Transparent)
	r.picture = newThumbnail()
	r.title = newText("", sizeText, grey(greyText))
	r.detail = newText("", sizeSmall, grey(greyQuiet))
	r.compare = newButton("Compare", flatButton, func() { s.intents.Compare(r.variant.Name) }).helps("", s.tip)
	r.compare.pad = 6
	r.reach = reach{of: r, press: r.pressed, said: explain(s.tip, r.help)}
	r.ExtendBaseWidget(r)
	return r
}

// keepOff implements kept.
func (r *variantRow) keepOff(off bool) {
	r.reach.keepOff(off)
	r.compare.keepOff(off)
}

// help says what a press does.
func (r *variantRow) help() string {
	v := r.variant
	text := v.Title + ": " + v.Words
	switch {
	case v.Shown:
		return text + ". It is the one that is shown"
	case r.why != "":
		return text + ". " + r.why
	}
	return "Bring " + text + " back, with its settings and its look. " + v.Differs
}

// show draws a key.
func (r *variantRow) show(v VariantState, why string) {
	if r.variant == v && r.why == why {
		return
	}
	if r.variant.Thumb != v.Thumb {
		r.picture.Image = v.Thumb
		visible(r.picture, v.Thumb != nil)
		r.picture.Refresh()
	}
	r.variant, r.why = v, why
	visible(r.compare, !v.Shown)
	r.compare.turn(v.Compared)
	r.compare.help = "Show it beside the key that is shown, on the other side of the wipe's line"
	if v.Compared {
		r.compare.help = "Show the key alone again"
	}
	r.Refresh()
}

func (r *variantRow) paint() {
	fill, frame, width := color.Color(color.Transparent), color.Color(grey(greyLine)), float32(1)
	switch {
	case r.variant.Shown:
		fill, frame, width = grey(greySunk), grey(greyAccent), 2
	case r.hovered && r.why == "":
		fill = grey(greyHover)
	}
	r.back.FillColor, r.back.StrokeColor, r.back.StrokeWidth = fill, grey(greyFocus), focusWidth(r.there)
	r.frame.StrokeColor, r.frame.StrokeWidth = frame, width
	room := r.Size().Width - variantThumbWidth - 16
	r.title.Text = r.variant.Title
	detail := r.variant.Differs
	if r.variant.Shown {
		r.title.Text += ", shown"
	} else {
		room -= variantCompare
	}
	if detail == "" {
		detail = r.variant.Words
	}
	r.title.Text = cutEnd(r.title.Text, room, sizeText)
	r.detail.Text = cutEnd(detail, room, sizeSmall)
}

func (r *variantRow) pressed() {
	if r.why == "" && !r.variant.Shown {
		r.screen.intents.Restore(r.variant.Name)
	}
}

// Tapped implements fyne.Tappable.
func (r *variantRow) Tapped(*fyne.PointEvent) {
	r.clicked()
	r.pressed()
}

// MouseIn implements desktop.Hoverable.
func (r *variantRow) MouseIn(*desktop.MouseEvent) {
	r.hovered = true
	r.Refresh()
	r.screen.tip(r.help())
}

// MouseMoved implements desktop.Hoverable.
func (r *variantRow) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (r *variantRow) MouseOut() {
	r.hovered = false
	r.Refresh()
	r.screen.tip("")
}

// CreateRenderer implements fyne.Widget.
func (r *variantRow) CreateRenderer() fyne.WidgetRenderer {
	return &variantRenderer{r, parts{r.back, r.picture, r.frame, r.title, r.detail, r.compare}}
}

type variantRenderer struct {
	r *variantRow
	parts
}

func (v *variantRenderer) MinSize() fyne.Size { return fyne.NewSize(panelText, variantHeight) }

func (v *variantRenderer) Layout(size fyne.Size) {
	r := v.r
	r.paint()
	r.back.Resize(size)
	for _, o := range []fyne.CanvasObject{r.picture, r.frame} {
		o.Move(fyne.NewPos(4, 5))
		o.Resize(fyne.NewSize(variantThumbWidth, variantHeight-10))
	}
	x := float32(variantThumbWidth + 12)
	a, b := r.title.MinSize(), r.detail.MinSize()
	top := (size.Height - a.Height - b.Height) / 2
	r.title.Move(fyne.NewPos(x, top))
	r.title.Resize(a)
	r.detail.Move(fyne.NewPos(x, top+a.Height))
	r.detail.Resize(b)
	r.compare.Move(fyne.NewPos(size.Width-variantCompare-2, (size.Height-rowHeight)/2))
	r.compare.Resize(fyne.NewSize(variantCompare, rowHeight))
}

func (v *variantRenderer) Refresh() {
	v.Layout(v.r.Size())
	canvas.Refresh(v.r)
}
