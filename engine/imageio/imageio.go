// Package imageio reads picture files into float32 pictures and writes float32 images to files.
//
// Reading: the content of a file decides what it is, never its name. Sizes are read from headers and held
// against Limits before memory for pixels is taken, so that a hostile file cannot spend memory. Pictures come
// out upright, colour as stored, straight alpha apart from it. What cannot be read is refused by name.
//
// Writing: PNG and TIFF in 16 bits a sample with straight alpha, OpenEXR in floating point with premultiplied colour
// in linear light, through a temporary file that takes its place only when it is
// whole and on disk; see Batch.
package imageio

import (
	"errors"
	"io"
	"os"

	"greenroom/engine/colour"
	"greenroom/engine/picture"
)

// Format is a file format that is read.
type Format string

// The formats that are read. PNG, TIFF and OpenEXR are written as well.
const (
	PNG  Format = "PNG"
	JPEG Format = "JPEG"
	TIFF Format = "TIFF"
	EXR  Format = "OpenEXR"
	DPX  Format = "DPX"
)

// Header is what a file says of its picture.
type Header struct {
	// Format is what the content is, whatever the file is called.
	Format Format
	// W and H are the size in pixels of the upright picture.
	W, H int
	// Channels counts the samples of a pixel: 1 grey, 2 grey and alpha, 3 colour, 4 colour and alpha.
	// A palette counts as colour. CMYK counts as colour: that is how it is read.
	Channels int
	// Depth is the number of bits of a sample as stored; of the palette's colours for a palette.
	Depth int
	// Float says that samples are floating point: values may lie outside 0..1.
	Float bool
	// Orientation is what EXIF or TIFF says, 1..8; 1 where nothing is said. It has been applied.
	Orientation int
	// Space is what the numbers are taken for, and SpaceBy what in the file says so ("its colour profile"); empty where
	// nothing does: then floating point is linear light and whole numbers are sRGB.
	Space   colour.Space
	SpaceBy string
	// ICC is the embedded colour profile; nil where there is none.
	ICC []byte
	// CICP holds the four code points of a PNG's cICP chunk (ITU-T H.273: primaries, transfer, matrix,
	// range); nil where there is none.
	CICP []byte
	// Subsampling is a JPEG's chroma subsampling as J:a:b ("4:2:0"); empty where there is no chroma to lose.
	Subsampling string
	// EXR is what only OpenEXR files say; nil for others.
	EXR *EXRInfo
	// WrittenByGreenroom says that this program wrote the file; Pass says which pass it holds ("matte").
	WrittenByGreenroom bool
	Pass               string
	// Notes are remarks for the artist, each a sentence: what was left out or assumed.
	Notes []string
}

// HasAlpha reports whether the file holds alpha.
func (h Header) HasAlpha() bool { return h.Channels == 2 || h.Channels == 4 }

// File is a picture file that has been read.
type File struct {
	Header
	// Picture is the picture, upright. A grey file has three equal colour channels.
	Picture picture.Picture
}

// Limits bounds what a file may ask for. A zero field means its default.
type Limits struct {
	// Pixels is the most pixels a picture may have; 200 million by default.
	Pixels int64
	// Side is the most pixels a side may have; 65535 by default.
	Side int
}

const (
	defaultPixels = 200_000_000
	defaultSide   = 65535
)

// check refuses sizes that are empty or over the limits.
func (l Limits) check(w, h int64) error {
	if l.Pixels <= 0 {
		l.Pixels = defaultPixels
	}
	if l.Side <= 0 {
		l.Side = defaultSide
	}
	switch {
	case w < 1 || h < 1:
		return damaged("its header says that it is %d x %d pixels", w, h)
	case w > int64(l.Side) || h > int64(l.Side) || w > l.Pixels/h:
		return &Error{
			Why: sentence("it is %d x %d pixels; the limit is %d pixels a side and %.4g megapixels", w, h, l.Side, float64(l.Pixels)/1e6),
			Fix: "scale it down or cut it into parts",
			Err: ErrTooLarge,
		}
	}
	return nil
}

// Open reads the picture file at path. Errors are *Error and say what is wrong and what to do.
func Open(path string, limits Limits) (*File, error) {
	return OpenLayer(path, "", limits)
}

// OpenLayer is Open for one layer of an OpenEXR file, by its name as EXRInfo.Layers has it, or for one channel by its
// full name. The empty name stands for the picture itself. Other files have no layers: there a name is an error.
func OpenLayer(path, layer string, limits Limits) (*File, error) {
	var file *File
	err := withFile(path, func(r io.ReaderAt, size int64) (err error) {
		file, err = decodeLayer(r, size, path, layer, limits)
		return err
	})
	return file, err
}

// ReadHeader reads only what the file at path says of its picture: no pixels, little time. That the header
// is sound does not mean that the pixels are.
func ReadHeader(path string, limits Limits) (*Header, error) {
	var header *Header
	err := withFile(path, func(r io.ReaderAt, size int64) error {
		s, err := inspect(r, size, limits, "")
		if err != nil {
			return reading(path, err)
		}
		header = &s.header
		return nil
	})
	return header, err
}

// Decode reads the picture file of size bytes that r holds; name stands for it in errors.
func Decode(r io.ReaderAt, size int64, name string, limits Limits) (*File, error) {
	return decodeLayer(r, size, name, "", limits)
}

func decodeLayer(r io.ReaderAt, size int64, name, layer string, limits Limits) (*File, error) {
	s, err := inspect(r, size, limits, layer)
	if err != nil {
		return nil, reading(name, err)
	}
	file := &File{Header: s.header}
	err = guarded(func() error {
		file.Picture, err = s.pixels()
		return err
	})
	if err != nil {
		return nil, reading(name, err)
	}
	if file.HasAlpha() && file.Picture.Alpha.Empty() {
		file.Channels-- // a palette that could have been transparent and is not
	}
	file.Picture.Space = s.header.Space
	file.Picture.RGB = orient(file.Picture.RGB, s.header.Orientation)
	file.Picture.Alpha = orient(file.Picture.Alpha, s.header.Orientation)
	file.Notes = append(file.Notes, s.pixelNotes...)
	return file, nil
}

// source is a file whose header has been read.
type source struct {
	header Header
	// pixels reads the picture as stored, not yet upright.
	pixels func() (picture.Picture, error)
	// pixelNotes are notes that only the pixels could give.
	pixelNotes []string
	// said is a space that the format's own fields state, and by which; "" where they do not. A profile goes before it.
	said   colour.Space
	saidBy string
}

// inspect finds out what the file is, reads its header and holds it against the limits. layer is as for OpenLayer.
func inspect(r io.ReaderAt, size int64, limits Limits, layer string) (s *source, err error) {
	format, err := identify(r, size)
	if err != nil {
		return nil, err
	}
	if layer != "" && format != EXR {
		return nil, &Error{
			Why: sentence("it is a %s file, which has no layers", format),
			Fix: "name no layer, or give an OpenEXR file", Err: ErrUnsupported,
		}
	}
	err = guarded(func() error {
		switch format {
		case PNG:
			s, err = inspectPNG(r, size, limits)
		case JPEG:
			s, err = inspectJPEG(r, size, limits)
		case TIFF:
			s, err = inspectTIFF(r, size, limits)
		case EXR:
			s, err = inspectEXR(r, size, limits, layer)
		case DPX:
			s, err = inspectDPX(r, size, limits)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	s.header.Format = format
	s.guessSpace()
	if s.header.Orientation < 1 || s.header.Orientation > 8 {
		s.header.Orientation = 1
	}
	if s.header.Orientation >= 5 {
		s.header.W, s.header.H = s.header.H, s.header.W
	}
	return s, nil
}

// guarded calls f and turns a panic in it into an error: decoders of foreign bytes have been known to panic.
func guarded(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = damaged("the decoder failed on it: %v", p)
		}
	}()
	return f()
}

// withFile opens the file at path for f. Only regular files are opened: reading a pipe could wait for ever.
func withFile(path string, f func(r io.ReaderAt, size int64) error) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return reading(path, err)
	case info.IsDir():
		return reading(path, &Error{Why: "it is a folder", Fix: "give a picture file"})
	case !info.Mode().IsRegular():
		return reading(path, &Error{Why: "it is not a regular file", Fix: "give a picture file"})
	}
	file, err := os.Open(path)
	if err != nil {
		return reading(path, err)
	}
	defer file.Close()
	return f(file, info.Size())
}

// readAt reads n bytes at off; a file that ends before is cut short.
func readAt(r io.ReaderAt, off int64, n int) ([]byte, error) {
	b := make([]byte, n)
	got, err := r.ReadAt(b, off)
	if got == n {
		return b, nil
	}
	if errors.Is(err, io.EOF) {
		return nil, cutShort()
	}
	return nil, err
}
