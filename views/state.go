package views

// State is what the window shows. The zero State is the empty room.
type State struct {
	// Name is the open plate's file name; Details its size and kind in words. Empty with no plate.
	Name, Details string
	// Plate is the open plate; nil with none.
	Plate *Shown
	// Opening is the name of the file that is being read; empty when none is.
	Opening string
	// Problem is what went wrong last, in words that say what to do; empty when nothing did.
	Problem string
	// Machine is this machine in words.
	Machine string
}
