package app

import (
	"image"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"greenroom/engine/tiling"
	"greenroom/views"
)

// checkedSeams checks the seams of the key and waits until that is kept.
func (w *tested) checkedSeams(t *testing.T) State {
	t.Helper()
	w.CheckSeams()
	return w.until(t, "the check", func(s State) bool {
		return s.Seams.Run == nil && s.Seams.Check != nil && s.shownVariant() != nil && s.shownVariant().Check != nil
	})
}

func TestCheckComesBackWithItsKey(t *testing.T) {
	w := cachingPlate(t)
	first := w.variantKeyed(t, "192")
	first = w.checkedSeams(t)
	found := w.seamsShown()
	w.variantKeyed(t, "256")
	if v := w.seamsShown(); v.Checked || v.Verdict != "" {
		t.Errorf("the second key: %q", v.Verdict)
	}
	w.Undo()
	s := w.until(t, "the first key", func(s State) bool { return s.Key.cause == first.Key.cause && s.Stale() == "" })
	v := w.seamsShown()
	if !v.Checked || !reflect.DeepEqual(v.List, found.List) || v.Heat != found.Heat || !strings.HasPrefix(v.Verdict, found.Verdict) {
		t.Errorf("it came back with %v, %q, want %q", v.Checked, v.Verdict, found.Verdict)
	}
	if v.Second != nil || !strings.HasPrefix(v.NoSecond, "Check the seams again") || v.WhyNot != "" || v.Follow {
		t.Errorf("the other grid: %q, %q", v.NoSecond, v.WhyNot)
	}
	// The look is finished without the key on the other grid.
	look := s.Choices.Look
	look.ClipBlack = 0.2
	w.setLook(look)
	w.until(t, "the look", func(s State) bool { return !s.behind() })
	w.work.Wait()
	w.WriteKey()
	s = w.until(t, "the export", func(s State) bool { return s.Export.Report != nil })
	text, err := os.ReadFile(s.Export.Report.Sidecar)
	if err != nil || !strings.Contains(string(text), `by = "shifted grid"`) {
		t.Errorf("the sidecar: %v\n%s", err, text)
	}
	// It can be checked again, which brings the key on the other grid.
	w.CheckSeams()
	w.until(t, "the check", func(s State) bool { return s.Seams.Run == nil })
	if v := w.seamsShown(); v.Second == nil || v.WhyNot == "" {
		t.Errorf("checked again: %q", v.NoSecond)
	}
}

func TestCheckComesBackWithItsPlate(t *testing.T) {
	w := newTested(t).caching(t)
	w.Start()
	path := savePlate(t, "shot.png", 300, 200)
	w.Open(path)
	w.ready(t)
	first := w.variantKeyed(t, "192")
	first = w.checkedSeams(t)
	found := w.seamsShown()
	w.Open(savePlate(t, "next.png", 200, 150))
	w.until(t, "the next plate", func(s State) bool { return s.Plate.Name() == "next.png" })
	w.Open(path)
	w.until(t, "the key", func(s State) bool {
		return s.Plate.Name() == "shot.png" && s.Key != nil && s.Key.cause == first.Key.cause
	})
	v := w.seamsShown()
	if !v.Checked || !reflect.DeepEqual(v.List, found.List) || v.Heat != nil || !strings.HasPrefix(v.NoHeat, "Check the seams again") {
		t.Errorf("it came back with %v, %q", v.Checked, v.NoHeat)
	}
}

// tiledVariant is a variant of two tiles.
func tiledVariant(plate string) Variant {
	v := drawnVariant(plate, 1)
	v.Result.Used.Tile, v.Result.Used.Overlap = 64, 32
	return v
}

// someSeam is one that the two tiles can have.
func someSeam() tiling.Seam {
	return tiling.Seam{Band: image.Rect(10, 0, 42, 40), Upright: true, Matte: tiling.Difference{Mean: 1, P99: 8.5, Worst: 9, X: 30, Y: 4}}
}

func TestKeptSeamsAreNotBelieved(t *testing.T) {
	for name, harm := range map[string]func(*tiling.Seam){
		"nothing":                 func(*tiling.Seam) {},
		"a band without area":     func(s *tiling.Seam) { s.Band = image.Rectangle{} },
		"a band inside out":       func(s *tiling.Seam) { s.Band.Min, s.Band.Max = image.Pt(1<<40, 1<<40), image.Pt(-1<<40, -1<<40) },
		"a band beside":           func(s *tiling.Seam) { s.Band.Max.X = 71 },
		"a pixel beside":          func(s *tiling.Seam) { s.Matte.X = 1 << 40 },
		"a pixel above":           func(s *tiling.Seam) { s.FG.Y = -1 },
		"a 99th that is none":     func(s *tiling.Seam) { s.Matte.P99 = math.NaN() },
		"a mean that is none":     func(s *tiling.Seam) { s.FG.Mean = math.NaN() },
		"infinitely far":          func(s *tiling.Seam) { s.FG.Worst = math.Inf(1) },
		"nearer than the nearest": func(s *tiling.Seam) { s.Matte.Worst = -1 },
	} {
		for _, of := range []string{"check", "run"} {
			v, seam := tiledVariant("a"), someSeam()
			harm(&seam)
			if of == "run" {
				v.Result.Seams = []tiling.Seam{seam}
			} else {
				v.Check = &KeptCheck{Seams: []tiling.Seam{seam}}
			}
			c := openVariants(t.TempDir(), mostCached)
			put(t, c, v)
			if _, err := readVariant(filepath.Join(c.folder, v.Name), v.Name); (err == nil) != (name == "nothing") {
				t.Errorf("%s in the %s: %v", name, of, err)
			}
		}
	}
	// More than the grid has borders.
	v := tiledVariant("a")
	v.Check = &KeptCheck{Seams: []tiling.Seam{someSeam(), someSeam()}}
	c := openVariants(t.TempDir(), mostCached)
	put(t, c, v)
	if _, err := readVariant(filepath.Join(c.folder, v.Name), v.Name); err == nil {
		t.Error("two tiles have two borders")
	}
}

func TestCheckOfAVariantIsReadAgain(t *testing.T) {
	for name, check := range map[string]*KeptCheck{
		"none": nil, "no seam to see": {}, "seams": {Seams: []tiling.Seam{someSeam()}},
	} {
		c := openVariants(t.TempDir(), mostCached)
		v := tiledVariant("plate")
		put(t, c, v)
		if check != nil {
			c.checked(t.Context(), v.cause, *check)
		}
		back, err := readVariant(filepath.Join(c.folder, v.Name), v.Name)
		if err != nil || !reflect.DeepEqual(back.Check, check) {
			t.Errorf("%s: came back as %+v, %v", name, back.Check, err)
		}
	}
	// One that is found while the files are being written is in them too.
	c := openVariants(t.TempDir(), mostCached)
	v := drawnVariant("plate", 1)
	c.add(v)
	c.checked(t.Context(), v.cause, KeptCheck{})
	n, err := c.write(t.Context(), v)
	if err != nil || !c.written(v.Name, n) {
		t.Fatalf("nothing more is known: %v", err)
	}
}

func TestHeatMapsOfTheLastChecksAreHeld(t *testing.T) {
	s := State{}
	heats := map[string]*views.Heat{}
	for _, name := range []string{"a", "b", "a", "c"} {
		s.Key = &Key{cause: cause{hint: name}}
		heats[name] = &views.Heat{}
		s.keepHeat(heats[name])
	}
	for name, held := range map[string]bool{"a": true, "b": false, "c": true} {
		v := Variant{cause: cause{hint: name}, Check: &KeptCheck{}}
		if got := s.keptCheck(&v, &Key{}).Heat; (got == heats[name]) != held {
			t.Errorf("of %s a heat map is held: %v", name, got != nil)
		}
	}
}
