package hint

import (
	"errors"
	"testing"

	"greenroom/engine/colour"
	"greenroom/engine/picture"
	"greenroom/engine/settings"
)

func TestFindScreenSeesWhatTheChromaHintSees(t *testing.T) {
	plate := func(screen [3]float32) picture.Picture {
		m := picture.New(400, 300, 3)
		for i := range m.W * m.H {
			c := screen
			if x, y := i%m.W, i/m.W; x > 150 && x < 250 && y > 100 {
				c = [3]float32{0.7, 0.5, 0.4}
			}
			copy(m.Pix[3*i:], c[:])
		}
		return picture.Picture{RGB: m, Space: colour.SRGB}
	}
	for want, screen := range map[settings.Screen][3]float32{
		settings.ScreenGreen: {0.2, 0.65, 0.25},
		settings.ScreenBlue:  {0.15, 0.25, 0.7},
	} {
		p := plate(screen)
		got, err := FindScreen(p)
		if err != nil || got != want {
			t.Errorf("%v: %q, %v", screen, got, err)
		}
		if _, chroma, err := FromChroma(p, settings.ScreenAuto, 0); err != nil || chroma != got {
			t.Errorf("%v: the chroma hint finds %q, %v", screen, chroma, err)
		}
	}
	if got, err := FindScreen(plate([3]float32{0.5, 0.5, 0.5})); !errors.Is(err, ErrNoScreen) {
		t.Errorf("a grey plate: %q, %v", got, err)
	}
	if _, err := FindScreen(picture.Picture{}); err == nil {
		t.Error("no plate: no error")
	}
}
