//go:build !headless

package app

import "greenroom/app/dialogs"

// UsePreset implements views.Intents.
func (r *room) UsePreset(name string) { r.workspace.UsePreset(name) }

// RevertPreset implements views.Intents.
func (r *room) RevertPreset() { r.workspace.RevertPreset() }

// SavePreset implements views.Intents.
func (r *room) SavePreset() { r.workspace.SavePreset() }

// SavePresetAs implements views.Intents.
func (r *room) SavePresetAs() { r.workspace.SavePresetAs() }

// DuplicatePreset implements views.Intents.
func (r *room) DuplicatePreset() { r.workspace.DuplicatePreset() }

// ImportPreset implements views.Intents.
func (r *room) ImportPreset() {
	folder := r.folder()
	r.ask(func() (string, error) { return r.dialogs.Preset("Import a preset", folder) }, r.workspace.ImportPreset)
}

// RevealPreset implements views.Intents.
func (r *room) RevealPreset() {
	go func() {
		file, folder, err := r.workspace.PresetPlace()
		switch {
		case err != nil:
		case file != "":
			err = dialogs.Reveal(file)
		default:
			err = dialogs.RevealFolder(folder)
		}
		if err != nil {
			r.workspace.Fail(err)
		}
	}()
}

// SetSetting implements views.Intents.
func (r *room) SetSetting(name, value string) { r.workspace.SetSetting(name, value) }

// Measure implements views.Intents.
func (r *room) Measure() { r.workspace.Measure() }

// StopMeasuring implements views.Intents.
func (r *room) StopMeasuring() { r.workspace.StopMeasuring() }

// SaveMeasured implements views.Intents.
func (r *room) SaveMeasured() { r.workspace.SaveMeasured() }

// PreviewAs implements views.Intents.
func (r *room) PreviewAs(machine string) { r.workspace.PreviewAs(machine) }

// PreviewOther implements views.Intents.
func (r *room) PreviewOther() { r.workspace.PreviewOther() }

// Tell implements views.Intents.
func (r *room) Tell(text string) { r.workspace.Tell(text) }

// Untell implements views.Intents.
func (r *room) Untell() { r.workspace.Untell() }
