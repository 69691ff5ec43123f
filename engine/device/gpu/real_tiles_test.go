package gpu_test

import (
	"context"
	"os"
	"testing"
	"time"

	"greenroom/engine"
	"greenroom/engine/colour"
	"greenroom/engine/device/conformance/conformancetest"
	"greenroom/engine/greenformer"
	"greenroom/engine/greenformer/greenformertest"
	"greenroom/engine/picture"
	"greenroom/engine/settings"
	"greenroom/engine/tiling"
)

// TestRealGPUKeysInTiles keys plates as an artist does, in tiles of 768 with an overlap of 64, and logs how long that
// takes, how much the key holds, and how much of the time the processor spends on blending the tiles and measuring their
// borders.
func TestRealGPUKeysInTiles(t *testing.T) {
	name := os.Getenv(realGPU)
	if name == "" {
		t.Skipf("%s names no GPU", realGPU)
	}
	e, err := engine.New(context.Background(), engine.Options{Device: "vulkan:" + name, CacheDir: os.Getenv("GREENROOM_CACHE")})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for _, c := range []struct {
		name   string
		config greenformer.Config
		w, h   int
	}{
		{"published, 2048", greenformertest.BasePlus, 2048, 2048},
		{"embedded, 4K", greenformertest.Nano, 4096, 2160},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := greenformertest.Model(c.config, 5)
			if err != nil {
				t.Fatal(err)
			}
			defer m.Close()
			plate, hint := conformancetest.Picture(c.h, c.w, 7)
			for _, s := range widths() {
				s.Tile, s.Overlap = 768, 64
				j := engine.Job{
					Plate: picture.Picture{RGB: picture.Image{W: c.w, H: c.h, C: 3, Pix: plate}, Space: colour.SRGB},
					Hint:  picture.Image{W: c.w, H: c.h, C: 1, Pix: hint}, Model: m,
					ModelScreen: settings.ScreenAuto, Screen: settings.ScreenGreen, Settings: s,
				}
				var last *engine.Result
				for range 3 {
					if last, err = e.Key(context.Background(), j); err != nil {
						t.Fatal(err)
					}
				}
				if len(last.Adjusted) > 0 || last.Why != "" {
					t.Errorf("%s: adjusted %v, %s", width(s), last.Adjusted, last.Why)
				}
				t.Logf("%s: %d tiles in %.3f s, %d MiB", width(s), last.Grid.Len(), last.Seconds.Key, last.PeakBytes>>20)
			}
			blended(t, tiling.Plan(c.w, c.h, 768, 64))
		})
	}
}

// blended logs how long the processor takes to blend a grid's tiles, and to measure their borders.
func blended(t *testing.T, g tiling.Grid) {
	t.Helper()
	alpha, fg := make([]float32, g.TileW*g.TileH), make([]float32, g.TileW*g.TileH*3)
	coarse := make([]float32, g.TileW*g.TileH/4)
	for i := range fg {
		fg[i] = float32(i%255) / 255
	}
	copy(alpha, fg)
	var blend, measure time.Duration
	for range 3 {
		a, f, c := tiling.NewBlend(g, 1), tiling.NewBlend(g, 3), tiling.NewCoarseBlend(g, 4)
		meter := tiling.NewMeter(g, false)
		blend, measure = 0, 0
		for i := range g.Len() {
			start := time.Now()
			for _, err := range []error{a.Add(i, alpha), f.Add(i, fg), c.Add(i, coarse)} {
				if err != nil {
					t.Fatal(err)
				}
			}
			blend += time.Since(start)
			start = time.Now()
			if err := meter.Add(i, alpha, fg); err != nil {
				t.Fatal(err)
			}
			measure += time.Since(start)
		}
	}
	t.Logf("of that, blending %s and measuring borders %s", blend, measure)
}
