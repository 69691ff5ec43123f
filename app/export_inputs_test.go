package app

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"greenroom/views"
)

// TestAnExportDoesNotOverwriteThePlate where a name of the export leads to it.
func TestAnExportDoesNotOverwriteThePlate(t *testing.T) {
	w := newTested(t)
	w.Start()
	dir := t.TempDir()
	path := savePlate(t, filepath.Join(dir, "shot.png"), 160, 96)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(path, filepath.Join(dir, "shot_key.png")); err != nil {
		t.Skipf("no links here: %v", err)
	}
	w.Open(path)
	w.keyed(t)
	w.SetFolder(dir)
	w.SetExport(views.ExportChoice{Key: true, Matte: true, Overwrite: true})
	w.until(t, "the fault", func(s State) bool {
		return s.Export.Fault != nil && strings.Contains(s.Export.Fault.Error(), "shot_key.png: it is the plate")
	})
	w.WriteKey()
	s := w.until(t, "the end of the export", func(s State) bool { return s.Problem != nil && !s.Export.Running })
	if told := s.Problem.What + s.Problem.Why + s.Problem.Details; !strings.Contains(told, "it is the plate") || s.Export.Report != nil {
		t.Errorf("told %+v", s.Problem)
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, before) {
		t.Errorf("the plate is another file now: %v", err)
	}
}
