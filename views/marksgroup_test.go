//go:build !headless

package views

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"greenroom/engine/colour"
	"greenroom/engine/settings"
)

func TestBarsBecomeGarbageByOneClick(t *testing.T) {
	r, s := ready(t)
	m := r.panel.matte.marks
	if m.bars.Visible() {
		t.Error("a plate without bars has them proposed")
	}
	old := settings.Box{X0: 3, Y0: 4, X1: 5, Y1: 6}
	r.asked.choices.Marks.Garbage.Boxes = []settings.Box{old}
	s.Matte.Bars = []settings.Box{{X1: plateW, Y1: 20}, {Y0: 340, X1: plateW, Y1: plateH}}
	s = r.follow(s)
	if !m.bars.Visible() || len(r.asked.choices.Marks.Garbage.Boxes) != 1 {
		t.Fatal("bars are not proposed, or were taken")
	}
	tap(m.bars.Objects[1].(*button))
	if want := append([]settings.Box{old}, s.Matte.Bars...); !slices.Equal(r.asked.choices.Marks.Garbage.Boxes, want) {
		t.Errorf("garbage %v", r.asked.choices.Marks.Garbage.Boxes)
	}
	s.Matte.Bars = nil
	s = r.follow(s)
	if m.bars.Visible() || m.garbage.text != "3 boxes" || m.section.note.Text != "garbage" {
		t.Errorf("then: %q, %q", m.garbage.text, m.section.note.Text)
	}
	tap(m.garbage.clear)
	if r.follow(s); !r.asked.choices.Marks.Garbage.Empty() || !m.garbage.clear.disabled {
		t.Errorf("after clearing: %+v", r.asked.choices.Marks.Garbage)
	}
}

func TestCoreAndGarbageFilesAreNamedAndCleared(t *testing.T) {
	r, s := ready(t)
	m := r.panel.matte.marks
	for _, row := range []*regionRow{m.core, m.garbage} {
		tap(row.content.Objects[0].(*fyne.Container).Objects[1].(*fyne.Container).Objects[3].(*button))
	}
	if want := []string{"open core", "open garbage"}; !slices.Equal(r.asked.names, want) {
		t.Errorf("asked %q, want %q", r.asked.names, want)
	}
	r.asked.choices.Core = "/jobs/core.png"
	r.asked.choices.Marks.Core.Strokes = []settings.Stroke{{Points: []settings.Point{{X: 1, Y: 1}}, Size: 5, Value: 1}}
	s.Matte.Core = BesideState{Name: "core.png", Remarks: []Remark{{Text: "Resized"}}}
	s = r.follow(s)
	if m.core.text != "1 stroke, core.png" || !m.core.remarks.content.Visible() {
		t.Errorf("the row says %q", m.core.text)
	}
	s.Matte.Core = BesideState{Name: "core.png", Reading: true}
	if s = r.follow(s); m.core.text != "1 stroke, reading core.png" {
		t.Errorf("while it is read: %q", m.core.text)
	}
	tap(m.core.clear)
	if !r.asked.choices.Marks.Core.Empty() || r.asked.choices.Core != "" {
		t.Errorf("after clearing: %+v", r.asked.choices)
	}
}

func TestKeptColoursAreListedChangedAndForgotten(t *testing.T) {
	r, s := ready(t)
	r.unfold()
	k := r.panel.matte.kept
	kept := []settings.KeptColour{
		{Colour: settings.Colour{0.2, 0.6, 0.1}, Tolerance: settings.DefaultTolerance}, {Colour: settings.Colour{1, 1, 0}, Tolerance: 0.2},
	}
	r.asked.choices.Marks.Kept = kept
	r.asked.choices.Marks.KeptStrokes = []settings.Stroke{{Points: []settings.Point{{X: 1, Y: 1}}, Size: 5, Value: 1}}
	s = r.follow(s)
	if len(k.rows) != 2 || rgbWords(displayed(kept[0].Colour, colour.SRGB)) != "51, 153, 26" || !strings.Contains(k.about.Text, "1 stroke") {
		t.Fatalf("%d rows, %q", len(k.rows), k.about.Text)
	}
	if light := displayed(kept[0].Colour, colour.LinearRec709); light.R <= 51 {
		t.Errorf("in linear light it looks as %v", light)
	}
	typeNumber(r, k.rows[1].tolerance.number, "0.3")
	if r.asked.choices.Marks.Kept[1].Tolerance != 0.3 || kept[1].Tolerance != 0.2 || r.asked.choices.Marks.Kept[0] != kept[0] {
		t.Errorf("kept %v, before %v", r.asked.choices.Marks.Kept, kept)
	}
	s = r.follow(s)
	tap(k.rows[0].remove)
	s = r.follow(s)
	if len(r.asked.choices.Marks.Kept) != 1 || len(k.rows) != 1 || k.rows[0].tolerance.slider.value != 0.3 || len(kept) != 2 {
		t.Errorf("after forgetting one: %v", r.asked.choices.Marks.Kept)
	}
	tap(k.clear)
	if r.follow(s); len(r.asked.choices.Marks.Kept)+len(r.asked.choices.Marks.KeptStrokes)+len(k.rows) != 0 || !k.clear.disabled {
		t.Errorf("after clearing: %+v", r.asked.choices.Marks)
	}
}
