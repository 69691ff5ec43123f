//go:build !headless

package views

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
)

// toolbar is the row of buttons over the viewer: files, views, zoom.
type toolbar struct {
	content *fyne.Container
	hint    *button
	export  *button
	tabs    []*button
	overlay *check
	zoom    *canvas.Text
	looking *fyne.Container
}

func newToolbar(s *Screen) *toolbar {
	t := &toolbar{}
	in := s.intents
	open := newButton("Open", plainButton, in.OpenPlate).helps("Open a plate"+s.keyOf("Open Plate…"), s.tip)
	t.hint = newButton("Hint", plainButton, in.OpenHint).helps("Open a hint for the plate"+s.keyOf("Open Hint…"), s.tip)
	t.export = newButton("Export", plainButton, in.Export).helps("Write the key as chosen under Export"+s.keyOf("Export"), s.tip)
	tabs := container.NewHBox()
	helps := []string{
		"The plate", "The hint: where the subject roughly is", "The matte: white is subject, black is screen",
		"The foreground with its spill removed", "The key over a checker",
	}
	for i, name := range viewNames() {
		tab := newButton(name, flatButton, func() { s.View(View(i)) }).helps(helps[i]+s.keyOf(name), s.tip)
		t.tabs = append(t.tabs, tab)
		tabs.Add(tab)
	}
	t.overlay = newCheck("Overlay", "Tint the plate magenta where the hint is dark"+s.keyOf("Hint Overlay"), s.tip,
		func(bool) { s.ToggleOverlay() })
	t.zoom = newText("", sizeText, grey(greyQuiet))
	t.zoom.Alignment = fyne.TextAlignTrailing
	fit := newButton("Fit", flatButton, s.viewer.Fit).helps("Show all of the plate"+s.keyOf("Fit"), s.tip)
	actual := newButton("1:1", flatButton, s.viewer.Actual).helps("Show the plate's pixels one for one"+s.keyOf("100 %"), s.tip)
	t.looking = container.New(lookingRow{}, tabs, t.overlay, container.NewHBox(container.New(fixedWidth(56), t.zoom), fit, actual))
	row := container.NewBorder(nil, nil, container.NewHBox(open, t.hint, t.export), nil, t.looking)
	t.content = bar(row, true)
	return t
}

// show draws a state.
func (t *toolbar) show(state State) {
	open := state.Layers.Plate != nil
	t.hint.enable(open)
	t.export.enable(state.Export.Ready && !state.Export.Running)
	if t.looking.Visible() != open {
		visible(t.looking, open)
		t.content.Refresh()
	}
}

// views marks the view that is shown.
func (t *toolbar) views(v View, overlay bool, can func(View) bool) {
	for i, tab := range t.tabs {
		tab.enable(can(View(i)))
		tab.turn(View(i) == v)
	}
	t.overlay.enable(can(ViewHint))
	t.overlay.set(overlay && v == ViewPlate && can(ViewHint))
}

// sight shows the zoom.
func (t *toolbar) sight(zoom float64) { say(t.zoom, percent(zoom), grey(greyQuiet)) }

// lookingRow lays out the views and the overlay from the left, and the zoom at the right where there is room for it: in
// a narrow window its keys and menu remain.
type lookingRow struct{}

// MinSize implements fyne.Layout.
func (lookingRow) MinSize(o []fyne.CanvasObject) fyne.Size {
	tabs, overlay := o[0].MinSize(), o[1].MinSize()
	return fyne.NewSize(2*(gap+4)+tabs.Width+overlay.Width, fyne.Max(tabs.Height, overlay.Height))
}

// Layout implements fyne.Layout.
func (lookingRow) Layout(o []fyne.CanvasObject, size fyne.Size) {
	x := float32(0)
	for _, c := range o[:2] {
		x += gap + 4
		m := c.MinSize()
		c.Move(fyne.NewPos(x, 0))
		c.Resize(fyne.NewSize(m.Width, size.Height))
		x += m.Width
	}
	zoom := o[2].MinSize()
	visible(o[2], x+gap+zoom.Width <= size.Width)
	o[2].Move(fyne.NewPos(size.Width-zoom.Width, 0))
	o[2].Resize(fyne.NewSize(zoom.Width, size.Height))
}

// bar is a row of the chrome with a hair line at its edge towards the viewer.
func bar(row fyne.CanvasObject, lineBelow bool) *fyne.Container {
	hair := canvas.NewRectangle(grey(greyTrough))
	hair.SetMinSize(fyne.NewSize(0, 1))
	padded := container.New(layout.NewCustomPaddedLayout(6, 6, margin, margin), row)
	back := canvas.NewRectangle(grey(greyChrome))
	if lineBelow {
		return container.NewStack(back, container.NewBorder(nil, hair, nil, nil, padded))
	}
	return container.NewStack(back, container.NewBorder(hair, nil, nil, nil, padded))
}

// spacer is an empty place.
func spacer(width, height float32) fyne.CanvasObject {
	r := canvas.NewRectangle(color.Transparent)
	r.SetMinSize(fyne.NewSize(width, height))
	return r
}

// fixedWidth gives its only object a width and centres it in height.
type fixedWidth float32

// MinSize implements fyne.Layout.
func (w fixedWidth) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(float32(w), o[0].MinSize().Height)
}

// Layout implements fyne.Layout.
func (w fixedWidth) Layout(o []fyne.CanvasObject, size fyne.Size) {
	h := o[0].MinSize().Height
	o[0].Move(fyne.NewPos(0, (size.Height-h)/2))
	o[0].Resize(fyne.NewSize(float32(w), h))
}
