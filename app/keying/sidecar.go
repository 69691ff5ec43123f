package keying

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/BurntSushi/toml"

	"greenroom/engine"
	"greenroom/engine/settings"
	"greenroom/presets"
)

// sidecarSchema is the version of the sidecar's layout.
const sidecarSchema = 1

// sidecar is the file NAME_key.toml beside a key: how it was made, so that it can be made again.
type sidecar struct {
	Schema int    `toml:"schema"`
	Plate  string `toml:"plate"`
	Width  int    `toml:"width"`
	Height int    `toml:"height"`
	// Space is what the plate's numbers were taken for; SpaceAsked is the same where the artist said so.
	Space      string `toml:"space"`
	SpaceAsked string `toml:"space_asked,omitempty"`
	// BackgroundSpace is what the artist said that the background picture's numbers mean.
	BackgroundSpace string `toml:"background_space,omitempty"`
	// Layer is the layer of an OpenEXR plate that the artist chose.
	Layer string `toml:"layer,omitempty"`
	// Screen is the screen's colour, as it was found or asked for.
	Screen settings.Screen `toml:"screen"`
	// Hint is the hint's file; empty for a hint that was made from the screen's colour.
	Hint    string    `toml:"hint"`
	Written time.Time `toml:"written"`
	Passes  []Pass    `toml:"passes"`
	Format  Format    `toml:"format"`
	// MatteChannels is where the matte is in an OpenEXR file, if the artist said so.
	MatteChannels MatteChannels `toml:"exr_matte,omitempty"`
	// Float says that OpenEXR was asked for in floats of 32 bits, and CompDepth for how many bits of a comp.
	Float     bool         `toml:"exr_float,omitempty"`
	CompDepth int          `toml:"comp_depth,omitempty"`
	Warnings  []string     `toml:"warnings"`
	Files     sidecarFiles `toml:"files"`
	Model     sidecarModel `toml:"model"`
	// Preset is the name of the preset that was chosen.
	Preset   string             `toml:"preset,omitempty"`
	Engine   map[string]any     `toml:"engine"`
	Adjusted []presets.Adjusted `toml:"adjusted,omitempty"`
	Look     settings.Look      `toml:"look"`
	// Edit is what was done with the hint before the marks were painted over it.
	Edit  settings.HintEdit `toml:"hint_edit,omitempty"`
	Marks sidecarMarks      `toml:"marks"`
	Check *Review           `toml:"check,omitempty"`
	// Session is of the window in which the key was made.
	Session *Session `toml:"session,omitempty"`
	// What follows is missing where nothing was keyed yet.
	Tiles   *sidecarTiles   `toml:"tiles,omitempty"`
	Seams   *sidecarSeams   `toml:"seams,omitempty"`
	Seconds *Seconds        `toml:"seconds,omitempty"`
	Machine presets.Machine `toml:"machine"`
	Device  *sidecarDevice  `toml:"device,omitempty"`
}

// validateExport reports what is written, or how, that cannot be. Passes become names of files.
func (s sidecar) validateExport() error {
	for i, p := range s.Passes {
		if !slices.Contains(Passes(), p) || slices.Contains(s.Passes[:i], p) {
			return fmt.Errorf("a pass is %q: each is one of key, matte, fg, comp, once", p)
		}
	}
	switch {
	case !slices.Contains([]Format{"", FormatPNG, FormatTIFF, FormatEXR}, s.Format):
		return fmt.Errorf("the format is %q: it is png, tiff or exr", s.Format)
	case !slices.Contains([]MatteChannels{"", MatteRGBA, MatteY}, s.MatteChannels):
		return fmt.Errorf("exr_matte is %q: it is rgba or y", s.MatteChannels)
	case !slices.Contains([]int{0, 8, 16}, s.CompDepth):
		return fmt.Errorf("comp_depth is %d: it is 8 or 16", s.CompDepth)
	}
	return nil
}

// Session is what a window keeps of a plate beside what makes its key.
type Session struct {
	// Model is the model that the artist chose over the preset's; empty for none.
	Model string `toml:"model"`
	// Hint is where the hint was to come from.
	Hint HintBy `toml:"hint"`
	// Edits are the single settings that the artist chose over the preset's, by name.
	Edits map[string]string `toml:"edits"`
}

// validate reports an edit that cannot be.
func (s *Session) validate() error {
	check := settings.Default()
	for name, value := range s.Edits {
		if err := check.Set(name, value); err != nil {
			return err
		}
	}
	return nil
}

// HintBy is where an artist takes a hint from.
type HintBy string

const (
	// HintFound is the file beside the plate, or the screen's colour where there is none.
	HintFound HintBy = "found"
	// HintFile is a file that was chosen, HintScreen the screen's colour whatever lies beside.
	HintFile   HintBy = "file"
	HintScreen HintBy = "screen"
)

// sidecarFiles are the files that went into the key. Their hashes tell whether they are still the same.
type sidecarFiles struct {
	Plate    UsedFile `toml:"plate"`
	Hint     UsedFile `toml:"hint"`
	Core     UsedFile `toml:"core"`
	Garbage  UsedFile `toml:"garbage"`
	Backdrop UsedFile `toml:"background"`
}

type sidecarModel struct {
	Name    string `toml:"name"`
	SHA256  string `toml:"sha256"`
	Swapped bool   `toml:"swapped"`
}

type sidecarTiles struct {
	Count  int   `toml:"count"`
	Width  int   `toml:"width"`
	Height int   `toml:"height"`
	X      []int `toml:"x"`
	Y      []int `toml:"y"`
}

// sidecarSeams are the borders between tiles, the worst first; missing where they were not measured.
type sidecarSeams struct {
	By SeamsBy `toml:"by"`
	// Count is how many borders are listed, as in SeamSummary; Borders has the first of them.
	Count   int       `toml:"borders"`
	Borders []SeamRow `toml:"border"`
}

type sidecarDevice struct {
	Kind      string   `toml:"kind"`
	Name      string   `toml:"name"`
	Threads   int      `toml:"threads"`
	Features  []string `toml:"features"`
	PeakBytes int64    `toml:"peak_bytes"`
	// Why says why it was the processor where a GPU was wanted.
	Why string `toml:"why,omitempty"`
}

// newSidecar gathers how a key was made. The times are those until now: writing is still going on.
func newSidecar(o Order, s Source, r *Report, result *engine.Result) sidecar {
	grid, device := result.Grid, result.Device
	side := baseSidecar(o, s)
	side.Warnings, side.Engine, side.Adjusted, side.Check, side.Seams, side.Seconds = r.Warnings, r.Settings, r.Adjusted, r.Review, r.sidecarSeams(), &r.Seconds
	side.Model.Swapped = result.Swapped
	side.Tiles = &sidecarTiles{Count: grid.Len(), Width: grid.TileW, Height: grid.TileH, X: grid.X, Y: grid.Y}
	side.Device = &sidecarDevice{
		Kind: device.Kind, Name: device.Name, Threads: device.Threads, Features: device.Features,
		PeakBytes: result.PeakBytes, Why: result.Why,
	}
	return side
}

// baseSidecar gathers what an order says, keyed or not.
func baseSidecar(o Order, s Source) sidecar {
	side := sidecar{
		Schema: sidecarSchema, Plate: o.Label(), Width: s.Plate.RGB.W, Height: s.Plate.RGB.H,
		Space: string(s.Plate.Space), SpaceAsked: o.Space, BackgroundSpace: o.BackdropSpace, Layer: o.Layer, Screen: s.Screen,
		Hint: s.From, Written: time.Now().UTC().Truncate(time.Second), Passes: o.Passes, Format: o.Format, MatteChannels: o.MatteChannels,
		Float: o.Depth == DepthFloat, CompDepth: o.CompDepth,
		Files: sidecarFiles{s.PlateFile, s.HintFile, s.Core, s.Garbage, s.BackdropFile},
		Look:  o.Look, Edit: s.Edit, Marks: newSidecarMarks(s.Marks), Machine: o.Machine, Session: o.Session,
	}
	if o.Model != nil {
		side.Model = sidecarModel{Name: o.Model.Name, SHA256: o.Model.Hash}
	}
	if o.Preset != nil {
		side.Preset = o.Preset.Name
	}
	return side
}

// encode writes the sidecar as TOML, which is UTF-8 throughout: a name that is not has U+FFFD for what cannot be said.
func (s sidecar) encode(w io.WriteSeeker) error {
	var text bytes.Buffer
	encoder := toml.NewEncoder(&text)
	encoder.Indent = ""
	if err := encoder.Encode(s); err != nil {
		return err
	}
	_, err := w.Write(bytes.ToValidUTF8(text.Bytes(), []byte("\uFFFD")))
	return err
}
