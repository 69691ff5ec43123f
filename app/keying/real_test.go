package keying

import (
	"testing"

	"greenroom/engine/imageio"
	"greenroom/engine/picture"
	"greenroom/engine/picture/picturetest"
)

// TestRealPlateKeysCleanly keys a film frame with no hint given: an out-of-focus head and lamp on the left, curls and
// spectacles in the middle, soft tracking markers on the screen.
func TestRealPlateKeysCleanly(t *testing.T) {
	if testing.Short() {
		t.Skip("a frame of 1920 x 1012 takes some seconds")
	}
	e, o := bench(t)
	o.Plate, o.Out, o.Look.Despill = picturetest.Shared(t, "plates", "real", "g01_curlyhair_glasses.png"), t.TempDir(), 0
	r, err := Run(t.Context(), e, o)
	if err != nil {
		t.Fatal(err)
	}
	key, err := imageio.Open(r.Files[PassKey], imageio.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	plate, err := imageio.Open(o.Plate, imageio.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	matte := key.Picture.Alpha
	// Screen, markers included, is exactly 0; the face and the coats are exactly 1.
	for name, c := range map[string]struct {
		x, y, w, h int
		want       float32
	}{
		"screen on the right":      {1500, 20, 400, 600, 0},
		"screen above the lamp":    {280, 40, 400, 60, 0},
		"marker beside the lamp":   {470, 540, 80, 80, 0},
		"marker at the top":        {200, 0, 50, 20, 0},
		"second marker at the top": {880, 0, 60, 8, 0},
		"face":                     {950, 400, 300, 320, 1},
		"head out of focus":        {20, 400, 140, 150, 1},
		"coat":                     {900, 900, 500, 100, 1},
	} {
		low, high := extremes(picture.Crop(matte, c.x, c.y, c.w, c.h))
		if low != c.want || high != c.want {
			t.Errorf("%s: the matte is %v to %v, want %v", name, low, high, c.want)
		}
	}
	// Single curls and the spectacles' frame before the screen are held.
	for name, c := range map[string]struct{ x, y, w, h int }{
		"curls":             {1280, 90, 140, 200},
		"spectacles' frame": {755, 545, 60, 60},
	} {
		if low, high := extremes(picture.Crop(matte, c.x, c.y, c.w, c.h)); low > 0.1 || high < 0.9 {
			t.Errorf("%s: the matte is %v to %v", name, low, high)
		}
	}
	// Well inside the face the key is the plate, bit for bit.
	for y := 450; y < 750; y++ {
		for i := 3 * 950; i < 3*1150; i++ {
			if got, want := key.Picture.RGB.Row(y)[i], plate.Picture.RGB.Row(y)[i]; got != want {
				t.Fatalf("%d,%d: %v, the plate has %v", i/3, y, got, want)
			}
		}
	}
}

func extremes(m picture.Image) (low, high float32) {
	low, high = m.Pix[0], m.Pix[0]
	for _, v := range m.Pix {
		low, high = min(low, v), max(high, v)
	}
	return low, high
}
