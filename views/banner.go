//go:build !headless

package views

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// banner tells of a problem over the viewer: what, why, and what to do, with at most one button that does it.
type banner struct {
	content *fyne.Container
	what    *paragraph
	why     *paragraph
	fix     *button
	shown   Problem
}

func newBanner(intents Intents) *banner {
	b := &banner{
		what: newParagraph(400, sizeText, grey(greyText)),
		why:  newParagraph(400, sizeText, grey(greyQuiet)),
		fix:  newButton("", plainButton, intents.Fix),
	}
	icon := widget.NewIcon(theme.NewColoredResource(theme.WarningIcon(), theme.ColorNameForeground))
	away := newButton("Dismiss", flatButton, intents.Dismiss)
	b.content = container.New(b, canvas.NewRectangle(grey(0x2e)), canvas.NewRectangle(amber()), icon, b.what, b.why, b.fix, away)
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
	visible(b.content, p.What != "")
	b.content.Refresh()
	return true
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
	y := float32(bannerPad)
	if !b.why.Visible() {
		y = (size.Height - b.what.MinSize().Height) / 2
	}
	b.what.Move(fyne.NewPos(bannerText, y))
	b.what.Resize(b.what.MinSize())
	b.why.Move(fyne.NewPos(bannerText, y+b.what.MinSize().Height+2))
	b.why.Resize(b.why.MinSize())
	icon.Move(fyne.NewPos(18, bannerPad+2))
	icon.Resize(fyne.NewSquareSize(20))
	back.Resize(size)
	stripe.Resize(fyne.NewSize(3, size.Height))
}
