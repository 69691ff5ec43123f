package keying

import (
	"io"
	"time"

	"github.com/BurntSushi/toml"

	"greenroom/engine"
	"greenroom/engine/settings"
	"greenroom/presets"
)

// sidecar is the file NAME_key.toml beside a key: how it was made, so that it can be made again.
type sidecar struct {
	Schema int    `toml:"schema"`
	Plate  string `toml:"plate"`
	Width  int    `toml:"width"`
	Height int    `toml:"height"`
	Space  string `toml:"space"`
	// Hint is the hint's file; empty for a hint that was made from the screen's colour.
	Hint     string             `toml:"hint"`
	Written  time.Time          `toml:"written"`
	Passes   []Pass             `toml:"passes"`
	Format   Format             `toml:"format"`
	Warnings []string           `toml:"warnings"`
	Model    sidecarModel       `toml:"model"`
	Engine   map[string]any     `toml:"engine"`
	Adjusted []presets.Adjusted `toml:"adjusted,omitempty"`
	Look     sidecarLook        `toml:"look"`
	Tiles    sidecarTiles       `toml:"tiles"`
	Seconds  Seconds            `toml:"seconds"`
	Machine  presets.Machine    `toml:"machine"`
	Device   sidecarDevice      `toml:"device"`
}

type sidecarModel struct {
	Name    string `toml:"name"`
	SHA256  string `toml:"sha256"`
	Swapped bool   `toml:"swapped"`
}

type sidecarLook struct {
	Screen        settings.Screen     `toml:"screen"`
	ClipBlack     float64             `toml:"clip_black"`
	ClipWhite     float64             `toml:"clip_white"`
	Despeckle     int                 `toml:"despeckle"`
	Despill       float64             `toml:"despill"`
	NeutralReturn float64             `toml:"neutral_return"`
	SourceDetail  bool                `toml:"source_detail"`
	Background    settings.Background `toml:"background"`
}

type sidecarTiles struct {
	Count  int   `toml:"count"`
	Width  int   `toml:"width"`
	Height int   `toml:"height"`
	X      []int `toml:"x"`
	Y      []int `toml:"y"`
}

type sidecarDevice struct {
	Kind      string   `toml:"kind"`
	Name      string   `toml:"name"`
	Threads   int      `toml:"threads"`
	Features  []string `toml:"features"`
	PeakBytes int64    `toml:"peak_bytes"`
}

// newSidecar gathers how a key was made. The times are those until now: writing is still going on.
func newSidecar(o Order, s Source, r *Report, result *engine.Result) sidecar {
	grid, device, look := result.Grid, result.Device, o.Look
	return sidecar{
		Schema: 1, Plate: r.Plate, Width: s.Plate.RGB.W, Height: s.Plate.RGB.H, Space: string(s.Plate.Space),
		Hint: s.From, Written: time.Now().UTC().Truncate(time.Second), Passes: o.Passes, Format: o.Format,
		Warnings: r.Warnings,
		Model:    sidecarModel{Name: o.Model.Name, SHA256: o.Model.Hash, Swapped: result.Swapped},
		Engine:   r.Settings, Adjusted: r.Adjusted,
		Look: sidecarLook{
			Screen: s.Screen, ClipBlack: look.ClipBlack, ClipWhite: look.ClipWhite, Despeckle: look.Despeckle,
			Despill: look.Despill, NeutralReturn: look.NeutralReturn, SourceDetail: look.SourceDetail,
			Background: look.Background,
		},
		Tiles:   sidecarTiles{Count: grid.Len(), Width: grid.TileW, Height: grid.TileH, X: grid.X, Y: grid.Y},
		Seconds: r.Seconds, Machine: o.Machine,
		Device: sidecarDevice{
			Kind: device.Kind, Name: device.Name, Threads: device.Threads, Features: device.Features,
			PeakBytes: result.PeakBytes,
		},
	}
}

// encode writes the sidecar as TOML.
func (s sidecar) encode(w io.WriteSeeker) error {
	encoder := toml.NewEncoder(w)
	encoder.Indent = ""
	return encoder.Encode(s)
}
