//go:build !headless

package views

import (
	"fmt"
	"image/color"
	"math"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// viewerOverlay are the words over the picture: what the sides of a wipe are, that something is not shown as it is, and
// what the colours of the status view and of the heat map mean.
type viewerOverlay struct {
	left, right, note *badge
	legend            *legend
	heat              *heatLegend
}

func newViewerOverlay() *viewerOverlay {
	return &viewerOverlay{left: newBadge(), right: newBadge(), note: newBadge(), legend: newLegend(), heat: newHeatLegend()}
}

func (o *viewerOverlay) objects() []fyne.CanvasObject {
	list := append(o.legend.objects(), o.heat.objects()...)
	for _, b := range []*badge{o.left, o.right, o.note} {
		list = append(list, b.back, b.text)
	}
	return list
}

// show says what the viewer shows, and puts the words where they belong.
func (o *viewerOverlay) show(v *Viewer) {
	look := v.seen()
	open := v.layers.Plate != nil
	left, right := "", ""
	if open && look.Wipe.On {
		left, right = look.View.title(), look.rightSide().title(v.layers.Second)
	}
	note := ""
	if open {
		note = look.note()
	}
	o.left.say(left)
	o.right.say(right)
	o.note.say(note)
	o.legend.show(v, look)
	seams := v.seams
	if v.bare || !open {
		seams = SeamLayer{}
	}
	o.heat.show(seams, look.Unit)
	o.place(v)
}

// badgeGap is the distance of words from the edges and from a wipe's line.
const badgeGap = 8

// place puts the words where they belong.
func (o *viewerOverlay) place(v *Viewer) {
	size := v.Size()
	o.note.put(size.Width-o.note.size().Width-badgeGap, badgeGap)
	o.heat.put(badgeGap, size.Height-o.heat.size().Height-badgeGap)
	o.legend.put(badgeGap, size.Height-o.legend.size().Height-badgeGap)
	w := v.look.Wipe
	if w.Level {
		y := float32(w.At) * size.Height
		o.left.put(badgeGap, y-o.left.size().Height-badgeGap)
		o.right.put(badgeGap, y+badgeGap)
		return
	}
	x, top := float32(w.At)*size.Width, float32(badgeGap)
	if o.note.text.Text != "" {
		top += o.note.size().Height + badgeGap
	}
	o.left.put(x-o.left.size().Width-badgeGap, top)
	o.right.put(x+badgeGap, top)
}

// overlayLayout puts the words where they belong when the viewer changes its size.
type overlayLayout struct{ v *Viewer }

// MinSize implements fyne.Layout.
func (overlayLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(1, 1) }

// Layout implements fyne.Layout.
func (l overlayLayout) Layout([]fyne.CanvasObject, fyne.Size) { l.v.overlay.place(l.v) }

// badge is a word or two over the picture.
type badge struct {
	back *canvas.Rectangle
	text *canvas.Text
}

func newBadge() *badge {
	b := &badge{back: canvas.NewRectangle(shade()), text: newText("", sizeSmall, grey(greyText))}
	b.back.CornerRadius = 3
	b.back.Hide()
	b.text.Hide()
	return b
}

// shade is what lies under words over the picture.
func shade() color.NRGBA { return color.NRGBA{0x10, 0x10, 0x10, 0xd0} }

// widestBadge is the width to which words are cut.
const widestBadge = 280

func (b *badge) say(text string) {
	text = shorten(text, widestBadge, sizeSmall, b.text.TextStyle)
	if b.text.Text != text {
		b.text.Text = text
		b.text.Refresh()
	}
	visible(b.back, text != "")
	visible(b.text, text != "")
}

func (b *badge) size() fyne.Size {
	m := b.text.MinSize()
	return fyne.NewSize(m.Width+10, m.Height+4)
}

func (b *badge) put(x, y float32) {
	b.back.Move(fyne.NewPos(x, y))
	b.back.Resize(b.size())
	b.text.Move(fyne.NewPos(x+5, y+2))
	b.text.Resize(b.text.MinSize())
}

// note says in what a look differs from the pictures as they are; empty where in nothing.
func (l Look) note() string {
	var parts []string
	if name := channelWords()[l.Channel]; name != "" && l.shows(View.coloured) {
		parts = append(parts, name)
	}
	if !l.Tone.Neutral() && l.toned() {
		if l.Tone.Exposure != 0 {
			parts = append(parts, inStops(l.Tone.Exposure))
		}
		if l.Tone.Gamma != 0 && l.Tone.Gamma != 1 {
			parts = append(parts, fmt.Sprintf("gamma %.2f", l.Tone.Gamma))
		}
	}
	if l.gained() {
		parts = append(parts, []string{"", "blacks x16", "whites x16"}[l.Gain])
	}
	if l.View == ViewSeen {
		parts = append(parts, "as the network sees it")
	}
	if len(parts) == 0 {
		return ""
	}
	return "View: " + strings.Join(parts, ", ")
}

// inStops writes an exposure.
func inStops(v float64) string {
	v = math.Round(v*100) / 100
	unit := " stops"
	if math.Abs(v) == 1 {
		unit = " stop"
	}
	return strings.TrimRight(strings.TrimRight(fmt.Sprintf("%+.2f", v), "0"), ".") + unit
}

// coloured reports whether a view shows colours, and not mattes or findings.
func (v View) coloured() bool { return v != ViewHint && v != ViewMatte && v != ViewStatus }

// shows reports whether a view of a kind is shown, if on one side of the wipe.
func (l Look) shows(kind func(View) bool) bool {
	return kind(l.View) || l.Wipe.On && kind(l.rightSide().View)
}

// toned reports whether the tone can be seen.
func (l Look) toned() bool { return l.Channel != ChannelAlpha && l.shows(View.coloured) }

// gained reports whether a matte's gain is seen.
func (l Look) gained() bool {
	return l.Gain != GainNone && l.shows(func(v View) bool {
		return v == ViewHint || v == ViewMatte || l.Channel == ChannelAlpha && v != ViewStatus
	})
}

// showsStatus reports whether the status is shown.
func (l Look) showsStatus() bool { return l.shows(func(v View) bool { return v == ViewStatus }) }
