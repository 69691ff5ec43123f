//go:build !headless

package views

import (
	"math"
	"slices"

	"greenroom/engine/settings"
)

// toolbox holds the tools of the viewer: which one is in use, and how the brush is set.
type toolbox struct {
	screen *Screen
	use    ToolUse
	brush  paintBrush
	// last is the target that was painted on last.
	last Target
	// back is the view that picking has left, to go back to; noView for none.
	back  View
	strip *toolStrip
}

// paintBrush is how the brush is set.
type paintBrush struct {
	// size is the diameter in the plate's pixels, softness the outer share of the radius that fades, 0..1, and value
	// what is painted.
	size, softness, value float64
	// sized says that the artist has chosen the size.
	sized bool
}

const (
	// leastBrush and mostBrush are the ends of a brush's size in pixels.
	leastBrush, mostBrush = 1, 2000
	// brushStep is by how much a key changes the size, softStep the softness.
	brushStep, softStep = 1.2, 0.1
	// brushShare is the share of a plate's long edge that a brush has at first.
	brushShare = 1.0 / 32
)

func newToolbox(s *Screen) *toolbox {
	t := &toolbox{screen: s, back: noView, brush: paintBrush{size: 40, softness: 0.3, value: settings.PaintSubject}}
	t.strip = newToolStrip(t)
	return t
}

// Paint takes the brush for a target, or puts it away where that is in use.
func (s *Screen) Paint(t Target) { s.tools.take(ToolUse{BrushTool, t}) }

// Box takes the tool that draws boxes for a core or garbage, or puts it away where that is in use.
func (s *Screen) Box(t Target) { s.tools.take(ToolUse{BoxTool, t}) }

// Pick takes the eyedropper for the screen's colour or for colours that are kept, or puts it away where that is in use.
func (s *Screen) Pick(t Target) { s.tools.take(ToolUse{PickTool, t}) }

// Using says which tool is in use.
func (s *Screen) Using() ToolUse { return s.tools.use }

// PutToolAway gives the left button back to panning.
func (s *Screen) PutToolAway() { s.tools.set(ToolUse{}) }

// ToggleBrush takes the brush for what was painted on last, or puts it away.
func (s *Screen) ToggleBrush() {
	if s.tools.use.Kind == BrushTool {
		s.PutToolAway()
		return
	}
	s.Paint(s.tools.last)
}

// painting reports whether the brush is in use.
func (s *Screen) painting() bool { return s.tools.use.Kind == BrushTool }

// take takes a tool, or puts it away where it is in use.
func (t *toolbox) take(use ToolUse) {
	if use == t.use || !t.screen.hasPlate() || !use.can() {
		use = ToolUse{}
	}
	t.set(use)
}

// set changes the tool.
func (t *toolbox) set(use ToolUse) {
	if use == t.use {
		return
	}
	t.use = use
	s := t.screen
	// What it was for may be gone from under the pointer.
	s.tip("")
	t.goBack()
	switch use.Kind {
	case BrushTool:
		t.last = use.Target
		if !slices.ContainsFunc(use.Target.modes(), func(m paintMode) bool { return m.value == t.brush.value }) {
			t.brush.value = settings.PaintSubject
		}
		s.viewer.SetTool(&brushTool{toolbox: t, target: use.Target})
	case BoxTool:
		s.viewer.SetTool(&boxTool{toolbox: t, target: use.Target})
	case PickTool:
		s.viewer.SetTool(&pickTool{toolbox: t, target: use.Target})
	default:
		s.viewer.SetTool(nil)
	}
	switch {
	case use.Kind == PickTool:
		t.showPlate()
	case use.Kind != NoTool && use.Target == TargetHint:
		t.showHint()
	}
	s.look()
	t.changed()
	s.panel.tool(use)
}

// showPlate goes to the plate, whose colours are picked. Putting the eyedropper away goes back.
func (t *toolbox) showPlate() {
	s := t.screen
	if s.view != ViewPlate {
		t.back = s.view
		s.view, s.overlay, s.from = ViewPlate, false, noView
	}
}

// goBack goes back to the view that picking has left, unless another was chosen since.
func (t *toolbox) goBack() {
	s := t.screen
	if t.back != noView && s.view == ViewPlate && s.canView(t.back) {
		s.view, s.from = t.back, noView
	}
	t.back = noView
}

// showHint goes to a view in which the hint can be seen: what is painted over it shows nowhere else.
func (t *toolbox) showHint() {
	s := t.screen
	if s.view == ViewPlate || s.view == ViewHint {
		if t.use.Kind == BrushTool && s.view == ViewPlate && !s.overlay {
			s.ToggleOverlay()
		}
		return
	}
	s.view, s.overlay, s.from = ViewPlate, t.use.Kind == BrushTool, noView
	s.look()
}

// show takes in a state.
func (t *toolbox) show(before, now State) {
	if !t.screen.hasPlate() {
		t.set(ToolUse{})
	}
	if plate := now.Layers.Plate; plate != nil && plate != before.Layers.Plate {
		if w, h := plate.Size(); !t.brush.sized {
			t.brush.size = math.Max(math.Round(brushShare*float64(max(w, h))), 4)
		}
	}
	if b, ok := t.screen.viewer.tool.(*brushTool); ok {
		b.handed = nil
	}
	t.changed()
}

// changed shows how the tools are set.
func (t *toolbox) changed() {
	t.strip.show()
	if t.use.Kind != NoTool {
		t.screen.viewer.Sketch()
	}
}

// resize makes the brush larger by a factor, soften softer by a share.
func (t *toolbox) resize(by float64) {
	size := t.brush.size * by
	// Small sizes go by whole pixels, and never stand still.
	switch size = math.Round(size); {
	case by > 1 && size <= t.brush.size:
		size = t.brush.size + 1
	case by < 1 && size >= t.brush.size:
		size = t.brush.size - 1
	}
	t.setSize(size)
}

func (t *toolbox) soften(by float64) {
	t.setSoftness(math.Round((t.brush.softness+by)*100) / 100)
}

func (t *toolbox) setSize(size float64) {
	t.brush.size, t.brush.sized = math.Max(leastBrush, math.Min(size, mostBrush)), true
	t.changed()
}

func (t *toolbox) setSoftness(softness float64) {
	t.brush.softness = math.Max(0, math.Min(softness, 1))
	t.changed()
}

// setMode changes what is painted; swapMode between the first two.
func (t *toolbox) setMode(value float64) {
	t.brush.value = value
	t.changed()
}

func (t *toolbox) swapMode() {
	if t.brush.value == settings.PaintSubject {
		t.setMode(settings.PaintScreen)
	} else {
		t.setMode(settings.PaintSubject)
	}
}

// clear takes away all that was drawn on the target in use.
func (t *toolbox) clear(target Target) {
	t.screen.intents.Choose(t.screen.step("Clear "+target.name()), func(c *settings.Choices) {
		*target.strokes(&c.Marks) = nil
		if boxes := target.boxes(&c.Marks); boxes != nil {
			*boxes = nil
		}
	})
}

// drawn counts what was drawn on a target.
func (t *toolbox) drawn(target Target) (strokes, boxes int) {
	marks := t.screen.state.Choices.Marks
	if list := target.boxes(&marks); list != nil {
		boxes = len(*list)
	}
	return len(*target.strokes(&marks)), boxes
}
