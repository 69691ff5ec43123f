package presets

import (
	"greenroom/engine/settings"
)

// Adjusted says that a setting that was asked for is not the one that is used.
type Adjusted struct {
	Setting string `json:"setting" toml:"setting"`
	Asked   any    `json:"asked" toml:"asked"`
	Used    any    `json:"used" toml:"used"`
	Why     string `json:"why" toml:"why"`
}

// Adjust makes what an artist asked for obey the rules' requirements and the machine's memory. Preferences
// never win over the artist. An error says that no settings fit.
func Adjust(q Request, asked settings.Settings) (settings.Settings, []Adjusted, error) {
	book, err := readRules()
	if err != nil {
		return asked, nil, err
	}
	used := asked
	rows := q.rows()
	var why string
	for _, rule := range book.Rules {
		if len(rule.Required) == 0 || !rule.When.holds(q, book.newest(), used) {
			continue
		}
		before := used
		if err := rule.enforce(&used, q, rows); err != nil {
			return asked, nil, err
		}
		if used != before {
			why = rule.Why
		}
	}
	adjusted := compare(asked, used, why)
	fitted, more, err := fit(q, used)
	if err != nil {
		return asked, nil, err
	}
	return fitted, merge(adjusted, more), nil
}

// enforce changes what breaks the rule's requirements, but for those that a measurement lifts. Any tile that is
// smaller than the picture obeys a required tile; when the tile changes, the rule's overlap comes with it.
func (r rule) enforce(s *settings.Settings, q Request, rows measurements) error {
	for _, name := range r.Required {
		if name == "tile" && !wholeFrame(s.Tile, q.Size) {
			continue
		}
		if _, ok := rows.lifts(q, name); ok {
			continue
		}
		changed := *s
		if err := changed.Set(name, r.Set[name]); err != nil {
			return err
		}
		if overlap, ok := r.Set["overlap"]; name == "tile" && ok && changed.Overlap > changed.Tile/2 {
			if err := changed.Set("overlap", overlap); err != nil {
				return err
			}
		}
		*s = changed
	}
	return nil
}

// compare lists the settings that differ, with one reason for all.
func compare(asked, used settings.Settings, why string) []Adjusted {
	var list []Adjusted
	for _, name := range settings.Names() {
		a, _ := asked.Get(name)
		u, _ := used.Get(name)
		if a != u {
			list = append(list, Adjusted{Setting: name, Asked: a, Used: u, Why: why})
		}
	}
	return list
}

// merge appends later adjustments to earlier ones, one line a setting: first asked, last used.
func merge(first, later []Adjusted) []Adjusted {
	for _, l := range later {
		found := false
		for i := range first {
			if first[i].Setting == l.Setting {
				first[i].Used, first[i].Why = l.Used, first[i].Why+"; "+l.Why
				found = true
			}
		}
		if !found {
			first = append(first, l)
		}
	}
	return first
}
