package engine

import (
	"context"
	"errors"
	"fmt"

	"greenroom/engine/device"
	"greenroom/engine/settings"
)

// retryTiles are the tiles that a job falls back to when it does not fit, in pixels, from the largest.
var retryTiles = [...]int{4096, 3072, 2048, 1536, 1024, 768, 512, 384, 256, 128}

// smallerTile returns the settings for the next smaller tile than a plate of w x h ran with; false where
// there is none.
func smallerTile(w, h int, s settings.Settings) (settings.Settings, bool) {
	g := layout(w, h, s)
	for _, tile := range retryTiles {
		if tile >= max(g.TileW, g.TileH) {
			continue
		}
		s.Tile = tile
		// An overlap of a quarter leaves most of the tile to itself.
		s.Overlap = min(s.Overlap, tile/4)
		return s, true
	}
	return s, false
}

// retry decides what to do about a failed attempt: the settings to try next with what changed, or false. Each
// cause is retried once; a device that failed is never given the same size again.
func retry(j Job, used settings.Settings, err error, before []Adjustment) (settings.Settings, []Adjustment, bool) {
	tried := func(setting string) bool {
		for _, a := range before {
			if a.Setting == setting {
				return true
			}
		}
		return false
	}
	var memory *MemoryError
	var failed *DeviceError
	var values *NonFiniteError
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.Is(err, device.ErrLost):
		return used, nil, false
	case errors.As(err, &values) && used.BF16 && !tried("bf16"):
		next := used
		next.BF16 = false
		return next, []Adjustment{{"bf16", true, false, "half-width numbers overflowed in the network"}}, true
	case j.Check != nil: // other tiles would be another key's
		return used, nil, false
	case errors.As(err, &memory) && refinesFrame(layout(j.Plate.RGB.W, j.Plate.RGB.H, used), used):
		next := used
		next.Refine = settings.RefineTile
		why := "the device has too little memory to refine the whole frame at once"
		return next, []Adjustment{{"refine", used.Refine, next.Refine, why}}, true
	case errors.As(err, &memory), errors.As(err, &failed) && failed.Doing == doingRun:
		next, ok := smallerTile(j.Plate.RGB.W, j.Plate.RGB.H, used)
		if !ok || tried("tile") {
			return used, nil, false
		}
		why := "the device failed at the larger tile"
		if memory != nil {
			why = "the device has too little memory for the larger tile"
		}
		changed := []Adjustment{{"tile", used.Tile, next.Tile, why}}
		if next.Overlap != used.Overlap {
			changed = append(changed, Adjustment{"overlap", used.Overlap, next.Overlap, "the tile became smaller"})
		}
		return next, changed, true
	}
	return used, nil, false
}

// note says in a line what a retry changes.
func note(changed []Adjustment) string {
	c := changed[0]
	return fmt.Sprintf("%s: trying again with %s %v instead of %v", c.Why, c.Setting, c.Used, c.Asked)
}
