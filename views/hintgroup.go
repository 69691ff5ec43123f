//go:build !headless

package views

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"

	"greenroom/engine/settings"
)

// hintGroup says where the hint comes from, what is wrong with it, and holds all that is done with it.
type hintGroup struct {
	screen  *Screen
	content *fyne.Container
	source  *canvas.Text
	make    *button
	remarks *remarks
	brush   *button
	pick    *button
	strokes *canvas.Text
	clear   *button
	painted *fyne.Container
	samples *samplesRow
	edit    *hintEditor
	overlay *overlayEditor
}

func newHintGroup(s *Screen) *hintGroup {
	g := &hintGroup{screen: s, source: newText("", sizeText, grey(greyText)), remarks: newRemarks()}
	g.remarks.fix = s.fixHint
	open := newButton("Open…", plainButton, s.intents.OpenHint).
		helps("Open a hint: bright over the subject, dark over the screen"+s.keyOf("Open Hint…"), s.tip)
	g.make = newButton("From the screen", flatButton, s.intents.MakeHint).
		helps("Make the hint from the screen's colour", s.tip)
	g.brush = newButton("Brush", plainButton, func() { s.Paint(TargetHint) }).
		helps("Paint over the hint: subject, screen, or what is seen through"+s.keyOf("Brush"), s.tip)
	g.pick = newButton("Pick the screen", plainButton, func() { s.Pick(TargetHint) }).
		helps("Pick the screen's colour from the plate, as often as it differs: the hint is made from what was picked", s.tip)
	g.strokes = newText("", sizeSmall, grey(greyQuiet))
	g.clear = newButton("Clear", flatButton, func() { s.tools.clear(TargetHint) }).helps("Take away all strokes over the hint", s.tip)
	g.painted = container.NewBorder(nil, nil, container.NewCenter(g.strokes), g.clear)
	g.painted.Hide()
	g.samples = newSamplesRow(s)
	g.edit = newHintEditor(s)
	g.overlay = newOverlayEditor(s)
	overlay := newSection(s, "Overlay", false, "How the hint looks over the plate", nil, g.overlay.content)
	g.content = group("Hint", container.NewHBox(g.make, open), g.source, g.remarks.content,
		container.NewHBox(g.brush, g.pick), g.painted, g.samples.content, container.New(column(2), g.edit.section.content, overlay.content))
	return g
}

// show draws a state and reports whether the group's size may have changed.
func (g *hintGroup) show(s State) bool {
	text, color := s.Hint.Source, grey(greyText)
	switch {
	case s.Hint.Finding && text == "":
		text, color = "Looking for it", grey(greyQuiet)
	case text == "":
		text, color = "None yet", amber()
	}
	say(g.source, shorten(text, panelText, sizeText, fyne.TextStyle{}), color)
	g.make.enable((s.Hint.FromFile || s.Hint.Source == "") && !s.Key.Running)
	changed := g.remarks.show(s.Hint.Remarks)
	count := ""
	if n := len(s.Choices.Marks.Hint); n > 0 {
		count = counted(n, "stroke") + " over it"
	}
	if say(g.strokes, count, grey(greyQuiet)) {
		visible(g.painted, count != "")
		changed = true
	}
	open := s.Layers.Plate != nil
	g.brush.enable(open)
	g.pick.enable(open)
	changed = g.samples.show(s.Hint.Samples) || changed
	g.edit.show(s)
	return changed
}

// tool marks the tools that are in use.
func (g *hintGroup) tool(u ToolUse) {
	g.brush.turn(u == ToolUse{BrushTool, TargetHint})
	g.pick.turn(u == ToolUse{PickTool, TargetHint})
}

// fixHint does what the button of a remark about the hint says.
func (s *Screen) fixHint(f Fix) {
	switch {
	case f.FromScreen:
		s.intents.MakeHint()
	case f.Open:
		s.intents.OpenHint()
	default:
		s.intents.Choose(s.step(f.Button), func(c *settings.Choices) { c.Edit = f.Edit })
	}
}
