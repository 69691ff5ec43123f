package imageio

import (
	"crypto/md5"
	"encoding/binary"
	"math"
	"unicode/utf16"

	"greenroom/engine/colour"
)

// profileOf returns an ICC profile of matrix and curve (ICC.1:2022, version 4.4, 8.4.3) that states a space; nil for one
// that no such profile can: logarithmic curves have another shape, and their light goes far over a profile's white.
// It is the same for the same space, byte by byte.
func profileOf(s colour.Space) []byte {
	primaries, err := s.Primaries()
	if err != nil {
		return nil
	}
	curve, err := colour.NewCurve(s)
	if err != nil {
		return nil
	}
	formula, ok := curve.Formula()
	if !ok {
		return nil
	}
	colorants, ok := profileColorants(primaries)
	if !ok {
		return nil
	}
	white := [3]float64{primaries[6] / primaries[7], 1, (1 - primaries[6] - primaries[7]) / primaries[7]}
	adaptation := colour.Adaptation(white, d50)
	trc := profileFormula(formula)
	return packProfile([]profileEntry{
		{"desc", profileText(s.Title())},
		{"cprt", profileText("No copyright, use freely")},
		{"wtpt", profileNumbers("XYZ ", d50[:])},
		{"chad", profileNumbers("sf32", adaptation[:])},
		{"rXYZ", profileNumbers("XYZ ", colorants[0][:])},
		{"gXYZ", profileNumbers("XYZ ", colorants[1][:])},
		{"bXYZ", profileNumbers("XYZ ", colorants[2][:])},
		{"rTRC", trc}, {"gTRC", trc}, {"bTRC", trc},
	})
}

// profileColorants returns the XYZ of red, green and blue under D50, rounded as a profile stores them and so that their
// sum is the white itself: else white would not stay white. false says that a profile's numbers cannot hold them.
func profileColorants(p colour.Primaries) (c [3][3]float64, ok bool) {
	m := p.ToXYZUnder(d50)
	for r := range 3 {
		for i := range 3 {
			v := m[3*r+i]
			if !(math.Abs(v) < math.MaxInt16) {
				return c, false
			}
			c[i][r] = toFixed(v)
		}
		c[1][r] = toFixed(d50[r]) - c[0][r] - c[2][r]
	}
	return c, true
}

// toFixed rounds to what an s15Fixed16Number can hold.
func toFixed(v float64) float64 { return math.Round(v*65536) / 65536 }

// profileNumbers is a tag of s15Fixed16Numbers.
func profileNumbers(kind string, numbers []float64) []byte {
	b := append([]byte(kind), 0, 0, 0, 0)
	for _, v := range numbers {
		b = binary.BigEndian.AppendUint32(b, uint32(int32(math.Round(v*65536))))
	}
	return b
}

// profileFormula is a curve as parametricCurveType (10.18): function type 0 for a plain power, else 3.
func profileFormula(f colour.Formula) []byte {
	kind, numbers := uint16(0), []float64{f.Gamma}
	if !f.Plain() {
		kind, numbers = 3, []float64{f.Gamma, f.A, f.B, f.C, f.D}
	}
	b := profileNumbers("para", append([]float64{0}, numbers...)) // of which the first makes room for the type
	binary.BigEndian.PutUint16(b[8:], kind)
	return b
}

// profileText is text in English as multiLocalizedUnicodeType (10.15).
func profileText(text string) []byte {
	units := utf16.Encode([]rune(text))
	const header, record = 16, 12
	b := append([]byte("mluc"), 0, 0, 0, 0)
	for _, v := range []uint32{1, record} {
		b = binary.BigEndian.AppendUint32(b, v)
	}
	b = append(b, "enUS"...)
	for _, v := range []uint32{uint32(2 * len(units)), header + record} {
		b = binary.BigEndian.AppendUint32(b, v)
	}
	for _, u := range units {
		b = binary.BigEndian.AppendUint16(b, u)
	}
	return b
}

// profileEntry is a tag of a profile.
type profileEntry struct {
	name    string
	content []byte
}

const (
	profileHead  = 128
	profileTable = profileHead + 4
)

// packProfile puts a display profile together (7.2, 7.3). Tags of the same content share it.
func packProfile(entries []profileEntry) []byte {
	order := binary.BigEndian
	b := make([]byte, profileTable+12*len(entries))
	order.PutUint32(b[profileHead:], uint32(len(entries)))
	places := map[string]int{}
	for i, e := range entries {
		at, ok := places[string(e.content)]
		if !ok {
			at = len(b)
			places[string(e.content)] = at
			b = append(b, e.content...)
			b = append(b, make([]byte, -len(b)&3)...)
		}
		row := b[profileTable+12*i:]
		copy(row, e.name)
		order.PutUint32(row[4:], uint32(at))
		order.PutUint32(row[8:], uint32(len(e.content)))
	}
	order.PutUint32(b, uint32(len(b)))
	order.PutUint32(b[8:], 0x04400000) // version 4.4
	copy(b[12:], "mntrRGB XYZ ")
	for i, v := range []uint16{2026, 1, 1} { // a date is asked for; the same for every profile
		order.PutUint16(b[24+2*i:], v)
	}
	copy(b[36:], "acsp")
	copy(b[68:], profileNumbers("", d50[:])[4:])
	// The identity is taken while flags, intent and itself are 0, which all of them are (7.2.18).
	identity := md5.Sum(b)
	order.PutUint32(b[64:], 1) // media-relative colorimetric
	copy(b[84:], identity[:])
	return b
}
