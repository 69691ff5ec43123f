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
		e.recents.Objects = append(e.recents.Objects, e.row(r))
	}
	e.content.Refresh()
}

// recentThumb is the width of a thumbnail in the list.
const recentThumb = 64

// row is a plate of before: a button with the plate's thumbnail over its beginning.
func (e *emptyRoom) row(r Recent) fyne.CanvasObject {
	room := float32(dropWidth - 3*margin - recentThumb)
	b := newButton(shorten(r.Name, room, sizeText, fyne.TextStyle{}), flatButton, func() { e.intents.OpenPath(r.Path) })
	b.leftAligned, b.indent = true, recentThumb+margin
	detail := r.Folder
	if r.Gone != "" {
		detail = r.Gone + ": " + r.Folder
	}
	b.say(b.label, shorten(detail, room, sizeSmall, fyne.TextStyle{}))
	b.enable(r.Gone == "")
	if r.Thumb == nil {
		return container.NewStack(b)
	}
	thumb := canvas.NewImageFromImage(r.Thumb)
	thumb.FillMode, thumb.ScaleMode = canvas.ImageFillContain, canvas.ImageScaleSmooth
	return container.NewStack(b, container.New(atLeft{margin, recentThumb}, thumb))
}

// atLeft gives its only object a width, with a distance from the left, and nearly all of the height.
type atLeft struct{ from, width float32 }

// MinSize implements fyne.Layout.
func (l atLeft) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(l.from+l.width, 0) }

// Layout implements fyne.Layout.
func (l atLeft) Layout(o []fyne.CanvasObject, size fyne.Size) {
	o[0].Move(fyne.NewPos(l.from, 4))
	o[0].Resize(fyne.NewSize(l.width, size.Height-8))
}
