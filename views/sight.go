package views

import (
	"image"
	"math"
)

// Sight says which part of a picture a viewport shows. The zero Sight shows all of it.
type Sight struct {
	// Zoom is the number of device pixels for a pixel of the picture; 0 fits the picture into the viewport.
	Zoom float64
	// X and Y are the point of the picture, in its pixels, in the middle of the viewport. A fitted picture is
	// in the middle whatever they are.
	X, Y float64
	// Filled says that a Zoom of 0 covers the viewport with the picture's middle, and cuts the rest off.
	Filled bool
}

// The zooms between which a picture can be looked at.
const (
	leastZoom = 1.0 / 64
	mostZoom  = 64
)

// placed is a picture's place in a viewport: device pixel (X, Y) shows the picture's point ((X-left)/zoom,
// (Y-top)/zoom).
type placed struct {
	zoom      float64
	left, top float64
	// seen is the part of the viewport that the picture covers.
	seen image.Rectangle
	// smooth says that pixels are never shown as squares.
	smooth bool
}

// squares reports whether the picture's pixels are shown as squares: over 200 %.
func (p placed) squares() bool { return p.zoom > 2 && !p.smooth }

// wholeZoom returns the zoom at which a picture of pw x ph pixels just fits into w x h device pixels, or covers them.
func (s Sight) wholeZoom(pw, ph, w, h int) float64 {
	across, down := float64(w)/float64(pw), float64(h)/float64(ph)
	if s.Filled {
		return math.Max(across, down)
	}
	return math.Min(across, down)
}

// place returns where a picture of pw x ph pixels lies in a viewport of w x h device pixels. Its corner lies on a
// device pixel, so that at 100 % every pixel of the picture is one of the device's.
func (s Sight) place(pw, ph, w, h int) placed {
	if pw <= 0 || ph <= 0 || w <= 0 || h <= 0 {
		return placed{zoom: 1}
	}
	p := placed{zoom: s.Zoom}
	x, y := s.X, s.Y
	if s.Zoom <= 0 {
		p.zoom = s.wholeZoom(pw, ph, w, h)
		x, y = float64(pw)/2, float64(ph)/2
	}
	p.left = math.Round(float64(w)/2 - x*p.zoom)
	p.top = math.Round(float64(h)/2 - y*p.zoom)
	p.seen = p.device(image.Rect(0, 0, pw, ph)).Intersect(image.Rect(0, 0, w, h))
	return p
}

// device returns the device pixels of a rectangle of the picture: at least one where it is not empty.
func (p placed) device(r image.Rectangle) image.Rectangle {
	if r.Empty() {
		return image.Rectangle{}
	}
	edge := func(from float64, at int) int {
		return int(math.Round(math.Max(-1e6, math.Min(from+float64(at)*p.zoom, 1e6))))
	}
	d := image.Rect(edge(p.left, r.Min.X), edge(p.top, r.Min.Y), edge(p.left, r.Max.X), edge(p.top, r.Max.Y))
	d.Max.X, d.Max.Y = max(d.Max.X, d.Min.X+1), max(d.Max.Y, d.Min.Y+1)
	return d
}

// picture returns the point of the picture under a point of the viewport.
func (p placed) picture(x, y float64) (px, py float64) {
	return (x - p.left) / p.zoom, (y - p.top) / p.zoom
}

// Zoomed returns the sight at another zoom, with the picture's point under the device point (x, y) kept there.
func (s Sight) Zoomed(zoom, x, y float64, pw, ph, w, h int) Sight {
	if pw <= 0 || ph <= 0 || w <= 0 || h <= 0 {
		return s
	}
	zoom = math.Max(leastZoom, math.Min(zoom, mostZoom))
	px, py := s.place(pw, ph, w, h).picture(x, y)
	return Sight{
		Zoom: zoom, X: px - (x-float64(w)/2)/zoom, Y: py - (y-float64(h)/2)/zoom,
	}.held(pw, ph)
}

// Moved returns the sight with the picture moved by (dx, dy) device pixels.
func (s Sight) Moved(dx, dy float64, pw, ph, w, h int) Sight {
	if pw <= 0 || ph <= 0 || w <= 0 || h <= 0 {
		return s
	}
	if s.Zoom <= 0 {
		s = Sight{Zoom: s.wholeZoom(pw, ph, w, h), X: float64(pw) / 2, Y: float64(ph) / 2}
	}
	s.X -= dx / s.Zoom
	s.Y -= dy / s.Zoom
	return s.held(pw, ph)
}

// held keeps the middle of the viewport on the picture, so that it cannot be lost.
func (s Sight) held(pw, ph int) Sight {
	s.X = math.Max(0, math.Min(s.X, float64(pw)))
	s.Y = math.Max(0, math.Min(s.Y, float64(ph)))
	return s
}
