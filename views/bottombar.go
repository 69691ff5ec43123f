//go:build !headless

package views

import (
	"fmt"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
)

// bottomBar has two rows: what is under the pointer, and how the plate is keyed on this machine, with the Key button.
type bottomBar struct {
	content *fyne.Container
	readout *canvas.Text
	// numbers says which numbers the read-out shows, and changes them.
	numbers *button
	status  *canvas.Text
	detail  *canvas.Text
	key     *button
	row     *fyne.Container
	words   *fyne.Container
	gauge   *gauge
	// statusText and detailText are the two lines before they are cut to the room that there is.
	statusText, detailText string

	pointed, tipped string
	keyName         string
}

func newBottomBar(s *Screen) *bottomBar {
	b := &bottomBar{
		readout: newText("", sizeSmall, grey(greyQuiet)),
		status:  newText("", sizeText, grey(greyText)),
		detail:  newText("", sizeSmall, grey(greyQuiet)),
		gauge:   newGauge(),
	}
	b.readout.TextStyle.Monospace = true
	for _, a := range s.table {
		if a.label == "Key" {
			b.keyName = a.keyName()
		}
	}
	b.key = newButton("Key", mainButton, func() {
		switch {
		case s.state.Key.asked():
			s.intents.Cancel()
		case s.state.Seams.Checking:
			s.intents.StopChecking()
		default:
			s.intents.Key()
		}
	}).helps("", s.tip)
	b.words = container.New(statusWords{b}, b.status, b.detail)
	b.row = container.NewBorder(nil, nil, nil, container.New(fixedSize{168, 34}, b.key), b.words)
	b.numbers = newButton("", plainButton, s.toggleBytes).helps("Read linear light, or what a display shows in steps of 8 bits, 0..255", s.tip)
	b.read(false)
	first := container.NewStack(canvas.NewRectangle(grey(0x21)), container.New(readoutRow{}, b.readout, b.numbers))
	b.content = container.New(frameStack{}, first, b.gauge.content, bar(b.row, false))
	return b
}

// read says which numbers the read-out shows.
func (b *bottomBar) read(bytes bool) {
	name := "Linear"
	if bytes {
		name = "0..255"
	}
	b.numbers.say(name, "")
}

// point shows what is under the pointer, tip what a control is for; the latter goes before.
func (b *bottomBar) point(text string) { b.pointed = text; b.speak() }
func (b *bottomBar) tip(text string)   { b.tipped = text; b.speak() }

func (b *bottomBar) speak() {
	text, mono := b.pointed, true
	if b.tipped != "" {
		text, mono = b.tipped, false
	}
	if b.readout.TextStyle.Monospace != mono {
		b.readout.TextStyle.Monospace = mono
		b.readout.Refresh()
	}
	say(b.readout, text, grey(greyQuiet))
}

// show draws a state.
func (b *bottomBar) show(state State) {
	status, detail := statusLine(state)
	color := grey(greyText)
	if status == outOfDate(state.Key) {
		color = amber()
	}
	if b.statusText != status || b.detailText != detail || b.status.Color != color {
		b.statusText, b.detailText, b.status.Color = status, detail, color
		b.words.Refresh()
	}
	k := state.Key
	switch {
	case k.Running:
		b.key.say("Cancel   Esc", "")
		b.key.help = "Stop keying; finished tiles stay"
	case k.Waiting:
		b.key.say("Cancel   Esc", "")
		b.key.help = "Take the key back: it has not begun"
	case state.Seams.Checking:
		b.key.say("Cancel   Esc", "")
		b.key.help = "Stop checking the seams"
	default:
		b.key.say("Key   "+b.keyName, "")
		b.key.help = "Key the plate with the network"
		if k.WhyNot != "" {
			b.key.help = k.WhyNot
		}
	}
	done := k.Summary != "" && k.Stale == "" && !state.Layers.Stopped
	busy := k.asked() || state.Seams.Checking
	b.key.lower(busy || !k.Ready || done)
	b.key.enable(busy || k.Ready)
	visible(b.key, state.Layers.Plate != nil)
	visible(b.numbers, state.Layers.Plate != nil)
	if state.Seams.Checking {
		b.gauge.count(true, state.Seams.Done, state.Seams.All)
	} else {
		b.gauge.count(k.Running, k.Tile, k.Tiles)
	}
}

// statusLine says how things stand in a line and a smaller one.
func statusLine(s State) (status, detail string) {
	detail = s.Machine
	if s.Plan.Settings != "" {
		detail += ": " + s.Plan.Settings
		if s.Plan.Memory != "" {
			detail += ", " + s.Plan.Memory
		}
	}
	if s.Device != "" {
		detail += ", " + s.Device
	}
	for _, a := range s.Plan.Adjusted {
		detail += fmt.Sprintf("; %s: asked %s, using %s", a.Setting, a.Asked, a.Used)
	}
	k := s.Key
	switch {
	case s.Opening != "":
		return "Reading " + s.Opening, detail
	case k.Running:
		return Progress(k), detail
	case k.Waiting:
		return k.WhyNot, detail
	case s.Export.Running:
		return "Exporting", detail
	case s.Strip.Running:
		return StripProgress(s.Strip), detail
	case s.Strip.Told != "":
		return s.Strip.Told, detail
	case s.Seams.Checking:
		return strings.TrimSuffix("Checking seams: "+CheckProgress(s.Seams), ": "), detail
	case k.Stale != "":
		return outOfDate(k), detail
	case s.Seams.Verdict != "":
		return strings.TrimSuffix(s.Seams.Verdict+". "+k.Summary, ". "), detail
	case k.Summary != "":
		return k.Summary, detail
	case k.WhyNot != "":
		return k.WhyNot, detail
	case s.Hint.Finding:
		return "Finding the hint", detail
	case k.Ready:
		return "Ready to key", detail
	}
	return "No plate", detail
}

// outOfDate says why a key is out of date.
func outOfDate(k KeyState) string { return "Out of date: " + k.Stale }

// asked reports whether a key was asked for that is not done yet: it runs, or waits.
func (k KeyState) asked() bool { return k.Running || k.Waiting }

// Progress says how far a key is: "Tile 3 of 9, 12 s left".
func Progress(k KeyState) string {
	if k.Tiles == 0 || k.Doing != "" {
		return k.Doing
	}
	text := fmt.Sprintf("%d of %d tiles", k.Tile, k.Tiles)
	if k.Tiles == 1 {
		text = "Keying in one tile"
	}
	if k.Left >= 0 {
		text += ", " + timeLeft(k.Left)
	}
	return text
}

// timeLeft writes a time that something will take yet.
func timeLeft(d time.Duration) string {
	if d >= 90*time.Second {
		return fmt.Sprintf("%.0f min left", d.Minutes())
	}
	return fmt.Sprintf("%.0f s left", d.Seconds())
}

// gauge is a thin line that grows from left to right.
type gauge struct {
	content *fyne.Container
	done    *canvas.Rectangle
	part    float32
}

func newGauge() *gauge {
	g := &gauge{done: canvas.NewRectangle(grey(greyAccent)), part: -1}
	g.content = container.New(g, canvas.NewRectangle(grey(greyTrough)), g.done)
	g.content.Hide()
	return g
}

// set shows how much is done, 0..1; a negative part hides the line.
func (g *gauge) set(part float32) {
	if g.part == part {
		return
	}
	g.part = part
	visible(g.content, part >= 0)
	g.content.Refresh()
}

// count shows how many of all are done while something runs.
func (g *gauge) count(running bool, done, all int) {
	part := float32(-1)
	if running {
		part = float32(done) / float32(max(all, 1))
	}
	g.set(part)
}

// MinSize implements fyne.Layout.
func (g *gauge) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(0, 3) }

// Layout implements fyne.Layout.
func (g *gauge) Layout(o []fyne.CanvasObject, size fyne.Size) {
	o[0].Resize(size)
	o[1].Resize(fyne.NewSize(size.Width*fyne.Max(g.part, 0), size.Height))
}

// frameStack lays the read-out over the status, with the gauge over the line between them, so that nothing moves
// when it appears.
type frameStack struct{}

const readoutHeight = 22

// MinSize implements fyne.Layout.
func (frameStack) MinSize(o []fyne.CanvasObject) fyne.Size {
	m := o[2].MinSize()
	return fyne.NewSize(m.Width, readoutHeight+m.Height)
}

// Layout implements fyne.Layout.
func (frameStack) Layout(o []fyne.CanvasObject, size fyne.Size) {
	o[0].Resize(fyne.NewSize(size.Width, readoutHeight))
	o[1].Move(fyne.NewPos(0, readoutHeight-1))
	o[1].Resize(fyne.NewSize(size.Width, 3))
	o[2].Move(fyne.NewPos(0, readoutHeight))
	o[2].Resize(fyne.NewSize(size.Width, size.Height-readoutHeight))
}

// readoutRow centres the read-out's line in height, with the button for its numbers at the right.
type readoutRow struct{}

// readoutNumbers is the width of that button.
const readoutNumbers = 66

// MinSize implements fyne.Layout.
func (readoutRow) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(0, readoutHeight) }

// Layout implements fyne.Layout.
func (readoutRow) Layout(o []fyne.CanvasObject, size fyne.Size) {
	h := o[0].MinSize().Height
	o[0].Move(fyne.NewPos(margin, (size.Height-h)/2))
	o[0].Resize(fyne.NewSize(size.Width-2*margin-readoutNumbers, h))
	o[1].Move(fyne.NewPos(size.Width-readoutNumbers-margin, 2))
	o[1].Resize(fyne.NewSize(readoutNumbers, size.Height-3))
}

// statusWords lays a line over a smaller one. What does not fit is cut off at the end.
type statusWords struct{ bar *bottomBar }

// MinSize implements fyne.Layout. Lines may be cut: they must not decide how wide the window is.
func (statusWords) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(0, o[0].MinSize().Height+o[1].MinSize().Height)
}

// Layout implements fyne.Layout.
func (w statusWords) Layout(o []fyne.CanvasObject, size fyne.Size) {
	width := size.Width - gap
	w.bar.status.Text = cutEnd(w.bar.statusText, width, sizeText)
	w.bar.detail.Text = cutEnd(w.bar.detailText, width, sizeSmall)
	a, b := o[0].MinSize().Height, o[1].MinSize().Height
	top := (size.Height - a - b) / 2
	o[0].Move(fyne.NewPos(0, top))
	o[0].Resize(fyne.NewSize(size.Width, a))
	o[1].Move(fyne.NewPos(0, top+a))
	o[1].Resize(fyne.NewSize(size.Width, b))
}

// fixedSize gives its only object a size.
type fixedSize struct{ w, h float32 }

// MinSize implements fyne.Layout.
func (f fixedSize) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(f.w, f.h) }

// Layout implements fyne.Layout.
func (f fixedSize) Layout(o []fyne.CanvasObject, size fyne.Size) {
	o[0].Move(fyne.NewPos(size.Width-f.w, (size.Height-f.h)/2))
	o[0].Resize(fyne.NewSize(f.w, f.h))
}
