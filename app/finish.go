package app

import (
	"context"
	"sync"

	"greenroom/engine/matte"
	"greenroom/engine/settings"
	"greenroom/views"
)

// finished is a key after the look.
type finished = matte.Key

// finisher is a matte.Finisher that several goroutines may ask, one after another.
type finisher struct {
	mu sync.Mutex
	*matte.Finisher
}

// finish applies a look to the network's result.
func (f *finisher) finish(ctx context.Context, look settings.Look) (finished, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.Finish(ctx, look, settings.Marks{}, matte.Masks{})
}

// SetLook changes the live controls. The key follows as fast as it can: one finish at a time, always with the last
// look.
func (w *Workspace) SetLook(look settings.Look) {
	if err := look.Validate(); err != nil {
		w.fail(err, remedyNone)
		return
	}
	w.change(func(s *State) {
		s.Look = look
		w.wake(s)
	})
}

// wake starts to bring the key up to the look, unless that is going on. The state is being changed.
func (w *Workspace) wake(s *State) {
	if s.behind() && !w.following {
		w.following = true
		w.work.Go(w.follow)
	}
	w.wakeSecond(s)
}

// behind reports whether the key that is shown has another look than was asked for.
func (s *State) behind() bool { return s.Key != nil && s.Key.Whole && s.Key.Look != s.Look }

// follow applies the look until it is the last one.
func (w *Workspace) follow() {
	for again := true; again; {
		state := w.State()
		key := state.Key
		if !state.behind() {
			// Another plate took the key's place before this began.
			w.change(func(s *State) {
				if again = s.behind(); !again {
					w.following = false
					w.wakeSecond(s)
				}
			})
			continue
		}
		done, err := key.finisher.finish(w.ctx, state.Look)
		next := *key
		if err == nil {
			next.Finished, next.Look = done, state.Look
			next.Shown = views.NewKey(done.Matte, done.FG, done.Space)
		}
		w.change(func(s *State) {
			switch {
			case s.Key != key:
			case err == nil:
				s.Key = &next
			case w.ctx.Err() == nil:
				s.Problem = problem(err, remedyKey)
			}
			again = s.behind() && err == nil
			w.following = again
			w.wakeSecond(s)
		})
	}
}
