package views

import "slices"

// line is a row of the viewport as brushes read it.
type line struct {
	// upper and lower are the rows of pixels between which it lies, part of the way, in 65536ths.
	upper, lower []split
	part         uint64
	// floats is what pictures of floats hold there: a colour, a matte or hint, or both.
	floats []pixel
}

// reader reads rows of a rectangle of the viewport, one after another. It is for one goroutine.
type reader struct {
	colour, matte *sampler
	// masked says that colour is not needed where the matte is 0, uncoloured that it is needed nowhere.
	masked, uncoloured bool
	// across holds rows of the colour's pixels as the columns show them, for the last two rows of the picture that
	// were asked for: rows of the viewport share them.
	across [2]struct {
		row    int
		pixels []split
	}
	floats []pixel
}

// newReader returns a brush's reader of rows of the given width; colour or matte may be nil.
func newReader(b brush, colour, matte *sampler, width int) *reader {
	r := &reader{
		colour: colour, matte: matte, masked: b.masked, uncoloured: b.uncoloured, floats: make([]pixel, width),
	}
	for i := range r.across {
		r.across[i].row = -1
		r.across[i].pixels = make([]split, width)
	}
	return r
}

// line reads row y of the rectangle. It holds until the next call.
func (r *reader) line(y int) line {
	l := line{floats: r.floats}
	if r.matte != nil {
		r.matte.mattes(y, r.floats)
	}
	switch {
	case r.colour == nil:
	case r.colour.floats.Pix == nil:
		v := r.colour.rows[y]
		next := v.at
		if v.between() {
			next = min(v.at+1, r.colour.pixels.h-1)
		}
		l.upper, l.lower, l.part = r.row(v.at, next), r.row(next, v.at), uint64(v.fixed)
	default:
		if r.matte == nil {
			clear(r.floats)
		}
		r.colour.colours(y, r.masked, r.floats)
	}
	return l
}

// row returns row y of the colour's pixels as the columns show it, and keeps another that is there.
func (r *reader) row(y, keep int) []split {
	free := 0
	for i := range r.across {
		switch r.across[i].row {
		case y:
			return r.across[i].pixels
		case keep:
			free = 1 - i
		}
	}
	r.across[free].row = y
	out := r.across[free].pixels
	r.colour.across(y, r.uncoloured, out)
	return out
}

// across reads row y of sRGB-encoded colour as the columns show it; where uncoloured is set, colour may be missing.
func (t *sampler) across(y int, uncoloured bool, out []split) {
	w := t.pixels.w
	switch {
	case t.pixels.pixels == nil && uncoloured:
		clear(out)
	case t.pixels.pixels == nil && t.direct:
		pickOriginals(out, t.colour.Row(y), t.columns)
	case t.pixels.pixels == nil:
		mixOriginals(out, neighboured(t.colour.Row(y), w), t.columns)
	case t.direct:
		pickPixels(out, t.pixels.row(y), t.columns, pairMask)
	default:
		mixPixels(out, neighboured(t.pixels.row(y), w), t.columns, pairMask)
	}
	switch {
	case t.matte.Pix == nil:
	case t.direct:
		pickOriginalMattes(out, t.matte.Row(y), t.columns)
	default:
		mixOriginalMattes(out, neighboured(t.matte.Row(y), w), t.columns)
	}
}

// pickPixels reads the pixels that the columns show.
func pickPixels(out []split, from []pixel, columns []stop, mask uint64) {
	out = out[:len(columns)]
	for i := range columns {
		out[i] = from[columns[i].at].split(mask)
	}
}

// mixPixels reads what the columns show between the pixels of a row.
func mixPixels(out []split, from []pixel, columns []stop, mask uint64) {
	out = out[:len(columns)]
	for i := range columns {
		s := &columns[i]
		ab := from[s.at : s.at+2 : s.at+2]
		a, b, part := ab[0].split(mask), ab[1].split(mask), uint64(s.fixed)
		out[i] = split{
			between(a.redBlue, b.redBlue, part) >> 16 & mask, between(a.greenMatte, b.greenMatte, part) >> 16 & mask,
		}
	}
}

// pickOriginals is pickPixels of colour, [W, 3].
func pickOriginals(out []split, from []float32, columns []stop) {
	out = out[:len(columns)]
	for i := range columns {
		at := 3 * columns[i].at
		a := from[at : at+3 : at+3]
		red, green, blue := a[0]*full, a[1]*full, a[2]*full
		r, g, b := fixed(red), fixed(green), fixed(blue)
		if r > full || g > full || b > full {
			r, g, b = clipped(red), clipped(green), clipped(blue)
		}
		out[i] = split{uint64(r | b<<32), uint64(g)}
	}
}

// mixOriginals is mixPixels of colour, [W, 3].
func mixOriginals(out []split, from []float32, columns []stop) {
	out = out[:len(columns)]
	for i := range columns {
		s := &columns[i]
		at, right := 3*s.at, s.part
		left := full - right
		a := from[at : at+6 : at+6]
		red, green, blue := a[0]*left+a[3]*right, a[1]*left+a[4]*right, a[2]*left+a[5]*right
		r, g, b := fixed(red), fixed(green), fixed(blue)
		if r > full || g > full || b > full {
			r, g, b = clipped(red), clipped(green), clipped(blue)
		}
		out[i] = split{uint64(r | b<<32), uint64(g)}
	}
}

// pickOriginalMattes adds the mattes, [W, 1], that the columns show.
func pickOriginalMattes(out []split, from []float32, columns []stop) {
	out = out[:len(columns)]
	for i := range columns {
		v := from[columns[i].at] * full
		p := fixed(v)
		if p > full {
			p = clipped(v)
		}
		out[i].greenMatte |= uint64(p << 32)
	}
}

// mixOriginalMattes adds what the columns show between the mattes, [W, 1], of a row.
func mixOriginalMattes(out []split, from []float32, columns []stop) {
	out = out[:len(columns)]
	for i := range columns {
		s := &columns[i]
		a := from[s.at : s.at+2 : s.at+2]
		v := a[0]*(full-s.part) + a[1]*s.part
		p := fixed(v)
		if p > full {
			p = clipped(v)
		}
		out[i].greenMatte |= uint64(p << 32)
	}
}

// neighboured returns a row of pixels, or other samples, in which even the pixel of a picture one pixel wide has a
// neighbour.
func neighboured[T any](row []T, width int) []T {
	if width == 1 {
		return slices.Concat(row, row)
	}
	return row
}

// floatRows returns the rows of a picture of floats between which row y of the rectangle lies, and which part of the
// way.
func (t *sampler) floatRows(y int) (upper, lower []float32, part float32) {
	v, m := t.rows[y], t.floats
	return neighboured(m.Row(v.at), m.W), neighboured(m.Row(min(v.at+1, m.H-1)), m.W), v.part
}

// mattes reads row y of a picture of one channel into pixels.
func (t *sampler) mattes(y int, out []pixel) {
	upper, lower, part := t.floatRows(y)
	if t.direct {
		pickMattes(out, upper, t.columns)
		return
	}
	mixMattes(out, upper, lower, t.columns, part)
}

// colours adds row y of a colour to pixels; where masked is set, only to those with a matte.
func (t *sampler) colours(y int, masked bool, out []pixel) {
	upper, lower, part := t.floatRows(y)
	if t.direct {
		pickColours(out, upper, t.columns, masked)
		return
	}
	mixColours(out, upper, lower, t.columns, part, masked)
}

// pickMattes reads the samples that the columns show.
func pickMattes(out []pixel, from []float32, columns []stop) {
	out = out[:len(columns)]
	for i := range columns {
		v := from[columns[i].at] * full
		p := fixed(v)
		if p > full {
			p = clipped(v)
		}
		out[i] = p << matteShift
	}
}

// mixMattes reads what the columns show between the samples of two rows, part of the way.
func mixMattes(out []pixel, upper, lower []float32, columns []stop, part float32) {
	out = out[:len(columns)]
	low := part * full
	for i := range columns {
		s := &columns[i]
		a, b := upper[s.at:s.at+2:s.at+2], lower[s.at:s.at+2:s.at+2]
		w := weigh(s.part, part, low)
		v := a[0]*w.upperLeft + a[1]*w.upperRight + b[0]*w.lowerLeft + b[1]*w.lowerRight
		p := fixed(v)
		if p > full {
			p = clipped(v)
		}
		out[i] = p << matteShift
	}
}

// weights are the shares of four pixels in what lies between them. Their sum is full.
type weights struct{ upperLeft, upperRight, lowerLeft, lowerRight float32 }

// weigh returns the weights of a point to the right of a pixel, 0..full, and part of the way down, which is low in
// 0..full.
func weigh(right, part, low float32) weights {
	both := right * part
	low -= both
	return weights{full - right - low, right - both, low, both}
}

// pickColours adds the colours that the columns show.
func pickColours(out []pixel, from []float32, columns []stop, masked bool) {
	out = out[:len(columns)]
	for i := range columns {
		if masked && out[i] == 0 {
			continue
		}
		at := 3 * columns[i].at
		a := from[at : at+3 : at+3]
		p, over := fixedColour(a[0]*full, a[1]*full, a[2]*full)
		if over {
			p = clippedColour(a[0]*full, a[1]*full, a[2]*full)
		}
		out[i] |= p
	}
}

// mixColours adds what the columns show between the colours of two rows, part of the way.
func mixColours(out []pixel, upper, lower []float32, columns []stop, part float32, masked bool) {
	out = out[:len(columns)]
	low := part * full
	for i := range columns {
		if masked && out[i] == 0 {
			continue
		}
		s := &columns[i]
		at := 3 * s.at
		a, b := upper[at:at+6:at+6], lower[at:at+6:at+6]
		w := weigh(s.part, part, low)
		red := a[0]*w.upperLeft + a[3]*w.upperRight + b[0]*w.lowerLeft + b[3]*w.lowerRight
		green := a[1]*w.upperLeft + a[4]*w.upperRight + b[1]*w.lowerLeft + b[4]*w.lowerRight
		blue := a[2]*w.upperLeft + a[5]*w.upperRight + b[2]*w.lowerLeft + b[5]*w.lowerRight
		p, over := fixedColour(red, green, blue)
		if over {
			p = clippedColour(red, green, blue)
		}
		out[i] |= p
	}
}
