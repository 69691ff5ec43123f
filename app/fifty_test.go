package app

import (
	"fmt"
	"path/filepath"
	"testing"

	"greenroom/engine/bench/benchtest"
)

// inUse is what is in memory when nothing goes on, in bytes.
func (w *tested) inUse() float64 {
	w.work.Wait()
	w.reading.Wait()
	return benchtest.InUse()
}

// openInTurn opens plates one after another and returns what is in memory after the first and after the last. Those two
// are keyed and exported, and one between them, so that there is something to let go.
func openInTurn(t testing.TB, paths []string) (first, last float64) {
	w := &tested{Workspace: NewWorkspace(func(State) {})}
	w.sampleFolder, w.folder = t.TempDir(), t.TempDir()
	w.cache = openVariants(t.TempDir(), mostCached)
	defer func() {
		w.work.Wait()
		w.reading.Wait()
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}()
	w.Start()
	w.until(t, "the model", func(s State) bool { return s.Model != nil })
	for i, path := range paths {
		w.Open(path)
		w.until(t, path, func(s State) bool {
			_, known := s.cause()
			return s.Plate != nil && s.Plate.Path == path && known && s.Plan.Known
		})
		if i == 0 || i == len(paths)/2 || i == len(paths)-1 {
			w.Key()
			w.until(t, "the key", func(s State) bool { return s.Key != nil && s.Running == nil })
			w.WriteKey()
			w.until(t, "the export", func(s State) bool { return s.Export.Report != nil })
		}
		if i == 0 {
			first = w.inUse()
		}
	}
	if n := len(w.State().Strip.Plates); n != min(len(paths), mostPlates) {
		t.Errorf("the strip holds %d plates", n)
	}
	return first, w.inUse()
}

// TestFiftyPlatesInTurnComeBackToTheMemoryOfTheFirst: of a plate that is not open nothing large stays.
func TestFiftyPlatesInTurnComeBackToTheMemoryOfTheFirst(t *testing.T) {
	dir := t.TempDir()
	var paths []string
	for i := range 50 {
		paths = append(paths, savePlate(t, filepath.Join(dir, fmt.Sprintf("shot_%02d.png", i)), 1280+i, 720))
	}
	first, last := openInTurn(t, paths)
	t.Logf("%.2f MB after the first, %.2f MB after fifty", first/1e6, last/1e6)
	if last > 1.1*first {
		t.Errorf("%.2f MB are in use after fifty plates, %.2f MB after the first", last/1e6, first/1e6)
	}
}

// BenchmarkFiftyLargePlates opens fifty plates of 4096x2160 in turn.
func BenchmarkFiftyLargePlates(b *testing.B) {
	dir := b.TempDir()
	var paths []string
	for i := range 50 {
		paths = append(paths, savePlate(b, filepath.Join(dir, fmt.Sprintf("shot_%02d.png", i)), 4096+i, 2160))
	}
	for b.Loop() {
		first, last := openInTurn(b, paths)
		b.ReportMetric(first/1e6, "MB-first")
		b.ReportMetric(last/1e6, "MB-fiftieth")
		b.ReportMetric(last/first, "ratio")
	}
}
