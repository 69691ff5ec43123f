//go:build !headless

package views

import (
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
	shown   Problem
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
	icon := widget.NewIcon(theme.NewColoredResource(theme.WarningIcon(), theme.ColorNameForeground))
	away := newButton("Dismiss", flatButton, intents.Dismiss)
	b.content = container.New(b, canvas.NewRectangle(grey(0x2e)), canvas.NewRectangle(amber()), icon, b.what, b.why, b.fix, away, b.fold, b.details)
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
	b.content.Refresh()
}

// upperFirst begins a sentence.
func upperFirst(text string) string {
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
)

// MinSize implements fyne.Layout. The height follows from the width of the last layout.
func (b *banner) MinSize([]fyne.CanvasObject) fyne.Size {
	h := b.what.MinSize().Height
	if b.why.Visible() {
		h += b.why.MinSize().Height + 2
	}
	if b.fold.Visible() {
		h += b.fold.MinSize().Height + 2
	}
	if b.details.Visible() {
		h += b.details.MinSize().Height + 2
	}
	return fyne.NewSize(320, fyne.Max(h, rowHeight+2)+2*bannerPad)
}

// Layout implements fyne.Layout.
func (b *banner) Layout(o []fyne.CanvasObject, size fyne.Size) {
	back, stripe, icon, fix, away := o[0], o[1], o[2], o[5], o[6]
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
		y = (size.Height - b.what.MinSize().Height) / 2
	}
	b.what.Move(fyne.NewPos(bannerText, y))
	b.what.Resize(b.what.MinSize())
	y += b.what.MinSize().Height + 2
	for _, part := range []fyne.CanvasObject{b.why, b.fold, b.details} {
		if part.Visible() {
			part.Move(fyne.NewPos(bannerText, y))
			part.Resize(part.MinSize())
			y += part.MinSize().Height + 2
		}
	}
	icon.Move(fyne.NewPos(18, bannerPad+2))
	icon.Resize(fyne.NewSquareSize(20))
	back.Resize(size)
	stripe.Resize(fyne.NewSize(3, size.Height))
}
