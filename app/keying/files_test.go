package keying

import (
	"errors"
	"image"
	"image/color"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"greenroom/engine/bench/benchtest"
	"greenroom/engine/imageio"
	"greenroom/engine/imageio/disktest"
	"greenroom/engine/imageio/exr"
	"greenroom/engine/picture"
)

// TestPlatesOfEverySizeComeOutAtTheirSize keys sizes that no tile divides, by way of their files. The large ones are
// scaled down for the network, to be quick; that they come back exactly in tiles too is held where the engine is.
func TestPlatesOfEverySizeComeOutAtTheirSize(t *testing.T) {
	e, o := bench(t)
	dir := t.TempDir()
	o.Passes, o.Out = []Pass{PassMatte}, filepath.Join(dir, "keys")
	for i, c := range []struct {
		w, h  int
		frame string
		hint  bool
	}{
		// There is no screen to find in a few pixels, and no subject in a strip.
		{1, 1, "0", true}, {31, 7, "0", true},
		{300, 200, "0", false}, {511, 511, "0", false}, {513, 513, "0", false},
		{1921, 1081, "512", false}, {20000, 40, "512", true},
	} {
		o.Plate = filepath.Join(dir, "plate"+string(rune('a'+i))+".png")
		plate(t, o.Plate, c.w, c.h)
		o.Hint = ""
		if c.hint {
			o.Hint = filepath.Join(dir, "hint.png")
			m := image.NewGray(image.Rect(0, 0, c.w, c.h))
			for x := range c.w / 2 {
				m.SetGray(x, c.h/2, color.Gray{Y: 255})
			}
			save(t, o.Hint, m)
		}
		o.Asked = []Setting{{Name: "frame", Value: c.frame}}
		r, err := Run(t.Context(), e, o)
		if err != nil {
			t.Errorf("%dx%d: %v", c.w, c.h, err)
			continue
		}
		matte, err := imageio.Open(r.Files[PassMatte], imageio.Limits{})
		if err != nil || matte.W != c.w || matte.H != c.h {
			t.Errorf("%dx%d: the matte is %+v, %v", c.w, c.h, matte, err)
			continue
		}
		if low, high := extremes(matte.Picture.RGB); !c.hint && (low > 0.1 || high < 0.9) {
			t.Errorf("%dx%d: the matte lies within %v..%v", c.w, c.h, low, high)
		}
	}
}

// TestAlphaOfAPlateIsLeftAside keys a plate whose straight alpha says that half of it is clear: it is keyed as without
// alpha, and its colour is in the key.
func TestAlphaOfAPlateIsLeftAside(t *testing.T) {
	e, o := bench(t)
	dir := t.TempDir()
	o.Passes = []Pass{PassMatte, PassFG}
	const w, h = 120, 80
	var with, without [2]picture.Image
	for i, clear := range []bool{false, true} {
		m := image.NewNRGBA(image.Rect(0, 0, w, h))
		for y := range h {
			for x := range w {
				c := color.NRGBA{45, uint8(160 + (x+y)%16), 60, 255}
				if (x-60)*(x-60)+(y-40)*(y-40) < 600 {
					c = color.NRGBA{180, 140, 120, 255}
				}
				if clear && x < w/2 {
					c.A = uint8(y) // 0 in the first row
				}
				m.SetNRGBA(x, y, c)
			}
		}
		o.Plate = filepath.Join(dir, string(rune('a'+i))+".png")
		save(t, o.Plate, m)
		r, err := Run(t.Context(), e, o)
		if err != nil {
			t.Fatal(err)
		}
		passes := &without
		if clear {
			passes = &with
		}
		for i, pass := range o.Passes {
			f, err := imageio.Open(r.Files[pass], imageio.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			passes[i] = f.Picture.RGB
		}
	}
	for i, pass := range o.Passes {
		if !slices.Equal(with[i].Pix, without[i].Pix) {
			t.Errorf("the %s depends on the plate's alpha", pass)
		}
	}
}

// ramp is a matte of 65536 levels for a plate of 256 x 256.
func ramp(x, y int) float32 { return float32(y*256+x) / 65535 }

// saveFloats writes an OpenEXR file of 256 x 256 in 32-bit floats, a channel for each name.
func saveFloats(t *testing.T, path string, channels map[string]func(x, y int) float32) {
	t.Helper()
	o := exr.Output{W: 256, H: 256, Type: exr.Float}
	for name, at := range channels {
		o.Channels = append(o.Channels, exr.Samples{Name: name, Row: func(dst []float32, y int) {
			for x := range dst {
				dst[x] = at(x, y)
			}
		}})
	}
	if err := imageio.Replace(t.Context(), path, func(w io.WriteSeeker) error { return exr.Write(w, o) }); err != nil {
		t.Fatal(err)
	}
}

// TestAHintIsTheSameFromEveryFile reads one matte from 16-bit PNG, from 16-bit TIFF and from OpenEXR floats, in every
// channel that a hint is found in: they agree within 1/65535.
func TestAHintIsTheSameFromEveryFile(t *testing.T) {
	dir := t.TempDir()
	one := func(int, int) float32 { return 1 }
	none := func(int, int) float32 { return 0 }
	grey := picture.New(256, 256, 1)
	for y := range 256 {
		for x := range 256 {
			grey.Row(y)[x] = ramp(x, y)
		}
	}
	in := func(name string) string { return filepath.Join(dir, name) }
	for name, format := range map[string]Format{"grey.png": FormatPNG, "grey.tif": FormatTIFF} {
		err := imageio.Replace(t.Context(), in(name), func(w io.WriteSeeker) error {
			return Order{Format: format}.picture(w, grey, picture.Image{}, imageio.Meta{})
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	saveFloats(t, in("y.exr"), map[string]func(x, y int) float32{"Y": ramp})
	saveFloats(t, in("rgb.exr"), map[string]func(x, y int) float32{"R": ramp, "G": ramp, "B": ramp})
	saveFloats(t, in("all.exr"), map[string]func(x, y int) float32{"R": ramp, "G": ramp, "B": ramp, "A": ramp})
	saveFloats(t, in("alpha.exr"), map[string]func(x, y int) float32{"A": ramp})
	saveFloats(t, in("red.exr"), map[string]func(x, y int) float32{"R": ramp, "G": none, "B": none})
	saveFloats(t, in("red full alpha.exr"), map[string]func(x, y int) float32{"R": ramp, "G": none, "B": none, "A": one})

	shot := in("shot.png")
	plate(t, shot, 256, 256)
	o := Order{Plate: shot}
	_, base := bench(t)
	o.Look = base.Look
	opened, err := OpenPlate(o)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{
		"grey.png", "grey.tif", "y.exr", "rgb.exr", "all.exr", "alpha.exr", "red.exr", "red full alpha.exr",
	} {
		o.Hint = in(name)
		s, err := opened.WithHint(o)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		worst := 0.0
		for i, v := range s.Hint.Pix {
			worst = max(worst, math.Abs(float64(v)-float64(i)/65535))
		}
		if worst > 1.0/65535 {
			t.Errorf("%s: off by %.3g/65535, notes %q", name, worst*65535, s.Notes)
		}
		if !slices.ContainsFunc(s.Notes, func(n string) bool { return strings.Contains(n, "channel") || strings.Contains(n, "alpha") }) {
			t.Errorf("%s: nothing tells the channel: %q", name, s.Notes)
		}
	}
}

// TestAHintThatSaysNothingIsNamed: empty and full ones give a warning, and so does one that marks the screen.
func TestAHintThatSaysNothingIsNamed(t *testing.T) {
	_, o := bench(t)
	dir := t.TempDir()
	o.Plate = filepath.Join(dir, "shot.png")
	plate(t, o.Plate, 120, 80)
	opened, err := OpenPlate(o)
	if err != nil {
		t.Fatal(err)
	}
	for what, at := range map[string]func(x, y int) uint8{
		"empty": func(int, int) uint8 { return 0 },
		"full":  func(int, int) uint8 { return 255 },
		"screen": func(x, y int) uint8 {
			if (x-60)*(x-60)+(y-40)*(y-40) < 800 {
				return 0
			}
			return 255
		},
	} {
		m := image.NewGray(image.Rect(0, 0, 120, 80))
		for i := range m.Pix {
			m.Pix[i] = at(i%120, i/120)
		}
		o.Hint = filepath.Join(dir, what+".png")
		save(t, o.Hint, m)
		s, err := opened.WithHint(o)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(s.Warnings, func(w string) bool { return strings.Contains(w, what) && strings.Contains(w, what+".png") }) {
			t.Errorf("%s: the warnings are %q", what, s.Warnings)
		}
	}
}

// TestTwentyPlatesNeedNoMoreMemory keys twenty plates in a row and looks at what stays in memory after each.
func TestTwentyPlatesNeedNoMoreMemory(t *testing.T) {
	e, o := bench(t)
	dir := t.TempDir()
	o.Plate = filepath.Join(dir, "shot.png")
	plate(t, o.Plate, 256, 192)
	var after []float64
	for range 20 {
		if _, err := Run(t.Context(), e, o); err != nil {
			t.Fatal(err)
		}
		after = append(after, benchtest.InUse())
	}
	// The first few fill what the engine keeps on purpose.
	settled := after[3]
	for i, bytes := range after[4:] {
		if bytes > 1.05*settled {
			t.Errorf("after plate %d %.1f MB are in use, after plate 4 %.1f MB", i+5, bytes/1e6, settled/1e6)
		}
	}
	if n := len(files(t, filepath.Join(dir, "keys"))); n != 60 {
		t.Errorf("%d files were written", n)
	}
}

// TestAFullDiskLosesNothing keys onto a disk of 2 MB that is nearly full, and once more when there is room.
func TestAFullDiskLosesNothing(t *testing.T) {
	e, o := bench(t)
	o.Plate = filepath.Join(t.TempDir(), "shot.png")
	plate(t, o.Plate, 256, 192)
	o.Out = disktest.Small(t, 2<<20)
	if _, err := Run(t.Context(), e, o); err != nil {
		t.Fatal(err)
	}
	before := files(t, o.Out)
	ballast := filepath.Join(o.Out, "ballast")
	full, err := os.Create(ballast)
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = full.Write(make([]byte, 4096))
	}
	full.Close()
	for _, overwrite := range []bool{false, true} {
		o.Overwrite = overwrite
		_, err := Run(t.Context(), e, o)
		if err == nil || !strings.Contains(err.Error(), "the disk is full") || !strings.Contains(err.Error(), o.Out) || !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("overwrite %v: got %v", overwrite, err)
		}
		if got := files(t, o.Out); !slices.Equal(got, append([]string{"ballast"}, before...)) {
			t.Errorf("overwrite %v: the folder holds %q", overwrite, got)
		}
	}
	if _, err := imageio.Open(filepath.Join(o.Out, "shot_key.png"), imageio.Limits{}); err != nil {
		t.Error(err)
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), e, o); err != nil {
		t.Errorf("once there is room: %v", err)
	}
	if got := files(t, o.Out); !slices.Equal(got, before) {
		t.Errorf("the folder holds %q", got)
	}
}
