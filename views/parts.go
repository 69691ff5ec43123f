//go:build !headless

package views

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// parts are what a widget is drawn of, from the back to the front: the same as long as the widget lives, with nothing to
// give back when it goes. A renderer that embeds them is left with layout and size.
type parts []fyne.CanvasObject

// Destroy implements fyne.WidgetRenderer.
func (p parts) Destroy() {}

// Objects implements fyne.WidgetRenderer.
func (p parts) Objects() []fyne.CanvasObject { return p }

// newThumbnail returns a small picture that keeps its shape, hidden until there is one.
func newThumbnail() *canvas.Image {
	m := canvas.NewImageFromImage(nil)
	m.FillMode, m.ScaleMode = canvas.ImageFillContain, canvas.ImageScaleSmooth
	m.Hide()
	return m
}
