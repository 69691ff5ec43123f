package presets

import (
	"maps"
	"slices"
	"strings"

	"greenroom/engine/settings"
)

// Unknown lists the keys of the preset's file that this Greenroom leaves alone, as they stand in it: "engine.tiel". They
// may be a newer Greenroom's, or misspelled; saving keeps them.
func (p Preset) Unknown() []string {
	var list []string
	add := func(prefix string, table map[string]any, known ...string) {
		for _, key := range slices.Sorted(maps.Keys(table)) {
			if !slices.Contains(known, key) {
				list = append(list, prefix+key)
			}
		}
	}
	add("", p.tree, "schema", "name", "notes", "machine", "engine", "look", "export", "measured")
	add("machine.", asTable(p.tree["machine"]), "chip", "min_memory_gb", "max_memory_gb", "gpu_cores")
	add("engine.", asTable(p.tree["engine"]), append(settings.Names(), "model", "device")...)
	add("look.", asTable(p.tree["look"]), append(slices.Collect(maps.Keys(lookTree(settings.DefaultLook()))), "clip", "export")...)
	return list
}

// nearest returns the name that is spelled most like word, where one differs in two letters at most.
func nearest(word string, names []string) string {
	best, least := "", 3
	for _, name := range names {
		if d := distance(strings.ToLower(word), name); d < least {
			best, least = name, d
		}
	}
	return best
}

// distance is how many letters must be put in, taken out or changed to make b of a (Levenshtein's).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := before
			if a[i] != b[j] {
				cost = 1 + min(before, row[j], row[j+1])
			}
			before, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}

// Meant returns the setting or control that an unknown key may have been meant for; "" where none is near.
func Meant(key string) string {
	table, name, ok := strings.Cut(key, ".")
	switch {
	case ok && table == "engine":
		return nearest(name, append(settings.Names(), "model", "device"))
	case ok && table == "look":
		return nearest(name, slices.Sorted(maps.Keys(lookTree(settings.DefaultLook()))))
	}
	return ""
}
