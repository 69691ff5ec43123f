package keying

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"greenroom/engine/colour"
	"greenroom/engine/hint"
	"greenroom/engine/imageio"
	"greenroom/engine/picture"
	"greenroom/engine/settings"
)

// source is what is keyed: the plate with its hint and screen colour.
type source struct {
	plate picture.Picture
	// hint is the hint, [H, W, 1], of the plate's size; from is its file, or empty for a chroma hint.
	hint picture.Image
	from string
	// screen is green or blue.
	screen settings.Screen
	header imageio.Header
	// warnings and notes are sentences for the artist.
	warnings, notes []string
}

// open reads the plate and finds its hint and screen.
func open(o Order) (source, error) {
	file, err := o.readPlate()
	if err != nil {
		return source{}, err
	}
	s := source{plate: file.Picture, header: file.Header, notes: file.Notes}
	if o.Space != "" {
		// What the artist says goes before the file's own profile, which would contradict it in the outputs.
		s.plate.Space, s.header.ICC = colour.Space(o.Space), nil
	}
	if file.WrittenByGreenroom {
		s.warnings = append(s.warnings, fmt.Sprintf("this is a file that Greenroom wrote (%s), not a plate", file.Pass))
	}
	path := o.Hint
	if path == "" && o.Plate != "" {
		if path, err = hint.Beside(o.Plate, writtenByUs); err != nil {
			return source{}, err
		}
	}
	if path != "" {
		err = s.readHint(path, o.Look.Screen)
	} else {
		err = s.chromaHint(o)
	}
	return s, err
}

// openUnless is open, but returns at once when ctx ends. Decoders cannot be stopped: the one at work then goes on
// by itself, and what it made is dropped.
func openUnless(ctx context.Context, o Order) (source, error) {
	type opened struct {
		source
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
		return s.source, s.err
	case <-ctx.Done():
		return source{}, ctx.Err()
	}
}

// writtenByUs reports whether Greenroom wrote a picture: such a file is no hint by itself.
func writtenByUs(path string) bool {
	header, err := imageio.ReadHeader(path, imageio.Limits{})
	return err == nil && header.WrittenByGreenroom
}

// readHint takes the hint from a file.
func (s *source) readHint(path string, asked settings.Screen) error {
	file, err := imageio.Open(path, imageio.Limits{})
	if err != nil {
		return err
	}
	found, err := hint.FromPicture(file.Picture, s.plate.RGB.W, s.plate.RGB.H)
	if err != nil {
		return fmt.Errorf("cannot use %s: %w", path, err)
	}
	s.hint, s.from = found.Matte, path
	s.hear(found.Notices, filepath.Base(path)+": ")
	s.hear(hint.Check(s.hint, s.plate, asked), filepath.Base(path)+": ")
	if s.screen = asked; asked != settings.ScreenAuto {
		return nil
	}
	s.screen, err = hint.FindScreen(s.plate)
	if errors.Is(err, hint.ErrNoScreen) {
		s.screen, err = settings.ScreenGreen, nil
		s.warnings = append(s.warnings, "no screen colour was found in the plate: green is taken (say which with --screen)")
	}
	return err
}

// chromaHint makes the hint from the screen's colour.
func (s *source) chromaHint(o Order) error {
	found, screen, err := hint.FromChroma(s.plate, o.Look.Screen)
	if err != nil {
		return fmt.Errorf("cannot key %s: %w", o.Label(), err)
	}
	s.hint, s.screen = found.Matte, screen
	s.hear(found.Notices, "")
	return nil
}

// hear sorts notices into warnings and notes.
func (s *source) hear(notices []hint.Notice, about string) {
	for _, n := range notices {
		if n.Warning || n.Kind == hint.KindResized {
			s.warnings = append(s.warnings, about+n.Text)
		} else {
			s.notes = append(s.notes, about+n.Text)
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
	return SampleSource{Plate: s.plate.RGB, Hint: s.hint}, err
}
