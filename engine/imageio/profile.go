package imageio

import (
	"bytes"
	"encoding/binary"
	"math"
	"strings"
	"unicode/utf16"

	"greenroom/engine/colour"
)

const (
	// colorantsOff is how far the numbers of a profile's matrix may lie from a space's: profiles are rounded, and
	// adapted to D50 in more than one way. curveOff is the same for their curves, wide enough for the power of 2.2
	// that older programs wrote for sRGB.
	colorantsOff, curveOff = 0.004, 0.012
)

// d50 is the white of a profile's connection space (ICC.1:2022, 7.2.16).
var d50 = [3]float64{0.9642, 1, 0.8249}

// profileSpace returns the space that an ICC profile describes, or "" for one that is none known here: by its matrix
// and curve; by its curve where it has no matrix, as profiles of grey; by its name where it has neither but tables.
func profileSpace(icc []byte) colour.Space {
	curve, hasCurve := profileCurve(icc)
	matrix, hasMatrix := profileMatrix(icc)
	linear := hasCurve && curveNear(curve, func(v float64) float64 { return v }, 0.001)
	switch {
	case hasMatrix && linear:
		for _, s := range colour.Spaces() {
			if primariesNear(s, matrix) {
				return linearOf(s)
			}
		}
		p, err := colour.FromAdaptedXYZ(matrix, profileAdaptation(icc))
		if err != nil {
			return ""
		}
		space, _ := colour.LinearLight(p)
		return space
	case hasMatrix && hasCurve:
		return encodedSpace(curve, matrix)
	case linear:
		return colour.LinearRec709
	case hasCurve && curveNear(curve, func(v float64) float64 { return float64(colour.SRGBToLinear(float32(v))) }, curveOff):
		return colour.SRGB
	case hasCurve || hasMatrix:
		return ""
	}
	return namedSpace(profileName(icc))
}

// encodedSpace returns the space whose primaries a matrix has and whose curve is nearest; "" where none is near.
func encodedSpace(curve func(float64) float64, matrix colour.Matrix) (best colour.Space) {
	least := curveOff
	for _, s := range colour.Spaces() {
		c, err := colour.NewCurve(s)
		if err != nil || c.Linear() || !primariesNear(s, matrix) {
			continue
		}
		if off := curveDistance(curve, func(v float64) float64 { return float64(c.ToLinear(float32(v))) }); off < least {
			best, least = s, off
		}
	}
	return best
}

// namedSpace returns the space that a profile's name tells.
func namedSpace(name string) colour.Space {
	name = strings.ToLower(name)
	for _, known := range []struct {
		part  string
		space colour.Space
	}{
		{"srgb", colour.SRGB}, {"display p3", colour.DisplayP3}, {"adobe rgb", colour.AdobeRGB}, {"acescg", colour.ACEScg},
	} {
		if strings.Contains(name, known.part) {
			return known.space
		}
	}
	return ""
}

// primariesNear reports whether a matrix to XYZ under D50 is that of a space.
func primariesNear(s colour.Space, matrix colour.Matrix) bool {
	p, err := s.Primaries()
	if err != nil {
		return false
	}
	want := p.ToXYZUnder(d50)
	for i, v := range matrix {
		if !(math.Abs(v-want[i]) < colorantsOff) {
			return false
		}
	}
	return true
}

// curveDistance returns the most by which two curves differ over 0..1.
func curveDistance(a, b func(float64) float64) float64 {
	most := 0.0
	for i := range 65 {
		v := float64(i) / 64
		d := math.Abs(a(v) - b(v))
		if !(d <= 1) {
			return 1
		}
		most = max(most, d)
	}
	return most
}

func curveNear(a, b func(float64) float64, within float64) bool { return curveDistance(a, b) <= within }

// profileMatrix returns the matrix of a profile's colorants, from linear light to XYZ under D50 (ICC.1:2022, 9.2).
func profileMatrix(icc []byte) (m colour.Matrix, ok bool) {
	for c, name := range []string{"rXYZ", "gXYZ", "bXYZ"} {
		b := profileTag(icc, name)
		if len(b) < 20 || string(b[:4]) != "XYZ " {
			return m, false
		}
		for r := range 3 {
			m[3*r+c] = fixed(b[8+4*r:])
		}
	}
	return m, true
}

// profileAdaptation returns the matrix by which a profile's colorants were taken from their own white to D50 (ICC.1:2022,
// 9.2.15); that of no change where it says none.
func profileAdaptation(icc []byte) colour.Matrix {
	m := colour.Matrix{1, 0, 0, 0, 1, 0, 0, 0, 1}
	b := profileTag(icc, "chad")
	if len(b) < 44 || string(b[:4]) != "sf32" {
		return m
	}
	for i := range m {
		m[i] = fixed(b[8+4*i:])
	}
	return m
}

// fixed reads an s15Fixed16Number.
func fixed(b []byte) float64 { return float64(int32(binary.BigEndian.Uint32(b))) / 65536 }

// profileCurve returns the curve of a profile's red, or of its grey, from values to linear light (ICC.1:2022, 10.6
// curveType and 10.18 parametricCurveType).
func profileCurve(icc []byte) (curve func(float64) float64, ok bool) {
	b := profileTag(icc, "rTRC")
	if b == nil {
		b = profileTag(icc, "kTRC")
	}
	if len(b) < 12 {
		return nil, false
	}
	switch string(b[:4]) {
	case "curv":
		return tableCurve(b[12:], int64(binary.BigEndian.Uint32(b[8:])))
	case "para":
		return formulaCurve(b)
	}
	return nil, false
}

// tableCurve is a curve of n 16-bit samples; of one, a power; of none, a straight line.
func tableCurve(b []byte, n int64) (curve func(float64) float64, ok bool) {
	switch {
	case n == 0:
		return func(v float64) float64 { return v }, true
	case int64(len(b)) < 2*n:
		return nil, false
	case n == 1:
		power := float64(binary.BigEndian.Uint16(b)) / 256
		return func(v float64) float64 { return math.Pow(v, power) }, true
	}
	at := func(i int64) float64 { return float64(binary.BigEndian.Uint16(b[2*i:])) / 65535 }
	return func(v float64) float64 {
		place := v * float64(n-1)
		i := min(int64(place), n-2)
		return at(i) + (place-float64(i))*(at(i+1)-at(i))
	}, true
}

// formulaCurve is a parametricCurveType.
func formulaCurve(b []byte) (curve func(float64) float64, ok bool) {
	kind := int(binary.BigEndian.Uint16(b[8:]))
	counts := []int{1, 3, 4, 5, 7}
	if kind >= len(counts) || len(b) < 12+4*counts[kind] {
		return nil, false
	}
	var p [7]float64 // g a b c d e f
	for i := range counts[kind] {
		p[i] = fixed(b[12+4*i:])
	}
	g, a, shift, c, d, e, f := p[0], p[1], p[2], p[3], p[4], p[5], p[6]
	switch kind {
	case 0:
		return func(v float64) float64 { return math.Pow(v, g) }, true
	case 1, 2:
		// What the formulas add, and hold under their start, is the fourth.
		if a == 0 {
			return nil, false
		}
		return func(v float64) float64 {
			if v < -shift/a {
				return c
			}
			return math.Pow(a*v+shift, g) + c
		}, true
	}
	return func(v float64) float64 {
		if v < d {
			return c*v + f
		}
		return math.Pow(a*v+shift, g) + e
	}, true
}

// profileName returns what a profile calls itself; "" where it does not (ICC.1:2022, 9.2.41, and textDescriptionType of
// version 2).
func profileName(icc []byte) string {
	b := profileTag(icc, "desc")
	if len(b) < 12 {
		return ""
	}
	switch string(b[:4]) {
	case "desc":
		text := b[12:]
		if n := int64(binary.BigEndian.Uint32(b[8:])); n < int64(len(text)) {
			text = text[:n]
		}
		text, _, _ = bytes.Cut(text, []byte{0})
		return string(text)
	case "mluc":
		// The first of its languages.
		if len(b) < 28 || binary.BigEndian.Uint32(b[8:]) == 0 {
			return ""
		}
		length, from := uint64(binary.BigEndian.Uint32(b[20:])), uint64(binary.BigEndian.Uint32(b[24:]))
		if from+length > uint64(len(b)) {
			return ""
		}
		var units []uint16
		for i := from; i+1 < from+length; i += 2 {
			units = append(units, binary.BigEndian.Uint16(b[i:]))
		}
		return string(utf16.Decode(units))
	}
	return ""
}

// profileTag returns the content of a tag of an ICC profile; nil where it is missing or outside the profile.
func profileTag(icc []byte, name string) []byte {
	if len(icc) < 132 {
		return nil
	}
	count := binary.BigEndian.Uint32(icc[128:])
	for i := range min(count, 256) {
		at := 132 + 12*int(i)
		if len(icc) < at+12 {
			return nil
		}
		if string(icc[at:at+4]) != name {
			continue
		}
		from, length := uint64(binary.BigEndian.Uint32(icc[at+4:])), uint64(binary.BigEndian.Uint32(icc[at+8:]))
		if from+length > uint64(len(icc)) {
			return nil
		}
		return icc[from : from+length]
	}
	return nil
}
