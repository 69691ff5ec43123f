// Package matte finishes a key after the network: it cleans the matte, takes the foreground from the plate
// where it can, removes spill, and composites. Everything works in float32 on the plate's own pixels, and
// nothing here runs the network again.
//
// The steps are plain functions; a Finisher runs them in their order and remembers what they made, so that a
// change costs only the steps after it. Mattes are [H, W, 1], linear, 0..1; foregrounds are [H, W, 3],
// straight.
package matte

import (
	"context"
	"math"
	"slices"

	"greenroom/engine/colour"
	"greenroom/engine/picture"
	"greenroom/engine/settings"
)

// Network is what the network made of a plate, at the plate's size. Nothing here changes it, so that the same
// result can be finished again with another look.
type Network struct {
	// Matte is the matte as it came, [H, W, 1], 0..1; it reaches neither end.
	Matte picture.Image
	// FG is the straight foreground, [H, W, 3], sRGB-encoded, 0..1.
	FG picture.Image
	// Coarse holds the logits before the refiner, [H'/4, W'/4, 4] for the plate padded to H' x W', multiples of
	// 32: matte, red, green, blue. Only Refine reads it; it may be empty otherwise.
	Coarse picture.Image
	// Exposure is by how many stops the plate was brightened before the network saw it; FG still is.
	Exposure float64
}

// Key is a finished key, at the plate's size. It shares no memory with the plate and the network's result, and
// nothing here changes it any more; a Finisher's next keys may share images with it.
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

// Finish makes the key of a plate from the network's result. screen is the screen colour as it was found or
// chosen, green or blue, whatever look.Screen says. The plate's alpha is not used. Cancelling ctx stops
// within some milliseconds and returns its error. Sizes that differ, a look or marks that cannot work and an
// unknown space are errors.
//
// It is one run of a Finisher, which states the memory.
func Finish(ctx context.Context, plate picture.Picture, raw Network, look settings.Look, screen settings.Screen) (Key, error) {
	f, err := NewFinisher(plate, raw, screen)
	if err != nil {
		return Key{}, err
	}
	return f.Finish(ctx, look, settings.Marks{}, Masks{})
}

// intoSpace returns what the network made, sRGB-encoded, in a plate's space, and as dark as it was before the network
// saw it brightened by stops: fg itself where nothing of that changes it.
func intoSpace(ctx context.Context, fg picture.Image, space colour.Space, stops float64) (picture.Image, error) {
	c, err := colour.NewConverter(colour.SRGB, space, float32(math.Exp2(-stops)))
	if err != nil {
		return picture.Image{}, err
	}
	return picture.Convert(ctx, fg, c)
}

// warnings says what an artist should know before using a matte: nobody wants a black one without a word.
func warnings(m picture.Image) []string {
	switch {
	case !slices.ContainsFunc(m.Pix, func(v float32) bool { return v > 0 }):
		return []string{"the matte is black everywhere: nothing was keyed (the hint must be bright over the subject; give another with --hint)"}
	case !slices.ContainsFunc(m.Pix, func(v float32) bool { return v < 1 }):
		return []string{"the matte is white everywhere: nothing was taken for the screen (the hint must be black over the screen; give another with --hint)"}
	}
	return nil
}
