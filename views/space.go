package views

import (
	"context"

	"greenroom/engine/colour"
	"greenroom/engine/picture"
)

// drawable returns colours in a space that is drawn, sRGB or linear Rec.709: themselves where they are in one of the two,
// else in linear Rec.709, over-range light and all. A space that there is not is drawn as sRGB.
func drawable(m picture.Image, space colour.Space) (picture.Image, colour.Space) {
	if space == colour.SRGB || space == colour.LinearRec709 {
		return m, space
	}
	c, err := colour.NewConverter(space, colour.LinearRec709, 1)
	if err != nil {
		return m, colour.SRGB
	}
	// Nothing ends this context, so that there is no error.
	m, _ = picture.Convert(context.Background(), m, c)
	return m, colour.LinearRec709
}
