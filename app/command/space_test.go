package command

import (
	"encoding/json"
	"image"
	"image/color"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"greenroom/engine/colour"
	"greenroom/engine/imageio"
	"greenroom/engine/picture"
)

// brightPlate writes an OpenEXR plate of 32-bit floats in linear light over a space's primaries: a disc that goes from 0
// to 8 before a green screen. It returns the plate's path and that of a core matte over the disc's middle.
func brightPlate(t *testing.T, dir string, space colour.Space) (plate, core string) {
	t.Helper()
	const w, h = 96, 64
	m, solid := picture.New(w, h, 3), image.NewGray(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := [3]float32{0.05, 0.4, 0.07}
			if away := (x-48)*(x-48) + (y-32)*(y-32); away < 576 {
				c = [3]float32{8 * float32(x-24) / 48, 7 * float32(x-24) / 48, 6 * float32(x-24) / 48}
				if away < 400 {
					solid.SetGray(x, y, color.Gray{Y: 255})
				}
			}
			copy(m.Row(y)[3*x:], c[:])
		}
	}
	plate = filepath.Join(dir, "bright.exr")
	err := imageio.Replace(t.Context(), plate, func(w io.WriteSeeker) error {
		return imageio.WriteEXR(w, m, picture.Image{}, imageio.Meta{Space: space}, imageio.EXROptions{Float: true})
	})
	if err != nil {
		t.Fatal(err)
	}
	return plate, save(t, dir, "core.png", solid)
}

func TestHighlightsOnSolidForegroundSurvive(t *testing.T) {
	for _, space := range []colour.Space{colour.LinearRec709, colour.ACEScg} {
		dir := t.TempDir()
		path, core := brightPlate(t, dir, space)
		got := greenroom(t, "key", path, "--core", core, "--format", "exr", "--passes", "key,fg", "--out", dir, "--device", "cpu", "--json")
		if got.code != 0 {
			t.Fatalf("code %d: %s", got.code, got.err)
		}
		var report struct {
			Files map[string]string `json:"files"`
		}
		if err := json.Unmarshal([]byte(got.out), &report); err != nil {
			t.Fatal(err)
		}
		own, err := imageio.Open(path, imageio.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		for _, pass := range []string{"key", "fg"} {
			file, err := imageio.Open(report.Files[pass], imageio.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if file.Space != space {
				t.Errorf("%s: the %s is in %s", space, pass, file.Space)
			}
			brightest := float32(0)
			for y := range 64 {
				for x := range 96 {
					if (x-48)*(x-48)+(y-32)*(y-32) >= 15*15 {
						continue // the edge's colour may be the network's
					}
					for i := 3 * x; i < 3*x+3; i++ {
						have, want := file.Picture.RGB.Row(y)[i], own.Picture.RGB.Row(y)[i]
						if d := have - want; d > want/1024 || d < -want/1024 {
							t.Fatalf("%s: the %s has %v at %d, %d, the plate %v", space, pass, have, x, y, want)
						}
						brightest = max(brightest, have)
					}
				}
			}
			if brightest < 6 {
				t.Errorf("%s: the %s goes to %v", space, pass, brightest)
			}
		}
		if strings.Contains(got.err, "clipped") {
			t.Errorf("%s: %s", space, got.err)
		}
		// Whole numbers cannot hold it, which is said and counted.
		got = greenroom(t, "key", path, "--core", core, "--format", "png", "--out", dir, "--device", "cpu")
		if got.code != 0 || !strings.Contains(got.err, "brighter or more saturated than 16-bit integers can hold and were clipped") {
			t.Errorf("%s: code %d: %s", space, got.code, got.err)
		}
	}
}

func TestEverySpaceIsTakenByItsName(t *testing.T) {
	for _, s := range colour.Spaces() {
		for _, name := range []string{string(s), strings.ToUpper(string(s))} {
			o, err := parsed(t, "--space", name).order(nil, nil)
			if err != nil || o.Space != string(s) {
				t.Errorf("%s is %q (%v)", name, o.Space, err)
			}
		}
	}
	own := "linear:0.68,0.32,0.265,0.69,0.15,0.06,0.3127,0.329"
	if o, err := parsed(t, "--space", own).order(nil, nil); err != nil || o.Space != own {
		t.Errorf("%q (%v)", o.Space, err)
	}
	help := greenroom(t, "key", "--help").out
	// Lines are broken anywhere between words.
	words := strings.FieldsFunc(help, func(r rune) bool { return strings.ContainsRune(" ,.\n", r) })
	for _, s := range []string{"acescg", "logc4", "slog3", "cineon"} {
		if !slices.Contains(words, s) {
			t.Errorf("the help does not name %s", s)
		}
	}
}
