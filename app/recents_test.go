package app

import (
	"os"
	"path/filepath"
	"testing"
)

func TestRecentPlatesHaveTheirThumbnails(t *testing.T) {
	thumbs := filepath.Join(t.TempDir(), "thumbs")
	there := savePlate(t, "there.png", 60, 40)
	w := newTested(t)
	w.thumbs = thumbs
	w.Open(there)
	w.until(t, "the plate", func(s State) bool { return s.Plate != nil })
	w.reading.Wait()

	next := newTested(t)
	next.thumbs = thumbs
	next.Recall(remembered{Recents: []string{there, "/not/there.png"}})
	next.lookAtRecents()
	next.reading.Wait()
	v := next.show(next.State()).Recents
	if len(v) != 2 || v[0].Thumb == nil || v[0].Gone != "" || v[1].Thumb != nil || v[1].Gone == "" {
		t.Errorf("shown %+v", v)
	}
	// A broken thumbnail is none.
	if err := os.WriteFile(next.thumbPath(there), []byte("no picture"), 0o666); err != nil {
		t.Fatal(err)
	}
	next.lookAtRecents()
	next.reading.Wait()
	if v := next.show(next.State()).Recents; v[0].Thumb != nil {
		t.Errorf("shown %+v", v)
	}
}
