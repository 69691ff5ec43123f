//go:build !headless

package views

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// banner tells of a problem over the viewer: what, why, and what to do, with at most one button that does it. The whole
// of what was told is folded away under it.
type banner struct {
	content *fyne.Container
	what    *paragraph
	why     *paragraph
	fix     *button
	fold    *fold
	details *paragraph
	// body has all the words; where they are many it scrolls.
	body  *fyne.Container
	shown Problem
}

// newBanner returns a banner. resize is called when its height changes by itself.
func newBanner(intents Intents, tell func(string), resize func()) *banner {
	b := &banner{
		what:    newParagraph(400, sizeText, grey(greyText)),
		why:     newParagraph(400, sizeText, grey(greyQuiet)),
		fix:     newButton("", plainButton, intents.Fix),
		details: newParagraph(400, sizeSmall, grey(greyQuiet)),
	}
	b.fold = newFold("Details", false, "Everything that was told of it", tell, func(bool) {
		b.unfold()
		resize()
	})
	b.fold.Hide()
	b.body = container.New(column(2), b.what, b.why, b.fold, b.details)
	icon := widget.NewIcon(theme.NewColoredResource(theme.WarningIcon(), theme.ColorNameForeground))
	away := newButton("Dismiss", flatButton, intents.Dismiss)
	b.content = container.New(b, canvas.NewRectangle(grey(0x2e)), canvas.NewRectangle(amber()), icon, container.NewVScroll(b.body), b.fix, away)
	b.content.Hide()
	return b
}

// show draws a problem, or nothing, and reports whether the banner's size may have changed.
func (b *banner) show(p *Problem) bool {
	if p == nil {
		p = &Problem{}
	}
	if *p == b.shown {
		return false
	}
	b.shown = *p
	b.what.say(p.What, grey(greyText))
	why := p.Why
	if why != "" && p.Fix != "" {
		why += ". "
	}
	if p.Fix != "" {
		why += upperFirst(p.Fix) + "."
	} else if why != "" {
		why += "."
	}
	b.why.say(upperFirst(why), grey(greyQuiet))
	b.fix.say(p.Button, "")
	visible(b.fix, p.Button != "")
	visible(b.fold, p.Details != "")
	b.fold.set(false)
	b.unfold()
	visible(b.content, p.What != "")
	b.content.Refresh()
	return true
}

// unfold shows the details where they are open.
func (b *banner) unfold() {
	text := ""
	if b.fold.open {
		text = b.shown.Details
	}
	b.details.say(text, grey(greyQuiet))
	b.body.Refresh()
	b.content.Refresh()
}

// upperFirst begins a sentence, unless it begins with a file's name.
func upperFirst(text string) string {
	if word, _, _ := strings.Cut(text, " "); strings.ContainsAny(word, "./\\_") {
		return text
	}
	runes := []rune(text)
	if len(runes) > 0 && runes[0] >= 'a' && runes[0] <= 'z' {
		runes[0] -= 'a' - 'A'
	}
	return string(runes)
}

// The banner's own distances.
const (
	bannerPad  = 10
	bannerText = 48
	// bannerMost is the height of the words from which on they scroll.
	bannerMost = 92
)

// words is the height of the words, or of the part of them that is seen at once.
func (b *banner) words() float32 { return fyne.Min(b.body.MinSize().Height, bannerMost) }

// MinSize implements fyne.Layout. The height follows from the width of the last layout.
func (b *banner) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(320, fyne.Max(b.words(), rowHeight+2)+2*bannerPad)
}

// Layout implements fyne.Layout.
func (b *banner) Layout(o []fyne.CanvasObject, size fyne.Size) {
	back, stripe, icon, room, fix, away := o[0], o[1], o[2], o[3], o[4], o[5]
	right := size.Width - margin
	for _, c := range []fyne.CanvasObject{away, fix} {
		if c.Visible() {
			m := c.MinSize()
			right -= m.Width
			c.Move(fyne.NewPos(right, bannerPad))
			c.Resize(m)
			right -= gap
		}
	}
	width := right - bannerText - gap
	b.what.within(width)
	b.why.within(width)
	b.details.within(width)
	y := float32(bannerPad)
	if !b.why.Visible() && !b.fold.Visible() {
		y = (size.Height - b.words()) / 2
	}
	room.Move(fyne.NewPos(bannerText, y))
	room.Resize(fyne.NewSize(width, b.words()))
	icon.Move(fyne.NewPos(18, bannerPad+2))
	icon.Resize(fyne.NewSquareSize(20))
	back.Resize(size)
	stripe.Resize(fyne.NewSize(3, size.Height))
}
