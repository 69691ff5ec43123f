package keying

import "greenroom/engine/settings"

// sidecarMarks are settings.Marks as they stand in a sidecar: places and colours as arrays, in the plate's pixels and
// space.
type sidecarMarks struct {
	Samples     []settings.Colour     `toml:"samples,omitempty"`
	Hint        []sidecarStroke       `toml:"hint,omitempty"`
	Core        sidecarRegion         `toml:"core,omitempty"`
	Garbage     sidecarRegion         `toml:"garbage,omitempty"`
	Kept        []settings.KeptColour `toml:"kept,omitempty"`
	KeptStrokes []sidecarStroke       `toml:"kept_strokes,omitempty"`
}

type sidecarStroke struct {
	Value    float64      `toml:"value"`
	Size     float64      `toml:"size"`
	Softness float64      `toml:"softness"`
	Points   [][2]float64 `toml:"points"` // x, y
}

type sidecarRegion struct {
	Boxes   [][4]float64    `toml:"boxes,omitempty"` // x0, y0, x1, y1
	Strokes []sidecarStroke `toml:"strokes,omitempty"`
}

func newSidecarMarks(m settings.Marks) sidecarMarks {
	return sidecarMarks{
		Samples: m.Samples, Hint: newSidecarStrokes(m.Hint), Core: newSidecarRegion(m.Core), Garbage: newSidecarRegion(m.Garbage),
		Kept: m.Kept, KeptStrokes: newSidecarStrokes(m.KeptStrokes),
	}
}

func newSidecarStrokes(list []settings.Stroke) []sidecarStroke {
	var out []sidecarStroke
	for _, s := range list {
		stroke := sidecarStroke{Value: s.Value, Size: s.Size, Softness: s.Softness}
		for _, p := range s.Points {
			stroke.Points = append(stroke.Points, [2]float64{p.X, p.Y})
		}
		out = append(out, stroke)
	}
	return out
}

func newSidecarRegion(r settings.Region) sidecarRegion {
	out := sidecarRegion{Strokes: newSidecarStrokes(r.Strokes)}
	for _, b := range r.Boxes {
		out.Boxes = append(out.Boxes, [4]float64{b.X0, b.Y0, b.X1, b.Y1})
	}
	return out
}

// marks returns them as the engine takes them.
func (m sidecarMarks) marks() settings.Marks {
	return settings.Marks{
		Samples: m.Samples, Hint: strokes(m.Hint), Core: m.Core.region(), Garbage: m.Garbage.region(),
		Kept: m.Kept, KeptStrokes: strokes(m.KeptStrokes),
	}
}

func strokes(list []sidecarStroke) []settings.Stroke {
	var out []settings.Stroke
	for _, s := range list {
		stroke := settings.Stroke{Value: s.Value, Size: s.Size, Softness: s.Softness}
		for _, p := range s.Points {
			stroke.Points = append(stroke.Points, settings.Point{X: p[0], Y: p[1]})
		}
		out = append(out, stroke)
	}
	return out
}

func (r sidecarRegion) region() settings.Region {
	out := settings.Region{Strokes: strokes(r.Strokes)}
	for _, b := range r.Boxes {
		out.Boxes = append(out.Boxes, settings.Box{X0: b[0], Y0: b[1], X1: b[2], Y1: b[3]})
	}
	return out
}
