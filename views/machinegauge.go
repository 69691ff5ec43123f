//go:build !headless

package views

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
)

// memoryGauge is a bar of what a key needs against what the machine has, with both in words under it. The words say
// whether it fits, so that nobody has to read colours.
type memoryGauge struct {
	content *fyne.Container
	bar     *canvas.Rectangle
	words   *paragraph
	part    float32
}

func newMemoryGauge() *memoryGauge {
	g := &memoryGauge{
		bar:   canvas.NewRectangle(grey(greyAccent)),
		words: newParagraph(panelText-controlLabel, sizeSmall, grey(greyQuiet)),
	}
	g.bar.CornerRadius = 2
	trough := canvas.NewRectangle(grey(greyTrough))
	trough.CornerRadius = 2
	g.content = container.New(g, newText("Memory", sizeText, grey(greyText)), trough, g.bar, g.words)
	return g
}

// show draws what is needed and reports whether the height may have changed.
func (g *memoryGauge) show(m MemoryState) bool {
	fill, text := grey(0x78), grey(greyQuiet)
	if m.Level == MemoryTight || m.Level == MemoryRefused {
		fill, text = amber(), amber()
	}
	g.part = fyne.Max(0, fyne.Min(float32(m.Part), 1))
	g.bar.FillColor = fill
	changed := g.words.say(m.Words, text)
	g.content.Refresh()
	return changed
}

// gaugeTop is where the words begin.
const gaugeTop = 18

// MinSize implements fyne.Layout.
func (g *memoryGauge) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(controlLabel+60, gaugeTop+fyne.Max(g.words.MinSize().Height, 15))
}

// Layout implements fyne.Layout.
func (g *memoryGauge) Layout(o []fyne.CanvasObject, size fyne.Size) {
	const thick = 6
	m := o[0].MinSize()
	o[0].Resize(m)
	o[0].Move(fyne.NewPos(0, (gaugeTop-m.Height)/2))
	width := size.Width - controlLabel
	at := fyne.NewPos(controlLabel, (gaugeTop-thick)/2)
	o[1].Move(at)
	o[1].Resize(fyne.NewSize(width, thick))
	o[2].Move(at)
	o[2].Resize(fyne.NewSize(width*g.part, thick))
	o[3].Move(fyne.NewPos(controlLabel, gaugeTop))
	o[3].Resize(fyne.NewSize(width, size.Height-gaugeTop))
}

// wordsRow is a name with words beside it that may take several lines.
type wordsRow struct {
	content *fyne.Container
	words   *paragraph
}

func newWordsRow(name string) *wordsRow {
	r := &wordsRow{words: newParagraph(panelText-controlLabel, sizeSmall, grey(greyQuiet))}
	r.content = container.New(r, newText(name, sizeText, grey(greyText)), r.words)
	return r
}

// show changes the words and reports whether it did.
func (r *wordsRow) show(text string) bool { return r.words.say(text, grey(greyQuiet)) }

// MinSize implements fyne.Layout.
func (r *wordsRow) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(controlLabel+60, fyne.Max(o[0].MinSize().Height, r.words.MinSize().Height+2))
}

// Layout implements fyne.Layout.
func (r *wordsRow) Layout(o []fyne.CanvasObject, size fyne.Size) {
	m := o[0].MinSize()
	o[0].Resize(m)
	o[1].Move(fyne.NewPos(controlLabel, (m.Height-r.words.leading())/2))
	o[1].Resize(fyne.NewSize(size.Width-controlLabel, size.Height))
}
