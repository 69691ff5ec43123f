//go:build !headless

package views

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"greenroom/engine/settings"
)

// hintEditor holds the controls of a hint's edit, in the order in which they work.
type hintEditor struct {
	screen   *Screen
	content  *fyne.Container
	edit     settings.HintEdit
	hint     HintState
	channel  *chooser
	strength *control
	invert   *check
	grow     *control
	soften   *control
}

func newHintEditor(s *Screen) *hintEditor {
	e := &hintEditor{screen: s}
	e.channel = newChooser("", s.tip, e.channels)
	add := func(spec controlSpec, field func(*settings.HintEdit) *float64) *control {
		var c *control
		c = newControl(spec, s.tip, func(v float64) {
			edit := e.edit
			*field(&edit) = v
			e.change(c.step(), edit)
		})
		return c
	}
	e.strength = add(controlSpec{
		label: "Strength", help: "How much a hint from the screen's colour leaves out: over 0 also what has little of that colour, under 0 only what has much",
		least: -settings.MostHintStrength, most: settings.MostHintStrength, step: 0.01, curve: 1, decimals: 2,
	}, func(h *settings.HintEdit) *float64 { return &h.Strength })
	e.grow = add(controlSpec{
		label: "Hint grow", help: "Move the hint's edge outwards, or inwards under 0, by pixels of the plate; fractions count",
		least: -settings.MostHintGrow, most: settings.MostHintGrow, step: 0.5, curve: 2, decimals: 1,
	}, func(h *settings.HintEdit) *float64 { return &h.Grow })
	e.soften = add(controlSpec{
		label: "Hint soften", help: "Blur the hint, as the standard deviation of a Gaussian in pixels of the plate",
		most: settings.MostHintSoften, step: 0.5, curve: 2, decimals: 1,
	}, func(h *settings.HintEdit) *float64 { return &h.Soften })
	e.invert = newCheck("Invert", "Exchange bright and dark: a hint is bright over the subject", s.tip, func(on bool) {
		edit := e.edit
		edit.Invert = on
		e.change(Step{Name: "Invert the hint", Turn: s.tools.next()}, edit)
	})
	e.content = container.New(column(0), named("Channel", e.channel), e.strength, e.invert, e.grow, e.soften)
	return e
}

// named puts a label before a chooser, in the columns of a control.
func named(label string, c *chooser) fyne.CanvasObject {
	return container.New(labelled{}, newText(label, sizeText, grey(greyText)), c)
}

// change asks for another edit.
func (e *hintEditor) change(step Step, edit settings.HintEdit) {
	e.set(edit)
	e.screen.intents.Choose(step, func(c *settings.Choices) { c.Edit = edit })
}

func (e *hintEditor) set(edit settings.HintEdit) {
	e.edit = edit
	e.strength.set(edit.Strength)
	e.grow.set(edit.Grow)
	e.soften.set(edit.Soften)
	e.invert.set(edit.Invert)
}

// show draws a state.
func (e *hintEditor) show(s State) {
	e.hint = s.Hint
	e.set(s.Choices.Edit)
	open := s.Layers.Plate != nil
	used, note := channelTitle(s.Choices.Edit.Channel), ""
	if s.Choices.Edit.Channel == settings.ChannelAuto && s.Hint.Channel != "" {
		note = channelTitle(s.Hint.Channel)
	}
	e.channel.help = "Which channel of the hint's file is the hint; auto finds it"
	if !s.Hint.FromFile {
		e.channel.help = "Only a hint from a file has channels: this one is made from the screen's colour"
	}
	e.channel.say(used, strings.ToLower(note))
	e.channel.enable(open && s.Hint.FromFile)
	why := ""
	if !open {
		why = "Open a plate first"
	}
	e.invert.enable(open)
	e.grow.enable(why)
	e.soften.enable(why)
	if s.Hint.FromFile {
		why = "Only for a hint from the screen's colour: this one is from a file"
	}
	e.strength.enable(why)
}

// channels are the lines of the channel's menu. A channel that the file lacks cannot be chosen.
func (e *hintEditor) channels() []*fyne.MenuItem {
	var items []*fyne.MenuItem
	for _, c := range append([]settings.HintChannel{settings.ChannelAuto}, settings.HintChannels()...) {
		item := fyne.NewMenuItem(channelTitle(c), func() {
			edit := e.edit
			edit.Channel = c
			e.change(Step{Name: "Channel of the hint", Turn: e.screen.tools.next()}, edit)
		})
		item.Checked = c == e.edit.Channel
		if c == settings.ChannelAlpha && !e.hint.HasAlpha {
			item.Disabled = true
			item.Label += " (the file has none)"
		}
		items = append(items, item)
	}
	return items
}

// channelTitle names a channel.
func channelTitle(c settings.HintChannel) string {
	if c == settings.ChannelAuto {
		return "Auto"
	}
	return upperFirst(string(c))
}
