// Package keying is the way of one plate from its file to its key: read it, find a hint and a screen, choose
// settings, run the engine, finish the matte, write the passes and the sidecar. The command line and the window
// both go this way.
package keying

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"greenroom/assets"
	"greenroom/engine"
	"greenroom/engine/device"
	"greenroom/engine/device/choose"
	"greenroom/engine/imageio"
	"greenroom/engine/matte"
	"greenroom/engine/picture"
	"greenroom/engine/settings"
	"greenroom/presets"
)

// Order says what to key and how.
type Order struct {
	// Plate is the path of the plate; empty for the sample plate.
	Plate string
	// Hint is the path of the hint; empty looks beside the plate, else makes one from the screen's colour.
	Hint string
	// Space is what the plate's numbers mean; empty takes the file's word.
	Space string
	// Layer is the layer or channel of an OpenEXR plate that is keyed; empty is the picture itself.
	Layer string
	Model *Model
	// Machine is the machine whose rules choose the settings.
	Machine presets.Machine
	// Preset is the preset whose settings lie over the rules'; nil for none. Its look, model and export are the
	// caller's to take.
	Preset *presets.Preset
	// Asked are single settings that the artist chose, applied in order over the rules' and the preset's settings.
	Asked []Setting
	// Measured are the rows of this machine's benches, which outrank the rules.
	Measured []settings.Measured
	// Device is the name of the device that keys, as device.Info has it; Run fills it in.
	Device string
	Look   settings.Look
	// Marks are what was drawn and picked on the plate; Picks are places at which the screen's colour is picked as
	// well.
	Marks settings.Marks
	Picks []settings.Point
	// Edit is what is done with the hint before Marks.Hint is painted over it.
	Edit settings.HintEdit
	// Chroma makes the hint from the screen's colour even where one lies beside the plate.
	Chroma bool
	// Core and Garbage are the paths of core and garbage mattes, Backdrop that of the background picture; empty for
	// none. Letterbox makes bars at the frame's edges garbage.
	Core, Garbage, Backdrop string
	Letterbox               bool
	// BackdropSpace is what the background picture's numbers mean; empty takes the file's word.
	BackdropSpace string
	// unseen is a background picture that nothing is laid over: it is only named in the sidecar.
	unseen UsedFile
	// Out is the folder to write to; empty is keys/ beside the plate.
	Out string
	// Passes are what to write; Format is how, and empty is OpenEXR for plates in floating point and PNG for others.
	Passes []Pass
	Format Format
	// MatteChannels is where the matte goes in an OpenEXR file; empty is MatteRGBA. Depth is what such files hold; empty is
	// DepthHalf.
	MatteChannels MatteChannels
	Depth         EXRDepth
	// CompDepth is the bits of a sample of a comp in PNG or TIFF, 8 or 16; 0 is 16.
	CompDepth int
	// Check reports the matte check.
	Check bool
	// Seams keys the tiles' borders once more on another grid, and writes a picture of where the two differ.
	Seams bool
	// Overwrite replaces files of the same names; without it the next version is written. It never replaces a file that
	// the order names, nor one of Inputs, which are what else the run reads.
	Overwrite bool
	Inputs    []string
	// Session is what the window in which the key was made keeps in its sidecar; nil for the command line.
	Session *Session
	// Progress is called now and then, on the caller's goroutine; nil calls nothing.
	Progress func(Progress)
}

// Setting is a single setting that was asked for, as text: "tile", "512".
type Setting = presets.Setting

// Progress says how far a key is.
type Progress struct {
	// Doing is what happens now: "reading", "loading", "keying", "finishing" or "writing".
	Doing string
	// Tile of Tiles are done; both 0 outside keying.
	Tile, Tiles int
	// Left is the time the remaining tiles will take; negative while unknown.
	Left time.Duration
}

// Report is what came of a key: the object of key --json.
type Report struct {
	Plate string `json:"plate"`
	// Files names what was written, by pass.
	Files  map[Pass]string `json:"files"`
	Model  string          `json:"model"`
	Device string          `json:"device"`
	// DeviceWords says what it ran on, in words.
	DeviceWords string             `json:"-"`
	Settings    map[string]any     `json:"settings"`
	Adjusted    []presets.Adjusted `json:"adjusted"`
	Tiles       int                `json:"tiles"`
	Seconds     Seconds            `json:"seconds"`
	// PeakBytes is the most memory that the key held at a time beside plate and hint.
	PeakBytes int64 `json:"peak_bytes"`
	// WorstSeam is the border at which tiles disagree most: as the run itself tells, or where the order asks for
	// Seams as the other grid tells. Nil where there is no border, and where none was measured.
	WorstSeam *Seam `json:"worst_seam"`
	// Summary is the worst border; nil where none was measured, as with refine "frame" unless the order asks for Seams:
	// Unmeasured then says why.
	Summary    *SeamSummary `json:"seams"`
	Unmeasured string       `json:"-"`
	// Warnings are what the artist should know, each a sentence.
	Warnings []string `json:"warnings"`
	// Check is the matte check where it was asked for, Review the same in any case; nil where it was not made.
	Check  *Review `json:"check,omitempty"`
	Review *Review `json:"-"`
	// Seams are the borders between tiles, the worst first, and how they were measured.
	Seams   []SeamRow `json:"-"`
	SeamsBy SeamsBy   `json:"-"`
	heat    picture.Image
	// ranOn is the device that keyed.
	ranOn device.Info
	// Sidecar is the path of the file that says how the key was made.
	Sidecar string `json:"-"`
	// Notes are for information only.
	Notes []string `json:"-"`
}

// Seconds are the times that the parts of a key took. The sidecar is written before writing has ended.
type Seconds struct {
	Read float64 `json:"read" toml:"read"`
	Load float64 `json:"load" toml:"load"`
	Key  float64 `json:"key" toml:"key"`
	// Check is the check of the seams, with its heat map; 0 where none was made. Total has it, and no other part.
	Check float64 `json:"check,omitempty" toml:"check,omitempty"`
	Post  float64 `json:"post" toml:"post"`
	Write float64 `json:"write" toml:"-"`
	Total float64 `json:"total" toml:"-"`
}

// Run keys one plate. Cancelling ctx stops it within a second and leaves no file behind. Errors name the file
// and say what to do.
func Run(ctx context.Context, e *engine.Engine, o Order) (*Report, error) {
	start := time.Now()
	progress := o.Progress
	if progress == nil {
		progress = func(Progress) {}
	}

	progress(Progress{Doing: "reading"})
	source, err := openUnless(ctx, o)
	if err != nil {
		return nil, err
	}
	read := time.Since(start).Seconds()
	o.Format = o.Format.Suits(source.Header)
	o = o.reading(source.From)
	// Before the network runs, not after it.
	if err := o.checkOutput(); err != nil {
		return nil, err
	}

	if o.Device == "" {
		o.Device = e.Device().Name
	}
	chosen, err := Choose(o, source.Plate)
	if err != nil {
		return nil, fmt.Errorf("cannot key %s: %w", o.Label(), err)
	}
	result, err := network(ctx, e, source.Job(o.Model, chosen.Settings), progress)
	if err != nil {
		return nil, fmt.Errorf("cannot key %s: %w", o.Label(), err)
	}

	var check *engine.Result
	var checking time.Duration
	tooLarge := CheckTooLarge(o.Machine, chosen.PeakBytes, source.Plate.RGB.W, source.Plate.RGB.H)
	if o.Seams && unchecked(result) == "" && tooLarge == "" {
		progress(Progress{Doing: "checking seams", Left: -1})
		began := time.Now()
		job := source.Job(o.Model, chosen.Settings)
		job.Check, job.Heat = result, true
		if check, err = network(ctx, e, job, progress); err != nil {
			return nil, fmt.Errorf("cannot check the seams of %s: %w", o.Label(), err)
		}
		checking = time.Since(began)
	}

	progress(Progress{Doing: "finishing"})
	now := time.Now()
	raw := matte.Network{Matte: result.Matte, FG: result.FG, Coarse: result.Coarse}
	key, err := source.Finish(ctx, o.Look, raw)
	if err != nil {
		return nil, fmt.Errorf("cannot key %s: %w", o.Label(), err)
	}
	var heat picture.Image
	if check != nil {
		began := time.Now()
		if heat, err = heatMap(result.Grid, source.Seen, check.Heat); err != nil {
			return nil, err
		}
		drawing := time.Since(began)
		checking, now = checking+drawing, now.Add(drawing)
	}
	source.Seen = picture.Picture{}
	result.Matte, result.FG, result.Coarse = picture.Image{}, picture.Image{}, picture.Image{}
	review, err := matte.Check(ctx, key.Matte)
	if err != nil {
		return nil, err
	}
	r := NewReport(o, source, chosen, result, key)
	r.AddReview(review)
	r.AddSeams(o, result, check)
	if o.Seams && tooLarge != "" {
		r.Warnings = append(r.Warnings, "seams are not checked: "+tooLarge)
	}
	r.heat = heat
	if o.Check {
		r.Check = r.Review
	}
	r.Seconds.Read, r.Seconds.Check, r.Seconds.Post = read, checking.Seconds(), time.Since(now).Seconds()

	progress(Progress{Doing: "writing"})
	if err := r.Write(ctx, o, source, key, result); err != nil {
		return nil, err
	}
	r.Seconds.Total = time.Since(start).Seconds()
	return r, nil
}

// NewReport gathers what there is to say of a finished key that has not been written yet.
func NewReport(o Order, s Source, c Choice, result *engine.Result, key matte.Key) *Report {
	r := &Report{
		Plate: o.Label(), Model: o.Model.Name, Device: result.Device.Kind, DeviceWords: DeviceWords(choose.Using{Info: result.Device}), Settings: result.Used.Map(),
		Adjusted: append([]presets.Adjusted{}, c.Adjusted...), Tiles: result.Grid.Len(), PeakBytes: result.PeakBytes,
		Warnings: append([]string{}, s.Warnings...), Notes: slices.Concat(s.Notes, c.Notes), ranOn: result.Device,
	}
	r.Seconds.Load, r.Seconds.Key = result.Seconds.Load, result.Seconds.Key
	for _, a := range result.Adjusted {
		r.Adjusted = append(r.Adjusted, presets.Adjusted(a))
	}
	if result.Swapped {
		r.Warnings = append(r.Warnings, "the model knows only the other screen colour: green and blue changed places for it")
	}
	r.Warnings = append(r.Warnings, key.Warnings...)
	return r
}

// network runs the engine and passes its events on.
func network(ctx context.Context, e *engine.Engine, j engine.Job, progress func(Progress)) (*engine.Result, error) {
	ticket := e.Submit(ctx, j)
	for event := range ticket.Events() {
		switch event.Phase {
		case engine.PhaseLoad:
			progress(Progress{Doing: "loading", Tiles: event.Tiles, Left: -1})
		case engine.PhaseKey:
			progress(Progress{Doing: "keying", Tile: event.Tile, Tiles: event.Tiles, Left: event.Left})
		case engine.PhaseRefine:
			progress(Progress{Doing: "refining", Left: event.Left})
		}
	}
	return ticket.Wait()
}

// Label is what messages call the plate.
func (o Order) Label() string {
	if o.Plate == "" {
		return assets.SampleName
	}
	return o.Plate
}

// Folder is where the passes of a plate go.
func (o Order) Folder() string {
	switch {
	case o.Out != "":
		return o.Out
	case o.Plate == "":
		return "keys"
	}
	return filepath.Join(filepath.Dir(o.Plate), "keys")
}

// checkOutput reports whether the files of the order can be written where they go.
func (o Order) checkOutput() error {
	if err := imageio.CheckFolder(o.Folder()); err != nil {
		return err
	}
	return o.CheckNames()
}

// Name is what the passes of a plate are named after.
func (o Order) Name() string {
	base := filepath.Base(o.Label())
	name := strings.TrimSuffix(base, filepath.Ext(base))
	if strings.Trim(name, ".") == "" { // a name that is all ending, as of ".png"
		return base
	}
	return name
}

// readPlate reads the plate, or the sample.
func (o Order) readPlate() (*imageio.File, error) {
	if o.Plate != "" {
		return imageio.OpenLayer(o.Plate, o.Layer, imageio.Limits{})
	}
	sample := bytes.NewReader(assets.Sample)
	return imageio.Decode(sample, sample.Size(), assets.SampleName, imageio.Limits{})
}
