package assets

import (
	"bytes"
	"image"
	"image/png"
	"testing"
)

func decode(t *testing.T, data []byte) image.Image {
	t.Helper()
	m, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestSampleIsAGreenScreenPlate(t *testing.T) {
	m := decode(t, Sample)
	if m.Bounds() != image.Rect(0, 0, 960, 540) {
		t.Fatalf("bounds %v", m.Bounds())
	}
	green := 0
	for x := range 960 {
		if r, g, b, a := m.At(x, 4).RGBA(); a == 0xffff && g > r+r/4 && g > b+b/4 {
			green++
		}
	}
	if green < 940 {
		t.Errorf("%d of 960 pixels of the top row are screen", green)
	}
	if r, g, _, _ := m.At(500, 150).RGBA(); g >= r {
		t.Errorf("the forehead is green")
	}
}

func TestIconIsSquareWithClearCorners(t *testing.T) {
	m := decode(t, Icon)
	if m.Bounds() != image.Rect(0, 0, 512, 512) {
		t.Fatalf("bounds %v", m.Bounds())
	}
	if _, _, _, a := m.At(0, 0).RGBA(); a != 0 {
		t.Errorf("corner alpha %d", a)
	}
}
