package views

import (
	"image"
	"math"

	"greenroom/engine/colour"
	"greenroom/engine/picture"
	"greenroom/engine/settings"
)

// NewShownBackdrop makes a picture ready that lies behind a key: in linear light over Rec.709 primaries, black under its
// alpha and where it is no number, as it is mixed. The picture may change later.
func NewShownBackdrop(p picture.Picture) *Shown {
	m := picture.New(p.RGB.W, p.RGB.H, 3)
	light, err := colour.NewConverter(p.Space, colour.LinearRec709, 1)
	if err != nil {
		light, _ = colour.NewConverter(colour.SRGB, colour.LinearRec709, 1)
	}
	picture.ParallelRows(m.H, func(y0, y1 int) {
		for y := y0; y < y1; y++ {
			row := m.Row(y)
			light.Row(row, p.RGB.Row(y))
			for i, v := range row {
				if v-v != 0 {
					row[i] = 0
				}
			}
			if p.Alpha.Empty() {
				continue
			}
			for x, a := range p.Alpha.Row(y) {
				for i := 3 * x; i < 3*x+3; i++ {
					row[i] *= a
				}
			}
		}
	})
	return newShownFloats(m, nil)
}

// stretch is where a picture lies along one axis of a frame: its pixels from..to take size pixels of the frame from at on.
type stretch struct{ from, to, at, size int }

// layOut returns where a picture of n pixels lies that is scaled about the middle of a frame and moved by an offset: on
// whole pixels of the frame, as the engine's comp has it.
func layOut(n, frame int, scale, offset float64) stretch {
	at := (float64(frame)-float64(n)*scale)/2 + offset
	// What lies outside the frame, but for the reach of a filter, does not count: it decides how the rest is rounded.
	margin := 4 / math.Min(scale, 1)
	limit := func(v float64) int { return int(math.Max(0, math.Min(v, float64(n)))) }
	s := stretch{from: limit(math.Floor(-at/scale - margin)), to: limit(math.Ceil((float64(frame)-at)/scale + margin))}
	s.at = int(math.Round(at + float64(s.from)*scale))
	s.size = max(int(math.Round(float64(s.to-s.from)*scale)), 1)
	return s
}

// placementScale is how much a placement enlarges a picture of pw x ph pixels in a frame of w x h.
func placementScale(p settings.Placement, pw, ph, w, h int) float64 {
	across, down := float64(w)/float64(pw), float64(h)/float64(ph)
	switch p {
	case settings.PlaceFit:
		return math.Min(across, down)
	case settings.PlaceActual:
		return 1
	}
	return math.Max(across, down)
}

// backdrop returns what samples a picture behind the key, placed by the look, for rectangles of the viewport.
func (f frame) backdrop(s *Shown) func(r image.Rectangle) *behindSampler {
	w, h := f.layers.Plate.Size()
	c := f.look.Comp
	scale := placementScale(c.Placement, s.w, s.h, w, h) * c.Scale
	across, down := layOut(s.w, w, scale, c.OffsetX), layOut(s.h, h, scale, c.OffsetY)
	level := s.level(f.place.zoom * scale)
	m := s.floats[level]
	return func(r image.Rectangle) *behindSampler {
		b := &behindSampler{}
		b.sampler = &sampler{w: m.W, h: m.H, colour: m}
		b.columns, b.from, b.to = across.stops(r.Min.X, r.Max.X, f.place, f.place.left, level, m.W)
		b.rows, b.top, b.bottom = down.stops(r.Min.Y, r.Max.Y, f.place, f.place.top, level, m.H)
		return b
	}
}

// behindSampler reads a picture that need not cover the whole rectangle: only columns from..to and rows top..bottom of it.
type behindSampler struct {
	*sampler
	from, to, top, bottom int
}

// stops places device pixels over a copy of a picture that was halved level times to size samples. Those that the picture
// covers are first..last. Where the frame's pixels are squares, so is what lies behind them.
func (s stretch) stops(from, to int, p placed, edge float64, level, size int) (list []stop, first, last int) {
	list = make([]stop, to-from)
	first, last = len(list), 0
	for i := range list {
		at := (float64(from+i) + 0.5 - edge) / p.zoom
		if p.squares() {
			at = math.Floor(at) + 0.5
		}
		at -= float64(s.at)
		if at >= 0 && at < float64(s.size) && s.to > s.from {
			first, last = min(first, i), i+1
		}
		position := (float64(s.from)+at*float64(s.to-s.from)/float64(s.size))/float64(int(1)<<level) - 0.5
		position = math.Max(0, math.Min(position, float64(size-1)))
		n := int(position)
		list[i] = stop{at: n, next: min(n+1, size-1), part: float32(position - float64(n))}
	}
	return list, min(first, last), last
}

// behind is a row of what lies behind the key.
type behind struct {
	line
	// from..to are the columns that the picture covers.
	from, to int
}
