package app

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"greenroom/app/keying"
)

// stamp tells one state of a file from another: it changes whenever the file is written.
type stamp struct {
	size     int64
	modified time.Time
}

func stampOf(path string) (stamp, error) {
	info, err := os.Stat(path)
	if err != nil {
		return stamp{}, err
	}
	return stamp{info.Size(), info.ModTime()}, nil
}

// Watch looks at the open plate's file, its hint's, and those of masks and background, every so often while the window has the focus, and at once when it gets it,
// until the workspace is closed. It returns at once. Close does not wait for a look: a network share may never answer.
func (w *Workspace) Watch(every time.Duration) {
	go func() {
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-w.ctx.Done():
				return
			case <-w.attention:
			case <-tick.C:
			}
			if w.focused.Load() {
				w.lookAtPlate()
				w.lookBeside()
			}
		}
	}()
}

// Focus says whether the window has the focus.
func (w *Workspace) Focus(has bool) {
	w.focused.Store(has)
	if has {
		// Another program may have put a checkpoint into the folder.
		w.reading.Go(w.loadModels)
		select {
		case w.attention <- struct{}{}:
		default: // a look is due already
		}
	}
}

// lookAtPlate offers to read the plate again if its file is another than the one that was read. A file that is still
// being written differs from look to look: nothing is said before two looks find the same. Nor is anything said of a
// file that is gone: the plate in memory can still be keyed.
func (w *Workspace) lookAtPlate() {
	plate := w.State().Plate
	if plate == nil || plate.Path == "" {
		return
	}
	now, err := stampOf(plate.Path)
	if err != nil || now == plate.stamp {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	settled := now == w.seen
	w.seen = now
	s := &w.state
	if !settled || now == w.passed || s.Plate != plate || s.Opening != "" || s.Problem != nil || s.Question != nil {
		return
	}
	s.Problem = &Problem{
		What: fmt.Sprintf("%s has changed on the disk", plate.Name()), Why: "another program has written it since it was opened",
		Fix: "read it again to key what is there now", remedy: remedyReadAgain,
	}
	w.emit(w.state)
}

// sighting is what looks have found at a file beside the plate.
type sighting struct {
	// read is the file as it was read.
	read keying.UsedFile
	// seen is what the last look found, same a state of the file in which its content is what was read, and passed one
	// that the artist has put away.
	seen, same, passed stamp
}

// inUse is a file that was read, and what it is.
type inUse struct {
	keying.UsedFile
	what string
}

// beside are the files that were read beside the plate's.
func (s *State) beside() []inUse {
	var files []inUse
	if s.Hint != nil && s.Hint.Source.HintFile.Path != "" {
		files = append(files, inUse{s.Hint.Source.HintFile, "the hint"})
	}
	if m := s.Masks.Core; m != nil {
		files = append(files, inUse{m.File, "the core matte"})
	}
	if m := s.Masks.Garbage; m != nil {
		files = append(files, inUse{m.File, "the garbage matte"})
	}
	if s.Backdrop != nil {
		files = append(files, inUse{s.Backdrop.File, "the background"})
	}
	return files
}

// lookBeside offers to read a hint, mask or background again if its file is another than the one that was read. A file
// is read through only when its size or time are new, and twice the same.
func (w *Workspace) lookBeside() {
	state := w.State()
	for _, file := range state.beside() {
		now, err := stampOf(file.Path)
		if err != nil || !w.sighted(file.UsedFile, now) {
			continue
		}
		if changed, err := file.Changed(); err == nil {
			w.judge(file, now, changed)
		}
	}
}

// sighted notes what a look has found, and reports whether the content has to be looked at.
func (w *Workspace) sighted(file keying.UsedFile, now stamp) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.sightings == nil {
		w.sightings = map[string]sighting{}
	}
	known := w.sightings[file.Path]
	if known.read != file {
		known = sighting{read: file}
	}
	settled := now == known.seen
	known.seen = now
	w.sightings[file.Path] = known
	return settled && now != known.same && now != known.passed
}

// judge offers to read a file again if its content has changed, and else remembers that it has not.
func (w *Workspace) judge(file inUse, now stamp, changed bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := &w.state
	if known := w.sightings[file.Path]; !changed && known.read == file.UsedFile {
		known.same = now
		w.sightings[file.Path] = known
	}
	if !changed || !slices.Contains(s.beside(), file) || s.Opening != "" || s.Problem != nil || s.Question != nil {
		return
	}
	s.Problem = &Problem{
		What: fmt.Sprintf("%s has changed on the disk", filepath.Base(file.Path)),
		Why:  fmt.Sprintf("another program has written %s since it was read", file.what),
		Fix:  "read it again to key with what is there now", remedy: remedyReadFileAgain, file: file.Path,
	}
	w.emit(w.state)
}

// Dismiss puts the problem away. That a file has changed is not said again before it changes once more.
func (w *Workspace) Dismiss() {
	w.change(func(s *State) {
		if p := s.Problem; p != nil && p.remedy == remedyReadAgain {
			w.passed = w.seen
		} else if p != nil && p.remedy == remedyReadFileAgain {
			known := w.sightings[p.file]
			known.passed = known.seen
			w.sightings[p.file] = known
		}
		s.Problem = nil
	})
}

// ReadAgain reads the open plate anew, with the kind of hint that it has, and keys it if it was keyed.
func (w *Workspace) ReadAgain() {
	s := w.State()
	if s.Plate == nil || s.Plate.Path == "" {
		return
	}
	w.open(opening{path: s.Plate.Path, again: true, key: true})
}

// ReadFileAgain reads the hint, the masks and the background anew that come from a file. With a new hint the plate is keyed
// if it was.
func (w *Workspace) ReadFileAgain(path string) {
	w.change(func(s *State) {
		if s.Plate == nil {
			return
		}
		s.Problem = nil
		if s.Hint != nil && s.Hint.Source.HintFile.Path == path {
			s.hintAgain, s.keyOnHint = true, s.keyBegun()
			w.wakeHint(s)
		}
		for k := range besideKinds {
			if held := s.besideHeld(k); held.path == path && held == s.besideAsked(k) {
				w.startBeside(s, k)
			}
		}
	})
}
