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

// finish makes the key that is chosen of the network's result.
func (f *finisher) finish(ctx context.Context, c settings.Choices) (finished, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.Finish(ctx, c.Look, c.Marks, matte.Masks{})
}

// wake starts to bring the key up to what was chosen, unless that is going on. The state is being changed.
func (w *Workspace) wake(s *State) {
	if s.behind() && !w.following {
		w.following = true
		w.work.Go(w.follow)
	}
	w.wakeSecond(s)
}

// behind reports whether the key that is shown is finished in another way than was asked for.
func (s *State) behind() bool {
	return s.Key != nil && s.Key.Whole && !s.Key.Choices.SameFinish(s.Choices)
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
				}
			})
			continue
		}
		done, err := key.finisher.finish(w.ctx, state.Choices)
		next := *key
		if err == nil {
			next.Finished, next.Choices = done, state.Choices
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
