package matte

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"greenroom/engine/picture"
	"greenroom/engine/settings"
)

// Masks are core and garbage mattes that come as images, [H, W, 1], 0..1, of the plate's size; either may be
// empty. The marks' regions are drawn over them. A mask with other pixels must be another image: what was
// handed in is not looked at again.
type Masks struct{ Core, Garbage picture.Image }

// Finisher finishes the key of one plate again and again: it remembers what each step made, and makes only
// what a change of look, marks or masks asks for. It is for one goroutine at a time.
//
// Beside plate and network result it keeps one plane of the plate's size (4 bytes a pixel) for each step of
// the matte that changes something, one for the plate's share of the foreground, and six for the foreground:
// at the default look of an encoded plate 8 planes, 66 MB at 1920x1080 and 283 MB at 4096x2160; three more
// where the plate is not sRGB or was seen brighter, three where edges are unmixed, four where the refiner is blended. At work it
// takes up to two planes more, and the images of an earlier key stay for as long as the caller holds them.
type Finisher struct {
	plate  picture.Picture
	raw    Network
	screen settings.Screen

	// The matte's steps, in their order.
	refined                                     memo[Network]
	clipped, gamma, grown, softened, despeckled memo[picture.Image]
	core, garbage, held                         memo[picture.Image]
	// known is the clipped matte with the core: what colours go by.
	known memo[picture.Image]
	// The foreground's steps, in their order.
	network, unmixed, share, edge, keptArea, despilled memo[picture.Image]
	backing                                            memo[*Backing]

	// marks and masks are those of the last call, and changes counts how often each part was another.
	marks   settings.Marks
	masks   Masks
	changes struct{ core, garbage, kept, keptArea int }
}

// NewFinisher returns a Finisher for a plate and what the network made of it, both of which the caller then
// leaves alone. screen is the screen colour as it was found or chosen, green or blue. Sizes that differ and an
// unknown space are errors.
func NewFinisher(plate picture.Picture, raw Network, screen settings.Screen) (*Finisher, error) {
	if err := check(plate, raw, screen); err != nil {
		return nil, fmt.Errorf("finishing the key: %w", err)
	}
	return &Finisher{plate: plate, raw: raw, screen: screen}, nil
}

// check reports what cannot be finished.
func check(plate picture.Picture, raw Network, screen settings.Screen) error {
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
	return plate.Space.Validate()
}

// Finish makes the key for a look, with the marks and masks of the plate. Cancelling ctx stops within some
// milliseconds and returns its error; what was made until then is kept. A look or marks that cannot work, a
// mask of another size, and a refiner under 1 without coarse logits are errors.
func (f *Finisher) Finish(ctx context.Context, look settings.Look, marks settings.Marks, masks Masks) (Key, error) {
	key, err := f.finish(ctx, look, marks, masks)
	if err != nil && ctx.Err() == nil {
		return Key{}, fmt.Errorf("finishing the key: %w", err)
	}
	return key, err
}

func (f *Finisher) finish(ctx context.Context, look settings.Look, marks settings.Marks, masks Masks) (Key, error) {
	if err := look.Validate(); err != nil {
		return Key{}, err
	}
	if err := marks.Validate(); err != nil {
		return Key{}, err
	}
	if look.Refiner < 1 && (f.raw.Coarse.C != 4 || 4*f.raw.Coarse.W < f.plate.RGB.W || 4*f.raw.Coarse.H < f.plate.RGB.H) {
		return Key{}, errors.New("the refiner cannot be turned down: the network's coarse result was not kept")
	}
	f.take(marks, masks)
	if err := f.mattes(ctx, look); err != nil {
		return Key{}, err
	}
	if err := f.colours(ctx, look); err != nil {
		return Key{}, err
	}
	return Key{
		Matte: f.held.value, FG: f.despilled.value, Space: f.plate.Space, Screen: f.screen,
		Warnings: warnings(f.held.value),
	}, nil
}

// take notes which marks and masks have changed.
func (f *Finisher) take(marks settings.Marks, masks Masks) {
	if !marks.Core.Equal(f.marks.Core) || !sameImage(masks.Core, f.masks.Core) {
		f.changes.core++
	}
	if !marks.Garbage.Equal(f.marks.Garbage) || !sameImage(masks.Garbage, f.masks.Garbage) {
		f.changes.garbage++
	}
	if !slices.Equal(marks.Kept, f.marks.Kept) {
		f.changes.kept++
	}
	if !settings.EqualStrokes(marks.KeptStrokes, f.marks.KeptStrokes) {
		f.changes.keptArea++
	}
	f.marks, f.masks = marks.Clone(), masks
}

// sameImage reports whether two images are one in memory.
func sameImage(a, b picture.Image) bool {
	if a.Empty() || b.Empty() {
		return a.Empty() && b.Empty()
	}
	return &a.Pix[0] == &b.Pix[0] && a.SameSize(b)
}
