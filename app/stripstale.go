package app

import "greenroom/app/keying"

// compareKeys notes of the plates of the strip that are not open whether their keys are what would be made now: preset,
// model and machine are the same for all plates. It compares what is chosen and reads nothing; what is chosen meanwhile
// is compared again.
func (w *Workspace) compareKeys() {
	turn := w.latestPlan()
	s := w.State()
	if s.Model == nil {
		return
	}
	changed := map[int]desk{}
	for _, p := range s.Strip.Plates {
		if p.ID == s.Strip.Open || !p.Keyed {
			continue
		}
		if of, why := w.keyNow(s, p); of != p.cause || why != p.Stale {
			changed[p.ID] = desk{cause: of, Stale: why}
		}
	}
	if len(changed) == 0 {
		return
	}
	w.change(func(now *State) {
		if turn != w.planTurn {
			return
		}
		for _, p := range s.Strip.Plates {
			d, ok := changed[p.ID]
			if !ok || p.ID == now.Strip.Open {
				continue
			}
			now.Strip.alter(p.ID, func(e *StripPlate) {
				if e.Keyed && e.cause == p.cause && e.Stale == p.Stale {
					e.cause, e.Stale = d.cause, d.Stale
				}
			})
		}
	})
}

// keyNow returns of what cause the key of a plate of the strip is that is not open, and why it is not what would be made
// now; empty where it is. A key in the cache that would come out goes before the one that the plate had.
func (w *Workspace) keyNow(s State, p StripPlate) (of cause, why string) {
	if p.Stale == hintChanged {
		return p.cause, p.Stale
	}
	s.takePlace(p, &Plate{Path: p.Path, Source: *p.source})
	chosen, err := keying.Choose(w.planOrder(s, s.Machine), p.source.Plate)
	if err != nil {
		// It is told when the plate is opened or keyed.
		return p.cause, p.Stale
	}
	now := p.cause
	now.model, now.sight = s.Model.Hash, sight(chosen.Settings)
	switch {
	case now == p.cause || w.cache != nil && w.cache.has(now):
		return now, ""
	case now.model != p.cause.model:
		return p.cause, modelChanged
	}
	return p.cause, settingsChanged
}
