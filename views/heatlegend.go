//go:build !headless

package views

import (
	"image"
	"image/color"
	"math"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"greenroom/engine/tiling"
)

// heatLegend says what the heat map's colours mean: from nothing to what is as bright as can be.
type heatLegend struct {
	back *canvas.Rectangle
	// title says what is measured, and foot how and what is not shown of it.
	title, foot *canvas.Text
	ramp        *canvas.Image
	// ticks are under the ramp: nothing, half way, and the brightest.
	ticks [3]*canvas.Text

	// shown says that there is something to say, waits that it is only how far a check is.
	shown, waits bool

	scale tiling.HeatScale
	unit  float64
}

// The ramp, in units, and the height of a line of words.
const (
	heatRampW, heatRampH = 200, 10
	heatLegendLine       = 16
)

func newHeatLegend() *heatLegend {
	l := &heatLegend{
		back: canvas.NewRectangle(shade()), ramp: canvas.NewImageFromImage(nil),
		title: newText("", sizeSmall, grey(greyText)), foot: newText("", sizeSmall, grey(greyQuiet)),
	}
	l.back.CornerRadius = 4
	l.ramp.ScaleMode = canvas.ImageScalePixels
	for i := range l.ticks {
		l.ticks[i] = newText("", sizeSmall, grey(greyText))
	}
	for _, o := range l.objects() {
		o.Hide()
	}
	return l
}

func (l *heatLegend) objects() []fyne.CanvasObject {
	list := []fyne.CanvasObject{l.back, l.title, l.ramp, l.foot}
	for _, t := range l.ticks {
		list = append(list, t)
	}
	return list
}

// show explains the heat map of a layer, if it has one, or says that it is waited for.
func (l *heatLegend) show(layer SeamLayer, unit float64) {
	l.waits = layer.Heat == nil && layer.Wait != ""
	l.shown = layer.Heat != nil || l.waits
	title := "Tiles apart, in 8-bit steps"
	if l.waits {
		title = layer.Wait
	}
	say(l.title, title, grey(greyText))
	if layer.Heat != nil {
		if l.scale != layer.Scale || l.unit != unit {
			l.scale, l.unit = layer.Scale, unit
			l.ramp.Image = heatRamp(layer.Scale, int(heatRampW*unit+0.5), int(heatRampH*unit+0.5))
			l.ramp.Refresh()
		}
		say(l.ticks[0], "0", grey(greyText))
		say(l.ticks[1], plainNumber(layer.Scale.Full/2), grey(greyText))
		say(l.ticks[2], plainNumber(layer.Scale.Full)+" and more", grey(greyText))
		by := "between tiles that overlap"
		if layer.Checked {
			by = "between two grids"
		}
		say(l.foot, by+"; to "+plainNumber(layer.Scale.Threshold)+" not shown", grey(greyQuiet))
	}
	for _, o := range l.objects() {
		visible(o, l.shown && (!l.waits || o == l.back || o == l.title))
	}
}

// plainNumber writes a number with as many of two decimals as it has.
func plainNumber(v float64) string {
	return strconv.FormatFloat(math.Round(100*v)/100, 'f', -1, 64)
}

// heatRamp draws a scale from 0 at the left to its brightest at the right over black, of w x h device pixels, within a rim.
func heatRamp(s tiling.HeatScale, w, h int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for x := range w {
		c, cover := s.Colour(float32(s.Full) / 255 * float32(x) / float32(max(w-1, 1)))
		of := func(v float32) uint8 { return uint8(255*v*cover + 0.5) }
		for y := range h {
			pixel := color.RGBA{of(c[0]), of(c[1]), of(c[2]), 255}
			if x == 0 || y == 0 || x == w-1 || y == h-1 {
				pixel = color.RGBA{swatchRim, swatchRim, swatchRim, 255}
			}
			m.SetRGBA(x, y, pixel)
		}
	}
	return m
}

func (l *heatLegend) size() fyne.Size {
	if l.waits {
		return fyne.NewSize(l.title.MinSize().Width+2*legendPad, heatLegendLine+legendPad)
	}
	width := fyne.Max(heatRampW, fyne.Max(l.title.MinSize().Width, l.foot.MinSize().Width))
	return fyne.NewSize(width+2*legendPad, 3*heatLegendLine+heatRampH+legendPad+2)
}

func (l *heatLegend) put(x, y float32) {
	if !l.shown {
		return
	}
	l.back.Move(fyne.NewPos(x, y))
	l.back.Resize(l.size())
	left := x + legendPad
	line := func(t *canvas.Text, x, top float32) {
		m := t.MinSize()
		t.Move(fyne.NewPos(x, top+(heatLegendLine-m.Height)/2))
		t.Resize(m)
	}
	line(l.title, left, y+legendPad/2)
	top := y + legendPad/2 + heatLegendLine + 2
	l.ramp.Move(fyne.NewPos(left, top))
	l.ramp.Resize(fyne.NewSize(heatRampW, heatRampH))
	top += heatRampH
	line(l.ticks[0], left, top)
	line(l.ticks[1], left+(heatRampW-l.ticks[1].MinSize().Width)/2, top)
	line(l.ticks[2], left+heatRampW-l.ticks[2].MinSize().Width, top)
	line(l.foot, left, top+heatLegendLine)
}
