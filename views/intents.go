package views

import "greenroom/engine/settings"

// Intents are what the artist asks for. The app implements them; all are called on Fyne's goroutine and return at
// once.
type Intents interface {
	// OpenPlate and OpenHint ask for a file; OpenPath opens a plate, OpenSample the sample plate.
	OpenPlate()
	OpenHint()
	OpenPath(path string)
	OpenSample()
	// MakeHint makes the hint from the screen's colour.
	MakeHint()
	// Key keys the plate, Cancel stops that, also while it waits.
	Key()
	Cancel()
	// Choose alters what is chosen for the open plate; the step names that for Undo, which goes back by one, and Redo.
	Choose(step Step, alter func(*settings.Choices))
	Undo()
	Redo()
	// StartFresh puts back everything that is chosen for the plate, DismissRestored the word that it was brought back.
	StartFresh()
	DismissRestored()
	// SaveSidecar writes what is chosen for the plate beside its exports.
	SaveSidecar()
	// Pick picks the colour of the open plate around a place, in its pixels: for TargetHint as one of the screen's, for
	// TargetKept as one that despill leaves alone.
	Pick(t Target, at settings.Point)
	// SetExport changes what an export writes, ChooseFolder asks where to, UsualFolder goes back to the folder beside each
	// plate, Export writes, Reveal shows what was written.
	SetExport(ExportChoice)
	ChooseFolder()
	UsualFolder()
	Export()
	Reveal()
	// Fix presses the problem's button, Dismiss puts the problem away, Answer answers the question; a negative
	// answer is none.
	Fix()
	Dismiss()
	Answer(int)
	ModelIntents
	MachineIntents
	MatteIntents
	SeamIntents
	StripIntents
	VariantIntents
	// Quit closes the window.
	Quit()
}
