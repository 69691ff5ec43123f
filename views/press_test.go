//go:build !headless

package views

import (
	"slices"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// TestAHeldKeyActsOnce presses keys as a keyboard repeats them.
func TestAHeldKeyActsOnce(t *testing.T) {
	r := newRoom(t, 1280, 800, 1)
	s := keyedState()
	s.Key.Ready, s.Key.Running, s.Export.Ready, s.Export.Running = true, false, true, false
	r.Show(s)
	clock := time.Unix(0, 0)
	r.now = func() time.Time { return clock }
	export := &desktop.CustomShortcut{KeyName: fyne.KeyE, Modifier: fyne.KeyModifierShortcutDefault}
	shortcut := func() { r.window.Canvas().(fyne.Shortcutable).TypedShortcut(export) }
	enter := func() { r.typedKey(&fyne.KeyEvent{Name: fyne.KeyReturn}) }
	for name, press := range map[string]func(){"export": shortcut, "key": enter} {
		r.asked.names = nil
		press()
		clock = clock.Add(650 * time.Millisecond)
		for range 50 {
			press()
			clock = clock.Add(40 * time.Millisecond)
		}
		if want := []string{name}; !slices.Equal(r.asked.names, want) {
			t.Errorf("a held key asked %q, want %q", r.asked.names, want)
		}
		// Pressed again after a while, and quickly after it came up.
		clock = clock.Add(time.Second)
		press()
		r.heldKey(&fyne.KeyEvent{Name: fyne.KeyE}, false)
		r.heldKey(&fyne.KeyEvent{Name: fyne.KeyReturn}, false)
		press()
		if want := []string{name, name, name}; !slices.Equal(r.asked.names, want) {
			t.Errorf("three presses asked %q, want %q", r.asked.names, want)
		}
		clock = clock.Add(time.Second)
	}
}
