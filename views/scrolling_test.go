//go:build !headless

package views

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

func TestScrollingPansWhereThatIsPreferred(t *testing.T) {
	r := lookingAt(t, ViewPlate)
	var told []Preferences
	r.OnPreference = func(p Preferences) { told = append(told, p) }
	v := r.viewer
	v.LookAt(320, 180, 2)
	scroll := func(dy float32) {
		v.Scrolled(&fyne.ScrollEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(300, 200)}, Scrolled: fyne.NewDelta(0, dy)})
	}
	before := v.place()
	scroll(100)
	if z := v.place().zoom; z <= before.zoom || z > 1.1001*before.zoom {
		t.Errorf("a strong turn of the wheel zooms from %v to %v", before.zoom, z)
	}
	item := func(label string) *fyne.MenuItem {
		for _, m := range r.Menu().Items {
			for _, i := range m.Items {
				if i.Label == label {
					return i
				}
			}
		}
		t.Fatalf("no menu has %q", label)
		return nil
	}
	item("Scroll Pans").Action()
	before = v.place()
	scroll(10)
	if now := v.place(); now.zoom != before.zoom || now.top != before.top+20 {
		t.Errorf("the wheel moves the picture from %v to %v, zoom %v", before.top, now.top, now.zoom)
	}
	tap(r.bottom.numbers)
	if r.bottom.numbers.label != "0..255" || !strings.Contains(r.readout(320, 180), "matte 255.0") {
		t.Errorf("the read-out is %q: %s", r.bottom.numbers.label, r.readout(320, 180))
	}
	if want := []Preferences{{ScrollPans: true}, {ScrollPans: true, Bytes: true}}; !slices.Equal(told, want) {
		t.Errorf("told %v", told)
	}
	v.LookAt(320, 70, 8)
	squares := r.picture()
	item("Smooth Pixels").Action()
	if r.picture() == squares {
		t.Error("smooth pixels are squares")
	}
	item("Smooth Pixels").Action()
	if r.picture() != squares || len(told) != 4 {
		t.Error("squares do not come back")
	}
	told = told[:2]
	if !item("Scroll Pans").Checked || !item("Read 0..255").Checked {
		t.Error("the menu does not say what is preferred")
	}
	r.Prefer(Preferences{Overlay: OverlayLook{Style: 77, Colour: -3, Opacity: 9}})
	if r.preferences.Overlay != (OverlayLook{}) {
		t.Errorf("an overlay that there is not is %+v", r.preferences.Overlay)
	}
	if item("Scroll Pans").Checked || len(told) != 2 {
		t.Error("preferences that are taken back are told, or stay")
	}
}

func TestSpaceIsHeldToPan(t *testing.T) {
	r := lookingAt(t, ViewPlate)
	r.viewer.SetTool(&noted{})
	held(fyne.KeySpace, true)(r)
	if got := r.viewer.holdOf(desktop.MouseButtonPrimary, fyne.NewPos(10, 10)); got != holdPan {
		t.Errorf("with Space the left button is for %d", got)
	}
	held(fyne.KeySpace, false)(r)
	if got := r.viewer.holdOf(desktop.MouseButtonPrimary, fyne.NewPos(10, 10)); got != holdTool {
		t.Errorf("without Space the left button is for %d", got)
	}
}

// TestScrollingThePanelTakesTheTipAway: what it is about is no longer under the pointer.
func TestScrollingThePanelTakesTheTipAway(t *testing.T) {
	r := newRoom(t, 1024, 600, 1)
	r.Show(openState())
	r.render()
	r.tip("What a control is for")
	r.panel.scroll.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, -60)})
	if got := r.bottom.readout.Text; got != "" {
		t.Errorf("after scrolling %q stands there", got)
	}
}
