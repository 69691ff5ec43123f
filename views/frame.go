package views

import (
	"image"
	"slices"

	"greenroom/engine/colour"
	"greenroom/engine/picture"
	"greenroom/engine/settings"
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
	// ViewStatus shows what is exactly black or white, and what is to be looked at.
	ViewStatus
	// ViewSeen is the plate as the network sees it.
	ViewSeen
)

// ofKey reports whether a view needs a key.
func (v View) ofKey() bool { return v > ViewHint && v != ViewSeen }

// Layers are the pictures that the viewer can show; all have the plate's size. Missing ones are nil.
type Layers struct {
	Plate, Hint *Shown
	Key         *Key
	// Seen is the plate as the network sees it, where that is more than the plate under a key exposure.
	Seen *Shown
	// Backdrop is the picture behind the key, of NewShownBackdrop; it has a size of its own.
	Backdrop *Shown
	// Second is another key to be compared with Key.
	Second *Second
	// Tiles counts the tiles of a key that grows, so that two Layers differ when their pixels do.
	Tiles int
	// Stopped says that a key with missing tiles will not grow any more.
	Stopped bool
}

// Second is a key to be compared with another. It does not change.
type Second struct {
	Key *Key
	// Known is where it is known; nil is everywhere.
	Known []image.Rectangle
	// Name says what it is, in a word or two.
	Name string
}

// Look says how layers are looked at; nothing of it is ever exported but the background and how the comp lies over it.
type Look struct {
	View View
	// Overlay lays the hint over the plate, as Tint says.
	Overlay bool
	Tint    OverlayLook
	Channel Channel
	// Tone is for colours, Gain for mattes and hints.
	Tone Tone
	Gain MatteGain
	// Background is what lies behind the key in a comp, and Comp how.
	Background settings.Background
	Comp       settings.Comp
	// KeyExposure is by how many stops the network sees the plate brighter.
	KeyExposure float64
	Wipe        Wipe
	// Smooth filters pixels over 200 % too, which are squares else.
	Smooth bool
	// Unit is the number of device pixels in a unit of the window, for patterns of a steady size; 0 is 1.
	Unit float64
}

// plain reports whether colours are shown as they are.
func (l Look) plain() bool {
	return l.Channel == ChannelRGB && l.Tone.Neutral() && l.View != ViewSeen
}

const (
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
	heat   heatLook
	shades shades
	// decoding makes linear light of sRGB-encoded numbers, encoding the reverse.
	decoding, encoding *curveTable
	// tint is the ink of the last overlay, contours memory to draw it as a line.
	tint     *tintInk
	contours contours
	// statuses are those that the last drawing needed, ink is how they look at inkUnit.
	statuses []*status
	ink      statusInk
	inkUnit  float64
	// sketched are the strokes of the last sketch; nil without any.
	sketched *strokeInk
}

// NewPainter returns a painter.
func NewPainter() *Painter {
	p := &Painter{decoding: newCurveTable(colour.SRGBToLinear), encoding: newCurveTable(colour.LinearToSRGB)}
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
		p.statuses = nil
		p.clear(image.Rectangle{})
		return p.out
	}
	pw, ph := layers.Plate.Size()
	f := frame{Painter: p, place: sight.place(pw, ph, w, h), layers: layers, look: look}
	f.place.smooth = look.Smooth
	if f.look.Unit <= 0 {
		f.look.Unit = 1
	}
	p.clear(f.place.seen)
	before := p.statuses
	p.statuses = nil
	f.draw(before)
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

// draw paints the picture, one part or the two of a wipe. Statuses that an earlier drawing needed are at hand.
func (f frame) draw(before []*status) {
	left, right := f.out.Rect, image.Rectangle{}
	if f.look.Wipe.On {
		left, right = f.look.Wipe.parts(f.out.Rect)
	}
	f.part(Side{View: f.look.View}, left, before)
	f.part(f.look.rightSide(), right, before)
}

// part paints what one side shows into a part of the viewport.
func (f frame) part(side Side, within image.Rectangle, before []*status) {
	f.place.seen = f.place.seen.Intersect(within)
	if f.place.seen.Empty() {
		return
	}
	f.look.View = side.View
	if f.look.Channel == ChannelAlpha && f.layers.Key != nil && side.View != ViewHint && side.View != ViewStatus {
		f.look.View = ViewMatte
	}
	switch {
	case f.look.View == ViewHint && f.layers.Hint != nil:
		f.paint(f.place.seen, f.hint(f.layers.Hint))
	case f.look.View == ViewSeen:
		f.paint(f.place.seen, f.seenPlate())
	case !f.look.View.ofKey() || f.layers.Key == nil:
		f.paint(f.place.seen, f.plate())
		if f.overlays() && f.look.Tint.Style == Contour {
			f.contour(f.place.seen)
		}
	default:
		f.key(nil, before)
		if second := f.layers.Second; side.Second && second != nil && second.Key != nil {
			f.layers.Key = second.Key
			f.layers.Tiles = 0
			f.key(second, before)
		}
	}
}

// key paints a view of the key: all of it, or of a second one what is known.
func (f frame) key(second *Second, before []*status) {
	key := f.layers.Key
	var found *status
	if f.look.View == ViewStatus {
		found = f.status(before)
	}
	key.mu.RLock()
	defer key.mu.RUnlock()
	areas := key.areas()
	if second == nil && !key.whole {
		f.paint(f.place.seen, f.waiting())
	}
	if second != nil && second.Known != nil {
		areas = second.Known
	}
	for _, r := range areas {
		r = f.place.device(r).Intersect(f.place.seen)
		if found != nil {
			found.draw(f.out, f.place, r, f.ink)
		} else {
			f.paint(r, f.keyed(key))
		}
	}
}

// status returns what there is to say of the key's pixels.
func (f frame) status(before []*status) *status {
	if f.inkUnit != f.look.Unit {
		f.Painter.ink, f.Painter.inkUnit = newStatusInk(f.look.Unit), f.look.Unit
	}
	of := statusOf{f.layers.Plate, f.layers.Hint, f.layers.Key, f.layers.Tiles}
	for _, s := range slices.Concat(f.statuses, before) {
		if s.of == of {
			f.Painter.statuses = append(f.Painter.statuses, s)
			return s
		}
	}
	s := newStatus(f.layers)
	f.Painter.statuses = append(f.Painter.statuses, s)
	return s
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
	var behind *behindSampler
	if b.behind != nil {
		behind = b.behind(r)
	}
	picture.ParallelRows(r.Dy(), func(y0, y1 int) {
		reader := newReader(s)
		if behind != nil {
			reader.reach(behind)
		}
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
