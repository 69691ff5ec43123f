package matte

import (
	"context"
	"fmt"
	"math"

	"greenroom/engine/picture"
	"greenroom/engine/settings"
)

// mattes runs the steps of the matte: refiner, clip, gamma, shrink/grow, soften, despeckle, core and garbage.
func (f *Finisher) mattes(ctx context.Context, look settings.Look) error {
	type number struct {
		in    int
		value float64
	}
	err := f.refined.get(look.Refiner, func() (Network, error) { return Refine(ctx, f.raw, look.Refiner) })
	if err != nil {
		return fmt.Errorf("refiner: %w", err)
	}
	type clip struct {
		in           int
		black, white float64
	}
	err = f.clipped.get(clip{f.refined.version, look.ClipBlack, look.ClipWhite}, func() (picture.Image, error) {
		m := f.refined.value.Matte.Clone()
		Clip(m, look.ClipBlack, look.ClipWhite)
		return m, ctx.Err()
	})
	if err != nil {
		return fmt.Errorf("clip: %w", err)
	}
	err = f.gamma.get(number{f.clipped.version, look.Gamma}, func() (picture.Image, error) {
		m := f.clipped.value
		if look.Gamma != 1 {
			m = m.Clone()
			Gamma(m, look.Gamma)
		}
		return m, ctx.Err()
	})
	if err != nil {
		return fmt.Errorf("gamma: %w", err)
	}
	err = f.grown.get(number{f.gamma.version, look.Grow}, func() (picture.Image, error) {
		if look.Grow == 0 {
			return f.gamma.value, nil
		}
		return picture.Grow(ctx, f.gamma.value, look.Grow)
	})
	if err != nil {
		return fmt.Errorf("shrink/grow: %w", err)
	}
	err = f.softened.get(number{f.grown.version, look.Soften}, func() (picture.Image, error) {
		if look.Soften == 0 {
			return f.grown.value, nil
		}
		return picture.Soften(ctx, f.grown.value, look.Soften)
	})
	if err != nil {
		return fmt.Errorf("soften: %w", err)
	}
	type specks struct {
		in, area int
		by       settings.Despeckling
	}
	err = f.despeckled.get(specks{f.softened.version, look.Despeckle, look.DespeckleBy}, func() (picture.Image, error) {
		if look.DespeckleBy == settings.DespeckleReference {
			return DespeckleReference(ctx, f.softened.value, look.Despeckle)
		}
		return DespeckleIslands(ctx, f.softened.value, onPlate(look.Despeckle, f.softened.value))
	})
	if err != nil {
		return fmt.Errorf("despeckle: %w", err)
	}
	return f.hold(ctx)
}

// hold forces the matte to core and garbage, and makes the matte that colours go by.
func (f *Finisher) hold(ctx context.Context) error {
	w, h := f.plate.RGB.W, f.plate.RGB.H
	draw := func(r settings.Region, mask picture.Image) (picture.Image, error) {
		if r.Empty() && mask.Empty() {
			return picture.Image{}, ctx.Err()
		}
		return DrawRegion(ctx, r, mask, w, h)
	}
	err := f.core.get(f.changes.core, func() (picture.Image, error) { return draw(f.marks.Core, f.masks.Core) })
	if err != nil {
		return fmt.Errorf("core: %w", err)
	}
	err = f.garbage.get(f.changes.garbage, func() (picture.Image, error) {
		m, err := draw(f.marks.Garbage, f.masks.Garbage)
		if err != nil || m.Empty() {
			return m, err
		}
		return Feather(ctx, m, garbageFeather)
	})
	if err != nil {
		return fmt.Errorf("garbage: %w", err)
	}
	held := func(in *memo[picture.Image], core, garbage picture.Image) func() (picture.Image, error) {
		return func() (picture.Image, error) {
			if core.Empty() && garbage.Empty() {
				return in.value, ctx.Err()
			}
			return Hold(in.value, core, garbage), ctx.Err()
		}
	}
	type inputs struct{ in, core, garbage int }
	err = f.held.get(inputs{f.despeckled.version, f.core.version, f.garbage.version},
		held(&f.despeckled, f.core.value, f.garbage.value))
	if err != nil {
		return err
	}
	return f.known.get(inputs{f.clipped.version, f.core.version, 0}, held(&f.clipped, f.core.value, picture.Image{}))
}

// onPlate returns an area that is meant for a long edge of 1920 in pixels of m.
func onPlate(area int, m picture.Image) int {
	scale := float64(max(m.W, m.H)) / coreEdge
	return int(math.Round(float64(area) * scale * scale))
}
