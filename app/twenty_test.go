package app

import (
	"path/filepath"
	"testing"

	"greenroom/app/keying"
	"greenroom/views"
)

// TestTwentyPlatesInARowStayFlat opens and keys twenty plates in one window and looks at what stays in memory after
// each. Nothing keeps the states that are told of, as a window keeps none but the last.
func TestTwentyPlatesInARowStayFlat(t *testing.T) {
	w := &tested{Workspace: NewWorkspace(func(State) {})}
	w.asked = []keying.Setting{{Name: "tile", Value: "128"}, {Name: "overlap", Value: "32"}}
	w.sampleFolder, w.folder = t.TempDir(), t.TempDir()
	t.Cleanup(func() {
		w.reading.Wait()
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	w.Start()
	dir := t.TempDir()
	var after []float64
	for i := range 20 {
		path := savePlate(t, filepath.Join(dir, string(rune('a'+i))+".png"), 160, 96)
		w.Open(path)
		w.until(t, "the plate", func(s State) bool { return s.Plate != nil && s.Plate.Path == path })
		w.keyed(t)
		w.WriteKey()
		w.until(t, "the export", func(s State) bool { return !s.Export.Running })
		after = append(after, w.inUse())
	}
	// The first few fill what is kept on purpose. Each plate leaves its thumbnail in the strip.
	settled := after[3]
	const thumbnail = 4*views.ThumbnailWidth*views.ThumbnailHeight + 8192
	for i, bytes := range after[4:] {
		if bytes > 1.05*settled+float64(i+1)*thumbnail {
			t.Errorf("after plate %d %.1f MB are in use, after plate 4 %.1f MB", i+5, bytes/1e6, settled/1e6)
		}
	}
}
