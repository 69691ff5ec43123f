package colour

import (
	"errors"
	"math"
)

// Primaries are the CIE 1931 chromaticities x and y of red, green, blue and white.
type Primaries [8]float64

// Primaries and whites as their makers publish them.
var (
	// primariesRec709 are those of ITU-R BT.709-6 and IEC 61966-2-1, white D65.
	primariesRec709 = Primaries{0.64, 0.33, 0.30, 0.60, 0.15, 0.06, 0.3127, 0.3290}
	// primariesAP0 are those of ACES2065-1 (SMPTE ST 2065-1:2021).
	primariesAP0 = Primaries{0.7347, 0.2653, 0, 1, 0.0001, -0.0770, 0.32168, 0.33767}
	// primariesAP1 are those of ACEScg and ACEScct (Academy S-2014-004).
	primariesAP1 = Primaries{0.713, 0.293, 0.165, 0.830, 0.128, 0.044, 0.32168, 0.33767}
	// primariesP3 are those of SMPTE RP 431-2 with white D65 (SMPTE EG 432-1).
	primariesP3 = Primaries{0.680, 0.320, 0.265, 0.690, 0.150, 0.060, 0.3127, 0.3290}
	// primariesAdobe are those of Adobe RGB (1998) Color Image Encoding, version 2005-05.
	primariesAdobe = Primaries{0.64, 0.33, 0.21, 0.71, 0.15, 0.06, 0.3127, 0.3290}
	// primariesAWG3 are ARRI Wide Gamut 3 (ARRI, "ALEXA Log C Curve: Usage in VFX", 2017).
	primariesAWG3 = Primaries{0.6840, 0.3130, 0.2210, 0.8480, 0.0861, -0.1020, 0.3127, 0.3290}
	// primariesAWG4 are ARRI Wide Gamut 4 (ARRI, "LogC4 Logarithmic Color Space: Specification", 2022).
	primariesAWG4 = Primaries{0.7347, 0.2653, 0.1424, 0.8576, 0.0991, -0.0308, 0.3127, 0.3290}
	// primariesSGamut3Cine are S-Gamut3.Cine (Sony, "Technical Summary for S-Gamut3.Cine/S-Log3 and S-Gamut3/S-Log3").
	primariesSGamut3Cine = Primaries{0.766, 0.275, 0.225, 0.800, 0.089, -0.087, 0.3127, 0.3290}
	// primariesREDWide are REDWideGamutRGB (RED, "White Paper on REDWideGamutRGB and Log3G10", 915-0187).
	primariesREDWide = Primaries{0.780308, 0.304253, 0.121595, 1.493994, 0.095612, -0.084589, 0.3127, 0.3290}
)

// Validate reports primaries that span no colours: numbers that are none, a white without light, three primaries on
// a line, or a white outside of them.
func (p Primaries) Validate() error {
	bad := errors.New("its primaries span no colours")
	for _, v := range p {
		if !(math.Abs(v) <= 10) {
			return bad
		}
	}
	for i := 1; i < len(p); i += 2 {
		if math.Abs(p[i]) < 1e-6 {
			return bad
		}
	}
	chromaticities := Matrix{
		p[0], p[2], p[4], p[1], p[3], p[5], 1 - p[0] - p[1], 1 - p[2] - p[3], 1 - p[4] - p[5],
	}
	if math.Abs(chromaticities.determinant()) < 1e-4 {
		return bad
	}
	for _, share := range chromaticities.inverse().apply(p.white()) {
		if !(share > 0) {
			return bad
		}
	}
	return nil
}

// near reports whether both are the same to the third digit, which is what files keep.
func (p Primaries) near(o Primaries) bool {
	for i, v := range p {
		if !(math.Abs(v-o[i]) < 0.001) {
			return false
		}
	}
	return true
}

// white returns the white's XYZ at a Y of 1.
func (p Primaries) white() [3]float64 { return [3]float64{p[6] / p[7], 1, (1 - p[6] - p[7]) / p[7]} }

// ToXYZ returns the matrix from linear light over these primaries to CIE XYZ, white with Y 1 (SMPTE RP 177). The
// primaries must be valid.
func (p Primaries) ToXYZ() Matrix {
	columns := Matrix{
		p[0], p[2], p[4],
		p[1], p[3], p[5],
		1 - p[0] - p[1], 1 - p[2] - p[3], 1 - p[4] - p[5],
	}
	s := columns.inverse().apply(p.white())
	for i := range columns {
		columns[i] *= s[i%3]
	}
	return columns
}

// Luminance returns the shares of red, green and blue in the luminance Y of linear light over these primaries. Those of
// Rec.709 are the standard's four digits. A primary outside of all colours may have a share under 0.
func (p Primaries) Luminance() [3]float64 {
	if p == primariesRec709 {
		return [3]float64{0.2126, 0.7152, 0.0722} // ITU-R BT.709-6, item 3.2
	}
	m := p.ToXYZ()
	return [3]float64{m[3], m[4], m[5]}
}

// To returns the matrix from linear light over these primaries to linear light over others, with white going to white
// by the Bradford transform. Both must be valid.
func (p Primaries) To(o Primaries) Matrix {
	if p == o {
		return Matrix{1, 0, 0, 0, 1, 0, 0, 0, 1}
	}
	return o.ToXYZ().inverse().times(Adaptation(p.white(), o.white())).times(p.ToXYZ())
}

// bradford is the linearised Bradford matrix from XYZ to cone responses (ICC.1:2022, annex E; Lam 1985).
var bradford = Matrix{0.8951, 0.2664, -0.1614, -0.7502, 1.7135, 0.0367, 0.0389, -0.0685, 1.0296}

// Adaptation returns the Bradford matrix of XYZ under one white to XYZ under another, both whites as XYZ.
func Adaptation(from, to [3]float64) Matrix {
	if from == to {
		return Matrix{1, 0, 0, 0, 1, 0, 0, 0, 1}
	}
	a, b := bradford.apply(from), bradford.apply(to)
	return bradford.inverse().times(Matrix{b[0] / a[0], 0, 0, 0, b[1] / a[1], 0, 0, 0, b[2] / a[2]}).times(bradford)
}

// Matrix is a matrix of three rows and three columns, row after row.
type Matrix [9]float64

// apply returns the product with a vector.
func (m Matrix) apply(v [3]float64) [3]float64 {
	return [3]float64{
		m[0]*v[0] + m[1]*v[1] + m[2]*v[2], m[3]*v[0] + m[4]*v[1] + m[5]*v[2], m[6]*v[0] + m[7]*v[1] + m[8]*v[2],
	}
}

// times returns the product m o: first o, then m.
func (m Matrix) times(o Matrix) Matrix {
	var p Matrix
	for r := range 3 {
		for c := range 3 {
			p[3*r+c] = m[3*r]*o[c] + m[3*r+1]*o[3+c] + m[3*r+2]*o[6+c]
		}
	}
	return p
}

func (m Matrix) determinant() float64 {
	return m[0]*(m[4]*m[8]-m[5]*m[7]) - m[1]*(m[3]*m[8]-m[5]*m[6]) + m[2]*(m[3]*m[7]-m[4]*m[6])
}

// inverse returns the inverse by cofactors; the determinant must not be 0.
func (m Matrix) inverse() Matrix {
	d := m.determinant()
	return Matrix{
		(m[4]*m[8] - m[5]*m[7]) / d, (m[2]*m[7] - m[1]*m[8]) / d, (m[1]*m[5] - m[2]*m[4]) / d,
		(m[5]*m[6] - m[3]*m[8]) / d, (m[0]*m[8] - m[2]*m[6]) / d, (m[2]*m[3] - m[0]*m[5]) / d,
		(m[3]*m[7] - m[4]*m[6]) / d, (m[1]*m[6] - m[0]*m[7]) / d, (m[0]*m[4] - m[1]*m[3]) / d,
	}
}

// FromAdaptedXYZ returns the primaries whose matrix to XYZ, taken to another white by adaptation, is m: what an ICC profile
// of matrix and curves states. The error says that m is none.
func FromAdaptedXYZ(m, adaptation Matrix) (Primaries, error) {
	var p Primaries
	if !(math.Abs(adaptation.determinant()) > 1e-4) {
		return p, errors.New("its white is adapted to nothing")
	}
	m = adaptation.inverse().times(m)
	for c := range 3 {
		sum := m[c] + m[3+c] + m[6+c]
		p[2*c], p[2*c+1] = m[c]/sum, m[3+c]/sum
	}
	white := m.apply([3]float64{1, 1, 1})
	sum := white[0] + white[1] + white[2]
	p[6], p[7] = white[0]/sum, white[1]/sum
	return p, p.Validate()
}

// ToXYZUnder is ToXYZ with the white taken to another, given as XYZ, by the Bradford transform.
func (p Primaries) ToXYZUnder(white [3]float64) Matrix {
	return Adaptation(p.white(), white).times(p.ToXYZ())
}
