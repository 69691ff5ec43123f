//go:build !headless

package views

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
)

// licenceSheet shows what a model may be used for, over the viewer. Nothing is fetched before the artist has accepted it.
type licenceSheet struct {
	content *fyne.Container
	screen  *Screen
	shown   *Licence
	accept  *check
	fetch   *button
}

// licenceWidth is the width of the sheet.
const licenceWidth = 560

func newLicenceSheet(s *Screen) *licenceSheet {
	return &licenceSheet{screen: s, content: newCardPlace()}
}

// show draws a licence, or nothing, and reports whether that changed.
func (l *licenceSheet) show(licence *Licence) bool {
	if l.shown == licence || l.shown != nil && licence != nil && *l.shown == *licence {
		return false
	}
	l.shown = licence
	l.content.Objects = nil
	if licence != nil {
		l.content.Objects = inPlace(l.card(licence))
	}
	visible(l.content, licence != nil)
	return true
}

func (l *licenceSheet) card(licence *Licence) fyne.CanvasObject {
	const inside = licenceWidth - 2*20
	line := func(text string, size float32, color uint8) fyne.CanvasObject {
		p := newParagraph(inside, size, grey(color))
		p.say(text, grey(color))
		return p
	}
	in := l.screen.intents
	l.fetch = newButton("Download", mainButton, func() { in.AcceptLicence(true) }).helps("Tick the sentence above first", l.screen.tip)
	l.fetch.enable(false)
	l.accept = newCheck(licence.Accept, "Nothing is downloaded before the licence is accepted", l.screen.tip, func(on bool) {
		l.fetch.enable(on)
		l.fetch.help = "Tick the sentence above first"
		if on {
			l.fetch.help = "Download the model and check that it is the published one"
		}
	})
	read := newButton("Read it at the publisher's", plainButton, in.ReadLicence).helps("Open "+licence.URL, l.screen.tip)
	cancel := newButton("Cancel   Esc", flatButton, func() { in.AcceptLicence(false) })
	back := canvas.NewRectangle(grey(greyChrome))
	back.CornerRadius, back.StrokeWidth, back.StrokeColor = 8, 1, grey(0x50)
	column := container.New(column(10),
		line(licence.Title, sizeTitle, greyText), line(licence.About, sizeText, greyQuiet),
		line("Licence: "+licence.Name, sizeText, greyText), line(licence.Text, sizeText, greyText),
		container.NewHBox(read, layout.NewSpacer()), line(licence.URL, sizeSmall, greyQuiet),
		spacer(1, 2), l.accept, container.NewHBox(layout.NewSpacer(), cancel, l.fetch))
	return container.New(fixedWidth(licenceWidth),
		container.NewStack(back, container.New(layout.NewCustomPaddedLayout(18, 14, 20, 20), column)))
}
