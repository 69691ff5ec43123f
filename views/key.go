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
	mu        sync.RWMutex
	matte, fg *Shown
	// whole says that every pixel is there; else finished are the rectangles that are.
	whole    bool
	finished []image.Rectangle
}

// NewKey makes a whole key ready: a matte [H, W, 1] and a straight foreground [H, W, 3] in the given space. They must
// not change later.
func NewKey(matte, fg picture.Image, space colour.Space) *Key {
	k := &Key{matte: newShown(matte, colour.SRGB), fg: newShown(fg, space), whole: true}
	k.shrink(k.fg.bounds())
	return k
}

// NewPartialKey returns a key of w x h pixels, of which none is there yet. Its foreground is sRGB-encoded.
func NewPartialKey(w, h int) *Key {
	return &Key{
		matte: newShown(picture.New(w, h, 1), colour.SRGB), fg: newShown(picture.New(w, h, 3), colour.SRGB),
	}
}

// Add puts a tile at its place: a matte [H, W, 1] and a foreground [H, W, 3]. A later tile covers an earlier one.
func (k *Key) Add(matte, fg picture.Image, at image.Point) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.matte.levels[0].Paste(matte, at.X, at.Y)
	k.fg.levels[0].Paste(fg, at.X, at.Y)
	r := image.Rect(0, 0, matte.W, matte.H).Add(at).Intersect(k.fg.bounds())
	k.shrink(r)
	k.finished = append(slices.Clip(k.finished), r)
}

// Clear forgets every tile.
func (k *Key) Clear() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.finished = nil
}

// shrink brings the smaller copies up to date.
func (k *Key) shrink(r image.Rectangle) {
	k.matte.shrink(r, nil)
	k.fg.shrink(r, k.matte)
}

// has reports whether a pixel is there.
func (k *Key) has(x, y int) bool {
	return k.whole || slices.ContainsFunc(k.finished, image.Pt(x, y).In)
}
