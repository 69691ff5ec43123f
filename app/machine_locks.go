package app

import (
	"maps"
	"slices"
	"strconv"

	"greenroom/app/keying"
	"greenroom/engine/picture"
	"greenroom/engine/settings"
	"greenroom/presets"
)

// values are the words that a setting can be set to in the window, with the one that is asked for among them. w and h
// are the plate's size: a tile that holds the plate is the whole frame.
func values(name string, asked settings.Settings, w, h int) []string {
	var sizes []int
	switch name {
	case "tile":
		for _, tile := range []int{0, 256, 384, 512, 768, 1024, 1536, 2048} {
			if tile < max(w, h) {
				sizes = append(sizes, tile)
			}
		}
	case "overlap":
		sizes = []int{32, 64, 96, 128, 192, 256}
	case "frame":
		sizes = []int{0, 512, 1024, 1536, 2048}
	case "refine":
		return []string{string(settings.RefineTile), string(settings.RefineFrame)}
	case "half":
		return []string{settings.BFloat16.String(), settings.Float16.String()}
	default:
		return []string{"on", "off"}
	}
	v, _ := asked.Get(name)
	if n, ok := v.(int); ok && !slices.Contains(sizes, n) {
		sizes = append(sizes, n)
		slices.Sort(sizes)
	}
	var list []string
	for _, n := range sizes {
		list = append(list, strconv.Itoa(n))
	}
	return list
}

// locks tries every value of every setting and says why some cannot be chosen: a rule's requirement, memory, a value
// that cannot work, or one that would change nothing. It ends early when stale.
func locks(o keying.Order, p *Plan, plate picture.Picture, stale func() bool) map[string]map[string]string {
	all := map[string]map[string]string{}
	for _, name := range settings.Names() {
		asked, _ := p.Asked.Get(name)
		idle := idle(name, p)
		for _, value := range values(name, p.Asked, plate.RGB.W, plate.RGB.H) {
			if stale() {
				return nil
			}
			if value == presets.Word(asked) {
				continue
			}
			why := idle
			if why == "" {
				why = lock(o, p, plate, name, value)
			}
			if why == "" {
				continue
			}
			if all[name] == nil {
				all[name] = map[string]string{}
			}
			all[name][value] = why
		}
	}
	return all
}

// carried are the locks of the plan before until those of p are known, without those that p ends at sight.
func carried(before map[string]map[string]string, p *Plan) map[string]map[string]string {
	locks := maps.Clone(before)
	maps.DeleteFunc(locks, func(name string, _ map[string]string) bool {
		return slices.Contains([]string{"overlap", "refine", "half"}, name) && idle(name, p) == ""
	})
	return locks
}

// idle says why a setting changes nothing now; empty when it does.
func idle(name string, p *Plan) string {
	if p.Err != nil {
		return ""
	}
	whole := p.Grid.Len() == 1
	switch {
	case name == "overlap" && whole:
		return "the plate is keyed whole, and nothing overlaps"
	case name == "refine" && whole:
		return "the plate is keyed whole, and the refiner sees all of it"
	case name == "half" && !p.Settings.BF16:
		return "bf16 is off, and nothing is stored in half width"
	}
	return ""
}

// lock says why a value cannot be chosen; empty when it can.
func lock(o keying.Order, p *Plan, plate picture.Picture, name, value string) string {
	tried := p.Asked
	if err := tried.Set(name, value); err != nil {
		return withoutFlags(err.Error())
	}
	o.Asked = append(slices.Clone(o.Asked), presets.Setting{Name: name, Value: value})
	if half := tried.Tile / 2; name == "tile" && tried.Tile > 0 && tried.Overlap > half {
		o.Asked = append(o.Asked, presets.Setting{Name: "overlap", Value: strconv.Itoa(half)})
	}
	c, err := keying.Choose(o, plate)
	if err != nil {
		return withoutFlags(err.Error())
	}
	for _, a := range c.Adjusted {
		if a.Setting == name {
			return a.Why
		}
	}
	return ""
}
