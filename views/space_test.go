package views

import (
	"math"
	"testing"

	"greenroom/engine/colour"
	"greenroom/engine/picture"
)

func TestEverySpaceIsDrawnAsTheSamePicture(t *testing.T) {
	encoded, matte := picture.New(4, 3, 3), picture.New(4, 3, 1)
	for i := range encoded.Pix {
		encoded.Pix[i] = 0.1 + float32(i%7)/9
	}
	for i := range matte.Pix {
		matte.Pix[i] = 1
	}
	for _, space := range colour.Spaces() {
		c, err := colour.NewConverter(colour.SRGB, space, 1)
		if err != nil {
			t.Fatal(err)
		}
		m, err := picture.Convert(t.Context(), encoded, c)
		if err != nil {
			t.Fatal(err)
		}
		shown := NewShown(picture.Picture{RGB: m, Space: space})
		_, fg := NewKey(matte, m, space).at(2, 1)
		for i, want := range encoded.Row(1)[6:9] {
			if space != colour.SRGB {
				want = colour.SRGBToLinear(want)
			}
			for _, got := range []float32{shown.At(2, 1)[i], fg[i]} {
				if math.Abs(float64(got-want)) > 1e-4 {
					t.Errorf("%s: channel %d is drawn of %v, want %v", space, i, got, want)
				}
			}
		}
	}
}
