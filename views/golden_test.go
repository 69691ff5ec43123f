//go:build !headless

package views

import (
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"fyne.io/fyne/v2"
)

// TestWindowLooksAsBefore compares the window in its main states with pictures that were looked at. Where a change is
// meant, GREENROOM_GOLDEN=write writes them anew.
func TestWindowLooksAsBefore(t *testing.T) {
	for _, c := range []struct {
		name string
		// states are shown one after another.
		states  []State
		overlay bool
		view    View
	}{
		{"empty", []State{emptyState()}, false, ViewPlate},
		{"plate", []State{openState()}, false, ViewPlate},
		{"overlay", []State{openState()}, true, ViewPlate},
		{"keying", []State{openState(), halfState()}, true, ViewMatte},
		{"done", []State{openState(), doneState()}, true, ViewComp},
		{"error", []State{failedState()}, true, ViewPlate},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRoom(t, 1024, 700, 1)
			for _, s := range c.states {
				s.Layers.Plate, s.Layers.Hint = c.states[0].Layers.Plate, c.states[0].Layers.Hint
				r.Show(s)
			}
			if r.overlay != c.overlay {
				r.ToggleOverlay()
			}
			r.View(c.view)
			r.render() // tells the zoom its viewport
			compare(t, c.name, r.render())
		})
	}
}

// compare holds a render against its golden picture: letters are drawn in floats and may differ by a step on other
// processors.
func compare(t *testing.T, name string, m image.Image) {
	t.Helper()
	keep(t, name, m)
	path := filepath.Join("testdata", name+".png")
	if os.Getenv("GREENROOM_GOLDEN") == "write" {
		write(t, path, m)
		return
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	golden, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	if golden.Bounds() != m.Bounds() {
		t.Fatalf("%s is %v, want %v", name, m.Bounds(), golden.Bounds())
	}
	const step, most = 8, 60
	differing := 0
	for y := range m.Bounds().Dy() {
		for x := range m.Bounds().Dx() {
			if distance(golden.At(x, y), m.At(x, y)) > step {
				differing++
			}
		}
	}
	if differing > most {
		t.Errorf("%s differs from its golden picture in %d pixels: look at it with GREENROOM_RENDERS=FOLDER", name, differing)
	}
}

// distance is the greatest difference of two colours in a channel, in steps of 8 bits.
func distance(a, b color.Color) int {
	p, q := color.RGBAModel.Convert(a).(color.RGBA), color.RGBAModel.Convert(b).(color.RGBA)
	d := func(u, v uint8) int { return max(int(u)-int(v), int(v)-int(u)) }
	return max(d(p.R, q.R), d(p.G, q.G), d(p.B, q.B))
}

func write(t *testing.T, path string, m image.Image) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(f, m); err != nil {
		t.Fatal(err)
	}
}

// TestNarrowToolbarKeepsItsPartsApart: what does not fit goes, and nothing covers anything. At 1024 all fits.
func TestNarrowToolbarKeepsItsPartsApart(t *testing.T) {
	r := newRoom(t, 1024, 700, 1)
	r.Show(openState())
	r.Show(doneState())
	r.ToggleWipe()
	for _, view := range []View{ViewComp, ViewMatte} {
		r.View(view)
		r.looking.wipe.Right = Side{View: view}
		r.look()
		for _, width := range []float32{640, 733, 800, 900, 1024, 1600} {
			r.window.Resize(fyne.NewSize(width, 700))
			r.render()
			row := r.toolbar.looks.content
			parts := slices.DeleteFunc(slices.Clone(row.Objects), func(o fyne.CanvasObject) bool { return !o.Visible() })
			slices.SortFunc(parts, func(a, b fyne.CanvasObject) int { return int(a.Position().X - b.Position().X) })
			right := float32(0)
			for _, o := range parts {
				if o.Position().X < right {
					t.Errorf("width %v: a part at %v covers one that ends at %v", width, o.Position().X, right)
				}
				right = o.Position().X + o.Size().Width
			}
			if right > row.Size().Width+0.5 {
				t.Errorf("width %v: the toolbar ends at %v of %v", width, right, row.Size().Width)
			}
			// Of tones and gains there is one.
			if width >= 1024 && len(parts) != 5 {
				t.Errorf("width %v: %d parts are shown", width, len(parts))
			}
		}
	}
}

// TestEverySizeAndScaleFits draws the window at the sizes and scales that it must work at, and finds the buttons that
// matter inside it.
func TestEverySizeAndScaleFits(t *testing.T) {
	for _, size := range []fyne.Size{{Width: 1024, Height: 672}, {Width: 1280, Height: 772}} {
		for _, scale := range []float32{1, 1.25, 2} {
			r := newRoom(t, size.Width, size.Height, scale)
			r.Show(openState())
			r.Show(doneState())
			if got := r.window.Canvas().Size(); got != size {
				t.Fatalf("the window needs %v, want %v", got, size)
			}
			m := r.render()
			if w, h := m.Bounds().Dx(), m.Bounds().Dy(); w != int(size.Width*scale) || h != int(size.Height*scale) {
				t.Fatalf("%d x %d device pixels for %v at %v", w, h, size, scale)
			}
			for name, b := range map[string]*button{"key": r.bottom.key, "export": r.panel.export.export, "toolbar export": r.toolbar.export} {
				p := fyne.CurrentApp().Driver().AbsolutePositionForObject(b)
				if p.X < 0 || p.Y < 0 || p.X+b.Size().Width > size.Width || p.Y+b.Size().Height > size.Height {
					t.Errorf("%v: the %s button lies at %v, %v", size, name, p, b.Size())
				}
			}
			if off := float32(r.viewer.w) - r.viewer.Size().Width*scale; off < -1 || off > 1 {
				t.Errorf("scale %v: the viewer draws %d pixels for %v units", scale, r.viewer.w, r.viewer.Size().Width)
			}
		}
	}
}
