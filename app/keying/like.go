package keying

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"greenroom/engine/device"
	"greenroom/engine/device/choose"
	"greenroom/engine/settings"
	"greenroom/presets"
)

// mostSidecar is the size in bytes of the largest sidecar that is read: the most points that strokes may have fit, a million
// of up to 45 bytes.
const mostSidecar = 48 << 20

// alwaysThere are tables that every sidecar has, the last one of them all at its end: where one is missing, the file was
// cut short.
var alwaysThere = []string{"engine", "look", "machine"}

// Like is a key that others are to be like: what its sidecar says.
type Like struct {
	// Path is the sidecar's.
	Path string
	side sidecar
}

// ReadLike reads a sidecar. Controls that it does not name have their defaults.
func ReadLike(path string) (*Like, error) {
	f, err := OpenRegular(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	side, err := readSidecarFrom(f)
	if err != nil {
		return nil, fmt.Errorf("cannot use %s: %w", path, err)
	}
	return &Like{Path: path, side: side}, nil
}

// readSidecarFrom reads and checks a sidecar.
func readSidecarFrom(r io.Reader) (sidecar, error) {
	text, err := io.ReadAll(io.LimitReader(r, mostSidecar+1))
	if err != nil {
		return sidecar{}, err
	}
	if len(text) > mostSidecar {
		return sidecar{}, fmt.Errorf("it is larger than %d MB (give the .toml file beside a key)", mostSidecar>>20)
	}
	side := sidecar{Look: settings.DefaultLook()}
	meta, err := presets.Decode(string(text), &side)
	if err != nil {
		return sidecar{}, fmt.Errorf("it is no sidecar: %w (give the .toml file beside a key)", err)
	}
	switch {
	case !meta.IsDefined("schema"):
		return sidecar{}, errors.New("it is no sidecar: it says no schema (give the .toml file beside a key)")
	case side.Schema < 1:
		return sidecar{}, fmt.Errorf("it is no sidecar: there is no schema %d (give the .toml file beside a key)", side.Schema)
	case side.Schema > sidecarSchema:
		return sidecar{}, fmt.Errorf("a newer Greenroom wrote it (schema %d; this one knows %d)", side.Schema, sidecarSchema)
	}
	for _, table := range alwaysThere {
		if !meta.IsDefined(table) {
			return sidecar{}, fmt.Errorf("it is cut short: it has no [%s] (give another sidecar, or key again without it)", table)
		}
	}
	if err := side.Look.Validate(); err != nil {
		return sidecar{}, err
	}
	if err := side.validateExport(); err != nil {
		return sidecar{}, err
	}
	if err := side.Edit.Validate(); err != nil {
		return sidecar{}, err
	}
	if err := side.Marks.marks().Validate(); err != nil {
		return sidecar{}, err
	}
	if _, err := side.asked(); err != nil || side.Session == nil {
		return side, err
	}
	return side, side.Session.validate()
}

// Look is the look of the key.
func (l *Like) Look() settings.Look { return l.side.Look }

// Edit is what was done with the hint of the key.
func (l *Like) Edit() settings.HintEdit { return l.side.Edit }

// Settings are how the key was run; what its sidecar does not name has its default.
func (l *Like) Settings() settings.Settings {
	s := settings.Default()
	asked, _ := l.side.asked() // ReadLike looked
	_ = apply(&s, asked)
	return s
}

// Model is what OpenModel opened, and Hash the SHA-256 of those weights.
func (l *Like) Model() (name, hash string) { return l.side.Model.Name, l.side.Model.SHA256 }

// asked returns the engine's settings of the key, in the order of their names.
func (s sidecar) asked() ([]Setting, error) {
	var list []Setting
	for _, name := range settings.Names() {
		if v, ok := s.Engine[name]; ok {
			list = append(list, Setting{Name: name, Value: fmt.Sprint(v)})
		}
	}
	check := settings.Default()
	if err := apply(&check, list); err != nil {
		return nil, err
	}
	return list, check.Validate()
}

// Order returns an order that is like the key: what is written of it and how, where o does not say, its engine's settings under those that o asks for, and its background
// picture with the space that the artist gave it. Of another plate usual is written. Where o's plate is the very one of the key, the hint, the masks and the marks come along, and the space and the
// layer if the artist had chosen them; of another plate only what fits any plate is taken. The look and the hint's edit are o's own: Look and Edit
// give the key's. same says which of both it was. Files that are gone or have changed are errors that name them.
func (l *Like) Order(o Order, usual Export) (order Order, same bool, err error) {
	asked, err := l.side.asked()
	if err != nil {
		return Order{}, false, err
	}
	if same, err = l.samePlate(o); err != nil {
		return Order{}, false, err
	}
	if same {
		o = l.written(o)
	}
	if len(o.Passes) == 0 {
		o.Passes = usual.Passes
	}
	if o.Format == "" {
		o.Format = usual.Format
	}
	o.Asked = slices.Concat(asked, o.Asked)
	files := l.side.Files
	if o.Backdrop == "" {
		path, err := l.find(files.Backdrop, o)
		switch {
		case o.needsBackdrop() && err != nil:
			return Order{}, false, err
		case o.needsBackdrop():
			o.Backdrop = path
		default:
			// Whether it is still there does not matter to this key, but to the next one like it.
			if o.unseen = files.Backdrop; err == nil {
				o.unseen.Path = path
			}
		}
		if o.BackdropSpace == "" {
			o.BackdropSpace = l.side.BackgroundSpace
		}
	}
	if !same {
		return o, false, nil
	}
	if o.Space == "" {
		o.Space = l.side.SpaceAsked
	}
	if o.Layer == "" {
		o.Layer = l.side.Layer
	}
	marks := l.side.Marks.marks()
	if o.Hint == "" && len(o.Picks) == 0 && len(o.Marks.Samples) == 0 {
		o.Marks.Samples = marks.Samples
		o.Chroma = files.Hint.Path == ""
		if o.Hint, err = l.find(files.Hint, o); err != nil {
			return Order{}, false, err
		}
	}
	if o.Core == "" {
		if o.Core, err = l.find(files.Core, o); err != nil {
			return Order{}, false, err
		}
	}
	if o.Garbage == "" {
		if o.Garbage, err = l.find(files.Garbage, o); err != nil {
			return Order{}, false, err
		}
	}
	o.Marks.Hint, o.Marks.Core, o.Marks.Garbage = marks.Hint, marks.Core, marks.Garbage
	o.Marks.Kept, o.Marks.KeptStrokes = slices.Concat(marks.Kept, o.Marks.Kept), marks.KeptStrokes
	return o, true, nil
}

// written returns an order that writes what was written of the key, as it was written, where the order does not say: of
// how, only what has something to act on.
func (l *Like) written(o Order) Order {
	side := l.side
	if len(o.Passes) == 0 {
		o.Passes = side.Passes
	}
	if o.Format == "" {
		o.Format = side.Format
	}
	exr := o.Format == FormatEXR
	if exr && o.MatteChannels == "" {
		o.MatteChannels = side.MatteChannels
	}
	if exr && o.Depth == "" && side.Float {
		o.Depth = DepthFloat
	}
	if !exr && o.CompDepth == 0 {
		o.CompDepth = side.CompDepth
	}
	return o
}

// OtherDevice says that a key was made on another device than the one of a report; "" where it was the same, or where
// nobody knows.
func (l *Like) OtherDevice(r *Report) string {
	then, now := l.side.Device, r.ranOn
	if then == nil || then.Kind == now.Kind && then.Name == now.Name {
		return ""
	}
	words := func(kind, name string) string {
		if kind == choose.CPU {
			return "the processor " + name
		}
		return DeviceWords(choose.Using{Info: device.Info{Kind: kind, Name: name}})
	}
	return fmt.Sprintf("%s was made on %s: on %s the bytes may differ", l.Path, words(then.Kind, then.Name), words(now.Kind, now.Name))
}

// samePlate reports whether an order's plate is the key's. Every sample is.
func (l *Like) samePlate(o Order) (bool, error) {
	known := l.side.Files.Plate.SHA256
	if o.Plate == "" {
		return known == "", nil
	}
	file, err := hashFile(o.Plate)
	return file.SHA256 == known, err
}

// find looks for a file that went into the key: where it was, beside the plate, beside the sidecar, beside its folder. It returns "" for
// none.
func (l *Like) find(f UsedFile, o Order) (string, error) {
	if f.Path == "" {
		return "", nil
	}
	path, lost := l.recallFile(f, o.Plate)
	switch {
	case lost == nil:
		return path, nil
	case lost.Changed:
		return "", fmt.Errorf("cannot repeat %s: %s has changed since (give the file of then, or another one by its flag)", l.Path, path)
	}
	return "", fmt.Errorf("cannot repeat %s: %s is not there any more (put it back, or give another one by its flag)", l.Path, f.Path)
}
