//go:build !headless

package views

import (
	"image"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
)

// Viewer shows a picture fitted into its own area, drawn at device pixels from float data.
type Viewer struct {
	widget.BaseWidget
	shown  *Shown
	raster *canvas.Raster
}

// NewViewer returns an empty viewer.
func NewViewer() *Viewer {
	v := &Viewer{}
	// Fyne asks for the raster in device pixels.
	v.raster = canvas.NewRaster(v.draw)
	v.ExtendBaseWidget(v)
	return v
}

// Display replaces the picture; nil shows nothing. Call it on Fyne's goroutine.
func (v *Viewer) Display(s *Shown) {
	if v.shown == s {
		return
	}
	v.shown = s
	v.raster.Refresh()
}

func (v *Viewer) draw(w, h int) image.Image {
	if v.shown == nil {
		return image.NewUniform(surround)
	}
	return v.shown.Draw(w, h)
}

// MinSize implements fyne.Widget.
func (v *Viewer) MinSize() fyne.Size { return fyne.NewSize(320, 180) }

// CreateRenderer implements fyne.Widget.
func (v *Viewer) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(v.raster) }
