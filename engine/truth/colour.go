package truth

import (
	"math"
	"math/rand/v2"

	"greenroom/engine/colour"
)

// rgb is a colour, sRGB-encoded or linear as its user says.
type rgb [3]float64

func (c rgb) scale(k float64) rgb { return rgb{c[0] * k, c[1] * k, c[2] * k} }

func (c rgb) add(o rgb, k float64) rgb { return rgb{c[0] + k*o[0], c[1] + k*o[1], c[2] + k*o[2]} }

func (c rgb) mix(o rgb, t float64) rgb {
	return rgb{mix(c[0], o[0], t), mix(c[1], o[1], t), mix(c[2], o[2], t)}
}

func (c rgb) mean() float64 { return (c[0] + c[1] + c[2]) / 3 }

func (c rgb) clamp() rgb { return rgb{clamp01(c[0]), clamp01(c[1]), clamp01(c[2])} }

// hsv makes a colour from hue (turns), saturation and value.
func hsv(h, s, v float64) rgb {
	var c rgb
	for i, n := range [3]float64{5, 3, 1} {
		k := math.Mod(n+6*h, 6)
		c[i] = v - v*s*max(0, min(k, 4-k, 1))
	}
	return c
}

// light is the space in which layers are added up: linear light, or encoded values as 8-bit tools do it.
type light struct{ linear bool }

// from brings an sRGB-encoded colour into the space.
func (l light) from(c rgb) rgb {
	if !l.linear {
		return c
	}
	for i, v := range c {
		c[i] = float64(colour.SRGBToLinear(float32(v)))
	}
	return c
}

// encode brings one value of the space back to sRGB.
func (l light) encode(v float64) float64 {
	if !l.linear {
		return v
	}
	return float64(colour.LinearToSRGB(float32(v)))
}

// between draws a number from lo to hi.
func between(r *rand.Rand, lo, hi float64) float64 { return lo + (hi-lo)*r.Float64() }

// clothHue draws a hue at least 40 degrees from the screen's: nobody wears the screen's colour on set.
func clothHue(r *rand.Rand, screen float64) float64 {
	return math.Mod(screen+between(r, 40, 320)/360, 1)
}
