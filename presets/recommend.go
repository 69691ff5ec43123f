package presets

import (
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
	// Asked are the settings that the artist or a preset chose, in order: the rules speak of the others in their light.
	Asked []Setting
	// Measured are rows of benches. Those of this machine, and of the model and device where they are named below,
	// outrank the rules; others are passed over.
	Measured []settings.Measured
	// ModelHash is the SHA-256 of the model's weights, Device the name of the device, as device.Info has it. Empty
	// takes rows of any.
	ModelHash string
	Device    string
	// Peak plans a key with some settings and returns the memory in bytes that it takes at most. Nil plans nothing.
	Peak func(settings.Settings) (int64, error)
}

// Reason says why a setting has its value.
type Reason struct {
	Setting string `json:"setting"`
	// Value is a bool, an int or a string, as settings.Settings.Get returns it.
	Value any `json:"value"`
	// Rule is the rule's name and its reason in words, or what was measured on this machine.
	Rule string `json:"rule"`
	// Required says that the setting cannot be chosen against.
	Required bool     `json:"required"`
	Evidence []string `json:"evidence"`
	// Measured says that a bench on this machine speaks, not a built-in rule.
	Measured bool `json:"-"`
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
	if note := q.Machine.unknown(newest); note != "" {
		r.Notes = append(r.Notes, note)
	}
	rows := q.rows()
	for i, rule := range book.Rules {
		chosen, err := r.inLightOf(q, book.Rules[:i], newest, rows)
		if err != nil {
			return Recommendation{}, err
		}
		if !rule.When.holds(q, newest, chosen) {
			continue
		}
		for _, name := range rule.names() {
			if err := r.Settings.Set(name, rule.Set[name]); err != nil {
				return Recommendation{}, err
			}
			r.explain(rule, name, q, rows)
		}
		if rule.Show != "" {
			r.explain(rule, rule.Show, q, rows)
		}
	}
	r.measure(q, rows)
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

// inLightOf returns the settings chosen so far, with what was asked for laid over them as far as the requirements
// among the rules that have spoken allow it.
func (r *Recommendation) inLightOf(q Request, spoken []rule, newest int, rows measurements) (settings.Settings, error) {
	chosen := r.Settings
	if err := apply(&chosen, q.Asked); err != nil {
		return chosen, err
	}
	for _, rule := range spoken {
		if len(rule.Required) > 0 && rule.When.holds(q, newest, chosen) {
			if err := rule.enforce(&chosen, q, rows); err != nil {
				return chosen, err
			}
		}
	}
	return chosen, nil
}

// explain adds the reason that a rule gives for a setting. A rule that sets replaces the earlier reason; one
// that only shows stands beside it. A requirement that a measurement lifts says so.
func (r *Recommendation) explain(rule rule, setting string, q Request, rows measurements) {
	value, _ := r.Settings.Get(setting)
	reason := Reason{
		Setting: setting, Value: value, Rule: rule.Name + ": " + rule.Why,
		Required: slices.Contains(rule.Required, setting), Evidence: rule.texts,
	}
	if row, ok := rows.lifts(q, setting); ok && reason.Required {
		reason.Required, reason.Measured = false, true
		reason.Rule += "; lifted: " + held(row)
		reason.Evidence = append([]string{describe(row)}, rule.texts...)
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
