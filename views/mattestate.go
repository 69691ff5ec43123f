package views

import (
	"image"

	"greenroom/engine/colour"
	"greenroom/engine/settings"
)

// MatteState is what the groups after the network show beside the choices.
type MatteState struct {
	// Space is the plate's own: picked colours are in it.
	Space colour.Space
	// Bars are bars at the plate's edges that are not garbage yet.
	Bars []settings.Box
	// Core, Garbage and Backdrop are the files beside plate and hint.
	Core, Garbage, Backdrop BesideState
	Review                  ReviewState
}

// BesideState is a file beside plate and hint. The zero one is none.
type BesideState struct {
	// Name is the file's name. Reading says that it is being read.
	Name    string
	Reading bool
	// Remarks are sentences about it.
	Remarks []Remark
}

// ReviewState is the check of the finished matte.
type ReviewState struct {
	// Known says that a matte was looked over, and Checking that the last one is still to be.
	Known, Checking bool
	// WhyNot says why there is nothing to look over; empty where there is.
	WhyNot string
	// Findings are the worst first; More counts those that are left off.
	Findings []MatteFinding
	More     int
	// Translucent, Solid and Clear are the shares of the frame between 0 and 1, at exactly 1 and at exactly 0, in percent.
	Translucent, Solid, Clear float64
}

// MatteFinding is a place of a matte to look at.
type MatteFinding struct {
	// Kind names it: "Core hole". Text says it in a sentence.
	Kind, Text string
	// Amount says by how much matte it is wrong, which is what the list is ranked by, in whole pixels: "12.3".
	Amount string
	// X and Y are its worst pixel, Worst the matte there, Box encloses it and Pixels counts its pixels.
	X, Y   int
	Worst  float64
	Box    image.Rectangle
	Pixels int
}

// MatteIntents are what the artist asks for after the network, beside Choose.
type MatteIntents interface {
	// OpenCore, OpenGarbage and OpenBackdrop ask for a file.
	OpenCore()
	OpenGarbage()
	OpenBackdrop()
}
