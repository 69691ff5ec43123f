package app

import (
	"errors"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"

	"greenroom/app/keying"
	"greenroom/views"
)

// recentsKept is how many plates of before are remembered.
const recentsKept = 8

// Open reads a plate, and the hint that lies beside it or one from the screen's colour. The plate that is open stays
// until the new one is read; a file that cannot be read becomes the problem. A later Open overtakes an earlier one.
func (w *Workspace) Open(path string) { w.open(opening{path: path}) }

// OpenSample opens the sample plate.
func (w *Workspace) OpenSample() { w.open(opening{}) }

// OpenBoth opens a plate with a hint.
func (w *Workspace) OpenBoth(plate, hint string) {
	w.open(opening{path: plate, hint: keying.Order{Hint: hint}})
}

// opening is what to open.
type opening struct {
	// path is the plate's; empty for the sample. hint says where its hint comes from.
	path string
	hint keying.Order
	// again says that it is the open plate, read anew: the folder that was chosen for it stays.
	again bool
	// key says to key it at once.
	key bool
}

func (w *Workspace) open(o opening) {
	path := o.path
	if path != "" {
		if full, err := filepath.Abs(path); err == nil {
			path = full
		}
	}
	var turn int
	opened := make(chan struct{})
	w.change(func(s *State) {
		w.plateTurn++
		turn, w.opened = w.plateTurn, opened
		s.Opening, s.Problem, s.Question = keying.Order{Plate: path}.Label(), nil, nil
	})
	w.reading.Go(func() {
		plate, err := readPlate(path)
		current := false
		w.change(func(s *State) {
			if current = turn == w.plateTurn; !current {
				return
			}
			s.Opening = ""
			if err != nil {
				s.Problem = problem(err, remedyOpenPlate, path)
				return
			}
			folder := s.Export.Folder
			w.install(s, plate)
			if o.again {
				s.Export.Folder = folder
			}
		})
		close(opened)
		if !current || err != nil {
			return
		}
		// The plate before is garbage now, and it may be large.
		debug.FreeOSMemory()
		w.plan()
		w.names()
		w.hint(o.hint)
		if o.key {
			w.begin(plate)
		}
	})
}

// install puts a plate into the place of the one before, with all that belonged to that.
func (w *Workspace) install(s *State, plate *Plate) {
	if w.stop != nil {
		w.stop()
		w.stop = nil
	}
	if w.stopCheck != nil {
		w.stopCheck()
		w.stopCheck = nil
	}
	w.hintTurn++
	s.Plate, s.Hint, s.FindingHint, s.Plan = plate, nil, false, nil
	s.Planning, s.keyWanted = false, false
	s.Key, s.Running, s.Seams = nil, nil, Seams{}
	s.Export.Report, s.Export.Names, s.Export.Folder, s.Export.Fault = nil, nil, "", nil
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

// readPlate reads a plate and makes it ready to be looked at.
func readPlate(path string) (*Plate, error) {
	// Before it is read, so that what is written meanwhile is noticed. A file that is not there is told of by reading.
	var of stamp
	if path != "" {
		of, _ = stampOf(path)
	}
	source, err := keying.OpenPlate(keying.Order{Plate: path})
	if err != nil {
		return nil, err
	}
	return &Plate{Path: path, Source: source, Shown: views.NewShown(source.Plate), stamp: of}, nil
}

// UseHint takes the hint of the open plate from a file.
func (w *Workspace) UseHint(path string) { w.reading.Go(func() { w.findHint(path) }) }

// MakeHint makes the hint of the open plate from the screen's colour, whatever lies beside it.
func (w *Workspace) MakeHint() {
	w.reading.Go(func() { w.hint(keying.Order{Chroma: true}) })
}

// findHint looks for the hint of the open plate: the file at path, or where that is empty one beside the plate or
// from the screen's colour.
func (w *Workspace) findHint(path string) { w.hint(keying.Order{Hint: path}) }

// hint finds the hint of the open plate by an order.
func (w *Workspace) hint(o keying.Order) {
	var plate *Plate
	var turn int
	w.change(func(s *State) {
		if plate = s.Plate; plate == nil {
			s.Problem = &Problem{What: "There is no plate for the hint yet", Fix: "open its plate first", remedy: remedyOpenPlate}
			return
		}
		w.hintTurn++
		turn = w.hintTurn
		s.FindingHint, s.Problem = true, nil
		o.Plate, o.Look = plate.Path, s.Look
	})
	if plate == nil {
		return
	}
	hint, err := readHint(plate, o)
	w.change(func(s *State) {
		if turn != w.hintTurn || s.Plate != plate {
			return
		}
		s.FindingHint = false
		if err != nil {
			s.Problem = noHint(plate, o.Hint, err)
			return
		}
		s.Hint = hint
	})
}

// readHint finds a hint and makes it ready to be looked at.
func readHint(plate *Plate, o keying.Order) (*Hint, error) {
	source, err := plate.Source.WithHint(o)
	if err != nil {
		return nil, err
	}
	return &Hint{
		Source: source, Shown: views.NewShownHint(source.Hint),
		// What is said of the plate comes first and is shown with it.
		Warnings: source.Warnings[len(plate.Source.Warnings):], Notes: source.Notes[len(plate.Source.Notes):],
	}, nil
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

// Remember sets the plates of before.
func (w *Workspace) Remember(recents []string) {
	w.change(func(s *State) { s.Recents = recents[:min(len(recents), recentsKept)] })
}
