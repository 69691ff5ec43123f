package engine

import (
	"context"
	"image"
	"testing"
)

// TestLargeOddSizesComeBackExactly keys frames that no tile divides, whole and in tiles, with a device that gives back
// what it sees.
func TestLargeOddSizesComeBackExactly(t *testing.T) {
	e := startFake(t, &fake{})
	for _, size := range []image.Point{{511, 511}, {513, 513}, {1921, 1081}, {20000, 40}} {
		for _, tile := range []int{0, 512} {
			j := testJob(t, size.X, size.Y)
			j.Settings.Tile = tile
			r, err := e.Key(context.Background(), j)
			if err != nil {
				t.Fatalf("%v, tile %d: %v", size, tile, err)
			}
			if r.Matte.W != size.X || r.Matte.H != size.Y || !r.FG.SameSize(r.Matte) {
				t.Errorf("%v, tile %d: the matte is %dx%d, the foreground %dx%d", size, tile, r.Matte.W, r.Matte.H, r.FG.W, r.FG.H)
			}
			if d := far(r.FG, j.Plate.RGB); d > 1e-6 {
				t.Errorf("%v, tile %d: the plate comes back %v off", size, tile, d)
			}
		}
	}
}
