//go:build !headless

package views

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"

	"greenroom/engine/settings"
)

// section is a part of a group that folds away under its name, so that a group of many rows stays calm. Beside the name it
// says how many of its rows are not as usual, with a reset for all of them.
type section struct {
	content *fyne.Container
	fold    *fold
	inside  *fyne.Container
	note    *canvas.Text
	reset   *resetIcon
	dials   []dial
}

// newSection returns a section of dials, under which other parts may lie.
func newSection(s *Screen, title string, open bool, help string, dials []dial, parts ...fyne.CanvasObject) *section {
	t := &section{dials: dials, note: newText("", sizeSmall, grey(greyQuiet))}
	t.inside = container.New(column(0))
	for _, d := range dials {
		t.inside.Add(d.CanvasObject)
	}
	for _, p := range parts {
		t.inside.Add(p)
	}
	visible(t.inside, open)
	t.fold = s.newFold(title, open, help, t.inside)
	t.reset = newResetIcon(func() {
		s.intents.Choose(s.step("Reset "+title), func(c *settings.Choices) {
			for _, d := range dials {
				d.reset(c)
			}
		})
	})
	t.reset.Hide()
	head := container.NewBorder(nil, nil, t.fold, container.New(sectionEnd{}, t.note, t.reset))
	t.content = container.New(column(0), head, t.inside)
	return t
}

// show draws the choices.
func (t *section) show(c settings.Choices) {
	n := 0
	for _, d := range t.dials {
		d.show(c)
		if d.changed() {
			n++
		}
		if d.can != nil {
			d.enable(d.can(c))
		}
	}
	text := ""
	if n > 0 {
		text = fmt.Sprintf("%d changed", n)
	}
	say(t.note, text, grey(greyQuiet))
	visible(t.reset, n > 0)
}

// sectionEnd lays out the note and the reset at the right of a section's name.
type sectionEnd struct{}

// sectionNote is the width of the note.
const sectionNote = 80

// MinSize implements fyne.Layout.
func (sectionEnd) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(sectionNote+controlReset, 22)
}

// Layout implements fyne.Layout.
func (sectionEnd) Layout(o []fyne.CanvasObject, size fyne.Size) {
	right := placeReset(o[1], size)
	m := o[0].MinSize()
	o[0].Resize(m)
	o[0].Move(fyne.NewPos(right-m.Width-4, (size.Height-m.Height)/2))
}
