package imageio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"greenroom/engine/colour"
	"greenroom/engine/imageio/exr"
	"greenroom/engine/picture"
)

// EXRInfo is what only OpenEXR files say. WriteEXR takes it over from the plate.
type EXRInfo struct {
	// Layer is the layer that is read, and Layers are all that could be, as OpenLayer takes them.
	Layer  string
	Layers []string
	// X and Y are where the top left corner of the display window lies.
	X, Y int
	// PixelAspect is the width of a pixel over its height.
	PixelAspect float32
	// Chromaticities are CIE x and y of red, green, blue and white; nil where nothing is said.
	Chromaticities *exr.Chromaticities
	// Comment is the file's "comments".
	Comment string
}

// inspectEXR reads the headers of an OpenEXR file. layer is the layer to be read; empty for the picture itself.
func inspectEXR(r io.ReaderAt, size int64, limits Limits, layer string) (*source, error) {
	f, err := exr.Open(r, size)
	if err != nil {
		return nil, exrFault(err)
	}
	layers := f.Layers()
	if len(layers) == 0 {
		return nil, unsupportedEXR("deep OpenEXR")
	}
	l, err := chooseLayer(f, layers, layer)
	if err != nil {
		return nil, err
	}
	p := &f.Parts[l.Part]
	// The pixels that are stored are unpacked even where they lie outside the picture.
	for _, w := range []exr.Box{p.Display, p.Data} {
		if err := limits.check(w.W(), w.H()); err != nil {
			return nil, err
		}
	}
	if err := f.Check(l.Part); err != nil {
		return nil, exrFault(err)
	}
	info := &EXRInfo{
		Layer: f.Label(l), X: int(p.Display.MinX), Y: int(p.Display.MinY),
		PixelAspect: p.PixelAspect, Chromaticities: p.Chromaticities, Comment: p.Text["comments"],
	}
	for _, l := range layers {
		info.Layers = append(info.Layers, f.Label(l))
	}
	s := &source{header: Header{
		W: int(p.Display.W()), H: int(p.Display.H()), Channels: 3, Depth: p.Channels[max(l.R, l.G)].Type.Bits(), Float: true,
		EXR: info, Notes: exrNotes(f, l, layers),
		WrittenByGreenroom: p.Text["software"] == software, Pass: p.Text[passAttribute],
	}}
	if l.Grey() {
		s.header.Channels = 1
	} else if c := p.Chromaticities; c != nil {
		if space, err := colour.LinearLight(primariesOf(*c)); err == nil {
			s.said, s.saidBy = space, "its chromaticities"
		} else {
			s.header.Notes = append(s.header.Notes, "Its chromaticities span no colours: they are left out.")
			info.Chromaticities = nil
		}
	}
	if l.A >= 0 {
		s.header.Channels++
	}
	s.pixels = func() (picture.Picture, error) {
		pic, notes, err := readEXR(f, l)
		s.pixelNotes = notes
		return pic, err
	}
	return s, nil
}

// primariesOf returns chromaticities as primaries.
func primariesOf(c exr.Chromaticities) (p colour.Primaries) {
	for i, v := range c {
		p[i] = float64(v)
	}
	return p
}

// chooseLayer returns the layer of a name, or the file's picture if there is none.
func chooseLayer(f *exr.File, layers []exr.Layer, name string) (exr.Layer, error) {
	if name != "" {
		l, ok := f.Find(layers, name)
		if ok {
			return l, nil
		}
		labels := make([]string, len(layers))
		for i, l := range layers {
			labels[i] = printable(f.Label(l))
		}
		return l, &Error{
			Why: sentence("it has no layer %q", name), Fix: "choose one of " + listed(labels), Err: ErrUnsupported,
		}
	}
	l := layers[f.Main(layers)]
	if l.Chroma {
		return l, unsupportedEXR("OpenEXR in luminance and chroma (Y, RY, BY)")
	}
	return l, nil
}

// listed puts names in a sentence, not too many of them.
func listed(names []string) string {
	const most = 12
	if len(names) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}

// exrNotes says what the artist should know of the file before it is read.
func exrNotes(f *exr.File, l exr.Layer, layers []exr.Layer) []string {
	p := &f.Parts[l.Part]
	var notes []string
	note := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	if len(f.Parts) > 1 {
		note("It has %d parts: part %d is read.", len(f.Parts), l.Part+1)
	}
	if len(layers) > 1 {
		labels := make([]string, 0, len(layers))
		for _, o := range layers {
			labels = append(labels, printable(f.Label(o)))
		}
		note("It has the layers %s: %s is read.", listed(labels), printable(f.Label(l)))
	}
	for _, c := range []struct {
		at   int
		name string
	}{{l.R, "red"}, {l.G, "green"}, {l.B, "blue"}} {
		if c.at < 0 {
			note("Its layer has no %s channel: %s is read as 0.", c.name, c.name)
		}
	}
	if name := p.Channels[max(l.R, l.G)].Name; l.Grey() && !strings.EqualFold(name[strings.LastIndexByte(name, '.')+1:], "Y") {
		note("Its channel %s is read as grey.", printable(name))
	}
	d, w := p.Data, p.Display
	switch {
	case d.MinX > w.MaxX || d.MaxX < w.MinX || d.MinY > w.MaxY || d.MaxY < w.MinY:
		note("None of its pixels lie within its picture, which is black.")
	case d.MinX > w.MinX || d.MaxX < w.MaxX || d.MinY > w.MinY || d.MaxY < w.MaxY:
		note("Its pixels do not cover its picture: the rest is black.")
	}
	if d.MinX < w.MinX || d.MaxX > w.MaxX || d.MinY < w.MinY || d.MaxY > w.MaxY {
		note("It has pixels beyond the edges of its picture, which are left out.")
	}
	if p.PixelAspect != 1 {
		note("Its pixels are not square (aspect %.4g): they are shown as stored.", p.PixelAspect)
	}
	return notes
}

// readEXR reads a layer's pixels.
func readEXR(f *exr.File, l exr.Layer) (p picture.Picture, notes []string, err error) {
	window := f.Parts[l.Part].Display
	w, h := int(window.W()), int(window.H())
	p = picture.Picture{RGB: picture.New(w, h, 3)}
	places := []int{l.R, l.G, l.B}
	if l.Grey() {
		places = places[:1] // it is copied to the others
	}
	var into []exr.Destination
	for i, c := range places {
		if c >= 0 {
			into = append(into, exr.Destination{Channel: c, Image: p.RGB, Component: i})
		}
	}
	if l.A >= 0 {
		p.Alpha = picture.New(w, h, 1)
		into = append(into, exr.Destination{Channel: l.A, Image: p.Alpha})
	}
	bad, err := f.Read(context.Background(), l.Part, into)
	if err != nil {
		return picture.Picture{}, nil, exrFault(err)
	}
	if bad > 0 {
		notes = append(notes, notFiniteNote(bad))
	}
	if l.Grey() {
		eachRow(h, func(y int) {
			row := p.RGB.Row(y)
			for x := 0; x < len(row); x += 3 {
				row[x+1], row[x+2] = row[x], row[x]
			}
		})
	}
	if l.A >= 0 && straighten(p) {
		notes = append(notes, notePremultiplied)
	}
	return p, notes, nil
}

// straighten divides alpha, which it cuts to 0..1, out of colour, and reports whether there was anything to divide:
// OpenEXR's colour is premultiplied.
func straighten(p picture.Picture) bool {
	clamp01(p.Alpha)
	for _, a := range p.Alpha.Pix {
		if a < 1 {
			unpremultiply(p.RGB, p.Alpha, false)
			return true
		}
	}
	return false
}

// exrFault puts an error of the exr package in words of ours.
func exrFault(err error) error {
	var known *exr.Error
	switch {
	case !errors.As(err, &known):
		return err
	case errors.Is(err, exr.ErrUnsupported):
		return unsupportedEXR(known.Why)
	}
	return damaged("%s", known.Why)
}

// unsupportedEXR is the error for a sound OpenEXR file that holds what cannot be read.
func unsupportedEXR(what string) error {
	return &Error{Why: what + " cannot be read", Fix: "save it as OpenEXR with flat R, G and B channels", Err: ErrUnsupported}
}
