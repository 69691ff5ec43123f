package app

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// picturePath writes a PNG of one colour and returns its path.
func picturePath(t *testing.T, name string, w, h int) string {
	t.Helper()
	m := image.NewNRGBA(image.Rect(0, 0, w, h))
	for i := range m.Pix {
		m.Pix[i] = 255
	}
	m.SetNRGBA(0, 0, color.NRGBA{0, 200, 0, 255})
	var data bytes.Buffer
	if err := png.Encode(&data, m); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
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

func (r *recorder) last() State { return r.all()[len(r.all())-1] }

func TestWorkspaceOpensAPlateAndTellsOfIt(t *testing.T) {
	var r recorder
	w := NewWorkspace(r.emit)
	path := picturePath(t, "shot é 1.png", 30, 20)
	w.Open(path)
	if got := r.all()[0]; got.Opening != path || got.Plate != nil {
		t.Errorf("first state %+v", got)
	}
	w.Wait()
	got := r.last()
	if got.Opening != "" || got.Problem != nil || got.Plate == nil {
		t.Fatalf("last state %+v", got)
	}
	if got.Plate.Name() != "shot é 1.png" || got.Plate.Details() != "30 x 20, 8-bit PNG" {
		t.Errorf("plate %q, %q", got.Plate.Name(), got.Plate.Details())
	}
	if pw, ph := got.Plate.Shown.Size(); pw != 30 || ph != 20 {
		t.Errorf("shown %d x %d", pw, ph)
	}
}

func TestWorkspaceKeepsThePlateWhenTheNextCannotBeRead(t *testing.T) {
	var r recorder
	w := NewWorkspace(r.emit)
	w.Open(picturePath(t, "good.png", 3, 2))
	w.Wait()
	w.Open(filepath.Join(t.TempDir(), "missing.png"))
	w.Wait()
	got := r.last()
	if got.Plate == nil || got.Plate.Name() != "good.png" || got.Problem == nil || got.Opening != "" {
		t.Fatalf("state %+v", got)
	}
	if !strings.Contains(got.Problem.Error(), "missing.png") {
		t.Errorf("the problem does not name the file: %v", got.Problem)
	}
	w.Dismiss()
	if got := r.last(); got.Problem != nil || got.Plate == nil {
		t.Errorf("after dismissing: %+v", got)
	}
}

func TestWorkspaceShowsOnlyTheLastPlateAskedFor(t *testing.T) {
	var r recorder
	w := NewWorkspace(r.emit)
	first, second := picturePath(t, "first.png", 1500, 1500), picturePath(t, "second.png", 2, 2)
	w.Open(first)
	w.Open(second)
	w.Wait()
	if got := r.last(); got.Plate == nil || got.Plate.Name() != "second.png" {
		t.Fatalf("state %+v", got)
	}
	if slices.ContainsFunc(r.all(), func(s State) bool { return s.Plate != nil && s.Plate.Name() == "first.png" }) {
		t.Error("the plate that was overtaken was shown")
	}
}
