package app

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"greenroom/app/keying"
	"greenroom/engine/imageio"
	"greenroom/views"
)

// save writes a picture of w x h pixels into a folder of its own, unless the name has one, and returns its path.
func save(t testing.TB, name string, w, h int, at func(x, y int) color.NRGBA) string {
	t.Helper()
	m := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			m.SetNRGBA(x, y, at(x, y))
		}
	}
	var data bytes.Buffer
	if err := png.Encode(&data, m); err != nil {
		t.Fatal(err)
	}
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(t.TempDir(), name)
	}
	if err := os.WriteFile(path, data.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// inside reports whether a pixel lies in the disc that test plates show.
func inside(x, y, w, h int) bool {
	dx, dy := 2*x-w, 2*y-h
	return 2*(dx*dx+dy*dy) < min(w, h)*min(w, h)
}

// savePlate writes a plate: a grey disc before an uneven green screen.
func savePlate(t testing.TB, name string, w, h int) string {
	t.Helper()
	return save(t, name, w, h, func(x, y int) color.NRGBA {
		if inside(x, y, w, h) {
			return color.NRGBA{160, 140, 130, 255}
		}
		return color.NRGBA{45, uint8(160 + (x+y)%16), 60, 255}
	})
}

// saveHint writes a hint of the disc.
func saveHint(t *testing.T, name string, w, h int) string {
	t.Helper()
	return save(t, name, w, h, func(x, y int) color.NRGBA {
		if inside(x, y, w, h) {
			return color.NRGBA{255, 255, 255, 255}
		}
		return color.NRGBA{0, 0, 0, 255}
	})
}

// recorder keeps the states that a workspace tells of.
type recorder struct {
	mu     sync.Mutex
	states []State
}

func (r *recorder) emit(s State) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.states = append(r.states, s)
}

// all returns the states so far.
func (r *recorder) all() []State {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.states)
}

// tested is a workspace that is closed with the test.
type tested struct {
	*Workspace
	recorder recorder
}

// newTested returns a workspace with an engine, which keys in tiles of 128 pixels so that small plates have several.
func newTested(t *testing.T) *tested {
	t.Helper()
	w := &tested{}
	w.Workspace = NewWorkspace(w.recorder.emit)
	w.asked = []keying.Setting{{Name: "tile", Value: "128"}, {Name: "overlap", Value: "32"}}
	w.sampleFolder, w.folder = t.TempDir(), t.TempDir()
	t.Cleanup(func() {
		w.reading.Wait()
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	return w
}

// until waits for a state.
func (w *tested) until(t testing.TB, what string, holds func(State) bool) State {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		if s := w.State(); holds(s) {
			return s
		}
	}
	s := w.State()
	t.Fatalf("still waiting for %s: problem %+v, %.2000s", what, s.Problem, fmt.Sprintf("%+v", s))
	return State{}
}

// ready waits until the plate can be keyed.
func (w *tested) ready(t *testing.T) State {
	t.Helper()
	return w.until(t, "the hint and the plan", func(s State) bool { return s.canKey() })
}

// keyed keys the open plate.
func (w *tested) keyed(t *testing.T) State {
	t.Helper()
	w.ready(t)
	w.Key()
	return w.until(t, "the key", func(s State) bool { return s.Key != nil && s.Running == nil })
}

func TestWorkspaceOpensAPlateAndFindsItsHint(t *testing.T) {
	w := newTested(t)
	w.Start()
	path := savePlate(t, "shot é 1.png", 300, 200)
	w.Open(path)
	if got := w.recorder.all(); got[len(got)-1].Opening == "" && got[len(got)-1].Plate == nil {
		t.Error("nothing tells that the plate is being read")
	}
	s := w.ready(t)
	v := w.show(s)
	if v.Plate.Name != "shot é 1.png" || v.Plate.Details != "300 x 200, 8-bit PNG" || v.Plate.Space != "sRGB" || v.Plate.SpaceNote != "guessed" {
		t.Errorf("plate %+v", v.Plate)
	}
	if v.Hint.Source != "From the green screen" || v.Hint.FromFile {
		t.Errorf("hint %+v", v.Hint)
	}
	if !strings.HasPrefix(v.Plan.Settings, "tiled 128/32, 6 tiles") || v.Plan.Memory == "" {
		t.Errorf("plan %+v", v.Plan)
	}
	if v.Export.Contract != "straight sRGB, 16-bit PNG" || v.Export.Ready {
		t.Errorf("export %+v", v.Export)
	}
	if !slices.Equal(s.Recents, []string{path}) {
		t.Errorf("recents %q", s.Recents)
	}
	hint := saveHint(t, filepath.Join(filepath.Dir(path), "x-hint.png"), 300, 200)
	w.UseHint(hint)
	s = w.until(t, "the file", func(s State) bool { return s.Hint.Source.From == hint })
	if v := w.show(s); v.Hint.Source != "From x-hint.png" || v.Layers.Hint == nil {
		t.Errorf("hint %+v", v.Hint)
	}
	w.MakeHint()
	w.until(t, "the screen", func(s State) bool { return s.Hint.Source.From == "" })
}

func TestWorkspaceKeepsThePlateWhenTheNextCannotBeRead(t *testing.T) {
	w := newTested(t)
	w.Open(savePlate(t, "good.png", 60, 40))
	w.until(t, "the hint", func(s State) bool { return s.Hint != nil })
	w.Open(filepath.Join(t.TempDir(), "missing.png"))
	s := w.until(t, "the problem", func(s State) bool { return s.Problem != nil })
	if s.Plate == nil || s.Plate.Name() != "good.png" || s.Opening != "" || s.Hint == nil {
		t.Fatalf("state %+v", s)
	}
	if v := w.show(s).Problem; !strings.Contains(v.What, "missing.png") || v.Why == "" || v.Button != "Open a plate…" {
		t.Errorf("problem %+v", v)
	}
	w.Dismiss()
	if s := w.State(); s.Problem != nil || s.Plate == nil {
		t.Errorf("after dismissing: %+v", s)
	}
}

func TestWorkspaceShowsOnlyTheLastPlateAskedFor(t *testing.T) {
	w := newTested(t)
	first, second := savePlate(t, "first.png", 1500, 1500), savePlate(t, "second.png", 60, 40)
	w.Open(first)
	w.Open(second)
	w.reading.Wait()
	if s := w.State(); s.Plate == nil || s.Plate.Name() != "second.png" {
		t.Fatalf("state %+v", s)
	}
	if slices.ContainsFunc(w.recorder.all(), func(s State) bool { return s.Plate != nil && s.Plate.Name() == "first.png" }) {
		t.Error("the plate that was overtaken was shown")
	}
}

func TestPlateWithoutAScreenAsksForAHint(t *testing.T) {
	w := newTested(t)
	path := save(t, "grey.png", 200, 100, func(x, y int) color.NRGBA { return color.NRGBA{uint8(x), uint8(x), uint8(x), 255} })
	w.Open(path)
	s := w.until(t, "the problem", func(s State) bool { return s.Problem != nil })
	v := w.show(s)
	if v.Problem.Button != "Open a hint…" || v.Problem.Why == "" || v.Key.Ready || v.Key.WhyNot != "A hint is needed to key" {
		t.Errorf("problem %+v, key %+v", v.Problem, v.Key)
	}
	w.UseHint(saveHint(t, "mask.png", 100, 100))
	s = w.until(t, "the other problem", func(s State) bool { return s.Problem != nil && !s.FindingHint && s.Problem.Why != v.Problem.Why })
	if p := w.show(s).Problem; !strings.Contains(p.What, "mask.png") || !strings.Contains(p.Why, "100") {
		t.Errorf("a hint of another shape: %+v", p)
	}
}

func TestKeyIsMadeTileByTileFollowsTheLookAndIsExported(t *testing.T) {
	w := newTested(t)
	w.Start()
	folder := t.TempDir()
	path := savePlate(t, filepath.Join(folder, "shot 1 ü.png"), 300, 200)
	saveHint(t, filepath.Join(folder, "shot 1 ü-hint.png"), 300, 200)
	w.Open(path)
	s := w.keyed(t)
	if !s.Key.Whole || s.Key.Hint.Source.From == "" || s.Problem != nil {
		t.Fatalf("key %+v, problem %+v", s.Key, s.Problem)
	}
	tiles, partial := 0, false
	for _, s := range w.recorder.all() {
		if r := s.Running; r != nil && r.Doing == "" {
			if r.Tile < tiles {
				t.Errorf("tile %d after %d", r.Tile, tiles)
			}
			tiles = r.Tile
			partial = partial || r.Shown != nil && r.Tile < r.Tiles && w.show(s).Layers.Key == r.Shown
		}
	}
	if tiles != 6 || !partial {
		t.Errorf("%d tiles were told of, partial key shown: %v", tiles, partial)
	}
	if v := w.show(s); !strings.HasPrefix(v.Key.Summary, "Keyed in ") || v.Key.Stale != "" || !v.Export.Ready ||
		!strings.Contains(v.Plan.Settings, "about ") {
		t.Errorf("shown as %+v, %+v, %+v", v.Key, v.Export, v.Plan)
	}

	// Many changes at once end with the last.
	look := s.Choices.Look
	for i := range 20 {
		look.ClipBlack = 0.01 * float64(i)
		w.setLook(look)
	}
	s = w.until(t, "the look", func(s State) bool { return s.Key.Choices.Look == look })
	if s.Key.Shown == nil || s.Key.Finished.Matte.Empty() {
		t.Error("the look made no key")
	}

	w.WriteKey()
	s = w.until(t, "the export", func(s State) bool { return s.Export.Report != nil })
	keys := filepath.Join(folder, "keys")
	if want := []string{"shot 1 ü_key.png", "shot 1 ü_matte.png", "shot 1 ü_key.toml"}; !slices.Equal(w.show(s).Export.Written, want) {
		t.Errorf("wrote %q, want %q", w.show(s).Export.Written, want)
	}
	file, err := imageio.Open(filepath.Join(keys, "shot 1 ü_matte.png"), imageio.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range s.Key.Finished.Matte.Pix {
		if got := file.Picture.RGB.Pix[3*i]; got < v-1.0/65535 || got > v+1.0/65535 {
			t.Fatalf("pixel %d of the file is %v, of the matte %v", i, got, v)
		}
	}
	s = w.until(t, "the next names", func(s State) bool { return s.Export.Version == 2 })
	w.SetExport(views.ExportChoice{FG: true, Format: views.ExportTIFF})
	s = w.until(t, "other names", func(s State) bool { return slices.Equal(s.Export.Names, []string{"shot 1 ü_fg_v002.tif"}) })
	w.WriteKey()
	w.until(t, "the second export", func(n State) bool { return n.Export.Report != s.Export.Report && !n.Export.Running })
	if _, err := os.Stat(filepath.Join(keys, "shot 1 ü_fg_v002.tif")); err != nil {
		t.Error(err)
	}

	// Another hint makes the key stale; keying again makes it good.
	w.MakeHint()
	s = w.until(t, "the other hint", func(s State) bool { return s.Hint.Source.From == "" })
	if v := w.show(s); v.Key.Stale == "" || v.Export.Note != "Out of date: the hint has changed" {
		t.Errorf("the key is not marked as out of date: %q, %q", v.Key.Stale, v.Export.Note)
	}
	s = func() State {
		w.Key()
		return w.until(t, "the new key", func(n State) bool { return n.Key != s.Key && n.Running == nil })
	}()
	if v := w.show(s); v.Key.Stale != "" {
		t.Errorf("still out of date: %s", v.Key.Stale)
	}
}

func TestStoppedKeyKeepsItsTilesAndIsNotExported(t *testing.T) {
	w := newTested(t)
	w.Start()
	w.Open(savePlate(t, "shot.png", 700, 500))
	w.ready(t)
	w.Key()
	w.until(t, "the second tile", func(s State) bool { return s.Running != nil && s.Running.Tile >= 2 })
	w.Cancel()
	s := w.until(t, "the end", func(s State) bool { return s.Running == nil })
	if s.Key == nil || s.Key.Whole || s.Key.Tile < 2 || s.Key.Tile >= s.Key.Tiles || s.Problem != nil {
		t.Fatalf("key %+v, problem %+v", s.Key, s.Problem)
	}
	v := w.show(s)
	if !strings.HasPrefix(v.Key.Summary, "Stopped: ") || !v.Layers.Stopped || v.Export.Ready || !v.Key.Ready {
		t.Errorf("shown as %+v, export %+v", v.Key, v.Export)
	}
	w.WriteKey()
	if w.State().Export.Running {
		t.Error("a part of a key is exported")
	}
	s = w.State()
	if p := s.Problem; p == nil || p.What != fmt.Sprintf("Key the whole plate first: %d of %d tiles are done", s.Key.Tile, s.Key.Tiles) || p.remedy.label() != "Key" {
		t.Errorf("told %+v", p)
	}
	if want := fmt.Sprintf("%d of %d tiles are done", s.Key.Tile, s.Key.Tiles); v.Export.Note != want {
		t.Errorf("under the button is %q, want %q", v.Export.Note, want)
	}
	w.Dismiss()
	w.setLook(s.Choices.Look)
}

func TestClosingMidKeyIsQuickAndLeavesNothing(t *testing.T) {
	w := newTested(t)
	w.Start()
	folder := t.TempDir()
	w.Open(savePlate(t, filepath.Join(folder, "shot.png"), 900, 700))
	w.ready(t)
	w.Key()
	w.until(t, "the first tile", func(s State) bool { return s.Running != nil && s.Running.Tile >= 1 })
	start := time.Now()
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	if took := time.Since(start); took > 3*time.Second {
		t.Errorf("closing took %v", took)
	}
	if s := w.State(); s.Problem != nil {
		t.Errorf("closing is told as a problem: %+v", s.Problem)
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 1 {
		t.Errorf("%d files, %v", len(entries), err)
	}
}

func TestFailedExportSaysWhyAndOffersAnotherFolder(t *testing.T) {
	w := newTested(t)
	w.Start()
	w.OpenSample()
	w.until(t, "the sample", func(s State) bool { return s.Plate != nil })
	w.Open(savePlate(t, "shot.png", 200, 150))
	w.until(t, "the plate", func(s State) bool { return s.Plate.Name() == "shot.png" })
	w.keyed(t)
	blocked := save(t, "a file, no folder", 1, 1, func(int, int) color.NRGBA { return color.NRGBA{} })
	w.SetFolder(blocked)
	w.WriteKey()
	s := w.until(t, "the problem", func(s State) bool { return s.Problem != nil })
	if v := w.show(s); v.Problem.Button != "Choose another folder…" || v.Problem.Why == "" || v.Export.Running {
		t.Errorf("problem %+v", v.Problem)
	}
	w.SetFolder(filepath.Join(t.TempDir(), "made on the way"))
	w.Dismiss()
	w.WriteKey()
	w.until(t, "the export", func(s State) bool { return s.Export.Report != nil })
}

func TestRecentsAreFewAndWithoutRepeats(t *testing.T) {
	var list []string
	for i := range 12 {
		list = remember(list, string(rune('a'+i)))
	}
	list = remember(list, "k")
	if want := []string{"k", "l", "j", "i", "h", "g", "f", "e"}; !slices.Equal(list, want) {
		t.Errorf("%q, want %q", list, want)
	}
	w := newTested(t)
	w.Recall(remembered{Recents: []string{"/not/there.png"}})
	w.Reopen("/not/there.png")
	s := w.until(t, "the problem", func(s State) bool { return s.Problem != nil })
	if len(s.Recents) != 0 || !strings.Contains(s.Problem.What, "there.png") {
		t.Errorf("a plate that is gone: %+v", s)
	}
	there := savePlate(t, "there.png", 60, 40)
	w.Reopen(there)
	w.until(t, "the plate", func(s State) bool { return s.Plate != nil && s.Plate.Path == there })
}
