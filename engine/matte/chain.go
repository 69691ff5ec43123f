// Package matte finishes a key after the network: it cleans the matte, takes the foreground from the plate
// where it can, removes spill, and composites. Everything works in float32 on the plate's own pixels, and
// nothing here runs the network again.
//
// The steps are plain functions; Finish runs them in their order. Mattes are [H, W, 1], linear, 0..1;
// foregrounds are [H, W, 3], straight.
package matte

import (
	"context"
	"fmt"
	"slices"

	"greenroom/engine/colour"
	"greenroom/engine/picture"
	"greenroom/engine/settings"
)

// Network is what the network made of a plate, at the plate's size. Finish only reads it, so that the same
// result can be finished again with another look.
type Network struct {
	// Matte is the matte as it came, [H, W, 1], 0..1; it reaches neither end.
	Matte picture.Image
	// FG is the straight foreground, [H, W, 3], sRGB-encoded, 0..1.
	FG picture.Image
	// Coarse holds the logits before the refiner, [H'/4, W'/4, 4] for the plate padded to H' x W', multiples of
	// 32: matte, red, green, blue. Only Refine reads it; it may be empty otherwise.
	Coarse picture.Image
}

// Key is a finished key, at the plate's size. It shares no memory with what it was made from.
type Key struct {
	// Matte is the matte, [H, W, 1], 0..1; 0 and 1 are exact.
	Matte picture.Image
	// FG is the straight foreground, [H, W, 3], in Space.
	FG picture.Image
	// Space is the plate's own space.
	Space colour.Space
	// Screen is the screen colour that was despilled, green or blue.
	Screen settings.Screen
	// Warnings says, for the artist, what is wrong with the key as a whole; empty if nothing is.
	Warnings []string
}

// work is a key in the making: what the steps read and the key that they change.
type work struct {
	plate picture.Picture
	look  settings.Look
	Key
}

// step is one step of the chain.
type step struct {
	name string
	run  func(*work) error
}

// chain returns the steps in their order: those of the matte, then those of the foreground, which read the
// finished matte. Despill comes after source detail, so that it also reaches the plate's own pixels.
func chain() []step {
	return []step{
		{"clip", func(w *work) error {
			Clip(w.Matte, w.look.ClipBlack, w.look.ClipWhite)
			return nil
		}},
		{"despeckle", func(w *work) error {
			DespeckleIslands(w.Matte, w.look.Despeckle)
			return nil
		}},
		{"colour", func(w *work) error {
			return intoSpace(w.FG, w.Space)
		}},
		{"source detail", func(w *work) error {
			if w.look.SourceDetail {
				SourceDetail(w.FG, w.plate.RGB, w.Matte)
			}
			return nil
		}},
		{"despill", func(w *work) error {
			return Despill(w.FG, w.Space, w.Screen, w.look.Despill, w.look.NeutralReturn)
		}},
	}
}

// Finish makes the key of a plate from the network's result. screen is the screen colour as it was found or
// chosen, green or blue, whatever look.Screen says. The plate's alpha is not used. Cancelling ctx stops
// between two steps and returns its error. Sizes that differ, a look that cannot work and an unknown space
// are errors.
//
// Besides the key's own matte and foreground it needs one plane of the matte's size at a time.
func Finish(ctx context.Context, plate picture.Picture, raw Network, look settings.Look, screen settings.Screen) (Key, error) {
	if err := check(plate, raw, look, screen); err != nil {
		return Key{}, fmt.Errorf("finishing the key: %w", err)
	}
	w := &work{plate: plate, look: look, Key: Key{
		Matte: raw.Matte.Clone(), FG: raw.FG.Clone(), Space: plate.Space, Screen: screen,
	}}
	for _, s := range chain() {
		if err := ctx.Err(); err != nil {
			return Key{}, err
		}
		if err := s.run(w); err != nil {
			return Key{}, fmt.Errorf("finishing the key: %s: %w", s.name, err)
		}
	}
	w.Warnings = warnings(w.Matte)
	return w.Key, nil
}

// check reports what Finish cannot work with.
func check(plate picture.Picture, raw Network, look settings.Look, screen settings.Screen) error {
	switch {
	case plate.RGB.Empty() || plate.RGB.C != 3:
		return fmt.Errorf("the plate has %d channels at %dx%d", plate.RGB.C, plate.RGB.W, plate.RGB.H)
	case raw.Matte.C != 1 || !raw.Matte.SameSize(plate.RGB):
		return fmt.Errorf("the matte has %d channels at %dx%d, the plate is %dx%d",
			raw.Matte.C, raw.Matte.W, raw.Matte.H, plate.RGB.W, plate.RGB.H)
	case raw.FG.C != 3 || !raw.FG.SameSize(plate.RGB):
		return fmt.Errorf("the foreground has %d channels at %dx%d, the plate is %dx%d",
			raw.FG.C, raw.FG.W, raw.FG.H, plate.RGB.W, plate.RGB.H)
	case screen != settings.ScreenGreen && screen != settings.ScreenBlue:
		return fmt.Errorf("the screen is %q, not green or blue", screen)
	}
	return look.Validate()
}

// intoSpace takes sRGB-encoded colour into space, in place.
func intoSpace(fg picture.Image, space colour.Space) error {
	if space == colour.SRGB {
		return nil
	}
	from, err := colour.NewCurve(colour.SRGB)
	if err != nil {
		return err
	}
	to, err := colour.NewCurve(space)
	if err != nil {
		return err
	}
	picture.ParallelRows(fg.H, func(y0, y1 int) {
		for y := y0; y < y1; y++ {
			row := fg.Row(y)
			for i, v := range row {
				row[i] = to.FromLinear(from.ToLinear(v))
			}
		}
	})
	return nil
}

// warnings says what an artist should know before using a matte: nobody wants a black one without a word.
func warnings(m picture.Image) []string {
	switch {
	case slices.Max(m.Pix) == 0:
		return []string{"the matte is black everywhere: nothing was keyed (the hint must be bright over the subject; give another with --hint)"}
	case slices.Min(m.Pix) == 1:
		return []string{"the matte is white everywhere: nothing was taken for the screen (the hint must be black over the screen; give another with --hint)"}
	}
	return nil
}
