package matte

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"slices"

	"greenroom/engine/picture"
)

// FindingKind is what is wrong at a place of a matte.
type FindingKind string

// The kinds of findings.
const (
	// CoreHole is matte under 1 that is enclosed by matte of 1.
	CoreHole FindingKind = "core hole"
	// ScreenResidue is matte over 0 farther than 40 px from any matte of 1.
	ScreenResidue FindingKind = "screen residue"
	// CutByFrame is a subject that goes on beyond the frame's edge.
	CutByFrame FindingKind = "cut by the frame"
)

// Finding is one place of a matte to look at.
type Finding struct {
	Kind FindingKind
	// X and Y are its worst pixel, to jump to.
	X, Y int
	// Box encloses it.
	Box image.Rectangle
	// Pixels counts its pixels.
	Pixels int
	// Worst is the least matte of a hole, the greatest of a residue or a cut.
	Worst float32
	// Amount is how much matte is wrong: the sum over its pixels of what is missing to 1, or there over 0.
	Amount float64
}

// String says it in words.
func (f Finding) String() string {
	switch f.Kind {
	case CoreHole:
		return fmt.Sprintf("core hole at %d,%d: %d pixels under 1, down to %.3f, missing %s px", f.X, f.Y, f.Pixels, f.Worst, f.AmountWords())
	case ScreenResidue:
		return fmt.Sprintf("screen residue at %d,%d: %d pixels over 0, up to %.3f, left %s px", f.X, f.Y, f.Pixels, f.Worst, f.AmountWords())
	}
	return fmt.Sprintf("the subject is cut by the frame at %d,%d: %d pixels", f.X, f.Y, f.Pixels)
}

// AmountWords writes the amount, by which findings are ranked, in whole pixels of matte: "12.3".
func (f Finding) AmountWords() string {
	switch {
	case f.Amount < 0.05:
		return "<0.1"
	case f.Amount < 99.95:
		return fmt.Sprintf("%.1f", f.Amount)
	}
	return fmt.Sprintf("%.0f", f.Amount)
}

// Review is what there is to say about a finished matte. It judges nothing: a subject cut by the frame may be
// meant so.
type Review struct {
	// Findings are the worst first, cuts last; More counts those left off beyond mostFindings.
	Findings []Finding
	More     int
	// Translucent, Solid and Clear are the shares of the frame between 0 and 1, at exactly 1 and at exactly 0.
	Translucent, Solid, Clear float64
}

const (
	// mostFindings is how many findings a review lists: nobody looks at more.
	mostFindings = 200
	// farFromCore is how far from the core, in pixels, matte is screen residue.
	farFromCore = 40
	// gap is the number of pixels at exactly 0 from which an enclosed area is no hole but a gap that shows the
	// screen, between arm and body.
	gap = 400
)

// Check looks over a finished matte [H, W, 1]. It needs two planes, and some 100 bytes for every run of pixels
// that is neither all 0 nor all 1. The error is ctx's.
func Check(ctx context.Context, m picture.Image) (Review, error) {
	var r Review
	if m.Empty() {
		return r, ctx.Err()
	}
	solid, empty := 0, 0
	for _, v := range m.Pix {
		switch {
		case v >= 1:
			solid++
		case !(v > 0):
			empty++
		}
	}
	all := float64(len(m.Pix))
	r.Solid, r.Clear = float64(solid)/all, float64(empty)/all
	r.Translucent = float64(len(m.Pix)-solid-empty) / all
	found := holes(m)
	residue, err := residues(ctx, m)
	if err != nil {
		return Review{}, err
	}
	found = append(append(found, residue...), cuts(m)...)
	for i := range found {
		// A matte may be a little under 0: written out that would be a minus with nothing behind it.
		if v := &found[i].Worst; *v < 0 && *v > -0.0005 {
			*v = 0
		}
	}
	slices.SortStableFunc(found, func(a, b Finding) int {
		if last := cmp.Compare(boolInt(a.Kind == CutByFrame), boolInt(b.Kind == CutByFrame)); last != 0 {
			return last
		}
		return cmp.Compare(b.Amount, a.Amount)
	})
	if len(found) > mostFindings {
		r.More = len(found) - mostFindings
		found = found[:mostFindings]
	}
	r.Findings = found
	return r, ctx.Err()
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// holes returns the core holes: areas under 1, joined along sides, that do not reach the frame's edge.
func holes(m picture.Image) []Finding {
	found := pieces(m, 0, CoreHole, func(_ int, v float32) bool { return v < 1 }, func(v float32) float64 { return float64(1 - v) })
	return slices.DeleteFunc(found, func(f Finding) bool {
		return f.Box.Min.X == 0 || f.Box.Min.Y == 0 || f.Box.Max.X == m.W || f.Box.Max.Y == m.H || zeros(m, f, gap) >= gap
	})
}

// zeros counts the pixels at 0 in the box of a finding, at most most: what else is in its box is at 1, or
// another hole.
func zeros(m picture.Image, f Finding, most int) int {
	n := 0
	for y := f.Box.Min.Y; y < f.Box.Max.Y && n < most; y++ {
		for _, v := range m.Row(y)[f.Box.Min.X:f.Box.Max.X] {
			if v == 0 {
				n++
			}
		}
	}
	return n
}

// residues returns the screen residues: areas over 0, joined across corners too, far from the core.
func residues(ctx context.Context, m picture.Image) ([]Finding, error) {
	notCore := picture.New(m.W, m.H, 1)
	for i, v := range m.Pix {
		if v < 1 {
			notCore.Pix[i] = 1
		}
	}
	away, err := picture.DistanceContext(ctx, notCore, 1, farFromCore+1)
	if err != nil {
		return nil, err
	}
	return pieces(m, 1, ScreenResidue,
		func(i int, v float32) bool { return v > 0 && away.Pix[i] > farFromCore },
		func(v float32) float64 { return float64(v) }), nil
}

// pieces returns the connected areas of pixels that belong, by index and value; reach 0 joins along sides, 1
// across corners too. wrong is how wrong a value is.
func pieces(m picture.Image, reach int32, kind FindingKind, belongs func(i int, v float32) bool, wrong func(v float32) float64) []Finding {
	rows := make([][]run, m.H)
	n := int32(0)
	for y := range m.H {
		line := m.Row(y)
		for x := 0; x < m.W; x++ {
			if !belongs(y*m.W+x, line[x]) {
				continue
			}
			r := run{x0: int32(x), piece: n}
			for x < m.W && belongs(y*m.W+x, line[x]) {
				x++
			}
			r.x1 = int32(x)
			rows[y] = append(rows[y], r)
			n++
		}
	}
	sets := newIslands(rows)
	for y := 1; y < m.H; y++ {
		eachNear(rows[y], rows[y-1], reach, sets.join)
	}
	// Findings in the order of their first pixels.
	at := make(map[int32]int)
	var found []Finding
	for y, row := range rows {
		for _, r := range row {
			root := sets.root(r.piece)
			i, known := at[root]
			if !known {
				i = len(found)
				at[root] = i
				found = append(found, Finding{Kind: kind, X: int(r.x0), Y: y, Worst: m.Row(y)[r.x0]})
			}
			found[i].add(m.Row(y), y, r, wrong)
		}
	}
	return found
}

// add adds a run of row y to a finding.
func (f *Finding) add(row []float32, y int, r run, wrong func(v float32) float64) {
	f.Box = f.Box.Union(image.Rect(int(r.x0), y, int(r.x1), y+1))
	f.Pixels += int(r.x1 - r.x0)
	for x := int(r.x0); x < int(r.x1); x++ {
		f.Amount += wrong(row[x])
		if wrong(row[x]) > wrong(f.Worst) {
			f.X, f.Y, f.Worst = x, y, row[x]
		}
	}
}

// cuts returns where the frame's edge cuts the subject: lines of pixels over one half along it.
func cuts(m picture.Image) []Finding {
	var found []Finding
	along := func(n int, at func(i int) (x, y int)) {
		for i := 0; i < n; i++ {
			x, y := at(i)
			f := Finding{Kind: CutByFrame, X: x, Y: y}
			for ; i < n; i++ {
				x, y := at(i)
				v := m.Row(y)[x]
				if !(v > 0.5) {
					break
				}
				f.add(m.Row(y), y, run{x0: int32(x), x1: int32(x + 1)}, func(v float32) float64 { return float64(v) })
			}
			if f.Pixels > 0 {
				found = append(found, f)
			}
		}
	}
	along(m.W, func(i int) (x, y int) { return i, 0 })
	along(m.W, func(i int) (x, y int) { return i, m.H - 1 })
	along(m.H, func(i int) (x, y int) { return 0, i })
	along(m.H, func(i int) (x, y int) { return m.W - 1, i })
	return found
}
