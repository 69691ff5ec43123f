//go:build !headless

package views

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
)

// presetRows choose a preset and keep it.
type presetRows struct {
	content *fyne.Container
	screen  *Screen
	state   PresetState
	busy    string
	pick    *chooser
	save    *button
	revert  *button
	more    *chooser
	wrong   *remarks
}

func newPresetRows(s *Screen) *presetRows {
	r := &presetRows{screen: s, wrong: newRemarks()}
	r.pick = newChooser("", s.tip, r.choices)
	r.save = newButton("Save", plainButton, s.intents.SavePreset).helps("", s.tip)
	r.revert = newButton("Revert", plainButton, s.intents.RevertPreset).helps("", s.tip)
	r.more = newChooser("Save under another name, duplicate, import, or show the file", s.tip, r.others)
	r.more.say("More", "")
	r.more.flat = true
	r.content = container.New(column(4), r.pick,
		container.NewHBox(r.save, r.revert, layout.NewSpacer(), container.New(fixedWidth(68), r.more)), r.wrong.content)
	return r
}

// choices are the presets, those of the program first and with a lock.
func (r *presetRows) choices() []*fyne.MenuItem {
	var items []*fyne.MenuItem
	for i, c := range r.state.Choices {
		if i > 0 && r.state.Choices[i-1].BuiltIn && !c.BuiltIn {
			items = append(items, fyne.NewMenuItemSeparator())
		}
		item := fyne.NewMenuItem(c.Name, func() { r.screen.intents.UsePreset(c.Name) })
		item.Checked = c.Name == r.state.Name
		if c.BuiltIn {
			item.Icon = lockIcon()
		}
		items = append(items, item)
	}
	return items
}

// others are what is done less often.
func (r *presetRows) others() []*fyne.MenuItem {
	in := r.screen.intents
	reveal := fyne.NewMenuItem("Reveal the Folder of Presets", in.RevealPreset)
	if r.state.File {
		reveal.Label = "Reveal the File"
	}
	items := []*fyne.MenuItem{
		fyne.NewMenuItem("Save as…", in.SavePresetAs), fyne.NewMenuItem("Duplicate…", in.DuplicatePreset),
		fyne.NewMenuItem("Import…", in.ImportPreset), fyne.NewMenuItemSeparator(), reveal,
	}
	if r.busy != "" {
		for _, item := range items[:3] {
			item.Disabled = true
		}
	}
	return items
}

// show draws a state and reports whether the height may have changed.
func (r *presetRows) show(m MachineState) bool {
	p := m.Preset
	r.state, r.busy = p, m.Busy
	note := ""
	if p.Edited {
		note = "edited"
	}
	r.pick.say(p.Name, note)
	r.pick.hold(p.BuiltIn)
	r.pick.enable(m.Busy == "")
	r.pick.help = "Choose a preset"
	if p.BuiltIn {
		r.pick.help = "This preset comes with Greenroom and cannot be changed; Save makes a copy of it"
	}
	r.save.enable(p.Edited && m.Busy == "")
	r.revert.enable(p.Edited && m.Busy == "")
	switch {
	case m.Busy != "":
		r.pick.help, r.save.help, r.revert.help = m.Busy, m.Busy, m.Busy
	case !p.Edited:
		r.save.help, r.revert.help = "Nothing differs from the preset", "Nothing differs from the preset"
	default:
		r.save.help, r.revert.help = "Save these settings in the preset", "Bring the preset's own settings back"
		if p.BuiltIn {
			r.save.help = "Save these settings as a preset of your own: this one cannot be changed"
		}
	}
	var wrong []Remark
	for _, text := range p.Problems {
		wrong = append(wrong, Remark{Text: text, Warning: true})
	}
	return r.wrong.show(wrong)
}
