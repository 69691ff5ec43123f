package matte

import (
	"context"
	"math"

	"greenroom/engine/colour"
	"greenroom/engine/picture"
	"greenroom/engine/settings"
)

// Spill says what to take out of a foreground, and how.
type Spill struct {
	// Screen is green or blue; any other screen changes nothing.
	Screen settings.Screen
	// Limit is how much of the screen's colour a pixel may keep.
	Limit settings.DespillLimit
	// Strength is the share of the spill that goes, 0..1.
	Strength float64
	// NeutralReturn is the share of the removed luminance that comes back as neutral, 0..1.
	NeutralReturn float64
	// Vector is the screen's colour in linear light, for the screen limit. Without an excess of the screen's
	// channel that limit is the average's.
	Vector [3]float32
	// Kept are colours that are left alone, in the foreground's space.
	Kept []settings.KeptColour
	// KeptArea is a mask [H, W, 1], 0..1, of what is left alone; empty for nothing.
	KeptArea picture.Image
}

// Despill writes to dst the straight foreground fg [H, W, 3], in the given space, without the screen's colour.
// dst may be fg. The spill of a green screen, in linear light whatever the space's curve, is
//
//	average    G - (R+B)/2, taken from G
//	max        G - max(R, B), taken from G
//	screen     G - (R+B)/2, taken by subtracting the screen's colour as often as makes it 0; where red or blue
//	           would fall under 0, the rest is taken from G alone
//	reference  G - (R+B)/2 of sRGB-encoded values, taken from G, and half of it added to R and to B: what the
//	           reference tool does, for parity with keys that it made; it turns edges magenta
//
// where it is over 0. Of the luminance over the space's primaries that this takes away (but for reference) the neutral return is
// added to R, G and B alike, as far as white or the brightest of them allows, so that an edge lit by the screen
// does not turn dark. Adding the same to all three keeps what the limit gave: with average at strength 1 G is at
// most the mean of R and B, and it is never under both, so no magenta can appear; grey lit by green comes back
// grey. A blue screen acts on B.
//
// Kept colours are left alone, and fade into the rest up to one and a half times their tolerance. Pixels
// without spill keep their bits, over-range values included, and so does everything at strength 0. An unknown
// space or limit is an error; else the error is ctx's.
func Despill(ctx context.Context, dst, fg picture.Image, space colour.Space, s Spill) error {
	d, err := newDespiller(space, s)
	if err != nil {
		return err
	}
	return picture.ParallelRowsContext(ctx, fg.H, func(y0, y1 int) {
		for y := y0; y < y1; y++ {
			out := dst.Row(y)
			copy(out, fg.Row(y))
			switch {
			case d.strength == 0:
			case s.Limit == settings.DespillReference:
				d.referenceRow(out, y)
			default:
				d.row(out, y)
			}
		}
	})
}

// despiller is a Spill made ready for one space.
type despiller struct {
	curve *colour.Curve
	// encode is the sRGB curve, for the reference in a space of another curve; nil where it is that one.
	encode *colour.Curve
	// key is the index of the screen's channel, a and b those of the others.
	key, a, b int
	max       bool
	// Removing one of spill takes so much from the screen's channel and the two others, of this luminance;
	// keyLuma is that of the screen's channel alone.
	takeR, takeG, takeB float32
	luma, keyLuma       float32
	strength, neutral   float32
	// keepsSome says that there are kept colours or a kept area.
	keepsSome bool
	kept      []keptColour
	area      picture.Image
}

func newDespiller(space colour.Space, s Spill) (*despiller, error) {
	curve, err := colour.NewCurve(space)
	if err != nil {
		return nil, err
	}
	if err := s.Limit.Validate(); err != nil {
		return nil, err
	}
	luma, err := lumaOf(space)
	if err != nil {
		return nil, err
	}
	d := &despiller{
		curve: curve, strength: float32(s.Strength), neutral: float32(s.NeutralReturn), takeG: 1, keyLuma: luma[1],
		area: s.KeptArea, keepsSome: len(s.Kept) > 0 || !s.KeptArea.Empty(),
	}
	switch s.Screen {
	case settings.ScreenGreen:
	case settings.ScreenBlue:
		d.keyLuma = luma[2]
	default:
		d.strength = 0
	}
	d.key, d.a, d.b = channelsOf(s.Screen)
	otherLuma := luma[1] + luma[2] - d.keyLuma
	switch s.Limit {
	case settings.DespillMax:
		d.max = true
	case settings.DespillScreen:
		v := s.Vector
		if excess := v[d.key] - (v[d.a]+v[d.b])/2; excess > 0 {
			d.takeR, d.takeG, d.takeB = max(v[d.a], 0)/excess, v[d.key]/excess, max(v[d.b], 0)/excess
		}
	case settings.DespillReference:
		srgb, err := colour.NewCurve(colour.SRGB)
		if err != nil {
			return nil, err
		}
		if curve != srgb {
			d.encode = srgb
		}
	}
	d.luma = luma[0]*d.takeR + d.keyLuma*d.takeG + otherLuma*d.takeB
	for _, k := range s.Kept {
		d.kept = append(d.kept, newKeptColour(k, curve))
	}
	return d, nil
}

// lumaOf returns the shares of red, green and blue in the luminance of a space. Primaries outside of all colours, as
// cameras have for blue, have none.
func lumaOf(space colour.Space) (luma [3]float32, err error) {
	p, err := space.Primaries()
	if err != nil {
		return luma, err
	}
	for i, v := range p.Luminance() {
		luma[i] = float32(max(v, 0))
	}
	return luma, nil
}

// row despills one row in place.
func (d *despiller) row(row []float32, y int) {
	blue := d.key == 2
	for i := 0; i+2 < len(row); i += 3 {
		p := row[i : i+3 : i+3]
		// Every decoding curve is convex over 0, so what is under the mean encoded is under it in linear light too:
		// most pixels are done without decoding.
		key, other := p[1], p[2]
		if blue {
			key, other = other, key
		}
		if key <= (p[0]+other)/2 && p[0] >= 0 && other >= 0 {
			continue
		}
		r, g, b := d.curve.ColourToLinear(p[0], p[1], p[2])
		if blue {
			g, b = b, g
		}
		limit := (r + b) / 2
		if d.max {
			limit = max(r, b)
		}
		spill := (g - limit) * d.strength
		if !(spill > 0) {
			continue
		}
		if d.keepsSome {
			c := [3]float32{r, g, b}
			if blue {
				c[1], c[2] = b, g
			}
			if spill *= 1 - d.keeps(c, i/3, y); spill == 0 {
				continue
			}
		}
		if r, g, b = d.remove(r, g, b, spill); blue {
			g, b = b, g
		}
		p[0], p[1], p[2] = d.curve.ColourFromLinear(r, g, b)
	}
}

// remove returns a colour, the screen's channel second, without that much spill. What comes back as neutral takes
// no channel over white, nor over the brightest of the colour: a plate that was not clipped is not clipped now.
func (d *despiller) remove(r, g, b, spill float32) (float32, float32, float32) {
	whole := spill
	if d.takeR > 0 && r >= 0 {
		whole = min(whole, r/d.takeR)
	}
	if d.takeB > 0 && b >= 0 {
		whole = min(whole, b/d.takeB)
	}
	rest := spill - whole
	neutral := d.neutral * (whole*d.luma + rest*d.keyLuma)
	top := max(r, g, b, 1)
	r, g, b = r-whole*d.takeR, g-whole*d.takeG-rest, b-whole*d.takeB
	neutral = max(0, min(neutral, top-max(r, g, b)))
	return r + neutral, g + neutral, b + neutral
}

// referenceRow despills one row in place as the reference tool does.
func (d *despiller) referenceRow(row []float32, y int) {
	for x := 0; len(row) >= 3; x, row = x+1, row[3:] {
		e := [3]float32(row)
		if d.encode != nil {
			e[0], e[1], e[2] = d.encode.ColourFromLinear(d.curve.ColourToLinear(e[0], e[1], e[2]))
		}
		spill := (e[d.key] - (e[d.a]+e[d.b])/2) * d.strength
		if !(spill > 0) {
			continue
		}
		if d.keepsSome {
			spill *= 1 - d.keeps([3]float32{d.curve.ToLinear(row[0]), d.curve.ToLinear(row[1]), d.curve.ToLinear(row[2])}, x, y)
		}
		if spill == 0 {
			continue
		}
		e[d.key] -= spill
		e[d.a] += spill / 2
		e[d.b] += spill / 2
		if d.encode != nil {
			e[0], e[1], e[2] = d.curve.ColourFromLinear(d.encode.ColourToLinear(e[0], e[1], e[2]))
		}
		copy(row, e[:])
	}
}

// keeps returns how far a colour in linear light at a pixel is left alone, 0..1.
func (d *despiller) keeps(c [3]float32, x, y int) float32 {
	most := float32(0)
	if !d.area.Empty() {
		most = d.area.Row(y)[x]
	}
	for _, k := range d.kept {
		most = max(most, k.keeps(c))
	}
	return most
}

// keptColour is a kept colour by its chromaticity.
type keptColour struct {
	share     [3]float32
	tolerance float32
}

func newKeptColour(k settings.KeptColour, curve *colour.Curve) keptColour {
	var c [3]float32
	for i, v := range k.Colour {
		c[i] = curve.ToLinear(float32(v))
	}
	return keptColour{chromaticity(c), float32(k.Tolerance)}
}

// keeps returns 1 within the tolerance, 0 beyond one and a half times that.
func (k keptColour) keeps(c [3]float32) float32 {
	s := chromaticity(c)
	square := float32(0)
	for i, v := range s {
		square += (v - k.share[i]) * (v - k.share[i])
	}
	far := 1.5 * k.tolerance
	if square >= far*far {
		return 0
	}
	return min((far-float32(math.Sqrt(float64(square))))/(far-k.tolerance), 1)
}

// chromaticity returns the shares of red, green and blue in their sum; negative values count as 0, and black
// is grey.
func chromaticity(c [3]float32) [3]float32 {
	for i, v := range c {
		c[i] = max(v, 0)
	}
	sum := c[0] + c[1] + c[2]
	if !(sum > 0) {
		return [3]float32{1. / 3, 1. / 3, 1. / 3}
	}
	return [3]float32{c[0] / sum, c[1] / sum, c[2] / sum}
}
