package tiling

import (
	"fmt"
	"image"
	"math"

	"greenroom/engine/picture"
)

// Difference says how far two results of the same pixels are apart, in 8-bit steps (1/255).
type Difference struct {
	Mean, P99, Worst float64
	// X and Y are where Worst is, in the plate's pixels.
	X, Y int
}

// Seam is a border between two tiles and how much they disagree where one fades into the other.
type Seam struct {
	// Band is where they fade, in the plate's pixels.
	Band image.Rectangle
	// Upright says that the border runs from top to bottom: the tiles are left and right of it.
	Upright bool
	// Matte is the difference of the mattes; FG that of the foregrounds' channels, each times its matte, because
	// colour under nothing is nobody's.
	Matte, FG Difference
}

// Steps is what seams are ranked by: the 99th percentile of the matte or of the foreground, whichever is more.
func (s Seam) Steps() float64 { return max(s.Matte.P99, s.FG.P99) }

// Worst returns the difference that holds the seam's farthest pixel: of the matte or of the foreground.
func (s Seam) Worst() Difference {
	if s.FG.Worst > s.Matte.Worst {
		return s.FG
	}
	return s.Matte
}

// Borders returns the borders of a grid without measurements: those between columns, then those between rows,
// each between two tiles, inside the plate.
func (g Grid) Borders() []Seam {
	var list []Seam
	for i := range g.Len() {
		column, row := i%len(g.X), i/len(g.X)
		r := g.Inside(i)
		if column > 0 {
			from, to := g.Window.ramp(g.X, g.TileW, column)
			list = g.border(list, Seam{Band: image.Rect(from, r.Min.Y, to, r.Max.Y), Upright: true})
		}
		if row > 0 {
			from, to := g.Window.ramp(g.Y, g.TileH, row)
			list = g.border(list, Seam{Band: image.Rect(r.Min.X, from, r.Max.X, to)})
		}
	}
	return list
}

// Lines returns the borders as Borders does, and where tiles only touch the pixels on both sides of the line.
func (g Grid) Lines() []Seam {
	list := g.Borders()
	for i := range g.Len() {
		column, row := i%len(g.X), i/len(g.X)
		r := g.Inside(i)
		if from, to := g.across(column); column > 0 && from == to {
			list = g.border(list, Seam{Band: image.Rect(from-1, r.Min.Y, to+1, r.Max.Y), Upright: true})
		}
		if from, to := g.down(row); row > 0 && from == to {
			list = g.border(list, Seam{Band: image.Rect(r.Min.X, from-1, r.Max.X, to+1)})
		}
	}
	return list
}

// across and down return where a column or row of tiles fades in over the one before it; 0, 0 for the first.
func (g Grid) across(column int) (from, to int) {
	if column == 0 {
		return 0, 0
	}
	return g.Window.ramp(g.X, g.TileW, column)
}

func (g Grid) down(row int) (from, to int) {
	if row == 0 {
		return 0, 0
	}
	return g.Window.ramp(g.Y, g.TileH, row)
}

// border appends a seam unless it lies outside the plate.
func (g Grid) border(list []Seam, s Seam) []Seam {
	s.Band = s.Band.Intersect(image.Rect(0, 0, g.W, g.H))
	if s.Band.Empty() {
		return list
	}
	return append(list, s)
}

// tally gathers differences of one kind.
type tally struct {
	counts [tallyBins + 1]int
	n      int
	sum    float64
	worst  float32
	x, y   int
}

// tallyBins splits 0..1 into bins of a sixteenth of an 8-bit step.
const tallyBins = 255 * 16

func (t *tally) add(d float32, x, y int) {
	t.n++
	t.sum += float64(d)
	if d > t.worst {
		t.worst, t.x, t.y = d, x, y
	}
	t.counts[min(int(d*tallyBins), tallyBins)]++
}

// difference ends the tally.
func (t *tally) difference() Difference {
	if t.n == 0 {
		return Difference{}
	}
	d := Difference{Mean: 255 * t.sum / float64(t.n), Worst: 255 * float64(t.worst), X: t.x, Y: t.y}
	above := t.n / 100
	for bin := tallyBins; bin >= 0; bin-- {
		if above -= t.counts[bin]; above < 0 {
			d.P99 = min(float64(bin+1)/16, d.Worst)
			break
		}
	}
	return d
}

// Meter measures seams while tiles arrive, from what two neighbours say of the pixels that both see. It keeps
// the overlaps of tiles whose neighbours are still to come.
type Meter struct {
	grid  Grid
	kept  map[int]overlap // by border: 2*tile for the border to its left, 2*tile+1 for the one above
	seams []Seam
	peaks []peaks // of each of seams
	heat  picture.Image
}

// overlap is what one tile says of a band.
type overlap struct {
	band  image.Rectangle // in the padded plate's pixels
	matte []float32
	fg    []float32
}

// NewMeter returns a meter for the tiles of a grid. With heat it also keeps the matte's or the foreground's
// difference of every pixel, for Heat.
func NewMeter(g Grid, heat bool) *Meter {
	m := &Meter{grid: g, kept: make(map[int]overlap)}
	if heat {
		m.heat = picture.New(g.W, g.H, 1)
	}
	return m
}

// Add takes in tile i: matte [TileH, TileW, 1] and straight foreground [TileH, TileW, 3], as the blend is given them.
func (m *Meter) Add(i int, matte, fg []float32) error {
	g := m.grid
	if i < 0 || i >= g.Len() || len(matte) != g.TileW*g.TileH || len(fg) != 3*len(matte) {
		return fmt.Errorf("measure tile %d: %d and %d values for a tile of %d x %d, of %d", i, len(matte), len(fg), g.TileW, g.TileH, g.Len())
	}
	for _, border := range g.around(i) {
		m.meet(border, i, matte, fg)
	}
	return nil
}

// around lists the borders of tile i as a meter numbers them.
func (g Grid) around(i int) []int {
	columns := len(g.X)
	column, row := i%columns, i/columns
	var list []int
	if column > 0 {
		list = append(list, 2*i)
	}
	if column+1 < columns {
		list = append(list, 2*(i+1))
	}
	if row > 0 {
		list = append(list, 2*i+1)
	}
	if row+1 < len(g.Y) {
		list = append(list, 2*(i+columns)+1)
	}
	return list
}

// band returns where the tiles of a border fade, on the plate, and whether it runs from top to bottom.
func (g Grid) band(border int) (band image.Rectangle, upright bool) {
	later := border / 2
	band, upright = g.Tile(later), border%2 == 0
	if upright {
		band.Min.X, band.Max.X = g.across(later % len(g.X))
	} else {
		band.Min.Y, band.Max.Y = g.down(later / len(g.X))
	}
	return band.Intersect(image.Rect(0, 0, g.W, g.H)), upright
}

// MeterBytes is the most memory that a meter holds between two tiles of the grid that come in order, without heat.
func (g Grid) MeterBytes() int64 {
	const perPixel = 4 * (1 + 3)
	kept := make([]bool, 2*g.Len())
	var now, most int64
	for i := range g.Len() {
		for _, border := range g.around(i) {
			band, _ := g.band(border)
			bytes := perPixel * int64(band.Dx()) * int64(band.Dy())
			if kept[border] {
				bytes = peakBytes(band) - bytes
			}
			kept[border] = true
			now += bytes
		}
		most = max(most, now)
	}
	return most
}

// meet compares tile i's side of a border with the other tile's, or keeps it until that comes.
func (m *Meter) meet(border, i int, matte, fg []float32) {
	g := m.grid
	band, upright := g.band(border)
	if band.Empty() {
		return
	}
	other, there := m.kept[border]
	if !there {
		m.kept[border] = g.side(i, band, matte, fg)
		return
	}
	delete(m.kept, border)
	mine := g.side(i, band, matte, fg)
	var ofMatte, ofFG tally
	high := newPeaks(band)
	width := band.Dx()
	for k, a := range mine.matte {
		x, y := band.Min.X+k%width, band.Min.Y+k/width
		d, c := apart(a, other.matte[k], mine.fg[3*k:3*k+3], other.fg[3*k:3*k+3])
		ofMatte.add(d, x, y)
		ofFG.add(c, x, y)
		high.add(d, c, x, y)
		if m.heat.W > 0 {
			at := &m.heat.Pix[y*g.W+x]
			*at = max(*at, d, c)
		}
	}
	m.seams = append(m.seams, Seam{Band: band, Upright: upright, Matte: ofMatte.difference(), FG: ofFG.difference()})
	m.peaks = append(m.peaks, high)
}

// side copies what a tile says of a band.
func (g Grid) side(i int, band image.Rectangle, matte, fg []float32) overlap {
	at := g.Tile(i).Min
	s := overlap{band: band, matte: make([]float32, 0, band.Dx()*band.Dy()), fg: make([]float32, 0, 3*band.Dx()*band.Dy())}
	for y := band.Min.Y; y < band.Max.Y; y++ {
		from := (y-at.Y)*g.TileW + band.Min.X - at.X
		s.matte = append(s.matte, matte[from:from+band.Dx()]...)
		s.fg = append(s.fg, fg[3*from:3*(from+band.Dx())]...)
	}
	return s
}

// apart returns how far two pixels' mattes are apart, and the farthest of their channels times the mattes.
func apart(a, b float32, fgA, fgB []float32) (matte, fg float32) {
	for c := range 3 {
		fg = max(fg, float32(math.Abs(float64(a*fgA[c]-b*fgB[c]))))
	}
	return float32(math.Abs(float64(a - b))), fg
}

// Bytes returns the memory that the meter holds.
func (m *Meter) Bytes() int64 {
	n := len(m.heat.Pix)
	for _, o := range m.kept {
		n += cap(o.matte) + cap(o.fg)
	}
	sum := 4 * int64(n)
	for _, p := range m.peaks {
		sum += peakBytes(p.band)
	}
	return sum
}

// Seams returns the borders measured so far, ranked. A place that several of them see is the worst of one alone, and those
// that see no other are left out.
func (m *Meter) Seams() []Seam { return once(m.seams, m.peaks) }

// Heat returns the difference of every pixel, [H, W, 1], 0..1: 0 outside the bands, and where nothing was asked for.
func (m *Meter) Heat() picture.Image { return m.heat }

// Compare measures the borders of a grid as the difference between two keys of one plate, the second made on
// the shifted grid: mattes [H, W, 1] and straight foregrounds [H, W, 3]. Pixels where known is 0 are left out
// (known empty: none). It returns the borders that hold any pixel, as Meter.Seams does, and the difference of every pixel.
func Compare(g Grid, matteA, fgA, matteB, fgB, known picture.Image) ([]Seam, picture.Image) {
	heat := picture.New(g.W, g.H, 1)
	foreground := picture.New(g.W, g.H, 1)
	picture.ParallelRows(g.H, func(y0, y1 int) {
		for i := y0 * g.W; i < y1*g.W; i++ {
			if known.W > 0 && known.Pix[i] == 0 {
				continue
			}
			heat.Pix[i], foreground.Pix[i] = apart(matteA.Pix[i], matteB.Pix[i], fgA.Pix[3*i:3*i+3], fgB.Pix[3*i:3*i+3])
		}
	})
	var seams []Seam
	var high []peaks
	across, down := g.moved()
	for _, s := range g.Lines() {
		if s.Upright && !across || !s.Upright && !down {
			continue // both grids have this border
		}
		var matte, fg tally
		top := newPeaks(s.Band)
		for y := s.Band.Min.Y; y < s.Band.Max.Y; y++ {
			for x := s.Band.Min.X; x < s.Band.Max.X; x++ {
				i := y*g.W + x
				if known.W > 0 && known.Pix[i] == 0 {
					continue
				}
				matte.add(heat.Pix[i], x, y)
				fg.add(foreground.Pix[i], x, y)
				top.add(heat.Pix[i], foreground.Pix[i], x, y)
			}
		}
		if matte.n > 0 {
			s.Matte, s.FG = matte.difference(), fg.difference()
			seams, high = append(seams, s), append(high, top)
		}
	}
	for i, d := range foreground.Pix {
		heat.Pix[i] = max(heat.Pix[i], d)
	}
	return once(seams, high), heat
}
