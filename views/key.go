package views

import (
	"image"
	"slices"
	"sync"

	"greenroom/engine/colour"
	"greenroom/engine/picture"
)

// Key is a matte with its foreground, made ready to be looked at. It is whole, or it grows tile by tile while it is
// being drawn; its methods may be called from any goroutine.
type Key struct {
	mu sync.RWMutex
	// fg is the foreground. Where it is sRGB-encoded its pixels hold the matte too.
	fg *Shown
	// matte is the matte beside a foreground in linear light, else nil.
	matte *Shown
	// whole says that every pixel is there; else finished are the rectangles that are.
	whole    bool
	finished []image.Rectangle
}

// NewKey makes a whole key ready: a matte [H, W, 1] and a straight foreground [H, W, 3] in the given space. They must
// not change later.
func NewKey(matte, fg picture.Image, space colour.Space) *Key {
	k := &Key{whole: true}
	fg, space = drawable(fg, space)
	if space == colour.LinearRec709 {
		k.matte = newShownFloats(matte, nil)
		k.fg = newShownFloats(fg, k.matte)
	} else {
		k.fg = newShownKey(fg, matte)
	}
	return k
}

// NewPartialKey returns a key of w x h pixels, of which none is there yet. Its foreground is sRGB-encoded.
func NewPartialKey(w, h int) *Key { return &Key{fg: newGrowing(w, h)} }

// Add puts a tile at its place: a matte [H, W, 1] and a foreground [H, W, 3]. A later tile covers an earlier one.
func (k *Key) Add(matte, fg picture.Image, at image.Point) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.finished = append(slices.Clip(k.finished), k.fg.put(fg, matte, at))
}

// Clear forgets every tile.
func (k *Key) Clear() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.finished = nil
}

// has reports whether a pixel is there.
func (k *Key) has(x, y int) bool {
	return k.whole || slices.ContainsFunc(k.finished, image.Pt(x, y).In)
}

// at returns the matte and the foreground of a pixel that is there: of a key that grows, clipped to 0..1 and in
// steps of a 65280th.
func (k *Key) at(x, y int) (matte float32, fg []float32) {
	switch {
	case k.matte != nil:
		return k.matte.At(x, y)[0], k.fg.At(x, y)
	case k.whole:
		return k.fg.originalMatte.Row(y)[x], k.fg.At(x, y)
	}
	p := k.fg.pixels[0].row(y)[x]
	return float32(p.matte()) / full, []float32{float32(p.red()) / full, float32(p.green()) / full, float32(p.blue()) / full}
}
