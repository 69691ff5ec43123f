//go:build !headless

package views

import (
	"fmt"
	"math"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// lookBar is the row that says how the plate is looked at: views, channels, exposure and gamma or the gain of mattes, and
// the wipe.
type lookBar struct {
	content  *fyne.Container
	tabs     []*button
	channels []*button
	tones    *fyne.Container
	exposure *toneControl
	gamma    *toneControl
	gains    *fyne.Container
	blacks   *button
	whites   *button
	wipe     *button
	right    *chooser
	turn     *button
	sides    *fyne.Container
}

// narrowPad is left beside the labels of buttons that stand close together.
const narrowPad = 8

// flat returns a button for a row of many.
func flat(s *Screen, label, help string, pad float32, do func()) *button {
	b := newButton(label, flatButton, do).helps(help, s.tip)
	b.pad = pad
	return b
}

func newLookBar(s *Screen) *lookBar {
	b := &lookBar{}
	helps := []string{
		"The plate", "The hint: where the subject roughly is", "The matte: white is subject, black is screen",
		"The foreground with its spill removed", "The key over its background",
		"Status: what is exactly black or white, and what is to be looked at",
	}
	tabs := container.New(tight{})
	for i, name := range viewNames() {
		tab := flat(s, name, helps[i]+s.keyOf(name), narrowPad, func() { s.View(View(i)) })
		b.tabs = append(b.tabs, tab)
		tabs.Add(tab)
	}
	channels := container.New(tight{})
	words := channelWords()
	for i, name := range channelNames() {
		c := Channels()[i]
		help := "Show " + words[c] + " alone; again shows all" + s.keyOf(channelLabel(c))
		switch c {
		case ChannelRGB:
			help = "Show all channels"
		case ChannelAlpha:
			help = "Show alpha, the key's matte; again shows all" + s.keyOf(channelLabel(c))
		}
		button := flat(s, name, help, 6, func() {
			if c != s.looking.channel {
				s.ShowChannel(c)
			}
		})
		if c != ChannelRGB {
			button.do = func() { s.ShowChannel(c) }
		}
		b.channels = append(b.channels, button)
		channels.Add(button)
	}
	b.exposure = newToneControl(s, "Exp", "Exposure of the view in stops; nothing of it is exported. The number resets it",
		-mostExposure, mostExposure, 0.25, 0, func(v float64) string { return fmt.Sprintf("%+.2f", v) },
		func(v float64) { s.SetTone(Tone{Exposure: v, Gamma: s.looking.tone.Gamma}) })
	// The scale is that of stops too: even steps are even factors.
	b.gamma = newToneControl(s, "Gamma", "Gamma of the view; nothing of it is exported. The number resets it",
		math.Log2(leastGamma), math.Log2(mostGamma), 0.02, 0, func(v float64) string { return fmt.Sprintf("%.2f", math.Exp2(v)) },
		func(v float64) {
			gamma := math.Exp2(v)
			if v == 0 {
				gamma = 0
			}
			s.SetTone(Tone{Exposure: s.looking.tone.Exposure, Gamma: gamma})
		})
	b.tones = container.New(tight{}, b.exposure, spacer(6, 0), b.gamma)
	b.blacks = flat(s, "Blacks x16", "Show sixteen times the matte: what should be black"+s.keyOf("Blacks x16"), narrowPad,
		func() { s.ToggleGain(GainBlacks) })
	b.whites = flat(s, "Whites x16", "Show the matte sixteen times as far from 1: what should be white"+s.keyOf("Whites x16"), narrowPad,
		func() { s.ToggleGain(GainWhites) })
	b.gains = container.New(tight{}, b.blacks, b.whites)
	b.wipe = flat(s, "Wipe", "Compare two views beside one another; drag the line"+s.keyOf("Wipe"), narrowPad, s.ToggleWipe)
	b.right = newChooser("The right or lower side of the wipe"+s.keyOf("Next Right Side"), s.tip, func() []*fyne.MenuItem {
		var items []*fyne.MenuItem
		for _, side := range s.sides() {
			items = append(items, fyne.NewMenuItem(side.title(s.layers().Second), func() { s.WipeWith(side) }))
		}
		return items
	})
	b.right.flat = true
	b.turn = flat(s, "|", "Turn the wipe's line"+s.keyOf("Turn the Wipe"), narrowPad, s.TurnWipe)
	// The chooser takes what there is beside the button.
	b.sides = container.NewBorder(nil, nil, nil, b.turn, container.NewStack(spacer(sideWidth, 0), b.right))
	// A stack of one is there or not as there is room for it, and what is in it as it is of use.
	slot := func(o fyne.CanvasObject) fyne.CanvasObject { return container.NewStack(o) }
	b.content = container.New(lookRow{b.right}, tabs, slot(channels), slot(b.tones), slot(b.gains), slot(b.wipe), slot(b.sides))
	return b
}

// look marks how the layers are looked at.
func (b *lookBar) look(s *Screen, l Look) {
	for i, tab := range b.tabs {
		tab.enable(s.canView(View(i)))
		tab.turn(View(i) == l.View)
	}
	for i, c := range b.channels {
		c.enable(s.canChannel(Channels()[i]))
		c.turn(Channels()[i] == l.Channel)
	}
	b.exposure.set(s.looking.tone.Exposure)
	gamma := 0.0
	if g := s.looking.tone.Gamma; g != 0 {
		gamma = math.Log2(g)
	}
	b.gamma.set(gamma)
	// Mattes are no light: they have a gain in the place of exposure and gamma.
	mattes := !l.toned()
	b.blacks.turn(l.Gain == GainBlacks)
	b.whites.turn(l.Gain == GainWhites)
	b.blacks.enable(l.View != ViewStatus || l.Wipe.On)
	b.whites.enable(l.View != ViewStatus || l.Wipe.On)
	b.wipe.enable(s.canWipe())
	b.wipe.turn(l.Wipe.On)
	if side := l.rightSide().title(s.layers().Second); b.right.label != side {
		b.right.say(side, "")
		b.content.Refresh()
	}
	turn := "|"
	if l.Wipe.Level {
		turn = "—"
	}
	b.turn.say(turn, "")
	if b.gains.Visible() != mattes || b.tones.Visible() == mattes || b.sides.Visible() != l.Wipe.On {
		visible(b.gains, mattes)
		visible(b.tones, !mattes)
		visible(b.sides, l.Wipe.On)
		b.content.Refresh()
	}
}

// sideWidth is the width of the chooser of the wipe's right side at least.
const sideWidth = 96

// tight lays objects beside one another without a distance.
type tight struct{}

// MinSize implements fyne.Layout.
func (tight) MinSize(o []fyne.CanvasObject) fyne.Size {
	size := fyne.NewSize(0, 0)
	for _, c := range o {
		m := c.MinSize()
		size = fyne.NewSize(size.Width+m.Width, fyne.Max(size.Height, m.Height))
	}
	return size
}

// Layout implements fyne.Layout.
func (tight) Layout(o []fyne.CanvasObject, size fyne.Size) {
	x := float32(0)
	for _, c := range o {
		m := c.MinSize()
		c.Move(fyne.NewPos(x, (size.Height-m.Height)/2))
		c.Resize(m)
		x += m.Width
	}
}

// lookRow lays out the parts of the look bar from the left, the wipe at the right. In a narrow window those that do not
// fit go away: their keys and menus remain. What room is left is given to the name of the wipe's right side.
type lookRow struct{ right *chooser }

// MinSize implements fyne.Layout.
func (lookRow) MinSize(o []fyne.CanvasObject) fyne.Size { return o[0].MinSize() }

// Layout implements fyne.Layout.
func (l lookRow) Layout(o []fyne.CanvasObject, size fyne.Size) {
	const apart = 2*gap + 2
	put := func(c fyne.CanvasObject, x float32) {
		m := c.MinSize()
		c.Move(fyne.NewPos(x, (size.Height-m.Height)/2))
		c.Resize(m)
	}
	// What is left for the part that comes next, and where it would begin.
	left, right := float32(0), size.Width
	fits := func(c fyne.CanvasObject) bool { return left+c.MinSize().Width <= right }
	put(o[0], 0)
	left = o[0].MinSize().Width + apart
	for _, c := range []fyne.CanvasObject{o[4], o[1], o[5], o[2], o[3]} {
		atRight, width := c == o[4] || c == o[5], c.MinSize().Width
		visible(c, width > 0 && fits(c))
		switch {
		case !c.Visible():
		case atRight:
			right -= width
			put(c, right)
			if c == o[4] {
				right -= gap
			}
		default:
			put(c, left)
			left += width + apart
		}
	}
	if side := o[5]; side.Visible() {
		more := fyne.Max(0, fyne.Min(l.right.wanted()-sideWidth, right-left))
		side.Move(side.Position().SubtractXY(more, 0))
		side.Resize(side.Size().AddWidthHeight(more, 0))
	}
}

// toneControl is a label, a short slider and a number, which resets it when it is pressed.
type toneControl struct {
	widget.BaseWidget
	help   string
	tell   func(string)
	write  func(float64) string
	label  *canvas.Text
	slider *slider
	number *button
}

func newToneControl(s *Screen, label, help string, least, most, step, usual float64, write func(float64) string, do func(float64)) *toneControl {
	c := &toneControl{help: help, tell: s.tip, write: write, label: newText(label, sizeText, grey(greyQuiet))}
	c.slider = newSlider(least, most, step, usual, 1, do)
	c.number = flat(s, write(usual), "Back to "+write(usual), 3, func() { do(usual) })
	c.ExtendBaseWidget(c)
	c.set(usual)
	return c
}

// set shows a value. One that is not the usual one is told by brighter words and a raised number.
func (c *toneControl) set(v float64) {
	c.slider.set(v)
	changed := v != c.slider.usual
	c.number.say(c.write(v), "")
	c.number.turn(changed)
	c.number.enable(changed)
	shade := grey(greyQuiet)
	if changed {
		shade = grey(greyText)
	}
	say(c.label, c.label.Text, shade)
}

// MouseIn implements desktop.Hoverable.
func (c *toneControl) MouseIn(*desktop.MouseEvent) { c.tell(c.help) }

// MouseMoved implements desktop.Hoverable.
func (c *toneControl) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (c *toneControl) MouseOut() { c.tell("") }

// parts implements composed.
func (c *toneControl) parts() []fyne.CanvasObject { return []fyne.CanvasObject{c.slider, c.number} }

// CreateRenderer implements fyne.Widget.
func (c *toneControl) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(container.New(toneRow{}, c.label, c.slider, c.number))
}

// toneRow lays out label, slider and number.
type toneRow struct{}

// The widths of a tone's slider and number.
const toneSlider, toneNumber = 84, 44

// MinSize implements fyne.Layout.
func (toneRow) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(o[0].MinSize().Width+toneSlider+toneNumber+2, rowHeight)
}

// Layout implements fyne.Layout.
func (toneRow) Layout(o []fyne.CanvasObject, size fyne.Size) {
	m := o[0].MinSize()
	o[0].Move(fyne.NewPos(0, (size.Height-m.Height)/2))
	o[0].Resize(m)
	o[1].Move(fyne.NewPos(m.Width+2, 0))
	o[1].Resize(fyne.NewSize(toneSlider, size.Height))
	o[2].Move(fyne.NewPos(m.Width+2+toneSlider, 2))
	o[2].Resize(fyne.NewSize(toneNumber, size.Height-4))
}

// The ends of the tone's controls.
const (
	mostExposure          = 6
	leastGamma, mostGamma = 0.2, 5
)

// channelNames are the labels of Channels; the single letters are keys too.
func channelNames() []string { return []string{"RGB", "R", "G", "B", "A", "Y"} }

// channelWords are Channels in words; all of a picture needs none.
func channelWords() []string { return []string{"", "red", "green", "blue", "alpha", "luminance"} }

// channelLabel is what the menu calls a channel; all of a picture is in no menu.
func channelLabel(c Channel) string {
	word := channelWords()[c]
	if word == "" {
		return ""
	}
	return strings.ToUpper(word[:1]) + word[1:]
}
