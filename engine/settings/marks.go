package settings

import (
	"fmt"
	"math"
	"slices"
)

// Marks are what the artist drew and picked on one plate. Unlike a Look they belong to that plate: places are
// in its pixels, from the upper left corner of the frame, with pixel centres at halves. The zero Marks are
// none.
type Marks struct {
	// Hint is painted over the hint, in order; its values are PaintSubject, PaintScreen and PaintTranslucent.
	Hint []Stroke
	// Samples are colours of the screen that were picked for the chroma hint, in the plate's space.
	Samples []Colour
	// Core forces the matte to 1, Garbage to 0; garbage wins.
	Core, Garbage Region
	// Kept are colours that despill leaves alone: green clothes, props. KeptStrokes are places that it leaves
	// alone, painted with PaintSubject; PaintScreen takes them back.
	Kept        []KeptColour
	KeptStrokes []Stroke
}

// The values that strokes paint.
const (
	// PaintSubject marks the subject in a hint, and adds to a region.
	PaintSubject = 1.0
	// PaintTranslucent marks what is seen through in a hint: glass, veils.
	PaintTranslucent = 0.5
	// PaintScreen marks the screen in a hint, and takes away from a region.
	PaintScreen = 0.0
)

// Point is a place on a plate in pixels.
type Point struct{ X, Y float64 }

// Stroke is one line of the brush.
type Stroke struct {
	// Points are the brush's middle on its way; one point is a dab.
	Points []Point
	// Size is the brush's diameter in pixels.
	Size float64
	// Softness is the outer share of the radius over which the brush fades, 0..1; 0 is a sharp edge.
	Softness float64
	// Value is what is painted, 0..1.
	Value float64
}

// Box is an upright rectangle on a plate in pixels: X0 <= x < X1, Y0 <= y < Y1.
type Box struct{ X0, Y0, X1, Y1 float64 }

// Region is an area of a plate: its boxes, with strokes painted over them.
type Region struct {
	Boxes   []Box
	Strokes []Stroke
}

// Empty reports whether nothing is marked.
func (r Region) Empty() bool { return len(r.Boxes) == 0 && len(r.Strokes) == 0 }

// Colour is a colour in some space that is stated beside it: red, green, blue.
type Colour [3]float64

// KeptColour is a colour that despill leaves alone.
type KeptColour struct {
	// Colour is in the plate's space.
	Colour Colour
	// Tolerance is how far another colour may lie from it to be left alone as well, 0..1, as the distance of
	// their chromaticities: the shares of red, green and blue in their sum, in linear light. Brightness does
	// not count, so that folds and shadows of one cloth are kept together.
	Tolerance float64
}

// DefaultTolerance is the tolerance of a kept colour that was just picked: cloth under uneven light.
const DefaultTolerance = 0.08

// Clone returns marks that share no memory with m.
func (m Marks) Clone() Marks {
	m.Hint, m.KeptStrokes = cloneStrokes(m.Hint), cloneStrokes(m.KeptStrokes)
	m.Samples, m.Kept = slices.Clone(m.Samples), slices.Clone(m.Kept)
	m.Core, m.Garbage = m.Core.Clone(), m.Garbage.Clone()
	return m
}

// Clone returns a region that shares no memory with r.
func (r Region) Clone() Region {
	return Region{Boxes: slices.Clone(r.Boxes), Strokes: cloneStrokes(r.Strokes)}
}

func cloneStrokes(list []Stroke) []Stroke {
	list = slices.Clone(list)
	for i := range list {
		list[i].Points = slices.Clone(list[i].Points)
	}
	return list
}

// Equal reports whether two marks say the same in the same way.
func (m Marks) Equal(o Marks) bool {
	return EqualStrokes(m.Hint, o.Hint) && slices.Equal(m.Samples, o.Samples) && m.Core.Equal(o.Core) &&
		m.Garbage.Equal(o.Garbage) && slices.Equal(m.Kept, o.Kept) && EqualStrokes(m.KeptStrokes, o.KeptStrokes)
}

// Equal reports whether two regions mark the same in the same way.
func (r Region) Equal(o Region) bool {
	return slices.Equal(r.Boxes, o.Boxes) && EqualStrokes(r.Strokes, o.Strokes)
}

// EqualStrokes reports whether two lists of strokes paint the same in the same way.
func EqualStrokes(a, b []Stroke) bool {
	return slices.EqualFunc(a, b, func(a, b Stroke) bool {
		return a.Size == b.Size && a.Softness == b.Softness && a.Value == b.Value && slices.Equal(a.Points, b.Points)
	})
}

const (
	// mostBrush is the widest brush in pixels, and farthest how far from the frame a place may lie: files of
	// marks come from outside, and their numbers must not turn into hours of work.
	mostBrush, farthest = 10_000, 1_000_000
	// mostPoints is the most places that the strokes of a plate may have, and mostStrokes the most strokes: each can
	// cover the whole of it.
	mostPoints, mostStrokes = 1_000_000, 10_000
)

// Validate reports the first mark that cannot work, with what would.
func (m Marks) Validate() error {
	points, strokes := 0, 0
	for _, list := range []struct {
		name    string
		strokes []Stroke
	}{
		{"hint", m.Hint}, {"core", m.Core.Strokes}, {"garbage", m.Garbage.Strokes}, {"kept", m.KeptStrokes},
	} {
		strokes += len(list.strokes)
		for i, s := range list.strokes {
			if err := s.validate(); err != nil {
				return fmt.Errorf("%s stroke %d: %w", list.name, i+1, err)
			}
			points += len(s.Points)
		}
	}
	if strokes > mostStrokes {
		return fmt.Errorf("there are %d strokes: at most %d", strokes, mostStrokes)
	}
	if points > mostPoints {
		return fmt.Errorf("the strokes have %d points: at most %d", points, mostPoints)
	}
	for _, list := range []struct {
		name  string
		boxes []Box
	}{
		{"core", m.Core.Boxes}, {"garbage", m.Garbage.Boxes},
	} {
		for i, b := range list.boxes {
			if !(b.X0 <= b.X1 && b.Y0 <= b.Y1) || !near(b.X0) || !near(b.Y0) || !near(b.X1) || !near(b.Y1) {
				return fmt.Errorf("%s box %d is %v,%v to %v,%v: its corners must be upper left, then lower right",
					list.name, i+1, b.X0, b.Y0, b.X1, b.Y1)
			}
		}
	}
	return m.validateColours()
}

func (m Marks) validateColours() error {
	finite := func(c Colour) bool { return near(c[0]) && near(c[1]) && near(c[2]) }
	for i, c := range m.Samples {
		if !finite(c) {
			return fmt.Errorf("screen sample %d is %v: its numbers must be finite", i+1, c)
		}
	}
	for i, k := range m.Kept {
		if !finite(k.Colour) || !(k.Tolerance >= 0 && k.Tolerance <= 1) {
			return fmt.Errorf("kept colour %d is %v with tolerance %v: the tolerance goes from 0 to 1", i+1, k.Colour, k.Tolerance)
		}
	}
	return nil
}

func (s Stroke) validate() error {
	switch {
	case len(s.Points) == 0:
		return fmt.Errorf("it has no points")
	case !(s.Size > 0 && s.Size <= mostBrush):
		return fmt.Errorf("its size is %v: it goes up to %d pixels", s.Size, mostBrush)
	case !(s.Softness >= 0 && s.Softness <= 1):
		return fmt.Errorf("its softness is %v: it goes from 0 to 1", s.Softness)
	case !(s.Value >= 0 && s.Value <= 1):
		return fmt.Errorf("its value is %v: it goes from 0 to 1", s.Value)
	}
	for _, p := range s.Points {
		if !near(p.X) || !near(p.Y) {
			return fmt.Errorf("it goes to %v,%v: that is no place on a plate", p.X, p.Y)
		}
	}
	return nil
}

func near(v float64) bool { return math.Abs(v) <= farthest }
