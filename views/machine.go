package views

import "time"

// MachineState is the machine that keys, the settings that it keys with, and why. Settings are told in words, as the
// flags take them.
type MachineState struct {
	// Name is the machine whose settings are shown, Details its system and what keys run on.
	Name, Details string
	// Preview says that the settings shown are what another machine would get; keys are not run with them.
	Preview bool
	// Others are machines that can be previewed.
	Others []string
	Preset PresetState
	// Settings are all settings, in the order of settings.Names; empty while no plate is planned.
	Settings []SettingState
	Memory   MemoryState
	// Time is what a key will take and what that rests on, in words.
	Time string
	// Adjusted are the settings that a previewed machine would not have as they are asked for.
	Adjusted []Adjusted
	// Notes are sentences about the choice: preferences that it goes against, a chip that is not known.
	Notes   []string
	Measure MeasureState
	// Ask is a line of text that the artist is asked for; nil when none is.
	Ask *Ask
	// Busy says why the settings cannot be changed now; empty when they can.
	Busy string
}

// PresetState is the preset in use.
type PresetState struct {
	Name string
	// BuiltIn says that it cannot be changed, Edited that the settings are not its own any more.
	BuiltIn, Edited bool
	// Choices are all presets, those that come with the program first.
	Choices []PresetChoice
	// Problems are the files that could not be read, a sentence each.
	Problems []string
	// File says that the preset lies in a file that can be shown.
	File bool
}

// PresetChoice is a preset to choose.
type PresetChoice struct {
	Name    string
	BuiltIn bool
}

// SettingState is one setting: what was asked for, what is used, and why.
type SettingState struct {
	Name        string
	Asked, Used string
	// Choices are its values; a toggle has "on" and "off".
	Choices []SettingChoice
	// Reasons are the rules that speak of it.
	Reasons []SettingReason
}

// SettingChoice is a value of a setting.
type SettingChoice struct {
	Value string
	// Label is what the artist reads.
	Label string
	// Locked says why it cannot be chosen; empty when it can.
	Locked string
}

// SettingReason is a rule with the measurements that it rests on.
type SettingReason struct {
	Rule string
	// Required says that it cannot be chosen against.
	Required bool
	Evidence []string
}

// MemoryLevel says how a key fits into a machine's memory.
type MemoryLevel int

const (
	// MemoryUnknown is before anything was planned, or where the machine's limit is not known.
	MemoryUnknown MemoryLevel = iota
	MemoryFits
	MemoryTight
	MemoryRefused
)

// MemoryState is what a key is planned to need, against what the machine has for it.
type MemoryState struct {
	Level MemoryLevel
	// Part is the planned peak as a part of the limit.
	Part float64
	// Words are both in words.
	Words string
}

// MeasureState is how far measuring this machine is, and what came of it.
type MeasureState struct {
	// WhyNot says why it cannot begin; empty when it can.
	WhyNot  string
	Running bool
	// Done of All runs are over; Doing is what is measured now; Left is negative while nobody knows.
	Done, All int
	Doing     string
	Left      time.Duration
	// Rows are what was measured, the best first; Result sums them up. Both are empty before.
	Rows   []MeasuredRow
	Result string
	// Offer says that the result can be saved as a preset.
	Offer bool
}

// MeasuredRow is a measurement in words.
type MeasuredRow struct {
	Name, Time, Memory string
	// Failed says that it did not run: Time says why.
	Failed bool
}

// Ask is a line of text that the artist is asked for: a name, a machine.
type Ask struct {
	Title, Text, Button string
	// Problem says what is wrong with the last answer.
	Problem string
}

// MachineIntents are what the artist asks for in the Machine group.
type MachineIntents interface {
	// UsePreset chooses a preset by its name. Revert brings its own settings back.
	UsePreset(name string)
	RevertPreset()
	// SavePreset writes the settings into the preset's file; the others ask for a name or a file first.
	SavePreset()
	SavePresetAs()
	DuplicatePreset()
	ImportPreset()
	// RevealPreset shows the preset's file, or the folder of presets.
	RevealPreset()
	// SetSetting asks for a setting's value.
	SetSetting(name, value string)
	// Measure measures this machine, StopMeasuring stops that, SaveMeasured asks for the name of a preset of the result.
	Measure()
	StopMeasuring()
	SaveMeasured()
	// PreviewAs shows what another machine would get; an empty name is this machine. PreviewOther asks for one.
	PreviewAs(machine string)
	PreviewOther()
	// Tell answers what was asked for, Untell puts it away.
	Tell(text string)
	Untell()
}
