package truth_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"greenroom/engine"
	"greenroom/engine/colour"
	"greenroom/engine/greenformer"
	"greenroom/engine/greenformer/greenformertest"
	"greenroom/engine/hint"
	"greenroom/engine/imageio"
	"greenroom/engine/picture"
	"greenroom/engine/settings"
	"greenroom/engine/tiling"
	"greenroom/engine/truth"
)

var (
	seamSizes = flag.String("seams", "2048", "2048, 4096 or both with a comma: sizes of the drawn plates whose seams are measured")
	seamPlate = flag.String("plate", "", "a real plate whose seams are measured instead, with its chroma hint")
	device    = flag.String("device", "auto", "device to key on")
	random    = flag.Bool("random", false, "key with random weights of CorridorKey's size")
	asked     = flag.String("set", "", "further settings, NAME=VALUE with commas: bf16=on")
)

// seamCase is a plate whose seams are measured; truth is nil for a real one.
type seamCase struct {
	name  string
	job   engine.Job
	truth *truth.Plate
}

// BenchmarkSeams keys plates under every tile and refine setting, each twice, on a grid and on the one shifted by
// half a tile, and logs a table: of each run the 99th percentile and the worst pixel of its worst border, in 8-bit
// steps, as tiles disagree in the run itself and as the two grids do, with the error of the matte; and with refine
// tile the error that other windows of blending would have had.
//
//	go test ./engine/truth -run '^$' -bench Seams -benchtime 1x -timeout 2h -v
func BenchmarkSeams(b *testing.B) {
	m := seamModel(b)
	e, err := engine.New(context.Background(), engine.Options{Device: *device})
	if err != nil {
		b.Fatal(err)
	}
	defer e.Close()
	cases := seamCases(b)
	for _, t := range []struct{ tile, overlap int }{{512, 64}, {512, 128}, {768, 64}, {768, 128}, {768, 384}, {1024, 64}, {1536, 64}} {
		for _, refine := range []settings.Refine{settings.RefineTile, settings.RefineFrame} {
			b.Run(fmt.Sprintf("%d-%d-%s", t.tile, t.overlap, refine), func(b *testing.B) {
				for b.Loop() {
					for _, c := range cases {
						c.job.Model = m
						c.job.Settings.Tile, c.job.Settings.Overlap, c.job.Settings.Refine = t.tile, t.overlap, refine
						measureSeams(b, e, c)
					}
				}
			})
		}
	}
}

// measureSeams keys a plate and logs its line of the table.
func measureSeams(b *testing.B, e *engine.Engine, c seamCase) {
	b.Helper()
	j := c.job
	j.Preview = j.Settings.Refine == settings.RefineTile
	ticket := e.Submit(context.Background(), j)
	var tiles []engine.Event
	for ev := range ticket.Events() {
		if ev.Matte.W > 0 {
			tiles = append(tiles, ev)
		}
	}
	r, err := ticket.Wait()
	if err != nil {
		b.Fatal(err)
	}
	line := fmt.Sprintf("%-24s %3d tiles %6.1f s %5.0f MB", c.name, r.Grid.Len(), r.Seconds.Key, float64(r.PeakBytes)/1e6)
	if len(r.Seams) > 0 {
		line += " | run " + steps(r.Seams)
	}
	j.Check, j.Preview, j.Heat = r, false, true
	check, err := e.Key(context.Background(), j)
	if err != nil {
		b.Fatal(err)
	}
	line += " | grids " + steps(check.Seams)
	line += fmt.Sprintf(" all %.2f", pooled(r.Grid, check))
	if c.truth != nil {
		s := c.truth.Score(r.Matte, r.FG)
		line += fmt.Sprintf(" | matte %.5f soft %.5f fg %.5f", s.MAE, s.SoftMAE, s.FGMAE)
		if len(tiles) > 0 {
			for _, w := range []tiling.Window{{}, {Margin: tiling.Reach}, {Cosine: true}, {Cosine: true, Margin: tiling.Reach}} {
				mae, soft := c.blended(b, r.Grid, tiles, w)
				line += fmt.Sprintf(" | %+v %.6f %.6f", w, mae, soft)
			}
		}
	}
	b.Log(line)
}

// blended returns the errors of the matte when a key's tiles are blended by another window.
func (c seamCase) blended(b *testing.B, g tiling.Grid, tiles []engine.Event, w tiling.Window) (mae, soft float64) {
	b.Helper()
	g.Window = w
	sum := tiling.NewBlend(g, 1)
	tile := make([]float32, g.TileW*g.TileH)
	for i, ev := range tiles {
		for y := range ev.Matte.H { // an event holds the part on the plate; the padding has no weight
			copy(tile[y*g.TileW:], ev.Matte.Row(y))
		}
		if err := sum.Add(i, tile); err != nil {
			b.Fatal(err)
		}
	}
	matte := sum.Picture()
	return truth.MAE(matte, c.truth.Matte), truth.SoftMAE(matte, c.truth.Matte)
}

// pooled returns the 99th percentile, in 8-bit steps, of all pixels of the bands in which tiles fade. Seams ranks
// single borders; this is what a plate's borders are like as a whole.
func pooled(g tiling.Grid, check *engine.Result) float64 {
	var values []float32
	for _, b := range g.Borders() {
		for y := b.Band.Min.Y; y < b.Band.Max.Y; y++ {
			values = append(values, check.Heat.Row(y)[b.Band.Min.X:b.Band.Max.X]...)
		}
	}
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	return 255 * float64(values[len(values)*99/100])
}

// steps says how much the worst border differs.
func steps(seams []tiling.Seam) string {
	if len(seams) == 0 {
		return "none"
	}
	worst := 0.0
	for _, s := range seams {
		worst = max(worst, s.Worst().Worst)
	}
	return fmt.Sprintf("p99 %6.2f (matte %.2f fg %.2f) worst %6.2f", seams[0].Steps(), seams[0].Matte.P99, seams[0].FG.P99, worst)
}

// seamModel opens the model that the flags ask for.
func seamModel(b *testing.B) *greenformer.Model {
	b.Helper()
	if !*random {
		return openModel(b)
	}
	m, err := greenformertest.Model(greenformertest.BasePlus, 1)
	if err != nil {
		b.Fatal(err)
	}
	return m
}

// askedSettings returns the settings of which tile, overlap and refine are varied.
func askedSettings(b *testing.B) settings.Settings {
	b.Helper()
	s := settings.Default()
	for _, pair := range strings.FieldsFunc(*asked, func(r rune) bool { return r == ',' }) {
		name, value, _ := strings.Cut(pair, "=")
		if err := s.Set(name, value); err != nil {
			b.Fatal(err)
		}
	}
	return s
}

// seamCases draws or reads the plates.
func seamCases(b *testing.B) []seamCase {
	b.Helper()
	if *seamPlate != "" {
		return []seamCase{realCase(b, *seamPlate)}
	}
	var cases []seamCase
	for _, size := range map[string][]int{"2048": {2048}, "4096": {4096}, "2048,4096": {2048, 4096}}[*seamSizes] {
		for _, scene := range truth.Set(size) {
			if scene.Linear == (scene.Screen == settings.ScreenBlue) || size > 2048 && scene.Seed > 1 {
				continue // a part of the set is enough: green linear and blue encoded
			}
			p := scene.Draw()
			cases = append(cases, seamCase{
				fmt.Sprintf("%d %s", size, scene.Name()), engine.Job{
					Plate: picture.Picture{RGB: p.RGB, Space: colour.SRGB}, Hint: p.Hint,
					ModelScreen: settings.ScreenAuto, Screen: p.Screen, Settings: askedSettings(b),
				}, &p,
			})
		}
	}
	if len(cases) == 0 {
		b.Fatalf("no plates of size %s", *seamSizes)
	}
	return cases
}

// realCase reads a plate from a file.
func realCase(b *testing.B, file string) seamCase {
	b.Helper()
	if _, err := os.Stat(file); err != nil {
		b.Skip(err)
	}
	f, err := imageio.Open(file, imageio.Limits{})
	if err != nil {
		b.Fatal(err)
	}
	found, screen, err := hint.FromChroma(f.Picture, settings.ScreenAuto, 0)
	if err != nil {
		b.Fatal(err)
	}
	return seamCase{filepath.Base(file), engine.Job{
		Plate: f.Picture, Hint: found.Matte, ModelScreen: settings.ScreenAuto, Screen: screen, Settings: askedSettings(b),
	}, nil}
}
