package settings

import (
	"math"
	"slices"
	"strings"
	"testing"
)

func drawnMarks() Marks {
	stroke := func(value float64) Stroke {
		return Stroke{Points: []Point{{1, 2}, {30.5, 4}}, Size: 12, Softness: 0.5, Value: value}
	}
	return Marks{
		Hint:    []Stroke{stroke(PaintSubject), stroke(PaintTranslucent)},
		Samples: []Colour{{0.1, 0.6, 0.2}},
		Core:    Region{Boxes: []Box{{1, 1, 5, 7}}, Strokes: []Stroke{stroke(PaintSubject)}},
		Garbage: Region{Boxes: []Box{{0, 0, 9, 3}}, Strokes: []Stroke{stroke(PaintScreen)}},
		Kept:    []KeptColour{{Colour: Colour{0.1, 0.4, 0.2}, Tolerance: DefaultTolerance}}, KeptStrokes: []Stroke{stroke(1)},
	}
}

func TestMarksAreRefusedByName(t *testing.T) {
	if err := drawnMarks().Validate(); err != nil {
		t.Fatal(err)
	}
	if err := (Marks{}).Validate(); err != nil {
		t.Fatal(err)
	}
	nan := math.NaN()
	for want, change := range map[string]func(*Marks){
		"hint stroke 1":    func(m *Marks) { m.Hint[0].Points = nil },
		"hint stroke 2":    func(m *Marks) { m.Hint[1].Size = 0 },
		"core stroke 1":    func(m *Marks) { m.Core.Strokes[0].Softness = 1.5 },
		"garbage stroke":   func(m *Marks) { m.Garbage.Strokes[0].Value = nan },
		"kept stroke 1":    func(m *Marks) { m.KeptStrokes[0].Points[1].X = nan },
		"size is 1e+09":    func(m *Marks) { m.Hint[0].Size = 1e9 },
		"core box 1":       func(m *Marks) { m.Core.Boxes[0].X1 = 0 },
		"garbage box 1":    func(m *Marks) { m.Garbage.Boxes[0].Y0 = nan },
		"screen sample 1":  func(m *Marks) { m.Samples[0][2] = math.Inf(1) },
		"kept colour 1":    func(m *Marks) { m.Kept[0].Tolerance = 2 },
		"points":           func(m *Marks) { m.Hint[0].Points = make([]Point, mostPoints+1) },
		"strokes: at most": func(m *Marks) { m.Hint = slices.Repeat(m.Hint[:1], mostStrokes+1) },
	} {
		m := drawnMarks()
		change(&m)
		if err := m.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", want, err)
		}
	}
}

func TestClonedMarksShareNothing(t *testing.T) {
	m := drawnMarks()
	c := m.Clone()
	if !c.Core.Equal(m.Core) || !c.Garbage.Equal(m.Garbage) || !EqualStrokes(c.Hint, m.Hint) || !EqualStrokes(c.KeptStrokes, m.KeptStrokes) {
		t.Fatal("a clone differs")
	}
	c.Hint[0].Points[0].X, c.Core.Strokes[0].Points[0].X, c.KeptStrokes[0].Points[0].X = 99, 99, 99
	c.Garbage.Boxes[0].X0, c.Samples[0][0], c.Kept[0].Tolerance = -1, 0.9, 1
	want := drawnMarks()
	if !EqualStrokes(m.Hint, want.Hint) || !m.Core.Equal(want.Core) || !m.Garbage.Equal(want.Garbage) ||
		!EqualStrokes(m.KeptStrokes, want.KeptStrokes) || m.Samples[0] != want.Samples[0] || m.Kept[0] != want.Kept[0] {
		t.Fatal("changing a clone changed the marks")
	}
}

func TestEqualStrokesSeesEveryField(t *testing.T) {
	for name, change := range map[string]func(*Stroke){
		"point": func(s *Stroke) { s.Points[1].Y++ }, "points": func(s *Stroke) { s.Points = s.Points[:1] },
		"size": func(s *Stroke) { s.Size++ }, "softness": func(s *Stroke) { s.Softness = 0 }, "value": func(s *Stroke) { s.Value = 0 },
	} {
		a, b := drawnMarks(), drawnMarks()
		change(&b.Hint[0])
		if EqualStrokes(a.Hint, b.Hint) {
			t.Errorf("another %s is not seen", name)
		}
	}
}
