//go:build !headless

package views

import (
	"bytes"
	"image/color"
	"slices"
	"testing"

	"greenroom/engine/colour"
	"greenroom/engine/settings"
)

// scribbles are strokes of which each goes over the ones before.
func scribbles(n int, size float64) []SketchedStroke {
	var list []SketchedStroke
	for i := range n {
		s := SketchedStroke{settings.Stroke{Size: size, Softness: 0.5}, color.NRGBA{uint8(90 * i), 200, 40, 110}}
		for j := range 12 {
			s.Points = append(s.Points, settings.Point{X: float64(20 + 13*j), Y: float64(15 + 37*(i+j)%90)})
		}
		list = append(list, s)
	}
	return list
}

// TestAGrowingSketchLooksAsDrawnAtOnce draws strokes point by point, and takes some away again.
func TestAGrowingSketchLooksAsDrawnAtOnce(t *testing.T) {
	layers := Layers{Plate: shown(200, 120, colour.SRGB, evenly(0.4))}
	look := Look{Unit: 1}
	draw := func(p *Painter, strokes []SketchedStroke, sight Sight) []uint8 {
		p.Draw(300, 180, layers, sight, look)
		if !p.DrawSketch(Sketch{Strokes: strokes}, layers, sight, look) {
			t.Fatal("little was drawn in turns")
		}
		return slices.Clone(p.out.Pix)
	}
	p, all := NewPainter(), scribbles(3, 30)
	check := func(what string, strokes []SketchedStroke, sight Sight) {
		t.Helper()
		if got, want := draw(p, strokes, sight), draw(NewPainter(), strokes, sight); !bytes.Equal(got, want) {
			t.Fatalf("%s is not as drawn at once", what)
		}
	}
	for i := range all {
		for n := 1; n <= len(all[i].Points); n += 3 {
			growing := slices.Clone(all[:i+1])
			growing[i].Points = growing[i].Points[:n]
			check("a stroke that grows", growing, Sight{})
		}
		check("a stroke", all[:i+1], Sight{})
	}
	check("another zoom", all, Sight{Zoom: 3, X: 90, Y: 50})
	check("without the last", all[:2], Sight{Zoom: 3, X: 90, Y: 50})
	check("without the first", all[1:], Sight{Zoom: 3, X: 90, Y: 50})
}

// TestAHeavySketchIsDrawnInTurns draws more strokes over the whole viewport than one turn takes.
func TestAHeavySketchIsDrawnInTurns(t *testing.T) {
	layers, look := Layers{Plate: shown(200, 120, colour.SRGB, evenly(0.4))}, Look{Unit: 1}
	const w, h, n = 1000, 600, 40
	p, strokes := NewPainter(), scribbles(n, 400)
	turns := 0
	for all := false; !all; turns++ {
		if turns > n {
			t.Fatal("it is never all drawn")
		}
		before := 0
		if p.sketched != nil {
			before = len(p.sketched.laid)
		}
		p.Draw(w, h, layers, Sight{}, look)
		all = p.DrawSketch(Sketch{Strokes: strokes}, layers, Sight{}, look)
		if laid := len(p.sketched.laid) - before; (laid-1)*w*h > inkTurn {
			t.Errorf("%d strokes were laid in a turn", laid)
		}
	}
	if turns < 2 {
		t.Error("it was all drawn in one turn")
	}
}
