package matte

import (
	"context"
	"slices"

	"greenroom/engine/picture"
)

const (
	// seen is the matte over which a pixel counts as something that is there, for islands and what protects them.
	seen = 0.02
	// bright is the matte from which an island is never dust.
	bright = 0.5
	// nearby is how many pixels away, in x and in y, something protects an island.
	nearby = 8
)

// DespeckleIslands returns a clipped matte [H, W, 1] without its faint and lonely islands, and touches nothing
// else: what stays keeps its bits. Without any such island it returns m itself, else a copy. The time is
// linear in the pixels. Memory, beside a copy, is some 100 bytes for every run of lit pixels in a row: about
// 3 MB for a usual matte at 4096x2160. The error is ctx's.
//
// An island is made of pixels over 0. Pixels that touch, corners too, belong to one island; and pixels over
// 0.02 that are at most 8 px apart in x and in y do, so that a marker broken into crumbs is one island and
// a strand broken into dashes belongs to the head it starts at. An island goes when all of this holds:
//   - its greatest value is under 0.5,
//   - its pixels are fewer than area,
//   - no pixel over 0.02 of an island that stays by these two is within 8 px in x and in y of any of its pixels.
//
// So a veil survives by its area, and next to a subject by the subject. An area of 0 or less removes nothing.
func DespeckleIslands(ctx context.Context, m picture.Image, area int) (picture.Image, error) {
	if m.Empty() || area <= 0 {
		return m, ctx.Err()
	}
	lit, strong := findRuns(m)
	islands := newIslands(lit)
	for y := range m.H {
		if err := ctx.Err(); err != nil {
			return picture.Image{}, err
		}
		if y > 0 {
			eachNear(lit[y], lit[y-1], 1, islands.join)
		}
		for above := max(y-nearby, 0); above <= y; above++ {
			eachNear(strong[y], strong[above], nearby, islands.join)
		}
	}
	lonely := islands.lonely(lit, strong, area)
	if lonely == nil {
		return m, nil
	}
	m = m.Clone()
	for y := range m.H {
		for _, r := range lit[y] {
			if lonely[islands.root(r.piece)] {
				clear(m.Row(y)[r.x0:r.x1])
			}
		}
	}
	return m, nil
}

// run is the pixels x0 <= x < x1 of one row. piece is the index among all lit runs of the one that it is or
// lies in, and peak its greatest value.
type run struct {
	x0, x1, piece int32
	peak          float32
}

// findRuns returns for each row its runs of pixels over 0 and, within them, those over what is seen.
func findRuns(m picture.Image) (lit, strong [][]run) {
	lit, strong = make([][]run, m.H), make([][]run, m.H)
	picture.ParallelRows(m.H, func(y0, y1 int) {
		// A band's runs lie in two growing buffers, cut into rows when these no longer move.
		var litAll, strongAll []run
		ends := make([][2]int, y1-y0)
		for y := y0; y < y1; y++ {
			litAll, strongAll = scan(m.Row(y), litAll, strongAll)
			ends[y-y0] = [2]int{len(litAll), len(strongAll)}
		}
		from := [2]int{}
		for i, to := range ends {
			lit[y0+i], strong[y0+i] = litAll[from[0]:to[0]], strongAll[from[1]:to[1]]
			from = to
		}
	})
	first := 0
	for y := range m.H {
		number(lit[y], strong[y], first)
		first += len(lit[y])
	}
	return lit, strong
}

// scan appends the runs of a row.
func scan(row []float32, lit, strong []run) ([]run, []run) {
	for x := 0; x < len(row); {
		if !(row[x] > 0) {
			x++
			continue
		}
		r := run{x0: int32(x)}
		for x < len(row) && row[x] > 0 {
			if row[x] <= seen {
				r.peak = max(r.peak, row[x])
				x++
				continue
			}
			s := run{x0: int32(x)}
			for x < len(row) && row[x] > seen {
				s.peak = max(s.peak, row[x])
				x++
			}
			s.x1 = int32(x)
			r.peak = max(r.peak, s.peak)
			strong = append(strong, s)
		}
		r.x1 = int32(x)
		lit = append(lit, r)
	}
	return lit, strong
}

// number gives the lit runs of a row their indices from first on, and the strong ones those they lie in.
func number(lit, strong []run, first int) {
	for i := range lit {
		lit[i].piece = int32(first + i)
		for len(strong) > 0 && strong[0].x0 < lit[i].x1 {
			strong[0].piece = lit[i].piece
			strong = strong[1:]
		}
	}
}

// eachNear calls found with the pieces of every pair of runs, one of each row, that come within reach
// pixels of each other in x; 1 is touching.
func eachNear(a, b []run, reach int32, found func(pieceA, pieceB int32)) {
	for _, r := range a {
		for len(b) > 0 && b[0].x1-1+reach < r.x0 {
			b = b[1:]
		}
		for _, s := range b {
			if s.x0 > r.x1-1+reach {
				break
			}
			found(r.piece, s.piece)
		}
	}
}

// islands are disjoint sets of lit runs; area and peak hold for a set's root.
type islands struct {
	parent []int32
	area   []int32
	peak   []float32
}

// newIslands makes every lit run an island of its own.
func newIslands(lit [][]run) islands {
	n := 0
	for _, row := range lit {
		n += len(row)
	}
	s := islands{parent: make([]int32, n), area: make([]int32, n), peak: make([]float32, n)}
	for _, row := range lit {
		for _, r := range row {
			s.parent[r.piece], s.area[r.piece], s.peak[r.piece] = r.piece, r.x1-r.x0, r.peak
		}
	}
	return s
}

// root returns the run that stands for the island of piece i.
func (s islands) root(i int32) int32 {
	for s.parent[i] != i {
		s.parent[i] = s.parent[s.parent[i]]
		i = s.parent[i]
	}
	return i
}

// join makes one island of the islands of two pieces; the larger keeps its root.
func (s islands) join(i, j int32) {
	i, j = s.root(i), s.root(j)
	if i == j {
		return
	}
	if s.area[i] < s.area[j] {
		i, j = j, i
	}
	s.parent[j] = i
	s.area[i] += s.area[j]
	s.peak[i] = max(s.peak[i], s.peak[j])
}

// lonely returns, by root, which islands go; nil if none does.
func (s islands) lonely(lit, strong [][]run, area int) []bool {
	dust := make([]bool, len(s.parent))
	for i, parent := range s.parent {
		dust[i] = int(parent) == i && s.peak[i] < bright && int(s.area[i]) < area
	}
	if !slices.Contains(dust, true) {
		return nil
	}
	// What stays by itself protects what is near it. The dust it protects is marked apart, so that
	// protection does not pass on.
	near := make([]bool, len(s.parent))
	protect := func(piece, by int32) {
		if !dust[s.root(by)] {
			near[s.root(piece)] = true
		}
	}
	var candidates []run
	for y, row := range lit {
		candidates = candidates[:0]
		for _, r := range row {
			if dust[s.root(r.piece)] {
				candidates = append(candidates, r)
			}
		}
		if len(candidates) == 0 {
			continue
		}
		for other := max(y-nearby, 0); other <= min(y+nearby, len(lit)-1); other++ {
			eachNear(candidates, strong[other], nearby, protect)
		}
	}
	goes := false
	for i := range dust {
		dust[i] = dust[i] && !near[i]
		goes = goes || dust[i]
	}
	if !goes {
		return nil
	}
	return dust
}
