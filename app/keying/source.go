package keying

import (
	"context"
	"fmt"

	"greenroom/engine"
	"greenroom/engine/hint"
	"greenroom/engine/imageio"
	"greenroom/engine/matte"
	"greenroom/engine/picture"
	"greenroom/engine/settings"
)

// Source is what is keyed: the plate with its hint and screen colour.
type Source struct {
	Plate  picture.Picture
	Header imageio.Header
	// Hint is the hint, [H, W, 1], of the plate's size; empty while none has been found. From is its file, or empty
	// for a hint from the screen's colour.
	Hint picture.Image
	From string
	// Screen is green or blue; empty while there is no hint.
	Screen settings.Screen
	// Seen is the plate as hint and network see it; empty while there is no hint. Exposure is by how many stops it is
	// brighter than the plate.
	Seen     picture.Picture
	Exposure float64
	// Edit is what was done with the hint before strokes were painted over it, Channel where in its file it was read, and
	// HintAlpha says that the file has an alpha. Faults are what there is to say of the hint that something can be done
	// about; Warnings has them too.
	Edit      settings.HintEdit
	Channel   hint.Channel
	HintAlpha bool
	Faults    []hint.Notice
	// Marks are what was drawn and picked on the plate, with the places of an order looked up.
	Marks settings.Marks
	// Masks are core and garbage mattes from files, and Backdrop is the background picture.
	Masks    matte.Masks
	Backdrop picture.Picture
	// PlateFile, HintFile, Core, Garbage and BackdropFile are the files that were read; none for the sample and for
	// a hint from the screen's colour.
	PlateFile, HintFile, Core, Garbage, BackdropFile UsedFile
	// Warnings and Notes are sentences for the artist.
	Warnings, Notes []string
}

// OpenPlate reads the plate of an order, or the sample. There is no hint yet.
func OpenPlate(o Order) (Source, error) {
	file, err := o.readPlate()
	if err != nil {
		return Source{}, err
	}
	s := Source{Plate: file.Picture, Header: file.Header, Notes: file.Notes}
	if o.Plate != "" {
		if s.PlateFile, err = hashFile(o.Plate); err != nil {
			return Source{}, err
		}
	}
	if err := s.takeSpace(o); err != nil {
		return Source{}, err
	}
	if file.WrittenByGreenroom {
		s.Warnings = append(s.Warnings, fmt.Sprintf("this is a file that Greenroom wrote (%s), not a plate", file.Pass))
	}
	return s, nil
}

// Job is what the engine is asked to do with the source.
func (s Source) Job(m *Model, chosen settings.Settings) engine.Job {
	return engine.Job{
		Plate: s.Seen, Hint: s.Hint, Model: m.Model, ModelScreen: m.Screen, Screen: s.Screen, Settings: chosen,
	}
}

// open reads the plate, finds its hint and screen, and reads what else the order names.
func open(o Order) (Source, error) {
	s, err := OpenPlate(o)
	if err != nil {
		return Source{}, err
	}
	if s, err = s.WithHint(o); err != nil {
		return Source{}, err
	}
	return s.WithMarks(o)
}

// openUnless is open, but returns at once when ctx ends. Decoders cannot be stopped: the one at work then goes on
// by itself, and what it made is dropped.
func openUnless(ctx context.Context, o Order) (Source, error) {
	type opened struct {
		Source
		err error
	}
	done := make(chan opened, 1)
	go func() {
		s, err := open(o)
		done <- opened{s, err}
	}()
	select {
	case s := <-done:
		if s.err == nil {
			s.err = ctx.Err()
		}
		return s.Source, s.err
	case <-ctx.Done():
		return Source{}, ctx.Err()
	}
}

// SampleSource is the sample plate with its hint, as Run would key it.
type SampleSource struct {
	// Plate is [H, W, 3], sRGB-encoded; Hint is [H, W, 1].
	Plate, Hint picture.Image
}

// Sample opens the sample plate.
func Sample() (SampleSource, error) {
	s, err := open(Order{Look: settings.DefaultLook()})
	return SampleSource{Plate: s.Plate.RGB, Hint: s.Hint}, err
}
