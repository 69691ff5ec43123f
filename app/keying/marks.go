package keying

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"greenroom/engine/hint"
	"greenroom/engine/imageio"
	"greenroom/engine/matte"
	"greenroom/engine/picture"
	"greenroom/engine/settings"
)

// UsedFile is a file that a key was made with, and the SHA-256 of its content in hex. The zero UsedFile is none.
type UsedFile struct {
	Path   string `toml:"path"`
	SHA256 string `toml:"sha256"`
}

// OpenRegular opens a regular file: a pipe could wait for ever to be opened.
func OpenRegular(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("cannot read %s: it is not a file", path)
	}
	var f *os.File
	if err == nil {
		f, err = os.Open(path)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", path, errors.Unwrap(err))
	}
	return f, nil
}

// Used returns a file with its hash. Where it cannot be read, the hash is empty.
func Used(path string) UsedFile {
	if f, err := hashFile(path); err == nil {
		return f
	}
	return UsedFile{Path: path}
}

// Changed reports whether the file has another content now. The error says that it cannot be read.
func (f UsedFile) Changed() (bool, error) {
	now, err := hashFile(f.Path)
	return now.SHA256 != f.SHA256, err
}

// hashFile returns a file with its hash.
func hashFile(path string) (UsedFile, error) {
	f, err := OpenRegular(path)
	if err != nil {
		return UsedFile{}, err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return UsedFile{}, fmt.Errorf("cannot read %s: %w", path, err)
	}
	return UsedFile{path, hex.EncodeToString(sum.Sum(nil))}, nil
}

// WithMarks returns the source with what the order adds to it beside the hint: core and garbage mattes from files, bars
// as garbage, and the background picture.
func (s Source) WithMarks(o Order) (Source, error) {
	s.Marks.Core, s.Marks.Garbage = o.Marks.Core, o.Marks.Garbage
	s.Marks.Kept, s.Marks.KeptStrokes = o.Marks.Kept, o.Marks.KeptStrokes
	if o.Core != "" {
		m, err := s.ReadMask(o.Core)
		if err != nil {
			return Source{}, err
		}
		s.Masks.Core, s.Core = m.Image, m.File
		s.Warnings, s.Notes = append(s.Warnings, m.Warnings...), append(s.Notes, m.Notes...)
	}
	if o.Garbage != "" {
		m, err := s.ReadMask(o.Garbage)
		if err != nil {
			return Source{}, err
		}
		s.Masks.Garbage, s.Garbage = m.Image, m.File
		s.Warnings, s.Notes = append(s.Warnings, m.Warnings...), append(s.Notes, m.Notes...)
	}
	bars, err := matte.ProposeGarbage(s.Plate)
	if err != nil {
		return Source{}, err
	}
	switch {
	case len(bars) > 0 && o.Letterbox:
		s.Marks.Garbage = s.Marks.Garbage.Clone()
		s.Marks.Garbage.Boxes = append(s.Marks.Garbage.Boxes, bars...)
		s.Notes = append(s.Notes, "bars at the frame's edges are garbage")
	case len(bars) > 0 && o.Marks.Garbage.Empty() && o.Garbage == "":
		s.Notes = append(s.Notes, "the plate has bars or a border of one colour (--letterbox makes them garbage)")
	}
	switch {
	case o.Backdrop == "" && o.needsBackdrop():
		return Source{}, fmt.Errorf("cannot make the comp of %s: there is no background picture (name it with --background FILE)", o.Label())
	case o.Backdrop == "":
		s.BackdropFile = o.unseen
	default:
		b, err := ReadBackdrop(o.Backdrop, o.BackdropSpace)
		if err != nil {
			return Source{}, err
		}
		s.Backdrop, s.BackdropFile = b.Picture, b.File
		if b.Note != "" {
			s.Notes = append(s.Notes, fmt.Sprintf("%s: %s", filepath.Base(o.Backdrop), b.Note))
		}
	}
	return s, nil
}

// needsBackdrop reports whether a comp over a picture is to be written.
func (o Order) needsBackdrop() bool {
	return o.Look.Background == settings.BackgroundPicture && slices.Contains(o.Passes, PassComp)
}

// Backdrop is a background picture that was read.
type Backdrop struct {
	Picture picture.Picture
	File    UsedFile
	// Note says what its numbers were taken for and why; empty where that was chosen.
	Note string
}

// ReadBackdrop reads a background picture, whose numbers mean what the name of a space says; empty takes the file's word.
func ReadBackdrop(path, space string) (Backdrop, error) {
	file, err := imageio.Open(path, imageio.Limits{})
	if err != nil {
		return Backdrop{}, err
	}
	b := Backdrop{Picture: file.Picture}
	if space == "" {
		b.Note = file.SpaceNote()
	} else if b.Picture.Space, err = spaceNamed(space, path); err != nil {
		return Backdrop{}, err
	}
	b.File, err = hashFile(path)
	return b, err
}

// Mask is a core or garbage matte that was read.
type Mask struct {
	// Image is [H, W, 1], 0..1, of the plate's size.
	Image picture.Image
	File  UsedFile
	// Warnings and Notes are sentences for the artist that begin with the file's name.
	Warnings, Notes []string
}

// ReadMask reads a core or garbage matte for the plate, by the rules of a hint.
func (s Source) ReadMask(path string) (Mask, error) {
	file, err := imageio.Open(path, imageio.Limits{})
	if err != nil {
		return Mask{}, err
	}
	found, err := hint.FromPicture(file.Picture, s.Plate.RGB.W, s.Plate.RGB.H)
	var shape *hint.ShapeError
	switch {
	case errors.As(err, &shape):
		return Mask{}, fmt.Errorf("cannot use %s: it is %dx%d and the plate %dx%d: their shapes differ (give a matte of %dx%d)",
			path, shape.HintW, shape.HintH, shape.PlateW, shape.PlateH, shape.PlateW, shape.PlateH)
	case err != nil:
		return Mask{}, fmt.Errorf("cannot use %s: %w", path, err)
	}
	var told Source
	for _, n := range found.Notices {
		n.Text = strings.Replace(n.Text, "the hint is", "the matte is", 1)
		told.hear([]hint.Notice{n}, filepath.Base(path)+": ")
	}
	used, err := hashFile(path)
	return Mask{Image: found.Matte, File: used, Warnings: told.Warnings, Notes: told.Notes}, err
}

// pick returns the order's samples of the screen: its colours, and those at its places.
func (s Source) pick(o Order) ([]settings.Colour, error) {
	samples := append([]settings.Colour{}, o.Marks.Samples...)
	for _, at := range o.Picks {
		c, ok := hint.Pick(s.Plate, at)
		if !ok {
			return nil, fmt.Errorf("cannot pick the screen's colour at %v,%v: the plate is %dx%d", at.X, at.Y, s.Plate.RGB.W, s.Plate.RGB.H)
		}
		samples = append(samples, c)
	}
	return samples, nil
}

// Finish makes the key of a source from the network's result.
func (s Source) Finish(ctx context.Context, look settings.Look, raw matte.Network) (matte.Key, error) {
	raw.Exposure = s.Exposure
	f, err := matte.NewFinisher(s.Plate, raw, s.Screen)
	if err != nil {
		return matte.Key{}, err
	}
	return f.Finish(ctx, look, s.Marks, s.Masks)
}
