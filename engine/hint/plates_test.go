package hint

import (
	"image"
	"image/color"
	_ "image/jpeg"
	_ "image/png"
	"os"
	"testing"

	"greenroom/engine/colour"
	"greenroom/engine/picture"
	"greenroom/engine/picture/picturetest"
	"greenroom/engine/settings"
)

// openShared opens a picture from the plates beside the repository, and skips the test where there are none.
func openShared(t *testing.T, path ...string) picture.Picture {
	t.Helper()
	file, err := os.Open(picturetest.Shared(t, append([]string{"plates"}, path...)...))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	img, _, err := image.Decode(file)
	if err != nil {
		t.Fatal(err)
	}
	b := img.Bounds()
	rgb := picture.New(b.Dx(), b.Dy(), 3)
	for y := range rgb.H {
		for x := range rgb.W {
			c := color.NRGBA64Model.Convert(img.At(b.Min.X+x, b.Min.Y+y)).(color.NRGBA64)
			for i, v := range [3]uint16{c.R, c.G, c.B} {
				rgb.Row(y)[3*x+i] = float32(v) / 65535
			}
		}
	}
	return picture.Picture{RGB: rgb, Space: colour.SRGB}
}

func TestFromChromaOfRealPlates(t *testing.T) {
	tests := []struct {
		name            string
		inside, outside map[string][2]int
	}{
		{
			"g01_curlyhair_glasses.png",
			map[string][2]int{
				"forehead": {990, 419}, "hair": {950, 230}, "shoulder": {1450, 960}, "defocused head": {76, 444},
				"lamp": {419, 660}, "lamp's highlight": {381, 838}, "frame's left edge": {2, 960},
			},
			map[string][2]int{
				"screen": {1700, 400}, "marker at the lamp": {510, 575}, "marker at the top": {900, 10}, "marker at the left": {225, 5},
				"spectacles, screen behind": {819, 610}, "strand at the top": {1016, 23}, "strand at the right": {1415, 240},
				"defocused hair": {250, 450}, "gap at the lamp's arm": {180, 750},
			},
		},
		{
			"g04_couple_hd.jpg",
			map[string][2]int{"her face": {205, 130}, "her arm": {90, 260}, "his face": {370, 160}, "his jacket": {330, 290}},
			map[string][2]int{"screen": {290, 60}, "between them": {230, 300}, "her strand": {246, 190}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			plate := openShared(t, "real", tt.name)
			h, screen, err := FromChroma(plate, settings.ScreenAuto, 0)
			if err != nil || screen != settings.ScreenGreen {
				t.Fatalf("screen %s, error %v", screen, err)
			}
			for what, at := range tt.inside {
				if v := h.Matte.Row(at[1])[at[0]]; v < 0.99 {
					t.Errorf("%s is %v, want it inside", what, v)
				}
			}
			for what, at := range tt.outside {
				if v := h.Matte.Row(at[1])[at[0]]; v > 0.02 {
					t.Errorf("%s is %v, want it outside", what, v)
				}
			}
			if notices := NewChecker(plate, settings.ScreenAuto, nil).Check(h.Matte); len(notices) != 0 {
				t.Errorf("notices %v", notices)
			}
		})
	}
}

func TestFromChromaOfRealSubjectsOverDrawnScreens(t *testing.T) {
	for _, name := range [][2]string{
		{"am_01_image.jpg", "am_01_alpha.png"},
		{"am_02_image.jpg", "am_02_alpha.png"},
		{"am_03_image.jpg", "am_03_alpha.png"},
		{"am_09_image.jpg", "am_09_alpha.png"},
		{"m01_lemur_fg.png", "m01_lemur_alpha.png"},
	} {
		subject, alpha := openShared(t, "mattes", name[0]), openShared(t, "mattes", name[1])
		truth := picture.New(alpha.RGB.W, alpha.RGB.H, 1)
		for i := range truth.Pix {
			truth.Pix[i] = alpha.RGB.Pix[3*i]
		}
		truth, subject.RGB = picture.BoxReduce(truth, 2), picture.BoxReduce(subject.RGB, 2)
		for want, d := range map[settings.Screen]drawn{
			settings.ScreenGreen: {screen: hsv(0.4, 0.6, 0.5), uneven: 0.5, grain: 0.015, spill: 0.08, markers: true},
			settings.ScreenBlue:  {screen: hsv(0.65, 0.4, 0.4), uneven: 0.5, grain: 0.015},
		} {
			d.w, d.h = subject.RGB.W, subject.RGB.H
			plate, _ := d.behind(subject.RGB, truth)
			h, screen, err := FromChroma(plate, settings.ScreenAuto, 0)
			if err != nil || screen != want {
				t.Fatalf("%s over %s: screen %s, error %v", name[0], want, screen, err)
			}
			if missed, wrong := score(h.Matte, truth); missed > 0.02 || wrong > 0.02 {
				t.Errorf("%s over %s: %.4f of the core missed, %.4f of what is marked not opaque", name[0], want, missed, wrong)
			}
		}
	}
}
