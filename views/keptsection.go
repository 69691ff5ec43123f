//go:build !headless

package views

import (
	"fmt"
	"image/color"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"greenroom/engine/colour"
	"greenroom/engine/settings"
)

// keptSection is where colours and places are chosen that despill leaves alone: green clothes, props.
type keptSection struct {
	content     *fyne.Container
	screen      *Screen
	pick, brush *button
	clear       *button
	about       *canvas.Text
	list        *fyne.Container
	rows        []*keptRow
}

func newKeptSection(s *Screen) *keptSection {
	k := &keptSection{screen: s, list: container.New(column(0)), about: newText("", sizeSmall, grey(greyQuiet))}
	k.pick = newButton("Pick", plainButton, func() { s.Pick(TargetKept) }).
		helps("Click a colour on the subject that despill leaves alone: green clothes, a prop", s.tip)
	k.brush = newButton("Brush", plainButton, func() { s.Paint(TargetKept) }).helps("Paint where despill leaves the colour alone", s.tip)
	k.clear = newButton("Clear", flatButton, func() {
		s.intents.Choose(s.step("Clear kept colours"), func(c *settings.Choices) { c.Marks.Kept, c.Marks.KeptStrokes = nil, nil })
	}).helps("Forget all colours and places that are kept", s.tip)
	head := container.NewBorder(nil, nil, container.NewCenter(newText("Keep colours", sizeText, grey(greyText))), container.NewHBox(k.clear, k.pick, k.brush))
	k.about.Hide()
	k.content = container.New(column(2), spacer(1, 2), head, k.about, k.list)
	return k
}

// show draws a state and reports whether the height may have changed.
func (k *keptSection) show(s State) bool {
	m := s.Choices.Marks
	changed := len(k.rows) != len(m.Kept)
	for len(k.rows) < len(m.Kept) {
		row := newKeptRow(k.screen, len(k.rows))
		k.rows = append(k.rows, row)
		k.list.Add(row)
	}
	if len(k.rows) > len(m.Kept) {
		k.rows = slices.Clip(k.rows[:len(m.Kept)])
		k.list.Objects = slices.Clip(k.list.Objects[:len(m.Kept)])
	}
	for i, row := range k.rows {
		row.show(m.Kept[i], s.Matte.Space)
	}
	text := ""
	if n := len(m.KeptStrokes); n > 0 {
		text = counted(n, "stroke") + " where every colour is kept"
	}
	changed = changed || k.about.Visible() != (text != "")
	visible(k.about, text != "")
	say(k.about, text, grey(greyQuiet))
	k.clear.enable(len(m.Kept)+len(m.KeptStrokes) > 0)
	return changed
}

// tool marks which tool is in use.
func (k *keptSection) tool(u ToolUse) {
	k.pick.turn(u == ToolUse{PickTool, TargetKept})
	k.brush.turn(u == ToolUse{BrushTool, TargetKept})
}

// keptRow is a colour that is kept: how it looks, how far others may lie from it, and a button that forgets it.
type keptRow struct {
	widget.BaseWidget
	swatch    *canvas.Rectangle
	tolerance *control
	remove    *button
	row       *fyne.Container
}

func newKeptRow(s *Screen, i int) *keptRow {
	r := &keptRow{swatch: newSwatch()}
	alter := func(step Step, alter func(list []settings.KeptColour) []settings.KeptColour) {
		s.intents.Choose(step, func(c *settings.Choices) {
			if i < len(c.Marks.Kept) {
				c.Marks.Kept = alter(slices.Clone(c.Marks.Kept))
			}
		})
	}
	r.tolerance = newControl(controlSpec{
		label: "Tolerance", name: fmt.Sprintf("Tolerance of kept colour %d", i+1),
		help: "How far other hues may lie from this one to be left alone as well; brightness does not count",
		most: 0.5, high: 1, step: 0.005, usual: settings.DefaultTolerance, curve: 2, decimals: 3,
	}, s.tip, func(v float64) {
		alter(r.tolerance.step(), func(list []settings.KeptColour) []settings.KeptColour {
			list[i].Tolerance = v
			return list
		})
	})
	r.remove = newButton("×", flatButton, func() {
		alter(s.step("Forget a kept colour"), func(list []settings.KeptColour) []settings.KeptColour {
			return slices.Delete(list, i, i+1)
		})
	}).helps("", s.tip)
	r.row = container.New(keptCells{}, r.swatch, r.tolerance, r.remove)
	r.ExtendBaseWidget(r)
	return r
}

// show writes a colour, which is in the plate's space.
func (r *keptRow) show(k settings.KeptColour, space colour.Space) {
	c := displayed(k.Colour, space)
	fillSwatch(r.swatch, c)
	r.tolerance.set(k.Tolerance)
	r.remove.help = "Forget this colour (" + rgbWords(c) + ")"
}

// displayed returns a colour of a space as a display shows it.
func displayed(c settings.Colour, space colour.Space) color.NRGBA {
	v := [3]float32{float32(c[0]), float32(c[1]), float32(c[2])}
	if to, err := colour.NewConverter(space, colour.SRGB, 1); err == nil {
		v[0], v[1], v[2] = to.Colour(v[0], v[1], v[2])
	}
	red, green, blue := bytesOf(settings.Colour{float64(v[0]), float64(v[1]), float64(v[2])})
	return color.NRGBA{red, green, blue, 255}
}

// parts implements composed.
func (r *keptRow) parts() []fyne.CanvasObject { return r.row.Objects }

// CreateRenderer implements fyne.Widget.
func (r *keptRow) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(r.row) }

// keptCells lays out swatch, tolerance and the button that forgets.
type keptCells struct{}

// keptSwatch and keptRemove are the widths beside the tolerance.
const keptSwatch, keptRemove = 22, 22

// MinSize implements fyne.Layout.
func (keptCells) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(panelText, o[1].MinSize().Height)
}

// Layout implements fyne.Layout.
func (keptCells) Layout(o []fyne.CanvasObject, size fyne.Size) {
	o[0].Move(fyne.NewPos(0, (size.Height-16)/2))
	o[0].Resize(fyne.NewSquareSize(16))
	o[1].Move(fyne.NewPos(keptSwatch, 0))
	o[1].Resize(fyne.NewSize(size.Width-keptSwatch-keptRemove, size.Height))
	o[2].Move(fyne.NewPos(size.Width-keptRemove, 0))
	o[2].Resize(fyne.NewSize(keptRemove, size.Height))
}
