//go:build !headless

package views

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// newCardPlace returns a hidden place over the viewer for a card.
func newCardPlace() *fyne.Container {
	place := container.New(cardPlace{})
	place.Hide()
	return place
}

// inPlace lays a card where there may be too little room for it: there it scrolls. A line is left around it, or its frame
// would be cut off.
func inPlace(card fyne.CanvasObject) []fyne.CanvasObject {
	return []fyne.CanvasObject{container.NewScroll(container.New(paddedBy(2), card))}
}

// cardPlace keeps its only object, a scroll, in the middle, as large as what is in it or as there is room. What lies over
// the viewer must not decide how large the window is: the toolkit makes a window larger, and never smaller again.
type cardPlace struct{}

// MinSize implements fyne.Layout.
func (cardPlace) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

// Layout implements fyne.Layout.
func (cardPlace) Layout(o []fyne.CanvasObject, size fyne.Size) {
	for _, c := range o {
		wanted := c.(*container.Scroll).Content.MinSize()
		got := fyne.NewSize(fyne.Min(wanted.Width, size.Width-gap), fyne.Min(wanted.Height, size.Height-gap))
		c.Move(fyne.NewPos(float32(int((size.Width-got.Width)/2)), float32(int((size.Height-got.Height)/2))))
		c.Resize(got)
	}
}
