//go:build !headless

package views

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"greenroom/engine/colour"
	"greenroom/engine/settings"
)

// plateGroup says what is open, under the plate's name, and how its file is read.
type plateGroup struct {
	content *fyne.Container
	screen  *Screen
	state   PlateState
	choices settings.Choices

	name     *canvas.Text
	details  *paragraph
	restored *paragraph
	back     *fyne.Container
	space    *chooser
	layer    *chooser
	rows     *fyne.Container
	layerRow *fyne.Container
	remarks  *remarks
}

func newPlateGroup(s *Screen) *plateGroup {
	g := &plateGroup{
		screen: s, details: newParagraph(panelText, sizeSmall, grey(greyQuiet)), remarks: newRemarks(),
		restored: newParagraph(panelText, sizeSmall, grey(greyText)),
	}
	g.space = newChooser("", s.tip, g.spaces)
	g.layer = newChooser("", s.tip, g.layers)
	g.layerRow = container.New(labelled{}, newText("Layer", sizeText, grey(greyText)), g.layer)
	g.rows = container.New(column(1), container.New(labelled{}, newText("Colour", sizeText, grey(greyText)), g.space), g.layerRow)
	fresh := newButton("Start fresh", plainButton, s.intents.StartFresh).helps("Put everything back as for a plate that was never open; Undo brings it back", s.tip)
	away := newButton("Dismiss", flatButton, s.intents.DismissRestored).helps("Keep what was brought back", s.tip)
	g.back = container.New(column(3), g.restored, container.NewHBox(fresh, away, layout.NewSpacer()))
	g.back.Hide()
	g.content, g.name = titled("", nil, g.details, g.back, g.rows, g.remarks.content)
	return g
}

// spaces are what the plate's numbers can be taken for.
func (g *plateGroup) spaces() []*fyne.MenuItem {
	choose := func(space colour.Space) func() {
		return func() {
			g.screen.intents.Choose(g.screen.step("Colour space"), func(c *settings.Choices) { c.Space = string(space) })
		}
	}
	file := fyne.NewMenuItem("As the file says: "+g.state.Guess, choose(""))
	file.Checked = g.choices.Space == ""
	items := []*fyne.MenuItem{file, fyne.NewMenuItemSeparator()}
	for _, space := range colour.Spaces() {
		item := fyne.NewMenuItem(space.Title(), choose(space))
		item.Checked = g.choices.Space == string(space)
		items = append(items, item)
	}
	return items
}

// layers are those of the file.
func (g *plateGroup) layers() []*fyne.MenuItem {
	choose := func(layer string) func() {
		return func() {
			g.screen.intents.Choose(g.screen.step("Layer"), func(c *settings.Choices) { c.Layer = layer })
		}
	}
	var items []*fyne.MenuItem
	for _, layer := range g.state.Layers {
		item := fyne.NewMenuItem(layer, choose(layer))
		item.Checked = layer == g.state.Layer
		items = append(items, item)
	}
	return items
}

// show draws a state and reports whether the group's height may have changed.
func (g *plateGroup) show(s State) bool {
	p := s.Plate
	g.state, g.choices = p, s.Choices
	say(g.name, shorten(p.Name, panelText, sizeText, g.name.TextStyle), grey(greyText))
	changed := g.details.say(p.Details, grey(greyQuiet))
	changed = g.restored.say(p.Restored, grey(greyText)) || changed
	visible(g.back, p.Restored != "")
	busy := ""
	if s.Key.Running {
		busy = "The plate is being keyed"
	}
	g.space.say(p.Space, p.SpaceNote)
	g.space.enable(busy == "")
	g.space.help = "What the plate's numbers mean. Another choice reads the plate anew and needs a new key"
	why := p.NoLayers
	// Only OpenEXR has layers: elsewhere the row would be in the way.
	changed = g.layerRow.Visible() == (p.Layer == "") || changed
	visible(g.layerRow, p.Layer != "")
	g.layer.say(p.Layer, "")
	g.layer.enable(busy == "" && why == "")
	g.layer.help = "Which of the file's layers is keyed. Another choice reads the plate anew"
	if why != "" {
		g.layer.help = why
	}
	if busy != "" {
		g.space.help, g.layer.help = busy, busy
	}
	return g.remarks.show(p.Remarks) || changed
}
