//go:build !headless

package app

// StartFresh implements views.Intents.
func (r *room) StartFresh() { r.workspace.StartFresh() }

// DismissRestored implements views.Intents.
func (r *room) DismissRestored() { r.workspace.DismissRestored() }
