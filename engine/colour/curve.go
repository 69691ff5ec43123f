package colour

import (
	"fmt"
	"math"
)

// Curve is the transfer curve of a space in tables, for work on whole images: about ten times the speed of
// the exact functions, within 1e-7 of them decoding 0..1 and within 1e-6 of the value encoding. Outside the
// tables it is exact. A Curve may be used from several goroutines. The zero Curve is that of linear light.
type Curve struct {
	// decode holds SRGBToLinear at i/decodeSteps; nil for linear light.
	decode []float32
	// encode holds LinearToSRGB at 2^(encodeSteps fractions an octave), from encodeFrom on.
	encode []float32
}

const (
	decodeSteps = 4096
	// encodeBits is how many leading bits of the mantissa pick an entry: 256 an octave.
	encodeBits = 8
	// The table spans 2^-8, just over the straight part and its kink, to 2^4.
	encodeLow, encodeHigh = -8, 4
	encodeShift           = 23 - encodeBits
	encodeFirst           = (encodeLow + 127) << encodeBits
)

// NewCurve returns the transfer curve of a space, or an error that names an unknown one.
func NewCurve(s Space) (*Curve, error) {
	switch s {
	case LinearRec709:
		return &Curve{}, nil
	case SRGB:
	default:
		return nil, fmt.Errorf("colour space %q is not known", s)
	}
	c := &Curve{
		decode: make([]float32, decodeSteps+2),
		encode: make([]float32, (encodeHigh-encodeLow)<<encodeBits+1),
	}
	for i := range c.decode {
		c.decode[i] = SRGBToLinear(float32(i) / decodeSteps)
	}
	for i := range c.encode {
		c.encode[i] = LinearToSRGB(math.Float32frombits(uint32(encodeFirst+i) << encodeShift))
	}
	return c, nil
}

// Linear reports whether the space is linear light, so that both directions change nothing.
func (c *Curve) Linear() bool { return c.decode == nil }

// ToLinear decodes one value to linear light.
func (c *Curve) ToLinear(v float32) float32 {
	if c.decode == nil {
		return v
	}
	if !(v >= 0 && v <= 1) {
		return SRGBToLinear(v)
	}
	at := v * decodeSteps
	i := int(at)
	return c.decode[i] + (c.decode[i+1]-c.decode[i])*(at-float32(i))
}

// FromLinear encodes one value of linear light.
func (c *Curve) FromLinear(v float32) float32 {
	if c.decode == nil {
		return v
	}
	const low, high = 1.0 / (1 << -encodeLow), 1 << encodeHigh
	if !(v >= low && v < high) {
		return LinearToSRGB(v)
	}
	// The leading bits of a float count steps that are equal within an octave; the rest is the way to the next.
	bits := math.Float32bits(v)
	i := bits>>encodeShift - encodeFirst
	part := float32(bits&(1<<encodeShift-1)) * (1.0 / (1 << encodeShift))
	return c.encode[i] + (c.encode[i+1]-c.encode[i])*part
}
