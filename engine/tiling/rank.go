package tiling

import (
	"cmp"
	"image"
	"slices"
	"unsafe"
)

// Rank sorts seams, the most visible first.
func Rank(seams []Seam) { slices.SortStableFunc(seams, byVisibility) }

func byVisibility(a, b Seam) int {
	return cmp.Or(cmp.Compare(b.Steps(), a.Steps()), cmp.Compare(b.Worst().Worst, a.Worst().Worst))
}

// peaks are the worst pixels of a band, one for each block of it, so that a border still has a worst pixel where the place
// of the first is another's.
type peaks struct {
	band   image.Rectangle
	across int // blocks
	blocks []peak
}

// peak is a pixel and its difference, 0..1, of the matte or of the foreground.
type peak struct {
	d    float32
	fg   bool
	x, y int32
}

// peakBlock is the edge of a block in pixels.
const peakBlock = 32

// blocks returns how many blocks a band has across and down.
func blocks(band image.Rectangle) (across, down int) {
	return (band.Dx() + peakBlock - 1) / peakBlock, (band.Dy() + peakBlock - 1) / peakBlock
}

// peakBytes is the memory of a band's peaks.
func peakBytes(band image.Rectangle) int64 {
	across, down := blocks(band)
	return int64(across) * int64(down) * int64(unsafe.Sizeof(peak{}))
}

func newPeaks(band image.Rectangle) peaks {
	across, down := blocks(band)
	return peaks{band, across, make([]peak, across*down)}
}

func (p peaks) add(matte, fg float32, x, y int) {
	if b := p.block(x, y); max(matte, fg) > b.d {
		*b = peak{max(matte, fg), fg > matte, int32(x), int32(y)}
	}
}

func (p peaks) block(x, y int) *peak {
	return &p.blocks[(y-p.band.Min.Y)/peakBlock*p.across+(x-p.band.Min.X)/peakBlock]
}

// sees reports whether the band holds a peak's pixel and has at least half its difference in the block around it: its own
// two tiles need not be those that disagree there.
func (p peaks) sees(k peak) bool {
	at := image.Pt(int(k.x), int(k.y))
	return at.In(p.band) && p.block(at.X, at.Y).d >= k.d/2
}

// placeReach is how near two pixels are that one look shows both: they are one place. In pixels, along either axis.
const placeReach = 32

// places returns the worst pixels of all peaks, the worst first, no two of one place.
func places(of []peaks) []peak {
	var all, list []peak
	for _, p := range of {
		for _, k := range p.blocks {
			if k.d > 0 {
				all = append(all, k)
			}
		}
	}
	slices.SortFunc(all, func(a, b peak) int {
		return cmp.Or(cmp.Compare(b.d, a.d), cmp.Compare(a.y, b.y), cmp.Compare(a.x, b.x))
	})
	// Two places of one cell are no more than placeReach apart, so that a cell holds one.
	const cell = placeReach + 1
	taken := map[[2]int32]peak{}
	for _, k := range all {
		cx, cy := k.x/cell, k.y/cell
		free := true
		for i := range int32(9) {
			other, there := taken[[2]int32{cx + i%3 - 1, cy + i/3 - 1}]
			free = free && !(there && max(other.x-k.x, k.x-other.x, other.y-k.y, k.y-other.y) <= placeReach)
		}
		if free {
			taken[[2]int32{cx, cy}] = k
			list = append(list, k)
		}
	}
	return list
}

// once ranks seams, each with a worst pixel at a place of its own: a place is that of the most visible border that sees it.
// A border that sees none but those of others is left out, unless nothing differs in it at all. The peaks are those of
// each seam.
func once(seams []Seam, of []peaks) []Seam {
	order := make([]int, len(seams))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return byVisibility(seams[i], seams[j]) })
	near := squares{}
	for _, i := range order {
		near.add(i, of[i].band)
	}
	own := map[int]peak{} // the worst place of each
	for _, k := range places(of) {
		for _, i := range near[squareAt(int(k.x), int(k.y))] {
			if of[i].sees(k) {
				if _, worse := own[i]; !worse {
					own[i] = k
				}
				break
			}
		}
	}
	var list []Seam
	for i, s := range seams {
		k, has := own[i]
		switch {
		case has:
			list = append(list, s.at(k))
		case s.Worst().Worst == 0:
			list = append(list, s)
		}
	}
	Rank(list)
	return list
}

// squares are the numbers of the bands that reach into each square of a plate: of a large plate in small tiles there are
// too many to ask all of them for every place.
type squares map[image.Point][]int

// squareEdge is in pixels.
const squareEdge = 4 * peakBlock

func squareAt(x, y int) image.Point { return image.Pt(x/squareEdge, y/squareEdge) }

// add puts a band that lies on the plate after those that were added before.
func (q squares) add(i int, band image.Rectangle) {
	if band.Empty() {
		return
	}
	first, last := squareAt(band.Min.X, band.Min.Y), squareAt(band.Max.X-1, band.Max.Y-1)
	for y := first.Y; y <= last.Y; y++ {
		for x := first.X; x <= last.X; x++ {
			q[image.Pt(x, y)] = append(q[image.Pt(x, y)], i)
		}
	}
}

// at returns the seam with a peak for its worst: of what differs there, nothing else of it is farther apart.
func (s Seam) at(k peak) Seam {
	worst := Difference{Worst: 255 * float64(k.d), X: int(k.x), Y: int(k.y)}
	for _, d := range []*Difference{&s.Matte, &s.FG} {
		if (d == &s.FG) == k.fg || d.Worst > worst.Worst {
			d.Worst, d.X, d.Y = worst.Worst, worst.X, worst.Y
			d.P99, d.Mean = min(d.P99, d.Worst), min(d.Mean, d.Worst)
		}
	}
	return s
}
