package views

import (
	"image"

	"greenroom/engine/picture"
)

// View is what the viewer shows of a plate.
type View int

// The views, in the order of their tabs and keys.
const (
	ViewPlate View = iota
	ViewHint
	ViewMatte
	ViewFG
	ViewComp
)

// Layers are the pictures that the viewer can show; all have the plate's size. Missing ones are nil.
type Layers struct {
	Plate, Hint *Shown
	Key         *Key
	// Tiles counts the tiles of a key that grows, so that two Layers differ when their pixels do.
	Tiles int
	// Stopped says that a key with missing tiles will not grow any more.
	Stopped bool
}

// Look says how layers are looked at; nothing of it is ever exported.
type Look struct {
	View View
	// Overlay tints the plate where the hint is dark.
	Overlay bool
	// Unit is the number of device pixels in a unit of the window, for patterns of a steady size; 0 is 1.
	Unit float64
}

const (
	// tint is how much of the overlay's magenta covers the plate outside the hint, in 256ths: 45 %.
	tint = 115
	// dim is how bright the plate is behind a key's missing tiles, in 256ths: 35 %.
	dim = 90
	// checkerSquare is the edge of the comp's checker in units.
	checkerSquare = 8
	// hatchStep is the distance between the stripes over what was not keyed, in units; hatchWidth their width.
	hatchStep, hatchWidth = 12, 2
)

// Greys, sRGB-encoded: around a plate, of the stripes, and the comp's checker.
const (
	surroundGrey = 0x1c
	hatchGrey    = 0x6e
	checkerDark  = 0x66
	checkerLight = 0x99
)

// Painter draws layers into one picture that it uses again and again. It is not safe for several goroutines at
// once.
type Painter struct {
	out *image.RGBA
	tables
	heat heatLook
}

// NewPainter returns a painter.
func NewPainter() *Painter {
	p := &Painter{}
	p.fill()
	return p
}

// Draw returns a viewport of w x h device pixels, opaque. The picture is the painter's and holds until the next call.
func (p *Painter) Draw(w, h int, layers Layers, sight Sight, look Look) *image.RGBA {
	w, h = max(w, 0), max(h, 0)
	if p.out == nil || p.out.Rect.Dx() != w || p.out.Rect.Dy() != h {
		p.out = image.NewRGBA(image.Rect(0, 0, w, h))
	}
	if layers.Plate == nil {
		p.clear(image.Rectangle{})
		return p.out
	}
	pw, ph := layers.Plate.Size()
	f := frame{Painter: p, place: sight.place(pw, ph, w, h), layers: layers, look: look}
	if f.look.Unit <= 0 {
		f.look.Unit = 1
	}
	p.clear(f.place.seen)
	f.draw()
	return p.out
}

// clear paints the surround everywhere but inside r.
func (p *Painter) clear(r image.Rectangle) {
	for y := range p.out.Rect.Dy() {
		line := p.out.Pix[y*p.out.Stride:][:p.out.Stride]
		if y < r.Min.Y || y >= r.Max.Y {
			fill(line)
			continue
		}
		fill(line[:4*r.Min.X])
		fill(line[4*r.Max.X:])
	}
}

func fill(line []uint8) {
	for i := 0; i+3 < len(line); i += 4 {
		line[i], line[i+1], line[i+2], line[i+3] = surroundGrey, surroundGrey, surroundGrey, 255
	}
}

// frame is one drawing.
type frame struct {
	*Painter
	place  placed
	layers Layers
	look   Look
}

// draw paints the picture.
func (f frame) draw() {
	key := f.layers.Key
	switch {
	case f.look.View == ViewHint && f.layers.Hint != nil:
		f.paint(f.place.seen, f.hint(f.layers.Hint))
	case f.look.View <= ViewHint || key == nil:
		f.paint(f.place.seen, f.plate())
	default:
		key.mu.RLock()
		defer key.mu.RUnlock()
		if !key.whole {
			f.paint(f.place.seen, f.waiting())
		}
		for _, r := range key.areas() {
			f.paint(f.place.device(r).Intersect(f.place.seen), f.keyed(key))
		}
	}
}

// areas returns the rectangles that are there.
func (k *Key) areas() []image.Rectangle {
	if k.whole {
		return []image.Rectangle{k.fg.bounds()}
	}
	return k.finished
}

// keyed returns how a key's own views are painted.
func (f frame) keyed(k *Key) brush {
	switch f.look.View {
	case ViewMatte:
		return f.matte(k)
	case ViewFG:
		return f.colours(k.fg)
	}
	return f.comp(k)
}

// paint fills a rectangle of the viewport.
func (f frame) paint(r image.Rectangle, b brush) {
	if r.Empty() {
		return
	}
	s := newSampler(b, f.place, r)
	picture.ParallelRows(r.Dy(), func(y0, y1 int) {
		reader := newReader(s)
		var before []uint8
		for y := y0; y < y1; y++ {
			at := f.out.PixOffset(r.Min.X, r.Min.Y+y)
			out := f.out.Pix[at : at+4*r.Dx()]
			if before != nil && s.same(y) && (b.same == nil || b.same(r.Min.Y+y)) {
				copy(out, before)
			} else {
				b.row(r.Min.X, r.Min.Y+y, reader.line(y), out)
			}
			before = out
		}
	})
}
