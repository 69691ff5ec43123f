//go:build !headless

package views

import (
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// slider is a value between two ends. Pressing moves the knob there at once, and dragging goes on from there. The
// keyboard comes to it by Tab alone.
type slider struct {
	widget.BaseWidget
	reach
	least, most, step float64
	// curve bends the scale: 1 is even, over 1 gives small values more room. Between ends of both signs it bends to both
	// sides of 0, which lies in the middle.
	curve float64
	do    func(v float64)
	// begin is called when a drag begins, before the first do.
	begin func()

	value, usual float64
	disabled     bool
	groove, lit  *canvas.Rectangle
	tick         *canvas.Rectangle
	knob         *canvas.Circle
}

// newSlider returns a slider at its usual value, which a tick marks.
func newSlider(least, most, step, usual, curve float64, do func(float64)) *slider {
	s := &slider{least: least, most: most, step: step, usual: usual, value: usual, curve: curve, do: do, begin: func() {}}
	s.groove = canvas.NewRectangle(grey(greyTrough))
	s.groove.CornerRadius = 2
	s.lit = canvas.NewRectangle(grey(0x78))
	s.lit.CornerRadius = 2
	s.tick = canvas.NewRectangle(grey(greyOff))
	s.knob = canvas.NewCircle(grey(greyAccent))
	s.knob.StrokeColor = grey(greyFocus)
	s.reach = reach{of: s, move: s.moved, said: func(there bool) {
		if there {
			s.begin()
		}
	}}
	s.ExtendBaseWidget(s)
	return s
}

// set moves the knob without calling do.
func (s *slider) set(v float64) {
	if s.value != v {
		s.value = v
		s.Refresh()
	}
}

// enable lets the knob be moved, or not.
func (s *slider) enable(yes bool) {
	if s.disabled != !yes {
		s.disabled = !yes
		s.Refresh()
	}
}

// Disabled implements fyne.Disableable: Tab passes over what is.
func (s *slider) Disabled() bool { return s.disabled || s.off }

// signed reports whether the ends are of both signs.
func (s *slider) signed() bool { return s.least < 0 && s.most > 0 }

// at returns where a value lies, 0..1.
func (s *slider) at(v float64) float64 {
	if s.signed() {
		part := math.Max(-1, math.Min(v/s.most, 1))
		return 0.5 + 0.5*math.Copysign(math.Pow(math.Abs(part), 1/s.curve), part)
	}
	part := (v - s.least) / (s.most - s.least)
	return math.Pow(math.Max(0, math.Min(part, 1)), 1/s.curve)
}

// valueAt returns the value that lies at a place, 0..1.
func (s *slider) valueAt(at float64) float64 {
	at = math.Max(0, math.Min(at, 1))
	if s.signed() {
		part := 2*at - 1
		return s.most * math.Copysign(math.Pow(math.Abs(part), s.curve), part)
	}
	return s.least + math.Pow(at, s.curve)*(s.most-s.least)
}

// knobSize is the knob's diameter.
const knobSize = 12

// press moves the knob to a point of the slider.
func (s *slider) press(x float32) {
	s.change(s.valueAt(float64((x - knobSize/2) / (s.Size().Width - knobSize))))
}

// moved moves the knob by so many steps.
func (s *slider) moved(steps int) { s.change(s.value + float64(steps)*s.step) }

// change takes the nearest value that there is.
func (s *slider) change(v float64) {
	v = math.Max(s.least, math.Min(rounded(v, s.step), s.most))
	if v != s.value && !s.disabled {
		s.set(v)
		s.do(v)
	}
}

// rounded returns the nearest multiple of a step; of a step like 0.05 as the nearest float to 0.15, which it is not of
// 3 * 0.05, so that files hold short numbers.
func rounded(v, step float64) float64 {
	if parts := math.Round(1 / step); parts > 1 && math.Abs(parts*step-1) < 1e-9 {
		return math.Round(v*parts) / parts
	}
	return math.Round(v/step) * step
}

// MouseDown implements desktop.Mouseable.
func (s *slider) MouseDown(e *desktop.MouseEvent) {
	s.clicked()
	if e.Button == desktop.MouseButtonPrimary && !s.disabled {
		s.begin()
		s.press(e.Position.X)
	}
}

// MouseUp implements desktop.Mouseable.
func (s *slider) MouseUp(*desktop.MouseEvent) {}

// Dragged implements fyne.Draggable.
func (s *slider) Dragged(e *fyne.DragEvent) { s.press(e.Position.X) }

// DragEnd implements fyne.Draggable.
func (s *slider) DragEnd() {}

// CreateRenderer implements fyne.Widget.
func (s *slider) CreateRenderer() fyne.WidgetRenderer {
	return &sliderRenderer{s: s, parts: parts{s.groove, s.tick, s.lit, s.knob}}
}

type sliderRenderer struct {
	s *slider
	parts
}

func (r *sliderRenderer) MinSize() fyne.Size { return fyne.NewSize(60, rowHeight) }

func (r *sliderRenderer) Layout(size fyne.Size) {
	const thick = 4
	y := size.Height / 2
	span := size.Width - knobSize
	knob := float32(r.s.at(r.s.value)) * span
	usual := float32(r.s.at(r.s.usual)) * span
	r.s.groove.Move(fyne.NewPos(knobSize/2, y-thick/2))
	r.s.groove.Resize(fyne.NewSize(span, thick))
	from := float32(0)
	if r.s.signed() {
		from = span / 2
	}
	r.s.lit.Move(fyne.NewPos(knobSize/2+fyne.Min(from, knob), y-thick/2))
	r.s.lit.Resize(fyne.NewSize(fyne.Max(from, knob)-fyne.Min(from, knob), thick))
	r.s.tick.Move(fyne.NewPos(knobSize/2+usual-0.5, y-5))
	r.s.tick.Resize(fyne.NewSize(1, 10))
	r.s.knob.Move(fyne.NewPos(knob, y-knobSize/2))
	r.s.knob.Resize(fyne.NewSquareSize(knobSize))
}

func (r *sliderRenderer) Refresh() {
	r.s.knob.StrokeWidth = focusWidth(r.s.there)
	r.s.knob.FillColor, r.s.lit.FillColor = grey(greyAccent), grey(0x78)
	if r.s.disabled {
		r.s.knob.FillColor, r.s.lit.FillColor = grey(greyOff), grey(greyLine)
	}
	r.Layout(r.s.Size())
	canvas.Refresh(r.s)
}
