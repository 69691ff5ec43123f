//go:build !headless

package views

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"
)

// settingRow shows a setting: its name, what is asked for, what is used where that differs, and under Why? the rules
// that speak of it with their evidence.
type settingRow struct {
	content *fyne.Container
	name    string
	help    string
	toggle  *check
	pick    *chooser
	lock    *widget.Icon
	used    *canvas.Text
	why     *button
	// because is what Why? shows.
	because *reasons
	state   SettingState
	// table says that the row is one of the table of all: what is used is always shown, and locks are explained under
	// Why?.
	table bool
}

// newSettingRow returns the row of a setting with several values.
func newSettingRow(s *Screen, name, label string) *settingRow {
	return settingRowOf(s, name, newText(label, sizeText, grey(greyText)), settingCells{controlLabel, mainControl}, false)
}

// newTableRow returns a setting's row in the table of all: a toggle, or a setting with several values.
func newTableRow(s *Screen, name string, toggle bool) *settingRow {
	r := settingRowOf(s, name, newText(name, sizeSmall, grey(greyText)), settingCells{tableLabel, tableControl}, toggle)
	r.table = true
	return r
}

func settingRowOf(s *Screen, name string, title *canvas.Text, cells settingCells, toggle bool) *settingRow {
	help := settingHelp(name)
	r := &settingRow{name: name, help: help, because: newReasons(), used: newText("", sizeSmall, grey(greyQuiet))}
	var control fyne.CanvasObject
	if toggle {
		r.toggle = newCheck("", help, s.tip, func(on bool) {
			value := "off"
			if on {
				value = "on"
			}
			s.intents.SetSetting(name, value)
		})
		r.lock = widget.NewIcon(lockIcon())
		r.lock.Hide()
		control = container.New(toggleCell{}, r.toggle, r.lock)
	} else {
		r.pick = newChooser(help, s.tip, func() []*fyne.MenuItem { return r.items(s) })
		control = r.pick
	}
	r.why = newButton("Why?", flatButton, func() {
		r.because.unfold(!r.because.open)
		r.why.turn(r.because.open)
		s.panel.layOut()
	}).helps("Show the rules behind this setting, and what they rest on", s.tip)
	row := container.New(cells, title, control, r.used, r.why)
	r.content = container.New(column(2), row, r.because.content)
	return r
}

// items are the setting's values for a menu; those that are locked cannot be chosen.
func (r *settingRow) items(s *Screen) []*fyne.MenuItem {
	var items []*fyne.MenuItem
	for _, c := range r.state.Choices {
		item := fyne.NewMenuItem(c.Label, func() { s.intents.SetSetting(r.name, c.Value) })
		item.Checked = c.Value == r.state.Asked
		if c.Locked != "" {
			item.Disabled, item.Icon = true, lockIcon()
		}
		items = append(items, item)
	}
	return items
}

// show draws a setting and reports whether the row's height may have changed. busy says why nothing can be changed.
func (r *settingRow) show(state SettingState, busy string) bool {
	r.state = state
	help := r.help
	locked := state.lock()
	switch {
	case busy != "":
		help = busy
	case locked != "":
		help = "Locked: " + locked
	}
	can := busy == "" && locked == "" && len(state.Choices) > 0
	if r.toggle != nil {
		r.toggle.set(state.Asked == "on")
		r.toggle.enable(can)
		r.toggle.help = help
		visible(r.lock, locked != "")
	} else {
		r.pick.say(state.label(state.Asked), "")
		r.pick.enable(can)
		r.pick.hold(locked != "")
		r.pick.help = help
	}
	used, color := "", grey(greyQuiet)
	if state.Used != state.Asked {
		color = amber()
	}
	if r.table || state.Used != state.Asked {
		used = short(state.label(state.Used))
	}
	say(r.used, used, color)
	var locks []string
	if r.table {
		locks = state.locked()
	}
	visible(r.why, len(state.Reasons)+len(locks) > 0)
	return r.because.show(state.Reasons, locks)
}

// short makes a value fit the narrow column of what is used.
func short(label string) string {
	switch label {
	case "Whole frame":
		return "whole"
	case "Own size":
		return "own size"
	}
	return label
}

// reasons are the rules that speak of a setting, folded away until they are asked for.
type reasons struct {
	content *fyne.Container
	open    bool
	shown   string
	list    []SettingReason
	locked  []string
}

// reasonIndent is how far reasons stand in.
const reasonIndent = 10

func newReasons() *reasons {
	r := &reasons{content: container.New(column(2))}
	r.content.Hide()
	return r
}

// show takes reasons in and reports whether something that is seen changed.
func (r *reasons) show(list []SettingReason, locked []string) bool {
	var all strings.Builder
	for _, reason := range list {
		all.WriteString(reason.Rule + strings.Join(reason.Evidence, "\n"))
	}
	key := all.String() + strings.Join(locked, "\n")
	if r.shown == key {
		return false
	}
	r.shown, r.list, r.locked = key, list, locked
	if r.open {
		r.draw()
	}
	return r.open
}

// unfold shows the reasons, or folds them away.
func (r *reasons) unfold(open bool) {
	r.open = open
	if open {
		r.draw()
	}
	visible(r.content, open)
}

// draw writes the reasons.
func (r *reasons) draw() {
	r.content.Objects = nil
	add := func(text string, indent float32, color uint8) {
		p := newParagraph(panelText-indent, sizeSmall, grey(color))
		p.say(text, grey(color))
		r.content.Objects = append(r.content.Objects, container.New(indented(indent), p))
	}
	for _, l := range r.locked {
		add(l+".", reasonIndent, greyText)
	}
	for _, reason := range r.list {
		strength := "Preferred. "
		if reason.Required {
			strength = "Required. "
		}
		add(strength+upperFirst(reason.Rule)+".", reasonIndent, greyText)
		for _, e := range reason.Evidence {
			add("– "+e, 2*reasonIndent, greyQuiet)
		}
	}
	r.content.Objects = append(r.content.Objects, spacer(1, 4))
	r.content.Refresh()
}

// indented moves its only object in from the left.
type indented float32

// MinSize implements fyne.Layout.
func (i indented) MinSize(o []fyne.CanvasObject) fyne.Size {
	return o[0].MinSize().AddWidthHeight(float32(i), 0)
}

// Layout implements fyne.Layout.
func (i indented) Layout(o []fyne.CanvasObject, size fyne.Size) {
	o[0].Move(fyne.NewPos(float32(i), 0))
	o[0].Resize(fyne.NewSize(size.Width-float32(i), size.Height))
}

// settingCells lays out name, control, what is used and Why? in columns: the widths of the name and of the control.
type settingCells struct{ name, control float32 }

const (
	mainControl  = 118
	tableControl = 98
	tableLabel   = 96
	settingWhy   = 38
)

// MinSize implements fyne.Layout.
func (w settingCells) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(w.name+w.control+settingWhy, rowHeight)
}

// Layout implements fyne.Layout.
func (w settingCells) Layout(o []fyne.CanvasObject, size fyne.Size) {
	middle := func(c fyne.CanvasObject, x float32) {
		m := c.MinSize()
		c.Move(fyne.NewPos(x, (size.Height-m.Height)/2))
		c.Resize(m)
	}
	middle(o[0], 0)
	why := size.Width - settingWhy
	o[1].Move(fyne.NewPos(w.name, 1))
	o[1].Resize(fyne.NewSize(w.control, size.Height-2))
	middle(o[2], w.name+w.control+4)
	o[3].Move(fyne.NewPos(why, 1))
	o[3].Resize(fyne.NewSize(settingWhy, size.Height-2))
}

// toggleCell lays a check with a lock after it.
type toggleCell struct{}

// MinSize implements fyne.Layout.
func (toggleCell) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(44, rowHeight-2) }

// Layout implements fyne.Layout.
func (toggleCell) Layout(o []fyne.CanvasObject, size fyne.Size) {
	o[0].Resize(fyne.NewSize(checkBox+gap, size.Height))
	o[1].Move(fyne.NewPos(checkBox+gap, (size.Height-chooserLock)/2))
	o[1].Resize(fyne.NewSquareSize(chooserLock))
}
