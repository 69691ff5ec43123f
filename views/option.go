//go:build !headless

package views

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// option is one choice among words in a row: label, chooser, and a reset that shows when the choice is not the usual one.
type option struct {
	widget.BaseWidget
	spec   optionSpec
	tell   func(string)
	do     func(value string)
	value  string
	whyNot string
	title  *canvas.Text
	pick   *chooser
	reset  *resetIcon
	row    *fyne.Container
}

// optionSpec says what an option is for.
type optionSpec struct {
	label, help string
	usual       string
	words       []optionWord
}

// optionWord is a value that can be chosen, its name, and what it does in half a sentence.
type optionWord struct{ value, label, help string }

// newOption returns an option at its usual value; do is called with each value that is chosen.
func newOption(spec optionSpec, tell func(string), do func(value string)) *option {
	o := &option{spec: spec, tell: tell, do: do}
	o.title = newText(spec.label, sizeText, grey(greyText))
	o.pick = newChooser(spec.help, tell, o.items)
	o.reset = newResetIcon(func() { o.choose(spec.usual) })
	o.row = container.New(optionRow{}, o.title, o.pick, o.reset)
	o.ExtendBaseWidget(o)
	o.set(spec.usual)
	return o
}

func (o *option) items() []*fyne.MenuItem {
	var items []*fyne.MenuItem
	for _, w := range o.spec.words {
		item := fyne.NewMenuItem(w.label, func() { o.choose(w.value) })
		if w.help != "" {
			item.Label += ": " + w.help
		}
		item.Checked = w.value == o.value
		items = append(items, item)
	}
	return items
}

func (o *option) choose(value string) {
	if value != o.value {
		o.set(value)
		o.do(value)
	}
}

// set shows a value.
func (o *option) set(value string) {
	o.value = value
	label, help := value, o.spec.help
	for _, w := range o.spec.words {
		if w.value == value {
			label = w.label
			if w.help != "" {
				help += " Now: " + w.help
			}
		}
	}
	o.pick.say(label, "")
	o.pick.help = help
	if o.whyNot != "" {
		o.pick.help = o.whyNot
	}
	visible(o.reset, o.changed())
}

// changed reports whether the value is not the usual one.
func (o *option) changed() bool { return o.value != o.spec.usual }

// enable lets the value be changed; why says why it cannot, and empty that it can.
func (o *option) enable(why string) {
	if o.whyNot == why {
		return
	}
	o.whyNot = why
	greyOut(o.title, why != "")
	o.pick.enable(why == "")
	o.set(o.value)
}

// MouseIn implements desktop.Hoverable.
func (o *option) MouseIn(*desktop.MouseEvent) { o.tell(o.pick.help) }

// MouseMoved implements desktop.Hoverable.
func (o *option) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (o *option) MouseOut() { o.tell("") }

// parts implements composed.
func (o *option) parts() []fyne.CanvasObject { return o.row.Objects }

// CreateRenderer implements fyne.Widget.
func (o *option) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(o.row) }

// optionRow lays out label, chooser and reset in line with the rows of numbers.
type optionRow struct{}

// MinSize implements fyne.Layout.
func (optionRow) MinSize([]fyne.CanvasObject) fyne.Size { return controlRow{}.MinSize(nil) }

// Layout implements fyne.Layout.
func (optionRow) Layout(o []fyne.CanvasObject, size fyne.Size) {
	placeLabel(o[0], size)
	right := placeReset(o[2], size)
	o[1].Move(fyne.NewPos(controlLabel, 1))
	o[1].Resize(fyne.NewSize(right-controlLabel, size.Height-2))
}
