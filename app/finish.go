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

// finish makes the key that is chosen of the network's result, with the masks that were read.
func (f *finisher) finish(ctx context.Context, c settings.Choices, m Masks) (finished, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.Finish(ctx, c.Look, c.Marks, m.images())
}

// finishing are the choices by which a key is finished now: where a mask has not been read yet, the one before it counts.
func (s *State) finishing() settings.Choices {
	c := s.Choices
	c.Core, c.Garbage = s.Masks.Core.path(), s.Masks.Garbage.path()
	return c
}

// finishedBy reports whether a key that was finished by choices and masks is as was asked for.
func (s *State) finishedBy(c settings.Choices, m Masks) bool {
	return c.SameFinish(s.finishing()) && m == s.Masks
}

// wake starts to bring the key up to what was chosen, unless that is going on. The state is being changed.
func (w *Workspace) wake(s *State) {
	if s.behind() && !w.following {
		w.following = true
		w.work.Go(w.follow)
	}
	w.wakeSecond(s)
	w.wakeReview(s)
}

// behind reports whether the key that is shown is finished in another way than was asked for.
func (s *State) behind() bool {
	return s.Key != nil && s.Key.Whole && !s.finishedBy(s.Key.Choices, s.Key.Masks)
}

// follow finishes the key until it is as was asked for last: one finish at a time, always by the last choices.
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
					w.wakeReview(s)
				}
			})
			continue
		}
		done, err := key.finisher.finish(w.ctx, state.finishing(), state.Masks)
		next := *key
		if err == nil {
			next.Finished, next.Choices, next.Masks = done, state.finishing(), state.Masks
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
			w.wakeReview(s)
		})
	}
}
