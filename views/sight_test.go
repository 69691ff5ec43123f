package views

import (
	"image"
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestFittedPictureKeepsItsAspectInTheMiddle(t *testing.T) {
	for _, c := range []struct {
		pw, ph, w, h int
		want         image.Rectangle
	}{
		{200, 100, 100, 100, image.Rect(0, 25, 100, 75)},
		{100, 200, 100, 100, image.Rect(25, 0, 75, 100)},
		{10, 10, 40, 30, image.Rect(5, 0, 35, 30)},
		{20000, 1, 100, 100, image.Rect(0, 50, 100, 51)},
		{0, 10, 40, 30, image.Rectangle{}},
		{10, 10, 0, 30, image.Rectangle{}},
	} {
		if got := (Sight{}).place(c.pw, c.ph, c.w, c.h).seen; got != c.want {
			t.Errorf("%d x %d in %d x %d lies at %v, want %v", c.pw, c.ph, c.w, c.h, got, c.want)
		}
	}
}

// size draws a picture's or a viewport's edge.
func size(t *rapid.T, name string) int { return rapid.IntRange(1, 5000).Draw(t, name) }

func TestZoomKeepsThePointUnderThePointer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pw, ph, w, h := size(t, "pw"), size(t, "ph"), size(t, "w"), size(t, "h")
		s := Sight{
			Zoom: rapid.Float64Range(0.05, 32).Draw(t, "zoom"),
			X:    rapid.Float64Range(0, 1).Draw(t, "x") * float64(pw), Y: rapid.Float64Range(0, 1).Draw(t, "y") * float64(ph),
		}
		x, y := rapid.Float64Range(0, 1).Draw(t, "px")*float64(w), rapid.Float64Range(0, 1).Draw(t, "py")*float64(h)
		to := rapid.Float64Range(0.05, 32).Draw(t, "to")
		ax, ay := s.place(pw, ph, w, h).picture(x, y)
		z := s.Zoomed(to, x, y, pw, ph, w, h)
		if z.X <= 0 || z.Y <= 0 || z.X >= float64(pw) || z.Y >= float64(ph) {
			return // the picture is held in the viewport instead
		}
		bx, by := z.place(pw, ph, w, h).picture(x, y)
		// Corners lie on device pixels: half a pixel at either zoom.
		if most := 0.5/s.Zoom + 0.5/to + 1e-6; math.Abs(ax-bx) > most || math.Abs(ay-by) > most {
			t.Fatalf("(%v, %v) went to (%v, %v)", ax, ay, bx, by)
		}
	})
}

func TestDraggingMovesThePictureWithThePointer(t *testing.T) {
	s := Sight{Zoom: 2, X: 50, Y: 40}.Moved(30, -10, 100, 80, 200, 100)
	if s.X != 35 || s.Y != 45 {
		t.Errorf("moved to %v, %v", s.X, s.Y)
	}
	fit := Sight{}.Moved(10, 0, 100, 50, 200, 200)
	if fit.Zoom != 2 || fit.X != 45 || fit.Y != 25 {
		t.Errorf("a fitted picture moved to %+v", fit)
	}
	if far := s.Moved(-1e6, 1e6, 100, 80, 200, 100); far.X != 100 || far.Y != 0 {
		t.Errorf("the picture was lost at %+v", far)
	}
}

func TestZoomStaysWithinItsBounds(t *testing.T) {
	for zoom, want := range map[float64]float64{1e-9: leastZoom, 1e9: mostZoom, 1: 1} {
		if got := (Sight{}).Zoomed(zoom, 5, 5, 10, 10, 10, 10).Zoom; got != want {
			t.Errorf("zoom %v became %v", zoom, got)
		}
	}
	if s := (Sight{Zoom: 3}); s.Zoomed(1, 0, 0, 0, 0, 10, 10) != s || s.Moved(1, 1, 10, 10, 0, 0) != s {
		t.Error("nothing to look at changed the sight")
	}
}
