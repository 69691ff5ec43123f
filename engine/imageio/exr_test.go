package imageio

import (
	"bytes"
	"errors"
	"image"
	"math"
	"slices"
	"strings"
	"testing"

	"greenroom/engine/colour"
	"greenroom/engine/imageio/disktest"
	"greenroom/engine/imageio/exr"
	"greenroom/engine/picture"
)

// exrFile writes an OpenEXR file of the given channels; sample gives the value of a channel at a pixel.
func exrFile(t testing.TB, w, h int, names []string, sample func(name string, x, y int) float32, change func(o *exr.Output)) []byte {
	t.Helper()
	o := exr.Output{W: w, H: h, Type: exr.Float}
	for _, name := range names {
		o.Channels = append(o.Channels, exr.Samples{Name: name, Row: func(dst []float32, y int) {
			for x := range dst {
				dst[x] = sample(name, x, y)
			}
		}})
	}
	if change != nil {
		change(&o)
	}
	var b disktest.File
	if err := exr.Write(&b, o); err != nil {
		t.Fatal(err)
	}
	return b.Bytes
}

// decodeEXR reads a layer of a file.
func decodeEXR(t testing.TB, b []byte, layer string) *File {
	t.Helper()
	f, err := decodeLayer(bytes.NewReader(b), int64(len(b)), "x.exr", layer, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// byName gives each channel a value of its own.
func byName(name string, x, _ int) float32 {
	v := float32(name[len(name)-1]) / 64
	if name == "A" {
		return 1
	}
	return v + float32(x)
}

func hasNote(f *File, part string) bool {
	return slices.ContainsFunc(f.Notes, func(n string) bool { return strings.Contains(n, part) })
}

func TestEXRChannelsGoToTheirPlaces(t *testing.T) {
	f := decodeEXR(t, exrFile(t, 3, 2, []string{"B", "R", "A", "G"}, byName, nil), "")
	if f.Format != EXR || f.W != 3 || f.H != 2 || f.Channels != 4 || f.Depth != 32 || !f.Float || f.Picture.Space != colour.LinearRec709 {
		t.Errorf("header %+v", f.Header)
	}
	for i, v := range f.Picture.RGB.Pix {
		if want := byName([]string{"R", "G", "B"}[i%3], i/3%3, 0); v != want {
			t.Fatalf("value %d is %v, want %v", i, v, want)
		}
	}
	if f.Picture.Alpha.Pix[0] != 1 || len(f.Notes) != 0 {
		t.Errorf("alpha %v, notes %q", f.Picture.Alpha.Pix[0], f.Notes)
	}
}

func TestEXRWithOneChannelIsGreyAndSaysWhich(t *testing.T) {
	for _, c := range []struct{ channel, note string }{{"Y", ""}, {"A", "channel A is read as grey"}, {"Z", "channel Z is read as grey"}} {
		f := decodeEXR(t, exrFile(t, 2, 2, []string{c.channel}, func(string, int, int) float32 { return 0.25 }, nil), "")
		if f.Channels != 1 || !f.Picture.Alpha.Empty() || f.Picture.RGB.Pix[0] != 0.25 || f.Picture.RGB.Pix[2] != 0.25 {
			t.Errorf("%s: %d channels, %v", c.channel, f.Channels, f.Picture.RGB.Pix)
		}
		if c.note == "" && len(f.Notes) > 0 || !hasNote(f, c.note) && c.note != "" {
			t.Errorf("%s: notes %q", c.channel, f.Notes)
		}
	}
	f := decodeEXR(t, exrFile(t, 2, 2, []string{"R", "B"}, byName, nil), "")
	if f.Picture.RGB.Pix[1] != 0 || f.Picture.RGB.Pix[0] != byName("R", 0, 0) || !hasNote(f, "no green channel") {
		t.Errorf("%v, notes %q", f.Picture.RGB.Pix[:3], f.Notes)
	}
}

func TestEXRLayersAreChosenByName(t *testing.T) {
	b := exrFile(t, 2, 2, []string{"fg.R", "fg.G", "fg.B", "bg.R", "bg.G", "bg.B", "Z"}, func(name string, _, _ int) float32 {
		return map[byte]float32{'f': 1, 'b': 2, 'Z': 3}[name[0]]
	}, nil)
	for layer, want := range map[string]float32{"": 2, "fg": 1, "BG": 2, "Z": 3, "fg.R": 1} {
		f := decodeEXR(t, b, layer)
		if f.Picture.RGB.Pix[0] != want {
			t.Errorf("layer %q: %v, want %v", layer, f.Picture.RGB.Pix[0], want)
		}
		if !slices.Equal(f.EXR.Layers, []string{"bg", "fg", "Z"}) || !hasNote(f, "the layers bg, fg, Z: ") {
			t.Errorf("layers %q, notes %q", f.EXR.Layers, f.Notes)
		}
	}
	_, err := decodeLayer(bytes.NewReader(b), int64(len(b)), "x.exr", "mg", Limits{})
	if !errors.Is(err, ErrUnsupported) || err.Error() != `cannot read x.exr: it has no layer "mg" (choose one of bg, fg, Z)` {
		t.Errorf("error %v", err)
	}
	png := encodePNG(t, image.NewGray(image.Rect(0, 0, 2, 2)))
	if _, err := decodeLayer(bytes.NewReader(png), int64(len(png)), "x.png", "fg", Limits{}); !errors.Is(err, ErrUnsupported) || !strings.Contains(err.Error(), "PNG file, which has no layers") {
		t.Errorf("error %v", err)
	}
}

func TestEXRColourIsDividedByItsAlpha(t *testing.T) {
	alpha := []float32{0, 0.25, 1, 2, 1e-30}
	b := exrFile(t, 5, 1, []string{"R", "G", "B", "A"}, func(name string, x, _ int) float32 {
		if name == "A" {
			return alpha[x]
		}
		return 0.5
	}, nil)
	f := decodeEXR(t, b, "")
	for x, want := range []float32{0.5, 2, 0.5, 0.5, 65504} {
		if got := f.Picture.RGB.Pix[3*x]; got != want {
			t.Errorf("colour over alpha %v is %v, want %v", alpha[x], got, want)
		}
		if got := f.Picture.Alpha.Pix[x]; got != min(alpha[x], 1) {
			t.Errorf("alpha %v is %v", alpha[x], got)
		}
	}
	if !hasNote(f, "premultiplied") {
		t.Errorf("notes %q", f.Notes)
	}
}

func TestEXRNonFiniteValuesAreRepairedAndCounted(t *testing.T) {
	b := exrFile(t, 4, 1, []string{"R", "G", "B"}, func(name string, x, _ int) float32 {
		if x == 0 && name == "G" || x == 2 {
			return float32(math.Inf(1))
		}
		return -3 // kept: what is under 0 or over 1 is a value like others
	}, func(o *exr.Output) { o.Type = exr.Float })
	f := decodeEXR(t, b, "")
	if !hasNote(f, "4 of its values are not finite numbers") {
		t.Errorf("notes %q", f.Notes)
	}
	if got := f.Picture.RGB.Pix; got[0] != -3 || got[1] != 65504 || got[6] != 65504 {
		t.Errorf("values %v", got)
	}
	grey := exrFile(t, 4, 1, []string{"Y"}, func(_ string, x, _ int) float32 { return float32(math.Inf(1 - 2*(x&1))) }, nil)
	if f := decodeEXR(t, grey, ""); !hasNote(f, "4 of its values") || f.Picture.RGB.Pix[3] != 0 || f.Picture.RGB.Pix[5] != 0 {
		t.Errorf("notes %q, values %v", f.Notes, f.Picture.RGB.Pix)
	}
}

func TestEXRIsHeldAgainstTheLimits(t *testing.T) {
	b := exrFile(t, 40, 30, []string{"Y"}, byName, nil)
	for _, limits := range []Limits{{Pixels: 1199}, {Side: 39}} {
		if _, err := Decode(bytes.NewReader(b), int64(len(b)), "x", limits); !errors.Is(err, ErrTooLarge) {
			t.Errorf("%+v: %v", limits, err)
		}
	}
	if _, err := Decode(bytes.NewReader(b), int64(len(b)), "x", Limits{Pixels: 1200, Side: 40}); err != nil {
		t.Error(err)
	}
}

func TestEXRTellsWhatItIsAndCarriesItOver(t *testing.T) {
	aces := &exr.Chromaticities{0.7347, 0.2653, 0, 1, 0.0001, -0.077, 0.32168, 0.33767}
	plate := decodeEXR(t, exrFile(t, 6, 4, []string{"R", "G", "B"}, byName, func(o *exr.Output) {
		o.X, o.Y, o.PixelAspect, o.Chromaticities = -40, 12, 2, aces
		o.Text = map[string]string{"comments": "shot 12"}
	}), "")
	if !hasNote(plate, "not square (aspect 2)") || plate.Picture.Space != colour.ACES {
		t.Errorf("space %s, notes %q", plate.Picture.Space, plate.Notes)
	}
	var b disktest.File
	meta := Meta{Pass: "key", Space: plate.Picture.Space, EXR: plate.EXR}
	if err := WriteEXR(&b, plate.Picture.RGB, picture.Image{}, meta, EXROptions{}); err != nil {
		t.Fatal(err)
	}
	back := decodeEXR(t, b.Bytes, "")
	got, want := *back.EXR, *plate.EXR
	if got.X != -40 || got.Y != 12 || got.PixelAspect != 2 || *got.Chromaticities != *want.Chromaticities || got.Comment != "shot 12" {
		t.Errorf("carried over %+v", got)
	}
	if !back.WrittenByGreenroom || back.Pass != "key" || plate.WrittenByGreenroom {
		t.Errorf("written by us %v, pass %q", back.WrittenByGreenroom, back.Pass)
	}
}

func TestEXRKeyIsPremultipliedInLinearLight(t *testing.T) {
	fg, matte := picture.New(3, 1, 3), picture.New(3, 1, 1)
	copy(fg.Pix, []float32{0.5, 0.2, 0, 0.5, 0.2, 1, 3, -0.5, 1})
	copy(matte.Pix, []float32{0, 0.5, 1})
	for _, space := range []colour.Space{colour.SRGB, colour.LinearRec709} {
		for _, float := range []bool{false, true} {
			var b disktest.File
			if err := WriteEXR(&b, fg, matte, Meta{Pass: "key", Space: space}, EXROptions{Float: float}); err != nil {
				t.Fatal(err)
			}
			f, err := exr.Open(bytes.NewReader(b.Bytes), int64(len(b.Bytes)))
			if err != nil {
				t.Fatal(err)
			}
			if n := len(f.Parts[0].Channels); n != 4 || (f.Parts[0].Channels[0].Type == exr.Float) != float {
				t.Fatalf("%+v", f.Parts[0].Channels)
			}
			raw := picture.New(3, 1, 4)
			if _, err := f.Read(t.Context(), 0, []exr.Destination{
				{Channel: 3, Image: raw, Component: 0}, {Channel: 2, Image: raw, Component: 1},
				{Channel: 1, Image: raw, Component: 2}, {Channel: 0, Image: raw, Component: 3},
			}); err != nil {
				t.Fatal(err)
			}
			for i, v := range raw.Pix {
				a := matte.Pix[i/4]
				want := a
				if i%4 < 3 {
					if want = fg.Pix[i/4*3+i%4]; space == colour.SRGB {
						want = colour.SRGBToLinear(want)
					}
					want *= a
				}
				if math.Abs(float64(v-want)) > 0.0005*math.Abs(float64(want))+1e-7 {
					t.Errorf("%s: value %d is %v, want %v", space, i, v, want)
				}
			}
		}
	}
}

func TestEXRMatteFillsAllChannelsOrOne(t *testing.T) {
	matte := picture.New(5, 1, 1)
	copy(matte.Pix, []float32{0, 0.25, 1, 0.0001, 0.9999})
	for _, luminance := range []bool{false, true} {
		var b disktest.File
		// The space says nothing of a measure.
		if err := WriteEXR(&b, matte, picture.Image{}, Meta{Pass: "matte", Space: colour.SRGB}, EXROptions{Luminance: luminance, Float: true}); err != nil {
			t.Fatal(err)
		}
		f, err := exr.Open(bytes.NewReader(b.Bytes), int64(len(b.Bytes)))
		if err != nil {
			t.Fatal(err)
		}
		want := []string{"A", "B", "G", "R"}
		if luminance {
			want = []string{"Y"}
		}
		for i, c := range f.Parts[0].Channels {
			if c.Name != want[i] || len(f.Parts[0].Channels) != len(want) {
				t.Fatalf("channels %+v", f.Parts[0].Channels)
			}
			m := picture.New(5, 1, 1)
			if _, err := f.Read(t.Context(), 0, []exr.Destination{{Channel: i, Image: m}}); err != nil || !slices.Equal(m.Pix, matte.Pix) {
				t.Errorf("%s: %v, error %v", c.Name, m.Pix, err)
			}
		}
	}
}

func TestEXRHighlightsSurvive(t *testing.T) {
	// 0 to 8 and beyond, through a key with a solid matte.
	fg, matte := picture.New(256, 2, 3), picture.New(256, 2, 1)
	for i := range fg.Pix {
		fg.Pix[i] = float32(i%256) / 32
	}
	for i := range matte.Pix {
		matte.Pix[i] = 1
	}
	var b disktest.File
	if err := WriteEXR(&b, fg, matte, Meta{Pass: "key", Space: colour.LinearRec709}, EXROptions{}); err != nil {
		t.Fatal(err)
	}
	f := decodeEXR(t, b.Bytes, "")
	if !slices.Equal(f.Picture.RGB.Pix, fg.Pix) { // steps of 1/32 are halves
		t.Error("values have changed")
	}
}

func TestEXRWriterRefusesWhatItCannotStore(t *testing.T) {
	nan := picture.New(2, 2, 3)
	nan.Pix[5] = float32(math.NaN())
	for name, c := range map[string]struct {
		colours, alpha picture.Image
		space          colour.Space
		kind           error
	}{
		"NaN":                   {nan, picture.Image{}, colour.SRGB, ErrNotFinite},
		"an unknown space":      {picture.New(2, 2, 3), picture.Image{}, "teal", nil},
		"two channels":          {picture.New(2, 2, 2), picture.Image{}, colour.SRGB, nil},
		"grey with alpha":       {picture.New(2, 2, 1), picture.New(2, 2, 1), colour.SRGB, nil},
		"alpha of another size": {picture.New(2, 2, 3), picture.New(3, 2, 1), colour.SRGB, nil},
		"nothing":               {picture.Image{}, picture.Image{}, colour.SRGB, nil},
	} {
		err := WriteEXR(&disktest.File{}, c.colours, c.alpha, Meta{Space: c.space}, EXROptions{})
		if err == nil || c.kind != nil && !errors.Is(err, c.kind) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestEXRNamesWithControlCharactersStayInTheirLine(t *testing.T) {
	b := exrFile(t, 1, 1, []string{"Z\nfake: line", "other"}, byName, nil)
	f := decodeEXR(t, b, "")
	for _, n := range f.Notes {
		if strings.ContainsAny(n, "\n\r") {
			t.Errorf("note %q", n)
		}
	}
	_, err := decodeLayer(bytes.NewReader(b), int64(len(b)), "x.exr", "no\nsuch", Limits{})
	if err == nil || strings.ContainsAny(err.Error(), "\n\r") {
		t.Errorf("error %v", err)
	}
}

// TestEXRThatIsNoRedGreenAndBlueIsRefusedByName: half-size chroma and deep samples are other kinds of picture.
func TestEXRThatIsNoRedGreenAndBlueIsRefusedByName(t *testing.T) {
	chroma := exrFile(t, 4, 4, []string{"Y", "RY", "BY"}, byName, nil)
	deep := bytes.Clone(exrFile(t, 4, 4, []string{"R", "G", "B"}, byName, nil))
	deep[5] |= 0x08 // the flag of deep parts, bit 11 of the version
	for says, b := range map[string][]byte{
		"OpenEXR in luminance and chroma (Y, RY, BY) cannot be read": chroma, "deep OpenEXR": deep,
	} {
		_, err := Decode(bytes.NewReader(b), int64(len(b)), "x.exr", Limits{})
		if !errors.Is(err, ErrUnsupported) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", says, err)
		}
	}
	// Its luminance by itself can be asked for.
	if f := decodeEXR(t, chroma, "Y"); f.Channels != 1 {
		t.Errorf("Y has %d channels", f.Channels)
	}
}
