package views

import (
	"math"

	"greenroom/engine/colour"
)

// Tone is how colours are brightened to be looked at: linear light is multiplied by two to the power of Exposure, then
// raised to 1/Gamma, then encoded. The zero Tone changes nothing.
type Tone struct {
	// Exposure is in stops, -6..6.
	Exposure float64
	// Gamma brightens the middle where it is over 1, 0.2..5; 0 is 1.
	Gamma float64
}

// Neutral reports whether a tone changes nothing.
func (t Tone) Neutral() bool { return t.Exposure == 0 && (t.Gamma == 0 || t.Gamma == 1) }

// shading is all that becomes of a picture's numbers until they are on the display.
type shading struct {
	// linear says that the numbers are linear light; else they are sRGB-encoded.
	linear bool
	// clamped says that light is cut at 1 after it was multiplied by two to the power of stops, before the tone: what the
	// network sees.
	clamped bool
	stops   float64
	tone    Tone
}

// Numbers, 0..full, are looked up by the upper bits of their floats: exponent and ten bits of the mantissa, which keeps
// relative steps of a thousandth however dark or bright they are. The sign is the highest bit: negative numbers have
// places of their own.
const (
	floatShift  = 13
	floatPlaces = 1 << (32 - floatShift)
)

// place is where a number is looked up.
func place32(v float32) uint32 { return math.Float32bits(v) >> floatShift }

// shadeTable maps numbers, 0..full and beyond, to 8 bits for the display. NaN and negative numbers are 0.
type shadeTable struct {
	of    shading
	bytes [floatPlaces]uint8
}

// fill computes the table: for each of the 256 values, from which number on it is shown.
func (t *shadeTable) fill(s shading) {
	t.of = s
	gamma := s.tone.Gamma
	if gamma == 0 {
		gamma = 1
	}
	const infinite = 0x7f800000 >> floatShift
	from, value := 0, 0
	for next := 1; next <= 255; next++ {
		light := math.Pow(float64(colour.SRGBToLinear(float32((float64(next)-0.5)/255))), gamma) * math.Exp2(-s.tone.Exposure)
		if s.clamped {
			if light > 1 {
				break
			}
			light *= math.Exp2(-s.stops)
		}
		number := float32(light)
		if !s.linear {
			number = colour.LinearToSRGB(number)
		}
		// A place stands for the middle of its numbers.
		to := min(int((math.Float32bits(number*full)+1<<(floatShift-1)-1)>>floatShift), infinite+1)
		for i := from; i < to; i++ {
			t.bytes[i] = uint8(value)
		}
		from, value = max(from, to), next
	}
	for i := from; i <= infinite; i++ {
		t.bytes[i] = uint8(value)
	}
}

// at shows a number.
func (t *shadeTable) at(v float32) uint32 { return uint32(t.bytes[place32(v)]) }

// shades keeps the tables that were asked for last, so that each drawing needs none anew.
type shades struct {
	tables [4]*shadeTable
	next   int
}

// table returns the table of a shading. Tables of four shadings are good at once.
func (s *shades) table(of shading) *shadeTable {
	for _, t := range s.tables {
		if t != nil && t.of == of {
			return t
		}
	}
	i := s.next
	s.next = (i + 1) % len(s.tables)
	if s.tables[i] == nil {
		s.tables[i] = &shadeTable{}
	}
	s.tables[i].fill(of)
	return s.tables[i]
}

// curveTable maps numbers, 0..full and beyond, by a curve: between sRGB and linear light. Numbers far beyond 1 are taken
// for 256, and what is not positive is 0.
type curveTable [curveOctaves << (23 - floatShift)]float32

const (
	// The table goes from 2^-8 on, where full is nearly 2^16, over so many powers of two.
	curveFirst, curveOctaves = -8, 32
	curvePlace               = (127 + curveFirst) << (23 - floatShift)
)

func newCurveTable(curve func(float32) float32) *curveTable {
	t := &curveTable{}
	for i := range t {
		middle := math.Float32frombits((uint32(i)+curvePlace)<<floatShift + 1<<(floatShift-1))
		t[i] = curve(middle/full) * full
	}
	return t
}

// at returns what the curve makes of a number.
func (t *curveTable) at(v float32) float32 {
	i := int32(place32(v)) - curvePlace
	if uint32(i) < uint32(len(t)) {
		return t[i]
	}
	if v >= 1 {
		return t[len(t)-1]
	}
	return 0
}
