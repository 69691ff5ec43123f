//go:build !headless

package views

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// typedEntry is the part of an entry for a value that is the same for every kind of value. What is typed counts when Return is
// pressed or another place is clicked; Esc brings the old value back.
type typedEntry struct {
	widget.Entry
	// of is the entry itself, text its value as it is shown, and take takes what was typed.
	of   fyne.Focusable
	text func() string
	take func(typed string)
	// barred says that the value cannot be changed now.
	barred bool
}

// begin makes the entry ready.
func (t *typedEntry) begin(of fyne.Focusable, text func() string, take func(typed string)) {
	t.of, t.text, t.take = of, text, take
	t.Wrapping, t.Scroll = fyne.TextWrapOff, fyne.ScrollNone
	t.OnSubmitted = func(string) { t.leave() }
	t.ExtendBaseWidget(of.(fyne.Widget))
}

// follow shows the value unless another is being typed.
func (t *typedEntry) follow() {
	if on := t.canvas(); on == nil || on.Focused() != t.of {
		t.show()
	}
}

func (t *typedEntry) show() {
	if text := t.text(); t.Text != text {
		t.SetText(text)
	}
}

// canvas is where the entry is shown; nil where it is not.
func (t *typedEntry) canvas() fyne.Canvas {
	return fyne.CurrentApp().Driver().CanvasForObject(t.of.(fyne.CanvasObject))
}

// leave gives the keyboard back, which counts what was typed.
func (t *typedEntry) leave() {
	if on := t.canvas(); on != nil {
		on.Unfocus()
	}
}

// keepOff implements kept.
func (t *typedEntry) keepOff(off bool) {
	switch {
	case off && !t.Disabled():
		t.Disable()
	case !off && t.Disabled() && !t.barred:
		t.Enable()
	}
}

// enable lets the value be changed, or not.
func (t *typedEntry) enable(yes bool) {
	if t.barred != !yes {
		t.barred = !yes
		t.keepOff(!yes)
	}
}

// FocusLost implements fyne.Focusable.
func (t *typedEntry) FocusLost() {
	t.Entry.FocusLost()
	t.take(t.Text)
	t.show()
}

// TypedKey implements fyne.Focusable.
func (t *typedEntry) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyEscape:
		t.show()
		t.leave()
	case fyne.KeyEnter, fyne.KeyReturn:
		t.leave()
	default:
		t.Entry.TypedKey(e)
	}
}
