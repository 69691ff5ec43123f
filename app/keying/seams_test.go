package keying

import (
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"greenroom/engine"
	"greenroom/engine/settings"
	"greenroom/engine/tiling"
	"greenroom/presets"
)

func TestSeamsAreToldAndDrawn(t *testing.T) {
	e, o := bench(t)
	dir := t.TempDir()
	o.Plate = filepath.Join(dir, "shot.png")
	plate(t, o.Plate, 200, 130)
	for _, s := range [][2]string{{"tile", "128"}, {"overlap", "32"}} {
		o.Asked = append(o.Asked, Setting{Name: s[0], Value: s[1]})
	}
	r, err := Run(t.Context(), e, o)
	if err != nil {
		t.Fatal(err)
	}
	side := readSidecar(t, r.Sidecar)
	if r.WorstSeam == nil || r.WorstSeam.Steps <= 0 || side.Seams == nil || side.Seams.By != "overlap" || len(side.Seams.Borders) != len(r.Seams) {
		t.Fatalf("the worst seam is %+v, the sidecar says %+v", r.WorstSeam, side.Seams)
	}
	most := 0.0
	for _, b := range side.Seams.Borders {
		if b.X < b.Band[0] || b.X >= b.Band[2] || b.Worst < b.P99 {
			t.Errorf("a border is %+v", b)
		}
		most = max(most, b.Worst)
	}
	if r.WorstSeam.Steps != most {
		t.Errorf("the worst of all is %v, told is %+v", most, r.WorstSeam)
	}

	o.Seams = true
	r, err = Run(t.Context(), e, o)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(files(t, filepath.Join(dir, "keys")), "shot_seams_v002.png") || r.SeamsBy != "shifted grid" {
		t.Fatalf("wrote %q, measured by %s", files(t, filepath.Join(dir, "keys")), r.SeamsBy)
	}
	f, err := os.Open(r.Files[PassSeams])
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := png.Decode(f)
	if err != nil || m.Bounds().Dx() != 200 || m.Bounds().Dy() != 130 {
		t.Fatalf("the heat map: %v", err)
	}
	// A seam of some steps is light, and the plate's dark green is not.
	light := func(x, y int) uint32 { c, _, _, _ := m.At(x, y).RGBA(); return c }
	if w := r.WorstSeam; w.Steps > 2 && light(w.X, w.Y) <= light(3, 3) {
		t.Errorf("%+v is not seen: %d, beside %d", w, light(w.X, w.Y), light(3, 3))
	}

	o.Asked = append(o.Asked, Setting{Name: "tile", Value: "0"})
	r, err = Run(t.Context(), e, o)
	if err != nil {
		t.Fatal(err)
	}
	if r.WorstSeam != nil || r.Files[PassSeams] != "" || !slices.ContainsFunc(r.Notes, func(n string) bool { return strings.Contains(n, "no seams") }) {
		t.Errorf("with one tile: %+v, notes %q", r.WorstSeam, r.Notes)
	}
}

func TestTheWorstSeamIsAmongThoseThatAreKept(t *testing.T) {
	var seams []tiling.Seam
	for i := range 2 * mostSeams {
		seams = append(seams, tiling.Seam{Matte: tiling.Difference{P99: float64(40 - i), Worst: 50, X: i}})
	}
	for _, worst := range []int{0, mostSeams - 1, mostSeams, 2*mostSeams - 1} {
		result := &engine.Result{Seams: slices.Clone(seams), Grid: tiling.Plan(600, 300, 128, 64)}
		result.Seams[worst].Matte.Worst = 60
		var r Report
		r.AddSeams(Order{}, result, nil)
		kept := slices.ContainsFunc(r.Seams, func(row SeamRow) bool { return row.X == worst && row.Worst == 60 })
		if r.WorstSeam == nil || r.WorstSeam.X != worst || !kept || len(r.Seams) != mostSeams || r.Seams[0].P99 != 40 {
			t.Errorf("seam %d is the worst: told is %+v, of %d it is kept: %v", worst, r.WorstSeam, len(r.Seams), kept)
		}
	}
}

func TestRefiningAFrameInDCI4KFitsIntoItsMemory(t *testing.T) {
	model, err := OpenModel(t.Context(), DefaultModel)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { model.Close() })
	const w, h = 4096, 2160
	peaks := Peaks(model.Model, presets.Machine{MemoryGB: 64}, w, h)
	for bf16, most := range map[bool]int64{false: 2_200_000_000, true: 1_200_000_000} {
		s := settings.Default()
		s.Tile, s.Refine, s.BF16 = 768, settings.RefineFrame, bf16
		plan, err := Plan(model.Model, presets.Machine{MemoryGB: 64}, w, h, s)
		if err != nil {
			t.Fatal(err)
		}
		if plan.PeakBytes > most {
			t.Errorf("bf16 %v: %d MB are planned for the key", bf16, plan.PeakBytes/1e6)
		}
		peak, err := peaks(s)
		if err != nil {
			t.Fatal(err)
		}
		// The network is gone when the key is finished: plate and hint are all that is added.
		if want := plan.PeakBytes + sourceBytes*w*h; peak != want {
			t.Errorf("bf16 %v: %d MB are planned with plate and hint, not %d", bf16, peak/1e6, want/1e6)
		}
	}
}

func TestACheckIsHeldAgainstTheMachinesMemory(t *testing.T) {
	e, o := bench(t)
	dir := t.TempDir()
	o.Plate, o.Seams = filepath.Join(dir, "shot.png"), true
	plate(t, o.Plate, 200, 130)
	o.Asked = append(o.Asked, Setting{Name: "tile", Value: "128"}, Setting{Name: "overlap", Value: "32"})
	o.Machine.GPU = &presets.GPU{WorkingSet: presets.GiB}
	chosen, err := ChooseFor(o, 200, 130)
	if err != nil {
		t.Fatal(err)
	}
	for _, room := range []int64{0, -1} { // just enough for the check, and a byte less
		o.Machine.GPU = &presets.GPU{WorkingSet: chosen.PeakBytes + checkBytes*200*130 + room}
		r, err := Run(t.Context(), e, o)
		if err != nil {
			t.Fatal(err)
		}
		refused := slices.ContainsFunc(r.Warnings, func(w string) bool { return strings.HasPrefix(w, "seams are not checked: a check holds a key") })
		_, drawn := r.Files["seams"]
		if refused != (room < 0) || drawn == refused || (r.SeamsBy == "shifted grid") == refused {
			t.Errorf("with room for %d bytes more: warnings %q, files %v, by %s", room, r.Warnings, r.Files, r.SeamsBy)
		}
	}
}

func TestBordersThatBothGridsHaveAreNoted(t *testing.T) {
	for name, c := range map[string]struct {
		grid  tiling.Grid
		seams []tiling.Seam
		want  []string
	}{
		"none seen":             {tiling.Plan(300, 200, 128, 32), nil, []string{"no border crosses an edge of the hint or the matte: there is no seam to see"}},
		"none seen, some alike": {tiling.Plan(280, 600, 256, 32), nil, []string{"3 borders lie on both grids and cannot be measured, and no other crosses an edge of the hint or the matte"}},
		"one seen, some alike":  {tiling.Plan(280, 600, 256, 32), make([]tiling.Seam, 1), []string{"3 borders lie on both grids and cannot be measured"}},
		"one seen":              {tiling.Plan(300, 200, 128, 32), make([]tiling.Seam, 1), nil},
	} {
		r := Report{}
		r.AddSeams(Order{Seams: true}, &engine.Result{Grid: c.grid}, &engine.Result{Seams: c.seams})
		if !slices.Equal(r.Notes, c.want) {
			t.Errorf("%s: %q", name, r.Notes)
		}
	}
}
