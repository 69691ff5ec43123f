//go:build !headless

package app

// CheckSeams implements views.Intents.
func (r *room) CheckSeams() { r.workspace.CheckSeams() }

// StopChecking implements views.Intents.
func (r *room) StopChecking() { r.workspace.StopChecking() }

// UseRemedy implements views.Intents.
func (r *room) UseRemedy(setting, value string) { r.workspace.UseRemedy(setting, value) }
