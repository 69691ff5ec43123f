package keying

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"greenroom/engine/hint"
	"greenroom/engine/imageio"
	"greenroom/engine/picture"
	"greenroom/engine/settings"
)

// HintBase is the hint of a plate as it comes from its source, before it is edited and painted over: what takes longest
// to find, and changes least. It does not change.
type HintBase struct {
	// source has the plate and what is known of the hint, but for the hint itself.
	source Source
	matte  picture.Image
	// checker looks at what is made of the hint; faults are what it found of the file.
	checker *hint.Checker
	faults  []hint.Notice
}

// EditedHint is a HintBase that was edited. It does not change.
type EditedHint struct {
	base  *HintBase
	edit  settings.HintEdit
	matte picture.Image
}

// WithHint returns the source of OpenPlate with its hint and screen: the hint that the order names, else the one
// beside the plate, else one from the screen's colour. Samples of the screen's colour ask for the last. It is edited as
// the order says, and the order's strokes are painted over it.
func (s Source) WithHint(o Order) (Source, error) {
	ctx := context.Background()
	base, err := s.HintBase(o)
	if err != nil {
		return Source{}, err
	}
	edited, err := base.Edited(ctx, o.Edit)
	if err != nil {
		return Source{}, err
	}
	return edited.Painted(ctx, o.Marks.Hint, nil)
}

// HintBase finds the hint and the screen of an order for the source of OpenPlate.
func (s Source) HintBase(o Order) (*HintBase, error) {
	s.Warnings, s.Notes = slices.Clip(s.Warnings), slices.Clip(s.Notes)
	var err error
	if s.Seen, s.Exposure, err = s.seen(o.Look); err != nil {
		return nil, err
	}
	if s.Marks.Samples, err = s.pick(o); err != nil {
		return nil, err
	}
	path := o.Hint
	if path == "" && o.Plate != "" && !o.Chroma && len(s.Marks.Samples) == 0 {
		if path, err = s.beside(o.Plate); err != nil {
			return nil, err
		}
	}
	b := &HintBase{source: s}
	if path != "" {
		err = b.read(path, o)
	} else {
		err = b.make(o)
	}
	if err != nil {
		return nil, err
	}
	return b, nil
}

// Edited returns the hint inverted, grown and softened. The error is ctx's.
func (b *HintBase) Edited(ctx context.Context, e settings.HintEdit) (*EditedHint, error) {
	m, err := hint.Edit(ctx, b.matte, e)
	if err != nil {
		return nil, err
	}
	return &EditedHint{b, e, m}, nil
}

// Base is what was edited.
func (e *EditedHint) Base() *HintBase { return e.base }

// Painted returns the source with strokes painted over the hint. Before is what it returned earlier, or nil: strokes that
// are painted there already are not painted again. The error is ctx's.
func (e *EditedHint) Painted(ctx context.Context, strokes []settings.Stroke, before *Source) (Source, error) {
	s := e.base.source
	s.Hint, s.Edit, s.Marks.Hint = e.matte, e.edit, strokes
	rest := strokes
	if before != nil {
		if n := len(before.Marks.Hint); n <= len(strokes) && settings.EqualStrokes(before.Marks.Hint, strokes[:n]) {
			s.Hint, rest = before.Hint, strokes[n:]
		}
	}
	if len(rest) > 0 {
		s.Hint = s.Hint.Clone()
		if err := hint.Paint(ctx, s.Hint, rest); err != nil {
			return Source{}, err
		}
	}
	s.Warnings = slices.Clip(s.Warnings)
	s.Faults = slices.Concat(e.base.faults, e.check(s))
	for _, f := range s.Faults {
		s.Warnings = append(s.Warnings, s.hintName()+f.Text)
	}
	return s, nil
}

// check looks at a hint that is done. One from the screen's colour that nobody touched leaves out what is not surely
// opaque, as it should.
func (e *EditedHint) check(s Source) []hint.Notice {
	touched := s.From != "" || e.edit != (settings.HintEdit{}) || len(s.Marks.Hint) > 0
	return slices.DeleteFunc(e.base.checker.Check(s.Hint), func(n hint.Notice) bool { return n.Kind == hint.KindDetail && !touched })
}

// hintName begins sentences about a hint from a file.
func (s Source) hintName() string {
	if s.From == "" {
		return ""
	}
	return filepath.Base(s.From) + ": "
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

// WrittenByUs reports whether Greenroom wrote a picture: such a file is no hint by itself.
func WrittenByUs(path string) bool {
	header, err := imageio.ReadHeader(path, imageio.Limits{})
	return err == nil && header.WrittenByGreenroom
}

// read takes the hint from a file.
func (b *HintBase) read(path string, o Order) error {
	s := &b.source
	file, err := imageio.Open(path, imageio.Limits{})
	if err != nil {
		return err
	}
	w, h := s.Plate.RGB.W, s.Plate.RGB.H
	var found hint.Hint
	if o.Edit.Channel == settings.ChannelAuto {
		found, err = hint.FromPicture(file.Picture, w, h)
	} else {
		found, err = hint.FromChannel(file.Picture, o.Edit.Channel, w, h)
	}
	if err != nil {
		return fmt.Errorf("cannot use %s: %w", path, err)
	}
	b.matte = found.Matte
	s.From, s.Channel, s.HintAlpha = path, found.Channel, !file.Picture.Alpha.Empty()
	if s.HintFile, err = hashFile(path); err != nil {
		return err
	}
	s.hear(found.Notices, s.hintName())
	if o.Edit.Strength != 0 {
		s.Notes = append(s.Notes, "the strength is for hints from the screen's colour; this one is from a file")
	}
	b.checker = hint.NewChecker(s.Seen, o.Look.Screen, nil)
	b.faults = b.checker.CheckChannel(file.Picture, found.Channel)
	return s.findScreen(o.Look.Screen)
}

// findScreen finds the screen's colour where no hint is made of it.
func (s *Source) findScreen(asked settings.Screen) (err error) {
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

// make makes the hint from the screen's colour.
func (b *HintBase) make(o Order) error {
	s := &b.source
	var found hint.Hint
	var samples []settings.Colour
	var err error
	if len(s.Marks.Samples) > 0 {
		if samples, err = s.seenSamples(); err == nil {
			found, s.Screen, err = hint.FromSamples(s.Seen, samples, o.Edit.Strength)
		}
	} else {
		found, s.Screen, err = hint.FromChroma(s.Seen, o.Look.Screen, o.Edit.Strength)
	}
	if err != nil {
		return fmt.Errorf("cannot key %s: %w", o.Label(), err)
	}
	b.matte = found.Matte
	if o.Edit.Channel != settings.ChannelAuto {
		s.Notes = append(s.Notes, "the channel is for hints from files; this one is made from the screen's colour")
	}
	s.hear(found.Notices, "")
	b.checker = hint.NewChecker(s.Seen, o.Look.Screen, samples)
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
