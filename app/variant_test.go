package app

import (
	"fmt"
	"image"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"greenroom/engine"
	"greenroom/engine/picture"
	"greenroom/engine/settings"
	"greenroom/views"
)

// variantKeyed keys the open plate with a tile and waits until its files are written.
func (w *tested) variantKeyed(t *testing.T, tile string) State {
	t.Helper()
	w.SetSetting("tile", tile)
	w.until(t, "the plan", func(s State) bool { return s.Plan != nil && !s.Planning && fmt.Sprint(s.Plan.Settings.Tile) == tile })
	w.ready(t)
	w.Key()
	w.until(t, "the key", func(s State) bool { return s.Key != nil && s.Running == nil && s.Stale() == "" })
	return w.until(t, "its files", func(s State) bool { return s.shownVariant() != nil && s.shownVariant().bytes > 0 })
}

// cachingPlate opens a plate in a workspace that keeps its keys, and waits until it can be keyed.
func cachingPlate(t *testing.T) *tested {
	t.Helper()
	w := newTested(t).caching(t)
	w.Start()
	w.Open(savePlate(t, "shot.png", 300, 200))
	w.ready(t)
	return w
}

func TestUndoneSettingBringsItsKeyBack(t *testing.T) {
	w := cachingPlate(t)
	first := w.variantKeyed(t, "192")
	second := w.variantKeyed(t, "0")
	if len(second.Variants) != 2 || second.Key.cause == first.Key.cause {
		t.Fatalf("%d variants", len(second.Variants))
	}
	w.Undo()
	s := w.until(t, "the first key", func(s State) bool { return s.Key.cause == first.Key.cause && s.Stale() == "" })
	for name, d := range map[string]float64{
		"matte":  farApart(s.Key.Result.Matte.Pix, first.Key.Result.Matte.Pix),
		"fg":     farApart(s.Key.Result.FG.Pix, first.Key.Result.FG.Pix),
		"finish": farApart(s.Key.Finished.Matte.Pix, first.Key.Finished.Matte.Pix),
	} {
		if d != 0 {
			t.Errorf("the %s is off by %v", name, d)
		}
	}
	if s.Key.Work != first.Key.Work || s.Key.Result.Grid.Len() != first.Key.Result.Grid.Len() || len(s.Key.Result.Seams) != len(first.Key.Result.Seams) {
		t.Errorf("it came back as %+v", s.Key.Result)
	}
	w.Undo()
	w.Undo()
	if s = w.until(t, "the plan of the beginning", func(s State) bool { return !s.Planning && s.Plan.Settings.Tile == 128 }); s.Stale() == "" {
		t.Error("a key that was never made is not out of date")
	}
	w.Redo()
	w.until(t, "the first key again", func(s State) bool { return s.Key.cause == first.Key.cause && s.Stale() == "" })
}

func TestRestoredKeyHasItsChoices(t *testing.T) {
	w := cachingPlate(t)
	first := w.variantKeyed(t, "192")
	look := first.Choices.Look
	look.ClipBlack = 0.0625
	w.setLook(look)
	w.until(t, "the finish", func(s State) bool { return !s.behind() })
	// Another hint, so that everything differs.
	hint := saveHint(t, "mask.png", 300, 200)
	w.UseHint(hint)
	w.until(t, "the hint", func(s State) bool { return !s.FindingHint && s.Hint.Source.From == hint })
	w.variantKeyed(t, "0")
	look.ClipBlack = 0
	w.setLook(look)
	second := w.until(t, "the finish", func(s State) bool { return !s.behind() })
	v := w.show(second).Variants
	if len(v) != 2 || !v[0].Shown || v[1].Differs != "tile 192/32, hint from the screen, clip black 0.0625" {
		t.Errorf("shown as %+v", v)
	}
	w.Restore(v[1].Name)
	s := w.until(t, "the first key", func(s State) bool { return s.Key.cause == first.Key.cause && !s.behind() && s.restoring == "" })
	if s.Choices.Look.ClipBlack != 0.0625 || s.Choices.Hint != "" || s.Stale() != "" || s.Running != nil {
		t.Errorf("choices %+v, stale %q", s.Choices, s.Stale())
	}
	w.Undo()
	s = w.until(t, "the second key", func(s State) bool { return s.Key.cause == second.Key.cause && s.Stale() == "" })
	if s.Choices.Hint != hint || s.Choices.Look.ClipBlack != 0 {
		t.Errorf("undone to %+v", s.Choices)
	}
}

// TestAKeyWhoseHintIsGoneIsNotChecked brings a key back after its hint's file was written anew: keyed again on another
// grid, but with the hint of now, all of it would be a seam.
func TestAKeyWhoseHintIsGoneIsNotChecked(t *testing.T) {
	w := newTested(t).caching(t)
	w.Start()
	plate := savePlate(t, "shot.png", 300, 200)
	hint := saveHint(t, filepath.Join(t.TempDir(), "rough.png"), 300, 200)
	w.OpenBoth(plate, hint)
	w.ready(t)
	first := w.variantKeyed(t, "192")
	other, err := os.ReadFile(saveHint(t, filepath.Join(t.TempDir(), "other.png"), 301, 200))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(hint, other, 0o666); err != nil {
		t.Fatal(err)
	}
	w.change(func(s *State) { w.openAgain(s) })
	w.until(t, "the other hint", func(s State) bool { return s.canKey() && s.Hint.print != first.Key.cause.hint })
	w.variantKeyed(t, "192")
	w.Restore(first.shownVariant().Name)
	w.until(t, "the first key", func(s State) bool { return s.Key.cause == first.Key.cause && s.Stale() == hintChanged })
	w.CheckSeams()
	if s := w.State(); s.Seams.Run != nil || !strings.HasPrefix(w.show(s).Seams.WhyNot, "The hint that this key was made from is not there") {
		t.Errorf("it is checked: %v, %q", s.Seams.Run != nil, w.show(s).Seams.WhyNot)
	}
	w.until(t, "the plan", func(s State) bool { return s.canKey() })
	if s := w.keyed(t); s.cannotCheck() != "" {
		t.Errorf("keyed again: %q", s.cannotCheck())
	}
}

func TestAStoppedKeyIsReplacedByTheWholeOneOnlyWhenAsked(t *testing.T) {
	w := cachingPlate(t)
	s := w.variantKeyed(t, "192")
	stopped := *s.Key
	stopped.Whole, stopped.Tile, stopped.Result, stopped.finisher = false, 1, nil, nil
	w.change(func(s *State) {
		s.Key = &stopped
		w.wakeVariant(s)
	})
	w.work.Wait()
	if now := w.State(); now.Key != &stopped || w.show(now).Variants[0].Shown {
		t.Error("the tiles did not stay")
	}
	w.Restore(s.Variants[0].Name)
	w.until(t, "the whole key", func(s State) bool { return s.Key.Whole && s.restoring == "" })
}

func TestComparedKeyIsFinishedByItsOwnChoices(t *testing.T) {
	w := cachingPlate(t)
	w.variantKeyed(t, "192")
	s := w.variantKeyed(t, "0")
	other := s.Variants[1].Name
	w.CompareWith(other)
	s = w.until(t, "the second side", func(s State) bool { return s.Compare != nil && s.Compare.Second != nil })
	v := w.show(s)
	if v.Layers.Second == nil || v.Layers.Second.Name != "key 1" || !v.Variants[1].Compared {
		t.Errorf("second %+v", v.Layers.Second)
	}
	w.Restore(other)
	w.until(t, "the other as the key", func(s State) bool { return s.shownVariant() != nil && s.shownVariant().Name == other })
	if s = w.State(); s.Compare != nil {
		t.Error("a key is compared with itself")
	}
	w.CompareWith(s.Variants[0].Name)
	w.until(t, "the side", func(s State) bool { return s.Compare != nil && s.Compare.Second != nil })
	w.CompareWith(s.Variants[0].Name)
	if w.State().Compare != nil {
		t.Error("asked for again it does not end")
	}
}

func TestKeysComeBackInTheNextSession(t *testing.T) {
	folder := t.TempDir()
	path := savePlate(t, "shot.png", 300, 200)
	var first State
	for session := range 2 {
		w := newTested(t)
		w.cache = openVariants(folder, mostCached)
		w.Start()
		w.Open(path)
		w.ready(t)
		if session == 0 {
			first = w.variantKeyed(t, "192")
			continue
		}
		w.SetSetting("tile", "192")
		s := w.until(t, "the key of before", func(s State) bool { return s.Key != nil })
		if s.Stale() != "" || s.Key.cause != first.Key.cause || s.Variants[0].Thumb == nil || s.Variants[0].Number != 1 {
			t.Errorf("stale %q, %+v", s.Stale(), s.Variants[0])
		}
		if a, b := s.Key.Choice.Settings, first.Key.Choice.Settings; a != b {
			t.Errorf("settings %+v, want %+v", a, b)
		}
	}
}

// drawnVariant is a variant of random pictures.
func drawnVariant(plate string, n int) Variant {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	result := &engine.Result{Matte: picture.New(70, 40, 1), FG: picture.New(70, 40, 3), Coarse: picture.New(24, 16, 4), Used: settings.Default()}
	for _, m := range []picture.Image{result.Matte, result.FG, result.Coarse} {
		for i := range m.Pix {
			m.Pix[i] = r.Float32()
		}
	}
	v := Variant{
		Name: newVariantName(), Number: n, Model: "nano", Choices: settings.Choices{Look: settings.DefaultLook()}, Screen: settings.ScreenGreen,
		Result: engine.Result{Used: settings.Default()}, Thumb: image.NewRGBA(image.Rect(0, 0, views.ThumbnailWidth, 60)),
		cause: cause{plate: plate, hint: fmt.Sprint(n)}, width: 70, height: 40, coarse: [2]int{24, 16}, held: result,
	}
	v.Choice.Settings = settings.Default()
	return v
}

// put adds a variant and writes it.
func put(t *testing.T, c *variantCache, v Variant) {
	t.Helper()
	c.add(v)
	n, err := c.write(t.Context(), v)
	if err != nil {
		t.Fatal(err)
	}
	c.written(v.Name, n)
}

func folders(t *testing.T, folder string) int {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}

func TestCacheKeepsSixKeysOfAPlateAndNoMoreBytesThanItMay(t *testing.T) {
	c := openVariants(filepath.Join(t.TempDir(), "new"), mostCached)
	for n := range 8 {
		put(t, c, drawnVariant("a", n+1))
	}
	list := c.of("a")
	if len(list) != mostVariants || list[0].Number != 8 || folders(t, c.folder) != mostVariants {
		t.Fatalf("%d variants, %d folders", len(list), folders(t, c.folder))
	}
	// The same key made again takes the place of the one before.
	again := drawnVariant("a", 8)
	put(t, c, again)
	if got := c.of("a"); len(got) != mostVariants || got[0].Name != again.Name {
		t.Errorf("%d variants", len(got))
	}
	one := again.bytes
	for _, v := range c.of("a") {
		one = max(one, v.bytes)
	}
	// Cleaned at the next start.
	c = openVariants(c.folder, 3*one)
	c.read()
	if n := folders(t, c.folder); n != 3 || len(c.of("a")) != 3 {
		t.Errorf("%d folders, %d variants for three", n, len(c.of("a")))
	}
	put(t, c, drawnVariant("b", 1))
	if len(c.of("a")) != 2 || len(c.of("b")) != 1 {
		t.Errorf("%d and %d variants: the oldest did not go", len(c.of("a")), len(c.of("b")))
	}
}

// inText puts something else into a variant's text.
func inText(old, new string) func(folder string) error {
	return func(folder string) error {
		path := filepath.Join(folder, variantText)
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(path, []byte(strings.Replace(string(text), old, new, 1)), 0o666)
	}
}

func TestBrokenVariantsAreDropped(t *testing.T) {
	for name, harm := range map[string]func(folder string) error{
		"no text":        func(f string) error { return os.WriteFile(filepath.Join(f, variantText), []byte("\x00 = ["), 0o666) },
		"another schema": func(f string) error { return os.WriteFile(filepath.Join(f, variantText), []byte("schema = 9"), 0o666) },
		"no picture":     func(f string) error { return os.Remove(filepath.Join(f, variantPicture)) },
		"huge":           inText("width = 70", "width = 2000000000"),
		"a wild look":    inText("despill = ", "despill = -77"),
	} {
		c := openVariants(t.TempDir(), mostCached)
		v := drawnVariant("a", 1)
		put(t, c, v)
		if err := harm(filepath.Join(c.folder, v.Name)); err != nil {
			t.Fatal(err)
		}
		if again := openVariants(c.folder, mostCached); len(again.of("a")) != 0 || folders(t, c.folder) != 0 {
			t.Errorf("%s: it is still there", name)
		}
	}
}

func TestPicturesOfVariantsAreNotBelieved(t *testing.T) {
	c := openVariants(t.TempDir(), mostCached)
	v := drawnVariant("a", 1)
	put(t, c, v)
	v = c.of("a")[0]
	r, err := c.result(t.Context(), v, 70, 40)
	if err != nil {
		t.Fatal(err)
	}
	want := drawnVariant("a", 1).held
	for i, pair := range [][2]picture.Image{{r.Matte, want.Matte}, {r.FG, want.FG}, {r.Coarse, want.Coarse}} {
		if d := farApart(pair[0].Pix, pair[1].Pix); d > 0x1p-12 {
			t.Errorf("picture %d is off by %v", i, d)
		}
	}
	if _, err := c.result(t.Context(), v, 700, 400); err == nil {
		t.Error("a key of another size was taken")
	}
	path := filepath.Join(c.folder, v.Name, variantPicture)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	coarse, err := os.ReadFile(filepath.Join(c.folder, v.Name, variantCoarse))
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"cut short": whole[:len(whole)/2], "empty": nil, "another picture": coarse, "no EXR": []byte(strings.Repeat("x", 999))} {
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := c.result(t.Context(), v, 70, 40); err == nil {
			t.Errorf("%s: it was taken", name)
		}
	}
}

func TestABrokenKeyIsToldOfAndForgotten(t *testing.T) {
	w := cachingPlate(t)
	first := w.variantKeyed(t, "192")
	w.variantKeyed(t, "0")
	name := first.shownVariant().Name
	if err := os.WriteFile(filepath.Join(w.cache.folder, name, variantPicture), []byte("nothing"), 0o666); err != nil {
		t.Fatal(err)
	}
	w.Restore(name)
	s := w.until(t, "the problem", func(s State) bool { return s.Problem != nil })
	if !strings.Contains(s.Problem.What, "key 1") || len(s.Variants) != 1 || s.Stale() == "" {
		t.Errorf("told %+v, %d variants, stale %q", s.Problem, len(s.Variants), s.Stale())
	}
	w.until(t, "its end", func(State) bool { return folders(t, w.cache.folder) == 1 })
}

func TestAVariantWhoseTextNestsDeeplyIsRefused(t *testing.T) {
	folder := t.TempDir()
	for _, text := range []string{"schema = 1\nx = " + strings.Repeat("{a=", 1_000_000), strings.Repeat("a.", 50_000) + "a = 1"} {
		if err := os.WriteFile(filepath.Join(folder, variantText), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := readVariant(folder, "key"); err == nil || !strings.Contains(err.Error(), "nested too deeply") {
			t.Errorf("%.20q: %.200v", text, err)
		}
	}
}

func FuzzVariantText(f *testing.F) {
	dir := f.TempDir()
	v := drawnVariant("a", 1)
	if err := os.MkdirAll(filepath.Join(dir, v.Name), 0o777); err != nil {
		f.Fatal(err)
	}
	if err := writeVariant(f.Context(), filepath.Join(dir, v.Name), v); err != nil {
		f.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, v.Name, variantText))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(text))
	f.Add("schema = 1\nwidth = 9223372036854775807\n[run.used]\ntile = 1")
	f.Fuzz(func(t *testing.T, text string) {
		folder := t.TempDir()
		for name, data := range map[string]string{variantText: text, variantPicture: ""} {
			if err := os.WriteFile(filepath.Join(folder, name), []byte(data), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if v, err := readVariant(folder, "key"); err == nil && (v.width < 1 || v.Choices.Validate() != nil || v.Result.Grid.Len() < 1) {
			t.Errorf("%+v was taken", v)
		}
	})
}
