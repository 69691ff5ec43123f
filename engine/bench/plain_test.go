package bench

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestAHistoryThatIsNoFileIsToldAtOnce(t *testing.T) {
	h := History{Path: filepath.Join(t.TempDir())} // a folder; a pipe would keep a reader waiting
	if _, _, err := h.Read(); err == nil || !strings.Contains(err.Error(), "is no file") {
		t.Errorf("reading: %v", err)
	}
	if err := h.add([]byte("x\n")); err == nil || !strings.Contains(err.Error(), "is no file") {
		t.Errorf("adding: %v", err)
	}
}
