//go:build !headless

package views

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// toolStrip is over the viewer while a tool is in use: what it does, how it is set, what it has drawn.
type toolStrip struct {
	tools    *toolbox
	content  *fyne.Container
	title    *canvas.Text
	modes    *fyne.Container
	buttons  []*button
	size     *control
	softness *control
	brush    *fyne.Container
	count    *canvas.Text
	clear    *button
	// use is what the strip was last made for.
	use ToolUse
}

func newToolStrip(t *toolbox) *toolStrip {
	s := t.screen
	p := &toolStrip{tools: t, modes: container.NewHBox()}
	p.title = newText("", sizeText, grey(greyText))
	p.title.TextStyle.Bold = true
	p.size = newControl(controlSpec{
		label: "Size", help: "The brush's diameter in pixels of the plate" + s.keyOf("Larger Brush, or More Overlay"),
		least: leastBrush, most: 1000, step: 1, usual: 40, curve: 3,
	}, s.tip, t.setSize)
	p.softness = newControl(controlSpec{
		label: "Softness", help: "The outer share of the brush that fades" + s.keyOf("Softer Brush"),
		most: 1, step: 0.01, usual: 0.3, curve: 1, decimals: 2,
	}, s.tip, t.setSoftness)
	p.brush = container.NewGridWithColumns(2, p.size, p.softness)
	p.count = newText("", sizeSmall, grey(greyQuiet))
	p.clear = newButton("Clear", plainButton, func() { t.clear(t.use.Target) }).helps("Take away all that was drawn here", s.tip)
	done := newButton("Done", plainButton, s.PutToolAway).helps("Put the tool away (Esc)", s.tip)
	head := container.NewBorder(nil, nil, container.NewHBox(container.NewCenter(p.title), spacer(4, 0), p.modes), container.NewHBox(container.NewCenter(p.count), p.clear, done))
	back := canvas.NewRectangle(grey(greyChrome))
	back.CornerRadius, back.StrokeWidth, back.StrokeColor = 6, 1, grey(greyTrough)
	inside := container.New(column(4), head, p.brush)
	p.content = container.New(stripPlace{p}, container.NewStack(newShield(), back, container.New(paddedBy(gap), inside)))
	p.content.Hide()
	return p
}

// show draws how the tools are set.
func (p *toolStrip) show() {
	t := p.tools
	use := t.use
	visible(p.content, use.Kind != NoTool)
	if use.Kind == NoTool {
		p.use = use
		return
	}
	if use != p.use {
		p.use = use
		p.title.Text = use.title()
		p.modes.Objects, p.buttons = nil, nil
		if use.Kind == BrushTool {
			for _, m := range use.Target.modes() {
				b := newButton(m.label, plainButton, func() { t.setMode(m.value) }).helps(m.help+t.screen.keyOf("Swap Brush"), t.screen.tip)
				p.buttons = append(p.buttons, b)
				p.modes.Add(b)
			}
		}
		visible(p.modes, use.Kind == BrushTool)
		visible(p.brush, use.Kind == BrushTool)
		p.content.Refresh()
	}
	if use.Kind == BrushTool {
		for i, m := range use.Target.modes() {
			p.buttons[i].turn(m.value == t.brush.value)
		}
	}
	p.size.set(t.brush.size)
	p.softness.set(t.brush.softness)
	// A brush has no usual size.
	visible(p.size.reset, false)
	text := p.words()
	if say(p.count, text, grey(greyQuiet)) {
		p.content.Refresh()
	}
	visible(p.clear, use.Kind != PickTool)
	p.clear.enable(text != "")
}

// words says what was drawn on the target in use; empty for nothing.
func (p *toolStrip) words() string {
	if p.use.Kind == PickTool {
		return "Click the plate"
	}
	strokes, boxes := p.tools.drawn(p.use.Target)
	switch {
	case strokes > 0 && boxes > 0:
		return counted(strokes, "stroke") + ", " + countedBoxes(boxes)
	case boxes > 0:
		return countedBoxes(boxes)
	case strokes > 0:
		return counted(strokes, "stroke")
	}
	return ""
}

// counted writes a number of things.
func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

func countedBoxes(n int) string {
	if n == 1 {
		return "1 box"
	}
	return fmt.Sprintf("%d boxes", n)
}

// stripWidth is the width of a strip that sets a brush, narrowStrip of one that has nothing to set.
const stripWidth, narrowStrip = 620, 380

// stripPlace puts the strip over the middle of the viewer, at its upper edge: where the plate leaves most room.
type stripPlace struct{ strip *toolStrip }

// MinSize implements fyne.Layout.
func (stripPlace) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(narrowStrip, o[0].MinSize().Height)
}

// Layout implements fyne.Layout.
func (p stripPlace) Layout(o []fyne.CanvasObject, size fyne.Size) {
	width := float32(narrowStrip)
	if p.strip.use.Kind == BrushTool {
		width = stripWidth
	}
	width = fyne.Min(width, size.Width-2*gap)
	o[0].Move(fyne.NewPos((size.Width-width)/2, gap))
	o[0].Resize(fyne.NewSize(width, o[0].MinSize().Height))
}

// paddedBy keeps a distance around its only object.
type paddedBy float32

// MinSize implements fyne.Layout.
func (p paddedBy) MinSize(o []fyne.CanvasObject) fyne.Size {
	return o[0].MinSize().AddWidthHeight(2*float32(p), 2*float32(p))
}

// Layout implements fyne.Layout.
func (p paddedBy) Layout(o []fyne.CanvasObject, size fyne.Size) {
	o[0].Move(fyne.NewPos(float32(p), float32(p)))
	o[0].Resize(size.SubtractWidthHeight(2*float32(p), 2*float32(p)))
}

// shield keeps what is done with the pointer over it from what lies under it.
type shield struct{ widget.BaseWidget }

func newShield() *shield {
	s := &shield{}
	s.ExtendBaseWidget(s)
	return s
}

// Tapped implements fyne.Tappable.
func (s *shield) Tapped(*fyne.PointEvent) {}

// Scrolled implements fyne.Scrollable.
func (s *shield) Scrolled(*fyne.ScrollEvent) {}

// Dragged implements fyne.Draggable.
func (s *shield) Dragged(*fyne.DragEvent) {}

// DragEnd implements fyne.Draggable.
func (s *shield) DragEnd() {}

// MouseDown implements desktop.Mouseable.
func (s *shield) MouseDown(*desktop.MouseEvent) {}

// MouseUp implements desktop.Mouseable.
func (s *shield) MouseUp(*desktop.MouseEvent) {}

// MouseIn implements desktop.Hoverable.
func (s *shield) MouseIn(*desktop.MouseEvent) {}

// MouseMoved implements desktop.Hoverable.
func (s *shield) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (s *shield) MouseOut() {}

// CreateRenderer implements fyne.Widget.
func (s *shield) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(container.NewWithoutLayout())
}
