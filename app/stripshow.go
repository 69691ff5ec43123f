package app

import (
	"fmt"

	"greenroom/views"
)

// showStrip says what is in the strip.
func (s *State) showStrip() views.StripState {
	v := views.StripState{Left: -1, NoKey: s.cannotRunStrip(), Told: s.Strip.Told}
	v.NoExport = v.NoKey
	if r := s.Strip.Run; r != nil {
		v.Running, v.Exporting, v.Done, v.All, v.Left = true, r.Exporting, r.Done, len(r.IDs), r.Left
	}
	if s.Running != nil {
		v.NoSwitch = "A key is being made: it would be lost (Esc stops it)"
	}
	if v.NoKey == "" && len(s.unkeyed()) == 0 {
		v.NoKey = "Every plate is keyed as it is now"
	}
	if v.NoExport == "" && len(s.unwritten()) == 0 {
		v.NoExport = "No plate has a key of now: key them first"
	}
	for _, p := range s.Strip.Plates {
		v.Plates = append(v.Plates, s.showStripPlate(p))
	}
	return v
}

// showStripPlate says how a plate of the strip is.
func (s *State) showStripPlate(p StripPlate) views.StripPlate {
	v := views.StripPlate{ID: p.ID, Name: p.Name(), Thumb: p.Thumb, Open: p.ID == s.Strip.Open}
	d := p.desk
	if v.Open {
		d = s.desk()
	}
	say := func(mark views.StripMark, words, why string) { v.Mark, v.Words, v.Why = mark, words, why }
	run := s.Strip.Run
	switch {
	case run != nil && run.now() == p.ID:
		say(views.MarkRunning, run.words(), "")
	case run != nil && run.waits(p.ID):
		say(views.MarkWaiting, "Waiting", "")
	case v.Open && s.Running != nil:
		say(views.MarkRunning, "Keying", "")
	case v.Open && s.keyable() && s.keyAsked():
		say(views.MarkWaiting, "Waiting", "")
	case p.Failed != "":
		say(views.MarkFailed, "Failed", p.Failed)
	case d.Keyed && d.Stale != "":
		say(views.MarkStale, "Out of date", sentence(d.Stale))
	case d.exported():
		say(views.MarkExported, "Exported", "")
	case d.Keyed && d.Report != nil:
		say(views.MarkKeyed, "Changed since", "It has changed since it was exported")
	case d.Keyed:
		say(views.MarkKeyed, "Keyed", "")
	case v.Open && s.Key != nil:
		say(views.MarkStale, "Stopped", "Some tiles are missing")
	default:
		say(views.MarkNone, "Not keyed", "")
	}
	return v
}

// words say how far the plate is that is being worked on.
func (r *StripRun) words() string {
	if r.Doing == "" && r.Tiles > 0 {
		return fmt.Sprintf("Keying %d of %d", r.Tile, r.Tiles)
	}
	return r.Doing
}
