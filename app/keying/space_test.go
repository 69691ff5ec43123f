package keying

import (
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"greenroom/engine/colour"
	"greenroom/engine/hint"
	"greenroom/engine/imageio"
	"greenroom/engine/picture"
	"greenroom/engine/settings"
)

// inSpace writes the picture at path again, as a file of another format in another space, its light times gain.
func inSpace(t *testing.T, path, to string, space colour.Space, gain float32) {
	t.Helper()
	f, err := imageio.Open(path, imageio.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := colour.NewConverter(f.Space, space, gain)
	if err != nil {
		t.Fatal(err)
	}
	rgb, err := picture.Convert(t.Context(), f.Picture.RGB, c)
	if err != nil {
		t.Fatal(err)
	}
	meta := imageio.Meta{Space: space}
	err = imageio.Replace(t.Context(), to, func(w io.WriteSeeker) error {
		if filepath.Ext(to) == ".exr" {
			return imageio.WriteEXR(w, rgb, picture.Image{}, meta, imageio.EXROptions{Float: true})
		}
		return imageio.WritePNG16(w, rgb, picture.Image{}, meta)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// keyed runs an order and returns its report with the key that it wrote.
func keyed(t *testing.T, run func(Order) (*Report, error), o Order) (*Report, *imageio.File) {
	t.Helper()
	r, err := run(o)
	if err != nil {
		t.Fatal(err)
	}
	key, err := imageio.Open(r.Files[PassKey], imageio.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return r, key
}

// TestAPlateKeysAlikeInEverySpace keys one picture in sRGB and in other spaces: the mattes are the same, and each key is
// in its plate's space, the plate's own pixels where it is solid.
func TestAPlateKeysAlikeInEverySpace(t *testing.T) {
	e, base := bench(t)
	run := func(o Order) (*Report, error) { return Run(t.Context(), e, o) }
	dir := t.TempDir()
	base.Look.Despill, base.Out = 0, filepath.Join(dir, "keys")
	o := base
	o.Plate = filepath.Join(dir, "srgb.png")
	plate(t, o.Plate, 160, 112)
	_, reference := keyed(t, run, o)
	solid := 0
	for _, c := range []struct {
		space colour.Space
		file  string
		// asked says that the file cannot say its space.
		asked bool
		want  colour.Space
	}{
		{colour.ACEScg, "acescg.exr", false, colour.ACEScg},
		{colour.ACES, "aces.exr", false, colour.ACES},
		{colour.LinearRec709, "linear.exr", false, colour.LinearRec709},
		{colour.DisplayP3, "p3.png", false, colour.DisplayP3},
		{colour.LogC3, "logc3.png", true, colour.SRGB},
	} {
		o := base
		o.Plate, o.Format = filepath.Join(dir, c.file), ""
		inSpace(t, filepath.Join(dir, "srgb.png"), o.Plate, c.space, 1)
		if c.asked {
			o.Space = string(c.space)
		}
		r, key := keyed(t, run, o)
		if key.Space != c.want {
			t.Errorf("%s came back as %s", c.space, key.Space)
		}
		own, err := imageio.Open(o.Plate, imageio.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		for i, a := range key.Picture.Alpha.Pix {
			if d := a - reference.Picture.Alpha.Pix[i]; d > 0.004 || d < -0.004 {
				t.Fatalf("%s: the matte is %v at %d, %d, and %v of sRGB", c.space, a, i%160, i/160, reference.Picture.Alpha.Pix[i])
			}
			x, y := i%160-80, i/160-56
			if a < 1 || x*x+y*y > 20*20 {
				continue
			}
			solid++
			for k := 3 * i; k < 3*i+3; k++ {
				got, want := key.Picture.RGB.Pix[k], own.Picture.RGB.Pix[k]
				// OpenEXR is written in half floats.
				if d := math.Abs(float64(got - want)); d > 5e-4*float64(want)+1e-6 {
					t.Fatalf("%s: the key has %v at %d, %d, the plate %v", c.space, got, i%160, i/160, want)
				}
			}
		}
		if cannot := says(r.Warnings, "which a PNG file cannot say"); cannot != c.asked {
			t.Errorf("%s: warnings %q", c.space, r.Warnings)
		}
		if side := readSidecar(t, r.Sidecar); side.Space != string(c.space) || side.SpaceAsked != o.Space {
			t.Errorf("%s: the sidecar says %s, asked %q", c.space, side.Space, side.SpaceAsked)
		}
	}
	if solid < 5*900 {
		t.Errorf("only %d pixels are solid", solid)
	}
}

func TestTheGuessIsToldAndTheChoiceHonoured(t *testing.T) {
	dir := t.TempDir()
	plain, p3 := filepath.Join(dir, "plain.png"), filepath.Join(dir, "p3.png")
	plate(t, plain, 64, 48)
	inSpace(t, plain, p3, colour.DisplayP3, 1)
	for _, c := range []struct {
		path, asked string
		want        colour.Space
		note        string
		carried     bool
	}{
		{plain, "", colour.SRGB, "Nothing says what its colour is: it is read as sRGB", false},
		{p3, "", colour.DisplayP3, "read as Display P3, by its cICP chunk", true},
		{p3, "p3", colour.DisplayP3, "", true},
		{p3, "logc4", colour.LogC4, "", false},
		{plain, "slog3", colour.SLog3, "", false},
	} {
		s, err := OpenPlate(Order{Plate: c.path, Space: c.asked})
		if err != nil {
			t.Fatal(err)
		}
		if s.Plate.Space != c.want || (s.Header.CICP != nil) != c.carried {
			t.Errorf("%+v: %s, cICP %v", c, s.Plate.Space, s.Header.CICP)
		}
		if c.note == "" && says(s.Notes, "read as") || !says(append(s.Notes, ""), c.note) {
			t.Errorf("%+v: notes %q", c, s.Notes)
		}
	}
	if _, err := OpenPlate(Order{Plate: plain, Space: "teal"}); err == nil || !strings.Contains(err.Error(), "plain.png") {
		t.Errorf("error %v", err)
	}
}

func TestKeyExposureReachesHintAndNetworkOnly(t *testing.T) {
	e, base := bench(t)
	run := func(o Order) (*Report, error) { return Run(t.Context(), e, o) }
	dir := t.TempDir()
	base.Look.Despill, base.Out, base.Passes = 0, filepath.Join(dir, "keys"), []Pass{PassKey, PassMatte, PassFG}
	usual := base
	usual.Plate = filepath.Join(dir, "usual.png")
	plate(t, usual.Plate, 160, 112)
	_, want := keyed(t, run, usual)
	dark := base
	dark.Plate, dark.Look.KeyExposure = filepath.Join(dir, "dark.png"), 3
	inSpace(t, usual.Plate, dark.Plate, colour.SRGB, 1./8)
	r, got := keyed(t, run, dark)
	own, err := imageio.Open(dark.Plate, imageio.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	// Hint and network saw the usual plate; the colours are the dark one's, at the edge too.
	brightest := float32(0)
	for i, a := range got.Picture.Alpha.Pix {
		if d := a - want.Picture.Alpha.Pix[i]; d > 0.01 || d < -0.01 {
			t.Fatalf("the matte is %v at %d, %d, and %v of the usual plate", a, i%160, i/160, want.Picture.Alpha.Pix[i])
		}
		if a > 0 {
			brightest = max(brightest, got.Picture.RGB.Pix[3*i], got.Picture.RGB.Pix[3*i+1], got.Picture.RGB.Pix[3*i+2])
		}
		if x, y := i%160-80, i/160-56; x*x+y*y < 20*20 && got.Picture.RGB.Pix[3*i] != own.Picture.RGB.Pix[3*i] {
			t.Fatalf("the key has %v at %d, %d, the plate %v", got.Picture.RGB.Pix[3*i], i%160, i/160, own.Picture.RGB.Pix[3*i])
		}
	}
	// The subject's 0.61 is 0.22 of an eighth of the light, the screen's 0.65 is 0.24.
	if brightest > 0.27 {
		t.Errorf("the key is as bright as %v", brightest)
	}
	like, err := ReadLike(r.Sidecar)
	if err != nil || like.Look().KeyExposure != 3 {
		t.Errorf("the sidecar says %v stops (%v)", like.Look().KeyExposure, err)
	}
	s, err := open(dark)
	if err != nil {
		t.Fatal(err)
	}
	if s.Exposure != 3 || s.Seen.Space != colour.SRGB || math.Abs(float64(s.Seen.RGB.Pix[0]-12000./65535)) > 1e-3 {
		t.Errorf("seen at %v stops in %s with %v", s.Exposure, s.Seen.Space, s.Seen.RGB.Pix[0])
	}
}

// TestTheBackgroundsSpaceIsGuessedOrChosen lays one picture, stored in several spaces, under a key: the comps are alike,
// but for one whose file does not say what it is.
func TestTheBackgroundsSpaceIsGuessedOrChosen(t *testing.T) {
	e, o := bench(t)
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	o.Plate, o.Out, o.Passes = in("shot.png"), in("keys"), []Pass{PassComp}
	o.Look.Background = settings.BackgroundPicture
	plate(t, o.Plate, 96, 64)
	plate(t, in("srgb.png"), 96, 64)
	inSpace(t, in("srgb.png"), in("p3.png"), colour.DisplayP3, 1)
	inSpace(t, in("srgb.png"), in("log.png"), colour.LogC3, 1)
	inSpace(t, in("srgb.png"), in("cg.exr"), colour.ACEScg, 1)
	comp := func(file, space string) (*Report, picture.Image) {
		one := o
		one.Backdrop, one.BackdropSpace = in(file), space
		r, err := Run(t.Context(), e, one)
		if err != nil {
			t.Fatal(err)
		}
		f, err := imageio.Open(r.Files[PassComp], imageio.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		return r, f.Picture.RGB
	}
	_, want := comp("srgb.png", "")
	for _, c := range []struct {
		file, space, note string
		alike             bool
	}{
		{"p3.png", "", "p3.png: Its colour is read as Display P3", true},
		{"cg.exr", "", "cg.exr: Its colour is read as ACEScg", true},
		{"log.png", "logc3", "", true},
		{"log.png", "", "log.png: Nothing says what its colour is: it is read as sRGB", false},
	} {
		r, got := comp(c.file, c.space)
		most := 0.0
		for i, v := range got.Pix {
			most = max(most, math.Abs(float64(v-want.Pix[i])))
		}
		if alike := most < 2e-3; alike != c.alike {
			t.Errorf("%s as %q: the comp is off by %v", c.file, c.space, most)
		}
		if c.note != "" && !says(r.Notes, c.note) || c.note == "" && says(r.Notes, c.file) {
			t.Errorf("%s as %q: notes %q", c.file, c.space, r.Notes)
		}
		like, err := ReadLike(r.Sidecar)
		if err != nil {
			t.Fatal(err)
		}
		again, _, err := like.Order(Order{Plate: o.Plate, Passes: o.Passes, Look: like.Look()}, Export{})
		if err != nil || again.Backdrop != in(c.file) || again.BackdropSpace != c.space {
			t.Errorf("like it: %q in %q (%v)", again.Backdrop, again.BackdropSpace, err)
		}
		// What was said of that picture says nothing of another.
		again, _, err = like.Order(Order{Plate: o.Plate, Passes: o.Passes, Look: like.Look(), Backdrop: in("srgb.png")}, Export{})
		if err != nil || again.BackdropSpace != "" {
			t.Errorf("another picture is taken to be in %q (%v)", again.BackdropSpace, err)
		}
	}
	// Without a comp the picture is named all the same, though it is gone.
	first, _ := comp("log.png", "logc3")
	if err := os.Remove(in("log.png")); err != nil {
		t.Fatal(err)
	}
	side := first.Sidecar
	for range 2 {
		like, err := ReadLike(side)
		if err != nil {
			t.Fatal(err)
		}
		one := o
		one.Passes, one.Look = []Pass{PassMatte}, like.Look()
		if one, _, err = like.Order(one, Export{}); err != nil {
			t.Fatal(err)
		}
		r, err := Run(t.Context(), e, one)
		if err != nil {
			t.Fatal(err)
		}
		side = r.Sidecar
	}
	like, err := ReadLike(side)
	if err != nil {
		t.Fatal(err)
	}
	if lost := like.Recall(o.Plate).Lost; len(lost) != 1 || lost[0].Path != in("log.png") || lost[0].As != UsedAsBackdrop {
		t.Errorf("the sidecar of a sidecar lacks %+v", lost)
	}
	if _, err := Run(t.Context(), e, o); err == nil || !strings.Contains(err.Error(), "shot.png") || !strings.Contains(err.Error(), "name it with --background FILE") {
		t.Errorf("without a picture: %v", err)
	}
	o.Backdrop, o.BackdropSpace = in("srgb.png"), "teal"
	if _, err := Run(t.Context(), e, o); err == nil || !strings.Contains(err.Error(), "srgb.png") || !strings.Contains(err.Error(), "teal") {
		t.Errorf("error %v", err)
	}
}

// TestPickedColoursAreTakenInThePlatesSpace makes the same hint of samples from a plate in sRGB and in LogC3.
func TestPickedColoursAreTakenInThePlatesSpace(t *testing.T) {
	dir := t.TempDir()
	encoded, log := filepath.Join(dir, "encoded.png"), filepath.Join(dir, "log.png")
	plate(t, encoded, 160, 112)
	inSpace(t, encoded, log, colour.LogC3, 1)
	var hints []picture.Image
	for _, o := range []Order{{Plate: encoded}, {Plate: log, Space: "logc3"}} {
		o.Look, o.Picks = settings.DefaultLook(), []settings.Point{{X: 5, Y: 5}, {X: 150, Y: 100}}
		s, err := open(o)
		if err != nil {
			t.Fatal(err)
		}
		if c, ok := hint.Pick(s.Plate, o.Picks[0]); !ok || s.Marks.Samples[0] != c {
			t.Errorf("%s: the mark is %v, the plate has %v", o.Plate, s.Marks.Samples[0], c)
		}
		hints = append(hints, s.Hint)
	}
	for i, v := range hints[0].Pix {
		if d := v - hints[1].Pix[i]; d > 0.01 || d < -0.01 {
			t.Fatalf("the hint is %v and %v at %d, %d", v, hints[1].Pix[i], i%160, i/160)
		}
	}
}
