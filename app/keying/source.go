package keying

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

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

// WithHint returns the source of OpenPlate with its hint and screen: the hint that the order names, else the one
// beside the plate, else one from the screen's colour. Samples of the screen's colour ask for the last. The order's
// strokes are painted over it.
func (s Source) WithHint(o Order) (Source, error) {
	s.Warnings, s.Notes = slices.Clip(s.Warnings), slices.Clip(s.Notes)
	var err error
	if s.Seen, s.Exposure, err = s.seen(o.Look); err != nil {
		return Source{}, err
	}
	if s.Marks.Samples, err = s.pick(o); err != nil {
		return Source{}, err
	}
	path := o.Hint
	if path == "" && o.Plate != "" && !o.Chroma && len(s.Marks.Samples) == 0 {
		if path, err = s.beside(o.Plate); err != nil {
			return Source{}, err
		}
	}
	if path != "" {
		err = s.readHint(path, o.Look.Screen)
	} else {
		err = s.chromaHint(o)
	}
	if err != nil {
		return Source{}, err
	}
	if s.Marks.Hint = o.Marks.Hint; len(s.Marks.Hint) > 0 {
		s.Hint = s.Hint.Clone()
		err = hint.Paint(context.Background(), s.Hint, s.Marks.Hint)
	}
	return s, err
}

// beside returns the hint that lies beside a plate, or nothing. A file that is a hint by its name only is left alone.
func (s *Source) beside(plate string) (string, error) {
	path, err := hint.Beside(plate, WrittenByUs)
	if err != nil || path == "" {
		return "", err
	}
	file, err := imageio.Open(path, imageio.Limits{})
	if err != nil {
		return "", err
	}
	if !hint.LooksLikeHint(file.Picture) {
		s.Warnings = append(s.Warnings, fmt.Sprintf(
			"%s is a picture in colour and was not taken as the hint (name it with --hint if it is one)", filepath.Base(path)))
		return "", nil
	}
	return path, nil
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

// WrittenByUs reports whether Greenroom wrote a picture: such a file is no hint by itself.
func WrittenByUs(path string) bool {
	header, err := imageio.ReadHeader(path, imageio.Limits{})
	return err == nil && header.WrittenByGreenroom
}

// readHint takes the hint from a file.
func (s *Source) readHint(path string, asked settings.Screen) error {
	file, err := imageio.Open(path, imageio.Limits{})
	if err != nil {
		return err
	}
	found, err := hint.FromPicture(file.Picture, s.Plate.RGB.W, s.Plate.RGB.H)
	if err != nil {
		return fmt.Errorf("cannot use %s: %w", path, err)
	}
	s.Hint, s.From = found.Matte, path
	if s.HintFile, err = hashFile(path); err != nil {
		return err
	}
	s.hear(found.Notices, filepath.Base(path)+": ")
	s.hear(hint.Check(s.Hint, s.Seen, asked), filepath.Base(path)+": ")
	s.Screen, err = hint.FindScreen(s.Seen)
	if asked != settings.ScreenAuto {
		if err == nil && s.Screen != asked {
			s.Warnings = append(s.Warnings, fmt.Sprintf("the screen looks %s and is taken for %s, as asked", s.Screen, asked))
		}
		s.Screen = asked
		return nil
	}
	if errors.Is(err, hint.ErrNoScreen) {
		s.Screen, err = settings.ScreenGreen, nil
		s.Warnings = append(s.Warnings, "no screen colour was found in the plate: green is taken (say which with --screen)")
	} else if err == nil {
		s.Notes = append(s.Notes, fmt.Sprintf("the screen is %s", s.Screen))
	}
	return err
}

// chromaHint makes the hint from the screen's colour.
func (s *Source) chromaHint(o Order) error {
	var found hint.Hint
	var screen settings.Screen
	var err error
	if len(s.Marks.Samples) > 0 {
		var samples []settings.Colour
		if samples, err = s.seenSamples(); err == nil {
			found, screen, err = hint.FromSamples(s.Seen, samples)
		}
	} else {
		found, screen, err = hint.FromChroma(s.Seen, o.Look.Screen)
	}
	if err != nil {
		return fmt.Errorf("cannot key %s: %w", o.Label(), err)
	}
	s.Hint, s.Screen = found.Matte, screen
	s.hear(found.Notices, "")
	return nil
}

// hear sorts notices into warnings and notes.
func (s *Source) hear(notices []hint.Notice, about string) {
	for _, n := range notices {
		if n.Warning || n.Kind == hint.KindResized {
			s.Warnings = append(s.Warnings, about+n.Text)
		} else {
			s.Notes = append(s.Notes, about+n.Text)
		}
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
