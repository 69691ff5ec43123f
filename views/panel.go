//go:build !headless

package views

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
)

// panelText is the width of text in the panel.
const panelText = panelWidth - 2*margin - 6

// panel is the column of controls beside the viewer.
type panel struct {
	content *fyne.Container
	column  *fyne.Container
	scroll  *container.Scroll
	plate   *plateGroup
	hint    *hintGroup
	key     *keyingGroup
	matte   *matteGroup
	comp    *compGroup
	review  *reviewGroup
	keys    *variantGroup
	seams   *seamGroup
	machine *machineGroup
	export  *exportGroup
	// held says that a remedy was used since the artist scrolled or changed the look: what comes and goes over the remedies
	// does not move them.
	held bool
}

func newPanel(s *Screen) *panel {
	p := &panel{
		plate: newPlateGroup(s), hint: newHintGroup(s), key: newKeyingGroup(s), matte: newMatteGroup(s), comp: newCompGroup(s), review: newReviewGroup(s),
		keys: newVariantGroup(s), seams: newSeamGroup(s), machine: newMachineGroup(s), export: newExportGroup(s),
	}
	p.column = container.New(column(margin+2), p.plate.content, p.hint.content, p.key.content, p.matte.content, p.comp.content, p.review.content,
		p.keys.content, p.seams.content, p.machine.content)
	padded := container.New(layout.NewCustomPaddedLayout(margin, margin, margin, margin+2), p.column)
	scroll := container.NewVScroll(padded)
	p.scroll = scroll
	// What the tip is about has gone from under the pointer.
	scroll.OnScrolled = func(fyne.Position) {
		p.held = false
		s.tip("")
	}
	edge := canvas.NewRectangle(grey(greyTrough))
	edge.SetMinSize(fyne.NewSize(1, 0))
	// Export is always at hand: the other groups scroll over it.
	hair := canvas.NewRectangle(grey(greyTrough))
	hair.SetMinSize(fyne.NewSize(0, 1))
	export := container.NewBorder(hair, nil, nil, nil,
		container.New(layout.NewCustomPaddedLayout(margin-4, margin-2, margin, margin+2), p.export.content))
	p.content = container.NewStack(canvas.NewRectangle(grey(greyChrome)),
		container.NewBorder(nil, nil, edge, nil, container.New(panelPlace{}, scroll, container.NewVScroll(export))))
	return p
}

// show draws a state.
func (p *panel) show(state State) {
	changed := p.plate.show(state)
	changed = p.hint.show(state) || changed
	changed = p.key.show(state) || changed
	changed = p.matte.show(state) || changed
	changed = p.comp.show(state) || changed
	changed = p.review.show(state) || changed
	changed = p.keys.show(state) || changed
	changed = p.seams.show(state) || changed
	changed = p.machine.show(state) || changed
	changed = p.export.show(state) || changed
	if changed {
		p.layOut()
	}
	p.machine.ask.focus(p.content)
}

// panelPlace lays the groups that scroll over the export, which is always seen whole where there is room for both.
type panelPlace struct{}

// leastGroups is the height that the groups over the export have at least, and leastExport that of the export.
const leastGroups, leastExport = 100, 96

// MinSize implements fyne.Layout.
func (panelPlace) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(panelWidth, leastGroups+leastExport)
}

// Layout implements fyne.Layout.
func (panelPlace) Layout(o []fyne.CanvasObject, size fyne.Size) {
	export := fyne.Min(o[1].(*container.Scroll).Content.MinSize().Height, size.Height-leastGroups)
	o[0].Resize(fyne.NewSize(size.Width, size.Height-export))
	o[1].Resize(fyne.NewSize(size.Width, export))
	o[1].Move(fyne.NewPos(0, size.Height-export))
}

// reveal scrolls to a group of which less than half of what there is room for is seen.
func (p *panel) reveal(group fyne.CanvasObject) {
	top, height := group.Position().Y+margin, group.Size().Height
	from, room := p.scroll.Offset.Y, p.scroll.Size().Height
	seen := fyne.Min(top+height, from+room) - fyne.Max(top, from)
	if seen >= fyne.Min(height, room)/2 {
		return
	}
	to := top - margin
	if top > from && height+2*margin < room {
		to = top + height + margin - room
	}
	p.scroll.ScrollToOffset(fyne.NewPos(0, to))
}

// tool marks which tool is in use.
func (p *panel) tool(u ToolUse) {
	p.hint.tool(u)
	p.matte.tool(u)
}

// layOut gives the groups their places anew: a container does so only when it is told that its parts changed their
// size.
func (p *panel) layOut() {
	before := p.seams.remediesAt()
	p.column.Refresh()
	p.content.Refresh()
	if move := p.seams.remediesAt() - before; p.held && move != 0 {
		p.scroll.ScrollToOffset(p.scroll.Offset.AddXY(0, move))
		// Where there is no room to scroll that is not the artist's doing.
		p.held = true
	}
}

// group is a part of the panel under a title, with what belongs to all of it beside the title.
func group(title string, beside fyne.CanvasObject, parts ...fyne.CanvasObject) *fyne.Container {
	content, _ := titled(title, beside, parts...)
	return content
}

// titled is group, with the title's text to be changed.
func titled(title string, beside fyne.CanvasObject, parts ...fyne.CanvasObject) (content *fyne.Container, text *canvas.Text) {
	name := newText(title, sizeText, grey(greyText))
	name.TextStyle.Bold = true
	head := container.NewBorder(nil, nil, name, beside)
	hair := canvas.NewRectangle(grey(greyLine))
	hair.SetMinSize(fyne.NewSize(0, 1))
	return container.New(column(5), append([]fyne.CanvasObject{head, hair}, parts...)...), name
}

// column lays objects under one another with a distance between those that are visible.
type column float32

// MinSize implements fyne.Layout.
func (c column) MinSize(o []fyne.CanvasObject) fyne.Size {
	size := fyne.NewSize(0, 0)
	for _, p := range o {
		if p.Visible() {
			m := p.MinSize()
			size = fyne.NewSize(fyne.Max(size.Width, m.Width), size.Height+m.Height+float32(c))
		}
	}
	size.Height = fyne.Max(0, size.Height-float32(c))
	return size
}

// Layout implements fyne.Layout.
func (c column) Layout(o []fyne.CanvasObject, size fyne.Size) {
	y := float32(0)
	for _, p := range o {
		if p.Visible() {
			h := p.MinSize().Height
			p.Move(fyne.NewPos(0, y))
			p.Resize(fyne.NewSize(size.Width, h))
			y += h + float32(c)
		}
	}
}

// remarks shows sentences, each a paragraph.
type remarks struct {
	content *fyne.Container
	shown   []Remark
	// fix presses the button of a remark.
	fix func(Fix)
}

func newRemarks() *remarks {
	r := &remarks{content: container.New(column(3))}
	r.content.Hide()
	return r
}

// show changes the sentences and reports whether it did.
func (r *remarks) show(list []Remark) bool {
	if slices.Equal(r.shown, list) {
		return false
	}
	r.shown = slices.Clone(list)
	r.content.Objects = nil
	for _, remark := range list {
		text, color := remark.Text, grey(greyQuiet)
		if remark.Warning {
			text, color = "Warning: "+text, amber()
		}
		p := newParagraph(panelText, sizeSmall, color)
		p.say(text, color)
		r.content.Objects = append(r.content.Objects, p)
		if remark.Fix.Button != "" && r.fix != nil {
			b := newButton(remark.Fix.Button, plainButton, func() { r.fix(remark.Fix) })
			r.content.Objects = append(r.content.Objects, container.NewHBox(b))
		}
	}
	visible(r.content, len(list) > 0)
	r.content.Refresh()
	return true
}
