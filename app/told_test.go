package app

import (
	"fmt"
	"strings"
	"testing"

	"greenroom/engine/settings"
)

// started opens a plate of 20 tiles, keys it and waits for the second one.
func (w *tested) started(t *testing.T) (plate string) {
	t.Helper()
	w.Start()
	plate = savePlate(t, "shot.png", 700, 500)
	w.Open(plate)
	w.ready(t)
	w.Key()
	w.until(t, "the second tile", func(s State) bool { return s.Running != nil && s.Running.Tile >= 2 })
	return plate
}

// TestOpeningAnotherPlateStopsTheKeyAndSaysSo: what is said of its tiles holds when the plate is keyed next.
func TestOpeningAnotherPlateStopsTheKeyAndSaysSo(t *testing.T) {
	w := newTested(t)
	plate := w.started(t)
	w.Open(savePlate(t, "next.png", 200, 150))
	s := w.until(t, "the next plate", func(s State) bool { return s.Plate.Name() == "next.png" })
	if s.Running != nil || s.Key != nil || s.Problem != nil {
		t.Errorf("running %+v, key %+v, problem %+v", s.Running, s.Key, s.Problem)
	}
	told := w.show(s).Strip.Told
	var tile, tiles int
	if _, err := fmt.Sscanf(told, "Stopped keying shot.png at %d of %d tiles: it can be keyed again, and they are kept", &tile, &tiles); err != nil {
		t.Fatalf("told %q", told)
	}
	w.Open(plate)
	w.settled(t, plate)
	s = w.keyed(t)
	if got := s.Key.Result.Recalled; tile < 2 || got < tile || got == tiles || s.Key.Tiles != tiles {
		t.Errorf("%d of %d tiles were kept, told %q", got, s.Key.Tiles, told)
	}
	w.Open(savePlate(t, "last.png", 200, 150))
	s = w.until(t, "the last plate", func(s State) bool { return s.Plate.Name() == "last.png" })
	if s := w.keyed(t); s.Plate.Name() != "last.png" || !s.Key.Whole || s.Problem != nil {
		t.Errorf("key %+v, problem %+v", s.Key, s.Problem)
	}
}

func TestTilesThatTheNextKeyHasNotAreNotPromised(t *testing.T) {
	w := newTested(t)
	w.started(t)
	s := w.State()
	kept := s.leftOff(false)
	if !strings.HasSuffix(kept, "kept if that is the next key") {
		t.Fatalf("told %q", kept)
	}
	for what, alter := range map[string]func(*State){
		"another hint": func(s *State) { h := *s.Hint; h.print = "other"; s.Hint = &h },
		"other settings": func(s *State) {
			p := *s.Plan
			p.Settings.Tile = 256
			s.Plan = &p
		},
		"no model yet":     func(s *State) { s.Model = nil },
		"no plan yet":      func(s *State) { s.Plan = nil },
		"no tile yet":      func(s *State) { r := *s.Running; r.Tile = 0; s.Running = &r },
		"little memory":    func(s *State) { s.Machine.MemoryGB = 0 },
		"made another way": func(s *State) { r := *s.Running; r.cause = cause{}; s.Running = &r },
	} {
		other := s
		alter(&other)
		if told := other.leftOff(false); !strings.HasPrefix(told, "Stopped keying shot.png") || !strings.HasSuffix(told, ": it can be keyed again") {
			t.Errorf("%s: told %q", what, told)
		}
	}
	w.Choose(step("Colour space"), func(c *settings.Choices) { c.Space = "linear" })
	s = w.until(t, "the plate as it is read now", func(s State) bool { return s.Running == nil && s.Plate.space != "" })
	if told := s.Strip.Told; !strings.HasSuffix(told, ": it was read anew and can be keyed again") {
		t.Errorf("told %q", told)
	}
}

func TestOpeningAnotherPlateStopsTheCheckOfSeamsAndSaysSo(t *testing.T) {
	w := newTested(t)
	w.Start()
	w.Open(savePlate(t, "shot.png", 700, 500))
	w.keyed(t)
	w.CheckSeams()
	if w.State().Seams.Run == nil {
		t.Fatal("no check has begun")
	}
	w.Open(savePlate(t, "next.png", 200, 150))
	s := w.until(t, "the next plate", func(s State) bool { return s.Plate.Name() == "next.png" })
	if s.Strip.Told != "Stopped checking the seams of shot.png: they can be checked again" || s.Seams.Run != nil {
		t.Errorf("told %q, checking %+v", s.Strip.Told, s.Seams.Run)
	}
}

func TestKeyAllGoesOnBehindAnotherPlateWithoutAWord(t *testing.T) {
	w := newTested(t).caching(t)
	w.Start()
	paths := savePlates(t, 2, 400, 300)
	w.Drop(paths)
	w.settled(t, paths[0])
	w.KeyAll()
	w.until(t, "a tile of the first", func(s State) bool { return s.Strip.Run != nil && s.Strip.Run.Tile > 0 })
	w.SwitchTo(w.State().Strip.Plates[1].ID)
	if s := w.until(t, "the second", func(s State) bool { return s.Plate.Path == paths[1] }); s.Strip.Told != "" || s.Strip.Run == nil {
		t.Errorf("told %q, run %+v", s.Strip.Told, s.Strip.Run)
	}
	s := w.until(t, "the end", func(s State) bool { return s.Strip.Run == nil && s.Key != nil })
	if got := s.Strip.Plates[0]; !got.Keyed || !s.Key.Whole || s.Problem != nil {
		t.Errorf("keyed %v, key %+v, problem %+v", got.Keyed, s.Key, s.Problem)
	}
}
