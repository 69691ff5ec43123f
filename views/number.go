//go:build !headless

package views

import (
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// number is an entry for a number. What is typed counts when Return is pressed or another place is clicked; Esc
// brings the old value back.
type number struct {
	widget.Entry
	// decimals is how many places are shown.
	decimals int
	value    float64
	do       func(float64)
	// barred says that the number cannot be changed now.
	barred bool
}

func newNumber(decimals int, do func(float64)) *number {
	n := &number{decimals: decimals, do: do}
	n.Wrapping = fyne.TextWrapOff
	n.Scroll = fyne.ScrollNone
	n.OnSubmitted = func(string) { n.leave() }
	n.ExtendBaseWidget(n)
	return n
}

// set shows a value, unless another is being typed.
func (n *number) set(v float64) {
	n.value = v
	if !n.focused() {
		n.show()
	}
}

func (n *number) show() {
	if text := n.text(); n.Text != text {
		n.SetText(text)
	}
}

// text is the value as it is shown.
func (n *number) text() string {
	text := strconv.FormatFloat(n.value, 'f', n.decimals, 64)
	if zero := strings.TrimLeft(text, "-"); strings.Trim(zero, "0.") == "" {
		return zero
	}
	return text
}

func (n *number) focused() bool {
	c := fyne.CurrentApp().Driver().CanvasForObject(n)
	return c != nil && c.Focused() == n
}

// keepOff implements kept.
func (n *number) keepOff(off bool) {
	switch {
	case off && !n.Disabled():
		n.Disable()
	case !off && n.Disabled() && !n.barred:
		n.Enable()
	}
}

// enable lets the number be changed, or not.
func (n *number) enable(yes bool) {
	if n.barred != !yes {
		n.barred = !yes
		n.keepOff(!yes)
	}
}

// leave gives the keyboard back, which counts what was typed.
func (n *number) leave() {
	if c := fyne.CurrentApp().Driver().CanvasForObject(n); c != nil {
		c.Unfocus()
	}
}

// FocusLost implements fyne.Focusable.
func (n *number) FocusLost() {
	n.Entry.FocusLost()
	v, err := strconv.ParseFloat(strings.Replace(strings.TrimSpace(n.Text), ",", ".", 1), 64)
	// What is shown may be less than the value: only what was typed counts.
	if err == nil && v-v == 0 && v != n.value && n.Text != n.text() {
		n.do(v)
	}
	n.show()
}

// TypedKey implements fyne.Focusable.
func (n *number) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyEscape:
		n.show()
		n.leave()
	case fyne.KeyEnter, fyne.KeyReturn:
		n.leave()
	default:
		n.Entry.TypedKey(e)
	}
}
