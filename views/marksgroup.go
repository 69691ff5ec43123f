//go:build !headless

package views

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"

	"greenroom/engine/settings"
)

// marksSection is where core and garbage are drawn and opened, and where bars are proposed as garbage.
type marksSection struct {
	content       *fyne.Container
	section       *section
	core, garbage *regionRow
	bars          *fyne.Container
	found         []settings.Box
}

func newMarksSection(s *Screen) *marksSection {
	m := &marksSection{
		core: newRegionRow(s, TargetCore, "Core", "the matte is 1", s.intents.OpenCore, func(c *settings.Choices) (*settings.Region, *string) {
			return &c.Marks.Core, &c.Core
		}),
		garbage: newRegionRow(s, TargetGarbage, "Garbage", "the matte is 0, fading over 2 px, also over core", s.intents.OpenGarbage, func(c *settings.Choices) (*settings.Region, *string) {
			return &c.Marks.Garbage, &c.Garbage
		}),
	}
	m.section = newSection(s, "Core and garbage", false, "Where the matte is 1 or 0 whatever the network says", nil, m.core.content, m.garbage.content)
	use := newButton("Make them garbage", plainButton, func() {
		bars := m.found
		s.intents.Choose(s.step("Bars as garbage"), func(c *settings.Choices) {
			boxes := c.Marks.Garbage.Boxes
			c.Marks.Garbage.Boxes = append(boxes[:len(boxes):len(boxes)], bars...)
		})
	}).helps("The bars or borders at the plate's edges become boxes of garbage, which can be cleared again", s.tip)
	m.bars = container.NewBorder(nil, nil, container.NewCenter(newText("The plate has bars.", sizeText, amber())), use)
	m.bars.Hide()
	m.content = container.New(column(2), m.section.content, m.bars)
	return m
}

// show draws a state and reports whether the height may have changed.
func (m *marksSection) show(s State) bool {
	m.found = s.Matte.Bars
	changed := m.bars.Visible() != (len(m.found) > 0)
	visible(m.bars, len(m.found) > 0)
	changed = m.core.show(s, s.Matte.Core) || changed
	changed = m.garbage.show(s, s.Matte.Garbage) || changed
	var parts []string
	for _, r := range []*regionRow{m.core, m.garbage} {
		if r.text != "" {
			parts = append(parts, strings.ToLower(r.name))
		}
	}
	say(m.section.note, strings.Join(parts, ", "), grey(greyQuiet))
	return changed
}

// markActions take the tools for core, garbage and what keeps its colour.
func (s *Screen) markActions() []action {
	var list []action
	for _, t := range []struct {
		label string
		use   ToolUse
	}{
		{"Paint Core", ToolUse{BrushTool, TargetCore}}, {"Boxes of Core", ToolUse{BoxTool, TargetCore}},
		{"Paint Garbage", ToolUse{BrushTool, TargetGarbage}}, {"Boxes of Garbage", ToolUse{BoxTool, TargetGarbage}},
		{"Pick a Colour to Keep", ToolUse{PickTool, TargetKept}}, {"Paint What Keeps Its Colour", ToolUse{BrushTool, TargetKept}},
	} {
		list = append(list, action{
			menu: "Tools", label: t.label, do: func() { s.tools.take(t.use) }, can: s.hasPlate, on: func() bool { return s.tools.use == t.use },
		})
	}
	return list
}

// regionRow is one of core and garbage: its tools, its file, and what there is of it.
type regionRow struct {
	content    *fyne.Container
	target     Target
	name       string
	region     func(c *settings.Choices) (*settings.Region, *string)
	brush, box *button
	clear      *button
	about      *canvas.Text
	text       string
	remarks    *remarks
}

func newRegionRow(s *Screen, target Target, name, effect string, open func(), region func(c *settings.Choices) (*settings.Region, *string)) *regionRow {
	r := &regionRow{target: target, name: name, region: region, remarks: newRemarks(), about: newText("", sizeSmall, grey(greyQuiet))}
	r.brush = newButton("Brush", plainButton, func() { s.Paint(target) }).helps("Paint where "+effect, s.tip)
	r.box = newButton("Box", plainButton, func() { s.Box(target) }).helps("Draw boxes in which "+effect, s.tip)
	file := newButton("File…", plainButton, open).helps("Open a picture that is white where "+effect, s.tip)
	r.clear = newButton("Clear", flatButton, func() {
		s.intents.Choose(s.step("Clear "+strings.ToLower(name)), func(c *settings.Choices) {
			marked, path := region(c)
			*marked, *path = settings.Region{}, ""
		})
	}).helps("Take all of it away: boxes, strokes and the file", s.tip)
	for _, b := range []*button{r.clear, r.brush, r.box, file} {
		b.pad = narrowPad
	}
	head := container.NewBorder(nil, nil, container.NewCenter(newText(name, sizeText, grey(greyText))), container.NewHBox(r.clear, r.brush, r.box, file))
	r.content = container.New(column(2), head, r.about, r.remarks.content, spacer(1, 2))
	r.about.Hide()
	return r
}

// show draws a state and reports whether the height may have changed.
func (r *regionRow) show(s State, file BesideState) bool {
	marked, _ := r.region(&s.Choices)
	text := drawnWords(len(marked.Boxes), len(marked.Strokes))
	if file.Name != "" {
		name := file.Name
		if file.Reading {
			name = "reading " + name
		}
		if text != "" {
			text += ", "
		}
		text += name
	}
	r.text = text
	changed := r.about.Visible() != (text != "")
	visible(r.about, text != "")
	say(r.about, shorten(text, panelText, sizeSmall, fyne.TextStyle{}), grey(greyQuiet))
	r.clear.enable(text != "")
	return r.remarks.show(file.Remarks) || changed
}

// tool marks which tool is in use.
func (r *regionRow) tool(u ToolUse) {
	r.brush.turn(u == ToolUse{BrushTool, r.target})
	r.box.turn(u == ToolUse{BoxTool, r.target})
}

// drawnWords counts what was drawn; empty for nothing.
func drawnWords(boxes, strokes int) string {
	var parts []string
	if boxes > 0 {
		parts = append(parts, countedBoxes(boxes))
	}
	if strokes > 0 {
		parts = append(parts, counted(strokes, "stroke"))
	}
	return strings.Join(parts, ", ")
}
