package app

import (
	"bytes"
	"path/filepath"
	"testing"

	"greenroom/app/command"
	"greenroom/app/keying"
)

// TestExportAllWritesWhatTheCommandLineRepeats: a key that comes back from the cache is the one that was made, to the last
// bit, and its sidecar names the background though no comp is written.
func TestExportAllWritesWhatTheCommandLineRepeats(t *testing.T) {
	w := newTested(t).caching(t)
	w.Start()
	paths := savePlates(t, 2, 300, 200)
	w.Drop(paths)
	w.settled(t, paths[0])
	back := savePlate(t, filepath.Join(t.TempDir(), "back.png"), 30, 30)
	w.UseBackdrop(back)
	w.until(t, "the background", func(s State) bool { return s.Backdrop != nil })
	w.CopyLook([]int{w.State().Strip.Plates[1].ID})
	w.KeyAll()
	w.until(t, "the keys", func(s State) bool { return s.Strip.Run == nil && s.Strip.Plates[1].Keyed })
	w.ExportAll()
	s := w.until(t, "the files", func(s State) bool { return s.Strip.Run == nil && s.Strip.Plates[1].Report != nil })
	for i, path := range paths {
		report := s.Strip.Plates[i].Report
		if i == 0 {
			report = s.Export.Report
		}
		if like, err := keying.ReadLike(report.Sidecar); err != nil || like.Recall(path).Choices.Backdrop != back {
			t.Errorf("%s does not name the background (%v)", report.Sidecar, err)
		}
		out := t.TempDir()
		var told bytes.Buffer
		if code := command.Run([]string{"key", path, "--like", report.Sidecar, "--out", out}, command.Streams{Out: &told, Err: &told}); code != 0 {
			t.Fatalf("%s: %s", path, told.String())
		}
		for _, file := range report.Files {
			sameBytes(t, file, filepath.Join(out, filepath.Base(file)), filepath.Base(file))
		}
	}
	// So does one that comes back when its plate is opened.
	first := s.Strip.Plates[1].Report
	w.SwitchTo(s.Strip.Plates[1].ID)
	w.settled(t, paths[1])
	w.until(t, "the key of before", func(s State) bool { return s.Key != nil && s.Key.Whole && !s.behind() && s.besideUnread() == "" })
	again := w.exported(t).Export.Report
	for pass, path := range first.Files {
		sameBytes(t, path, again.Files[pass], "opened, the "+string(pass))
	}
}
