package keying

import (
	"fmt"
	"io"
	"math"

	"greenroom/engine"
	"greenroom/engine/colour"
	"greenroom/engine/imageio"
	"greenroom/engine/picture"
	"greenroom/engine/settings"
	"greenroom/engine/tiling"
	"greenroom/presets"
)

// Seam is the worst difference between tiles, in steps of 8 bits, at a pixel of the plate.
type Seam struct {
	X     int     `json:"x"`
	Y     int     `json:"y"`
	Steps float64 `json:"steps"`
}

// SeamsBy is how the borders of tiles were measured.
type SeamsBy string

const (
	// ByOverlap is what two tiles say of the pixels that both saw, before one is blended into the other.
	ByOverlap SeamsBy = "overlap"
	// ByGrid is the key against one on the shifted grid.
	ByGrid SeamsBy = "shifted grid"
)

// SeamSummary is the worst border between tiles, which is the one whose 99th percentile is the highest, in steps of 8 bits.
type SeamSummary struct {
	By SeamsBy `json:"by"`
	// Borders is how many are listed, each for a place of its own. Where that is none, P99 and Worst are 0 and At is nil.
	Borders int     `json:"borders"`
	P99     float64 `json:"p99"`
	// Worst is the border's worst pixel, At where it is: x, y. Another border may have a worse one: Report.WorstSeam.
	Worst float64 `json:"worst"`
	At    *[2]int `json:"at"`
}

// SeamRow is a border between two tiles and how much they disagree, in steps of 8 bits.
type SeamRow struct {
	// Band is where one tile fades into the other: left, top, right, bottom.
	Band [4]int `toml:"band"`
	// Mean, P99 and Worst are of the matte or the foreground, whichever differs more; Worst is at X, Y.
	Mean  float64 `toml:"mean"`
	P99   float64 `toml:"p99"`
	Worst float64 `toml:"worst"`
	X     int     `toml:"x"`
	Y     int     `toml:"y"`
}

// mostSeams is how many borders a report keeps: the first, and in the place of the last of them the one that holds the
// worst pixel, where that is none of them.
const mostSeams = 20

// AddSeams takes the borders of a key, or of its check on the shifted grid where that is not nil, into the report.
func (r *Report) AddSeams(o Order, result, check *engine.Result) {
	seams := result.Seams
	r.SeamsBy = ByOverlap
	if check != nil {
		seams, r.SeamsBy = check.Seams, ByGrid
	}
	why := unchecked(result)
	switch {
	case o.Seams && why != "":
		r.Notes = append(r.Notes, why)
	case o.Seams && check != nil && len(seams) == 0:
		r.Notes = append(r.Notes, NoSeam(result.Grid))
	case o.Seams && check != nil && result.Grid.Shared() > 0:
		r.Notes = append(r.Notes, SharedBorders(result.Grid))
	}
	if check == nil && len(seams) == 0 && len(result.Grid.Lines()) > 0 {
		r.Unmeasured = nothingTwice(result)
		if !o.Seams && why == "" {
			r.Unmeasured += " (--seams measures them)"
		}
		return
	}
	r.Summary = &SeamSummary{By: r.SeamsBy, Borders: len(seams)}
	for i, s := range seams {
		row := seamRow(s)
		if i == 0 {
			r.Summary.P99, r.Summary.Worst, r.Summary.At = row.P99, row.Worst, &[2]int{row.X, row.Y}
		}
		worst := r.WorstSeam == nil || row.Worst > r.WorstSeam.Steps
		if worst {
			r.WorstSeam = &Seam{X: row.X, Y: row.Y, Steps: row.Worst}
		}
		switch {
		case i < mostSeams:
			r.Seams = append(r.Seams, row)
		case worst:
			r.Seams[mostSeams-1] = row
		}
	}
}

// NoSeamSeen says that a check of the borders of a grid found nothing to measure.
func NoSeamSeen(g tiling.Grid) string {
	if shared := SharedBorders(g); shared != "" {
		return shared + ", and no other crosses an edge of the hint or the matte"
	}
	return "no border crosses an edge of the hint or the matte"
}

// NoSeam is NoSeamSeen with what follows from it.
func NoSeam(g tiling.Grid) string {
	if g.Shared() > 0 {
		return NoSeamSeen(g)
	}
	return NoSeamSeen(g) + ": there is no seam to see"
}

// SharedBorders says which borders of a grid a check cannot measure, because the shifted grid has them too; "" where there
// are none.
func SharedBorders(g tiling.Grid) string {
	switch n := g.Shared(); n {
	case 0:
		return ""
	case 1:
		return "1 border lies on both grids and cannot be measured"
	default:
		return fmt.Sprintf("%d borders lie on both grids and cannot be measured", n)
	}
}

// nothingTwice says why the run of a key in several tiles has no two results of one pixel.
func nothingTwice(result *engine.Result) string {
	if result.Used.Refine == settings.RefineFrame {
		return "with refine frame the tiles are made one before they are refined, and the run itself has nothing to compare"
	}
	return "the tiles have no overlap, and the run itself has nothing to compare"
}

// unchecked says why the seams of a key cannot be checked on another grid; "" where they can.
func unchecked(result *engine.Result) string {
	switch {
	case result.Grid.Len() == 1:
		return "one tile covers the plate: there are no seams"
	case result.Used.Frame > 0:
		return "seams are not checked where a frame resizes the plate (set frame to 0)"
	case !result.Grid.Shiftable():
		return "seams are not checked: tiles follow one another so closely that no grid lies between (choose a larger tile or a smaller overlap)"
	}
	return ""
}

// What a check holds beside a key, in bytes a pixel of the plate: matte, foreground and coarse logits of the key that is
// checked and of the two merged, and the heat map.
const checkBytes = 2*(4*4+1) + 4

// CheckTooLarge says why the check of a key that was planned to need peak bytes for w x h pixels does not fit into the
// machine's memory; "" where it does. Its tiles must be those of the key, whose plan fits: there is no smaller one to
// change to.
func CheckTooLarge(on presets.Machine, peak int64, w, h int) string {
	limit := on.Limit()
	if limit <= 0 || peak <= 0 {
		return ""
	}
	if on.GPU == nil || !on.GPU.Discrete {
		peak += checkBytes * int64(w) * int64(h)
	}
	if peak <= limit {
		return ""
	}
	return fmt.Sprintf("a check holds a key and another, which needs %s, and this machine has %s for it: key in smaller tiles, or with refine: tile",
		presets.Memory(peak), presets.Memory(limit))
}

func seamRow(s tiling.Seam) SeamRow {
	b, worst := s.Band, s.Worst()
	hundredth := func(v float64) float64 { return math.Round(100*v) / 100 }
	return SeamRow{
		Band: [4]int{b.Min.X, b.Min.Y, b.Max.X, b.Max.Y},
		Mean: hundredth(max(s.Matte.Mean, s.FG.Mean)), P99: hundredth(s.Steps()),
		Worst: hundredth(worst.Worst), X: worst.X, Y: worst.Y,
	}
}

// sidecarSeams returns the borders for the sidecar; nil where they were not measured.
func (r *Report) sidecarSeams() *sidecarSeams {
	if r.Summary == nil {
		return nil
	}
	return &sidecarSeams{By: r.SeamsBy, Count: r.Summary.Borders, Borders: r.Seams}
}

// heatMap draws where two keys differ over the plate, sRGB-encoded.
func heatMap(g tiling.Grid, plate picture.Picture, heat picture.Image) (picture.Image, error) {
	curve, err := colour.NewCurve(plate.Space)
	if err != nil {
		return picture.Image{}, err
	}
	encode, err := colour.NewCurve(colour.SRGB)
	if err != nil {
		return picture.Image{}, err
	}
	m := plate.RGB.Clone()
	picture.ParallelRows(m.H, func(y0, y1 int) {
		for y := y0; y < y1; y++ {
			row := m.Row(y)
			for i, v := range row {
				row[i] = encode.FromLinear(curve.ToLinear(v))
			}
		}
	})
	return tiling.HeatMap(g, m, heat, tiling.DefaultHeatScale()), nil
}

// writeHeat writes a heat map as PNG of 8 bits.
func writeHeat(w io.Writer, m picture.Image) error {
	return imageio.WritePNG8(w, m, picture.Image{}, imageio.Meta{Pass: string(PassSeams), Space: colour.SRGB})
}
