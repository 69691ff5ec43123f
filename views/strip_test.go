//go:build !headless

package views

import (
	"fmt"
	"image"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/test"

	"greenroom/engine/colour"
	"greenroom/engine/picture"
)

func (a *asked) SwitchTo(id int)     { a.note(fmt.Sprint("switch ", id)) }
func (a *asked) ClosePlate(id int)   { a.note(fmt.Sprint("close ", id)) }
func (a *asked) CopyLook(ids []int)  { a.note(fmt.Sprint("copy look ", ids)) }
func (a *asked) KeyAll()             { a.note("key all") }
func (a *asked) ExportAll()          { a.note("export all") }
func (a *asked) StopStrip()          { a.note("stop strip") }
func (a *asked) Restore(name string) { a.note("restore " + name) }
func (a *asked) Compare(name string) { a.note("compare " + name) }

// stripState is the room with several plates, and several keys of the open one.
func stripState() State {
	s := doneState()
	thumb := NewThumbnail(s.Layers, ViewPlate)
	for i, p := range []StripPlate{
		{Name: "shot_010.png", Mark: MarkKeyed, Words: "Keyed", Open: true},
		{Name: "shot_020_a_long_name_of_a_plate.png", Mark: MarkRunning, Words: "Keying 3 of 9"},
		{Name: "shot_030.png", Mark: MarkWaiting, Words: "Waiting"},
		{Name: "shot_040.png", Mark: MarkStale, Words: "Out of date", Why: "The hint has changed"},
		{Name: "shot_050.png", Mark: MarkFailed, Words: "Failed", Why: "It is no picture"},
		{Name: "shot_060.png", Mark: MarkExported, Words: "Exported"},
		{Name: "shot_070.png", Words: "Not keyed"},
	} {
		p.ID = i + 1
		if i != 4 {
			p.Thumb = thumb
		}
		s.Strip.Plates = append(s.Strip.Plates, p)
	}
	matte := NewThumbnail(s.Layers, ViewMatte)
	s.Variants = []VariantState{
		{Name: "c", Title: "Key 3", Words: "nano, 768/64", Thumb: matte, Shown: true},
		{Name: "b", Title: "Key 2", Words: "nano, whole frame", Differs: "tile whole frame, clip black 0.05", Thumb: matte, Compared: true},
		{Name: "a", Title: "Key 1", Words: "nano, 768/64", Differs: "hint from the screen", Thumb: matte},
	}
	return s
}

func TestStripAndKeysLookAsBefore(t *testing.T) {
	s := stripState()
	r := newRoom(t, 712, 110, 1)
	r.Show(s)
	r.window.SetContent(r.strip.content)
	r.strip.choose(3)
	r.render()
	compare(t, "strip", r.render())
	r = newRoom(t, panelWidth, 200, 1)
	r.Show(s)
	r.window.SetContent(container.New(layout.NewCustomPaddedLayout(margin, margin, margin, margin+2), r.panel.keys.content))
	compare(t, "keys", r.render())
}

func TestStripIsHiddenWithOnePlate(t *testing.T) {
	r := newRoom(t, 1280, 800, 1)
	s := stripState()
	s.Strip.Plates = s.Strip.Plates[:1]
	r.Show(s)
	tall := r.viewer.Size().Height
	if r.strip.content.Visible() {
		t.Error("one plate has a strip")
	}
	r.Show(stripState())
	if !r.strip.content.Visible() || r.viewer.Size().Height > tall-cellHeight {
		t.Errorf("the viewer is %v high, with the strip %v", tall, r.viewer.Size().Height)
	}
}

func TestStripRaisesItsIntents(t *testing.T) {
	r := newRoom(t, 1280, 800, 1)
	s := stripState()
	r.Show(s)
	r.render()
	press := func(i int, mod fyne.KeyModifier) {
		c := r.strip.cells[i]
		c.MouseDown(&desktop.MouseEvent{Button: desktop.MouseButtonPrimary, Modifier: mod})
		test.Tap(c)
	}
	press(0, 0) // it is open
	press(3, 0)
	press(2, fyne.KeyModifierShortcutDefault)
	press(5, fyne.KeyModifierShift)
	for _, item := range r.strip.targets() {
		if !item.Disabled {
			item.Action()
		}
	}
	press(5, fyne.KeyModifierShift)
	r.strip.targets()[1].Action()
	test.Tap(r.strip.cells[4].cross)
	tap(r.strip.key)
	tap(r.strip.export)
	c := r.window.Canvas().(fyne.Shortcutable)
	c.TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyRight, Modifier: fyne.KeyModifierShortcutDefault})
	c.TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyLeft, Modifier: fyne.KeyModifierShortcutDefault})
	c.TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyW, Modifier: fyne.KeyModifierShortcutDefault})
	s.Strip.Running, s.Strip.NoKey = true, "The plates are being keyed"
	r.Show(s)
	tap(r.strip.key)
	r.typedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	s.Strip.NoSwitch = "A key is being made"
	r.Show(s)
	press(3, 0)
	want := []string{
		"switch 4", "copy look [2 3 4 5 6 7]", "copy look [3 6]", "copy look [3]", "close 5", "key all", "export all", "switch 2", "switch 7", "close 1",
		"stop strip", "stop strip",
	}
	if !slices.Equal(r.asked.names, want) {
		t.Errorf("asked %q, want %q", r.asked.names, want)
	}
}

func TestOpenPlateIsBroughtIntoSight(t *testing.T) {
	r := newRoom(t, 1024, 700, 1)
	s := stripState()
	r.Show(s)
	r.render()
	s.Strip.Plates = slices.Clone(s.Strip.Plates)
	s.Strip.Plates[0].Open, s.Strip.Plates[6].Open = false, true
	r.Show(s)
	if x := r.strip.scroll.Offset.X; x <= 0 {
		t.Errorf("the strip is scrolled by %v", x)
	}
	s.Strip.Plates = slices.Clone(s.Strip.Plates)
	s.Strip.Plates[0].Open, s.Strip.Plates[6].Open = true, false
	r.Show(s)
	if x := r.strip.scroll.Offset.X; x != 0 {
		t.Errorf("the strip is scrolled by %v", x)
	}
}

func TestKeysRaiseTheirIntents(t *testing.T) {
	r := newRoom(t, 1280, 800, 1)
	s := stripState()
	r.Show(s)
	g := r.panel.keys
	test.Tap(g.shown[0]) // it is shown
	test.Tap(g.shown[2])
	tap(g.shown[1].compare)
	s.Key.Running = true
	r.Show(s)
	test.Tap(g.shown[2])
	if want := []string{"restore a", "compare b"}; !slices.Equal(r.asked.names, want) {
		t.Errorf("asked %q, want %q", r.asked.names, want)
	}
	s.Variants = s.Variants[:1]
	if r.Show(s); g.content.Visible() {
		t.Error("one key is a choice")
	}
}

func TestUndoNamesItsStepInTheMenu(t *testing.T) {
	r := newRoom(t, 1280, 800, 1)
	menu := r.Menu()
	s := openState()
	s.Undo = "Clip black"
	r.Show(s)
	labels := func() []string {
		var list []string
		for _, m := range menu.Items {
			for _, i := range m.Items {
				if strings.HasPrefix(i.Label, "Undo") || strings.HasPrefix(i.Label, "Redo") {
					list = append(list, i.Label)
				}
			}
		}
		return list
	}
	if got, want := labels(), []string{"Undo Clip black", "Redo"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	s.Undo, s.Redo = "", "Clip black"
	r.Show(s)
	if got, want := labels(), []string{"Undo", "Redo Clip black"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestThumbnailsHaveThePlatesShape(t *testing.T) {
	for _, c := range []struct{ w, h, tw, th int }{{4096, 2160, 144, 76}, {1000, 4000, 20, 81}, {20, 10, 144, 72}, {9000, 3, 144, 1}} {
		m := picture.New(c.w, c.h, 3)
		for i := range m.Pix {
			m.Pix[i] = 0.5
		}
		thumb := NewThumbnail(Layers{Plate: NewShown(picture.Picture{RGB: m, Space: colour.SRGB})}, ViewPlate)
		if got := thumb.Rect.Size(); got != image.Pt(c.tw, c.th) {
			t.Errorf("%d x %d gives %v", c.w, c.h, got)
		}
		if v := thumb.RGBAAt(thumb.Rect.Dx()/2, thumb.Rect.Dy()/2).R; v < 127 || v > 128 {
			t.Errorf("%d x %d: grey became %d", c.w, c.h, v)
		}
	}
}

func TestViewOfAKeyStaysFromPlateToPlate(t *testing.T) {
	r := newRoom(t, 1280, 800, 1)
	r.Show(doneState())
	r.View(ViewComp)
	next, done := openState(), doneState()
	done.Layers.Plate = next.Layers.Plate
	r.Show(next)
	if r.view != ViewPlate {
		t.Errorf("a plate without a key is shown in view %d", r.view)
	}
	r.Show(done)
	if r.view != ViewComp {
		t.Errorf("its key of before is shown in view %d", r.view)
	}
	r.View(ViewPlate)
	r.Show(doneState())
	if r.view != ViewPlate {
		t.Errorf("a key of before takes the plate's view away: %d", r.view)
	}
}

func TestStripsProgressIsToldInWords(t *testing.T) {
	s := stripState().Strip
	s.Running, s.Done, s.All, s.Left = true, 1, 5, 12*time.Second
	if got, want := StripProgress(s), "Keying plate 2 of 5: shot_020_a_long_name_of_a_plate.png, keying 3 of 9, 12 s left"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestRecentPlateThatIsGoneCannotBeOpened(t *testing.T) {
	r := newRoom(t, 1280, 800, 1)
	s := emptyState()
	s.Recents[0].Thumb = NewThumbnail(plateLayers(), ViewPlate)
	s.Recents[1].Gone = "It is not there any more"
	r.Show(s)
	keep(t, "recents", r.render())
	for _, o := range r.empty.recents.Objects[1:] {
		tap(o.(*fyne.Container).Objects[0].(*button))
	}
	if want := []string{"open /a"}; !slices.Equal(r.asked.names, want) {
		t.Errorf("asked %q, want %q", r.asked.names, want)
	}
	if b := r.empty.recents.Objects[2].(*fyne.Container).Objects[0].(*button); !strings.HasPrefix(b.detail, "It is not there any more: ") {
		t.Errorf("the reason is %q", b.detail)
	}
}

func TestTheStatusLineSaysWhatWasDoneWithTheStrip(t *testing.T) {
	s := State{Key: KeyState{Summary: "Keyed in 3 s"}}
	s.Strip.Told = "Look copied to 3 plates"
	if status, _ := statusLine(s); status != "Look copied to 3 plates" {
		t.Errorf("it says %q", status)
	}
	s.Key.Running, s.Key.Doing = true, "Preparing"
	if status, _ := statusLine(s); status != "Preparing" {
		t.Errorf("while a key is made it says %q", status)
	}
}
