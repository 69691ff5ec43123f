//go:build !headless

package app

// SwitchTo implements views.Intents.
func (r *room) SwitchTo(id int) { r.workspace.SwitchTo(id) }

// ClosePlate implements views.Intents.
func (r *room) ClosePlate(id int) { r.workspace.ClosePlate(id) }

// CopyLook implements views.Intents.
func (r *room) CopyLook(ids []int) { r.workspace.CopyLook(ids) }

// KeyAll implements views.Intents.
func (r *room) KeyAll() { r.workspace.KeyAll() }

// ExportAll implements views.Intents.
func (r *room) ExportAll() { r.workspace.ExportAll() }

// StopStrip implements views.Intents.
func (r *room) StopStrip() { r.workspace.StopStrip() }

// Restore implements views.Intents.
func (r *room) Restore(name string) { r.workspace.Restore(name) }

// Compare implements views.Intents.
func (r *room) Compare(name string) { r.workspace.CompareWith(name) }
