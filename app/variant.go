package app

import (
	"context"
	"fmt"
	"image"
	"runtime/debug"
	"slices"
	"time"

	"greenroom/app/keying"
	"greenroom/engine"
	"greenroom/engine/colour"
	"greenroom/engine/picture"
	"greenroom/engine/settings"
	"greenroom/presets"
	"greenroom/views"
)

// mostVariants is how many keys of a plate are kept.
const mostVariants = 6

// Variant is a key of a plate that can be brought back: how it was made, and under Name what the network made of it in
// the cache.
type Variant struct {
	Name string
	// Number counts the keys of the plate from 1.
	Number int
	Made   time.Time
	// Choices are as the key was seen last.
	Choices settings.Choices
	// Preset is the name of the preset, and Edits what was chosen over it.
	Preset string
	Edits  []presets.Setting
	// Model is the name of the model, and ModelAsked the same where the artist chose it and not the preset.
	Model, ModelAsked string
	Choice            keying.Choice
	Work              float64
	// Result is without its pictures.
	Result engine.Result
	// Screen and Exposure are of the hint.
	Screen   settings.Screen
	Exposure float64
	Thumb    image.Image
	// Check is of its seams; nil where they were not checked.
	Check *KeptCheck

	cause cause
	// width and height are the plate's size, coarse that of the coarse result; 0 for none.
	width, height int
	coarse        [2]int
	// bytes are those of its files; 0 until they are written. Until then the pictures are held.
	bytes int64
	held  *engine.Result
}

// Compare is a variant beside the key that is shown.
type Compare struct {
	Name string
	// Second is nil until the key is there.
	Second *views.Second
}

// newVariant describes a key that was just made from a state.
func newVariant(s State, result *engine.Result, work float64) Variant {
	v := Variant{
		Name: newVariantName(), Made: time.Now().Truncate(time.Second), Choices: s.Choices, Edits: s.Setup.Edits,
		Model: s.Model.Name, ModelAsked: s.Setup.Model,
		Choice: s.Plan.Choice, Work: work, Result: *result, Screen: s.Hint.Source.Screen, Exposure: s.Hint.Source.Exposure,
		cause: s.causeOf(s.Model.Hash, s.Plan.Settings), held: result,
		width: result.Matte.W, height: result.Matte.H, coarse: [2]int{result.Coarse.W, result.Coarse.H},
	}
	if p := s.Setup.Preset; p != nil {
		v.Preset = p.Name
	}
	v.Choices = v.Choices.WithHintOf(s.Hint.Choices)
	v.Result.Matte, v.Result.FG, v.Result.Coarse, v.Result.Heat = picture.Image{}, picture.Image{}, picture.Image{}, picture.Image{}
	shown := views.NewKey(result.Matte, result.FG, colour.SRGB)
	v.Thumb = views.NewThumbnail(views.Layers{Plate: s.Plate.Shown, Key: shown}, views.ViewMatte)
	return v
}

// keepVariant puts a key among those that can be brought back. It returns when its files are written.
func (w *Workspace) keepVariant(ctx context.Context, v Variant) {
	if w.cache == nil {
		return
	}
	for _, o := range w.cache.of(v.cause.plate) {
		v.Number = max(v.Number, o.Number)
	}
	v.Number++
	w.cache.add(v)
	w.showVariants(v.cause.plate)
	bytes, err := w.cache.write(ctx, v)
	if err != nil {
		// A full disk: the key is there, but it cannot be brought back.
		w.cache.remove(v.Name)
	} else if w.cache.written(v.Name, bytes) {
		w.cache.note(ctx, v.Name, func(*Variant) {})
	}
	w.showVariants(v.cause.plate)
}

// showVariants brings the list up to the cache, if the plate is the open one.
func (w *Workspace) showVariants(plate string) {
	list := w.cache.of(plate)
	w.change(func(s *State) {
		if s.Plate == nil || s.Plate.Source.PlateFile.SHA256 != plate {
			return
		}
		s.Variants = list
		if c := s.Compare; c != nil && s.variant(c.Name) == nil {
			s.Compare = nil
		}
		w.wakeVariant(s)
	})
}

// findVariants looks for the keys of a plate that was just opened.
func (w *Workspace) findVariants(plate *Plate) {
	if w.cache == nil {
		return
	}
	w.cache.readThumbs(plate.Source.PlateFile.SHA256)
	w.showVariants(plate.Source.PlateFile.SHA256)
}

// variant returns a variant of the open plate; nil where there is none of that name.
func (s *State) variant(name string) *Variant {
	i := slices.IndexFunc(s.Variants, func(v Variant) bool { return v.Name == name })
	if i < 0 {
		return nil
	}
	return &s.Variants[i]
}

// shownVariant returns the variant that the shown key is; nil where it is none.
func (s *State) shownVariant() *Variant {
	if s.Key == nil || !s.Key.Whole {
		return nil
	}
	i := slices.IndexFunc(s.Variants, func(v Variant) bool { return v.cause == s.Key.cause })
	if i < 0 {
		return nil
	}
	return &s.Variants[i]
}

// wantedVariant returns the variant whose key is to be shown, and is not: the one that is being restored, or one that
// would come out again if the plate were keyed now. It is nil where there is none, or where that is not known yet.
func (s *State) wantedVariant() *Variant {
	now, ok := s.cause()
	if !ok || s.Running != nil || s.Seams.Run != nil {
		return nil
	}
	wanted := now
	if v := s.variant(s.restoring); v != nil && v.cause.model == now.model {
		wanted = v.cause
	}
	if s.Key != nil && s.Key.cause == wanted && (s.Key.Whole || s.restoring == "") {
		// The tiles of a key that was stopped stay until the whole one is asked for.
		return nil
	}
	i := slices.IndexFunc(s.Variants, func(v Variant) bool { return v.cause == wanted })
	if i < 0 {
		return nil
	}
	return &s.Variants[i]
}

// wakeVariant starts to bring the wanted variant back, unless that is going on. The state is being changed.
func (w *Workspace) wakeVariant(s *State) {
	if s.wantedVariant() == nil {
		if _, ok := s.cause(); ok {
			s.restoring = ""
		}
		return
	}
	if !w.bringing {
		w.bringing = true
		w.work.Go(w.bringVariants)
	}
}

// bringVariants brings the wanted variant back until that is the one that was asked for last.
func (w *Workspace) bringVariants() {
	for again := true; again; {
		state := w.State()
		v := state.wantedVariant()
		var key *Key
		var err error
		if v != nil {
			key, err = w.bringBack(state, *v)
		}
		broken := false
		w.change(func(s *State) {
			now := s.wantedVariant()
			switch {
			case v == nil || w.ctx.Err() != nil || s.Plate != state.Plate:
			case err != nil:
				broken = true
				s.Variants = slices.DeleteFunc(slices.Clone(s.Variants), func(o Variant) bool { return o.Name == v.Name })
				if s.restoring == v.Name {
					s.Problem = &Problem{What: fmt.Sprintf("Cannot bring key %d back", v.Number), Why: err.Error(), Fix: "key the plate again", remedy: remedyKey}
				}
			case now != nil && now.Name == v.Name:
				w.leaveKey(s)
				s.takeKey(key)
				s.Seams.Check = s.keptCheck(v, key)
				// It was not made now: nothing is to follow.
				s.Seams.Follow = false
				if s.Compare != nil && s.Compare.Name == v.Name {
					s.Compare = nil
				}
				// The look may have changed meanwhile.
				w.wake(s)
			}
			if s.restoring != "" && s.wantedVariant() == nil {
				s.restoring = ""
			}
			again = s.wantedVariant() != nil && w.ctx.Err() == nil
			w.bringing = again
		})
		if broken {
			w.cache.remove(v.Name)
		}
		debug.FreeOSMemory()
	}
}

// bringBack makes the key of a variant as it would be had the plate just been keyed.
func (w *Workspace) bringBack(state State, v Variant) (*Key, error) {
	result, err := w.cache.result(w.ctx, v, state.Plate.Source.Plate.RGB.W, state.Plate.Source.Plate.RGB.H)
	if err != nil {
		return nil, err
	}
	// The hint that it was made from, but for its picture: that may be gone.
	hint := *state.Hint
	orphan := hint.print != v.cause.hint
	hint.print, hint.Source.Exposure, hint.Source.Screen = v.cause.hint, v.Exposure, v.Screen
	state.Hint = &hint
	key, err := finishKey(w.ctx, state, result)
	if err != nil {
		return nil, err
	}
	key.cause, key.Choice, key.Work, key.orphan = v.cause, v.Choice, v.Work, orphan
	key.Tile, key.Tiles = result.Grid.Len(), result.Grid.Len()
	return key, nil
}

// leaveKey notes with the variant of the shown key how that was seen last. The state is being changed.
func (w *Workspace) leaveKey(s *State) {
	v := s.shownVariant()
	if v == nil {
		return
	}
	seen := s.Key.Choices.WithHintOf(v.Choices)
	if seen.Equal(v.Choices) {
		return
	}
	name := v.Name
	s.Variants = slices.Clone(s.Variants)
	s.variant(name).Choices = seen
	w.work.Go(func() { w.cache.seen(w.ctx, name, seen) })
}

// stepRestore names the step of bringing a key back, with its choices.
const stepRestore = "Restore key %d"

// Restore brings a variant back: its choices, settings and key, without running the network.
func (w *Workspace) Restore(name string) {
	w.change(func(s *State) {
		v := s.variant(name)
		if v == nil || s.Running != nil || s.setupFixed() {
			return
		}
		w.leaveKey(s)
		s.History.single(fmt.Sprintf(stepRestore, v.Number), s.moment())
		s.restoring = name
		w.take(s, moment{v.Choices, s.presetNamed(v.Preset), v.Edits, v.ModelAsked})
		w.wakeVariant(s)
	})
}

// presetNamed returns the preset of a name: the one in use where that is gone, and none for no name.
func (s *State) presetNamed(name string) *presets.Preset {
	used := s.Setup.Preset
	switch {
	case name == "":
		return nil
	case used != nil && used.Name == name:
		return used
	}
	for i, p := range s.Setup.Presets {
		if p.Name == name {
			return &s.Setup.Presets[i]
		}
	}
	return used
}

// CompareWith shows a variant beside the key that is shown, on the other side of the wipe; again, or with an empty name,
// it ends that.
func (w *Workspace) CompareWith(name string) {
	var state State
	var v Variant
	w.change(func(s *State) {
		found := s.variant(name)
		if found == nil || s.Compare != nil && s.Compare.Name == name || s.shownVariant() == found {
			s.Compare = nil
			return
		}
		s.Compare = &Compare{Name: name}
		state, v = *s, *found
	})
	compare := state.Compare
	if compare == nil || state.Hint == nil {
		return
	}
	w.work.Go(func() {
		state.Choices = v.Choices
		err := state.readMasks()
		var key *Key
		if err == nil {
			key, err = w.bringBack(state, v)
		}
		w.change(func(s *State) {
			switch {
			case s.Compare != compare:
			case err != nil:
				s.Compare = nil
				s.Problem = &Problem{What: fmt.Sprintf("Cannot compare with key %d", v.Number), Why: err.Error()}
			default:
				s.Compare = &Compare{Name: name, Second: &views.Second{Key: key.Shown, Name: fmt.Sprintf("key %d", v.Number)}}
			}
		})
		debug.FreeOSMemory()
	})
}
