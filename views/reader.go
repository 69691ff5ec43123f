package views

// line is a row of the viewport as brushes read it: between two rows of quads, part of the way.
type line struct {
	upper, lower []quad
	part         float32
	room         *rowRoom
	// behind is what lies behind the row; nil is nothing.
	behind *behind
}

// pixels returns the row's pixels.
func (l line) pixels() []pixel {
	if l.room.pixels == nil {
		l.room.pixels = make([]pixel, len(l.upper))
	}
	downPixels(l.room.pixels, l.upper, l.lower, l.part)
	return l.room.pixels
}

// quads returns the row's numbers, which must not be changed.
func (l line) quads() []quad {
	if l.part == 0 {
		return l.upper
	}
	return l.ownQuads()
}

// ownQuads returns the row's numbers, to be changed.
func (l line) ownQuads() []quad {
	if l.room.quads == nil {
		l.room.quads = make([]quad, len(l.upper))
	}
	downQuads(l.room.quads, l.upper, l.lower, l.part)
	return l.room.quads
}

// rowRoom is memory for a row's numbers, made when it is first needed.
type rowRoom struct {
	pixels []pixel
	quads  []quad
}

// reader reads rows of a rectangle of the viewport, one after another. It is for one goroutine.
type reader struct {
	*sampler
	// rows are the last two rows of the picture that were asked for, as the columns show them: rows of the viewport
	// share them.
	cached [2]struct {
		row   int
		quads []quad
	}
	room rowRoom
	// farther reads what lies behind, where there is anything; far is its row.
	farther *reader
	reached *behindSampler
	far     behind
}

func newReader(s *sampler) *reader {
	r := &reader{sampler: s}
	for i := range r.cached {
		r.cached[i].row = -1
		r.cached[i].quads = make([]quad, len(s.columns))
	}
	return r
}

// reach makes the reader read what lies behind too.
func (r *reader) reach(b *behindSampler) { r.farther, r.reached = newReader(b.sampler), b }

// line reads row y of the rectangle. It holds until the next call.
func (r *reader) line(y int) line {
	v := r.rows[y]
	l := line{upper: r.row(v.at, v.next), lower: r.row(v.next, v.at), part: v.part, room: &r.room}
	if b := r.reached; b != nil && y >= b.top && y < b.bottom {
		r.far = behind{line: r.farther.line(y), from: b.from, to: b.to}
		l.behind = &r.far
	}
	return l
}

// row returns row y of the picture as the columns show it, and keeps another that is there.
func (r *reader) row(y, keep int) []quad {
	free := 0
	for i := range r.cached {
		switch r.cached[i].row {
		case y:
			return r.cached[i].quads
		case keep:
			free = 1 - i
		}
	}
	r.cached[free].row = y
	r.across(y, r.cached[free].quads)
	return r.cached[free].quads
}

// across reads row y of the picture as the columns show it.
func (s *sampler) across(y int, out []quad) {
	switch {
	case s.pixels.pixels != nil:
		acrossPixels(out, s.pixels.row(y), s.columns)
	case s.colour.Pix != nil:
		acrossColour(out, s.colour.Row(y), s.columns)
	}
	if s.matte.Pix != nil {
		acrossMatte(out, s.matte.Row(y), s.columns)
	}
}
