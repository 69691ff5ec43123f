//go:build !headless

package views

import (
	"fmt"
	"image"
	"image/color"
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"greenroom/engine/bench/benchtest"
	"greenroom/engine/colour"
	"greenroom/engine/settings"
)

// noted is a tool that notes what it hears and draws a stroke of it.
type noted struct {
	heard  []string
	stroke settings.Stroke
}

func (n *noted) note(what string, at ToolPoint) {
	n.heard = append(n.heard, fmt.Sprintf("%s %.1f %.1f", what, at.X, at.Y))
}
func (n *noted) Hover(at ToolPoint, over bool) {
	if over {
		n.note("hover", at)
	} else {
		n.heard = append(n.heard, "gone")
	}
}
func (n *noted) Down(at ToolPoint) {
	n.note("down", at)
	n.stroke = settings.Stroke{Points: []settings.Point{{X: at.X, Y: at.Y}}, Size: 40}
}
func (n *noted) Move(at ToolPoint) {
	n.note("move", at)
	n.stroke.Points = append(n.stroke.Points, settings.Point{X: at.X, Y: at.Y})
}
func (n *noted) Up(at ToolPoint) { n.note("up", at) }
func (n *noted) Ring() Ring      { return Ring{Radius: 20, Softness: 0.5} }
func (n *noted) Sketch() Sketch {
	if len(n.stroke.Points) == 0 {
		return Sketch{}
	}
	return Sketch{Strokes: []SketchedStroke{{n.stroke, color.NRGBA{255, 0, 0, 255}}}}
}

// pressed is a press of a button at a place.
func pressed(b desktop.MouseButton, x, y float32) *desktop.MouseEvent {
	return &desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(x, y)}, Button: b}
}

// draggedTo is a drag that has come to a place.
func draggedTo(x, y, dx, dy float32) *fyne.DragEvent {
	return &fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(x, y)}, Dragged: fyne.NewDelta(dx, dy)}
}

func TestToolTakesTheLeftButtonAndTheOthersPan(t *testing.T) {
	r := newRoom(t, 1280, 800, 2)
	r.Show(openState())
	r.render()
	v := r.viewer
	v.LookAt(320, 180, 1)
	before := v.sight
	tool := &noted{}
	v.SetTool(tool)
	middle := v.Size()
	x, y := middle.Width/2, middle.Height/2
	v.MouseIn(pressed(0, x, y))
	if v.ring.outer.Hidden || v.ring.inner.Hidden {
		t.Fatal("there is no ring")
	}
	// 20 pixels at 100 % are 10 units at a scale of 2; the inner circle is half of that.
	if got := v.ring.outer.Size().Width; got != 20 {
		t.Errorf("the ring is %v wide, want 20", got)
	}
	if got := v.ring.inner.Size().Width; got != 10 {
		t.Errorf("the inner ring is %v wide, want 10", got)
	}
	v.MouseDown(pressed(desktop.MouseButtonPrimary, x, y))
	v.MouseMoved(pressed(desktop.MouseButtonPrimary, x+1, y)) // under the toolkit's threshold for a drag
	v.Dragged(draggedTo(x+10, y+5, 9, 5))
	v.MouseUp(pressed(desktop.MouseButtonPrimary, x+10, y+5))
	v.DragEnd()
	if v.sight != before {
		t.Error("the tool's drag pans")
	}
	px, py := v.toolPoint(fyne.NewPos(x, y), 0).X, v.toolPoint(fyne.NewPos(x, y), 0).Y
	say := func(what string, dx, dy float64) string { return fmt.Sprintf("%s %.1f %.1f", what, px+dx, py+dy) }
	want := []string{say("hover", 0, 0), say("down", 0, 0), say("move", 2, 0), say("move", 20, 10), say("up", 20, 10)}
	if !slices.Equal(tool.heard, want) {
		t.Errorf("heard %q, want %q", tool.heard, want)
	}
	tool.heard = nil
	v.MouseDown(pressed(desktop.MouseButtonTertiary, x, y))
	v.Dragged(draggedTo(x+10, y, 10, 0))
	v.MouseUp(pressed(desktop.MouseButtonTertiary, x+10, y))
	v.DragEnd()
	panned := v.sight
	if panned == before {
		t.Error("the middle button does not pan")
	}
	v.Space(true)
	if !v.ring.outer.Hidden {
		t.Error("the ring is shown while Space is held")
	}
	v.MouseDown(pressed(desktop.MouseButtonPrimary, x, y))
	v.Dragged(draggedTo(x-10, y, -10, 0))
	v.MouseUp(pressed(desktop.MouseButtonPrimary, x-10, y))
	v.DragEnd()
	v.Space(false)
	if v.sight != before {
		t.Errorf("Space and a drag back leave the sight at %+v, want %+v", v.sight, before)
	}
	if len(tool.heard) != 0 {
		t.Errorf("the tool heard %q of panning", tool.heard)
	}
	v.SetTool(nil)
	if !v.ring.outer.Hidden || !v.sketch.empty() {
		t.Error("something of the tool is left")
	}
	v.MouseDown(pressed(desktop.MouseButtonPrimary, x, y))
	v.Dragged(draggedTo(x+10, y, 10, 0))
	v.MouseUp(pressed(desktop.MouseButtonPrimary, x+10, y))
	if v.sight == before {
		t.Error("without a tool the left button does not pan")
	}
}

func TestSketchIsDrawnWhereTheBrushWent(t *testing.T) {
	p := NewPainter()
	layers := Layers{Plate: shown(100, 60, colour.SRGB, evenly(0))}
	sight, look := Sight{Zoom: 2, X: 50, Y: 30}, Look{Unit: 1}
	p.Draw(200, 120, layers, sight, look)
	stroke := SketchedStroke{
		settings.Stroke{Points: []settings.Point{{X: 20, Y: 30}, {X: 60, Y: 30}}, Size: 20, Softness: 0.5}, color.NRGBA{200, 0, 0, 255},
	}
	p.DrawSketch(Sketch{Strokes: []SketchedStroke{stroke}}, layers, sight, look)
	red := func(x, y int) uint8 { return p.out.RGBAAt(2*x, 2*y).R }
	for at, want := range map[image.Point]uint8{{X: 40, Y: 30}: 200, {X: 40, Y: 26}: 200, {X: 40, Y: 41}: 0, {X: 75, Y: 30}: 0, {X: 12, Y: 30}: 71} {
		if got := red(at.X, at.Y); int(got) < int(want)-25 || int(got) > int(want)+25 {
			t.Errorf("%v is %d, want about %d", at, got, want)
		}
	}
	if a, b, c := red(40, 36), red(40, 37), red(40, 38); a <= b || b <= c {
		t.Errorf("the soft edge goes %d, %d, %d", a, b, c)
	}
	box := Sketch{Boxes: []SketchedBox{{settings.Box{X0: 70, Y0: 5, X1: 90, Y1: 20}, color.NRGBA{0, 0, 100, 255}}}}
	p.DrawSketch(box, layers, sight, look)
	if got := p.out.RGBAAt(160, 25); got != opaque(0, 0, 100) {
		t.Errorf("the box is filled with %v", got)
	}
	if got := p.out.RGBAAt(140, 25); got.R < 180 {
		t.Errorf("the box's edge is %v", got)
	}
}

func BenchmarkSketch(b *testing.B) {
	p := NewPainter()
	layers := Layers{Plate: shown(4096, 2160, colour.SRGB, evenly(0))}
	sight, look := Sight{}, Look{Unit: 1}
	p.Draw(1400, 900, layers, sight, look)
	stroke := SketchedStroke{settings.Stroke{Size: 200, Softness: 0.5}, color.NRGBA{200, 0, 0, 128}}
	for i := range 1000 {
		stroke.Points = append(stroke.Points, settings.Point{X: 500 + 3*float64(i), Y: 500 + float64(i*i%1000)})
	}
	benchtest.Measure(b, func() { p.DrawSketch(Sketch{Strokes: []SketchedStroke{stroke}}, layers, sight, look) })
}

// TestToolsAreTakenFromTheGroup presses each tool's button, and marks something with it.
func TestToolsAreTakenFromTheGroup(t *testing.T) {
	r, s := ready(t)
	r.unfold()
	g := r.panel.matte
	for use, b := range map[ToolUse]*button{
		{BrushTool, TargetCore}: g.marks.core.brush, {BoxTool, TargetCore}: g.marks.core.box, {BrushTool, TargetGarbage}: g.marks.garbage.brush,
		{BoxTool, TargetGarbage}: g.marks.garbage.box, {PickTool, TargetKept}: g.kept.pick, {BrushTool, TargetKept}: g.kept.brush,
	} {
		tap(b)
		if r.Using() != use || !b.on {
			t.Errorf("%q takes %v, on %v", b.help, r.Using(), b.on)
		}
		before := r.asked.choices
		names := len(r.asked.names)
		tool := r.viewer.tool
		tool.Down(ToolPoint{X: 100, Y: 100})
		tool.Move(ToolPoint{X: 140, Y: 120})
		tool.Up(ToolPoint{X: 140, Y: 120})
		if use.Kind == PickTool {
			if len(r.asked.names) == names {
				t.Errorf("%v picks nothing", use)
			}
		} else if r.asked.choices.Marks.Equal(before.Marks) {
			t.Errorf("%v marks nothing", use)
		}
		r.asked.choices = before
		tap(b)
		if r.Using() != (ToolUse{}) || b.on {
			t.Errorf("%q again leaves %v", b.help, r.Using())
		}
	}
	r.follow(s)
}

// TestMenusTakeTheToolsOfTheGroup takes each from its menu.
func TestMenusTakeTheToolsOfTheGroup(t *testing.T) {
	r, _ := ready(t)
	list := r.markActions()
	for _, a := range r.table {
		if slices.Contains([]string{"Open Core Matte…", "Open Garbage Matte…", "Open Background Picture…"}, a.label) {
			a.run()
		}
	}
	if want := []string{"open core", "open garbage", "open backdrop"}; !slices.Equal(r.asked.names, want) {
		t.Errorf("asked %q, want %q", r.asked.names, want)
	}
	for _, a := range list {
		a.run()
		if !a.on() || r.Using().title() == "" {
			t.Errorf("%s takes %v", a.label, r.Using())
		}
	}
	if got := len(list); got != 6 {
		t.Errorf("%d tools", got)
	}
}
