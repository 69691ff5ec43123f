package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"greenroom/app/keying"
	"greenroom/engine/settings"
)

// autosaveAfter is how long after the last change what is chosen for a plate saves itself.
const autosaveAfter = 2 * time.Second

// savedKept is of how many plates what was chosen is kept.
const savedKept = 200

// stateEnding is how the name of the sidecar ends that holds what is chosen now. The one of an export says how its files
// were made, and stays as it is.
const stateEnding = "_state.toml"

// saver saves what is chosen for plates, a moment after each change.
type saver struct {
	// after is how long that is; 0 is autosaveAfter.
	after time.Duration
	timer *time.Timer
	// due says that something has changed since the last time. It and turn, which counts those times, belong to the
	// workspace's lock.
	due  bool
	turn int

	// mu is held while files are written; written has the last turn of each, so that none goes back in time.
	mu      sync.Mutex
	written map[string]int
	// told says that the artist knows that nothing can be saved.
	told bool
}

// touch notes that what is chosen for the open plate has changed. The state is being changed.
func (w *Workspace) touch(s *State) {
	if s.Plate == nil || s.Plate.Path == "" || w.folder == "" || w.ctx.Err() != nil {
		return
	}
	a := &w.saver
	a.due = true
	after := a.after
	if after == 0 {
		after = autosaveAfter
	}
	if a.timer == nil {
		a.timer = time.AfterFunc(after, w.saveNow)
	} else {
		a.timer.Reset(after)
	}
}

// saveNow saves what has changed and is not saved yet, on a goroutine of its own.
func (w *Workspace) saveNow() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.saveDue(w.state)
}

// saveDue is saveNow for a state under the workspace's lock.
func (w *Workspace) saveDue(s State) {
	if save := w.takeDue(s); save != nil {
		w.work.Go(save)
	}
}

// takeDue returns what saves a state; nil where nothing has changed. The workspace is locked.
func (w *Workspace) takeDue(s State) (save func()) {
	a := &w.saver
	if !a.due || s.Plate == nil || s.Plate.Path == "" {
		return nil
	}
	a.due = false
	a.turn++
	turn := a.turn
	return func() { w.saveState(s, turn) }
}

// flush saves what is due and waits for it.
func (w *Workspace) flush() {
	w.mu.Lock()
	save := w.takeDue(w.state)
	w.mu.Unlock()
	if save != nil {
		save()
	}
	// What another goroutine writes is whole afterwards.
	w.saver.mu.Lock()
	defer w.saver.mu.Unlock()
}

// saveAway saves what is chosen in a state for plates of the strip that are not the open one, at once: nothing else would
// save them before they are opened. One that was never read is read; where it cannot be, there is nothing that could be
// done with what is chosen for it.
func (w *Workspace) saveAway(s State, ids []int) {
	backdrop := s.Backdrop
	for _, id := range ids {
		i := s.Strip.find(id)
		if i < 0 || s.Strip.Plates[i].Path == "" || w.folder == "" {
			continue
		}
		p := s.Strip.Plates[i]
		if p.source == nil {
			source, err := keying.OpenPlate(keying.Order{Plate: p.Path, Space: p.Choices.Space, Layer: p.Choices.Layer})
			if err != nil {
				continue
			}
			p.source = &source
		}
		one := s
		one.takePlace(p, &Plate{Path: p.Path, Source: *p.source})
		one.Plan, one.Backdrop = nil, backdrop
		w.mu.Lock()
		w.saver.turn++
		turn := w.saver.turn
		w.mu.Unlock()
		w.saveState(one, turn)
	}
}

// saveState writes what is chosen in a state into the app's own folder, and beside the plate's export where there is one.
// Where nothing is chosen that a new plate does not begin with, there is nothing to keep.
func (w *Workspace) saveState(s State, turn int) {
	a := &w.saver
	a.mu.Lock()
	defer a.mu.Unlock()
	write := func(path string, write func() error) error {
		if a.written[path] > turn {
			return nil
		}
		if a.written == nil {
			a.written = map[string]int{}
		}
		a.written[path] = turn
		return write()
	}
	own := w.savedPath(s.Plate.Path)
	err := write(own, func() error {
		if s.fresh() {
			if err := os.Remove(own); !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			return nil
		}
		return w.writeSidecar(s, own)
	})
	if err == nil {
		dropOldest(filepath.Dir(own), ".toml", savedKept)
	}
	if s.Export.Report != nil {
		beside := filepath.Join(filepath.Dir(s.Export.Report.Sidecar), w.order(s).Name()+stateEnding)
		err = errors.Join(err, write(beside, func() error { return w.writeSidecar(s, beside) }))
	}
	if err != nil && !a.told {
		a.told = true
		w.change(func(s *State) {
			if w.ctx.Err() == nil {
				s.Problem = unsaved(err)
			}
		})
	}
}

// unsaved is the problem of what cannot be saved by itself.
func unsaved(err error) *Problem {
	p := problem(err, remedySave)
	p.Why = strings.ToLower(p.What[:1]) + p.What[1:] + ": " + p.Why
	p.What, p.Fix, p.Details = "What you choose cannot be saved by itself", "save it beside the exports, before the window is closed", err.Error()
	return p
}

// fresh reports whether nothing is chosen but what a new plate begins with.
func (s *State) fresh() bool {
	return s.Choices.Equal(settings.Choices{Look: settings.DefaultLook()}) && len(s.Setup.Edits) == 0 && s.Setup.Model == ""
}

// writeSidecar writes what is chosen in a state.
func (w *Workspace) writeSidecar(s State, path string) error {
	used := settings.Default()
	if s.Plan != nil && s.Plan.Err == nil {
		used = s.Plan.Settings
	}
	// The window may be closing: what is chosen is to be there all the same.
	return keying.SaveSidecar(context.WithoutCancel(w.ctx), path, w.order(s), s.chosenSource(), used)
}

// session is what the sidecar keeps of the window.
func (s *State) session() *keying.Session {
	v := &keying.Session{Model: s.Setup.Model, Hint: keying.HintFound, Edits: map[string]string{}}
	switch {
	case s.Choices.Hint != "":
		v.Hint = keying.HintFile
	case s.Choices.Chroma:
		v.Hint = keying.HintScreen
	}
	for _, e := range s.Setup.Edits {
		v.Edits[e.Name] = e.Value
	}
	return v
}

// chosenSource is the plate with what is chosen for it, whether or not the files of that have been read yet.
func (s *State) chosenSource() keying.Source {
	source := s.Plate.Source
	if s.Hint != nil {
		source = s.Hint.Source
		if h := s.Choices.Hint; h != "" && h != source.From {
			source.From, source.HintFile = h, keying.UsedFile{Path: h}
		}
		if s.Choices.Chroma {
			source.From, source.HintFile = "", keying.UsedFile{}
		}
	} else if h := s.Choices.Hint; h != "" {
		source.From, source.HintFile = h, keying.UsedFile{Path: h}
	}
	source.Marks = s.Choices.Marks
	source.Core, source.Garbage = s.Masks.Core.used(s.Choices.Core), s.Masks.Garbage.used(s.Choices.Garbage)
	source.BackdropFile = keying.UsedFile{Path: s.Choices.Backdrop}
	if b := s.Backdrop; b != nil && b.Path == s.Choices.Backdrop {
		source.BackdropFile = b.File
	}
	return source
}

// used is the file of a mask that is chosen; its hash is there once it has been read.
func (m *Mask) used(path string) keying.UsedFile {
	if m.path() == path && m != nil {
		return m.File
	}
	return keying.UsedFile{Path: path}
}

// savedPath is where the app keeps what is chosen for a plate.
func (w *Workspace) savedPath(plate string) string {
	sum := sha256.Sum256([]byte(plate))
	return filepath.Join(w.folder, "plates", hex.EncodeToString(sum[:16])+".toml")
}

// dropOldest removes the files of an ending in a folder that were written longest ago, until no more than most are left. What cannot
// be removed stays.
func dropOldest(folder, ending string, most int) {
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) <= most {
		return
	}
	type dated struct {
		name string
		at   time.Time
	}
	var files []dated
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && strings.HasSuffix(e.Name(), ending) {
			files = append(files, dated{e.Name(), info.ModTime()})
		}
	}
	slices.SortFunc(files, func(a, b dated) int { return a.at.Compare(b.at) })
	for len(files) > most {
		os.Remove(filepath.Join(folder, files[0].name))
		files = files[1:]
	}
}

// SaveSidecar writes what is chosen for the open plate beside its exports, at once.
func (w *Workspace) SaveSidecar() {
	w.work.Go(func() {
		s := w.State()
		if s.Plate == nil {
			return
		}
		o := w.order(s)
		path := filepath.Join(o.Folder(), o.Name()+stateEnding)
		w.saver.mu.Lock()
		err := w.writeSidecar(s, path)
		w.saver.mu.Unlock()
		if err != nil {
			w.failUnlessClosing(err, remedyFolder)
			return
		}
		w.change(func(now *State) {
			if now.Plate == s.Plate {
				now.Export.Saved = path
			}
		})
	})
}
