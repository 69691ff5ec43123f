//go:build !headless

package views

import (
	"fmt"
	"image"
	"math"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// legend says what the status view's colours and patterns mean, and how much of each there is.
type legend struct {
	back     *canvas.Rectangle
	swatches [findings]*canvas.Image
	words    [findings]*canvas.Text
	shown    bool
	unit     float64
}

// A row of the legend, and its swatch, in units.
const (
	legendRow, legendPad         = 17, 8
	legendSwatchW, legendSwatchH = 24, 12
)

func newLegend() *legend {
	l := &legend{back: canvas.NewRectangle(shade())}
	l.back.CornerRadius = 4
	for f := range l.words {
		l.words[f] = newText(Finding(f).Words(), sizeSmall, grey(greyText))
		l.swatches[f] = canvas.NewImageFromImage(nil)
		l.swatches[f].ScaleMode = canvas.ImageScalePixels
	}
	for _, o := range l.objects() {
		o.Hide()
	}
	return l
}

func (l *legend) objects() []fyne.CanvasObject {
	list := []fyne.CanvasObject{l.back}
	for f := range l.words {
		list = append(list, l.swatches[f], l.words[f])
	}
	return list
}

// show says what is found of what the viewer shows, if that is its status.
func (l *legend) show(v *Viewer, look Look) {
	l.shown = v.layers.Plate != nil && v.layers.Key != nil && look.showsStatus()
	if l.shown {
		if l.unit != look.Unit {
			l.unit = look.Unit
			ink := newStatusInk(look.Unit)
			for f, s := range l.swatches {
				s.Image = ink.swatch(Finding(f), int(legendSwatchW*look.Unit+0.5), int(legendSwatchH*look.Unit+0.5))
				s.Refresh()
			}
		}
		found := v.painter.found(v.layers)
		for f, t := range l.words {
			text := Finding(f).Words()
			if v.layers.Key.whole {
				text += ": " + found.amount(Finding(f))
			}
			if t.Text != text {
				t.Text = text
				t.Refresh()
			}
		}
	}
	for _, o := range l.objects() {
		visible(o, l.shown)
	}
}

// amount says how much there is of a finding.
func (s *status) amount(f Finding) string {
	n, all := s.counts[f], 0
	for _, c := range s.counts {
		all += c
	}
	switch part := 100 * float64(n) / float64(max(all, 1)); {
	case n == 0:
		return "none"
	case n == 1:
		return "1 pixel"
	case part >= 0.05:
		return fmt.Sprintf("%.1f %%", math.Min(part, 100))
	}
	return fmt.Sprintf("%d pixels", n)
}

func (l *legend) size() fyne.Size {
	width := float32(0)
	for _, t := range l.words {
		width = fyne.Max(width, t.MinSize().Width)
	}
	return fyne.NewSize(width+legendSwatchW+3*legendPad, float32(len(l.words))*legendRow+legendPad)
}

func (l *legend) put(x, y float32) {
	if !l.shown {
		return
	}
	l.back.Move(fyne.NewPos(x, y))
	l.back.Resize(l.size())
	for f, t := range l.words {
		top := y + legendPad/2 + float32(f)*legendRow
		l.swatches[f].Move(fyne.NewPos(x+legendPad, top+(legendRow-legendSwatchH)/2))
		l.swatches[f].Resize(fyne.NewSize(legendSwatchW, legendSwatchH))
		m := t.MinSize()
		t.Move(fyne.NewPos(x+2*legendPad+legendSwatchW, top+(legendRow-m.Height)/2))
		t.Resize(m)
	}
}

// title is what a side of a wipe is called.
func (s Side) title(second *Second) string {
	if s.Second && second != nil {
		return strings.TrimSpace(s.View.title() + ", " + second.Name)
	}
	return s.View.title()
}

// title is what a view is called.
func (v View) title() string {
	if v == ViewSeen {
		return "What the network sees"
	}
	return viewNames()[v]
}

// viewNames are the labels of the views that have a tab, in their order.
func viewNames() []string { return []string{"Plate", "Hint", "Matte", "FG", "Comp", "Status"} }

// found returns what there is to say of layers that have a key, and keeps it for the next drawing.
func (p *Painter) found(l Layers) *status {
	of := statusOf{l.Plate, l.Hint, l.Key, l.Tiles}
	for _, s := range p.statuses {
		if s.of == of {
			return s
		}
	}
	s := newStatus(l)
	p.statuses = []*status{s}
	return s
}

// swatchRim is the grey around a swatch, so that black is seen on black.
const swatchRim = 0x70

// swatch draws a swatch of a finding, of w x h device pixels, within a rim.
func (s statusInk) swatch(f Finding, w, h int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			at := 4 * (y%s.size*s.size + x%s.size)
			pixel := m.Pix[m.PixOffset(x, y):][:4]
			if copy(pixel, s.tiles[f][at:at+4]); x == 0 || y == 0 || x == w-1 || y == h-1 {
				pixel[0], pixel[1], pixel[2] = swatchRim, swatchRim, swatchRim
			}
		}
	}
	return m
}
