package views

import (
	"image"
	"time"
)

// SeamState is what is known of the borders between tiles, in the plate's pixels.
type SeamState struct {
	// Bands are where tiles fade into one another; empty with one tile.
	Bands []Band
	// About says what is known, in words: how many borders there are and how they were measured, or why there are none.
	About string
	// Verdict says in a line what a check of the key that is shown found; empty before one. None says that there can be no
	// seams, and why; empty where there can.
	Verdict, None string
	// List are the measured borders, the most visible first; Checked says that they come of the other grid.
	List    []Seam
	Checked bool
	// Heat is how far two tiles, or two grids, are apart at every pixel; nil while unknown, and NoHeat says why.
	Heat   *Heat
	NoHeat string
	// Second is the key on the other grid, and Known where it is known; nil before a check, and NoSecond says why.
	Second   *Key
	Known    []image.Rectangle
	NoSecond string
	// WhyNot says why the seams cannot be checked now; empty when they can.
	WhyNot string
	// Checking says that they are being checked: Done of All tiles are keyed; Doing is what is done where it is not keying
	// tiles; Left is negative while nobody knows.
	Checking  bool
	Doing     string
	Done, All int
	Left      time.Duration
	// Follow says that the key before had been checked, and that this one was made after it and can be: whoever looks at the
	// heat map is to see the same measure.
	Follow bool
	// Remedies are settings under which seams are fainter.
	Remedies []Remedy
}

// Band is where two tiles fade into one another.
type Band struct {
	image.Rectangle
	// Upright says that one tile is left and the other right of it, and not above and below.
	Upright bool
}

// Seam is a border and how far the two tiles are apart there, in 8-bit steps (1/255).
type Seam struct {
	Band
	Mean, P99, Worst float64
	// At is the pixel where they are farthest apart.
	At image.Point
}

// Remedy is a setting under which seams are fainter.
type Remedy struct {
	Setting, Value string
	// Label names it, Cost is the time and the memory of a key under it, both in words.
	Label, Cost string
	// Note says what of the key stays as it is under it.
	Note string
	// WhyNot says why it cannot be chosen; empty when it can.
	WhyNot string
}

// SeamIntents are what the artist asks for in the Seams group.
type SeamIntents interface {
	// CheckSeams keys the borders once more on another grid, StopChecking stops that.
	CheckSeams()
	StopChecking()
	// UseRemedy sets a setting to a value and keys the plate.
	UseRemedy(setting, value string)
}
