//go:build !headless

package views

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
)

// reach lets Tab come to a widget that the pointer never gives the keyboard: while it is there, Space and Return press
// the widget, arrows move it, and every other key does what it does elsewhere in the window.
type reach struct {
	// of is the widget.
	of fyne.CanvasObject
	// press is what Space and Return do, and move what arrows and Page Up and Down do by so many steps; nil does nothing.
	press func()
	move  func(steps int)
	// said tells what the widget is for, or no more; nil tells nothing.
	said func(there bool)
	// there says that the keyboard is at the widget, off that it must not come here.
	there, off bool
}

// keepOff keeps the keyboard away, or lets it come again. It implements kept.
func (r *reach) keepOff(off bool) { r.off = off }

// Disabled implements fyne.Disableable: Tab passes over what is.
func (r *reach) Disabled() bool { return r.off }

// Enable implements fyne.Disableable.
func (r *reach) Enable() { r.off = false }

// Disable implements fyne.Disableable.
func (r *reach) Disable() { r.off = true }

// kept is what the keyboard can be kept away from.
type kept interface{ keepOff(bool) }

// composed is a widget that is made of others.
type composed interface{ parts() []fyne.CanvasObject }

// keepOff keeps the keyboard away from all that is in an object, or lets it come again.
func keepOff(o fyne.CanvasObject, off bool) {
	switch o := o.(type) {
	case *fyne.Container:
		for _, part := range o.Objects {
			keepOff(part, off)
		}
	case *container.Scroll:
		keepOff(o.Content, off)
	case *container.ThemeOverride:
		keepOff(o.Content, off)
	case composed:
		for _, part := range o.parts() {
			keepOff(part, off)
		}
	case kept:
		o.keepOff(off)
	}
}

// FocusGained implements fyne.Focusable.
func (r *reach) FocusGained() { r.at(true) }

// FocusLost implements fyne.Focusable.
func (r *reach) FocusLost() { r.at(false) }

func (r *reach) at(there bool) {
	r.there = there
	if r.said != nil {
		r.said(there)
	}
	r.of.Refresh()
}

// TypedRune implements fyne.Focusable.
func (r *reach) TypedRune(c rune) {
	if on := r.canvas(); on != nil && on.OnTypedRune() != nil && c != ' ' {
		on.OnTypedRune()(c)
	}
}

// TypedKey implements fyne.Focusable.
func (r *reach) TypedKey(e *fyne.KeyEvent) {
	steps := map[fyne.KeyName]int{
		fyne.KeyLeft: -1, fyne.KeyDown: -1, fyne.KeyRight: 1, fyne.KeyUp: 1, fyne.KeyPageDown: -10, fyne.KeyPageUp: 10,
	}[e.Name]
	on := r.canvas()
	switch {
	case r.press != nil && (e.Name == fyne.KeySpace || e.Name == fyne.KeyReturn || e.Name == fyne.KeyEnter):
		r.press()
	case r.move != nil && steps != 0:
		r.move(steps)
	case on == nil:
	default:
		if e.Name == fyne.KeyEscape {
			on.Unfocus()
		}
		if typed := on.OnTypedKey(); typed != nil {
			typed(e)
		}
	}
}

// KeyDown implements desktop.Keyable: what is held in the window is held here too.
func (r *reach) KeyDown(e *fyne.KeyEvent) {
	if on, ok := r.canvas().(desktop.Canvas); ok && on.OnKeyDown() != nil {
		on.OnKeyDown()(e)
	}
}

// KeyUp implements desktop.Keyable.
func (r *reach) KeyUp(e *fyne.KeyEvent) {
	if on, ok := r.canvas().(desktop.Canvas); ok && on.OnKeyUp() != nil {
		on.OnKeyUp()(e)
	}
}

func (r *reach) canvas() fyne.Canvas { return fyne.CurrentApp().Driver().CanvasForObject(r.of) }

// clicked takes the keyboard from wherever it is: the toolkit leaves it there when what was clicked could have it.
func (r *reach) clicked() {
	if on := r.canvas(); on != nil && on.Focused() != nil {
		on.Unfocus()
	}
}

// explain returns what tells a sentence while the keyboard is at a widget.
func explain(tell func(string), help func() string) func(bool) {
	return func(there bool) {
		switch {
		case tell == nil:
		case there:
			tell(help())
		default:
			tell("")
		}
	}
}
