package bench

import (
	"context"

	"greenroom/engine/settings"
	"greenroom/engine/truth"
)

// truthScenes are the plates that mattes are measured on: the green ones of the set, in both kinds of light: a
// subject with soft edges and hair, bars in motion, discs out of focus; the hint is the true matte at an eighth.
func truthScenes(resolution int) []truth.Scene {
	var green []truth.Scene
	for _, s := range truth.Set(resolution) {
		if s.Screen == settings.ScreenGreen {
			green = append(green, s)
		}
	}
	return green
}

// timingScene is the plate that is timed; a network takes as long for any.
func timingScene(resolution int) truth.Scene {
	return truth.Scene{Size: resolution, Screen: settings.ScreenGreen, Seed: 1}
}

// drawnBytes is the memory that drawing a plate takes, a pixel: seven floats of the layers, then plate, matte, foreground
// and hint.
const drawnBytes = 4 * (7 + 3 + 1 + 3 + 1)

// draw draws a plate, which takes seconds where it is large: on a goroutine of its own, so that a cancelled bench does
// not wait for it.
func draw(ctx context.Context, s truth.Scene) (truth.Plate, error) {
	drawn := make(chan truth.Plate, 1)
	go func() { drawn <- s.Draw() }()
	select {
	case p := <-drawn:
		return p, nil
	case <-ctx.Done():
		return truth.Plate{}, context.Cause(ctx)
	}
}

// score keys every plate whose matte is known under every configuration of the group. One plate is drawn at a time:
// large ones take hundreds of megabytes.
func (r *run) score(ctx context.Context, g *group) error {
	scenes := truthScenes(g.resolution)
	sums := make(map[*lane]float64)
	for _, scene := range scenes {
		r.tell(Progress{Doing: Drawing, Resolution: g.resolution})
		plate, err := draw(ctx, scene)
		if err != nil {
			return err
		}
		for _, l := range g.lanes {
			if l.Err != "" {
				continue
			}
			result, err := r.key(ctx, l, plate, Scoring)
			if err != nil {
				return err
			}
			if l.Err == "" {
				sums[l] += truth.MAE(result.Matte, plate.Matte)
			}
		}
	}
	for _, l := range g.lanes {
		if l.Err == "" {
			mean := sums[l] / float64(len(scenes))
			l.MatteMAE = &mean
		}
	}
	return nil
}
