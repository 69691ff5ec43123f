package views

import (
	"image"
	"image/color"
	"time"

	"greenroom/engine/settings"
)

// State is what the window shows, in words and numbers that are ready to be drawn. The zero State is the empty room.
type State struct {
	// Machine is this machine in words, Device what keys run on: "on Apple M4 Pro through Metal". Empty while unknown.
	Machine, Device string
	// Recents are the plates that were open lately, the last first.
	Recents []Recent
	// Opening is the name of the file that is being read; empty when none is.
	Opening string
	Plate   PlateState
	Hint    HintState
	// NoSeen says why what the network sees cannot be shown; empty when it can.
	NoSeen string
	// Model is the network that keys.
	Model  ModelState
	Layers Layers
	Plan   PlanState
	// Setup is the machine, its preset and its settings.
	Setup MachineState
	Key   KeyState
	Seams SeamState
	// Strip are the plates at hand, Variants the keys of the open one that can be brought back, the last first.
	Strip    StripState
	Variants []VariantState
	Matte    MatteState
	// Choices are what is chosen for the plate: the values of the controls.
	Choices settings.Choices
	// Undo and Redo name the steps that can be undone and done again; empty where there is none.
	Undo, Redo string
	Export     ExportState
	// Problem is what went wrong last; nil when nothing did or the artist has put it away.
	Problem *Problem
	// Question is what only the artist can decide; nil when there is nothing.
	Question *Question
}

// Recent is a plate that was open before.
type Recent struct {
	Path, Name, Folder string
	// Thumb is the plate small; nil where that is not known. Gone says why it cannot be opened; empty where it can.
	Thumb image.Image
	Gone  string
}

// PlateState is the open plate; its name is empty with none.
type PlateState struct {
	// Name is the file's name, Details its size, kind and colour in words.
	Name, Details string
	// Restored says that what was chosen for the plate before is back, or that it starts with the look of another; empty
	// when neither is so, or the artist knows.
	Restored string
	// Space is what the plate's numbers are taken for, SpaceNote by whose word, and Guess the file's own.
	Space, SpaceNote, Guess string
	// Layers are the file's, Layer the one that is read; NoLayers says why there is no choice.
	Layers   []string
	Layer    string
	NoLayers string
	// ChromaAuto is by how many pixels colour is smoothed where the file decides.
	ChromaAuto float64
	// Remarks are sentences about the file.
	Remarks []Remark
}

// Remark is a sentence for the artist; a warning says that the key will likely be wrong.
type Remark struct {
	Text    string
	Warning bool
	// Fix does away with what it tells; its button is empty where there is none.
	Fix Fix
}

// Fix is a change that does away with a fault of a hint.
type Fix struct {
	// Button says what it does.
	Button string
	// Edit is the edit of the hint that does it, unless the hint is made from the screen's colour instead, or another is
	// opened.
	Edit             settings.HintEdit
	FromScreen, Open bool
}

// HintState is the hint of the open plate.
type HintState struct {
	// Source says where it comes from: "From shot-hint.png". Empty while there is none.
	Source  string
	Remarks []Remark
	// Screen is the screen's colour as it was found or chosen, in a word; empty while there is no hint.
	Screen string
	// Strokes is how many of the strokes that are chosen are painted in the hint that is shown.
	Strokes int
	// Samples are the colours of the screen that were picked, as they are shown.
	Samples []color.NRGBA
	// Channel is where in its file the hint was read, HasAlpha says that the file has an alpha.
	Channel  settings.HintChannel
	HasAlpha bool
	// FromFile says that a file holds it, so that one from the screen's colour can take its place.
	FromFile bool
	// Finding says that it is being read or made.
	Finding bool
}

// PlanState is how the plate will be keyed on this machine.
type PlanState struct {
	// Settings is the tile plan in words, Memory what it takes.
	Settings, Memory string
	// Adjusted are the settings that are not as they were asked for.
	Adjusted []Adjusted
}

// Adjusted is a setting that is not as it was asked for.
type Adjusted struct{ Setting, Asked, Used, Why string }

// KeyState is how far the key is.
type KeyState struct {
	// Ready says that Key can be pressed; WhyNot says what is missing, or with Ready what it will wait for. Waiting says
	// that it was pressed and waits.
	Ready   bool
	WhyNot  string
	Waiting bool
	// Running says that the plate is being keyed; Doing what is done now, in words.
	Running bool
	Doing   string
	// Tile of Tiles are done; Left is the time the rest takes, negative while nobody knows.
	Tile, Tiles int
	Left        time.Duration
	// Stale says why the key that is shown is out of date; empty when it is not.
	Stale string
	// Summary says what came of the last key.
	Summary string
}

// ExportState is what an export would write, and what the last one wrote.
type ExportState struct {
	ExportChoice
	// Used is the format that is written: the chosen one, or the one that suits the plate.
	Used ExportFormat
	// NoComp says why no comp can be written, NoMatteY why the matte's channels cannot be chosen, NoDepth why the
	// bits of a sample cannot; empty where they can.
	NoComp, NoMatteY, NoDepth string
	// Contract says what the pixels will mean: "straight sRGB, 16-bit PNG".
	Contract string
	// Folder is where the files go, in words; Files their names.
	Folder string
	Files  []string
	// OwnFolder says that the artist chose the folder, for every plate.
	OwnFolder bool
	// Exists says that files of these names are there, so that the next version is written.
	Exists bool
	// Ready says that there is a key to write; WhyNot says what is missing.
	Ready   bool
	WhyNot  string
	Running bool
	// Note says what is the matter with the key that would be written: stopped, out of date; empty for nothing.
	Note string
	// Written names the files of the last export; empty before.
	Written []string
	// Saved names the sidecar that was saved by itself last; empty before.
	Saved string
}

// ExportChoice is what the artist chooses of an export.
type ExportChoice struct {
	Key, Matte, FG, Comp bool
	// Format is what the files are; empty goes by the plate.
	Format ExportFormat
	// Float makes an OpenEXR file hold floats of 32 bits instead of 16; Comp8 a comp in PNG or TIFF 8 bits instead of 16.
	Float, Comp8 bool
	// MatteY puts the matte of an OpenEXR file into its one channel Y, instead of R, G, B and A alike.
	MatteY    bool
	Overwrite bool
}

// ExportFormat is a file format of an export.
type ExportFormat string

// The formats, as presets name them.
const (
	ExportPNG  ExportFormat = "png"
	ExportTIFF ExportFormat = "tiff"
	ExportEXR  ExportFormat = "exr"
)

// Known reports whether there is such a format; the empty one goes by the plate.
func (f ExportFormat) Known() bool {
	return f == "" || f == ExportPNG || f == ExportTIFF || f == ExportEXR
}

// Title is how people call a format.
func (f ExportFormat) Title() string {
	switch f {
	case ExportTIFF:
		return "TIFF"
	case ExportEXR:
		return "EXR"
	}
	return "PNG"
}

// Problem is what went wrong, why, and what to do; Button is the label of the one button that does it, empty where
// there is none.
type Problem struct {
	What, Why, Fix, Button string
	// Details are the whole of what was told, for those who want to know; empty where the rest says it all.
	Details string
}

// Question is a choice for the artist. Answers are numbered from 0.
type Question struct {
	Title, Detail string
	Answers       []Answer
}

// Answer is one way to answer a question.
type Answer struct{ Label, Detail string }
