package imageio

import (
	"fmt"

	"greenroom/engine/colour"
)

// guessSpace finds out what the numbers of a file are taken for. What states colour goes before what states a format:
// cICP, then the ICC profile, then EXR's chromaticities, DPX's transfer code and PNG's gAMA. Else floating point is linear
// light and whole numbers are sRGB.
func (s *source) guessSpace() {
	h := &s.header
	h.Space = colour.SRGB
	if h.Float {
		h.Space = colour.LinearRec709
	}
	if len(h.CICP) == 4 {
		if space := cicpSpace(h.CICP); space != "" {
			h.Space, h.SpaceBy = space, "its cICP chunk"
			return
		}
		h.Notes = append(h.Notes, fmt.Sprintf(
			"Its cICP chunk names primaries %d with transfer %d, which are not known here.", h.CICP[0], h.CICP[1]))
	}
	if h.ICC != nil {
		if space := profileSpace(h.ICC); space != "" {
			h.Space, h.SpaceBy = space, "its colour profile"
			return
		}
		h.Notes = append(h.Notes, fmt.Sprintf("Its colour profile%s is none that is known here.", named(profileName(h.ICC))))
	}
	if s.said != "" {
		h.Space, h.SpaceBy = s.said, s.saidBy
	}
}

// named puts a name that a file gave into a sentence.
func named(name string) string {
	if name == "" {
		return ""
	}
	return " " + printable(name)
}

// SpaceNote says what the numbers of the file are taken for, and why, in a sentence.
func (h Header) SpaceNote() string {
	switch {
	case h.SpaceBy != "":
		return fmt.Sprintf("Its colour is read as %s, by %s.", h.Space.Title(), h.SpaceBy)
	case h.Float:
		return fmt.Sprintf("Nothing says what its colour is: floating point is read as %s.", h.Space.Title())
	}
	return fmt.Sprintf("Nothing says what its colour is: it is read as %s.", h.Space.Title())
}

// cicpSpaces are the spaces of pairs of colour primaries and transfer characteristics (ITU-T H.273, tables 2 and 3). Video
// of Rec.709 is taken as displays show it.
var cicpSpaces = []struct {
	primaries, transfer byte
	space               colour.Space
}{
	{1, 13, colour.SRGB},
	{1, 8, colour.LinearRec709},
	{1, 1, colour.Rec709},
	{1, 6, colour.Rec709},
	{1, 14, colour.Rec709},
	{1, 15, colour.Rec709},
	{12, 13, colour.DisplayP3},
}

// cicpSpace returns the space of code points, or "" for those that are none known here.
func cicpSpace(code []byte) colour.Space {
	for _, c := range cicpSpaces {
		if c.primaries == code[0] && c.transfer == code[1] {
			return c.space
		}
	}
	const linear = 8
	if code[1] != linear {
		return ""
	}
	switch code[0] {
	case 9: // ITU-R BT.2020-2
		space, _ := colour.LinearLight(colour.Primaries{0.708, 0.292, 0.170, 0.797, 0.131, 0.046, 0.3127, 0.3290})
		return space
	case 12:
		return linearOf(colour.DisplayP3)
	}
	return ""
}

// linearOf returns linear light over the primaries of a space; "" for a space that there is not.
func linearOf(s colour.Space) colour.Space {
	p, err := s.Primaries()
	if err != nil {
		return ""
	}
	linear, err := colour.LinearLight(p)
	if err != nil {
		return ""
	}
	return linear
}

// cicpOf returns the code points of a space, full range; nil where H.273 has none.
func cicpOf(s colour.Space) []byte {
	for _, c := range cicpSpaces {
		if c.space == s {
			return []byte{c.primaries, c.transfer, 0, 1}
		}
	}
	return nil
}

// profile returns the ICC profile of a file that holds red, green and blue: the plate's own if it is one of those, else one
// made for meta.Space; nil where that has none, or where the plate's code points mean something that is not known here.
func (m Meta) profile() []byte {
	switch {
	case m.carriesICC():
		return m.ICC
	case m.CICP != nil && cicpSpace(m.CICP) != m.Space:
		return nil
	}
	return profileOf(m.Space)
}

// carriesICC reports whether the plate has a profile that its key can carry: one of grey or of inks does not fit.
func (m Meta) carriesICC() bool { return len(m.ICC) >= profileHead && string(m.ICC[16:20]) == "RGB " }

// Describes reports whether a file of a format can say what meta states of its colour: by the plate's profile, by one
// made for the space, or by the plate's code points. OpenEXR holds linear light and says its primaries.
func (m Meta) Describes(f Format) bool {
	return f == EXR || f == PNG && m.CICP != nil || m.profile() != nil
}

// powerOf returns what PNG's gAMA and cHRM chunks say of linear light and of plain powers, both in parts of 100000.
// Primaries with a share of XYZ under 0 cannot be stated: readers take them for damage, and drop the profile too.
func powerOf(s colour.Space) (gamma uint32, primaries [8]uint32, ok bool) {
	p, err := s.Primaries()
	if err != nil {
		return 0, primaries, false
	}
	curve, err := colour.NewCurve(s)
	if err != nil {
		return 0, primaries, false
	}
	formula, ok := curve.Formula()
	if !ok || !formula.Plain() {
		return 0, primaries, false
	}
	gamma = uint32(100000/formula.Gamma + 0.5)
	for i := range p {
		v := p[(i+6)%8] // white first
		if v < 0 || i%2 == 0 && v+p[(i+7)%8] > 1 {
			return 0, primaries, false
		}
		primaries[i] = uint32(v*100000 + 0.5)
	}
	return gamma, primaries, true
}
