package matte

import (
	"context"
	"fmt"

	"greenroom/engine/picture"
	"greenroom/engine/settings"
)

// colours runs the steps of the foreground: into the plate's space, edge colour, edge extend, source detail,
// despill. Despill comes last, so that it also reaches the plate's own pixels.
func (f *Finisher) colours(ctx context.Context, look settings.Look) error {
	err := f.network.get(f.refined.version, func() (picture.Image, error) {
		return intoSpace(ctx, f.refined.value.FG, f.plate.Space, f.raw.Exposure)
	})
	if err != nil {
		return fmt.Errorf("colour: %w", err)
	}
	if look.EdgeColour == settings.EdgePlate || look.DespillLimit == settings.DespillScreen {
		err = f.backing.get(f.refined.version, func() (*Backing, error) {
			b, ok, err := FindBacking(ctx, f.plate, f.refined.value.Matte, f.screen)
			if err != nil || !ok {
				return nil, err
			}
			return &b, nil
		})
		if err != nil {
			return fmt.Errorf("clean screen: %w", err)
		}
	}
	if err := f.edges(ctx, look); err != nil {
		return err
	}
	if err := f.despill(ctx, look); err != nil {
		return fmt.Errorf("despill: %w", err)
	}
	return nil
}

// edges makes the foreground before despill.
func (f *Finisher) edges(ctx context.Context, look settings.Look) error {
	type unmix struct {
		network, known, backing int
		by                      settings.EdgeColour
	}
	key := unmix{f.network.version, 0, 0, look.EdgeColour}
	if look.EdgeColour == settings.EdgePlate {
		key.known, key.backing = f.known.version, f.backing.version
	}
	err := f.unmixed.get(key, func() (picture.Image, error) {
		if look.EdgeColour != settings.EdgePlate || f.backing.value == nil {
			return f.network.value, nil
		}
		return Unmix(ctx, f.network.value, f.plate.RGB, f.plate.Space, f.known.value, *f.backing.value)
	})
	if err != nil {
		return fmt.Errorf("edge colour: %w", err)
	}
	type solids struct {
		held, known int
		on          bool
	}
	err = f.share.get(solids{f.held.version, f.known.version, look.SourceDetail}, func() (picture.Image, error) {
		if !look.SourceDetail {
			return picture.Image{}, nil
		}
		return SourceShare(ctx, lesser(f.held.value, f.known.value))
	})
	if err != nil {
		return fmt.Errorf("source detail: %w", err)
	}
	type edge struct {
		colour, known, share int
		reach                float64
	}
	err = f.edge.get(edge{f.unmixed.version, f.known.version, f.share.version, look.EdgeExtend}, func() (picture.Image, error) {
		out := picture.New(f.plate.RGB.W, f.plate.RGB.H, 3)
		if err := Extend(ctx, out, f.unmixed.value, f.plate.Space, f.known.value, look.EdgeExtend); err != nil {
			return picture.Image{}, err
		}
		if f.share.value.Empty() {
			return out, nil
		}
		return out, SourceDetail(ctx, out, f.plate.RGB, f.share.value)
	})
	if err != nil {
		return fmt.Errorf("edge: %w", err)
	}
	return nil
}

// lesser returns the lesser of two mattes: where the finished one is solid only because it was grown, the plate
// shows screen.
func lesser(a, b picture.Image) picture.Image {
	if sameImage(a, b) {
		return a
	}
	m := picture.New(a.W, a.H, 1)
	picture.ParallelRows(m.H, func(y0, y1 int) {
		for y := y0; y < y1; y++ {
			dst, other := m.Row(y), b.Row(y)
			for x, v := range a.Row(y) {
				dst[x] = min(v, other[x])
			}
		}
	})
	return m
}

// despill takes the spill out.
func (f *Finisher) despill(ctx context.Context, look settings.Look) error {
	err := f.keptArea.get(f.changes.keptArea, func() (picture.Image, error) {
		if len(f.marks.KeptStrokes) == 0 {
			return picture.Image{}, nil
		}
		return DrawRegion(ctx, settings.Region{Strokes: f.marks.KeptStrokes}, picture.Image{}, f.plate.RGB.W, f.plate.RGB.H)
	})
	if err != nil {
		return err
	}
	type spill struct {
		edge, kept, keptArea, backing int
		limit                         settings.DespillLimit
		strength, neutral             float64
	}
	s := Spill{
		Screen: f.screen, Limit: look.DespillLimit, Strength: look.Despill, NeutralReturn: look.NeutralReturn,
		Kept: f.marks.Kept, KeptArea: f.keptArea.value,
	}
	key := spill{
		f.edge.version, f.changes.kept, f.keptArea.version, 0, look.DespillLimit, look.Despill, look.NeutralReturn,
	}
	if look.DespillLimit == settings.DespillScreen && f.backing.value != nil {
		s.Vector, key.backing = f.backing.value.Mean, f.backing.version
	}
	return f.despilled.get(key, func() (picture.Image, error) {
		out := picture.New(f.edge.value.W, f.edge.value.H, 3)
		return out, Despill(ctx, out, f.edge.value, f.plate.Space, s)
	})
}
