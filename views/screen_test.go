//go:build !headless

package views

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"greenroom/engine/settings"
)

func TestButtonsRaiseTheirIntents(t *testing.T) {
	r := newRoom(t, 1280, 800, 1)
	r.Show(emptyState())
	tap(r.empty.sample)
	tap(r.empty.recents.Objects[1].(*fyne.Container).Objects[0].(*button))
	r.Show(openState())
	tap(r.toolbar.hint)
	tap(r.panel.hint.make)
	tap(r.bottom.key)
	tap(r.panel.export.export) // nothing to export yet
	running := openState()
	running.Key.Running = true
	r.Show(running)
	tap(r.bottom.key)
	r.Show(doneState())
	tap(r.panel.export.export)
	tap(r.panel.export.reveal)
	want := []string{"open sample", "open /a", "open hint", "make hint", "key", "cancel", "export", "reveal"}
	if !slices.Equal(r.asked.names, want) {
		t.Errorf("asked %q, want %q", r.asked.names, want)
	}
}

func TestQuestionIsAskedInTheEmptyRoomToo(t *testing.T) {
	for _, s := range []State{emptyState(), openState()} {
		r := newRoom(t, 1280, 800, 1)
		s.Question = &Question{Title: "What is old_matte.png?", Answers: []Answer{{Label: "A plate", Detail: "Open it"}}}
		r.Show(s)
		r.render()
		test.TapCanvas(r.window.Canvas(), fyne.NewPos(640, 400))
		if !slices.Equal(r.asked.names, []string{"answer 0"}) {
			t.Errorf("a tap on the answer in the middle asks %q", r.asked.names)
		}
	}
}

func TestViewFollowsTheKey(t *testing.T) {
	r := newRoom(t, 1280, 800, 1)
	open := openState()
	r.Show(open)
	if r.view != ViewPlate || !r.overlay {
		t.Fatalf("a new plate is shown in view %d", r.view)
	}
	half := halfState()
	half.Layers.Plate = open.Layers.Plate
	r.Show(half)
	if r.view != ViewMatte {
		t.Errorf("the first tile is shown in view %d", r.view)
	}
	r.View(ViewPlate)
	done := doneState()
	done.Layers.Plate = open.Layers.Plate
	r.Show(done)
	if r.view != ViewPlate {
		t.Error("the view was taken from the artist")
	}
	r.View(ViewComp)
	r.Show(openState())
	if r.view != ViewPlate {
		t.Errorf("the next plate is shown in view %d", r.view)
	}
}

func TestControlsChangeTheLook(t *testing.T) {
	r := newRoom(t, 1280, 800, 1)
	r.Show(openState())
	usual := settings.DefaultLook()
	r.asked.choices.Look = usual
	white := r.number("Clip white")
	white.slider.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(0, 10)}, Button: desktop.MouseButtonPrimary})
	if r.asked.choices.Look.ClipWhite != 0.5 || r.asked.choices.Look.ClipBlack != usual.ClipBlack || !white.reset.Visible() {
		t.Errorf("the slider's left end: %+v", r.asked.choices.Look)
	}
	black := r.number("Clip black")
	typeNumber(r, black.number, "0,5")
	if r.asked.choices.Look.ClipBlack != 0.5 || r.asked.choices.Look.ClipWhite != 0.51 {
		t.Errorf("black over white: %v, %v", r.asked.choices.Look.ClipBlack, r.asked.choices.Look.ClipWhite)
	}
	if err := r.asked.choices.Look.Validate(); err != nil {
		t.Error(err)
	}
	typeNumber(r, black.number, "nonsense")
	if black.number.Text != "0.500" {
		t.Errorf("nonsense left %q", black.number.Text)
	}
	test.Tap(black.reset)
	test.Tap(white.reset)
	test.Tap(r.dial("Source detail").CanvasObject.(*switchRow).box)
	usual.SourceDetail = false
	if r.asked.choices.Look != usual || black.reset.Visible() {
		t.Errorf("after resetting: %+v", r.asked.choices.Look)
	}
	if r.window.Canvas().Focused() != nil {
		t.Error("a control keeps the keyboard")
	}
}

func TestExportChoicesAreAskedFor(t *testing.T) {
	r := newRoom(t, 1280, 800, 1)
	s := doneState()
	r.Show(s)
	g := r.panel.export
	test.Tap(g.fg)
	test.Tap(g.formats[1])
	test.Tap(g.overwrite)
	if want := (ExportChoice{Key: true, Matte: true, FG: true, Format: ExportTIFF, Overwrite: true}); r.asked.out != want {
		t.Errorf("asked for %+v", r.asked.out)
	}
	if g.export.detail != "straight sRGB, 16-bit PNG" {
		t.Errorf("the button says %q", g.export.detail)
	}
}

func TestWheelZoomsAtThePointerAndDragPans(t *testing.T) {
	r := newRoom(t, 1280, 800, 2)
	r.Show(openState())
	r.render()
	v := r.viewer
	at := fyne.NewPos(300, 200)
	var x0, y0, x1, y1 int
	v.OnPoint = func(x, y int, _ bool) { x1, y1 = x, y }
	v.MouseIn(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: at}})
	x0, y0 = x1, y1
	before := v.place().zoom
	scroll := func(dx, dy float32) {
		v.Scrolled(&fyne.ScrollEvent{PointEvent: fyne.PointEvent{Position: at}, Scrolled: fyne.NewDelta(dx, dy)})
	}
	scroll(0, 1000)
	if got := v.place().zoom / before; got < 1.0999 || got > 1.1001 {
		t.Errorf("one event zooms by %v", got)
	}
	for range 12 {
		scroll(0, notch)
	}
	if x1-x0 > 1 || x0-x1 > 1 || y1-y0 > 1 || y0-y1 > 1 {
		t.Errorf("the pixel under the pointer went from %d,%d to %d,%d", x0, y0, x1, y1)
	}
	zoom := v.place().zoom
	left := v.place().left
	v.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: at}, Dragged: fyne.NewDelta(10, 0)})
	if moved := v.place().left - left; moved != 20 {
		t.Errorf("dragging by 10 units moves the picture by %v device pixels at scale 2", moved)
	}
	scroll(20, 0)
	if v.place().zoom != zoom || v.place().left == left+20 {
		t.Error("sideways scrolling does not pan")
	}
}

func TestTextIsWrappedAndShortened(t *testing.T) {
	style := fyne.TextStyle{}
	text := "a hint of another shape than the plate's " + strings.Repeat("x", 200)
	for _, l := range wrap(text, 120, sizeText, style) {
		if w := textWidth(l, sizeText, style); w > 120 {
			t.Errorf("%q is %v wide", l, w)
		}
	}
	name := "a very long name of a plate with its number 0017.tif"
	short := shorten(name, 150, sizeText, style)
	if textWidth(short, sizeText, style) > 150 || !strings.HasSuffix(short, "17.tif") || !strings.HasPrefix(short, "a very") {
		t.Errorf("shortened to %q", short)
	}
	if got := shorten("x.png", 150, sizeText, style); got != "x.png" {
		t.Errorf("a short name became %q", got)
	}
}
