package app

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"greenroom/presets"
	"greenroom/views"
)

// TestKeysOfBeforeAreKnownInTheStrip keys plates with a hint from the screen, one that is found and one that is chosen,
// and drops them in the next session, where each has its key as long as nothing of it has changed.
func TestKeysOfBeforeAreKnownInTheStrip(t *testing.T) {
	cache, folder := t.TempDir(), ""
	paths := savePlates(t, 5, 150, 90)
	dir := filepath.Dir(paths[0])
	found := saveHint(t, filepath.Join(dir, "c-hint.png"), 152, 90)
	hint := saveHint(t, filepath.Join(t.TempDir(), "mask.png"), 153, 90)
	next := func() (*tested, State) {
		w := newTested(t)
		w.cache = openVariants(cache, mostCached)
		if folder == "" {
			folder = w.folder
		}
		w.folder = folder
		w.Start()
		w.Drop(paths)
		s := w.settled(t, paths[0])
		w.until(t, "what is known of the others", func(s State) bool {
			for _, p := range s.Strip.Plates {
				if p.source == nil {
					return false
				}
			}
			return len(s.Strip.Plates) == len(paths)
		})
		w.reading.Wait()
		return w, s
	}
	w, s := next()
	for i := range paths {
		w.SwitchTo(s.Strip.Plates[i].ID)
		w.settled(t, paths[i])
		if i == 3 {
			w.UseHint(hint)
			w.until(t, "the hint", func(s State) bool { return !s.FindingHint && s.Hint.Source.From == hint })
		}
		w.keyed(t)
		w.work.Wait()
	}
	w.SwitchTo(s.Strip.Plates[0].ID)
	w.settled(t, paths[0])
	w.flush()
	w.reading.Wait()

	marks := func(s State) (m [5]views.StripMark) {
		for i, p := range w.show(s).Strip.Plates {
			m[i] = p.Mark
		}
		return m
	}
	k, none := views.MarkKeyed, views.MarkNone
	w, _ = next()
	s = w.until(t, "every key", func(s State) bool {
		return s.Key != nil && s.Key.Whole && marks(s) == [5]views.StripMark{k, k, k, k, k}
	})
	if got := w.show(s).Strip.NoKey; got != "Every plate is keyed as it is now" {
		t.Errorf("keying them is refused with %q", got)
	}
	// Found and chosen hint are others now, and so is a plate; one has a hint where there was none.
	savePlate(t, found, 152, 90)
	saveHint(t, found, 100, 90)
	saveHint(t, hint, 100, 90)
	saveHint(t, filepath.Join(dir, "b-hint.png"), 151, 90)
	savePlate(t, paths[4], 170, 90)
	w, _ = next()
	s = w.until(t, "the open one's key", func(s State) bool { return s.Key != nil && s.Key.Whole })
	w.recogniseKeys()
	if got, want := marks(w.State()), [5]views.StripMark{k, none, none, none, none}; got != want {
		t.Errorf("changed: marks %v, want %v", got, want)
	}
}

// TestKeysThatMadeRoomAreNotMarked: the cache holds fewer keys than the strip has plates.
func TestKeysThatMadeRoomAreNotMarked(t *testing.T) {
	w := newTested(t)
	w.cache = openVariants(t.TempDir(), 500_000)
	w.Start()
	paths := savePlates(t, 4, 150, 90)
	w.Drop(paths)
	w.settled(t, paths[0])
	w.KeyAll()
	s := w.until(t, "the end", func(s State) bool { return s.Strip.Run == nil && s.Problem != nil })
	kept := 0
	for _, p := range s.Strip.Plates[1:] {
		if p.Keyed != w.cache.has(p.cause) {
			t.Errorf("%s is marked as keyed: %v", p.Name(), p.Keyed)
		}
		if p.Keyed {
			kept++
		}
	}
	if kept == 0 || kept == 3 {
		t.Fatalf("%d keys are kept", kept)
	}
	if want := fmt.Sprintf("%d key", 3-kept); !strings.HasPrefix(s.Problem.What, want) || !strings.HasPrefix(s.Problem.Why, "all together may take "+presets.Memory(500_000)) {
		t.Errorf("told %+v, want %s", s.Problem, want)
	}
}
