//go:build !headless

package views

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
)

// emptyRoom is what is shown while no plate is open: a place to drop one, the sample, and plates of before.
type emptyRoom struct {
	content *fyne.Container
	intents Intents
	prompt  *canvas.Text
	sample  *button
	recents *fyne.Container
	shown   []Recent
}

// dropWidth and dropHeight are the size of the drop zone; recentsShown is how many plates of before are listed.
const (
	dropWidth, dropHeight = 560, 252
	recentsShown          = 5
)

func newEmptyRoom(s *Screen) *emptyRoom {
	e := &emptyRoom{intents: s.intents}
	e.prompt = newText("", sizeLarge, grey(greyText))
	e.prompt.Alignment = fyne.TextAlignCenter
	kinds := newText("PNG, JPEG, TIFF, OpenEXR or DPX. A hint may come with it.", sizeText, grey(greyQuiet))
	kinds.Alignment = fyne.TextAlignCenter
	frame := canvas.NewRectangle(grey(0x20))
	frame.StrokeColor, frame.StrokeWidth, frame.CornerRadius = grey(0x4a), 1, 8
	frame.SetMinSize(fyne.NewSize(dropWidth, dropHeight))
	open := newButton("Open a plate…", plainButton, s.intents.OpenPlate)
	e.sample = newButton("Try the sample", mainButton, s.intents.OpenSample)
	buttons := container.NewHBox(layout.NewSpacer(), open, spacer(4, 4), e.sample, layout.NewSpacer())
	inside := container.New(column(gap), e.prompt, kinds, spacer(1, 10), buttons)
	e.recents = container.New(column(0))
	zone := container.NewStack(frame, container.NewCenter(container.New(fixedWidth(dropWidth-40), inside)))
	e.content = container.NewCenter(container.New(column(22), zone, e.recents))
	return e
}

func (e *emptyRoom) show(s State) {
	prompt := "Drop a plate here"
	if s.Opening != "" {
		prompt = "Reading " + shorten(s.Opening, dropWidth-180, sizeLarge, fyne.TextStyle{})
	}
	say(e.prompt, prompt, grey(greyText))
	if slices.Equal(e.shown, s.Recents) {
		return
	}
	e.shown = slices.Clone(s.Recents)
	e.recents.Objects = nil
	if len(s.Recents) > 0 {
		title := newText("Recent plates", sizeSmall, grey(greyOff))
		indented := container.New(layout.NewCustomPaddedLayout(0, 4, margin, 0), title)
		e.recents.Objects = append(e.recents.Objects, indented)
	}
	for _, r := range s.Recents[:min(len(s.Recents), recentsShown)] {
		b := newButton(shorten(r.Name, dropWidth-2*margin, sizeText, fyne.TextStyle{}), flatButton, func() { e.intents.OpenPath(r.Path) })
		b.leftAligned = true
		b.say(b.label, shorten(r.Folder, dropWidth-2*margin, sizeSmall, fyne.TextStyle{}))
		e.recents.Objects = append(e.recents.Objects, b)
	}
	e.content.Refresh()
}
