package app

import (
	"context"

	"greenroom/engine/tiling"
	"greenroom/views"
)

// KeptCheck is what is kept of a check of seams with the variant that it is of: the ranked borders, without the key on the
// other grid.
type KeptCheck struct {
	Seams []tiling.Seam `toml:"seam,omitempty"`
}

// keptHeat is the heat map of a check.
type keptHeat struct {
	of   cause
	heat *views.Heat
}

// keptHeats is how many heat maps of checks are held of the open plate, the last first: each takes three bytes of a pixel.
const keptHeats = 2

// keepHeat holds the heat map of the check of the key that is shown.
func (s *State) keepHeat(heat *views.Heat) {
	h := keptHeat{s.Key.cause, heat}
	for i, o := range s.Seams.heats {
		s.Seams.heats[i] = h
		if h = o; o.of == s.Key.cause {
			break
		}
	}
}

// keptCheck is the check of a variant whose key is brought back; nil where it was not checked.
func (s *State) keptCheck(v *Variant, key *Key) *SeamCheck {
	if v.Check == nil {
		return nil
	}
	check := &SeamCheck{Of: key.Result, Seams: v.Check.Seams}
	for _, h := range s.Seams.heats {
		if h.of == v.cause {
			check.Heat = h.heat
		}
	}
	return check
}

// keepCheck keeps a check with the variant of a key, if there is one.
func (w *Workspace) keepCheck(of cause, check *SeamCheck) {
	if w.cache == nil {
		return
	}
	w.cache.checked(w.ctx, of, KeptCheck{check.Seams})
	w.showVariants(of.plate)
}

// checked notes what a check of a variant's key found.
func (c *variantCache) checked(ctx context.Context, of cause, check KeptCheck) {
	for _, v := range c.of(of.plate) {
		if v.cause == of {
			c.note(ctx, v.Name, func(v *Variant) { v.Check = &check })
		}
	}
}
