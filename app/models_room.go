//go:build !headless

package app

import (
	"net/url"

	"fyne.io/fyne/v2"
)

// ChooseModel implements views.Intents.
func (r *room) ChooseModel(name string) { r.workspace.ChooseModel(name) }

// OpenModel implements views.Intents.
func (r *room) OpenModel() {
	folder := r.folder()
	r.ask(func() (string, error) { return r.dialogs.Checkpoint("Open a checkpoint", folder) }, r.workspace.ChooseModel)
}

// FetchModel implements views.Intents.
func (r *room) FetchModel(name string) { r.workspace.FetchModel(name) }

// AcceptLicence implements views.Intents.
func (r *room) AcceptLicence(yes bool) { r.workspace.AcceptLicence(yes) }

// StopFetching implements views.Intents.
func (r *room) StopFetching() { r.workspace.StopFetching() }

// ReadLicence implements views.Intents.
func (r *room) ReadLicence() {
	m := r.drawn.Models.Licence
	if m == nil {
		return
	}
	address, err := url.Parse(m.Licence.URL)
	if err != nil {
		return // the catalogue was checked when it was read
	}
	// A browser may take a while to start.
	go func() {
		if err := fyne.CurrentApp().OpenURL(address); err != nil {
			r.workspace.Fail(err)
		}
	}()
}
