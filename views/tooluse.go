//go:build !headless

package views

import "greenroom/engine/settings"

// ToolKind is a kind of tool.
type ToolKind int

const (
	// NoTool lets the left button pan.
	NoTool ToolKind = iota
	// BrushTool paints strokes, BoxTool draws boxes, PickTool picks colours.
	BrushTool
	BoxTool
	PickTool
)

// ToolUse is a tool and what it marks. The zero ToolUse is none.
type ToolUse struct {
	Kind   ToolKind
	Target Target
}

// can reports whether there is such a tool.
func (u ToolUse) can() bool {
	switch u.Kind {
	case BoxTool:
		return u.Target == TargetCore || u.Target == TargetGarbage
	case PickTool:
		return u.Target == TargetHint || u.Target == TargetKept
	}
	return true
}

// title names the tool.
func (u ToolUse) title() string {
	names := map[ToolUse]string{
		{BrushTool, TargetHint}: "Paint the hint", {BrushTool, TargetCore}: "Paint the core",
		{BrushTool, TargetGarbage}: "Paint garbage", {BrushTool, TargetKept}: "Paint what keeps its colour",
		{BoxTool, TargetCore}: "Boxes of core", {BoxTool, TargetGarbage}: "Boxes of garbage",
		{PickTool, TargetHint}: "Pick the screen's colour", {PickTool, TargetKept}: "Pick a colour to keep",
	}
	return names[u]
}

// paintMode is what a brush paints.
type paintMode struct {
	value       float64
	label, help string
}

// modes are what a brush can paint on a target, the first one first.
func (t Target) modes() []paintMode {
	switch t {
	case TargetHint:
		return []paintMode{
			{settings.PaintSubject, "Subject", "Paint where the subject is"},
			{settings.PaintScreen, "Screen", "Paint where the screen is"},
			{settings.PaintTranslucent, "Translucent", "Paint what is seen through: glass, veils, fine hair"},
		}
	case TargetKept:
		return []paintMode{
			{settings.PaintSubject, "Keep", "Paint where despill leaves the colour alone"},
			{settings.PaintScreen, "Release", "Take away from what keeps its colour"},
		}
	}
	return []paintMode{
		{settings.PaintSubject, "Add", "Add to the area"}, {settings.PaintScreen, "Remove", "Take away from the area"},
	}
}

// strokes returns what was painted on a target.
func (t Target) strokes(m *settings.Marks) *[]settings.Stroke {
	switch t {
	case TargetCore:
		return &m.Core.Strokes
	case TargetGarbage:
		return &m.Garbage.Strokes
	case TargetKept:
		return &m.KeptStrokes
	}
	return &m.Hint
}

// boxes returns the boxes of a target; nil for one that has none.
func (t Target) boxes(m *settings.Marks) *[]settings.Box {
	switch t {
	case TargetCore:
		return &m.Core.Boxes
	case TargetGarbage:
		return &m.Garbage.Boxes
	}
	return nil
}

// name is the target in a step's name.
func (t Target) name() string {
	return [...]string{"hint strokes", "core", "garbage", "kept places"}[t]
}
