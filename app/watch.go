package app

import (
	"fmt"
	"os"
	"time"
)

// watchEvery is how often the open plate's file is looked at.
const watchEvery = 2 * time.Second

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

// Watch looks at the open plate's file every so often while the window has the focus, and at once when it gets it,
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
			}
		}
	}()
}

// Focus says whether the window has the focus.
func (w *Workspace) Focus(has bool) {
	w.focused.Store(has)
	if has {
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

// Dismiss puts the problem away. That the plate has changed is not said again before it changes once more.
func (w *Workspace) Dismiss() {
	w.change(func(s *State) {
		if s.Problem != nil && s.Problem.remedy == remedyReadAgain {
			w.passed = w.seen
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
	o := opening{path: s.Plate.Path, again: true, key: s.Key != nil || s.Running != nil}
	w.open(o)
}
