package keying

import (
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"greenroom/engine"
	"greenroom/engine/colour"
	"greenroom/engine/imageio"
	"greenroom/engine/matte"
	"greenroom/engine/picture"
)

// Pass is a picture that a key is written as.
type Pass string

// The passes, as --passes names them.
const (
	// PassKey is the straight foreground with the matte as its alpha, in the plate's space.
	PassKey Pass = "key"
	// PassMatte is the matte in grey, linear, without a colour space.
	PassMatte Pass = "matte"
	// PassFG is the straight foreground, in the plate's space.
	PassFG Pass = "fg"
	// PassComp is the foreground over a background, sRGB-encoded; in OpenEXR linear Rec.709.
	PassComp Pass = "comp"
)

// PassSeams is the picture of the seams, which Order.Seams asks for.
const PassSeams Pass = "seams"

// Passes lists every pass that can be asked for by name.
func Passes() []Pass { return []Pass{PassKey, PassMatte, PassFG, PassComp} }

// Format is a file format that passes are written in.
type Format string

// The formats, as --format names them.
const (
	// FormatPNG is PNG with 16 bits a sample.
	FormatPNG Format = "png"
	// FormatTIFF is TIFF with 16 bits a sample.
	FormatTIFF Format = "tiff"
	// FormatEXR is OpenEXR in half floats, or floats where the order says so: linear light, the key premultiplied.
	FormatEXR Format = "exr"
)

// MatteChannels is which channels the matte of an OpenEXR file has. PNG and TIFF hold it in grey.
type MatteChannels string

// The choices, as --exr-matte names them.
const (
	// MatteRGBA is R, G, B and A alike: a matte wherever a compositor looks for one.
	MatteRGBA MatteChannels = "rgba"
	// MatteY is the single channel Y, a grey picture.
	MatteY MatteChannels = "y"
)

// EXRDepth is what a sample of an OpenEXR file is.
type EXRDepth string

// The choices, as --exr-depth names them.
const (
	// DepthHalf is half floats, DepthFloat floats of 32 bits.
	DepthHalf  EXRDepth = "half"
	DepthFloat EXRDepth = "float"
)

// Export is what is written of a key, and how.
type Export struct {
	Passes []Pass
	Format Format
}

// Suits returns the format itself, or for none the one that holds what a plate holds.
func (f Format) Suits(plate imageio.Header) Format {
	switch {
	case f != "":
		return f
	case plate.Float:
		return FormatEXR
	}
	return FormatPNG
}

func (f Format) ending() string {
	switch f {
	case FormatTIFF:
		return ".tif"
	case FormatEXR:
		return ".exr"
	}
	return ".png"
}

// file is the format as imageio calls it.
func (f Format) file() imageio.Format {
	switch f {
	case FormatTIFF:
		return imageio.TIFF
	case FormatEXR:
		return imageio.EXR
	}
	return imageio.PNG
}

// sidecarEnding is how the sidecar's name ends.
const sidecarEnding = "_key.toml"

// Names returns the names of the pictures that Write would write now, and the version that they would bear; 1 is the
// first. It looks into the folder.
func (o Order) Names() (names []string, version int) {
	version = imageio.NextVersion(o.Folder(), o.Name())
	shown := version
	if o.Overwrite {
		shown = 1
	}
	for _, pass := range o.Passes {
		names = append(names, imageio.VersionedName(o.Name(), pass.ending(o.Format), shown))
	}
	return names, version
}

// CheckNames reports whether files may have the names that Write would give them now, the sidecar's and the version
// included, so that no work is done for a name that is too long, or for one of a file that the run reads and must not
// overwrite. It looks into the folder. The error names the file and is *imageio.Error.
func (o Order) CheckNames() error {
	names, version := o.Names()
	if o.Overwrite {
		version = 1
	}
	names = append(names, imageio.VersionedName(o.Name(), sidecarEnding, version))
	if o.Seams {
		names = append(names, imageio.VersionedName(o.Name(), PassSeams.ending(FormatPNG), version))
	}
	longest := slices.MaxFunc(names, func(a, b string) int { return len(a) - len(b) })
	if err := imageio.CheckName(filepath.Join(o.Folder(), longest)); err != nil {
		return err
	}
	return o.checkInputs()
}

// ending is what follows the plate's name in the name of a pass.
func (p Pass) ending(f Format) string { return "_" + string(p) + f.ending() }

// picture writes one image.
func (o Order) picture(w io.WriteSeeker, colours, alpha picture.Image, meta imageio.Meta) error {
	small := o.CompDepth == 8 && meta.Pass == string(PassComp)
	switch {
	case o.Format == FormatEXR:
		return imageio.WriteEXR(w, colours, alpha, meta, imageio.EXROptions{Float: o.Depth == DepthFloat, Luminance: o.MatteChannels == MatteY})
	case o.Format == FormatTIFF && small:
		return imageio.WriteTIFF8(w, colours, alpha, meta)
	case o.Format == FormatTIFF:
		return imageio.WriteTIFF16(w, colours, alpha, meta)
	case small:
		return imageio.WritePNG8(w, colours, alpha, meta)
	}
	return imageio.WritePNG16(w, colours, alpha, meta)
}

// meta is what the file of a pass says beside its pixels.
func (r *Report) meta(pass Pass, o Order, s Source, key matte.Key) imageio.Meta {
	meta := imageio.Meta{Pass: string(pass), Space: key.Space, ICC: s.Header.ICC, CICP: s.Header.CICP}
	info := imageio.EXRInfo{}
	if s.Header.EXR != nil {
		info = *s.Header.EXR
	}
	if pass == PassComp {
		meta.Space, meta.ICC, meta.CICP = colour.SRGB, nil, nil
	}
	info.Comment = strings.TrimSpace(info.Comment + "\n" + r.comment(o))
	meta.EXR = &info
	return meta
}

// comment says how the key was made, in a sentence: the sidecar says it all.
func (r *Report) comment(o Order) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Keyed by Greenroom with the model %s (SHA-256 %s):", r.Model, o.Model.Hash)
	for _, name := range slices.Sorted(maps.Keys(r.Settings)) {
		fmt.Fprintf(&b, " %s=%v", name, r.Settings[name])
	}
	return b.String()
}

// Write writes the passes and the sidecar of a finished key. They appear together or not at all.
func (r *Report) Write(ctx context.Context, o Order, s Source, key matte.Key, result *engine.Result) error {
	now := time.Now()
	o.Format = o.Format.Suits(s.Header)
	o = o.reading(s.From)
	if err := o.checkInputs(); err != nil {
		return err
	}
	folder := o.Folder()
	batch, err := imageio.NewBatch(folder, o.Name(), o.Overwrite)
	if err != nil {
		return err
	}
	defer batch.Discard()
	low, high, what := o.holds()
	n, err := clipped(key, o.Format == FormatEXR, low, high)
	if err != nil {
		return err
	}
	if n > 0 && slices.ContainsFunc(o.Passes, func(p Pass) bool { return p != PassMatte }) {
		r.Warnings = append(r.Warnings, fmt.Sprintf(
			"%d pixels of the foreground are brighter or more saturated than %s can hold and were clipped", n, what))
	}
	r.Notes = append(r.Notes, o.idle()...)
	for _, pass := range o.Passes {
		colours, alpha, err := passImages(ctx, pass, key, o, s)
		if err != nil {
			return fmt.Errorf("cannot make the %s of %s: %w", pass, r.Plate, err)
		}
		meta := r.meta(pass, o, s, key)
		if (pass == PassKey || pass == PassFG) && !meta.Describes(o.Format.file()) {
			r.Warnings = append(r.Warnings, fmt.Sprintf("the %s is in %s, which a %s file cannot say: set that where you open it (or write OpenEXR, --format exr)",
				pass, key.Space.Title(), o.Format.file()))
		}
		err = batch.Write(ctx, pass.ending(o.Format), func(w io.WriteSeeker) error {
			return o.picture(w, colours, alpha, meta)
		})
		if err != nil {
			return err
		}
	}
	if r.heat.W > 0 {
		if err := batch.Write(ctx, PassSeams.ending(FormatPNG), func(w io.WriteSeeker) error { return writeHeat(w, r.heat) }); err != nil {
			return err
		}
	}
	side := newSidecar(o, s, r, result)
	if err := batch.Write(ctx, sidecarEnding, side.encode); err != nil {
		return err
	}
	paths, err := batch.Commit(ctx)
	if err != nil {
		return err
	}
	r.dropOldSeams(o)
	r.Files = make(map[Pass]string, len(o.Passes))
	for i, pass := range o.Passes {
		r.Files[pass] = paths[i]
	}
	if r.heat.W > 0 {
		r.Files[PassSeams] = paths[len(o.Passes)]
	}
	r.Sidecar = paths[len(paths)-1]
	r.Seconds.Write = time.Since(now).Seconds()
	r.Seconds.Total = r.Seconds.Read + r.Seconds.Load + r.Seconds.Key + r.Seconds.Post + r.Seconds.Write
	return nil
}

// idle says which choices of how to write have nothing to act on, now that the format is known.
func (o Order) idle() []string {
	var notes []string
	if o.Format == FormatEXR {
		if o.CompDepth != 0 && slices.Contains(o.Passes, PassComp) {
			notes = append(notes, fmt.Sprintf("the comp is in floating point: %d bits are for PNG and TIFF", o.CompDepth))
		}
		return notes
	}
	if o.MatteChannels != "" && slices.Contains(o.Passes, PassMatte) {
		notes = append(notes, fmt.Sprintf("the matte is in grey: only OpenEXR has it as %s, and this is %s", o.MatteChannels, o.Format.file()))
	}
	if o.Depth == DepthFloat {
		notes = append(notes, fmt.Sprintf("floats of 32 bits are for OpenEXR, and this is %s", o.Format.file()))
	}
	return notes
}

// passImages returns what a pass holds: colours [H, W, 1] or [H, W, 3], and alpha [H, W, 1] or nothing.
func passImages(ctx context.Context, pass Pass, key matte.Key, o Order, s Source) (colours, alpha picture.Image, err error) {
	switch pass {
	case PassKey:
		return key.FG, key.Matte, nil
	case PassMatte:
		return key.Matte, picture.Image{}, nil
	case PassFG:
		return key.FG, picture.Image{}, nil
	}
	back, err := matte.Backdrop(ctx, o.Look.Background, o.Look.Comp, s.Backdrop, key.FG.W, key.FG.H)
	if err != nil {
		return picture.Image{}, picture.Image{}, err
	}
	colours, err = matte.Comp(ctx, key.FG, key.Space, key.Matte, back, o.Look.Comp.Blend)
	return colours, picture.Image{}, err
}

// holds returns the range of values that a format holds, and what it is that holds them. Whole numbers may lack a step
// of 8 bits, which an eye could miss.
func (o Order) holds() (low, high float32, what string) {
	switch {
	case o.Format == FormatEXR && o.Depth == DepthFloat:
		return -math.MaxFloat32, math.MaxFloat32, "floats"
	case o.Format == FormatEXR:
		return -65504, 65504, "half floats"
	}
	const step = 1.0 / 255
	return -step, 1 + step, "16-bit integers"
}

// clipped counts the pixels under the matte whose colour lies outside low..high, as it is or in linear light.
func clipped(key matte.Key, linear bool, low, high float32) (int, error) {
	curve, err := colour.NewCurve(key.Space)
	if err != nil {
		return 0, err
	}
	n := 0
	for i, a := range key.Matte.Pix {
		if a == 0 {
			continue
		}
		c := [3]float32(key.FG.Pix[3*i : 3*i+3])
		if linear {
			c[0], c[1], c[2] = curve.ColourToLinear(c[0], c[1], c[2])
		}
		if min(c[0], c[1], c[2]) < low || max(c[0], c[1], c[2]) > high {
			n++
		}
	}
	return n, nil
}
