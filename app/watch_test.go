package app

import (
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// rewrite writes a plate anew, a minute later by its time.
func rewrite(t *testing.T, path string, w, h int) {
	t.Helper()
	old, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	savePlate(t, path, w, h)
	later := old.ModTime().Add(time.Minute)
	if err := os.Chtimes(path, later, later); err != nil {
		t.Fatal(err)
	}
}

// changed reports whether the workspace says that its plate has changed.
func changed(s State) bool { return s.Problem != nil && s.Problem.remedy == remedyReadAgain }

// TestAPlateThatChangesIsOfferedToBeReadAgain opens, keys and rewrites a plate, and takes the offer: the new file is
// keyed with the hint and the folder of before.
func TestAPlateThatChangesIsOfferedToBeReadAgain(t *testing.T) {
	w := newTested(t)
	w.Start()
	path := savePlate(t, "shot é.png", 160, 120)
	hint := saveHint(t, filepath.Join(filepath.Dir(path), "rough.png"), 160, 120)
	w.OpenBoth(path, hint)
	w.ready(t)
	out := t.TempDir()
	w.SetFolder(out)
	before := w.keyed(t)

	w.lookAtPlate()
	w.lookAtPlate()
	if s := w.State(); s.Problem != nil {
		t.Fatalf("nothing has changed, and it says %+v", s.Problem)
	}
	rewrite(t, path, 320, 240)
	w.lookAtPlate()
	if changed(w.State()) {
		t.Error("the first look cannot know whether the file is whole")
	}
	w.lookAtPlate()
	v := w.show(w.State())
	if v.Problem == nil || !strings.Contains(v.Problem.What, "shot é.png has changed on the disk") || v.Problem.Button != "Read again" {
		t.Fatalf("it says %+v", v.Problem)
	}
	if s := w.State(); s.Plate != before.Plate || s.Key != before.Key {
		t.Error("the plate that is open went before it was asked for")
	}

	w.ReadAgain()
	s := w.until(t, "the new key", func(s State) bool { return s.Key != nil && s.Key != before.Key && s.Running == nil })
	if s.Plate.Source.Header.W != 320 || s.Key.Finished.Matte.W != 320 {
		t.Errorf("read %d wide, keyed %d wide", s.Plate.Source.Header.W, s.Key.Finished.Matte.W)
	}
	if s.Hint.Source.From != hint || s.Export.Folder != out {
		t.Errorf("hint from %q, folder %q", s.Hint.Source.From, s.Export.Folder)
	}
	w.lookAtPlate()
	w.lookAtPlate()
	if s := w.State(); s.Problem != nil {
		t.Errorf("after reading again it says %+v", s.Problem)
	}
}

// TestAPlateThatWasNotKeyedIsOnlyRead: reading again does not key by itself what nobody keyed.
func TestAPlateThatWasNotKeyedIsOnlyRead(t *testing.T) {
	w := newTested(t)
	w.Start()
	path := savePlate(t, "shot.png", 160, 120)
	// The artist asked for a hint from the screen, although one lies beside the plate.
	saveHint(t, filepath.Join(filepath.Dir(path), "shot-hint.png"), 160, 120)
	w.Open(path)
	first := w.ready(t)
	w.MakeHint()
	w.until(t, "the screen", func(s State) bool { return s.Hint != first.Hint && !s.FindingHint })
	rewrite(t, path, 80, 60)
	w.ReadAgain()
	w.until(t, "the new plate", func(s State) bool { return s.Plate.Source.Header.W == 80 && s.canKey() })
	w.reading.Wait()
	if s := w.State(); s.Key != nil || s.Running != nil || s.Hint.Source.From != "" {
		t.Errorf("key %v, running %v, hint from %q", s.Key, s.Running, s.Hint.Source.From)
	}
}

// TestWhatWasPutAwayIsNotSaidAgain, unless the file changes once more.
func TestWhatWasPutAwayIsNotSaidAgain(t *testing.T) {
	w := newTested(t)
	path := savePlate(t, "shot.png", 60, 40)
	w.Open(path)
	w.reading.Wait()
	for range 2 {
		rewrite(t, path, 60, 40)
		w.lookAtPlate()
		w.lookAtPlate()
		if !changed(w.State()) {
			t.Fatal("nothing was said")
		}
		w.Dismiss()
		w.lookAtPlate()
		w.lookAtPlate()
		if w.State().Problem != nil {
			t.Fatal("it was said again")
		}
	}
	// Another problem is not talked over.
	rewrite(t, path, 60, 40)
	w.fail(os.ErrClosed, remedyNone)
	w.lookAtPlate()
	w.lookAtPlate()
	if changed(w.State()) {
		t.Error("another problem was talked over")
	}
	w.Dismiss()
	w.lookAtPlate()
	if !changed(w.State()) {
		t.Error("what waited for another problem was forgotten")
	}
	// A file that is gone, as while it is being replaced, is no reason to speak.
	w.Dismiss()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	w.lookAtPlate()
	w.lookAtPlate()
	if s := w.State(); s.Problem != nil || s.Plate == nil {
		t.Errorf("it says %+v", s.Problem)
	}
}

// TestThePlateIsWatchedWhileTheWindowHasTheFocus runs the watch itself.
func TestThePlateIsWatchedWhileTheWindowHasTheFocus(t *testing.T) {
	w := newTested(t)
	path := savePlate(t, "shot.png", 60, 40)
	w.Open(path)
	w.reading.Wait()
	w.Watch(time.Millisecond)
	rewrite(t, path, 60, 40)
	// That nothing is said without the focus can only be seen for a while.
	time.Sleep(30 * time.Millisecond)
	if changed(w.State()) {
		t.Error("it looked without the focus")
	}
	w.Focus(true)
	w.until(t, "word of the change", changed)
	w.Focus(false)
}

// TestAHintThatChangesIsOfferedToBeReadAgain opens and keys a plate with a hint and a core matte, rewrites each of both,
// and takes the offer: they are read anew, and with a new hint the plate is keyed again.
func TestAHintThatChangesIsOfferedToBeReadAgain(t *testing.T) {
	w := newTested(t)
	w.Start()
	path := savePlate(t, "shot.png", 160, 120)
	hint, core := saveHint(t, "rough é.png", 160, 120), saveHint(t, "core.png", 160, 120)
	w.OpenBoth(path, hint)
	w.ready(t)
	w.UseCore(core)
	before := w.keyed(t)
	look := func() *Problem {
		w.lookAtPlate()
		w.lookBeside()
		return w.State().Problem
	}
	repaint := func(path string, grey uint8) {
		t.Helper()
		old, err := stampOf(path)
		if err != nil {
			t.Fatal(err)
		}
		save(t, path, 160, 120, func(x, y int) color.NRGBA {
			if x > 40 && x < 120 && y > 30 && y < 90 {
				return color.NRGBA{grey, grey, grey, 255}
			}
			return color.NRGBA{A: 255}
		})
		later := old.modified.Add(time.Minute)
		if err := os.Chtimes(path, later, later); err != nil {
			t.Fatal(err)
		}
	}
	for range 3 {
		if p := look(); p != nil {
			t.Fatalf("nothing has changed, and it says %+v", p)
		}
	}
	// A file that was touched, and is the same, is no reason to speak.
	if err := os.Chtimes(hint, time.Now().Add(time.Hour), time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if p := look(); p != nil {
			t.Fatalf("the hint was touched, and it says %+v", p)
		}
	}

	repaint(hint, 250)
	if p := look(); p != nil {
		t.Error("the first look cannot know whether the file is whole")
	}
	look()
	v := w.show(w.State())
	if v.Problem == nil || v.Problem.What != "rough é.png has changed on the disk" || !strings.Contains(v.Problem.Why, "the hint") || v.Problem.Button != "Read again" {
		t.Fatalf("it says %+v", v.Problem)
	}
	w.Dismiss()
	for range 3 {
		if p := look(); p != nil {
			t.Fatalf("it was put away, and it says %+v", p)
		}
	}
	repaint(hint, 200)
	look()
	if p := look(); p == nil || p.file != hint {
		t.Fatalf("it changed once more, and it says %+v", p)
	}
	w.ReadFileAgain(hint)
	s := w.until(t, "the new key", func(s State) bool {
		return s.Key != nil && s.Key.Hint != before.Key.Hint && s.Running == nil && !s.FindingHint
	})
	if at := 60*160 + 80; s.Key.Hint.Source.Hint.Pix[at] != 200./255 || s.Problem != nil {
		t.Errorf("the hint is %v there; problem %+v", s.Key.Hint.Source.Hint.Pix[at], s.Problem)
	}
	if s.Choices.Hint != hint || len(s.History.past) != len(before.History.past) {
		t.Errorf("hint %q, %d steps", s.Choices.Hint, len(s.History.past))
	}

	repaint(core, 100)
	look()
	if p := look(); p == nil || p.file != core || !strings.Contains(p.Why, "the core matte") {
		t.Fatalf("it says %+v", p)
	}
	held := w.State().Masks.Core
	w.ReadFileAgain(core)
	w.until(t, "the new matte", func(s State) bool { return s.Masks.Core != held && s.Masks.Core != nil && s.besideUnread() == "" })
	for range 3 {
		if p := look(); p != nil {
			t.Fatalf("after reading again it says %+v", p)
		}
	}
}
