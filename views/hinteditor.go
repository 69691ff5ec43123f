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
	section  *section
	hint     HintState
	edit     settings.HintEdit
	channel  *chooser
	strength *control
	invert   *check
	grow     *control
	soften   *control
}

func newHintEditor(s *Screen) *hintEditor {
	e := &hintEditor{screen: s}
	add := func(c **control, spec controlSpec, field func(*settings.HintEdit) *float64) dial {
		d := choiceDial(s, spec, func(c *settings.Choices) float64 { return *field(&c.Edit) },
			func(c *settings.Choices, v float64) { *field(&c.Edit) = v })
		*c = d.CanvasObject.(*control)
		return d
	}
	strength := add(&e.strength, controlSpec{
		label: "Strength", help: "How much a hint from the screen's colour leaves out: over 0 also what has little of that colour, under 0 only what has much",
		least: -settings.MostHintStrength, most: settings.MostHintStrength, step: 0.01, curve: 1, decimals: 2,
	}, func(h *settings.HintEdit) *float64 { return &h.Strength }).only(func(settings.Choices) string {
		if e.hint.FromFile {
			return "Only for a hint from the screen's colour: this one is from a file"
		}
		return ""
	})
	grow := add(&e.grow, controlSpec{
		label: "Hint grow", help: "Move the hint's edge outwards, or inwards under 0, by pixels of the plate; fractions count",
		least: -settings.MostHintGrow, most: settings.MostHintGrow, step: 0.5, curve: 2, decimals: 1,
	}, func(h *settings.HintEdit) *float64 { return &h.Grow })
	soften := add(&e.soften, controlSpec{
		label: "Hint soften", help: "Blur the hint, as the standard deviation of a Gaussian in pixels of the plate",
		most: settings.MostHintSoften, step: 0.5, curve: 2, decimals: 1,
	}, func(h *settings.HintEdit) *float64 { return &h.Soften })
	e.section = newSection(s, "Adjust", false, "Where the hint is read, inverted, shrunk or grown, softened",
		[]dial{e.channelDial(), strength, e.invertDial(), grow, soften})
	return e
}

// invertDial exchanges bright and dark.
func (e *hintEditor) invertDial() dial {
	s := e.screen
	e.invert = newCheck("Invert", "Exchange bright and dark: a hint is bright over the subject", s.tip, func(on bool) {
		s.intents.Choose(s.step("Invert the hint"), func(c *settings.Choices) { c.Edit.Invert = on })
	})
	return dial{
		CanvasObject: e.invert, changed: func() bool { return e.invert.on },
		show:  func(c settings.Choices) { e.invert.set(c.Edit.Invert) },
		reset: func(c *settings.Choices) { c.Edit.Invert = false },
	}
}

// channelDial chooses where in its file the hint is read.
func (e *hintEditor) channelDial() dial {
	e.channel = newChooser("", e.screen.tip, e.channels)
	row := container.New(labelled{}, newText("Channel", sizeText, grey(greyText)), e.channel)
	return dial{
		CanvasObject: row, changed: func() bool { return e.edit.Channel != settings.ChannelAuto },
		show: func(c settings.Choices) {
			note := ""
			if c.Edit.Channel == settings.ChannelAuto && e.hint.Channel != "" {
				note = strings.ToLower(channelTitle(e.hint.Channel))
			}
			e.channel.say(channelTitle(c.Edit.Channel), note)
		},
		reset: func(c *settings.Choices) { c.Edit.Channel = settings.ChannelAuto },
		can: func(settings.Choices) string {
			if !e.hint.FromFile {
				return "Only a hint from a file has channels: this one is made from the screen's colour"
			}
			return ""
		},
		enable: func(why string) {
			e.channel.help = why
			if why == "" {
				e.channel.help = "Which channel of the hint's file is the hint; auto finds it"
			}
			e.channel.enable(why == "")
		},
	}
}

// show draws a state.
func (e *hintEditor) show(s State) {
	e.hint, e.edit = s.Hint, s.Choices.Edit
	e.section.show(s.Choices)
}

// channels are the lines of the channel's menu. A channel that the file lacks cannot be chosen.
func (e *hintEditor) channels() []*fyne.MenuItem {
	var items []*fyne.MenuItem
	for _, channel := range append([]settings.HintChannel{settings.ChannelAuto}, settings.HintChannels()...) {
		item := fyne.NewMenuItem(channelTitle(channel), func() {
			e.screen.intents.Choose(e.screen.step("Channel of the hint"), func(c *settings.Choices) { c.Edit.Channel = channel })
		})
		item.Checked = channel == e.edit.Channel
		if channel == settings.ChannelAlpha && !e.hint.HasAlpha {
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
