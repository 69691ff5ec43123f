package app

import (
	"fmt"
	"slices"
	"strconv"

	"greenroom/app/keying"
	"greenroom/engine/picture"
	"greenroom/engine/settings"
	"greenroom/presets"
	"greenroom/views"
)

// Remedy is a setting under which seams are fainter than under the plan.
type Remedy struct {
	Setting, Value string
	// Plan is how the plate would be keyed under it; nil where it cannot be chosen, and WhyNot says why.
	Plan   *Plan
	WhyNot string
}

// remedies are what makes seams of a plan fainter, what takes away most as a rule first: a refiner that sees the whole
// frame, larger tiles, and wider overlaps. It ends early when stale.
func remedies(o keying.Order, p *Plan, plate picture.Picture, stale func() bool) []Remedy {
	if p.Err != nil || p.Grid.Len() < 2 {
		return nil
	}
	used := p.Settings
	var list []Remedy
	if used.Refine != settings.RefineFrame {
		list = append(list, Remedy{Setting: "refine", Value: string(settings.RefineFrame)})
	}
	next := nextTile(used, plate.RGB.W, plate.RGB.H)
	list = append(list, Remedy{Setting: "tile", Value: next})
	if next != wholeFrame {
		list = append(list, Remedy{Setting: "tile", Value: wholeFrame})
	}
	for _, overlap := range []int{64, 128, 192} {
		if overlap > used.Overlap {
			list = append(list, Remedy{Setting: "overlap", Value: strconv.Itoa(overlap)})
		}
	}
	for i, r := range list {
		if stale() {
			return nil
		}
		if list[i].WhyNot = lock(o, p, plate, r.Setting, r.Value); list[i].WhyNot != "" {
			continue
		}
		tried := o
		tried.Asked = append(slices.Clone(o.Asked), presets.Setting{Name: r.Setting, Value: r.Value})
		if plan := newPlan(tried, 0, plate); plan.Err != nil {
			list[i].WhyNot = withoutFlags(plan.Err.Error())
		} else {
			list[i].Plan = plan
		}
	}
	return list
}

// wholeFrame is the value of tile for one tile that covers the plate.
const wholeFrame = "0"

// nextTile is the next larger tile that can be chosen, wholeFrame where there is none.
func nextTile(used settings.Settings, w, h int) string {
	for _, value := range values("tile", used, w, h) {
		if n, err := strconv.Atoi(value); err == nil && n > used.Tile {
			return value
		}
	}
	return wholeFrame
}

// UseRemedy sets a setting to a value and keys the plate. While it cannot, it does nothing.
func (w *Workspace) UseRemedy(setting, value string) {
	s := w.State()
	if s.cannotRemedy() != "" {
		return
	}
	w.SetSetting(setting, value)
	w.Key()
}

// cannotRemedy says why no remedy can be used now; empty when one can.
func (s *State) cannotRemedy() string {
	if busy := s.setupBusy(); busy != "" {
		return busy
	}
	switch {
	case s.Running != nil:
		return "A key is being made"
	case s.Seams.Run != nil:
		return "The seams are being checked"
	case s.Planning || !s.Plan.Known:
		return "What it costs is being planned"
	case !s.canKey():
		return s.showKey().WhyNot
	}
	return ""
}

// showRemedies puts the remedies into words.
func (s *State) showRemedies() []views.Remedy {
	if s.Plan == nil {
		return nil
	}
	busy := s.cannotRemedy()
	var list []views.Remedy
	for _, r := range s.Plan.Remedies {
		v := views.Remedy{Setting: r.Setting, Value: r.Value, Label: remedyLabel(r), WhyNot: r.WhyNot}
		if r.Plan != nil {
			v.Cost, v.Note = s.cost(r), s.remedyNote(r)
		}
		if v.WhyNot == "" {
			v.WhyNot = busy
		}
		list = append(list, v)
	}
	return list
}

func remedyLabel(r Remedy) string {
	switch {
	case r.Setting == "overlap":
		return "Overlap " + r.Value
	case r.Setting == "refine":
		return "Refine: " + r.Value
	case r.Value == wholeFrame:
		return "Whole frame"
	}
	return "Tile " + r.Value
}

// cost says what a key under a remedy takes. Its time is this key's own, by how much there is to compute, except that
// what was measured on this machine goes before that for another tile; memory is as planned.
func (s *State) cost(r Remedy) string {
	memory := presets.Memory(r.Plan.Choice.PeakBytes)
	own := -1.0
	if k := s.Key; k != nil && k.Whole && k.Work > 0 {
		own = k.Result.Seconds.Key * tilesRun(r.Plan, s.staying(r.Plan)) / k.Work
	}
	switch measured := r.Plan.Estimated; {
	case measured != nil && (r.Setting == "tile" || own < 0):
		return fmt.Sprintf("about %s, %s", seconds(measured.Seconds), memory)
	case own >= 0:
		return fmt.Sprintf("about %s, %s", seconds(own), memory)
	}
	return memory
}
