package app

import (
	"fmt"

	"greenroom/app/keying"
	"greenroom/engine/hint"
	"greenroom/engine/settings"
	"greenroom/presets"
)

// recogniseKeys marks the plates of the strip whose keys lie in the cache, as far as that can be told without reading
// plates and hints again: what cannot is found out when the plate is opened or keyed.
func (w *Workspace) recogniseKeys() {
	s := w.State()
	if w.cache == nil || s.Model == nil {
		return
	}
	for _, p := range s.Strip.Plates {
		if p.ID == s.Strip.Open || p.Keyed || p.Path == "" || p.source == nil || w.ctx.Err() != nil {
			continue
		}
		of, ok := w.recognise(s, p)
		if !ok {
			continue
		}
		w.change(func(s *State) {
			s.Strip.alter(p.ID, func(now *StripPlate) {
				if now.ID != s.Strip.Open && !now.Keyed && now.Choices.SameHint(p.Choices) {
					now.Keyed, now.cause, now.Stale = true, of, ""
				}
			})
		})
	}
}

// recognise returns the cause of the key of a plate that lies in the cache and would come out again if the plate were
// keyed now; ok is false where there is none, or it cannot be told.
func (w *Workspace) recognise(s State, p StripPlate) (of cause, ok bool) {
	s.takePlace(p, &Plate{Path: p.Path, Source: *p.source})
	chosen, err := keying.Choose(w.planOrder(s, s.Machine), p.source.Plate)
	if err != nil {
		return cause{}, false
	}
	for _, v := range w.cache.of(p.source.PlateFile.SHA256) {
		s.Hint = &Hint{Choices: p.Choices, print: v.cause.hint}
		if of = s.causeOf(s.Model.Hash, chosen.Settings); of == v.cause && v.hasHintOf(p) {
			return of, true
		}
	}
	return cause{}, false
}

// hasHintOf reports whether a variant of a plate was made from the very hint that the plate would get now. Screen and
// exposure are what was found of the same plate then, so they are found again where the same was asked for.
func (v *Variant) hasHintOf(p StripPlate) bool {
	asked, before := p.Choices, v.Choices
	if screen := asked.Look.Screen; screen != v.Screen && (screen != settings.ScreenAuto || before.Look.Screen != settings.ScreenAuto) {
		return false
	}
	h := Hint{Choices: asked, Source: keying.Source{Screen: v.Screen, Exposure: v.Exposure}}
	path := asked.Hint
	if path == "" && !asked.Chroma && len(asked.Marks.Samples) == 0 {
		var err error
		if path, err = hint.Beside(p.Path, keying.WrittenByUs); err != nil {
			return false
		}
	}
	if path == "" {
		return h.fingerprint() == v.cause.hint
	}
	h.Source.From, h.Source.HintFile = path, keying.Used(path)
	channels := []hint.Channel{asked.Edit.Channel}
	if asked.Edit.Channel == settings.ChannelAuto {
		if before.Edit.Channel != settings.ChannelAuto {
			return false
		}
		channels = hint.Channels()
	}
	for _, h.Source.Channel = range channels {
		if h.fingerprint() == v.cause.hint {
			return true
		}
	}
	return false
}

// forgetLost takes the mark of a key from plates whose keys are not in the cache any more: they had to make room for
// others, or the disk had none. The state is being changed.
func (w *Workspace) forgetLost(s *State) (lost int) {
	for _, p := range s.Strip.Plates {
		if p.ID != s.Strip.Open && p.Keyed && !w.cache.has(p.cause) {
			lost++
			s.Strip.alter(p.ID, func(p *StripPlate) { p.Keyed = false })
		}
	}
	return lost
}

// lostProblem tells that keys are not in the cache any more.
func lostProblem(lost int, most int64) *Problem {
	p := &Problem{
		What: fmt.Sprintf("%d keys could not be kept", lost), Why: "all together may take " + presets.Memory(most) + ", and the disk must have room",
		Fix: "export those that are there, then key the others",
	}
	if lost == 1 {
		p.What, p.Fix = "1 key could not be kept", "export those that are there, then key that one"
	}
	return p
}
