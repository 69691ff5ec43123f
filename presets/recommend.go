package presets

import (
	"fmt"
	"math"
	"slices"

	"greenroom/engine/settings"
)

// Request is what a recommendation is made for.
type Request struct {
	Machine Machine
	// Size is sqrt(width x height) in pixels of what the network sees: see Size.
	Size float64
	// TileFrom is the size from which the chosen model is more exact in tiles, by its catalogue entry; 0 says nothing.
	TileFrom float64
	// Peak plans a key with some settings and returns the memory in bytes that it takes at most. Nil plans nothing.
	Peak func(settings.Settings) (int64, error)
}

// Reason says why a setting has its value.
type Reason struct {
	Setting string `json:"setting"`
	// Value is a bool, an int or a string, as settings.Settings.Get returns it.
	Value any `json:"value"`
	// Rule is the rule's name and its reason in words.
	Rule string `json:"rule"`
	// Required says that the setting cannot be chosen against.
	Required bool     `json:"required"`
	Evidence []string `json:"evidence"`
}

// Adjusted says that a setting that was asked for is not the one that is used.
type Adjusted struct {
	Setting string `json:"setting" toml:"setting"`
	Asked   any    `json:"asked" toml:"asked"`
	Used    any    `json:"used" toml:"used"`
	Why     string `json:"why" toml:"why"`
}

// Recommendation is what suits a machine, with the reasons.
type Recommendation struct {
	Settings settings.Settings
	// Reasons has the rules that spoke, in their order; where two set one setting, only the later.
	Reasons []Reason
	// Adjusted lists what the rules chose that the machine's memory did not allow.
	Adjusted []Adjusted
	// Notes are things the artist should know: a chip that no rule knows.
	Notes []string
}

// Size returns what the rules call the size of a key, in pixels: sqrt(width x height) of the plate, or the
// frame's edge when the plate is resized to a frame.
func Size(width, height, frame int) float64 {
	if frame > 0 {
		return float64(frame)
	}
	return math.Sqrt(float64(width) * float64(height))
}

// Recommend applies the rules in order to the defaults, then makes the result fit the machine's memory.
func Recommend(q Request) (Recommendation, error) {
	book, err := readRules()
	if err != nil {
		return Recommendation{}, err
	}
	r := Recommendation{Settings: settings.Default()}
	newest := book.newest()
	if gen := generation(q.Machine.Generation); gen > newest {
		r.Notes = append(r.Notes, fmt.Sprintf("%s is newer than the rules: it gets those of the M%d", q.Machine.Chip, newest))
	}
	for _, rule := range book.Rules {
		if !rule.When.holds(q, newest, r.Settings) {
			continue
		}
		for _, name := range rule.names() {
			if err := r.Settings.Set(name, rule.Set[name]); err != nil {
				return Recommendation{}, err
			}
			r.explain(rule, name)
		}
		if rule.Show != "" {
			r.explain(rule, rule.Show)
		}
	}
	used, adjusted, err := fit(q, r.Settings)
	if err != nil {
		return Recommendation{}, err
	}
	r.Settings, r.Adjusted = used, adjusted
	for i := range r.Reasons {
		r.Reasons[i].Value, _ = r.Settings.Get(r.Reasons[i].Setting)
	}
	for _, a := range adjusted {
		r.give(Reason{
			Setting: a.Setting, Value: a.Used, Rule: "memory: " + a.Why, Required: true,
			Evidence: []string{"Greenroom's own memory plan"},
		})
	}
	return r, nil
}

// explain adds the reason that a rule gives for a setting. A rule that sets replaces the earlier reason; one
// that only shows stands beside it.
func (r *Recommendation) explain(rule rule, setting string) {
	value, _ := r.Settings.Get(setting)
	reason := Reason{
		Setting: setting, Value: value, Rule: rule.Name + ": " + rule.Why,
		Required: slices.Contains(rule.Required, setting), Evidence: rule.texts,
	}
	if rule.Show == setting {
		r.Reasons = append(r.Reasons, reason)
		return
	}
	r.give(reason)
}

// give adds a reason in place of those that the setting had.
func (r *Recommendation) give(reason Reason) {
	r.Reasons = slices.DeleteFunc(r.Reasons, func(old Reason) bool { return old.Setting == reason.Setting })
	r.Reasons = append(r.Reasons, reason)
}

func (b rulebook) newest() int {
	newest := 0
	for _, g := range b.KnownGenerations {
		newest = max(newest, generation(g))
	}
	return newest
}

// Adjust makes what an artist asked for obey the rules' requirements and the machine's memory. Preferences
// never win over the artist. An error says that no settings fit.
func Adjust(q Request, asked settings.Settings) (settings.Settings, []Adjusted, error) {
	book, err := readRules()
	if err != nil {
		return asked, nil, err
	}
	used := asked
	var why string
	for _, rule := range book.Rules {
		if len(rule.Required) == 0 || !rule.When.holds(q, book.newest(), used) {
			continue
		}
		before := used
		if err := rule.enforce(&used, q.Size); err != nil {
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

// enforce changes what breaks the rule's requirements. Any tile that is smaller than the picture obeys a
// required tile; when the tile changes, the rule's overlap comes with it.
func (r rule) enforce(s *settings.Settings, size float64) error {
	for _, name := range r.Required {
		if name == "tile" && !wholeFrame(s.Tile, size) {
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
