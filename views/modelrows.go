//go:build !headless

package views

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// modelRows choose the model, and show how far a download is.
type modelRows struct {
	content *fyne.Container
	screen  *Screen
	state   ModelState
	pick    *chooser
	about   *paragraph

	running *fyne.Container
	words   *paragraph
	gauge   *gauge
	stop    *button
}

func newModelRows(s *Screen) *modelRows {
	r := &modelRows{
		screen: s, about: newParagraph(panelText-controlLabel, sizeSmall, grey(greyQuiet)),
		words: newParagraph(panelText-76, sizeSmall, grey(greyQuiet)), gauge: newGauge(),
	}
	r.pick = newChooser("", s.tip, r.items)
	r.stop = newButton("Cancel", plainButton, s.intents.StopFetching).
		helps("Stop the download; what is here already stays, and the next one goes on from there", s.tip)
	r.running = container.New(column(4), container.NewBorder(nil, nil, r.words, container.New(atTop{}, r.stop)), r.gauge.content)
	r.running.Hide()
	r.content = container.New(column(3), container.New(labelled{}, newText("Model", sizeText, grey(greyText)), r.pick),
		container.New(indented(controlLabel), r.about), r.running)
	return r
}

// items are the models of this machine, then those to be fetched.
func (r *modelRows) items() []*fyne.MenuItem {
	in := r.screen.intents
	var items []*fyne.MenuItem
	for _, c := range r.state.Choices {
		item := fyne.NewMenuItem(c.Label, func() { in.ChooseModel(c.Name) })
		item.Checked = c.Name == r.state.Name
		items = append(items, item)
	}
	items = append(items, fyne.NewMenuItemSeparator(), fyne.NewMenuItem("Open a checkpoint…", in.OpenModel))
	for _, c := range r.state.Offers {
		item := fyne.NewMenuItem(c.Label, func() { in.FetchModel(c.Name) })
		// One download at a time.
		item.Disabled = r.state.Fetch != nil
		items = append(items, item)
	}
	return items
}

// show draws a state and reports whether the height may have changed.
func (r *modelRows) show(m ModelState) bool {
	r.state = m
	note := ""
	if m.Opening != "" {
		note = "opening " + m.Opening
	}
	r.pick.say(m.Label, note)
	r.pick.enable(m.Busy == "")
	r.pick.help = "Choose the network that keys, or get another one. Needs a new key"
	if m.Busy != "" {
		r.pick.help = m.Busy
	}
	changed := r.about.say(m.About, grey(greyQuiet))
	changed = changed || r.running.Visible() != (m.Fetch != nil)
	visible(r.running, m.Fetch != nil)
	part := float32(-1)
	if f := m.Fetch; f != nil {
		part = float32(f.Part)
		changed = r.words.say(f.Words, grey(greyQuiet)) || changed
	}
	r.gauge.set(part)
	return changed
}
