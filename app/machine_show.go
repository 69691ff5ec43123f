package app

import (
	"fmt"
	"slices"
	"strings"

	"greenroom/app/keying"
	"greenroom/engine/device/choose"
	"greenroom/engine/settings"
	"greenroom/presets"
	"greenroom/views"
)

// recommended is what the window calls the rules' own choice, which is no preset.
const recommended = "Recommended"

// showSetup says how the machine keys.
func (s *State) showSetup() views.MachineState {
	setup := s.Setup
	v := views.MachineState{Others: previewed(), Preset: s.showPreset(), Busy: s.setupBusy(), Measure: s.showMeasure()}
	machine, plan := s.Machine, s.Plan
	if setup.Preview != nil {
		v.Preview, machine, plan = true, setup.Preview.Machine, setup.Preview.Plan
	}
	if machine.Chip != "" {
		v.Name, v.Details = machine.String(), s.details(machine, v.Preview)
	}
	if setup.Ask != nil {
		v.Ask = &setup.Ask.Ask
	}
	if plan == nil || s.Plate == nil {
		return v
	}
	asked := plan.Asked
	if !v.Preview {
		asked = s.asked()
	}
	picture := s.Plate.Source.Plate.RGB
	for _, name := range settings.Names() {
		v.Settings = append(v.Settings, plan.showSetting(name, asked, picture.W, picture.H))
	}
	v.Memory = plan.showMemory(machine.Limit())
	v.Time = "not measured yet"
	switch {
	case v.Preview:
		v.Time = "times are measured on the machine itself"
	case plan.Err == nil:
		v.Time = s.showTime()
	}
	for _, note := range plan.Notes {
		v.Notes = append(v.Notes, aboutSetting(withoutFlags(note))+".")
	}
	if v.Preview {
		v.Adjusted = showAdjusted(plan.Adjusted)
	}
	return v
}

// aboutSetting begins a sentence with a capital letter, unless it begins with a setting's name: those are written the
// same everywhere.
func aboutSetting(text string) string {
	word, _, _ := strings.Cut(text, " ")
	if slices.Contains(settings.Names(), word) {
		return text
	}
	return sentence(text)
}

// details says what else is known of a machine.
func (s *State) details(m presets.Machine, preview bool) string {
	var parts []string
	if m.OS != "" {
		parts = append(parts, m.OS)
	}
	if m.GPUCores > 0 {
		parts = append(parts, fmt.Sprintf("%d GPU cores", m.GPUCores))
	}
	switch {
	case preview && m.GPU == nil:
		parts = append(parts, "keys would run on the processor")
	case !preview && s.Setup.Device.Name != "":
		parts = append(parts, "keys run on "+deviceWords(s.Setup.Device))
	}
	return strings.Join(parts, ", ")
}

// showSetting puts a setting into words.
func (p *Plan) showSetting(name string, asked settings.Settings, w, h int) views.SettingState {
	a, _ := asked.Get(name)
	used, _ := p.Settings.Get(name)
	v := views.SettingState{Name: name, Asked: presets.Word(a), Used: presets.Word(used)}
	if asked != p.Asked {
		// What is used follows in a moment.
		v.Used = v.Asked
	}
	for _, value := range values(name, asked, w, h) {
		v.Choices = append(v.Choices, views.SettingChoice{
			Value: value, Label: choiceLabel(name, value), Locked: p.Locks[name][value],
		})
	}
	for _, r := range p.Recommended.Reasons {
		if r.Setting == name {
			v.Reasons = append(v.Reasons, views.SettingReason{Rule: r.Rule, Required: r.Required, Evidence: r.Evidence})
		}
	}
	return v
}

// choiceLabel is what a value is called in a menu.
func choiceLabel(name, value string) string {
	switch {
	case name == "tile" && value == "0":
		return "Whole frame"
	case name == "frame" && value == "0":
		return "Own size"
	}
	return value
}

// tightPart is the part of the limit from which memory is called tight: other programs need some too.
const tightPart = 0.85

// showMemory holds the planned peak against the limit, as the choice of settings did.
func (p *Plan) showMemory(limit int64) views.MemoryState {
	v := views.MemoryState{Words: presets.Memory(p.Choice.PeakBytes)}
	if limit <= 0 || p.Choice.PeakBytes <= 0 {
		return v
	}
	v.Part = float64(p.Choice.PeakBytes) / float64(limit)
	word := "fits"
	switch {
	case p.Choice.PeakBytes > limit:
		v.Level, word = views.MemoryRefused, "does not fit"
	case v.Part >= tightPart:
		v.Level, word = views.MemoryTight, "tight"
	default:
		v.Level = views.MemoryFits
	}
	v.Words = fmt.Sprintf("%s of %s: %s", presets.Memory(p.Choice.PeakBytes), presets.Memory(limit), word)
	return v
}

// showTime says how long a key will take: as the last one with these settings, else as this machine's measurements
// have it.
func (s *State) showTime() string {
	p := s.Plan
	if s.Pace > 0 && s.PaceOf == p.Settings {
		return "about " + seconds(s.Pace*float64(p.pixels())) + ", as the last key took"
	}
	if p.Estimated != nil {
		return fmt.Sprintf("about %s, measured here on %s (%s)", seconds(p.Estimated.Seconds),
			p.Estimated.From.At.Format("2006-01-02"), p.Estimated.From.Config)
	}
	return "not measured yet"
}

// deviceWords says what keys run on, why it is the processor where a GPU was wanted, and what is slower than it could
// be.
func deviceWords(u choose.Using) string {
	words := keying.DeviceWords(u)
	if u.Why != "" {
		words += ": " + u.Why
	}
	if n := len(u.Replaced); n > 0 {
		words += fmt.Sprintf(" (slower: %d of its kernels failed their test)", n)
	}
	return words
}
