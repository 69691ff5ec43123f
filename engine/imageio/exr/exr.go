// Package exr reads and writes OpenEXR pictures in pure Go.
//
// Reading: scan lines and tiles (their full resolution), one part or several, samples of half, float and
// whole numbers, and every compression of OpenEXR 3.1: none, RLE, ZIPS, ZIP, PIZ, PXR24, B44, B44A, DWAA and
// DWAB. Deep data and pictures in luminance and chroma are refused by name. Sizes, tables and lengths are held
// against the file before memory is taken; blocks are unpacked on all processors.
//
// Writing: one part of scan lines, half or float, ZIP.
//
// Sources: "OpenEXR File Layout" and "Technical Introduction to OpenEXR" (openexr.com), and for DWA and B44 what
// those say together with the files that OpenEXR writes.
package exr

import (
	"errors"
	"fmt"
)

// Kinds of fault, for errors.Is.
var (
	// ErrUnsupported means a sound file that holds what is not read.
	ErrUnsupported = errors.New("unsupported OpenEXR")
	// ErrDamaged means a file that is cut short or breaks the format's rules.
	ErrDamaged = errors.New("damaged OpenEXR")
)

// Error is a fault of a file, in words for the artist.
type Error struct {
	// Why is what is wrong: "the file is cut short"; for ErrUnsupported it is what cannot be read: "deep OpenEXR".
	Why string
	// Err is ErrUnsupported or ErrDamaged.
	Err error
}

// Error returns what is wrong.
func (e *Error) Error() string {
	if e.Err == ErrUnsupported {
		return e.Why + " cannot be read"
	}
	return e.Why
}

// Unwrap returns the kind of fault.
func (e *Error) Unwrap() error { return e.Err }

func damaged(format string, args ...any) error {
	return &Error{Why: fmt.Sprintf(format, args...), Err: ErrDamaged}
}

func unsupported(format string, args ...any) error {
	return &Error{Why: fmt.Sprintf(format, args...), Err: ErrUnsupported}
}

func cutShort() error { return damaged("the file is cut short") }

// PixelType is how a channel's samples are stored.
type PixelType int32

// The pixel types, with the numbers that files have for them.
const (
	// Uint is an unsigned whole number of 32 bits.
	Uint PixelType = 0
	// Half is an IEEE 754 float of 16 bits.
	Half PixelType = 1
	// Float is an IEEE 754 float of 32 bits.
	Float PixelType = 2
)

// bytes returns the bytes of a sample.
func (t PixelType) bytes() int {
	if t == Half {
		return 2
	}
	return 4
}

// Bits returns the bits of a sample.
func (t PixelType) Bits() int { return 8 * t.bytes() }

// Compression is how a part's blocks are packed.
type Compression uint8

// The compressions, with the numbers that files have for them.
const (
	None Compression = iota
	RLE
	ZIPS
	ZIP
	PIZ
	PXR24
	B44
	B44A
	DWAA
	DWAB
)

var compressions = [...]struct {
	name string
	// lines is how many scan lines make a block.
	lines int
	// ratio is more than the most bytes that a packed byte can stand for.
	ratio int64
}{
	None:  {"none", 1, 1},
	RLE:   {"RLE", 1, 64},                  // 128 bytes from two
	ZIPS:  {"ZIPS", 1, deflateRatio},       // Deflate
	ZIP:   {"ZIP", 16, deflateRatio},       // Deflate
	PIZ:   {"PIZ", 32, 1024},               // 255 samples from nine bits
	PXR24: {"PXR24", 16, 2 * deflateRatio}, // Deflate of three bytes of four
	B44:   {"B44", 32, 16},                 // 32 bytes from three
	B44A:  {"B44A", 32, 16},
	DWAA:  {"DWAA", 32, 128 * deflateRatio}, // Deflate of two samples of 64
	DWAB:  {"DWAB", 256, 128 * deflateRatio},
}

// deflateRatio is more than the most that Deflate can pack: 258 bytes in two bits, 1032 to 1.
const deflateRatio = 1040

// String returns the compression's name as OpenEXR has it: "ZIP".
func (c Compression) String() string {
	if int(c) < len(compressions) {
		return compressions[c].name
	}
	return fmt.Sprintf("compression %d", uint8(c))
}

// Box is a rectangle of pixels; both corners belong to it.
type Box struct{ MinX, MinY, MaxX, MaxY int32 }

// W returns the width in pixels; under 1 for a box that is none.
func (b Box) W() int64 { return int64(b.MaxX) - int64(b.MinX) + 1 }

// H returns the height in pixels; under 1 for a box that is none.
func (b Box) H() int64 { return int64(b.MaxY) - int64(b.MinY) + 1 }

// Channel is one channel of a part.
type Channel struct {
	// Name is the full name with its layers: "diffuse.R".
	Name string
	Type PixelType
	// Perceptual is OpenEXR's pLinear: B44 packs the channel through an exponential.
	Perceptual bool
	// XSampling and YSampling say that only every n-th pixel across and down is stored; 1 and 1 for all.
	XSampling, YSampling int
}

// whole reports whether the channel has a sample for every pixel.
func (c Channel) whole() bool { return c.XSampling == 1 && c.YSampling == 1 }

// Chromaticities are CIE x and y of a picture's primaries and white: red, green, blue, white.
type Chromaticities [8]float32

// Rec709 are the chromaticities that files without any have (ITU-R BT.709, white D65).
var rec709 = Chromaticities{0.64, 0.33, 0.30, 0.60, 0.15, 0.06, 0.3127, 0.3290}

// IsRec709 reports whether the chromaticities are those of Rec.709, to the digits that writers give.
func (c Chromaticities) IsRec709() bool {
	for i, v := range c {
		if d := v - rec709[i]; !(d > -0.0005 && d < 0.0005) {
			return false
		}
	}
	return true
}

// Part is one picture of a file.
type Part struct {
	// Name is the part's name and View the eye that sees it ("left"); empty where nothing is said.
	Name, View string
	// Channels are in the order of their names, which is the order in which they are stored.
	Channels    []Channel
	Compression Compression
	// Data is the window that pixels are stored for; Display is the picture's. Either may reach beyond the
	// other.
	Data, Display Box
	// PixelAspect is the width of a pixel over its height; 1 where nothing sensible is said.
	PixelAspect float32
	// Chromaticities are nil where nothing is said.
	Chromaticities *Chromaticities
	// Text holds the attributes that are strings, by their names: "comments", "software". Long ones are left out.
	Text map[string]string
	// Tiled says that pixels are stored in tiles of TileW x TileH, Levels that smaller copies follow.
	Tiled        bool
	TileW, TileH int
	Levels       bool
	// Deep says that a pixel has any number of samples: such a part cannot be read.
	Deep bool

	chunks int64 // chunkCount; 0 where nothing is said
	table  int64 // where the table of offsets lies in the file
}
