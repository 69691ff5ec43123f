//go:build !headless

package views

import (
	"image/color"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
)

// toolbar are the two rows over the viewer: files and zoom, then how the plate is looked at.
type toolbar struct {
	content *fyne.Container
	hint    *button
	export  *button
	undo    *button
	redo    *button
	overlay *check
	seen    *check
	zoom    *canvas.Text
	sizing  *fyne.Container
	looks   *lookBar
}

func newToolbar(s *Screen) *toolbar {
	t := &toolbar{looks: newLookBar(s)}
	in := s.intents
	open := newButton("Open", plainButton, in.OpenPlate).helps("Open a plate"+s.keyOf("Open Plate…"), s.tip)
	t.hint = newButton("Hint", plainButton, in.OpenHint).helps("Open a hint for the plate"+s.keyOf("Open Hint…"), s.tip)
	t.export = newButton("Export", plainButton, in.Export).helps("Write the key as chosen under Export"+s.keyOf("Export"), s.tip)
	t.undo = flat(s, "Undo", "", narrowPad, in.Undo)
	t.redo = flat(s, "Redo", "", narrowPad, in.Redo)
	t.overlay = newCheck("Overlay", "Tint the plate magenta where the hint is dark"+s.keyOf("Hint Overlay"), s.tip,
		func(bool) { s.ToggleOverlay() })
	t.seen = newCheck("As seen", "", s.tip, func(bool) { s.ToggleSeen() })
	t.zoom = newText("", sizeText, grey(greyQuiet))
	t.zoom.Alignment = fyne.TextAlignTrailing
	sized := func(label, help, name string, do func()) *button {
		b := newButton(label, flatButton, do).helps(help+s.keyOf(name), s.tip)
		b.pad = narrowPad
		return b
	}
	t.sizing = container.NewHBox(
		t.overlay, spacer(2, 0), t.seen, container.New(fixedWidth(56), t.zoom),
		sized("Fit", "Show all of the plate", "Fit", s.viewer.Fit),
		sized("Fill", "Cover the viewer with the plate", "Fill", s.viewer.Fill),
		sized("1:1", "Show the plate's pixels one for one", "100 %", s.viewer.Actual))
	row := container.NewBorder(nil, nil, container.NewHBox(open, t.hint, t.export, spacer(2, 0), t.undo, t.redo), t.sizing)
	t.content = bar(container.New(column(4), row, t.looks.content), true)
	return t
}

// show draws a state and reports whether the bar's height has changed.
func (t *toolbar) show(s *Screen) bool {
	state := s.state
	open := state.Layers.Plate != nil
	visible(t.undo, open)
	visible(t.redo, open)
	step := func(b *button, name, step string) {
		b.help = "Nothing to " + strings.ToLower(name)
		if step != "" {
			b.help = name + ": " + step + s.keyOf(name)
		}
		b.enable(step != "")
	}
	step(t.undo, "Undo", state.Undo)
	step(t.redo, "Redo", state.Redo)
	t.hint.enable(open)
	t.export.enable(state.Export.Ready && !state.Export.Running)
	if t.sizing.Visible() == open {
		return false
	}
	visible(t.sizing, open)
	visible(t.looks.content, open)
	return true
}

// look marks how the layers are looked at.
func (t *toolbar) look(s *Screen, l Look) {
	t.overlay.enable(s.canView(ViewHint) && !s.heatShown())
	plate := l.View == ViewPlate || l.Wipe.On && l.rightSide().View == ViewPlate
	t.overlay.set(l.Overlay && plate && s.canView(ViewHint))
	t.seen.help = "Show the plate as the network sees it: cut to 0..1, under the key exposure" + s.keyOf("What the Network Sees")
	if why := s.state.NoSeen; why != "" {
		t.seen.help = why
	}
	t.seen.enable(s.canSeen())
	t.seen.set(l.View == ViewSeen)
	t.looks.look(s, l)
}

// sight shows the zoom.
func (t *toolbar) sight(zoom float64) { say(t.zoom, percent(zoom), grey(greyQuiet)) }

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
