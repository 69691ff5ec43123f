// Package colour holds colour spaces as data: transfer curves, primaries, and the arithmetic between them.
package colour

import "math"

// SRGBToLinear decodes one sRGB value to linear light (IEC 61966-2-1). Values over 1 follow the curve;
// negative values are mirrored, so that the function is odd and loses nothing.
func SRGBToLinear(v float32) float32 {
	switch {
	case v < 0:
		return -SRGBToLinear(-v)
	case v <= 0.04045:
		return v / 12.92
	}
	return float32(math.Pow((float64(v)+0.055)/1.055, 2.4))
}

// LinearToSRGB encodes one linear value with the sRGB curve (IEC 61966-2-1), the inverse of SRGBToLinear.
func LinearToSRGB(v float32) float32 {
	switch {
	case v < 0:
		return -LinearToSRGB(-v)
	case v <= 0.0031308:
		return v * 12.92
	}
	return float32(1.055*math.Pow(float64(v), 1/2.4) - 0.055)
}
