package views

import "image"

// ThumbnailWidth and ThumbnailHeight are the most pixels that a thumbnail has: one and a half for a unit of the window.
const (
	ThumbnailWidth  = 144
	ThumbnailHeight = 81
)

// NewThumbnail draws a view of layers as a small picture of the plate's shape.
func NewThumbnail(layers Layers, view View) *image.RGBA {
	if layers.Plate == nil {
		return nil
	}
	w, h := layers.Plate.Size()
	tw, th := ThumbnailWidth, (h*ThumbnailWidth+w/2)/w
	if th > ThumbnailHeight {
		tw, th = (w*ThumbnailHeight+h/2)/h, ThumbnailHeight
	}
	// The painter is dropped with all its tables: its picture is nobody else's.
	return NewPainter().Draw(max(tw, 1), max(th, 1), layers, Sight{}, Look{View: view, Unit: 1})
}
