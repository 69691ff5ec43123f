package app

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"greenroom/engine/imageio"
	"greenroom/engine/picture"
)

// saveOurs writes a matte as Greenroom writes it.
func saveOurs(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := imageio.WritePNG16(f, picture.New(60, 40, 1), picture.Image{}, imageio.Meta{Pass: "matte"}); err != nil {
		t.Fatal(err)
	}
}

func TestDroppedFilesAreSortedOut(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	plate := savePlate(t, in("shot 1.png"), 60, 40)
	other := savePlate(t, in("shot 2.png"), 60, 40)
	grey := saveHint(t, in("rough.png"), 60, 40)
	named := saveHint(t, in("anything mask.png"), 60, 40)
	asks := saveHint(t, in("shot 1_matte.png"), 60, 40)
	// A green picture whose name says hint is none.
	lying := savePlate(t, in("screen_hint.png"), 60, 40)
	ours := in("old_matte.png")
	saveOurs(t, ours)
	text := in("notes.png")
	if err := os.WriteFile(text, []byte("no picture"), 0o666); err != nil {
		t.Fatal(err)
	}

	for name, c := range map[string]struct {
		paths []string
		open  bool
		// plate and hint are what they become, ask what the artist is asked about, problem a part of what is said.
		plate, hint, ask, problem string
		// plates are several for the strip.
		plates []string
	}{
		"one, no plate":              {paths: []string{plate}, plate: plate},
		"a hint by name, no plate":   {paths: []string{named}, plate: named},
		"a hint by name":             {paths: []string{named}, open: true, hint: named},
		"a name that says nothing":   {paths: []string{grey}, open: true, ask: grey},
		"another plate":              {paths: []string{other}, open: true, ask: other},
		"a name that asks":           {paths: []string{asks}, open: true, ask: asks},
		"a name that lies":           {paths: []string{lying}, open: true, ask: lying},
		"written by us, no plate":    {paths: []string{ours}, ask: ours},
		"written by us":              {paths: []string{ours}, open: true, ask: ours},
		"two, by name":               {paths: []string{named, plate}, plate: plate, hint: named},
		"two, by name, other order":  {paths: []string{plate, named}, open: true, plate: plate, hint: named},
		"two, the greyer":            {paths: []string{plate, grey}, plate: plate, hint: grey},
		"two, the greyer, swapped":   {paths: []string{grey, plate}, plate: plate, hint: grey},
		"two plates":                 {paths: []string{plate, other}, plates: []string{plate, other}},
		"two alike":                  {paths: []string{grey, asks}, problem: "Which is the plate"},
		"two with one of ours":       {paths: []string{plate, ours}, problem: "earlier key"},
		"three":                      {paths: []string{other, plate, grey}, plates: []string{other, plate, grey}},
		"no picture":                 {paths: []string{text}, problem: "notes.png"},
		"one that is not there":      {paths: []string{in("gone.png")}, problem: "gone.png"},
		"a picture and no picture":   {paths: []string{plate, text}, problem: "notes.png"},
		"a folder without a pair":    {paths: []string{dir}, problem: "Nothing to open"},
		"an empty folder":            {paths: []string{t.TempDir()}, problem: "Nothing to open"},
		"a folder with other things": {paths: []string{dir, plate}, plates: []string{plate}, problem: "1 of 2 files and folders was left out"},
	} {
		got := sortOut(c.paths, c.open)
		ask := ""
		if got.ask != nil {
			ask = got.ask.path
		}
		var plates []string
		for _, p := range got.plates {
			plates = append(plates, p.plate)
		}
		said := ""
		if got.problem != nil {
			said = got.problem.What
		}
		if !slices.Equal(plates, c.plates) || got.plate != c.plate || got.hint != c.hint || ask != c.ask || (said == "") != (c.problem == "") || !strings.Contains(said, c.problem) {
			t.Errorf("%s: plate %q, hint %q, plates %q, ask %q, problem %q", name, got.plate, got.hint, plates, ask, said)
		}
	}

	pair := saveHint(t, in("shot 2-hint.png"), 60, 40)
	if got := sortOut([]string{dir}, true); got.plate != other || got.hint != pair {
		t.Errorf("a folder with a pair: %+v", got)
	}
}

func TestDroppedHintWaitsForItsPlate(t *testing.T) {
	w := newTested(t)
	dir := t.TempDir()
	plate := savePlate(t, filepath.Join(dir, "large.png"), 1200, 900)
	hint := saveHint(t, filepath.Join(dir, "rough mask.png"), 1200, 900)
	w.Drop([]string{plate})
	w.until(t, "the plate to be read", func(s State) bool { return s.Opening != "" || s.Plate != nil })
	w.Drop([]string{hint})
	w.until(t, "the hint", func(s State) bool { return s.Plate != nil && s.Hint != nil && s.Hint.Source.From == hint })
}

func TestArtistSaysWhatAFileIs(t *testing.T) {
	w := newTested(t)
	dir := t.TempDir()
	plate := savePlate(t, filepath.Join(dir, "shot.png"), 60, 40)
	rough := saveHint(t, filepath.Join(dir, "rough.png"), 60, 40)
	w.Drop([]string{plate})
	w.until(t, "the hint", func(s State) bool { return s.Hint != nil })
	ask := func() {
		w.Drop([]string{rough})
		s := w.until(t, "the question", func(s State) bool { return s.Question != nil })
		if q := w.show(s).Question; !strings.Contains(q.Title, "rough.png") || len(q.Answers) != 2 {
			t.Fatalf("question %+v", q)
		}
	}
	ask()
	w.Answer(-1)
	if s := w.State(); s.Question != nil || s.Hint.Source.From != "" {
		t.Errorf("no answer: %+v", s)
	}
	ask()
	w.Answer(1)
	w.until(t, "the hint", func(s State) bool { return s.Hint != nil && s.Hint.Source.From == rough })
	ask()
	w.Answer(0)
	w.until(t, "the plate", func(s State) bool { return s.Plate.Path == rough })
}

func TestOverRangeAndNonFiniteColourIsColourful(t *testing.T) {
	m := picture.New(2, 1, 3)
	copy(m.Pix, []float32{5, 0, 0, 0.5, 0.5, 0.5})
	if got := colourfulness(m); got != 0.5 {
		t.Errorf("%v", got)
	}
}

// TestAFolderAmongFilesIsNamedAsItIs: what can be opened is, and the folder keeps its name in the sentence.
func TestAFolderAmongFilesIsNamedAsItIs(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "keys")
	if err := os.Mkdir(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	plate := savePlate(t, "shot.png", 60, 40)
	w := newTested(t)
	w.Drop([]string{folder, plate})
	s := w.until(t, "the plate", func(s State) bool { return s.Plate != nil && s.Opening == "" && !s.FindingHint })
	if s.Plate.Path != plate || s.Problem == nil || s.Problem.Why != "the folder keys can only be opened by itself" {
		t.Errorf("opened %v, problem %+v", s.Plate.Path, s.Problem)
	}
}
