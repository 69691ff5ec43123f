//go:build !headless

package app

// OpenCore implements views.MatteIntents.
func (r *room) OpenCore() { r.askPicture("Open a core matte", r.workspace.UseCore) }

// OpenGarbage implements views.MatteIntents.
func (r *room) OpenGarbage() { r.askPicture("Open a garbage matte", r.workspace.UseGarbage) }

// OpenBackdrop implements views.MatteIntents.
func (r *room) OpenBackdrop() { r.askPicture("Open a background picture", r.workspace.UseBackdrop) }

// askPicture asks for a picture file and hands it on.
func (r *room) askPicture(title string, use func(path string)) {
	folder := r.folder()
	r.ask(func() (string, error) { return r.dialogs.Picture(title, folder) }, use)
}
