//go:build !headless

package views

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
)

// tabTo walks by Tab until the keyboard is at a widget.
func (r room) tabTo(t *testing.T, at fyne.Focusable) {
	t.Helper()
	c := r.window.Canvas()
	c.Unfocus()
	for range 500 {
		c.FocusNext()
		if c.Focused() == at {
			return
		}
	}
	t.Fatalf("Tab never comes to %T", at)
}

func typed(c fyne.Canvas, name fyne.KeyName) { c.Focused().TypedKey(&fyne.KeyEvent{Name: name}) }

func TestTabReachesEveryKindOfControl(t *testing.T) {
	r := newRoom(t, 1280, 800, 1)
	r.Show(openState())
	r.Show(doneState())
	r.render()
	c := r.window.Canvas()

	r.tabTo(t, r.toolbar.hint)
	typed(c, fyne.KeySpace)
	if n := len(r.asked.names); n == 0 || r.asked.names[n-1] != "open hint" {
		t.Errorf("Space on Hint asked for %q", r.asked.names)
	}
	overlay := r.overlay
	r.tabTo(t, r.toolbar.overlay)
	typed(c, fyne.KeyReturn)
	if r.overlay == overlay {
		t.Error("Return leaves the overlay as it is")
	}

	black := r.number("Clip black")
	r.tabTo(t, black.slider)
	for range 3 {
		typed(c, fyne.KeyRight)
	}
	typed(c, fyne.KeyLeft)
	if got, want := r.asked.choices.Look.ClipBlack, black.slider.usual+2*black.slider.step; got < want-1e-9 || got > want+1e-9 {
		t.Errorf("arrows move the slider to %v, want %v", got, want)
	}
	for _, step := range r.asked.steps {
		if step != r.asked.steps[0] {
			t.Errorf("one visit makes the steps %v", r.asked.steps)
		}
	}

	// What is disabled is passed over.
	r.Show(openState())
	r.render()
	c.Unfocus()
	for range 200 {
		c.FocusNext()
		if c.Focused() == fyne.Focusable(r.panel.export.export) {
			t.Fatal("Tab comes to the export, which cannot be pressed")
		}
	}
}

func TestLettersWorkWhereTheKeyboardIsAtAControl(t *testing.T) {
	r := newRoom(t, 1280, 800, 1)
	r.Show(openState())
	r.Show(doneState())
	r.render()
	c := r.window.Canvas()
	black := r.number("Clip black")
	for _, at := range []fyne.Focusable{black.slider, r.toolbar.overlay, r.toolbar.hint, r.panel.machine.preset.pick} {
		r.tabTo(t, at)
		r.View(ViewPlate)
		at.TypedRune('3')
		if r.view != ViewMatte {
			t.Errorf("3 at %T shows view %d", at, r.view)
		}
	}

	// A click takes the keyboard from an entry, and the letters are the window's again.
	c.Focus(black.number)
	black.slider.MouseDown(&desktop.MouseEvent{Button: desktop.MouseButtonPrimary})
	if c.Focused() != nil {
		t.Error("the entry keeps the keyboard when its slider is pressed")
	}
	c.Focus(black.number)
	test.Tap(r.panel.hint.make)
	if c.Focused() != nil {
		t.Error("the entry keeps the keyboard when a button is pressed")
	}

	// While a number is typed, letters and figures are its own.
	r.View(ViewPlate)
	c.Focus(black.number)
	test.Type(black.number, "3")
	if r.view != ViewPlate {
		t.Error("a figure that is typed changes the view")
	}
}

func TestEscapeLeavesAControl(t *testing.T) {
	r := newRoom(t, 1280, 800, 1)
	r.Show(openState())
	r.render()
	r.tabTo(t, r.toolbar.hint)
	typed(r.window.Canvas(), fyne.KeyEscape)
	if r.window.Canvas().Focused() != nil {
		t.Error("the keyboard is still at the button")
	}
}

func TestTheSheetListsEveryKey(t *testing.T) {
	r := newRoom(t, 1280, 800, 1)
	r.Show(openState())
	listed := map[string]string{}
	for _, g := range keyGroups(r.table) {
		for _, row := range g.rows {
			listed[row.label] = row.keys
		}
	}
	for _, a := range r.table {
		if _, label := a.names(); (a.key != "" || a.char != 0) && listed[label] == "" {
			t.Errorf("%q with %s is not on the sheet", label, a.keyName())
		}
	}
	test.TypeOnCanvas(r.window.Canvas(), "?")
	if !r.keys.content.Visible() {
		t.Fatal("? opens nothing")
	}
	m := r.render()
	keep(t, "keys", m)
	if size := r.keys.content.Objects[0].(*container.Scroll).Content.MinSize(); size.Width > 1000 || size.Height > 620 {
		t.Errorf("the sheet takes %v: too large for the smallest window", size)
	}
	r.typedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if r.keys.content.Visible() {
		t.Error("Esc leaves the sheet open")
	}
}

func TestNoKeyDoesTwoThings(t *testing.T) {
	r := newRoom(t, 1280, 800, 1)
	by := map[string]string{}
	for _, a := range r.table {
		if a.key == "" && a.char == 0 {
			continue
		}
		_, label := a.names()
		if other, taken := by[a.keyName()]; taken {
			t.Errorf("%s does both %q and %q", a.keyName(), other, label)
		}
		by[a.keyName()] = label
	}
}
