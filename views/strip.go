package views

import (
	"image"
	"time"
)

// StripState are the plates at hand. With fewer than two nothing of it is shown.
type StripState struct {
	Plates []StripPlate
	// Running says that something is done with several plates: that Done of All are done. Exporting says that keys are
	// written, else plates are keyed.
	Running, Exporting bool
	Done, All          int
	// Left is the time that the rest of the plate that is being keyed takes; negative while nobody knows.
	Left time.Duration
	// NoSwitch says why no other plate can be opened now; NoKey why not all can be keyed, NoExport why not all can be
	// written. They are empty where that can be.
	NoSwitch, NoKey, NoExport string
	// Told says what was just done with plates; empty after a while.
	Told string
}

// StripPlate is a plate of the strip.
type StripPlate struct {
	ID   int
	Name string
	// Thumb is the plate small; nil while it has not been read.
	Thumb image.Image
	// Mark and Words say how it is; Why says more, in a sentence, where there is more to say.
	Mark  StripMark
	Words string
	Why   string
	// Open says that it is the one in the viewer.
	Open bool
}

// StripMark is the sign beside the words under a plate.
type StripMark int

// The signs.
const (
	MarkNone StripMark = iota
	MarkKeyed
	MarkStale
	MarkExported
	MarkFailed
	MarkWaiting
	MarkRunning
)

// StripIntents are what the artist asks for in the strip.
type StripIntents interface {
	// SwitchTo opens a plate of the strip, ClosePlate takes one out.
	SwitchTo(id int)
	ClosePlate(id int)
	// CopyLook gives the open plate's look to others.
	CopyLook(ids []int)
	// KeyAll keys all that have no key of now, ExportAll writes all keys; StopStrip ends either after what is done.
	KeyAll()
	ExportAll()
	StopStrip()
}
