package imageio

import (
	"greenroom/engine/colour"
	"greenroom/engine/picture"
)

const (
	// software is what files say wrote them.
	software = "Greenroom"
	// markKey names the text that marks our own files; its value is the pass. TIFF has it as "Greenroom: PASS".
	markKey = "Greenroom"
)

// Meta is what a written file says beside its pixels.
type Meta struct {
	// Pass is which pass the file holds: "matte", "key", "fg" or "comp".
	Pass string
	// Space is what the colour means. A one-channel image is a measure, not a colour: it is never described.
	Space colour.Space
	// ICC is the plate's own colour profile, carried along; it goes before Space. Without it TIFF and PNG get a profile
	// of Space, where there is one.
	ICC []byte
	// CICP holds the code points of the plate's own cICP chunk, carried along; only PNG takes it over.
	CICP []byte
	// EXR is what an OpenEXR plate says of its window and primaries, and a comment; only WriteEXR takes it over.
	EXR *EXRInfo
}

// layers is an image to be written, of 1 to 4 samples a pixel: those of colour, then alpha's.
type layers struct {
	colour, alpha picture.Image
	samples       int
	// width is the bytes of a sample, 1 or 2.
	width int
}

// newLayers checks that the images can be written as one, of samples of one byte or two.
func newLayers(colour, alpha picture.Image, width int) (layers, error) {
	l := layers{colour, alpha, colour.C, width}
	if !alpha.Empty() {
		if alpha.C != 1 || !alpha.SameSize(colour) {
			return l, &Error{Why: sentence("its alpha is %d x %d with %d channels, its colour %d x %d",
				alpha.W, alpha.H, alpha.C, colour.W, colour.H)}
		}
		l.samples++
	}
	if colour.Empty() || l.samples < 1 || l.samples > 4 {
		return l, &Error{Why: sentence("an image of %d x %d pixels with %d channels cannot be stored",
			colour.W, colour.H, l.samples)}
	}
	return l, nil
}

// pixelBytes and rowBytes return the bytes of a pixel and of a row.
func (l layers) pixelBytes() int { return l.width * l.samples }
func (l layers) rowBytes() int   { return l.pixelBytes() * l.colour.W }

// pack writes row y as samples into dst, of two bytes the high one first or last: round-half-up of 65535, or 255, times the
// value clamped to 0..1, so that a level read from a file of that depth survives. NaN is an error: whatever it were
// written as would look like an answer.
func (l layers) pack(dst []byte, y int, bigEndian bool) error {
	if l.width == 1 {
		return l.packBytes(dst, y)
	}
	high, low := 0, 1
	if !bigEndian {
		high, low = 1, 0
	}
	put := func(at int, v float32) bool {
		if !(v > 0) {
			dst[at], dst[at+1] = 0, 0
			return v == v
		}
		n := uint16(min(v, 1)*65535 + 0.5)
		dst[at+high], dst[at+low] = byte(n>>8), byte(n)
		return true
	}
	colour, c, step := l.colour.Row(y), l.colour.C, 2*l.samples
	finite := true
	for i := range c {
		at := 2 * i
		for x := i; x < len(colour); x += c {
			finite = put(at, colour[x]) && finite
			at += step
		}
	}
	if !l.alpha.Empty() {
		at := 2 * c
		for _, v := range l.alpha.Row(y) {
			finite = put(at, v) && finite
			at += step
		}
	}
	if !finite {
		return notFinite(sentence("row %d", y))
	}
	return nil
}

// packBytes is pack for samples of one byte.
func (l layers) packBytes(dst []byte, y int) error {
	finite := true
	put := func(at int, v float32) {
		dst[at] = 0
		if v > 0 {
			dst[at] = byte(min(v, 1)*255 + 0.5)
		}
		finite = finite && v == v
	}
	c := l.colour.C
	for i, v := range l.colour.Row(y) {
		put(i/c*l.samples+i%c, v)
	}
	if !l.alpha.Empty() {
		for x, v := range l.alpha.Row(y) {
			put(x*l.samples+c, v)
		}
	}
	if !finite {
		return notFinite(sentence("row %d", y))
	}
	return nil
}

// notFinite is the error for an image with NaN in it.
func notFinite(where string) error {
	return &Error{
		Why: sentence("the image holds values that are not numbers (NaN) in %s", where),
		Fix: "key the plate again; if it happens again, try another device", Err: ErrNotFinite,
	}
}
