//go:build !headless

package views

import (
	"image"
	"math"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"greenroom/engine/settings"
)

// drag presses the left button at a place of the viewer, in units, goes through the others and lets go at the last one.
func (r room) drag(mod fyne.KeyModifier, way ...fyne.Position) {
	event := func(at fyne.Position) *desktop.MouseEvent {
		return &desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: at}, Button: desktop.MouseButtonPrimary, Modifier: mod}
	}
	r.viewer.MouseDown(event(way[0]))
	for i, at := range way[1:] {
		r.viewer.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: at}, Dragged: fyne.NewDelta(at.X-way[i].X, at.Y-way[i].Y)})
	}
	r.viewer.MouseUp(event(way[len(way)-1]))
}

// on is where a pixel of the plate is in the viewer, in units.
func (r room) on(x, y float64) fyne.Position {
	p, unit := r.viewer.place(), r.viewer.unit()
	return fyne.NewPos(float32((p.left+x*p.zoom)/unit), float32((p.top+y*p.zoom)/unit))
}

// painted returns a room with a plate whose choices follow what is asked for.
func painted(t *testing.T) (r room, again func()) {
	r = newRoom(t, 1024, 700, 1)
	state := openState()
	r.asked.choices = state.Choices
	again = func() {
		state.Choices = r.asked.choices
		r.Show(state)
	}
	again()
	r.render() // tells the viewer its size
	return r, again
}

func TestADragPaintsOneStroke(t *testing.T) {
	r, again := painted(t)
	r.typedRune('d')
	if r.Using() != (ToolUse{BrushTool, TargetHint}) || !r.panel.hint.brush.on || !r.tools.strip.content.Visible() {
		t.Fatalf("D takes %v", r.Using())
	}
	r.tools.setSize(24)
	r.tools.setSoftness(0.5)
	r.drag(0, r.on(100, 100), r.on(150, 100), r.on(200, 140))
	again()
	r.typedRune('x')
	r.drag(0, r.on(300, 50), r.on(300, 50))
	again()
	strokes := r.asked.choices.Marks.Hint
	if len(strokes) != 2 || len(r.asked.steps) != 2 || r.asked.steps[0] == r.asked.steps[1] {
		t.Fatalf("%d strokes by steps %v", len(strokes), r.asked.steps)
	}
	want := settings.Stroke{Size: 24, Softness: 0.5, Value: settings.PaintSubject}
	got := strokes[0]
	if got.Size != want.Size || got.Softness != want.Softness || got.Value != want.Value || len(got.Points) != 3 {
		t.Errorf("stroke %+v", got)
	}
	for i, p := range []settings.Point{{X: 100, Y: 100}, {X: 150, Y: 100}, {X: 200, Y: 140}} {
		if math.Hypot(got.Points[i].X-p.X, got.Points[i].Y-p.Y) > 0.02 {
			t.Errorf("point %d is %v, want %v", i, got.Points[i], p)
		}
	}
	if strokes[1].Value != settings.PaintScreen || len(strokes[1].Points) != 1 {
		t.Errorf("after X: %+v", strokes[1])
	}
	if text := r.panel.hint.strokes.Text; text != "2 strokes over it" {
		t.Errorf("the group says %q", text)
	}
	tap(r.tools.strip.clear)
	if n := len(r.asked.choices.Marks.Hint); n != 0 {
		t.Errorf("%d strokes after they were cleared", n)
	}
	r.typedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if r.Using() != (ToolUse{}) || r.viewer.tool != nil {
		t.Errorf("Esc leaves %v", r.Using())
	}
}

func TestAStrokeIsSeenUntilTheHintHasIt(t *testing.T) {
	r, again := painted(t)
	r.Paint(TargetHint)
	r.Screen.View(ViewHint)
	r.tools.setSize(40)
	at := r.on(60, 60)
	look := func() uint8 {
		m := r.viewer.draw(r.viewer.w, r.viewer.h).(*image.RGBA)
		return m.RGBAAt(int(at.X), int(at.Y)).G
	}
	if look() != 0 {
		t.Fatal("the hint is not black there")
	}
	event := &desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: at}, Button: desktop.MouseButtonPrimary}
	r.viewer.MouseDown(event)
	if v := look(); v != 255 {
		t.Errorf("while it is painted: %d", v)
	}
	r.viewer.MouseUp(event)
	if v := look(); v != 255 {
		t.Errorf("before anything came of it: %d", v)
	}
	again()
	if v := look(); v != 255 {
		t.Errorf("before the hint has it: %d", v)
	}
	state := r.state
	state.Hint.Strokes = 1
	r.Show(state)
	if v := look(); v != 0 {
		t.Errorf("it is drawn over a hint that has it: %d", v)
	}
}

func TestShiftDrawsAStraightLineFromTheLastStroke(t *testing.T) {
	r, again := painted(t)
	r.Paint(TargetHint)
	r.drag(fyne.KeyModifierShift, r.on(50, 50), r.on(50, 50))
	again()
	r.drag(fyne.KeyModifierShift, r.on(250, 90), r.on(250, 90))
	again()
	strokes := r.asked.choices.Marks.Hint
	if len(strokes) != 2 || len(strokes[0].Points) != 1 || len(strokes[1].Points) != 2 {
		t.Fatalf("strokes %+v", strokes)
	}
	if a, b := strokes[0].Points[0], strokes[1].Points[0]; a != b {
		t.Errorf("the line begins at %v, and the last stroke ended at %v", b, a)
	}
}

func TestBracketsSetTheBrushElseTheOverlay(t *testing.T) {
	r, _ := painted(t)
	size, softness := r.tools.brush.size, r.tools.brush.softness
	r.typedRune(']')
	if got := r.viewer.look.Tint.opacity(); math.Abs(got-0.5) > 1e-9 || r.tools.brush.size != size {
		t.Errorf("without a brush ] gives an opacity of %v and a size of %v", got, r.tools.brush.size)
	}
	r.typedRune('}')
	if r.tools.brush.softness != softness {
		t.Error("without a brush } changes its softness")
	}
	r.typedRune('d')
	r.typedRune(']')
	if r.tools.brush.size <= size || r.viewer.look.Tint.Opacity != 0.5 {
		t.Errorf("with a brush ] gives a size of %v", r.tools.brush.size)
	}
	r.typedRune('[')
	r.typedRune('[')
	if r.tools.brush.size >= size {
		t.Errorf("[[ leaves a size of %v", r.tools.brush.size)
	}
	r.typedRune('}')
	if got := r.tools.brush.softness; math.Abs(got-softness-softStep) > 1e-9 {
		t.Errorf("} gives a softness of %v", got)
	}
	ring := r.viewer.tool.Ring()
	if ring.Radius != r.tools.brush.size/2 || ring.Softness != r.tools.brush.softness {
		t.Errorf("the ring is %+v", ring)
	}
}

func TestAreasTakeStrokesAndBoxes(t *testing.T) {
	r, again := painted(t)
	for _, target := range []Target{TargetCore, TargetGarbage} {
		r.Box(target)
		r.drag(0, r.on(200, 120), r.on(150.2, 80.4))
		again()
		r.Paint(target)
		r.drag(0, r.on(20, 20), r.on(60, 20))
		again()
		marks := r.asked.choices.Marks
		boxes, strokes := *target.boxes(&marks), *target.strokes(&marks)
		if len(boxes) != 1 || boxes[0] != (settings.Box{X0: 150, Y0: 80, X1: 200, Y1: 120}) || len(strokes) != 1 {
			t.Errorf("target %d: boxes %v, strokes %v", target, boxes, strokes)
		}
		if s := r.viewer.tool.Sketch(); len(s.Boxes) != 1 || len(s.Strokes) != 1 {
			t.Errorf("target %d: the sketch is %+v", target, s)
		}
	}
	r.Paint(TargetKept)
	r.drag(0, r.on(20, 20), r.on(60, 20))
	if n := len(r.asked.choices.Marks.KeptStrokes); n != 1 {
		t.Errorf("%d strokes of what is kept", n)
	}
	r.Box(TargetKept)
	if r.Using() != (ToolUse{}) {
		t.Error("there are boxes of what is kept")
	}
	if err := r.asked.choices.Validate(); err != nil {
		t.Error(err)
	}
}

func TestTheEyedropperPicksInsideThePlate(t *testing.T) {
	r, _ := painted(t)
	tap(r.panel.hint.pick)
	if !r.panel.hint.pick.on {
		t.Error("the button is not on")
	}
	r.drag(0, r.on(100.5, 50.5), r.on(100.5, 50.5))
	r.drag(0, r.on(100, -8), r.on(100, -8))
	if len(r.asked.names) != 1 || r.asked.names[0] != "pick 0 100.5,50.5" {
		t.Errorf("asked %q", r.asked.names)
	}
	tap(r.panel.hint.pick)
	if r.Using() != (ToolUse{}) {
		t.Error("the button does not put it away again")
	}
}

func TestAnEmptyRoomPutsTheToolAway(t *testing.T) {
	r, _ := painted(t)
	r.Paint(TargetHint)
	other := openState()
	r.Show(other)
	if r.Using().Kind != BrushTool {
		t.Error("another plate puts the brush away")
	}
	r.Show(emptyState())
	if r.Using() != (ToolUse{}) || r.tools.strip.content.Visible() {
		t.Error("the brush stays in an empty room")
	}
}

func TestToolStripsFitNarrowWindows(t *testing.T) {
	r, again := painted(t)
	r.asked.choices.Marks.Hint = make([]settings.Stroke, 128)
	for i := range r.asked.choices.Marks.Hint {
		r.asked.choices.Marks.Hint[i] = settings.Stroke{Points: []settings.Point{{X: 9, Y: 9}}, Size: 4, Value: 1}
	}
	again()
	r.Paint(TargetHint)
	strip := r.tools.strip
	keep(t, "brush", r.render())
	end := strip.content.Objects[0]
	if right := end.Position().X + end.Size().Width; right > r.viewer.Size().Width {
		t.Errorf("the strip ends at %v of %v", right, r.viewer.Size().Width)
	}
	if m := end.MinSize(); m.Width > end.Size().Width {
		t.Errorf("the strip is %v wide and needs %v", end.Size().Width, m.Width)
	}
	r.Pick(TargetHint)
	keep(t, "pick", r.render())
}

func TestPickingLeavesThePlatesColours(t *testing.T) {
	r, _ := painted(t)
	r.Pick(TargetHint)
	if look := r.viewer.look; !look.Overlay || look.Tint.Style != Contour {
		t.Errorf("while picking the overlay is %+v", look.Tint)
	}
	r.PutToolAway()
	if look := r.viewer.look; look.Tint.Style != TintOutside {
		t.Errorf("after it, it is %+v", look.Tint)
	}
}

// TestPickingGoesToThePlateAndBack: colours are picked from the plate, whatever they are for.
func TestPickingGoesToThePlateAndBack(t *testing.T) {
	for _, target := range []Target{TargetHint, TargetKept} {
		r := newRoom(t, 1280, 800, 1)
		r.Show(openState())
		r.Show(doneState())
		r.View(ViewMatte)
		r.Pick(target)
		if r.view != ViewPlate {
			t.Errorf("target %d is picked in view %d", target, r.view)
		}
		r.PutToolAway()
		if r.view != ViewMatte {
			t.Errorf("after target %d the view is %d", target, r.view)
		}
		r.Pick(target)
		r.View(ViewComp)
		r.PutToolAway()
		if r.view != ViewComp {
			t.Errorf("after target %d and another view, view %d is shown", target, r.view)
		}
	}
}

// TestAToolTakesItsTipAlong: the button under the pointer is gone with it.
func TestAToolTakesItsTipAlong(t *testing.T) {
	r, _ := painted(t)
	if r.Using().Kind == NoTool {
		r.Paint(TargetHint)
	}
	r.tip("Put the tool away (Esc)")
	r.typedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if r.Using().Kind != NoTool || r.bottom.readout.Text != "" {
		t.Errorf("%v is in use, and below stands %q", r.Using(), r.bottom.readout.Text)
	}
}

func TestAQuestionKeepsTheKeyboardOffTheStrip(t *testing.T) {
	r, _ := painted(t)
	r.Paint(TargetHint)
	state := r.state
	state.Question = &Question{Title: "What is it?", Answers: []Answer{{Label: "A plate"}}}
	r.Show(state)
	if !r.tools.strip.clear.Disabled() || !r.tools.strip.size.slider.Disabled() {
		t.Error("Tab finds the brush's strip behind a question")
	}
	state.Question = nil
	r.Show(state)
	if r.tools.strip.size.slider.Disabled() {
		t.Error("Tab does not find the strip any more")
	}
}
