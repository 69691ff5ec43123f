package views

// Step names a change for undo: "Clip black". Equal steps that follow one another, as a slider makes while it is
// dragged, are one.
type Step struct {
	Name string
	// Turn tells one drag of a control from its next.
	Turn int
}
