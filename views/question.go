//go:build !headless

package views

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
)

// questionCard asks something over the viewer, with big buttons. It blocks nothing else.
type questionCard struct {
	content *fyne.Container
	intents Intents
	shown   *Question
}

// questionWidth is the width of the card.
const questionWidth = 480

func newQuestionCard(intents Intents) *questionCard {
	return &questionCard{intents: intents, content: newCardPlace()}
}

// show draws a question, or nothing, and reports whether that changed.
func (q *questionCard) show(question *Question) bool {
	if q.shown == question {
		return false
	}
	q.shown = question
	q.content.Objects = nil
	if question != nil {
		q.content.Objects = inPlace(q.card(question))
	}
	visible(q.content, question != nil)
	return true
}

func (q *questionCard) card(question *Question) fyne.CanvasObject {
	const inside = questionWidth - 2*20
	title := newParagraph(inside, sizeTitle, grey(greyText))
	title.say(question.Title, grey(greyText))
	detail := newParagraph(inside, sizeText, grey(greyQuiet))
	detail.say(question.Detail, grey(greyQuiet))
	buttons := container.NewGridWithColumns(len(question.Answers))
	for i, a := range question.Answers {
		b := newButton(a.Label, plainButton, func() { q.intents.Answer(i) })
		b.say(a.Label, a.Detail)
		buttons.Add(container.New(tall(64), b))
	}
	cancel := newButton("Cancel   Esc", flatButton, func() { q.intents.Answer(-1) })
	back := canvas.NewRectangle(grey(greyChrome))
	back.CornerRadius, back.StrokeWidth, back.StrokeColor = 8, 1, grey(0x50)
	column := container.New(column(10), title, detail, spacer(1, 2), buttons, container.NewHBox(layout.NewSpacer(), cancel))
	return container.New(fixedWidth(questionWidth),
		container.NewStack(back, container.New(layout.NewCustomPaddedLayout(18, 10, 20, 20), column)))
}

// tall gives its only object a height.
type tall float32

// MinSize implements fyne.Layout.
func (t tall) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(o[0].MinSize().Width, float32(t))
}

// Layout implements fyne.Layout.
func (t tall) Layout(o []fyne.CanvasObject, size fyne.Size) { o[0].Resize(size) }
