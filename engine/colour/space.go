package colour

import (
	"fmt"
	"strconv"
	"strings"
)

// Space names what the numbers of a picture mean: a transfer curve over a set of primaries. It is one of the names
// below, or what LinearLight makes of primaries that have no name here.
type Space string

const (
	// SRGB is IEC 61966-2-1: the piecewise sRGB curve over Rec.709 primaries, white D65.
	SRGB Space = "srgb"
	// Rec709 is Rec.709 as a display shows it: ITU-R BT.1886, a power of 2.4, over Rec.709 primaries, white D65.
	Rec709 Space = "rec709"
	// LinearRec709 is linear light over Rec.709 primaries, white D65.
	LinearRec709 Space = "linear"
	// ACEScg is linear light over AP1 (Academy S-2014-004).
	ACEScg Space = "acescg"
	// ACES is ACES2065-1, linear light over AP0 (SMPTE ST 2065-1).
	ACES Space = "aces2065-1"
	// ACEScct is a logarithmic curve with a toe over AP1 (Academy S-2016-001).
	ACEScct Space = "acescct"
	// DisplayP3 is the sRGB curve over P3 primaries, white D65 (SMPTE EG 432-1).
	DisplayP3 Space = "p3"
	// AdobeRGB is Adobe RGB (1998).
	AdobeRGB Space = "adobergb"
	// LogC3 is ARRI LogC3 at EI 800 over ARRI Wide Gamut 3.
	LogC3 Space = "logc3"
	// LogC4 is ARRI LogC4 over ARRI Wide Gamut 4.
	LogC4 Space = "logc4"
	// SLog3 is Sony S-Log3 over S-Gamut3.Cine.
	SLog3 Space = "slog3"
	// Log3G10 is RED Log3G10 over REDWideGamutRGB.
	Log3G10 Space = "log3g10"
	// Cineon is printing density as a Cineon or DPX scan has it. Its primaries are those of the film and the scanner,
	// which no file states; they are taken for Rec.709's, as is usual.
	Cineon Space = "cineon"
)

// definition is a space as data.
type definition struct {
	space     Space
	title     string
	primaries Primaries
	curve     func() *Curve
}

// definitions are the named spaces, in the order of Spaces.
var definitions = []definition{
	{SRGB, "sRGB", primariesRec709, srgbCurve},
	{Rec709, "Rec.709 (gamma 2.4)", primariesRec709, rec709Curve},
	{LinearRec709, "linear Rec.709", primariesRec709, linearCurve},
	{ACEScg, "ACEScg", primariesAP1, linearCurve},
	{ACES, "ACES2065-1", primariesAP0, linearCurve},
	{ACEScct, "ACEScct", primariesAP1, acescctCurve},
	{DisplayP3, "Display P3", primariesP3, srgbCurve},
	{AdobeRGB, "Adobe RGB (1998)", primariesAdobe, adobeCurve},
	{LogC3, "ARRI LogC3 (EI 800)", primariesAWG3, logC3Curve},
	{LogC4, "ARRI LogC4", primariesAWG4, logC4Curve},
	{SLog3, "S-Log3/S-Gamut3.Cine", primariesSGamut3Cine, sLog3Curve},
	{Log3G10, "Log3G10/REDWideGamutRGB", primariesREDWide, log3G10Curve},
	{Cineon, "Cineon", primariesRec709, cineonCurve},
}

// Spaces lists the spaces that have a name.
func Spaces() []Space {
	list := make([]Space, len(definitions))
	for i, d := range definitions {
		list[i] = d.space
	}
	return list
}

// Validate reports a space that there is not, with those that there are.
func (s Space) Validate() error {
	_, err := s.definition()
	return err
}

// Title is how people call a space: "ACEScg". Of a space that there is not it is the name itself.
func (s Space) Title() string {
	d, err := s.definition()
	if err != nil {
		return string(s)
	}
	return d.title
}

// Primaries returns the primaries of a space, or an error that names an unknown one.
func (s Space) Primaries() (Primaries, error) {
	d, err := s.definition()
	return d.primaries, err
}

// linearPrefix begins the name of linear light over primaries without a name.
const linearPrefix = "linear:"

// definition looks a space up.
func (s Space) definition() (definition, error) {
	for _, d := range definitions {
		if d.space == s {
			return d, nil
		}
	}
	if numbers, ok := strings.CutPrefix(string(s), linearPrefix); ok {
		p, err := parsePrimaries(numbers)
		if err != nil {
			return definition{}, fmt.Errorf("colour space %q is not known: %w", s, err)
		}
		return definition{s, "linear light over primaries of its own", p, linearCurve}, nil
	}
	names := make([]string, len(definitions))
	for i, d := range definitions {
		names[i] = string(d.space)
	}
	return definition{}, fmt.Errorf("colour space %q is not known (there are %s)", s, strings.Join(names, ", "))
}

// LinearLight returns the space of linear light over primaries: that of a name if one has them to the third digit,
// else "linear:" with the CIE x and y of red, green, blue and white. Primaries that span no colours are an error.
func LinearLight(p Primaries) (Space, error) {
	if err := p.Validate(); err != nil {
		return "", err
	}
	for _, d := range definitions {
		if d.curve().Linear() && d.primaries.near(p) {
			return d.space, nil
		}
	}
	var b strings.Builder
	b.WriteString(linearPrefix)
	for i, v := range p {
		if i > 0 {
			b.WriteByte(',')
		}
		// Files state them in single precision.
		b.WriteString(strconv.FormatFloat(v, 'g', -1, 32))
	}
	return Space(b.String()), nil
}

// parsePrimaries reads what LinearLight writes.
func parsePrimaries(text string) (Primaries, error) {
	var p Primaries
	parts := strings.Split(text, ",")
	if len(parts) != len(p) {
		return p, fmt.Errorf("it needs x and y of red, green, blue and white")
	}
	for i, part := range parts {
		v, err := strconv.ParseFloat(part, 64)
		if err != nil {
			return p, fmt.Errorf("%q is no number", part)
		}
		p[i] = v
	}
	return p, p.Validate()
}
