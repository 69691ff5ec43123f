package engine

import (
	"fmt"

	"greenroom/engine/colour"
	"greenroom/engine/device"
	"greenroom/engine/greenformer"
	"greenroom/engine/picture"
	"greenroom/engine/settings"
	"greenroom/engine/tiling"
)

// Job is a plate to key. The engine reads what it points to and changes nothing; the caller leaves it alone
// until the job has ended.
type Job struct {
	// Plate is the plate in its own space, over-range values and all: the network sees it encoded as sRGB,
	// clamped to 0..1, and 0 where a value is not finite. Its alpha is ignored.
	Plate picture.Picture
	// Hint is the rough matte, [H, W, 1], of the plate's size, about 0..1.
	Hint picture.Image
	// Model is the network. It stays open for as long as the job runs.
	Model *greenformer.Model
	// ModelScreen is the screen colour that the model was trained for: green, blue, or auto for both.
	ModelScreen settings.Screen
	// Screen is the plate's screen colour, green or blue. Where the model knows only the other one, the
	// green and blue channels change places on the way in and on the way out.
	Screen settings.Screen
	// Settings say how to run the network.
	Settings settings.Settings
	// Preview asks for the pixels of every finished tile in its event.
	Preview bool
	// Heat asks for Result.Heat.
	Heat bool
	// Keep is how many bytes of finished tiles the engine may keep beside the key, until the next: there tiles in which the
	// network sees the very same, and would run the same, are not run again. 0 keeps none. A Check recalls tiles and
	// keeps none.
	Keep int64
	// Check, where set, is a key that this job made: the plate is keyed again on the grid shifted by half a tile,
	// and Result.Seams says how the two differ along the borders of Check's grid. With Refine "tile" only tiles
	// on borders that cross detail of the hint or of Check's matte run (0.02..0.98, or some of both sides), and the rest
	// of the result is 0. Settings are Check's own; its Frame must be 0.
	Check *Result
}

// Adjustment is a setting that the engine had to change.
type Adjustment struct {
	Setting     string
	Asked, Used any
	Why         string
}

// Seconds is how long the parts of a job took.
type Seconds struct {
	// Load is the time to build the program and to bring it to the device; next to 0 when it was there already.
	Load float64
	// Key is the time to run it on all tiles, with what surrounds it: cutting, blending, resizing.
	Key float64
}

// Result is a keyed plate.
type Result struct {
	// Matte is the network's matte, [H, W, 1], linear, 0..1, not clipped or cleaned.
	Matte picture.Image
	// FG is the network's foreground, [H, W, 3], straight, sRGB-encoded, 0..1.
	FG picture.Image
	// Coarse holds the logits before the refiner, [H'/4, W'/4, 4] for the plate padded to H' x W': matte, red,
	// green, blue.
	Coarse picture.Image
	// Used are the settings that ran; Adjusted says where they differ from the job's.
	Used     settings.Settings
	Adjusted []Adjustment
	// Swapped says that green and blue changed places for the network.
	Swapped bool
	// NonFinite counts the plate's samples that were NaN or infinite and that the network saw as 0.
	NonFinite int
	// Grid are the tiles: of the plate, or with a frame of the frame's square. Finished counts those that are
	// done: fewer than the grid has only where the job was cancelled.
	Grid     tiling.Grid
	Finished int
	// Recalled counts those of Finished that were kept from the key before and did not run.
	Recalled int
	// Seams are the borders of the tiles, ranked: how much two tiles disagree about what both see. That is known
	// only where each tile is refined by itself, or of a Check. Heat is the difference of every pixel, [H, W, 1],
	// 0..1, where the job asks for it.
	Seams   []tiling.Seam
	Heat    picture.Image
	Seconds Seconds
	// PeakBytes is the most memory that the job held at a time beside plate and hint, as measured: the
	// device's arena, scratch and weights; the tile going in and coming out; the pictures being blended; with a
	// frame the resized ones; and what Keep kept.
	PeakBytes int64
	Device    device.Info
	// Why says why auto ran it on the processor and on no GPU; empty elsewhere.
	Why string
}

// validate reports the first thing about the job that cannot work.
func (j Job) validate() error {
	w, h := j.Plate.RGB.W, j.Plate.RGB.H
	if err := j.Settings.Validate(); err != nil {
		return &JobError{err.Error(), "change the setting"}
	}
	switch {
	case j.Model == nil:
		return &JobError{"there is no model", "choose one"}
	case !sound(j.Plate.RGB, 3):
		return &JobError{"the plate has no pixels, or not three channels", "open a picture"}
	case !sound(j.Hint, 1):
		return &JobError{"the hint has no pixels, or not one channel", "make a hint first"}
	case !j.Plate.RGB.SameSize(j.Hint):
		return &JobError{
			fmt.Sprintf("the hint is %d x %d and the plate %d x %d", j.Hint.W, j.Hint.H, w, h),
			"resize the hint to the plate",
		}
	case j.Screen != settings.ScreenGreen && j.Screen != settings.ScreenBlue:
		return &JobError{fmt.Sprintf("the plate's screen is %q", j.Screen), "find its colour first: green or blue"}
	}
	switch j.ModelScreen {
	case settings.ScreenAuto, settings.ScreenGreen, settings.ScreenBlue:
	default:
		return &JobError{fmt.Sprintf("the model's screen is %q", j.ModelScreen), "it is green, blue, or auto for both"}
	}
	if _, err := colour.NewCurve(j.Plate.Space); err != nil {
		return &JobError{err.Error(), "choose a space that is"}
	}
	if c := j.Check; c != nil {
		switch {
		case c.Used.Frame > 0:
			return &JobError{"seams cannot be checked where a frame resizes the plate", "set frame to 0"}
		case !sound(c.Matte, 1) || !sound(c.FG, 3) || !c.Matte.SameSize(j.Hint) || !c.FG.SameSize(j.Hint):
			return &JobError{"the key to check is not one of this plate", "key the plate first"}
		case !c.Grid.Shiftable():
			return &JobError{"tiles follow one another so closely that no grid lies between", "choose a larger tile or a smaller overlap"}
		case c.Finished < c.Grid.Len():
			return &JobError{"the key to check is not finished", "key the whole plate first"}
		}
	}
	return nil
}

// sound reports whether an image has pixels and as many as it says.
func sound(m picture.Image, channels int) bool {
	return m.W > 0 && m.H > 0 && m.C == channels && len(m.Pix) == m.W*m.H*m.C
}

// swapped reports whether the model knows only the screen that the plate does not have.
func (j Job) swapped() bool {
	return j.ModelScreen != settings.ScreenAuto && j.ModelScreen != j.Screen
}

// refinesFrame reports whether the refiner runs over the whole frame apart from the tiles. With one tile that is what
// it does in any case.
func refinesFrame(g tiling.Grid, s settings.Settings) bool {
	return s.Refine == settings.RefineFrame && g.Len() > 1
}

// layout plans the tiles of a plate of w x h, or of the frame's square.
func layout(w, h int, s settings.Settings) tiling.Grid {
	if s.Frame > 0 {
		w, h = s.Frame, s.Frame
	}
	return tiling.Plan(w, h, s.Tile, s.Overlap)
}
