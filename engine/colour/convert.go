package colour

// Converter takes colours from one space to another: to linear light by the one's curve, from white to white by a
// matrix, and to values by the other's curve. It may be used from several goroutines.
type Converter struct {
	from, to *Curve
	// m is what happens in linear light; plain says that it is nothing, and same that nothing happens at all.
	m           [9]float32
	plain, same bool
}

// NewConverter returns the converter from one space to another that multiplies light by gain on the way. Between spaces
// of the same primaries, and with a gain of 1, nothing but the curves changes a bit. Unknown spaces are errors.
func NewConverter(from, to Space, gain float32) (*Converter, error) {
	a, err := from.definition()
	if err != nil {
		return nil, err
	}
	b, err := to.definition()
	if err != nil {
		return nil, err
	}
	c := &Converter{from: a.curve(), to: b.curve(), plain: a.primaries == b.primaries && gain == 1}
	c.same = c.plain && c.from == c.to
	for i, v := range a.primaries.To(b.primaries) {
		c.m[i] = float32(v) * gain
	}
	return c, nil
}

// Same reports whether the converter changes nothing.
func (c *Converter) Same() bool { return c.same }

// Colour converts one colour. Values may leave 0..1: colours that the other primaries cannot mix have negative ones.
func (c *Converter) Colour(r, g, b float32) (float32, float32, float32) {
	if c.same {
		return r, g, b
	}
	r, g, b = c.from.ColourToLinear(r, g, b)
	if !c.plain {
		m := &c.m
		r, g, b = m[0]*r+m[1]*g+m[2]*b, m[3]*r+m[4]*g+m[5]*b, m[6]*r+m[7]*g+m[8]*b
	}
	return c.to.ColourFromLinear(r, g, b)
}

// Row converts colours, red, green and blue after each other, from src to dst, which may be src.
func (c *Converter) Row(dst, src []float32) {
	if c.same {
		copy(dst, src)
		return
	}
	for i := 0; i+2 < len(src); i += 3 {
		dst[i], dst[i+1], dst[i+2] = c.Colour(src[i], src[i+1], src[i+2])
	}
}
