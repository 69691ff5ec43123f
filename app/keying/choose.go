package keying

import (
	"fmt"

	"greenroom/engine"
	"greenroom/engine/picture"
	"greenroom/engine/settings"
	"greenroom/presets"
)

// choice is the settings that a key starts with.
type choice struct {
	settings settings.Settings
	adjusted []presets.Adjusted
	notes    []string
}

// choose takes the rules' settings for the machine and plate, lays what was asked for over them, and makes the
// result obey requirements and memory.
func choose(o Order, plate picture.Picture) (choice, error) {
	w, h := plate.RGB.W, plate.RGB.H
	asked := settings.Settings{}
	if err := apply(&asked, o.Asked); err != nil {
		return choice{}, err
	}
	q := presets.Request{
		Machine: o.Machine, Size: presets.Size(w, h, asked.Frame), TileFrom: o.Model.TileFrom,
	}
	recommended, err := presets.Recommend(q)
	if err != nil {
		return choice{}, err
	}
	c := choice{settings: recommended.Settings, notes: recommended.Notes}
	if err := apply(&c.settings, o.Asked); err != nil {
		return choice{}, err
	}
	if err := c.settings.Validate(); err != nil {
		return choice{}, err
	}
	c.notes = append(c.notes, against(recommended, c.settings)...)
	q.Peak = func(s settings.Settings) (int64, error) {
		plan, err := engine.Plan(o.Model.Model, w, h, s)
		return plan.PeakBytes, err
	}
	c.settings, c.adjusted, err = presets.Adjust(q, c.settings)
	return c, err
}

// apply lays single settings over s, in order.
func apply(s *settings.Settings, asked []Setting) error {
	for _, a := range asked {
		if err := s.Set(a.Name, a.Value); err != nil {
			return err
		}
	}
	return nil
}

// against says where the artist chose against a rule's preference, and why the rule would not have.
func against(r presets.Recommendation, chosen settings.Settings) []string {
	var notes []string
	for _, reason := range r.Reasons {
		value, _ := chosen.Get(reason.Setting)
		if value == reason.Value || reason.Required {
			continue
		}
		notes = append(notes, fmt.Sprintf("%s is %s; %s is recommended here (%s)",
			reason.Setting, presets.Word(value), presets.Word(reason.Value), reason.Rule))
	}
	return notes
}
