//go:build !headless

package views

import (
	"image/color"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
)

// newText returns a line of text.
func newText(text string, size float32, c color.Color) *canvas.Text {
	t := canvas.NewText(text, c)
	t.TextSize = size
	return t
}

// say changes a line of text and reports whether it did.
func say(t *canvas.Text, text string, c color.Color) bool {
	if t.Text == text && t.Color == c {
		return false
	}
	t.Text, t.Color = text, c
	t.Refresh()
	return true
}

// greyOut greys a line out, or brings it back.
func greyOut(t *canvas.Text, off bool) {
	level := uint8(greyText)
	if off {
		level = greyOff
	}
	say(t, t.Text, grey(level))
}

// textWidth measures a line.
func textWidth(text string, size float32, style fyne.TextStyle) float32 {
	return fyne.MeasureText(text, size, style).Width
}

// shorten cuts the middle out of a line that is wider than width, so that a name keeps its end.
func shorten(text string, width, size float32, style fyne.TextStyle) string {
	if textWidth(text, size, style) <= width {
		return text
	}
	runes := []rune(text)
	few, many := 0, len(runes)-1
	cut := func(n int) string {
		head := (n + 1) / 2
		return string(runes[:head]) + "…" + string(runes[len(runes)-(n-head):])
	}
	for few < many {
		n := (few + many + 1) / 2
		if textWidth(cut(n), size, style) <= width {
			few = n
		} else {
			many = n - 1
		}
	}
	return cut(few)
}

// cutEnd cuts the end off a line that is wider than width.
func cutEnd(text string, width, size float32) string {
	if textWidth(text, size, fyne.TextStyle{}) <= width {
		return text
	}
	runes := []rune(text)
	few, many := 0, len(runes)-1
	for few < many {
		n := (few + many + 1) / 2
		if textWidth(string(runes[:n])+"…", size, fyne.TextStyle{}) <= width {
			few = n
		} else {
			many = n - 1
		}
	}
	return strings.TrimRight(string(runes[:few]), " ,:;(") + "…"
}

// wrap breaks a text into lines of at most width. A word that is wider than that is cut.
func wrap(text string, width, size float32, style fyne.TextStyle) []string {
	var lines []string
	for _, part := range strings.Split(text, "\n") {
		if textWidth(part, size, style) <= width {
			lines = append(lines, part)
			continue
		}
		current := ""
		for _, word := range strings.Fields(part) {
			longer := strings.TrimPrefix(current+" "+word, " ")
			if textWidth(longer, size, style) <= width {
				current = longer
				continue
			}
			if current != "" {
				lines = append(lines, current)
			}
			current = shorten(word, width, size, style)
		}
		lines = append(lines, current)
	}
	return lines
}

// paragraph is text that wraps at the width it is given, and is as tall as it needs to be at that width.
type paragraph struct {
	widget.BaseWidget
	width float32
	size  float32
	text  string
	color color.Color
	lines []fyne.CanvasObject
}

// newParagraph returns an empty paragraph of a width.
func newParagraph(width, size float32, c color.Color) *paragraph {
	p := &paragraph{width: width, size: size, color: c}
	p.ExtendBaseWidget(p)
	p.Hide()
	return p
}

// say changes the text; an empty one takes no place. It reports whether anything changed.
func (p *paragraph) say(text string, c color.Color) bool {
	if p.text == text && p.color == c {
		return false
	}
	p.text, p.color = text, c
	p.set()
	return true
}

// within changes the width and reports whether it did.
func (p *paragraph) within(width float32) bool {
	if p.width == width {
		return false
	}
	p.width = width
	p.set()
	return true
}

// set lays the text out anew.
func (p *paragraph) set() {
	p.lines = nil
	if p.text != "" {
		for _, l := range wrap(p.text, p.width, p.size, fyne.TextStyle{}) {
			p.lines = append(p.lines, newText(l, p.size, p.color))
		}
	}
	if p.text == "" {
		p.Hide()
		return
	}
	p.Show()
	p.Refresh()
}

// leading is the height of a line.
func (p *paragraph) leading() float32 { return float32(int(p.size*1.36 + 0.5)) }

// MinSize implements fyne.Widget.
func (p *paragraph) MinSize() fyne.Size {
	return fyne.NewSize(p.width, p.leading()*float32(len(p.lines)))
}

// CreateRenderer implements fyne.Widget.
func (p *paragraph) CreateRenderer() fyne.WidgetRenderer { return &paragraphRenderer{p} }

type paragraphRenderer struct{ p *paragraph }

func (r *paragraphRenderer) Destroy()                     {}
func (r *paragraphRenderer) MinSize() fyne.Size           { return r.p.MinSize() }
func (r *paragraphRenderer) Objects() []fyne.CanvasObject { return r.p.lines }
func (r *paragraphRenderer) Refresh()                     { r.Layout(r.p.Size()); canvas.Refresh(r.p) }

func (r *paragraphRenderer) Layout(size fyne.Size) {
	for i, l := range r.p.lines {
		l.Move(fyne.NewPos(0, float32(i)*r.p.leading()))
		l.Resize(fyne.NewSize(size.Width, r.p.leading()))
	}
}
