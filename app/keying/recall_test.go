package keying

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"greenroom/engine/settings"
)

// TestASidecarIsSavedBeforeAnythingIsKeyed and says what is chosen; where nothing was written of a window, the settings of
// the key count as the artist's own.
func TestASidecarIsSavedBeforeAnythingIsKeyed(t *testing.T) {
	e, base := bench(t)
	dir := t.TempDir()
	o := marked(t, base, dir)
	source, err := open(o)
	if err != nil {
		t.Fatal(err)
	}
	o.Session = &Session{Model: "studio", Hint: HintScreen, Edits: map[string]string{"tile": "128"}}
	used := settings.Default()
	used.Tile = 512
	path := filepath.Join(dir, "new", "shot_state.toml")
	if err := SaveSidecar(t.Context(), path, o, source, used); err != nil {
		t.Fatal(err)
	}
	like, err := ReadLike(path)
	if err != nil {
		t.Fatal(err)
	}
	r := like.Recall(o.Plate)
	c := r.Choices
	if c.Look != o.Look || !c.Marks.Equal(source.Marks) || !c.Chroma || c.Hint != "" || c.Core != o.Core || c.Garbage != o.Garbage ||
		c.Backdrop != o.Backdrop || c.BackdropSpace != o.BackdropSpace || c.Space != o.Space || len(r.Lost) > 0 {
		t.Errorf("recalled %+v, lost %v", c, r.Lost)
	}
	if want := []Setting{{Name: "tile", Value: "128"}}; !reflect.DeepEqual(r.Edits, want) || r.Model != "studio" {
		t.Errorf("edits %v, model %q", r.Edits, r.Model)
	}
	if like.Settings() != used {
		t.Errorf("a key would run with %+v", like.Settings())
	}

	// The command line's own sidecar.
	report, err := Run(t.Context(), e, marked(t, base, dir))
	if err != nil {
		t.Fatal(err)
	}
	if like, err = ReadLike(report.Sidecar); err != nil {
		t.Fatal(err)
	}
	r = like.Recall(o.Plate)
	if len(r.Edits) != len(settings.Names()) || r.Model != "" || !r.Choices.Chroma || !r.Choices.Marks.Equal(source.Marks) {
		t.Errorf("of the command line: %+v", r)
	}
}

// TestALostPlateOrFileIsFoundBesideTheSidecar looks beside the sidecar and beside its folder, and says what is gone.
func TestALostPlateOrFileIsFoundBesideTheSidecar(t *testing.T) {
	_, base := bench(t)
	dir := t.TempDir()
	job := filepath.Join(dir, "job")
	if err := os.Mkdir(job, 0o777); err != nil {
		t.Fatal(err)
	}
	o := marked(t, base, job)
	source, err := open(o)
	if err != nil {
		t.Fatal(err)
	}
	if err := SaveSidecar(t.Context(), filepath.Join(job, "keys", "side.toml"), o, source, settings.Default()); err != nil {
		t.Fatal(err)
	}
	moved := filepath.Join(dir, "moved")
	if err := os.Rename(job, moved); err != nil {
		t.Fatal(err)
	}
	like, err := ReadLike(filepath.Join(moved, "keys", "side.toml"))
	if err != nil {
		t.Fatal(err)
	}
	plate, ok := like.PlatePath()
	if !ok || plate != filepath.Join(moved, "shot.png") {
		t.Errorf("the plate is %s, %v", plate, ok)
	}
	if err := os.Remove(filepath.Join(moved, "garbage.png")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(moved, "core.png"), []byte("another"), 0o666); err != nil {
		t.Fatal(err)
	}
	r := like.Recall(plate)
	want := []Lost{
		{As: UsedAsCore, Path: filepath.Join(moved, "core.png"), Changed: true},
		{As: UsedAsGarbage, Path: filepath.Join(job, "garbage.png")},
	}
	if !reflect.DeepEqual(r.Lost, want) || r.Choices.Garbage != "" || r.Choices.Core != want[0].Path || r.Choices.Backdrop != filepath.Join(moved, "back.png") {
		t.Errorf("lost %v, choices %+v", r.Lost, r.Choices)
	}
	if err := os.Remove(plate); err != nil {
		t.Fatal(err)
	}
	if was, ok := like.PlatePath(); ok || was != filepath.Join(job, "shot.png") {
		t.Errorf("without its plate: %s, %v", was, ok)
	}
}

func TestASessionThatCannotBeIsRefused(t *testing.T) {
	_, err := readSidecarFrom(strings.NewReader(bare("[session.edits]\ntile = 'large'")))
	if err == nil || !strings.Contains(err.Error(), "large") {
		t.Errorf("%v", err)
	}
}
