package app

import (
	"fmt"
	"path/filepath"
	"sync"

	"greenroom/engine/imageio"
	"greenroom/engine/picture"
	"greenroom/views"
)

// Plate is an open plate.
type Plate struct {
	Path string
	imageio.Header
	Picture picture.Picture
	// Shown is the picture made ready to be looked at.
	Shown *views.Shown
}

// Name is the plate's file name.
func (p *Plate) Name() string { return filepath.Base(p.Path) }

// Details are the plate's size and kind in words: "1920 x 1080, 16-bit PNG".
func (p *Plate) Details() string {
	return fmt.Sprintf("%d x %d, %d-bit %s", p.W, p.H, p.Depth, p.Format)
}

// State is what the workspace holds at one moment. It is a copy: nobody changes it, and Plate is never written to.
type State struct {
	// Plate is the open plate; nil with none.
	Plate *Plate
	// Opening is the path that is being read; empty when none is.
	Opening string
	// Problem is what went wrong last; nil when nothing did or the artist has put it away.
	Problem error
}

// Workspace holds what is open and tells of every change. Its methods may be called from any goroutine; they
// never block on a file.
type Workspace struct {
	// emit is called with each new state, one call at a time, in order.
	emit func(State)

	mu    sync.Mutex
	state State
	// turn counts the files that were asked for: only the last one asked for is opened.
	turn    int
	reading sync.WaitGroup
}

// NewWorkspace returns an empty workspace that reports its changes to emit, from any goroutine, one at a time.
// emit must not call the workspace.
func NewWorkspace(emit func(State)) *Workspace { return &Workspace{emit: emit} }

// change alters the state and tells of it.
func (w *Workspace) change(alter func(*State)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	alter(&w.state)
	w.emit(w.state)
}

// Open reads a plate on a goroutine of its own. The plate that is open stays until the new one is read; a file
// that cannot be read becomes the problem. A later Open overtakes an earlier one.
func (w *Workspace) Open(path string) {
	var turn int
	w.change(func(s *State) {
		w.turn++
		turn = w.turn
		s.Opening, s.Problem = path, nil
	})
	w.reading.Go(func() {
		plate, err := readPlate(path)
		w.change(func(s *State) {
			if turn != w.turn {
				return
			}
			s.Opening, s.Problem = "", err
			if err == nil {
				s.Plate = plate
			}
		})
	})
}

// readPlate reads a plate and makes it ready to be looked at.
func readPlate(path string) (*Plate, error) {
	file, err := imageio.Open(path, imageio.Limits{})
	if err != nil {
		return nil, err
	}
	return &Plate{Path: path, Header: file.Header, Picture: file.Picture, Shown: views.NewShown(file.Picture)}, nil
}

// Fail makes err the problem that is shown.
func (w *Workspace) Fail(err error) { w.change(func(s *State) { s.Problem = err }) }

// Dismiss puts the problem away.
func (w *Workspace) Dismiss() { w.change(func(s *State) { s.Problem = nil }) }

// Wait returns when no file is being read.
func (w *Workspace) Wait() { w.reading.Wait() }
