//go:build !headless

package app

// StartFresh implements views.Intents.
func (r *room) StartFresh() { r.workspace.StartFresh() }

// SaveSidecar implements views.Intents.
func (r *room) SaveSidecar() { r.workspace.SaveSidecar() }

// DismissRestored implements views.Intents.
func (r *room) DismissRestored() { r.workspace.DismissRestored() }
