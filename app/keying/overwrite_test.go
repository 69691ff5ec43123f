package keying

import (
	"bytes"
	"errors"
	"image"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"greenroom/engine/imageio"
	"greenroom/engine/settings"
)

// TestNothingThatARunReadsIsOverwritten: whatever an input is used as and by whatever name it is there, it is named before
// anything is keyed, and is what it was.
func TestNothingThatARunReadsIsOverwritten(t *testing.T) {
	e, base := bench(t)
	dir := t.TempDir()
	base.Out, base.Overwrite = dir, true
	path := func(name string) string { return filepath.Join(dir, name) }
	for _, c := range []struct {
		name   string
		target string
		// use makes the target an input of the order.
		use func(o *Order)
		as  string
	}{
		{"the plate", "a_key.png", func(o *Order) { o.Plate = path("a.png") }, "the plate"},
		{"a hint that is named", "b_matte.png", func(o *Order) { o.Hint = path("b_matte.png") }, "the hint"},
		{"a hint that lies beside", "c-hint.png", func(o *Order) { o.Plate = path("c.png") }, "read in this run"},
		{"a core matte", "d_matte.png", func(o *Order) { o.Core = path("d_matte.png") }, "the core matte"},
		{"a garbage matte", "e_matte.png", func(o *Order) { o.Garbage = path("e_matte.png") }, "the garbage matte"},
		{"a background picture", "f_comp.png", func(o *Order) {
			o.Passes, o.Backdrop, o.Look.Background = []Pass{PassComp}, path("f_comp.png"), settings.BackgroundPicture
		}, "the background picture"},
		{"another plate of the run", "g_key.png", func(o *Order) { o.Inputs = []string{path("g_key.png")} }, "read in this run"},
		{"a sidecar", "h_key.toml", func(o *Order) { o.Inputs = []string{path("h_key.toml")} }, "read in this run"},
	} {
		o := base
		o.Plate = path(c.target[:1] + ".png")
		plate(t, o.Plate, 64, 64)
		plate(t, path(c.target), 64, 64)
		c.use(&o)
		lost := path(c.target)
		switch c.name {
		case "the plate": // a link in the way of the key leads back to the plate
			if err := os.Remove(lost); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(o.Plate, lost); err != nil {
				t.Skipf("no links here: %v", err)
			}
		case "a hint that lies beside":
			grey := image.NewGray(image.Rect(0, 0, 64, 64))
			for i := range grey.Pix[:64*32] {
				grey.Pix[i] = 255
			}
			save(t, lost, grey)
			if err := os.Symlink(lost, path("c_matte.png")); err != nil {
				t.Skipf("no links here: %v", err)
			}
		}
		before, err := os.ReadFile(lost)
		if err != nil {
			t.Fatal(err)
		}
		listed := files(t, dir)
		o.Progress = func(p Progress) {
			if p.Doing == "keying" {
				t.Errorf("%s: it is keyed first", c.name)
			}
		}
		_, err = Run(t.Context(), e, o)
		var known *imageio.Error
		if !errors.As(err, &known) || !strings.Contains(err.Error(), filepath.Join(dir, c.target[:1]+"_")) || !strings.Contains(err.Error(), "it is "+c.as) || !strings.Contains(known.Fix, "--out") {
			t.Errorf("%s: %v", c.name, err)
		}
		if after, err := os.ReadFile(lost); err != nil || !bytes.Equal(after, before) || !slices.Equal(files(t, dir), listed) {
			t.Errorf("%s: it was touched, or something else was written: %v", c.name, err)
		}
		// The same into the next version is fine.
		if c.name == "a core matte" {
			o.Overwrite, o.Progress = false, nil
			if _, err := Run(t.Context(), e, o); err != nil {
				t.Errorf("%s, without overwriting: %v", c.name, err)
			}
		}
	}
}

func TestOnlyOurOwnPictureOfOldSeamsIsRemoved(t *testing.T) {
	e, o := bench(t)
	dir := t.TempDir()
	o.Plate, o.Overwrite = filepath.Join(dir, "shot.png"), true
	plate(t, o.Plate, 200, 130)
	o.Asked = []Setting{{Name: "tile", Value: "96"}, {Name: "overlap", Value: "32"}, {Name: "refine", Value: "tile"}}
	o.Seams = true
	r, err := Run(t.Context(), e, o)
	if err != nil {
		t.Fatal(err)
	}
	old := r.Files[PassSeams]
	if !WrittenByUs(old) {
		t.Fatalf("%s does not say who wrote it", old)
	}
	o.Seams = false
	if r, err = Run(t.Context(), e, o); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(old); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the seams of the key before are still there: %v", err)
	}
	if !slices.ContainsFunc(r.Notes, func(n string) bool { return strings.HasPrefix(n, "shot_seams.png") }) {
		t.Errorf("it is not told: %q", r.Notes)
	}
	plate(t, old, 20, 20) // somebody else's
	if r, err = Run(t.Context(), e, o); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(old); err != nil {
		t.Errorf("a file of somebody else is gone: %v", err)
	}
	if !slices.ContainsFunc(r.Warnings, func(n string) bool { return strings.HasPrefix(n, "shot_seams.png is not of this key") }) {
		t.Errorf("it is not told: %q", r.Warnings)
	}
}
