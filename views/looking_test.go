//go:build !headless

package views

import (
	"image"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"greenroom/engine/colour"
	"greenroom/engine/picture"
	"greenroom/engine/settings"
)

// lookingAt is a room with a finished key in a view, and what the viewer draws in it.
func lookingAt(t *testing.T, v View) room {
	t.Helper()
	r := newRoom(t, 1280, 800, 1)
	open := openState()
	open.Choices.Look = settings.DefaultLook()
	r.Show(open)
	done := doneState()
	done.Layers.Plate, done.Layers.Hint, done.Choices.Look = open.Layers.Plate, open.Layers.Hint, settings.DefaultLook()
	r.Show(done)
	r.View(v)
	r.render()
	return r
}

// picture is what the viewer draws now.
func (r room) picture() string {
	m := r.viewer.draw(r.viewer.w, r.viewer.h).(*image.RGBA)
	return string(m.Pix)
}

// TestEveryControlOfTheViewChangesThePicture: each by its button or slider and by its key, and each can be taken back.
func TestEveryControlOfTheViewChangesThePicture(t *testing.T) {
	for _, c := range []struct {
		name     string
		view     View
		do, undo func(r room)
	}{
		{"key r", ViewFG, key("r"), key("r")}, {"key g", ViewFG, key("g"), key("g")}, {"key b", ViewComp, key("b"), key("b")},
		{"key y", ViewPlate, key("y"), key("y")}, {"key a", ViewPlate, key("a"), key("a")},
		{"channel R", ViewPlate, func(r room) { tap(r.toolbar.looks.channels[1]) }, func(r room) { tap(r.toolbar.looks.channels[0]) }},
		{"channel A", ViewFG, func(r room) { tap(r.toolbar.looks.channels[4]) }, func(r room) { tap(r.toolbar.looks.channels[4]) }},
		{"exposure", ViewPlate, slide(func(b *lookBar) *toneControl { return b.exposure }, 0.7), reset(func(b *lookBar) *toneControl { return b.exposure })},
		{"gamma", ViewComp, slide(func(b *lookBar) *toneControl { return b.gamma }, 0.3), reset(func(b *lookBar) *toneControl { return b.gamma })},
		{"blacks", ViewMatte, func(r room) { tap(r.toolbar.looks.blacks) }, func(r room) { tap(r.toolbar.looks.blacks) }},
		{"whites", ViewHint, func(r room) { tap(r.toolbar.looks.whites) }, func(r room) { tap(r.toolbar.looks.whites) }},
		{"wipe", ViewPlate, func(r room) { tap(r.toolbar.looks.wipe) }, func(r room) { tap(r.toolbar.looks.wipe) }},
		{"key w", ViewMatte, key("w"), key("w")},
		{"as seen", ViewPlate, func(r room) { test.Tap(r.toolbar.seen) }, func(r room) { test.Tap(r.toolbar.seen) }},
		{"backtick", ViewComp, held(fyne.KeyBackTick, true), held(fyne.KeyBackTick, false)},
		{"status", ViewMatte, key("6"), key("3")},
		{"overlay", ViewPlate, key("m"), key("m")},
		{"fill", ViewPlate, key("h"), key("f")},
		{"zoom", ViewPlate, key("+"), key("f")},
	} {
		r := lookingAt(t, c.view)
		if c.name == "as seen" {
			state := r.state
			state.Choices.Look.KeyExposure = 1
			r.Show(state)
		}
		before := r.picture()
		c.do(r)
		if r.picture() == before {
			t.Errorf("%s changes nothing", c.name)
		}
		c.undo(r)
		if r.picture() != before {
			t.Errorf("%s cannot be taken back", c.name)
		}
		if r.window.Canvas().Focused() != nil {
			t.Errorf("%s takes the keyboard", c.name)
		}
	}
}

func key(k string) func(room) { return func(r room) { test.TypeOnCanvas(r.window.Canvas(), k) } }

func held(k fyne.KeyName, down bool) func(room) {
	return func(r room) { r.heldKey(&fyne.KeyEvent{Name: k}, down) }
}

// slide presses a slider at a part of its width.
func slide(of func(*lookBar) *toneControl, part float32) func(room) {
	return func(r room) {
		s := of(r.toolbar.looks).slider
		s.MouseDown(pressed(desktop.MouseButtonPrimary, part*s.Size().Width, 5))
	}
}

func reset(of func(*lookBar) *toneControl) func(room) {
	return func(r room) { tap(of(r.toolbar.looks).number) }
}

func TestViewerSaysThatColoursAreNotAsTheyAre(t *testing.T) {
	r := lookingAt(t, ViewPlate)
	note := r.viewer.overlay.note.text
	if note.Text != "" {
		t.Errorf("a plain view says %q", note.Text)
	}
	r.SetTone(Tone{Exposure: 1.5, Gamma: 1.2})
	r.ShowChannel(ChannelRed)
	if want := "View: red, +1.5 stops, gamma 1.20"; note.Text != want || note.Hidden {
		t.Errorf("it says %q, want %q", note.Text, want)
	}
	if e := r.toolbar.looks.exposure; e.number.label != "+1.50" || e.number.disabled || !e.number.on {
		t.Errorf("the exposure says %q", e.number.label)
	}
	r.View(ViewMatte)
	if note.Text != "" {
		t.Errorf("over the matte, which is as it is, it says %q", note.Text)
	}
	if r.toolbar.looks.tones.Visible() || !r.toolbar.looks.gains.Visible() {
		t.Error("the matte has exposure instead of its gain")
	}
}

// TestBackgroundsAreCycled: K asks for the next one, and for a picture only where there is one.
func TestBackgroundsAreCycled(t *testing.T) {
	r := lookingAt(t, ViewComp)
	r.asked.choices.Look = settings.DefaultLook()
	r.asked.choices.Look.Comp.Colour = settings.Colour{0.1, 0.2, 0.8}
	seen := map[string]bool{}
	var names []settings.Background
	walk := func(n int) {
		for range n {
			names = append(names, r.state.Choices.Look.Background)
			seen[r.picture()] = true
			key("k")(r)
			state := r.state
			state.Choices.Look = r.asked.choices.Look
			r.Show(state)
		}
	}
	walk(5)
	if want := settings.Backgrounds()[:5]; !slices.Equal(names, want) || len(seen) != 5 || r.state.Choices.Look.Background != want[0] {
		t.Errorf("%d looks of %v", len(seen), names)
	}
	state := r.state
	state.Layers.Backdrop = NewShownBackdrop(picture.Picture{RGB: drawn(9, 9, 3, evenly(0.3)), Space: colour.SRGB})
	r.Show(state)
	walk(6)
	if names[len(names)-1] != settings.BackgroundPicture || len(seen) != 6 {
		t.Errorf("with a picture there are %d looks of %v", len(seen), names)
	}
}

func TestWipeSidesAreChosenAndTurned(t *testing.T) {
	r := lookingAt(t, ViewPlate)
	v := r.viewer
	key("w")(r)
	sides := func() string { return v.overlay.left.text.Text + " | " + v.overlay.right.text.Text }
	if got := sides(); got != "Plate | Comp" {
		t.Errorf("a wipe from the plate shows %s", got)
	}
	for _, step := range []struct{ key, want string }{
		{".", "Plate | Status"}, {".", "Plate | What the network sees"}, {".", "Plate | Hint"}, {",", "Hint | Hint"}, {"3", "Matte | Hint"},
		{"w", " | "}, {"w", "Matte | Hint"}, {"5", "Comp | Hint"},
	} {
		key(step.key)(r)
		if got := sides(); got != step.want {
			t.Errorf("after %s: %s, want %s", step.key, got, step.want)
		}
	}
	r.WipeWith(Side{View: ViewMatte})
	if got := r.toolbar.looks.right.label; got != "Matte" {
		t.Errorf("the chooser says %q", got)
	}
	upright := r.picture()
	key("W")(r)
	if r.picture() == upright || !v.look.Wipe.Level {
		t.Error("Shift+W does not turn the line")
	}
	// The line is dragged, and the read-out is of the side that is seen.
	middle := fyne.NewPos(v.Size().Width/2, v.Size().Height/2)
	if v.MouseIn(pressed(0, middle.X, middle.Y)); v.Cursor() != desktop.VResizeCursor {
		t.Error("the pointer does not show that the line can be dragged")
	}
	v.MouseDown(pressed(desktop.MouseButtonPrimary, middle.X, middle.Y+2))
	v.Dragged(draggedTo(middle.X, v.Size().Height*0.75, 0, 10))
	v.MouseUp(pressed(desktop.MouseButtonPrimary, middle.X, v.Size().Height*0.75))
	if at := v.look.Wipe.At; at < 0.74 || at > 0.76 {
		t.Errorf("the line is at %v", at)
	}
	if a, b := v.sideAt(320, 20), v.sideAt(320, 340); a.View != ViewComp || b.View != ViewMatte {
		t.Errorf("above the line is view %d, below %d", a.View, b.View)
	}
	// Another plate begins without.
	r.Show(openState())
	if v.look.Wipe.On {
		t.Error("the wipe is kept for another plate")
	}
}

func TestSecondKeyIsComparedByItsName(t *testing.T) {
	r := lookingAt(t, ViewPlate)
	state := r.state
	matte, fg := keyImages()
	for i := range matte.Pix {
		matte.Pix[i] = 1 - matte.Pix[i]
	}
	state.Layers.Second = &Second{Key: NewKey(matte, fg, colour.SRGB), Name: "variant 2"}
	r.Show(state)
	r.render()
	if got := r.viewer.overlay.right.text.Text; got != "Matte, variant 2" {
		t.Errorf("the right side is called %q", got)
	}
	if got := r.readout(600, 40); !strings.Contains(got, "matte 1.000") {
		t.Errorf("right of the line reads %q", got)
	}
	if got := r.readout(20, 40); !strings.Contains(got, "matte 0.000") {
		t.Errorf("left of the line reads %q", got)
	}
}

func TestUndoAndRedoNameTheirSteps(t *testing.T) {
	r := lookingAt(t, ViewPlate)
	undo, redo := r.toolbar.undo, r.toolbar.redo
	tap(undo)
	state := r.state
	state.Undo = "Clip black"
	r.Show(state)
	tap(undo)
	tap(redo)
	if !strings.HasPrefix(undo.help, "Undo: Clip black (") || redo.help != "Nothing to redo" {
		t.Errorf("the buttons say %q and %q", undo.help, redo.help)
	}
	if want := []string{"undo"}; !slices.Equal(r.asked.names, want) {
		t.Errorf("asked %q, want %q", r.asked.names, want)
	}
}

func TestLegendSaysHowMuchThereIs(t *testing.T) {
	r := lookingAt(t, ViewMatte)
	l := r.viewer.overlay.legend
	if !l.words[0].Hidden {
		t.Error("the matte has a legend")
	}
	r.View(ViewStatus)
	for f, o := range l.words {
		if o.Hidden || l.swatches[f].Hidden {
			t.Errorf("%q is not shown", o.Text)
		}
	}
	if got := l.words[FindingHole].Text; got != "Hint says subject, matte under 0.1: none" {
		t.Errorf("the legend says %q", got)
	}
	if got := l.words[FindingBlack].Text; !strings.HasPrefix(got, "Matte exactly 0: 8") || !strings.HasSuffix(got, " %") {
		t.Errorf("the legend says %q", got)
	}
	// Tiles that are missing are no findings.
	half := halfState()
	half.Layers.Plate, half.Layers.Hint = r.state.Layers.Plate, r.state.Layers.Hint
	r.Show(half)
	if got := l.words[FindingBlack].Text; got != "Matte exactly 0" {
		t.Errorf("while keying the legend says %q", got)
	}
}

// TestNothingOfAnotherPlateIsKept: pictures are large, and the viewer keeps none that are not in its layers.
func TestNothingOfAnotherPlateIsKept(t *testing.T) {
	r := newRoom(t, 1280, 800, 1)
	s := checkedState()
	r.Show(s)
	r.render()
	r.Show(s)
	r.ToggleGridWipe()
	r.View(ViewStatus)
	r.picture()
	if len(r.viewer.painter.statuses) == 0 || r.looking.other == nil {
		t.Fatal("there is nothing to keep")
	}
	r.Show(State{})
	if n := len(r.viewer.painter.statuses); n != 0 || r.looking.other != nil || r.viewer.layers != (Layers{}) {
		t.Errorf("%d statuses, the other key %v, layers %v", n, r.looking.other, r.viewer.layers)
	}
}

// TestControlsOfTheViewAreOffWithTheirReason: what has nothing to show cannot be pressed.
func TestControlsOfTheViewAreOffWithTheirReason(t *testing.T) {
	r := newRoom(t, 1280, 800, 1)
	s := openState()
	s.Layers.Hint, s.NoSeen = nil, "The hint comes first"
	r.Show(s)
	before := r.picture()
	for _, k := range []string{"a", "3", "6", "w", ",", "."} {
		key(k)(r)
	}
	test.Tap(r.toolbar.seen)
	if r.picture() != before || r.toolbar.seen.help != s.NoSeen {
		t.Errorf("something is shown that there is not; as seen says %q", r.toolbar.seen.help)
	}
	for name, b := range map[string]*button{"A": r.toolbar.looks.channels[4], "Status": r.toolbar.looks.tabs[5], "Wipe": r.toolbar.looks.wipe} {
		if !b.disabled {
			t.Errorf("%s can be pressed", name)
		}
	}
}

// TestViewsLookAsBefore compares the viewer in the states of a compositor's work with pictures that were looked at.
func TestViewsLookAsBefore(t *testing.T) {
	layers := doneState().Layers
	layers.Plate = NewShown(picture.Picture{Space: colour.SRGB, RGB: drawn(plateW, plateH, 3, func(x, y, c int) float32 {
		if x < 60 && y < 60 {
			return 1
		}
		a := disc(x, y)
		return a*[]float32{0.8, 0.55, 0.45}[c] + (1-a)*[]float32{0.12, 0.62, 0.2}[c]
	})})
	layers.Hint = NewShownHint(drawn(plateW, plateH, 1, func(x, y, _ int) float32 { return disc(x+40, y) }))
	for name, look := range map[string]Look{
		"view_hint":    {View: ViewHint},
		"view_matte":   {View: ViewMatte},
		"view_fg":      {View: ViewFG},
		"view_status":  {View: ViewStatus},
		"view_exposed": {View: ViewComp, Tone: Tone{Exposure: 1, Gamma: 0.8}, Wipe: Wipe{On: true, Right: Side{View: ViewMatte}, At: 0.6}},
	} {
		r := newRoom(t, 480, 300, 1)
		v := r.viewer
		r.window.SetContent(v)
		v.Display(layers, look)
		r.render()
		v.changed()
		compare(t, name, r.render())
	}
}

// TestTheWipesSideIsNamedInFullWhereThereIsRoom, and covers nothing where there is none.
func TestTheWipesSideIsNamedInFullWhereThereIsRoom(t *testing.T) {
	r := newRoom(t, 1600, 800, 1)
	r.Show(openState())
	s := doneState()
	s.Layers.Second = &Second{Key: s.Layers.Key, Name: "Compare key 1"}
	r.Show(s)
	r.render()
	side := r.toolbar.looks.right
	if full := r.viewer.look.rightSide().title(s.Layers.Second); side.title.Text != full {
		t.Errorf("the side is called %q, want %q", side.title.Text, full)
	}
}

// TestNoPixelIsReadBesideTheViewer: a drag may end over the panel.
func TestNoPixelIsReadBesideTheViewer(t *testing.T) {
	r := newRoom(t, 1280, 800, 1)
	r.Show(openState())
	r.render()
	v := r.viewer
	middle := fyne.NewPos(v.Size().Width/2, v.Size().Height/2)
	v.MouseMoved(pressed(0, middle.X, middle.Y))
	if r.bottom.readout.Text == "" {
		t.Fatal("no pixel is read over the plate")
	}
	v.MouseDown(pressed(desktop.MouseButtonPrimary, middle.X, middle.Y))
	v.Dragged(draggedTo(v.Size().Width+40, middle.Y, v.Size().Width/2+40, 0))
	v.DragEnd()
	if got := r.bottom.readout.Text; got != "" {
		t.Errorf("beside the viewer %q is read", got)
	}
}
