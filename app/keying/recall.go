package keying

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"greenroom/engine/imageio"
	"greenroom/engine/settings"
	"greenroom/presets"
)

// SaveSidecar writes the sidecar of a plate as it is chosen now, keyed or not, in one step; used are the settings that a
// key would run with. The order's Session goes along. The folder is made where it is not there. Errors are *imageio.Error.
func SaveSidecar(ctx context.Context, path string, o Order, s Source, used settings.Settings) error {
	side := baseSidecar(o, s)
	side.Warnings, side.Engine, side.Edit = []string{}, used.Map(), o.Edit
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		why := err
		var at *fs.PathError
		if errors.As(err, &at) {
			why = at.Err // the path is told already
		}
		return &imageio.Error{
			What: "cannot make the folder " + filepath.Dir(path), Why: why.Error(), Fix: "choose another folder, or make room for it", Err: err,
		}
	}
	return imageio.Replace(ctx, path, side.encode)
}

// Recall is what a window takes up again of a sidecar.
type Recall struct {
	// Choices have the paths of files that are there.
	Choices settings.Choices
	// Preset is the name of the preset; empty for none. Edits are the single settings over it, in the order of their names.
	Preset string
	Edits  []presets.Setting
	// Model is the model that the artist chose over the preset's; empty for none. Hash is that of the weights.
	Model, Hash string
	// Passes, Format, MatteChannels, Float and CompDepth are those of the export.
	Passes        []Pass
	Format        Format
	MatteChannels MatteChannels
	Float         bool
	CompDepth     int
	// Written is when the sidecar was.
	Written time.Time
	// Lost are the files that are gone, and those that are other ones now.
	Lost []Lost
}

// UsedAs is what a file was used as.
type UsedAs string

// What files are used as.
const (
	UsedAsHint     UsedAs = "hint"
	UsedAsCore     UsedAs = "core matte"
	UsedAsGarbage  UsedAs = "garbage matte"
	UsedAsBackdrop UsedAs = "background picture"
)

// Lost is a file that is not as it was. One that has changed is taken as it is now, one that is gone is left out.
type Lost struct {
	As      UsedAs
	Path    string
	Changed bool
}

// PlatePath returns where the plate of the key is: where it was, beside the sidecar, or beside the folder of that. Of
// several files of that name the very one goes before the others. ok is false where there is none; the path then is where
// it was. The sample has no path.
func (l *Like) PlatePath() (path string, ok bool) {
	was := l.side.Files.Plate
	if was.Path == "" {
		return "", true
	}
	base, folder := filepath.Base(was.Path), filepath.Dir(l.Path)
	there := ""
	for _, path := range []string{was.Path, filepath.Join(folder, base), filepath.Join(filepath.Dir(folder), base)} {
		found, err := hashFile(path)
		switch {
		case err != nil:
		case found.SHA256 == was.SHA256:
			return path, true
		case there == "":
			there = path
		}
	}
	if there == "" {
		return was.Path, false
	}
	return there, true
}

// SamePlate reports whether a plate that was read is the very one of the key.
func (l *Like) SamePlate(s Source) bool { return s.PlateFile.SHA256 == l.side.Files.Plate.SHA256 }

// Recall returns what was chosen for the key, for a plate that lies at a path; empty for the sample. Files that went into it
// are looked for where they were, beside the plate, beside the sidecar and beside the folder of that.
func (l *Like) Recall(plate string) Recall {
	side := l.side
	r := Recall{
		Choices: settings.Choices{
			Look: side.Look, Edit: side.Edit, Marks: side.Marks.marks(), BackdropSpace: side.BackgroundSpace, Space: side.SpaceAsked, Layer: side.Layer,
		},
		Preset: side.Preset, Hash: side.Model.SHA256, Written: side.Written,
		Passes: side.Passes, Format: side.Format, MatteChannels: side.MatteChannels,
		Float: side.Float, CompDepth: side.CompDepth,
	}
	find := func(f UsedFile, as UsedAs) string {
		path, lost := l.recallFile(f, plate)
		if lost != nil {
			lost.As = as
			r.Lost = append(r.Lost, *lost)
		}
		return path
	}
	hint := find(side.Files.Hint, UsedAsHint)
	r.Choices.Core = find(side.Files.Core, UsedAsCore)
	r.Choices.Garbage = find(side.Files.Garbage, UsedAsGarbage)
	if r.Choices.Backdrop = find(side.Files.Backdrop, UsedAsBackdrop); r.Choices.Backdrop == "" {
		r.Choices.BackdropSpace = ""
		if r.Choices.Look.Background == settings.BackgroundPicture {
			r.Choices.Look.Background = settings.DefaultLook().Background
		}
	}
	r.Choices.Hint, r.Choices.Chroma = hint, side.Files.Hint.Path == ""
	if s := side.Session; s != nil {
		r.Model = s.Model
		for _, name := range settings.Names() {
			if v, ok := s.Edits[name]; ok {
				r.Edits = append(r.Edits, presets.Setting{Name: name, Value: v})
			}
		}
		r.Choices.Chroma = s.Hint == HintScreen
		if s.Hint != HintFile {
			// What lies beside the plate is found again.
			r.Choices.Hint = ""
		}
		return r
	}
	r.Edits, _ = side.asked() // ReadLike looked
	if name := side.Model.Name; name != DefaultModel {
		r.Model = name
	}
	return r
}

// Asked are all the settings that the key was run with, in the order of their names.
func (l *Like) Asked() []Setting {
	asked, _ := l.side.asked() // ReadLike looked
	return asked
}

// recallFile looks for a file that went into a key. It returns "" for none and for one that is gone.
func (l *Like) recallFile(f UsedFile, plate string) (path string, lost *Lost) {
	if f.Path == "" {
		return "", nil
	}
	base, folder := filepath.Base(f.Path), filepath.Dir(l.Path)
	changed := ""
	for _, dir := range []string{filepath.Dir(f.Path), filepath.Dir(plate), folder, filepath.Dir(folder)} {
		path := filepath.Join(dir, base)
		found, err := hashFile(path)
		switch {
		case err == nil && (f.SHA256 == "" || found.SHA256 == f.SHA256):
			return path, nil
		case err == nil && changed == "":
			changed = path
		}
	}
	if changed != "" {
		return changed, &Lost{Path: changed, Changed: true}
	}
	return "", &Lost{Path: f.Path}
}
