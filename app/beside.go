package app

import (
	"fmt"
	"path/filepath"

	"greenroom/app/keying"
	"greenroom/engine/matte"
	"greenroom/engine/settings"
	"greenroom/views"
)

// Mask is a core or garbage matte from a file.
type Mask struct {
	keying.Mask
	// Path is the file's.
	Path string
}

// path is the mask's file; empty without one.
func (m *Mask) path() string {
	if m == nil {
		return ""
	}
	return m.Path
}

// Masks are the core and the garbage matte that come from files, as they were read; nil without. Two are the same where
// they are equal.
type Masks struct{ Core, Garbage *Mask }

// images returns them as the engine takes them.
func (m Masks) images() matte.Masks {
	var out matte.Masks
	if m.Core != nil {
		out.Core = m.Core.Image
	}
	if m.Garbage != nil {
		out.Garbage = m.Garbage.Image
	}
	return out
}

// Backdrop is the picture behind the key.
type Backdrop struct {
	// Path is the file's, and Space what was chosen for its numbers; empty is the file's word.
	Path, Space string
	// File is the file as it was read, and Note says what its numbers were taken for; empty where that was chosen.
	File keying.UsedFile
	Note string
	// Shown is the picture made ready to be looked at. An export reads the file again: nothing is held twice.
	Shown *views.Shown
}

// besideKind is what a file beside plate and hint is for.
type besideKind int

const (
	besideCore besideKind = iota
	besideGarbage
	besideBackdrop
	besideKinds
)

// String names it as undo does.
func (k besideKind) String() string {
	return [...]string{"Core matte", "Garbage matte", "Background picture"}[k]
}

// remedy opens another file for it.
func (k besideKind) remedy() remedy {
	return [...]remedy{remedyOpenCore, remedyOpenGarbage, remedyOpenBackdrop}[k]
}

// besideFile is a file, and what its numbers are said to mean. The zero one is none.
type besideFile struct{ path, space string }

// besideReading is a file that is being read; turn tells one reading of it from the next.
type besideReading struct {
	besideFile
	turn int
}

// besideAsked is the file that is chosen for a kind, and besideHeld the one that was read for it.
func (s *State) besideAsked(k besideKind) besideFile {
	return [...]besideFile{
		{path: s.Choices.Core}, {path: s.Choices.Garbage}, {s.Choices.Backdrop, s.Choices.BackdropSpace},
	}[k]
}

func (s *State) besideHeld(k besideKind) besideFile {
	switch k {
	case besideCore:
		return besideFile{path: s.Masks.Core.path()}
	case besideGarbage:
		return besideFile{path: s.Masks.Garbage.path()}
	}
	if b := s.Backdrop; b != nil {
		return besideFile{b.Path, b.Space}
	}
	return besideFile{}
}

// drop forgets the file that was read for a kind.
func (s *State) drop(k besideKind) {
	switch k {
	case besideCore:
		s.Masks.Core = nil
	case besideGarbage:
		s.Masks.Garbage = nil
	case besideBackdrop:
		s.Backdrop = nil
	}
}

// UseCore, UseGarbage and UseBackdrop take a core matte, a garbage matte and the picture behind the key from a file. The
// file is read again if it is that already.
func (w *Workspace) UseCore(path string)     { w.useBeside(besideCore, path) }
func (w *Workspace) UseGarbage(path string)  { w.useBeside(besideGarbage, path) }
func (w *Workspace) UseBackdrop(path string) { w.useBeside(besideBackdrop, path) }

func (w *Workspace) useBeside(k besideKind, path string) {
	w.change(func(s *State) {
		if s.Plate == nil {
			return
		}
		next := s.moment()
		c := &next.Choices
		switch k {
		case besideCore:
			c.Core = path
		case besideGarbage:
			c.Garbage = path
		case besideBackdrop:
			if c.Backdrop != path {
				c.BackdropSpace = ""
			}
			c.Backdrop, c.Look.Background = path, settings.BackgroundPicture
		}
		if !next.Choices.Equal(s.Choices) {
			// Each file is a step of its own.
			w.besideTurn++
			s.History.record(views.Step{Name: k.String(), Turn: w.besideTurn}, s.moment())
		}
		s.Problem = nil
		w.take(s, next)
		if s.besideAsked(k) == s.besideHeld(k) {
			w.startBeside(s, k)
		}
	})
}

// wakeBeside starts to read the files that are chosen and not read yet. The state is being changed.
func (w *Workspace) wakeBeside(s *State) {
	for k := range besideKinds {
		ask := s.besideAsked(k)
		switch {
		case s.Plate == nil || ask == s.besideHeld(k) && s.reading[k].besideFile != ask:
			s.reading[k] = besideReading{}
		case ask == s.besideHeld(k):
			// It is being read again.
		case ask == besideFile{}:
			s.drop(k)
			s.reading[k] = besideReading{}
		case s.reading[k].besideFile != ask:
			w.startBeside(s, k)
		}
	}
	w.wake(s)
}

// startBeside starts to read the file that is chosen for a kind. The state is being changed.
func (w *Workspace) startBeside(s *State, k besideKind) {
	w.besideTurn++
	s.reading[k] = besideReading{s.besideAsked(k), w.besideTurn}
	plate, reading := s.Plate, s.reading[k]
	w.reading.Go(func() { w.readBeside(plate, k, reading) })
}

// readBeside reads a file, unless another is wanted by then.
func (w *Workspace) readBeside(plate *Plate, k besideKind, r besideReading) {
	var mask keying.Mask
	var backdrop *Backdrop
	var err error
	if k == besideBackdrop {
		backdrop, err = readBackdrop(r.besideFile)
	} else {
		mask, err = plate.Source.ReadMask(r.path)
	}
	w.change(func(s *State) {
		if s.Plate != plate || s.reading[k] != r {
			return
		}
		s.reading[k] = besideReading{}
		switch {
		case err != nil:
			s.refuseBeside(k, r.besideFile, err)
			w.touch(s)
			// Whether a comp is written may hang on it.
			w.reading.Go(w.names)
		case k == besideCore:
			s.Masks.Core = &Mask{mask, r.path}
		case k == besideGarbage:
			s.Masks.Garbage = &Mask{mask, r.path}
		case k == besideBackdrop:
			s.Backdrop = backdrop
		}
		w.wakeBeside(s)
	})
}

// readBackdrop reads a picture and makes it ready to be looked at.
func readBackdrop(f besideFile) (*Backdrop, error) {
	read, err := keying.ReadBackdrop(f.path, f.space)
	if err != nil {
		return nil, err
	}
	return &Backdrop{Path: f.path, Space: f.space, File: read.File, Note: read.Note, Shown: views.NewShownBackdrop(read.Picture)}, nil
}

// refuseBeside tells why a file cannot be used. The one before it stays: all else goes on.
func (s *State) refuseBeside(k besideKind, f besideFile, err error) {
	s.Problem = problem(err, k.remedy(), f.path)
	background := settings.DefaultLook().Background
	if last(s.History.past) == k.String() {
		background = s.History.past[len(s.History.past)-1].Choices.Look.Background
		s.History.forget()
	}
	c, before := &s.Choices, s.besideHeld(k)
	switch k {
	case besideCore:
		c.Core = before.path
	case besideGarbage:
		c.Garbage = before.path
	case besideBackdrop:
		c.Backdrop, c.BackdropSpace = before.path, before.space
		if before.path == "" && c.Look.Background == settings.BackgroundPicture {
			c.Look.Background = background
		}
	}
}

// besideUnread says which file is still being read; empty when none is.
func (s *State) besideUnread() string {
	for k := range besideKinds {
		if r := s.reading[k]; r.path != "" {
			return fmt.Sprintf("Reading %s", filepath.Base(r.path))
		}
	}
	return ""
}

// source is what an export is made from: the plate with the key's hint, and all that is chosen beside it.
func (s *State) source() keying.Source {
	source := s.Key.Hint.Source
	m := s.Choices.Marks
	source.Marks.Core, source.Marks.Garbage, source.Marks.Kept, source.Marks.KeptStrokes = m.Core, m.Garbage, m.Kept, m.KeptStrokes
	source.Masks = s.Masks.images()
	for _, mask := range []struct {
		*Mask
		used *keying.UsedFile
	}{
		{s.Masks.Core, &source.Core}, {s.Masks.Garbage, &source.Garbage},
	} {
		if mask.Mask != nil {
			*mask.used = mask.File
			source.Warnings = append(source.Warnings[:len(source.Warnings):len(source.Warnings)], mask.Warnings...)
		}
	}
	source.BackdropFile = keying.UsedFile{}
	if b := s.Backdrop; b != nil && b.Path == s.Choices.Backdrop {
		source.BackdropFile = b.File
	}
	return source
}
