//go:build !headless

package views

import (
	"fmt"
	"image/color"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"greenroom/engine/settings"
)

// samplesRow shows the colours of the screen that were picked. Pressing one takes it away.
type samplesRow struct {
	screen   *Screen
	content  *fyne.Container
	swatches *fyne.Container
	clear    *button
	shown    []color.NRGBA
}

func newSamplesRow(s *Screen) *samplesRow {
	r := &samplesRow{screen: s, swatches: container.NewGridWrap(fyne.NewSquareSize(sampleEdge))}
	r.clear = newButton("Clear", flatButton, func() { r.alter("Clear the samples", func([]settings.Colour) []settings.Colour { return nil }) }).
		helps("Forget the colours that were picked: the screen's colour is then found in the plate", s.tip)
	r.content = container.NewBorder(nil, nil, container.NewCenter(newText("Picked", sizeSmall, grey(greyQuiet))), container.NewCenter(r.clear),
		container.New(paddedBy(2), r.swatches))
	r.content.Hide()
	return r
}

// show draws the samples and reports whether they have changed.
func (r *samplesRow) show(samples []color.NRGBA) bool {
	if slices.Equal(r.shown, samples) {
		return false
	}
	r.shown = slices.Clone(samples)
	r.swatches.Objects = nil
	for i, c := range samples {
		help := fmt.Sprintf("Sample %d of the screen, sRGB %d %d %d: press to take it away", i+1, c.R, c.G, c.B)
		r.swatches.Add(newSample(c, help, r.screen.tip, func() {
			r.alter("Take a sample away", func(list []settings.Colour) []settings.Colour {
				if i >= len(list) {
					return list
				}
				return slices.Concat(list[:i], list[i+1:])
			})
		}))
	}
	visible(r.content, len(samples) > 0)
	r.content.Refresh()
	return true
}

// alter asks for other samples.
func (r *samplesRow) alter(step string, by func([]settings.Colour) []settings.Colour) {
	r.screen.intents.Choose(r.screen.step(step), func(c *settings.Choices) {
		c.Marks.Samples = by(c.Marks.Samples)
	})
}

// sampleEdge is the edge of a sample's square.
const sampleEdge = 22

// sample is a square of a colour. Pressing takes it away.
type sample struct {
	widget.BaseWidget
	reach
	do     func()
	help   string
	tell   func(string)
	square *canvas.Rectangle
	cross  *canvas.Text
}

func newSample(c color.NRGBA, help string, tell func(string), do func()) *sample {
	s := &sample{do: do, help: help, tell: tell, square: canvas.NewRectangle(c), cross: newText("×", sizeTitle, grey(greyOnLight))}
	s.square.CornerRadius, s.square.StrokeColor = 3, grey(greyFocus)
	if int(c.R)*3+int(c.G)*6+int(c.B) < 1100 {
		s.cross.Color = grey(greyText)
	}
	s.cross.Alignment = fyne.TextAlignCenter
	s.cross.Hide()
	s.reach = reach{of: s, press: do, said: explain(tell, func() string { return s.help })}
	s.ExtendBaseWidget(s)
	return s
}

// Tapped implements fyne.Tappable.
func (s *sample) Tapped(*fyne.PointEvent) {
	s.clicked()
	s.do()
}

// MouseIn implements desktop.Hoverable.
func (s *sample) MouseIn(*desktop.MouseEvent) {
	s.cross.Show()
	s.tell(s.help)
}

// MouseMoved implements desktop.Hoverable.
func (s *sample) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (s *sample) MouseOut() {
	s.cross.Hide()
	s.tell("")
}

// Refresh implements fyne.Widget.
func (s *sample) Refresh() {
	s.square.StrokeWidth = focusWidth(s.there)
	s.BaseWidget.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (s *sample) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(container.NewStack(s.square, container.NewCenter(s.cross)))
}
