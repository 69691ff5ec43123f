package keying

import (
	"image"
	"image/color"
	"image/jpeg"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"greenroom/engine/settings"
)

// drawn is a plate of w x h with bars of that height above and below: a grey disc before a green screen.
func drawn(w, h, bar int) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := color.NRGBA{R: 40, G: uint8(150 + (x+y)%7), B: 50, A: 255}
			dx, dy := 2*x-w, 2*y-h
			switch {
			case y < bar || y >= h-bar:
				c = color.NRGBA{A: 255}
			case 3*(dx*dx+dy*dy) < h*h:
				c = color.NRGBA{R: 160, G: 140, B: uint8(120 + (x*y)%9), A: 255}
			}
			m.SetNRGBA(x, y, c)
		}
	}
	return m
}

func says(list []string, part string) bool {
	return slices.ContainsFunc(list, func(s string) bool { return strings.Contains(s, part) })
}

func TestSubsampledJPEGsAreSmoothedForHintAndNetworkOnly(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "shot.jpg")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	// The encoder subsamples 4:2:0.
	if err := jpeg.Encode(f, drawn(160, 120, 0), nil); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	for smooth, want := range map[float64]bool{settings.ChromaAuto: true, 0: false, 2: true} {
		o := Order{Plate: path, Look: settings.DefaultLook()}
		o.Look.ChromaSmooth = smooth
		s, err := open(o)
		if err != nil {
			t.Fatal(err)
		}
		if other := !slices.Equal(s.Seen.RGB.Pix, s.Plate.RGB.Pix); other != want {
			t.Errorf("%v: the network sees another plate: %v, want %v", smooth, other, want)
		}
		if job := s.Job(&Model{}, settings.Default()); !slices.Equal(job.Plate.RGB.Pix, s.Seen.RGB.Pix) {
			t.Errorf("%v: the job has another plate", smooth)
		}
		if told := says(s.Notes, "4:2:0"); told != (smooth == settings.ChromaAuto) {
			t.Errorf("%v: notes %q", smooth, s.Notes)
		}
	}
}

func TestBarsAreProposedAndTakenOnRequest(t *testing.T) {
	dir := t.TempDir()
	o := Order{Plate: filepath.Join(dir, "shot.png"), Look: settings.DefaultLook()}
	save(t, o.Plate, drawn(160, 120, 12))
	s, err := open(o)
	if err != nil {
		t.Fatal(err)
	}
	if !says(s.Notes, "--letterbox") || !s.Marks.Garbage.Empty() {
		t.Errorf("notes %q, garbage %v", s.Notes, s.Marks.Garbage)
	}
	o.Letterbox = true
	o.Marks.Garbage.Boxes = []settings.Box{{X0: 1, Y0: 2, X1: 3, Y1: 4}}
	if s, err = open(o); err != nil {
		t.Fatal(err)
	}
	want := []settings.Box{{X0: 1, Y0: 2, X1: 3, Y1: 4}, {X0: 0, Y0: 0, X1: 160, Y1: 12}, {X0: 0, Y0: 108, X1: 160, Y1: 120}}
	if !slices.Equal(s.Marks.Garbage.Boxes, want) || len(o.Marks.Garbage.Boxes) != 1 {
		t.Errorf("garbage %v, want %v", s.Marks.Garbage.Boxes, want)
	}
}

func TestStrokesArePaintedOverTheHint(t *testing.T) {
	dir := t.TempDir()
	o := Order{Plate: filepath.Join(dir, "shot.png"), Look: settings.DefaultLook()}
	save(t, o.Plate, drawn(160, 120, 0))
	dab := func(x float64, value float64) settings.Stroke {
		return settings.Stroke{Points: []settings.Point{{X: x, Y: 60}}, Size: 12, Value: value}
	}
	o.Marks.Hint = []settings.Stroke{dab(80, settings.PaintTranslucent), dab(15, settings.PaintSubject)}
	s, err := open(o)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := s.Hint.Row(60)[80], s.Hint.Row(60)[15]; a != 0.5 || b != 1 {
		t.Errorf("the strokes gave %v and %v", a, b)
	}
}
