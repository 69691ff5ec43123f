package imageio

import (
	"errors"
	"io"

	"greenroom/engine/colour"
	"greenroom/engine/imageio/exr"
	"greenroom/engine/picture"
)

// passAttribute is the attribute of our own OpenEXR files that holds the pass.
const passAttribute = "greenroomPass"

// EXROptions are the choices that only OpenEXR files offer. The zero value writes what compositors expect.
type EXROptions struct {
	// Float writes 32 bits a sample; half floats otherwise.
	Float bool
	// Luminance writes an image of one channel as Y; otherwise it goes into R, G, B and A alike, so that it is a matte
	// wherever a compositor looks for one.
	Luminance bool
}

// WriteEXR writes an image as OpenEXR in scan lines with ZIP compression. colours is [H, W, 1] or [H, W, 3] in
// meta.Space; colour is written in linear light, and premultiplied with alpha, [H, W, 1] straight, where there is
// one: that is what OpenEXR's R, G, B and A mean. An image of one channel is a measure, not a colour: it is written as
// it is and takes no alpha. Values over 1 and under 0 are kept; those beyond a half's range of 65504 are written as its
// end. NaN is an error (of kind ErrNotFinite). meta.EXR gives the place of the window, the aspect of pixels and a
// comment, and chromaticities where they are those of meta.Space, which decides. What is written does not depend on the number of processors.
func WriteEXR(w io.WriteSeeker, colours, alpha picture.Image, meta Meta, options EXROptions) error {
	if _, err := newLayers(colours, alpha, 2); err != nil {
		return err
	}
	if colours.C != 3 && (colours.C != 1 || !alpha.Empty()) {
		return &Error{Why: sentence("an image with %d channels cannot be stored as OpenEXR", colours.C)}
	}
	curve, err := colour.NewCurve(meta.Space)
	if err != nil {
		if colours.C == 3 {
			return err
		}
		curve = &colour.Curve{}
	}
	out := exr.Output{W: colours.W, H: colours.H, Type: exr.Half, Text: map[string]string{
		"software": software, passAttribute: meta.Pass,
	}}
	if options.Float {
		out.Type = exr.Float
	}
	if info := meta.EXR; info != nil {
		out.X, out.Y, out.PixelAspect = info.X, info.Y, info.PixelAspect
		if info.Comment != "" {
			out.Text["comments"] = info.Comment
		}
	}
	if colours.C == 3 {
		out.Chromaticities, err = chromaticities(meta)
		if err != nil {
			return err
		}
	}
	switch {
	case colours.C == 1 && options.Luminance:
		out.Channels = []exr.Samples{{Name: "Y", Row: plainRow(colours)}}
	case colours.C == 1:
		for _, name := range []string{"R", "G", "B", "A"} {
			out.Channels = append(out.Channels, exr.Samples{Name: name, Row: plainRow(colours)})
		}
	default:
		for i, name := range []string{"R", "G", "B"} {
			out.Channels = append(out.Channels, exr.Samples{Name: name, Row: linearRow(colours, alpha, i, curve)})
		}
		if !alpha.Empty() {
			out.Channels = append(out.Channels, exr.Samples{Name: "A", Row: plainRow(alpha)})
		}
	}
	err = exr.Write(w, out)
	if errors.Is(err, exr.ErrNotFinite) {
		return notFinite("it")
	}
	return err
}

// chromaticities returns what a file says of the primaries of meta.Space: the plate's own digits where those mean the
// same; nothing for Rec.709, which is what silence means.
func chromaticities(meta Meta) (*exr.Chromaticities, error) {
	p, err := meta.Space.Primaries()
	if err != nil {
		return nil, err
	}
	space, err := colour.LinearLight(p)
	if err != nil {
		return nil, err
	}
	if meta.EXR != nil && meta.EXR.Chromaticities != nil {
		if own, err := colour.LinearLight(primariesOf(*meta.EXR.Chromaticities)); err == nil && own == space {
			return meta.EXR.Chromaticities, nil
		}
	}
	if space == colour.LinearRec709 {
		return nil, nil
	}
	var c exr.Chromaticities
	for i, v := range p {
		c[i] = float32(v)
	}
	return &c, nil
}

// plainRow gives the rows of an image of one channel.
func plainRow(m picture.Image) func(dst []float32, y int) {
	return func(dst []float32, y int) { copy(dst, m.Row(y)) }
}

// linearRow gives the rows of component c of a colour image in linear light, premultiplied.
func linearRow(m, alpha picture.Image, c int, curve *colour.Curve) func(dst []float32, y int) {
	return func(dst []float32, y int) {
		row := m.Row(y)
		for x := range dst {
			dst[x] = row[3*x+c]
		}
		if !curve.Linear() {
			for x, v := range dst {
				dst[x] = curve.ToLinear(v)
			}
		}
		if alpha.Empty() {
			return
		}
		for x, a := range alpha.Row(y) {
			dst[x] *= a
		}
	}
}
