package keying

import (
	"fmt"
	"slices"

	"greenroom/engine"
	"greenroom/engine/greenformer"
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
	// Recommended is what the rules and the measurements of this machine say of the same plate.
	Recommended presets.Recommendation
	// PeakBytes is the memory that the key is planned to take at most, plate and finishing included.
	PeakBytes int64
}

// Required says why a setting cannot be chosen against, and whether that is so.
func (c Choice) Required(setting string) (why string, required bool) {
	for _, r := range c.Recommended.Reasons {
		if r.Setting == setting && r.Required {
			return r.Rule, true
		}
	}
	return "", false
}

// What a key holds beside the network, in bytes a pixel of the plate: the plate and its hint throughout; and while
// the key is finished, with a network of tiles still loaded, its result, the key, and the chain's planes between them.
const (
	sourceBytes = 4 * (3 + 1)
	finishBytes = 4 * (4 + 4 + 8)
)

// Choose takes the rules' settings for the machine and plate, lays the preset and then what was asked for over them,
// and makes the result obey requirements and memory.
func Choose(o Order, plate picture.Picture) (Choice, error) {
	return ChooseFor(o, plate.RGB.W, plate.RGB.H)
}

// ChooseFor is Choose for a plate of w x h pixels.
func ChooseFor(o Order, w, h int) (Choice, error) {
	q := presets.Request{
		Machine: o.Machine, TileFrom: o.Model.TileFrom, Asked: o.Asked,
		Measured: o.Measured, ModelHash: o.Model.Hash, Device: o.Device,
	}
	var c Choice
	if p := o.Preset; p != nil {
		q.Asked = slices.Concat(p.Asked(), o.Asked)
		q.Measured = slices.Concat(o.Measured, p.Measured)
		if misfit := p.Match.Misfit(o.Machine); misfit != "" {
			c.Notes = append(c.Notes, fmt.Sprintf("the preset %s is made for other machines: %s", p.Name, misfit))
		}
		for _, key := range p.Unknown() {
			note := fmt.Sprintf("the preset %s says %s, which Greenroom does not know and leaves alone", p.Name, key)
			if meant := presets.Meant(key); meant != "" {
				note += fmt.Sprintf(" (did you mean %s?)", meant)
			}
			c.Notes = append(c.Notes, note)
		}
		_, c.Adjusted = p.On(o.Machine)
	}
	asked := settings.Settings{}
	if err := apply(&asked, q.Asked); err != nil {
		return Choice{}, err
	}
	q.Size = presets.Size(w, h, asked.Frame)
	recommended, err := presets.Recommend(q)
	if err != nil {
		return Choice{}, err
	}
	c.Settings, c.Recommended = recommended.Settings, recommended
	c.Notes = append(c.Notes, recommended.Notes...)
	if err := apply(&c.Settings, q.Asked); err != nil {
		return Choice{}, err
	}
	if err := c.Settings.Validate(); err != nil {
		return Choice{}, err
	}
	c.Notes = append(c.Notes, against(recommended, c.Settings)...)
	if c.Settings.Half != settings.Default().Half && !c.Settings.BF16 {
		c.Notes = append(c.Notes, fmt.Sprintf("half is %s and changes nothing while bf16 is off", c.Settings.Half))
	}
	q.Peak = Peaks(o.Model.Model, o.Machine, w, h)
	used, adjusted, err := presets.Adjust(q, c.Settings)
	if err != nil {
		return c, err
	}
	c.Settings, c.Adjusted = used, append(c.Adjusted, adjusted...)
	c.PeakBytes, err = q.Peak(used)
	return c, err
}

// Plan plans a key of w x h pixels on a machine: on its GPU, else on its processor.
func Plan(m *greenformer.Model, on presets.Machine, w, h int, s settings.Settings) (engine.PlanInfo, error) {
	if on.GPU != nil {
		return engine.PlanGPU(m, w, h, s)
	}
	return engine.Plan(m, w, h, s)
}

// Peaks returns what plans the memory of a key of w x h pixels on a machine, as its limit counts it; each settings are
// planned once.
func Peaks(m *greenformer.Model, on presets.Machine, w, h int) func(settings.Settings) (int64, error) {
	pixels := int64(w) * int64(h)
	planned := map[settings.Settings]int64{}
	return func(s settings.Settings) (int64, error) {
		if peak, ok := planned[s]; ok {
			return peak, nil
		}
		plan, err := Plan(m, on, w, h, s)
		if err != nil {
			return 0, err
		}
		peak := plan.DeviceBytes()
		if on.GPU == nil || !on.GPU.Discrete {
			keying, finishing := peak+plan.PictureBytes, peak+finishBytes*pixels
			if plan.Grid.Len() > 1 && s.Refine == settings.RefineFrame {
				finishing -= peak // the refiner of a whole frame does not stay loaded
			}
			peak = max(keying, finishing) + sourceBytes*pixels
		}
		planned[s] = peak
		return peak, nil
	}
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
