package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/BurntSushi/toml"

	"greenroom/app/keying"
	"greenroom/engine"
	"greenroom/engine/device"
	"greenroom/engine/imageio"
	"greenroom/engine/settings"
	"greenroom/engine/tiling"
	"greenroom/presets"
	"greenroom/views"
)

const (
	// variantSchema is the version of the layout of a variant's files.
	variantSchema = 2
	// mostVariantText and mostThumb are the most bytes that a description and a thumbnail may have.
	mostVariantText = 64 << 20
	mostThumb       = 1 << 20
	// mostEdge is the longest edge in pixels that a variant may speak of.
	mostEdge = 1 << 16
)

// variantFile is a variant's description.
type variantFile struct {
	Schema int          `toml:"schema"`
	Number int          `toml:"number"`
	Made   time.Time    `toml:"made"`
	Width  int          `toml:"width"`
	Height int          `toml:"height"`
	Coarse [2]int       `toml:"coarse"` // width, height; 0 for none
	Cause  variantCause `toml:"cause"`
	Model  string       `toml:"model"`
	// ModelAsked is the model where the artist chose it and not the preset.
	ModelAsked string            `toml:"model_asked,omitempty"`
	Preset     string            `toml:"preset,omitempty"`
	Edits      []presets.Setting `toml:"edit,omitempty"`
	Screen     settings.Screen   `toml:"screen"`
	// Exposure is by how many stops the network saw the plate brighter.
	Exposure float64            `toml:"exposure"`
	Asked    settings.Settings  `toml:"asked"`
	Notes    []string           `toml:"notes,omitempty"`
	Planned  int64              `toml:"planned_bytes"`
	Work     float64            `toml:"work"`
	Adjusted []presets.Adjusted `toml:"adjusted,omitempty"`
	Run      variantRun         `toml:"run"`
	Check    *KeptCheck         `toml:"check,omitempty"`
	Choices  settings.Choices   `toml:"choices"`
}

type variantCause struct {
	Plate string            `toml:"plate"`
	Space string            `toml:"space"`
	Layer string            `toml:"layer"`
	Hint  string            `toml:"hint"`
	Model string            `toml:"model"`
	Sight settings.Settings `toml:"sight"`
}

// variantRun is how the network ran.
type variantRun struct {
	Used      settings.Settings  `toml:"used"`
	Adjusted  []presets.Adjusted `toml:"adjusted,omitempty"`
	Swapped   bool               `toml:"swapped"`
	NonFinite int                `toml:"non_finite"`
	Seconds   engine.Seconds     `toml:"seconds"`
	PeakBytes int64              `toml:"peak_bytes"`
	Device    device.Info        `toml:"device"`
	Why       string             `toml:"why,omitempty"`
	Seams     []tiling.Seam      `toml:"seam,omitempty"`
}

// writeVariant writes the description of a variant into its folder.
func writeVariant(ctx context.Context, folder string, v Variant) error {
	r := v.Result
	f := variantFile{
		Schema: variantSchema, Number: v.Number, Made: v.Made, Width: v.width, Height: v.height, Coarse: v.coarse,
		Cause: variantCause{v.cause.plate, v.cause.space, v.cause.layer, v.cause.hint, v.cause.model, v.cause.sight},
		Model: v.Model, ModelAsked: v.ModelAsked, Preset: v.Preset, Edits: v.Edits, Screen: v.Screen, Exposure: v.Exposure,
		Asked: v.Choice.Settings, Notes: v.Choice.Notes, Planned: v.Choice.PeakBytes, Work: v.Work, Adjusted: v.Choice.Adjusted,
		Run: variantRun{
			Used: r.Used, Swapped: r.Swapped, NonFinite: r.NonFinite, Seconds: r.Seconds, PeakBytes: r.PeakBytes, Device: r.Device,
			Why: r.Why, Seams: r.Seams,
		},
		Check: v.Check, Choices: v.Choices,
	}
	for _, a := range r.Adjusted {
		f.Run.Adjusted = append(f.Run.Adjusted, presets.Adjusted(a))
	}
	return imageio.Replace(ctx, filepath.Join(folder, variantText), func(w io.WriteSeeker) error {
		encoder := toml.NewEncoder(w)
		encoder.Indent = ""
		return encoder.Encode(f)
	})
}

// readVariant reads the description of a variant, and finds its pictures there. What it says is not believed further
// than it can be checked.
func readVariant(folder, name string) (Variant, error) {
	text, err := readLimited(filepath.Join(folder, variantText), mostVariantText)
	if err != nil {
		return Variant{}, err
	}
	var f variantFile
	if _, err := presets.Decode(string(text), &f); err != nil {
		return Variant{}, err
	}
	if err := f.validate(); err != nil {
		return Variant{}, fmt.Errorf("%s: %w", folder, err)
	}
	if _, err := os.Stat(filepath.Join(folder, variantPicture)); err != nil {
		return Variant{}, errors.New("its picture is gone")
	}
	v := Variant{
		Name: name, Number: f.Number, Made: f.Made, Check: f.Check, Choices: f.Choices, Preset: f.Preset, Edits: f.Edits, Model: f.Model, ModelAsked: f.ModelAsked, Work: f.Work,
		Choice: keying.Choice{Settings: f.Asked, Notes: f.Notes, PeakBytes: f.Planned, Adjusted: whole(f.Adjusted)},
		Screen: f.Screen, Exposure: f.Exposure, width: f.Width, height: f.Height, coarse: f.Coarse,
		cause: cause{f.Cause.Plate, f.Cause.Space, f.Cause.Layer, f.Cause.Hint, f.Cause.Model, f.Cause.Sight},
		Result: engine.Result{
			Used: f.Run.Used, Swapped: f.Run.Swapped, NonFinite: f.Run.NonFinite, Seconds: f.Run.Seconds, PeakBytes: f.Run.PeakBytes,
			Device: f.Run.Device, Why: f.Run.Why, Seams: f.Run.Seams,
		},
		bytes: max(folderBytes(folder), 1),
	}
	for _, a := range whole(f.Run.Adjusted) {
		v.Result.Adjusted = append(v.Result.Adjusted, engine.Adjustment(a))
	}
	v.Result.Grid = f.grid()
	v.Result.Finished = v.Result.Grid.Len()
	return v, nil
}

// validate reports what cannot be a variant.
func (f *variantFile) validate() error {
	if f.Schema != variantSchema {
		return errors.New("another Greenroom wrote it")
	}
	padded := func(n int) int { return (n + tiling.Lattice - 1) / tiling.Lattice * tiling.Lattice }
	switch none := [2]int{}; {
	case f.Width < 1 || f.Height < 1 || f.Width > mostEdge || f.Height > mostEdge || f.Number < 1:
		return errors.New("it is of no plate")
	case f.Coarse != none && f.Coarse != [2]int{padded(f.Width) / 4, padded(f.Height) / 4}:
		return errors.New("its coarse result is of another size")
	case f.Screen != settings.ScreenGreen && f.Screen != settings.ScreenBlue:
		return errors.New("it has no screen")
	case !(f.Exposure >= -10 && f.Exposure <= 10):
		return errors.New("its exposure is none")
	}
	if err := errors.Join(f.Choices.Validate(), f.Asked.Validate(), f.Run.Used.Validate()); err != nil {
		return err
	}
	if f.Check == nil {
		return f.holdsSeams(f.Run.Seams)
	}
	return errors.Join(f.holdsSeams(f.Run.Seams), f.holdsSeams(f.Check.Seams))
}

// grid is the one that the network ran on. The settings have been found valid.
func (f *variantFile) grid() tiling.Grid {
	w, h := f.Width, f.Height
	if edge := f.Run.Used.Frame; edge > 0 {
		w, h = edge, edge
	}
	return tiling.Plan(w, h, f.Run.Used.Tile, f.Run.Used.Overlap)
}

// holdsSeams reports seams that cannot be of the plate and of its grid.
func (f *variantFile) holdsSeams(list []tiling.Seam) error {
	g := f.grid()
	if len(list) > (len(g.X)-1)*len(g.Y)+len(g.X)*(len(g.Y)-1) {
		return errors.New("its seams are more than its tiles have borders")
	}
	plate := image.Rect(0, 0, f.Width, f.Height)
	for _, seam := range list {
		if seam.Band.Empty() || !seam.Band.In(plate) {
			return errors.New("its seams are of another plate")
		}
		for _, d := range []tiling.Difference{seam.Matte, seam.FG} {
			if !image.Pt(d.X, d.Y).In(plate) {
				return errors.New("its seams are of another plate")
			}
			for _, steps := range []float64{d.Mean, d.P99, d.Worst} {
				if !(steps >= 0 && steps < 256) {
					return errors.New("its seams are farther apart than any two pixels")
				}
			}
		}
	}
	return nil
}

// whole makes whole numbers what they are in memory.
func whole(list []presets.Adjusted) []presets.Adjusted {
	for i := range list {
		for _, v := range []*any{&list[i].Asked, &list[i].Used} {
			if n, ok := (*v).(int64); ok {
				*v = int(n)
			}
		}
	}
	return list
}

// readLimited reads a file of at most so many bytes.
func readLimited(path string, most int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(data)) > most {
		err = errors.New("it is too large")
	}
	return data, err
}

// readThumb reads a thumbnail.
func readThumb(path string) (image.Image, error) {
	data, err := readLimited(path, mostThumb)
	if err != nil {
		return nil, err
	}
	config, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	if config.Width < 1 || config.Height < 1 || config.Width > views.ThumbnailWidth || config.Height > views.ThumbnailHeight {
		return nil, errors.New("it is no thumbnail")
	}
	decoded, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	m := image.NewRGBA(image.Rect(0, 0, config.Width, config.Height))
	draw.Draw(m, m.Rect, decoded, decoded.Bounds().Min, draw.Src)
	return m, nil
}
