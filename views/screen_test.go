//go:build !headless

package views

import (
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"greenroom/engine/colour"
)

// render draws a state with Fyne's software driver in a window of 1280 x 800.
func render(t *testing.T, name string, scale float32, state State) image.Image {
	t.Helper()
	test.NewTempApp(t).Settings().SetTheme(Theme{})
	s := NewScreen()
	w := test.NewTempWindow(t, s.Content())
	if c, ok := w.Canvas().(test.WindowlessCanvas); ok {
		c.SetScale(scale)
	}
	w.Resize(fyne.NewSize(1280, 800))
	s.Show(state)
	m := w.Canvas().Capture()
	keep(t, name, m)
	return m
}

// keep writes a picture into the folder that GREENROOM_RENDERS names, to be looked at.
func keep(t *testing.T, name string, m image.Image) {
	t.Helper()
	dir := os.Getenv("GREENROOM_RENDERS")
	if dir == "" {
		return
	}
	f, err := os.Create(filepath.Join(dir, name+".png"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := png.Encode(f, m); err != nil {
		t.Fatal(err)
	}
}

// differing counts the pixels of a region that are not the colour.
func differing(m image.Image, r image.Rectangle, c color.NRGBA) int {
	n := 0
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			if color.NRGBAModel.Convert(m.At(x, y)) != c {
				n++
			}
		}
	}
	return n
}

func TestEmptyRoomInvitesADrop(t *testing.T) {
	m := render(t, "empty", 1, State{Machine: "Apple M4 Pro, 24 GB"})
	middle := image.Rect(400, 330, 880, 470)
	if n := differing(m, middle, surround); n < 500 {
		t.Errorf("%d pixels of text in the drop zone", n)
	}
	if n := differing(m, image.Rect(100, 60, 300, 700), surround); n != 0 {
		t.Errorf("%d stray pixels beside the drop zone", n)
	}
	reading := render(t, "reading", 1, State{Opening: "plate é.png"})
	changed := 0
	for y := middle.Min.Y; y < middle.Max.Y; y++ {
		for x := middle.Min.X; x < middle.Max.X; x++ {
			if m.At(x, y) != reading.At(x, y) {
				changed++
			}
		}
	}
	if changed < 200 {
		t.Errorf("reading a file changes only %d pixels of the prompt", changed)
	}
}

func TestPlateIsShownAtDevicePixels(t *testing.T) {
	halves := func(x, _, c int) float32 {
		if (x < 800) == (c != 1) {
			return 1
		}
		return 0
	}
	for name, scale := range map[string]float32{"plate": 1, "plate at scale 2": 2} {
		m := render(t, name, scale, State{
			Name: "shot_010.png", Details: "1600 x 900, 16-bit PNG", Plate: shown(1600, 900, colour.SRGB, halves),
		})
		if got, want := m.Bounds().Dx(), int(1280*scale); got != want {
			t.Fatalf("%s: %d device pixels wide, want %d", name, got, want)
		}
		// The plate spans the width, and its middle is sharp: the colours change within a device pixel.
		y := int(300 * scale)
		edge := int(640 * scale)
		for x, want := range map[int]color.NRGBA{edge - 2: {255, 0, 255, 255}, edge + 1: {0, 255, 0, 255}} {
			if got := color.NRGBAModel.Convert(m.At(x, y)); got != want {
				t.Errorf("%s: %v at %d, want %v", name, got, x, want)
			}
		}
	}
}

func TestProblemIsShownAndCanBeDismissed(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(Theme{})
	s := NewScreen()
	w := test.NewTempWindow(t, s.Content())
	w.Resize(fyne.NewSize(1280, 800))
	if s.banner.Visible() {
		t.Fatal("the empty room has a banner")
	}
	s.Show(State{Problem: "notes.png is text, not a picture (open a PNG, JPEG or TIFF)"})
	if !s.banner.Visible() || s.problem.Text == "" {
		t.Fatal("the problem is not shown")
	}
	keep(t, "problem", w.Canvas().Capture())
	dismissed := false
	s.OnDismiss = func() { dismissed = true; s.Show(State{}) }
	test.TapCanvas(w.Canvas(), fyne.NewPos(1280-20, 20))
	if !dismissed || s.banner.Visible() {
		t.Error("the banner stays")
	}
}
