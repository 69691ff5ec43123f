package keying

import (
	"context"
	"errors"
	"image"
	"image/color"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/BurntSushi/toml"

	"greenroom/engine"
	"greenroom/engine/colour"
	"greenroom/engine/imageio"
	"greenroom/engine/matte"
	"greenroom/engine/picture"
	"greenroom/engine/settings"
	"greenroom/presets"
)

// bench is an engine with the embedded model.
func bench(t *testing.T) (*engine.Engine, Order) {
	t.Helper()
	e, err := engine.New(t.Context(), engine.Options{Device: "cpu"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	model, err := OpenModel(t.Context(), DefaultModel)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { model.Close() })
	machine, err := presets.Parse("Test machine, 16 GB")
	if err != nil {
		t.Fatal(err)
	}
	return e, Order{
		Model: model, Machine: machine, Look: settings.DefaultLook(),
		Passes: []Pass{PassKey, PassMatte}, Format: FormatPNG,
	}
}

// plate writes a plate of w x h: a grey disc before a green screen.
func plate(t *testing.T, path string, w, h int) {
	t.Helper()
	m := image.NewNRGBA64(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := color.NRGBA64{R: 12000, G: 42000 + uint16(x+y), B: 15000, A: 0xffff}
			dx, dy := 2*x-w, 2*y-h
			if 2*(dx*dx+dy*dy) < min(w, h)*min(w, h) {
				c = color.NRGBA64{R: 40000, G: 36000, B: 34000, A: 0xffff}
			}
			m.SetNRGBA64(x, y, c)
		}
	}
	save(t, path, m)
}

func save(t *testing.T, path string, m image.Image) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := png.Encode(f, m); err != nil {
		t.Fatal(err)
	}
}

// files lists a folder.
func files(t *testing.T, folder string) []string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestRunWritesThePassesAtThePlatesSize(t *testing.T) {
	e, o := bench(t)
	for _, size := range []image.Point{{1, 1}, {31, 7}, {97, 64}} {
		dir := t.TempDir()
		o.Plate = filepath.Join(dir, "a shot é #1.png")
		plate(t, o.Plate, size.X, size.Y)
		// A plate of one pixel has no screen to find: its hint is given.
		o.Hint = filepath.Join(dir, "given.png")
		save(t, o.Hint, image.NewGray(image.Rect(0, 0, size.X, size.Y)))
		o.Passes = Passes()
		r, err := Run(t.Context(), e, o)
		if err != nil {
			t.Fatal(err)
		}
		want := []string{
			"a shot é #1_comp.png", "a shot é #1_fg.png", "a shot é #1_key.png", "a shot é #1_key.toml", "a shot é #1_matte.png",
		}
		if got := files(t, filepath.Join(dir, "keys")); !slices.Equal(got, want) {
			t.Errorf("%v: wrote %q, want %q", size, got, want)
		}
		for pass, channels := range map[Pass]int{PassKey: 4, PassMatte: 1, PassFG: 3, PassComp: 3} {
			h, err := imageio.ReadHeader(r.Files[pass], imageio.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if h.W != size.X || h.H != size.Y || h.Channels != channels || h.Depth != 16 || h.Pass != string(pass) {
				t.Errorf("%v %s: %+v", size, pass, h)
			}
		}
		if !slices.ContainsFunc(r.Warnings, func(w string) bool { return strings.Contains(w, "empty") }) {
			t.Errorf("%v: a black hint gives the warnings %q", size, r.Warnings)
		}
	}
}

func TestRunMakesAHintWhereThereIsNone(t *testing.T) {
	e, o := bench(t)
	dir := t.TempDir()
	o.Plate, o.Out = filepath.Join(dir, "shot.png"), filepath.Join(dir, "made", "here")
	plate(t, o.Plate, 160, 120)
	var heard []string
	o.Progress = func(p Progress) { heard = append(heard, p.Doing) }
	r, err := Run(t.Context(), e, o)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(files(t, o.Out), []string{"shot_key.png", "shot_key.toml", "shot_matte.png"}) {
		t.Errorf("wrote %q", files(t, o.Out))
	}
	for i, doing := range []string{"reading", "loading", "keying", "finishing", "writing"} {
		heard = slices.Compact(heard)
		if i >= len(heard) || heard[i] != doing {
			t.Fatalf("progress %q", heard)
		}
	}
	if r.Seconds.Total <= 0 || r.Seconds.Key <= 0 || r.PeakBytes <= 0 || r.Tiles != 1 || r.WorstSeam != nil {
		t.Errorf("report %+v", r)
	}
}

func TestRunTakesTheHintBesideThePlate(t *testing.T) {
	e, o := bench(t)
	dir := t.TempDir()
	o.Plate = filepath.Join(dir, "shot.png")
	plate(t, o.Plate, 96, 64)
	hint := filepath.Join(dir, "shot-hint.png")
	disc := image.NewGray(image.Rect(0, 0, 48, 32))
	for i := range disc.Pix[:400] {
		disc.Pix[i] = 255
	}
	save(t, hint, disc)
	r, err := Run(t.Context(), e, o)
	if err != nil {
		t.Fatal(err)
	}
	if got := readSidecar(t, r.Sidecar); got.Hint != hint {
		t.Errorf("the sidecar's hint is %q", got.Hint)
	}
	if !slices.ContainsFunc(r.Warnings, func(w string) bool { return strings.Contains(w, "48x32") }) {
		t.Errorf("a hint of half the size gives the warnings %q", r.Warnings)
	}
}

func readSidecar(t *testing.T, path string) sidecar {
	t.Helper()
	var s sidecar
	meta, err := toml.DecodeFile(path, &s)
	if err != nil {
		t.Fatal(err)
	}
	if extra := meta.Undecoded(); len(extra) > 0 {
		t.Errorf("unknown keys %v", extra)
	}
	return s
}

func TestSidecarSaysHowTheKeyWasMade(t *testing.T) {
	e, o := bench(t)
	dir := t.TempDir()
	o.Plate = filepath.Join(dir, "shot.png")
	plate(t, o.Plate, 200, 130)
	o.Asked = []Setting{{Name: "tile", Value: "128"}, {Name: "overlap", Value: "32"}, {Name: "compile", Value: "off"}}
	o.Look.Despill = 0.25
	r, err := Run(t.Context(), e, o)
	if err != nil {
		t.Fatal(err)
	}
	s := readSidecar(t, r.Sidecar)
	if s.Engine["tile"] != int64(128) || s.Engine["compile"] != false || s.Look != o.Look || s.Screen != "green" {
		t.Errorf("settings %v, look %+v", s.Engine, s.Look)
	}
	if s.Model.SHA256 != o.Model.Hash || len(s.Model.SHA256) != 64 || s.Machine.MemoryGB != 16 {
		t.Errorf("model %+v, machine %+v", s.Model, s.Machine)
	}
	if s.Tiles.Count != len(s.Tiles.X)*len(s.Tiles.Y) || s.Tiles.Count != r.Tiles || r.Tiles < 4 || s.Tiles.Width != 128 {
		t.Errorf("tiles %+v, report %d", s.Tiles, r.Tiles)
	}
	if s.Seconds.Key <= 0 || s.Seconds.Post <= 0 || s.Written.IsZero() {
		t.Errorf("seconds %+v", s.Seconds)
	}
}

func TestRunKeepsWhatIsThere(t *testing.T) {
	e, o := bench(t)
	dir := t.TempDir()
	o.Plate = filepath.Join(dir, "shot.png")
	plate(t, o.Plate, 64, 64)
	for range 2 {
		if _, err := Run(t.Context(), e, o); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{
		"shot_key.png", "shot_key.toml", "shot_key_v002.png", "shot_key_v002.toml", "shot_matte.png", "shot_matte_v002.png",
	}
	if got := files(t, filepath.Join(dir, "keys")); !slices.Equal(got, want) {
		t.Errorf("two runs wrote %q", got)
	}
	o.Overwrite = true
	if _, err := Run(t.Context(), e, o); err != nil {
		t.Fatal(err)
	}
	if got := files(t, filepath.Join(dir, "keys")); !slices.Equal(got, want) {
		t.Errorf("overwriting left %q", got)
	}
}

func TestRunStopsSoonAndLeavesNothing(t *testing.T) {
	e, o := bench(t)
	dir := t.TempDir()
	o.Plate = filepath.Join(dir, "shot.png")
	plate(t, o.Plate, 1000, 700)
	o.Asked = []Setting{{Name: "tile", Value: "256"}}
	for _, moment := range []string{"reading", "keying", "finishing", "writing"} {
		ctx, cancel := context.WithCancel(t.Context())
		var stopped time.Time
		o.Progress = func(p Progress) {
			if p.Doing == moment && stopped.IsZero() {
				stopped = time.Now()
				cancel()
			}
		}
		_, err := Run(ctx, e, o)
		cancel()
		if !errors.Is(err, context.Canceled) {
			t.Errorf("stopped while %s: %v", moment, err)
		}
		// With the race detector, which is much slower, -short leaves the time alone.
		if took := time.Since(stopped); took > time.Second && !testing.Short() {
			t.Errorf("stopped while %s: it took %v", moment, took)
		}
		if got := files(t, filepath.Join(dir, "keys")); len(got) > 0 {
			t.Errorf("stopped while %s: %q is left", moment, got)
		}
	}
}

func TestSettingsComeFromRulesThenTheArtistThenTheMachine(t *testing.T) {
	_, o := bench(t)
	source, err := Sample()
	if err != nil {
		t.Fatal(err)
	}
	file, err := o.readPlate()
	if err != nil || source.Plate.W != 960 {
		t.Fatal(err)
	}
	c, err := Choose(o, file.Picture)
	if err != nil || c.Settings.Tile != 0 || len(c.Adjusted) != 0 {
		t.Errorf("rules: %+v, %v", c, err)
	}
	o.Asked = []Setting{{Name: "sdpa", Value: "off"}, {Name: "tile", Value: "256"}}
	c, err = Choose(o, file.Picture)
	if err != nil || c.Settings.Tile != 256 || c.Settings.SDPA || len(c.Notes) < 2 {
		t.Errorf("asked: %+v, %v", c, err)
	}
	// A format of half width where nothing is stored in it.
	o.Asked = []Setting{{Name: "bf16", Value: "off"}, {Name: "half", Value: "float16"}}
	c, err = Choose(o, file.Picture)
	if err != nil || c.Settings.Half != settings.Float16 || !says(c.Notes, "while bf16 is off") {
		t.Errorf("half without bf16: %+v, %v", c, err)
	}
	// A machine that is too small for the whole frame gets tiles, and the report says so.
	o.Asked, o.Machine.GPU = nil, &presets.GPU{WorkingSet: 90 << 20}
	c, err = Choose(o, file.Picture)
	if err != nil || c.Settings.Tile == 0 || len(c.Adjusted) == 0 || c.Adjusted[0].Asked != 0 {
		t.Errorf("small machine: %+v, %v", c, err)
	}
	o.Asked = []Setting{{Name: "tile", Value: "256"}, {Name: "overlap", Value: "300"}}
	if _, err = Choose(o, file.Picture); err == nil {
		t.Error("an overlap over half the tile passes")
	}
}

// failing is a writer that is full.
type failing struct{ io.Seeker }

func (failing) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

func TestSidecarTellsOfAFullDisk(t *testing.T) {
	if err := (sidecar{}).encode(failing{}); err == nil {
		t.Error("no error")
	}
}

func TestModelsAreOpenedByNameOrFile(t *testing.T) {
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	if _, err := OpenModel(t.Context(), "nanno"); err == nil || !strings.Contains(err.Error(), "nano") {
		t.Errorf("unknown name: %v", err)
	}
	if _, err := OpenModel(t.Context(), "corridorkey-v1"); err == nil || !strings.Contains(err.Error(), "model fetch corridorkey-v1") {
		t.Errorf("a model that is not here: %v", err)
	}
	m, err := OpenModel(t.Context(), DefaultModel)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if m.Screen != settings.ScreenAuto || m.Published != DefaultModel || len(m.Hash) != 64 {
		t.Errorf("nano: %+v", m)
	}
	if err := m.ReadAll(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestClippedCountsWhatIntegersCannotHold(t *testing.T) {
	fg := picture.Image{W: 5, H: 1, C: 3, Pix: []float32{0, 0.5, 1, 1.003, 0, 0, 0, 1.01, 0, -0.01, 0, 0, 9, 9, 9}}
	m := picture.Image{W: 5, H: 1, C: 1, Pix: []float32{1, 1, 1, 0.5, 0}}
	for _, c := range []struct {
		format Format
		depth  EXRDepth
		space  colour.Space
		want   int
	}{
		{FormatPNG, DepthHalf, colour.SRGB, 2}, {FormatTIFF, DepthHalf, colour.SRGB, 2}, {FormatEXR, DepthHalf, colour.SRGB, 0},
		{FormatPNG, DepthHalf, colour.ACEScg, 2},
		// What ACEScct has for 1.5 is more light than a half float holds.
		{FormatEXR, DepthHalf, colour.ACEScct, 1}, {FormatEXR, DepthFloat, colour.ACEScct, 0},
	} {
		fg := fg.Clone()
		if c.space == colour.ACEScct {
			fg.Pix[0] = 1.5
		}
		low, high, _ := Order{Format: c.format, Depth: c.depth}.holds()
		got, err := clipped(matte.Key{FG: fg, Matte: m, Space: c.space}, c.format == FormatEXR, low, high)
		if err != nil || got != c.want {
			t.Errorf("%s of %s: %d pixels, want %d (%v)", c.format, c.space, got, c.want, err)
		}
	}
}
