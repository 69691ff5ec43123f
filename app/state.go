package app

import (
	"image"
	"path/filepath"
	"time"

	"greenroom/app/keying"
	"greenroom/engine"
	"greenroom/engine/settings"
	"greenroom/presets"
	"greenroom/views"
)

// State is what the workspace holds at one moment. It is a copy: what it points to is never changed.
type State struct {
	Machine presets.Machine
	// Model keys; nil while it is being opened.
	Model *keying.Model
	// Models are those that can be chosen.
	Models Models
	// Recents are the paths of plates that were open lately, the last first.
	Recents []string
	// recentLooks is what is known of them, by their paths.
	recentLooks map[string]recentLook
	// Strip are the plates at hand, the open one among them.
	Strip Strip
	// Opening is the path of the plate that is being read; empty when none is.
	Opening string
	// Plate is the open plate; nil with none.
	Plate *Plate
	// Hint is the plate's hint; nil while there is none. FindingHint says that it is being read or made.
	Hint        *Hint
	FindingHint bool
	// hintFailed are the choices by which there is no hint; nil where there is one. hintAgain asks for the hint anew though
	// nothing else is chosen, and keyOnHint for a key as soon as there is one.
	hintFailed           *settings.Choices
	hintAgain, keyOnHint bool
	// picked is where a colour of the screen was picked last.
	picked settings.Point
	// Plan is how the plate will be keyed; nil while there is no plate or no model.
	Plan *Plan
	// Planning says that Plan does not follow the latest choice yet. A key that is asked for meanwhile waits for it.
	Planning  bool
	keyWanted bool
	// Running is the key that is being made; nil while none is.
	Running *Running
	// Key is the last key; nil while there is none.
	Key *Key
	// Variants are the keys of the open plate that can be brought back, the last first; restoring names the one that is
	// being brought back with its choices. Compare is the one that is shown beside the key; nil while none is.
	Variants  []Variant
	restoring string
	Compare   *Compare
	// tilesTurn counts what may have put other tiles into the place of those that the engine keeps.
	tilesTurn int
	// Seams is what a check found of the key's seams.
	Seams Seams
	// Setup is how this machine keys.
	Setup Setup
	// Pace is what the last key took, in seconds for a pixel of its tiles, and PaceOf its settings; 0 before the first.
	Pace   float64
	PaceOf settings.Settings
	// Choices are what the artist has chosen for the plate, and History what led there. Hint and key follow: see
	// Hint.Choices and Key.Choices.
	Choices settings.Choices
	History history
	// Masks and Backdrop are the files beside plate and hint as they were read, and reading those that are being read.
	Masks    Masks
	Backdrop *Backdrop
	reading  [besideKinds]besideReading
	// Review is the check of the last matte that was looked over; nil before.
	Review *Review
	// Restored says that what was chosen for the plate before is back, or that it starts with the look of another; empty
	// when neither is so, or the artist knows.
	Restored string
	Export   Export
	// Problem is what went wrong last; nil when nothing did or the artist has put it away.
	Problem *Problem
	// Question is what only the artist can decide; nil when there is nothing.
	Question *Question
}

// Plate is an open plate.
type Plate struct {
	// Path is the plate's file; empty for the sample.
	Path string
	// Source is the plate without a hint.
	Source keying.Source
	// Shown is the picture made ready to be looked at.
	Shown *views.Shown
	// Thumb is the picture small.
	Thumb image.Image
	// Bars are the uniform borders and letterbox bars that it has.
	Bars []settings.Box
	// space and layer are what the artist chose of how it is read.
	space, layer string
	// stamp is of the file when it was read.
	stamp stamp
}

// Name is the plate's file name.
func (p *Plate) Name() string { return filepath.Base(keying.Order{Plate: p.Path}.Label()) }

// Running is a key in the making.
type Running struct {
	// Doing is what is done now where it is not keying tiles, in words.
	Doing string
	// Tile of Tiles are done; Left is the time the rest takes, negative while nobody knows.
	Tile, Tiles int
	Left        time.Duration
	// Shown holds the finished tiles; nil before the first.
	Shown *views.Key
	// cause is of the key; zero where it is being made in another way than was planned.
	cause cause
}

// Key is a keyed plate: the network's result and what the look makes of it. A key that was stopped has only what is
// shown.
type Key struct {
	Hint   *Hint
	Model  *keying.Model
	Choice keying.Choice
	Result *engine.Result
	// Heat is how far tiles were apart where they overlapped; nil where nothing was seen twice.
	Heat *views.Heat
	// Work is what the network had to compute, as Plan has it; 0 where the engine did not run as planned.
	Work float64
	// Finished is the key under Choices and Masks; Shown is made of it.
	Finished finished
	Choices  settings.Choices
	Masks    Masks
	Shown    *views.Key
	// Whole says that no tile is missing; else Tile of Tiles are there.
	Whole       bool
	Tile, Tiles int

	cause    cause
	finisher *finisher
	// orphan says that the key was brought back and that the hint which it was made from is not there any more.
	orphan bool
	// kept is the turn of the engine's tiles at which it kept those of this key for the next; 0 where it did not.
	kept int
}

// Export is what an export writes and where to, and what the last one wrote.
type Export struct {
	views.ExportChoice
	// Folder is where to write; empty is the usual folder of the plate.
	Folder string
	// Names are those that the files would get now; Version is the version they would bear.
	Names   []string
	Version int
	// Fault says why files of those names cannot be written wherever they go; nil where they can.
	Fault   error
	Running bool
	// Saved is the path of the sidecar that was saved by itself last; empty before.
	Saved string
	// Report is of the last export of the open plate, which was of Written; nil before.
	Report  *keying.Report
	Written writtenKey
}

// Question is a choice for the artist, with what each answer does.
type Question struct {
	views.Question
	do []func()
}
