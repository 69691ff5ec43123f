package app

import (
	"slices"
	"strconv"
	"strings"

	"greenroom/app/keying"
	"greenroom/engine"
	"greenroom/engine/device/choose"
	"greenroom/engine/picture"
	"greenroom/engine/settings"
	"greenroom/presets"
	"greenroom/views"
)

// Setup is how this machine keys, as the artist chose it, and what is known of it.
type Setup struct {
	// Device is what keys run on; its name is empty while it is being opened.
	Device choose.Using
	// Presets are all presets, those of the program first; Broken says which files could not be read.
	Presets []presets.Preset
	Broken  []error
	// Preset is the one in use; nil leaves everything to the rules.
	Preset *presets.Preset
	// Model is the model that the artist chose over the preset's; empty for none.
	Model string
	// Usual is what was chosen before an earlier choice was taken up with a plate; nil while none was. Other plates go on
	// with it.
	Usual *usual
	// Edits are single settings that the artist chose over it, one of a name.
	Edits []presets.Setting
	// Measured is what was measured on this machine.
	Measured []settings.Measured
	// Bench is the measuring that goes on; nil while none does. Found is what came of the last; nil before.
	Bench *Bench
	Found *Found
	// Preview is another machine that is looked at; nil shows this one.
	Preview *Preview
	// Ask is a line of text that the artist is asked for; nil when none is.
	Ask *Ask
}

// Preview is what another machine would get. Keys are not run with it.
type Preview struct {
	Machine presets.Machine
	// Plan is nil while there is no plate.
	Plan *Plan
}

// Ask is a line of text that the artist is asked for, and what is done with it. An error asks again.
type Ask struct {
	views.Ask
	do func(text string) error
}

// Plan is how a plate will be keyed.
type Plan struct {
	keying.Choice
	engine.PlanInfo
	// Asked is what was asked for, before requirements and memory had their say.
	Asked settings.Settings
	// Base is what would be asked for without the artist's edits.
	Base settings.Settings
	// Locks say, by setting and value, why a value cannot be chosen. They come a little after the rest: until Known they
	// are those of the plan before.
	Locks map[string]map[string]string
	Known bool
	// Remedies make seams fainter. They come with the locks.
	Remedies []Remedy
	// Err says why no settings fit; nil when some do.
	Err error
	// Estimated is how long the key will take, by this machine's measurements; nil where nothing of the kind was
	// measured.
	Estimated *presets.Estimated
}

// ask returns what a choice was made from.
func ask(c keying.Choice) settings.Settings {
	s := c.Settings
	for _, a := range c.Adjusted {
		// A value that cannot be set is not one of a setting: "device".
		_ = s.Set(a.Setting, presets.Word(a.Asked))
	}
	return s
}

// planOrder is what the open plate is keyed by on a machine.
func (w *Workspace) planOrder(s State, m presets.Machine) keying.Order {
	return keying.Order{
		Model: s.Model, Machine: m, Device: s.Setup.Device.Name, Preset: s.Setup.Preset, Measured: s.Setup.Measured,
		Asked: slices.Concat(w.asked, s.Setup.Edits),
	}
}

// newPlan plans a plate.
func newPlan(o keying.Order, edits int, plate picture.Picture) *Plan {
	p := &Plan{}
	p.Choice, p.Err = keying.Choose(o, plate)
	p.Asked = ask(p.Choice)
	p.Base = p.Asked
	if edits > 0 {
		o.Asked = o.Asked[:len(o.Asked)-edits]
		if base, err := keying.Choose(o, plate); err == nil {
			p.Base = ask(base)
		}
	}
	w, h := plate.RGB.W, plate.RGB.H
	var err error
	if p.PlanInfo, err = keying.Plan(o.Model.Model, o.Machine, w, h, p.Settings); p.Err == nil {
		p.Err = err
	}
	if p.Err != nil {
		// What was asked for is shown all the same, with the memory that it would need.
		p.Choice.PeakBytes = p.PlanInfo.PeakBytes
		return p
	}
	q := presets.Request{
		Machine: o.Machine, Size: presets.Size(w, h, p.Settings.Frame), ModelHash: o.Model.Hash, Device: o.Device,
		Measured: o.Measured,
	}
	if o.Preset != nil {
		q.Measured = slices.Concat(o.Measured, o.Preset.Measured)
	}
	if e, ok := presets.Estimate(q, p.Settings, p.pixels()); ok {
		p.Estimated = &e
	}
	return p
}

// pixels are those of all tiles together.
func (p *Plan) pixels() int64 {
	return int64(p.Grid.Len()) * int64(p.Grid.TileW) * int64(p.Grid.TileH)
}

// plan chooses settings for the open plate, once there are a plate and a model, and then finds what cannot be chosen.
// A later plan overtakes an earlier one.
func (w *Workspace) plan() {
	var turn int
	var state State
	w.change(func(s *State) {
		w.planTurn++
		s.Planning = s.Plate != nil && s.Model != nil
		turn, state = w.planTurn, *s
	})
	if state.Plate == nil || state.Model == nil {
		return
	}
	picture, edits := state.Plate.Source.Plate, len(state.Setup.Edits)
	planned := func(alter func(*State)) (current bool) {
		w.change(func(s *State) {
			if current = s.Plate == state.Plate && turn == w.planTurn; current {
				alter(s)
			}
		})
		return current
	}
	order := w.planOrder(state, state.Machine)
	plan := newPlan(order, edits, picture)
	preview := state.Setup.Preview
	if preview != nil {
		preview = &Preview{Machine: preview.Machine, Plan: newPlan(w.planOrder(state, preview.Machine), edits, picture)}
	}
	wanted := false
	current := planned(func(s *State) {
		if s.Plan != nil {
			plan.Locks, plan.Remedies = carried(s.Plan.Locks, plan), s.Plan.Remedies
		}
		s.Plan, s.Setup.Preview, s.Planning = plan, preview, false
		// An edit that the preset or the rules make too is none.
		s.Setup.Edits = slices.DeleteFunc(slices.Clone(s.Setup.Edits), func(e presets.Setting) bool {
			v, _ := plan.Base.Get(e.Name)
			return presets.Word(v) == e.Value
		})
		if plan.Err != nil {
			r := remedyNone
			if len(s.Setup.Edits) > 0 || s.Setup.Preset != nil {
				r = remedyRecommended
			}
			s.Problem = problem(plan.Err, r)
		}
		wanted, s.keyWanted = s.keyWanted, false
		if !wanted {
			w.wakeVariant(s)
		}
	})
	if !current {
		return
	}
	if wanted {
		w.Key()
	}
	w.compareKeys()
	known := *plan
	stale := func() bool { return turn != w.latestPlan() }
	known.Locks, known.Known = locks(order, plan, picture, stale), true
	known.Remedies = remedies(order, plan, picture, stale)
	planned(func(s *State) { s.Plan = &known })
	w.recogniseKeys()
}

func (w *Workspace) latestPlan() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.planTurn
}

// SetSetting asks for a setting's value over the preset's or the rules'. A tile that is too small for the overlap
// brings a smaller one.
func (w *Workspace) SetSetting(name, value string) {
	w.change(func(s *State) {
		if s.Plan == nil || s.setupBusy() != "" {
			return
		}
		asked := s.asked()
		if err := asked.Set(name, value); err != nil {
			s.Problem = problem(err, remedyNone)
			return
		}
		edits := edited(s.Setup.Edits, name, value)
		if half := asked.Tile / 2; asked.Tile > 0 && asked.Overlap > half {
			edits = edited(edits, "overlap", strconv.Itoa(half))
		}
		s.History.single(sentence(name), s.moment())
		next := s.moment()
		next.Edits = edits
		w.take(s, next)
	})
}

// edited returns the edits with one more, in place of an earlier one of the name.
func edited(edits []presets.Setting, name, value string) []presets.Setting {
	list := slices.DeleteFunc(slices.Clone(edits), func(e presets.Setting) bool { return e.Name == name })
	return append(list, presets.Setting{Name: name, Value: value})
}

// asked returns the settings that are asked for now, with edits that have not been planned yet.
func (s *State) asked() settings.Settings {
	asked := s.Plan.Base
	for _, e := range s.Setup.Edits {
		_ = asked.Set(e.Name, e.Value) // it was set before
	}
	return asked
}

// edited reports whether settings or look are not the preset's any more.
func (s *State) edited() bool {
	if p := s.Setup.Preset; p != nil && p.Look(s.Choices.Look) != s.Choices.Look {
		return true
	}
	return len(s.Setup.Edits) > 0 && (s.Plan == nil || s.asked() != s.Plan.Base)
}

// setupBusy says why settings cannot be changed now; empty when they can.
func (s *State) setupBusy() string {
	switch {
	case s.Setup.Preview != nil:
		return "This is a preview of another machine: go back to change settings"
	case s.Setup.Bench != nil:
		return "This machine is being measured"
	case s.Plan == nil && s.Model == nil:
		return "The model is being opened"
	case s.Plan == nil:
		return "The plate is being planned"
	}
	return ""
}

// PreviewAs shows what another machine would get, by its words; empty ones show this machine again.
func (w *Workspace) PreviewAs(words string) {
	if words == "" {
		w.change(func(s *State) { s.Setup.Preview = nil })
		return
	}
	m, err := presets.Parse(words)
	if err != nil {
		w.fail(err, remedyNone)
		return
	}
	w.preview(m)
}

func (w *Workspace) preview(m presets.Machine) {
	w.change(func(s *State) { s.Setup.Preview = &Preview{Machine: m} })
	w.reading.Go(w.plan)
}

// PreviewOther asks for a machine to preview.
func (w *Workspace) PreviewOther() {
	w.asks("Preview as: chip and memory, and a GPU with its memory where there is one", "Apple M4 Pro, 24 GB", "Preview",
		func(text string) error {
			m, err := presets.Parse(text)
			if err == nil {
				w.preview(m)
			}
			return err
		})
}

// previewed are machines that are offered to preview.
func previewed() []string {
	return []string{
		"Apple M1, 8 GB", "Apple M1 Ultra, 128 GB", "Apple M2 Max, 96 GB", "Apple M4 Pro, 24 GB", "Apple M4 Max, 128 GB",
		"Apple M3 Ultra, 256 GB", "Intel or AMD processor, 24 GB", "Intel or AMD processor, 128 GB, NVIDIA RTX 4090 24 GB",
		"Intel or AMD processor, 512 GB, NVIDIA H200 141 GB",
	}
}

// asks asks for a line of text.
func (w *Workspace) asks(title, text, button string, do func(text string) error) {
	w.change(func(s *State) {
		s.Setup.Ask = &Ask{Ask: views.Ask{Title: title, Text: text, Button: button}, do: do}
	})
}

// Tell answers what was asked for.
func (w *Workspace) Tell(text string) {
	ask := w.State().Setup.Ask
	if ask == nil {
		return
	}
	w.work.Go(func() {
		err := ask.do(text)
		w.change(func(s *State) {
			switch {
			case s.Setup.Ask != ask:
			case err == nil:
				s.Setup.Ask = nil
			default:
				p := problem(err, remedyNone)
				again := &Ask{Ask: ask.Ask, do: ask.do}
				again.Text, again.Problem = text, strings.TrimSuffix(p.What+": "+p.Why, ": ")
				if p.Fix != "" {
					again.Problem += " (" + p.Fix + ")"
				}
				s.Setup.Ask = again
			}
		})
	})
}

// Untell puts away what was asked for.
func (w *Workspace) Untell() { w.change(func(s *State) { s.Setup.Ask = nil }) }
