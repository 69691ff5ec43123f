//go:build !headless

package views

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"
)

// askLine asks for a line of text: the name of a preset, a machine. Return gives the answer, Esc none.
type askLine struct {
	content *fyne.Container
	title   *paragraph
	entry   *lineEntry
	give    *button
	wrong   *paragraph
	shown   *Ask
	// wanted says that the keyboard is to go to the entry.
	wanted bool
}

// lineEntry is the entry of an askLine.
type lineEntry struct {
	widget.Entry
	leave func()
}

// TypedKey implements fyne.Focusable.
func (l *lineEntry) TypedKey(e *fyne.KeyEvent) {
	if e.Name == fyne.KeyEscape {
		l.leave()
		return
	}
	l.Entry.TypedKey(e)
}

func newAskLine(intents MachineIntents) *askLine {
	a := &askLine{
		title: newParagraph(panelText, sizeSmall, grey(greyText)), wrong: newParagraph(panelText, sizeSmall, amber()),
		entry: &lineEntry{leave: intents.Untell},
	}
	a.entry.Wrapping = fyne.TextWrapOff
	a.entry.Scroll = container.ScrollHorizontalOnly
	a.entry.OnSubmitted = intents.Tell
	a.entry.ExtendBaseWidget(a.entry)
	a.give = newButton("", plainButton, func() { intents.Tell(a.entry.Text) })
	away := newButton("Cancel", flatButton, intents.Untell)
	a.content = container.New(column(4), a.title,
		container.New(tall(rowHeight+2), container.NewThemeOverride(a.entry, compact{})), a.wrong,
		container.NewHBox(a.give, away, layout.NewSpacer()))
	a.content.Hide()
	return a
}

// show asks, or does not, and reports whether that changed. A new question takes the keyboard.
func (a *askLine) show(ask *Ask) bool {
	if a.shown == ask {
		return false
	}
	first := a.shown == nil || ask == nil || a.shown.Title != ask.Title
	a.shown = ask
	visible(a.content, ask != nil)
	if ask == nil {
		a.wanted = false
		if on := fyne.CurrentApp().Driver().CanvasForObject(a.content); on != nil && on.Focused() == a.entry {
			on.Unfocus()
		}
		return true
	}
	a.title.say(ask.Title, grey(greyText))
	a.give.say(ask.Button, "")
	a.wrong.say(ask.Problem, amber())
	if first {
		a.entry.SetText(ask.Text)
	}
	a.wanted = first
	return true
}

// focus gives the keyboard to a question that has just been asked, once it has its place. around is something on the
// same canvas that was drawn before: the toolkit does not know yet where the new entry is.
func (a *askLine) focus(around fyne.CanvasObject) {
	on := fyne.CurrentApp().Driver().CanvasForObject(around)
	if !a.wanted || on == nil {
		return
	}
	on.Focus(a.entry)
	if a.wanted = on.Focused() != a.entry; !a.wanted {
		a.entry.TypedShortcut(&fyne.ShortcutSelectAll{})
	}
}
