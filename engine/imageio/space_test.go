package imageio

import (
	"bytes"
	"encoding/binary"
	"image"
	"math"
	"strings"
	"testing"

	"greenroom/engine/colour"
	"greenroom/engine/imageio/disktest"
	"greenroom/engine/imageio/exr"
	"greenroom/engine/picture"
)

// testProfile is an ICC profile of matrix and curve for a space, with a name. Curves are tables of 1024 samples.
func testProfile(s colour.Space, name string) []byte {
	p, err := s.Primaries()
	if err != nil {
		panic(err)
	}
	curve, err := colour.NewCurve(s)
	if err != nil {
		panic(err)
	}
	table := []byte("curv\x00\x00\x00\x00")
	table = binary.BigEndian.AppendUint32(table, 1024)
	for i := range 1024 {
		v := min(max(curve.ToLinear(float32(i)/1023), 0), 1)
		table = binary.BigEndian.AppendUint16(table, uint16(v*65535+0.5))
	}
	tags := map[string][]byte{"rTRC": table, "desc": describedAs(name)}
	m := p.ToXYZUnder(d50)
	for c, tag := range []string{"rXYZ", "gXYZ", "bXYZ"} {
		b := []byte("XYZ \x00\x00\x00\x00")
		for r := range 3 {
			b = binary.BigEndian.AppendUint32(b, uint32(int32(math.Round(m[3*r+c]*65536))))
		}
		tags[tag] = b
	}
	return withTags(tags)
}

// describedAs is a text of version 2.
func describedAs(name string) []byte {
	b := binary.BigEndian.AppendUint32([]byte("desc\x00\x00\x00\x00"), uint32(len(name)+1))
	return append(append(b, name...), 0)
}

// withTags is a profile of tags.
func withTags(tags map[string][]byte) []byte {
	b := binary.BigEndian.AppendUint32(make([]byte, 128), uint32(len(tags)))
	at, content := 132+12*len(tags), []byte(nil)
	for name, tag := range tags {
		b = append(b, name...)
		b = binary.BigEndian.AppendUint32(b, uint32(at+len(content)))
		b = binary.BigEndian.AppendUint32(b, uint32(len(tag)))
		content = append(content, tag...)
	}
	return append(b, content...)
}

// formula is a profile with Rec.709's matrix and a parametric curve.
func formula(kind uint16, parameters ...float64) []byte {
	b := binary.BigEndian.AppendUint16([]byte("para\x00\x00\x00\x00"), kind)
	b = append(b, 0, 0)
	for _, v := range parameters {
		b = binary.BigEndian.AppendUint32(b, uint32(int32(math.Round(v*65536))))
	}
	tags := map[string][]byte{"rTRC": b}
	whole := testProfile(colour.SRGB, "")
	for _, tag := range []string{"rXYZ", "gXYZ", "bXYZ"} {
		tags[tag] = profileTag(whole, tag)
	}
	return withTags(tags)
}

func TestProfilesTellTheirSpace(t *testing.T) {
	p3 := linearOf(colour.DisplayP3)
	inUnicode := []byte("mluc\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x0cenUS\x00\x00\x00\x14\x00\x00\x00\x1c\x00D\x00i\x00s\x00p\x00l\x00a\x00y\x00 \x00P\x003")
	for name, c := range map[string]struct {
		icc  []byte
		want colour.Space
	}{
		"sRGB": {testProfile(colour.SRGB, ""), colour.SRGB}, "Rec.709": {testProfile(colour.Rec709, ""), colour.Rec709},
		"linear": {testProfile(colour.LinearRec709, ""), colour.LinearRec709}, "ACEScg": {testProfile(colour.ACEScg, ""), colour.ACEScg},
		"ACES": {testProfile(colour.ACES, ""), colour.ACES}, "P3": {testProfile(colour.DisplayP3, ""), colour.DisplayP3},
		"Adobe RGB": {testProfile(colour.AdobeRGB, ""), colour.AdobeRGB}, "linear P3": {testProfile(p3, ""), p3},
		"the sRGB formula":   {formula(3, 2.4, 1/1.055, 0.055/1.055, 1/12.92, 0.04045), colour.SRGB},
		"in seven numbers":   {formula(4, 2.4, 1/1.055, 0.055/1.055, 1/12.92, 0.04045, 0, 0), colour.SRGB},
		"a power of 2.2":     {formula(0, 2.2), colour.SRGB},
		"a power of 2.4":     {formula(1, 2.4, 1, 0), colour.Rec709},
		"with an offset":     {formula(2, 2.4, 1, 0, 0), colour.Rec709},
		"a power of 1":       {formula(0, 1), colour.LinearRec709},
		"a power of 3":       {formula(0, 3), ""},
		"an unknown formula": {formula(9, 1), ""},
		"a name in tables":   {withTags(map[string][]byte{"desc": describedAs("sRGB v4 ICC preference")}), colour.SRGB},
		"a name in Unicode":  {withTags(map[string][]byte{"desc": inUnicode}), colour.DisplayP3},
		"an unknown name":    {withTags(map[string][]byte{"desc": describedAs("Coated FOGRA39")}), ""},
		"nothing":            {make([]byte, 140), ""},
	} {
		if got := profileSpace(c.icc); got != c.want {
			t.Errorf("%s is %q, want %q", name, got, c.want)
		}
	}
}

// TestTheSpaceIsGuessedInOrder takes each rule with what goes before it away.
func TestTheSpaceIsGuessedInOrder(t *testing.T) {
	plain := encodePNG(t, image.NewNRGBA(image.Rect(0, 0, 2, 2)))
	profile := func(icc []byte) []byte { return append([]byte("x\x00\x00"), deflated(icc)...) }
	p3, srgb := profile(testProfile(colour.DisplayP3, "")), []byte{0}
	linear := binary.BigEndian.AppendUint32(nil, 100000)
	with := func(chunks ...any) []byte {
		b := plain
		for i := 0; i < len(chunks); i += 2 {
			b = insertChunk(b, chunks[i].(string), chunks[i+1].([]byte))
		}
		return b
	}
	aces := func(o *exr.Output) {
		o.Chromaticities = &exr.Chromaticities{0.713, 0.293, 0.165, 0.83, 0.128, 0.044, 0.32168, 0.33767}
	}
	rgb := []string{"R", "G", "B"}
	for name, c := range map[string]struct {
		b    []byte
		want colour.Space
		by   string
	}{
		"cICP before a profile":      {with("cICP", []byte{1, 8, 0, 1}, "iCCP", p3, "gAMA", linear), colour.LinearRec709, "its cICP chunk"},
		"cICP of P3":                 {with("cICP", []byte{12, 13, 0, 1}), colour.DisplayP3, "its cICP chunk"},
		"cICP of Rec.709":            {with("cICP", []byte{1, 1, 0, 1}), colour.Rec709, "its cICP chunk"},
		"a profile behind PQ":        {with("cICP", []byte{9, 16, 0, 1}, "iCCP", p3), colour.DisplayP3, "its colour profile"},
		"a profile before gAMA":      {with("iCCP", p3, "gAMA", linear), colour.DisplayP3, "its colour profile"},
		"an unknown profile":         {with("iCCP", profile(formula(0, 3)), "gAMA", linear), colour.SRGB, ""},
		"sRGB before gAMA":           {with("sRGB", srgb, "gAMA", linear), colour.SRGB, "its sRGB chunk"},
		"gAMA":                       {with("gAMA", linear), colour.LinearRec709, "its gAMA chunk"},
		"nothing":                    {plain, colour.SRGB, ""},
		"chromaticities of AP1":      {exrFile(t, 2, 2, rgb, byName, aces), colour.ACEScg, "its chromaticities"},
		"chromaticities of Y":        {exrFile(t, 2, 2, []string{"Y"}, byName, aces), colour.LinearRec709, ""},
		"OpenEXR without":            {exrFile(t, 2, 2, rgb, byName, func(*exr.Output) {}), colour.LinearRec709, ""},
		"senseless chromaticities":   {exrFile(t, 2, 2, rgb, byName, func(o *exr.Output) { o.Chromaticities = &exr.Chromaticities{} }), colour.LinearRec709, ""},
		"a float TIFF":               {greyRow(1, 32, make([]byte, 4)).with(map[uint16][]uint64{tagSampleFormat: {3}}).bytes(), colour.LinearRec709, ""},
		"a TIFF of whole numbers":    {greyRow(1, 8, make([]byte, 1)).bytes(), colour.SRGB, ""},
		"a DPX in printing density":  {testDPX{w: 1, h: 1, kind: 50, depth: 8, transfer: 1, pixels: make([]byte, 3)}.bytes(), colour.Cineon, "its header"},
		"a DPX that does not say so": {testDPX{w: 1, h: 1, kind: 50, depth: 8, pixels: make([]byte, 3)}.bytes(), colour.SRGB, ""},
	} {
		f := decode(t, c.b)
		if f.Space != c.want || f.Picture.Space != c.want || f.SpaceBy != c.by {
			t.Errorf("%s: %s by %q, want %s by %q", name, f.Space, f.SpaceBy, c.want, c.by)
		}
		if note := f.SpaceNote(); !strings.Contains(note, c.want.Title()) || !strings.Contains(note, c.by) {
			t.Errorf("%s: %s", name, note)
		}
	}
	if f := decode(t, with("iCCP", profile(withTags(map[string][]byte{"desc": describedAs("Coated FOGRA39")})))); !hasNote(f, "Coated FOGRA39") {
		t.Errorf("notes %q", f.Notes)
	}
}

// TestWrittenFilesSayWhatTheirColourIs writes every space in every format and reads it again.
func TestWrittenFilesSayWhatTheirColourIs(t *testing.T) {
	for _, space := range append(colour.Spaces(), linearOf(colour.DisplayP3)) {
		meta := Meta{Pass: "fg", Space: space}
		light := linearOf(space)
		for _, c := range []struct {
			format Format
			write  func(m picture.Image) []byte
			want   colour.Space
		}{
			{PNG, func(m picture.Image) []byte { return written(t, WritePNG16, m, picture.Image{}, meta) }, space},
			{TIFF, func(m picture.Image) []byte { return written(t, WriteTIFF16, m, picture.Image{}, meta) }, space},
			{EXR, func(m picture.Image) []byte {
				var b disktest.File
				if err := WriteEXR(&b, m, picture.Image{}, meta, EXROptions{}); err != nil {
					t.Fatal(err)
				}
				return b.Bytes
			}, light},
		} {
			f := decode(t, c.write(levels(4, 4, 3)))
			if got := f.Space == c.want; got != meta.Describes(c.format) {
				t.Errorf("%s in %s is read as %s; it describes it: %v", space, c.format, f.Space, meta.Describes(c.format))
			}
		}
	}
}

// TestThePlatesOwnProfileGoesBeforeOneThatIsMade, where it is one of red, green and blue.
func TestThePlatesOwnProfileGoesBeforeOneThatIsMade(t *testing.T) {
	own := testProfile(colour.AdobeRGB, "of the plate")
	copy(own[16:], "RGB ")
	grey := testProfile(colour.AdobeRGB, "of the plate")
	copy(grey[16:], "GRAY")
	for _, c := range []struct {
		name string
		meta Meta
		want []byte
	}{
		{"its own", Meta{Space: colour.AdobeRGB, ICC: own}, own},
		{"an unknown one", Meta{Space: colour.LogC3, ICC: own}, own},
		{"one of grey", Meta{Space: colour.AdobeRGB, ICC: grey}, profileOf(colour.AdobeRGB)},
		{"none", Meta{Space: colour.DisplayP3}, profileOf(colour.DisplayP3)},
		{"known code points", Meta{Space: colour.DisplayP3, CICP: []byte{12, 13, 0, 1}}, profileOf(colour.DisplayP3)},
		{"unknown code points", Meta{Space: colour.SRGB, CICP: []byte{9, 16, 0, 1}}, nil},
		{"a logarithmic space", Meta{Space: colour.LogC3}, nil},
	} {
		for format, b := range map[Format][]byte{
			TIFF: written(t, WriteTIFF16, levels(4, 4, 3), picture.Image{}, c.meta),
			PNG:  written(t, WritePNG16, levels(4, 4, 3), picture.Image{}, c.meta),
		} {
			if f := decode(t, b); !bytes.Equal(f.ICC, c.want) || !bytes.Equal(f.CICP, c.meta.CICP) && format == PNG && c.meta.CICP != nil {
				t.Errorf("%s in %s: a profile of %d bytes, want %d; code points %v", c.name, format, len(f.ICC), len(c.want), f.CICP)
			}
			if got, want := c.meta.Describes(format), c.want != nil || format == PNG && c.meta.CICP != nil; got != want {
				t.Errorf("%s in %s: described %v", c.name, format, got)
			}
		}
	}
}

func TestCodePointsOfThePlateAreCarried(t *testing.T) {
	f := decode(t, written(t, WritePNG16, levels(4, 4, 3), picture.Image{}, Meta{Space: colour.SRGB, CICP: []byte{9, 16, 0, 1}}))
	if string(f.CICP) != "\x09\x10\x00\x01" || f.Space != colour.SRGB {
		t.Errorf("code points %v, space %s", f.CICP, f.Space)
	}
}
