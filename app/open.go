package app

import (
	"errors"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"

	"greenroom/app/keying"
	"greenroom/engine/matte"
	"greenroom/engine/settings"
	"greenroom/presets"
	"greenroom/views"
)

// recentsKept is how many plates of before are remembered.
const recentsKept = 8

// Open reads a plate, and the hint that lies beside it or one from the screen's colour. The plate that is open stays
// until the new one is read; a file that cannot be read becomes the problem. A later Open overtakes an earlier one.
// A sidecar opens its plate as it says.
func (w *Workspace) Open(path string) {
	if isSidecarName(path) {
		w.OpenSidecar(path)
		return
	}
	w.open(opening{path: path})
}

// OpenSample opens the sample plate.
func (w *Workspace) OpenSample() { w.open(opening{}) }

// OpenBoth opens a plate with a hint.
func (w *Workspace) OpenBoth(plate, hint string) {
	w.open(opening{path: plate, hint: hint})
}

// opening is what to open.
type opening struct {
	// path is the plate's; empty for the sample. hint is its hint's, and empty looks for one.
	path, hint string
	// id is the plate of the strip that this is; 0 is a new one, or whichever has that path.
	id int
	// again says that it is the open plate, read anew: what was chosen for it stays, with the steps that led there.
	again bool
	// closing is a plate that leaves the strip when this one is open; notice is what the artist is told then.
	closing int
	notice  *Problem
	// recalled is what was chosen for it before; nil looks whether something was saved.
	recalled *recalled
	// key says to key it at once, if it has a key or gets one when it has been read.
	key bool
}

func (w *Workspace) open(o opening) {
	if o.path != "" {
		if full, err := filepath.Abs(o.path); err == nil {
			o.path = full
		}
	}
	w.change(func(s *State) { w.beginOpening(s, o) })
}

// beginOpening takes the turn of an opening and starts to read, unless the strip is full. Whoever began last is the one
// that counts. The state is being changed.
func (w *Workspace) beginOpening(s *State, o opening) {
	path := o.path
	if o.id == 0 {
		o.id = s.Strip.at(path)
	}
	known := o.id != 0 && o.id != s.Strip.Open
	if o.id == 0 && !s.Strip.hasRoom() {
		s.Problem = stripFull(filepath.Base(keying.Order{Plate: path}.Label()))
		return
	}
	opened := make(chan struct{})
	w.plateTurn++
	w.opened = opened
	turn := w.plateTurn
	s.Opening, s.Problem, s.Question = keying.Order{Plate: path}.Label(), nil, nil
	var choices settings.Choices
	if i := s.Strip.find(o.id); i >= 0 && o.id != s.Strip.Open {
		choices = s.Strip.Plates[i].Choices
	}
	w.reading.Go(func() {
		if o.again {
			choices = w.State().Choices
		}
		if o.recalled == nil && !o.again && !known {
			o.recalled = w.savedFor(path)
		}
		if o.recalled != nil {
			choices = o.recalled.Choices
		}
		plate, err := readPlate(path, choices)
		if err != nil && o.recalled != nil {
			plate, err = o.recalled.readPlain(path, plate, err)
		}
		current := false
		var preset *presets.Preset
		var model string
		w.change(func(s *State) {
			if current = turn == w.plateTurn; !current {
				return
			}
			s.Opening = ""
			if err != nil {
				s.Problem = problem(err, remedyOpenPlate, path)
				if o.again && s.Plate != nil {
					// It stays as it was read.
					s.Choices.Space, s.Choices.Layer = s.Plate.space, s.Plate.layer
				}
				s.Strip.alter(o.id, func(p *StripPlate) { p.Failed = s.Problem.words() })
				return
			}
			preset, model = s.Setup.Preset, s.modelName()
			w.enter(s, plate, o)
			if o.notice != nil {
				s.Problem = o.notice
			}
			if i := s.Strip.find(o.closing); i >= 0 {
				s.Strip.Plates = slices.Delete(slices.Clone(s.Strip.Plates), i, i+1)
			}
		})
		close(opened)
		if !current || err != nil {
			return
		}
		// The plate before is garbage now, and it may be large.
		debug.FreeOSMemory()
		if o.recalled != nil {
			w.settled(o.recalled)
		} else if s := w.State(); preset != s.Setup.Preset || model != s.modelName() {
			w.wantModel()
			w.wantDevice(s.Setup.Preset)
		}
		w.findVariants(plate)
		w.keepThumb(plate)
		w.plan()
		w.names()
	})
}

// install puts a plate into the place of the one before, with all that belonged to that.
func (w *Workspace) install(s *State, plate *Plate) {
	w.saveDue(*s)
	if w.stop != nil {
		w.stop()
		w.stop = nil
	}
	if w.stopCheck != nil {
		w.stopCheck()
		w.stopCheck = nil
	}
	// Whoever finds the hint of the plate before need not go on.
	w.hintTurn++
	w.hinting = false
	w.leaveKey(s)
	s.Variants, s.Compare, s.restoring = nil, nil, ""
	s.Plate, s.Hint, s.hintFailed, s.Plan = plate, nil, nil, nil
	s.hintAgain, s.FindingHint, s.keyOnHint, s.History = false, false, false, history{}
	s.Restored = ""
	s.Planning, s.keyWanted = false, false
	s.Key, s.Running, s.Seams = nil, nil, Seams{}
	s.Masks, s.Backdrop, s.reading, s.Review = Masks{}, nil, [besideKinds]besideReading{}, nil
	s.Export.Written = writtenKey{}
	s.Export.Report, s.Export.Names, s.Export.Fault, s.Export.Saved = nil, nil, nil, ""
	if plate.Path != "" {
		s.Recents = remember(s.Recents, plate.Path)
	}
}

// remember puts a path before the others.
func remember(recents []string, path string) []string {
	others := slices.DeleteFunc(slices.Clone(recents), func(p string) bool { return p == path })
	list := append([]string{path}, others...)
	return list[:min(len(list), recentsKept)]
}

// openAgain reads the open plate as it is chosen now. The state is being changed.
func (w *Workspace) openAgain(s *State) {
	w.beginOpening(s, opening{path: s.Plate.Path, again: true})
}

// readPlate reads a plate as it is chosen to be, and makes it ready to be looked at.
func readPlate(path string, c settings.Choices) (*Plate, error) {
	// Before it is read, so that what is written meanwhile is noticed. A file that is not there is told of by reading.
	var of stamp
	if path != "" {
		of, _ = stampOf(path)
	}
	source, err := keying.OpenPlate(keying.Order{Plate: path, Space: c.Space, Layer: c.Layer})
	if err != nil {
		return nil, err
	}
	bars, err := matte.ProposeGarbage(source.Plate)
	if err != nil {
		return nil, err
	}
	plate := &Plate{Path: path, Source: source, Shown: views.NewShown(source.Plate), Bars: bars, space: c.Space, layer: c.Layer, stamp: of}
	plate.Thumb = views.NewThumbnail(views.Layers{Plate: plate.Shown}, views.ViewPlate)
	return plate, nil
}

// Reopen opens a plate of before, and forgets it where it is no more.
func (w *Workspace) Reopen(path string) {
	w.reading.Go(func() {
		if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
			w.Open(path)
			return
		}
		w.change(func(s *State) {
			s.Recents = slices.DeleteFunc(slices.Clone(s.Recents), func(p string) bool { return p == path })
			s.Problem = &Problem{What: "Cannot open " + filepath.Base(path), Why: "it is not there any more", remedy: remedyOpenPlate}
		})
	})
}

// Recall makes the workspace what it was the last time. Call it before Start.
func (w *Workspace) Recall(last remembered) {
	w.lastPreset, w.lastLook = last.Preset, last.Look
	w.change(func(s *State) {
		s.Recents = last.Recents[:min(len(last.Recents), recentsKept)]
		s.Setup.Model, s.Export.Folder = last.Model, last.Folder
		if last.Export != nil {
			s.Export.ExportChoice = *last.Export
		}
		if last.Look != nil {
			s.Choices.Look = *last.Look
		}
	})
}
