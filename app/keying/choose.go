package keying

import (
	"fmt"

	"greenroom/engine"
	"greenroom/engine/picture"
	"greenroom/engine/settings"
	"greenroom/presets"
)

// Choice is the settings that a key starts with.
type Choice struct {
	Settings settings.Settings
	// Adjusted says where they differ from what was asked for.
	Adjusted []presets.Adjusted
	// Notes are sentences for the artist.
	Notes []string
}

// What a key holds beside the network, in bytes a pixel of the plate: the plate and its hint throughout; and while
// the key is finished, with the network still loaded, its result, the key, and the chain's planes between them.
const (
	sourceBytes = 4 * (3 + 1)
	finishBytes = 4 * (4 + 4 + 8)
)

// Choose takes the rules' settings for the machine and plate, lays what was asked for over them, and makes the
// result obey requirements and memory.
func Choose(o Order, plate picture.Picture) (Choice, error) {
	w, h := plate.RGB.W, plate.RGB.H
	pixels := int64(w) * int64(h)
	asked := settings.Settings{}
	if err := apply(&asked, o.Asked); err != nil {
		return Choice{}, err
	}
	q := presets.Request{
		Machine: o.Machine, Size: presets.Size(w, h, asked.Frame), TileFrom: o.Model.TileFrom,
	}
	recommended, err := presets.Recommend(q)
	if err != nil {
		return Choice{}, err
	}
	c := Choice{Settings: recommended.Settings, Notes: recommended.Notes}
	if err := apply(&c.Settings, o.Asked); err != nil {
		return Choice{}, err
	}
	if err := c.Settings.Validate(); err != nil {
		return Choice{}, err
	}
	c.Notes = append(c.Notes, against(recommended, c.Settings)...)
	q.Peak = func(s settings.Settings) (int64, error) {
		plan, err := engine.Plan(o.Model.Model, w, h, s)
		return plan.ArenaBytes + plan.WeightBytes + max(plan.PictureBytes, finishBytes*pixels) + sourceBytes*pixels, err
	}
	c.Settings, c.Adjusted, err = presets.Adjust(q, c.Settings)
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
