//go:build !headless

package views

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"greenroom/engine/settings"
)

// keyingGroup holds what the network is given and which network it is. All but the refiner put the key out of date.
type keyingGroup struct {
	content *fyne.Container
	screen  *Screen
	look    settings.Look
	plate   PlateState

	model *modelRows
	pick  *chooser

	exposure, smooth, refiner *control
	auto                      *check
}

func newKeyingGroup(s *Screen) *keyingGroup {
	g := &keyingGroup{screen: s, look: settings.DefaultLook(), model: newModelRows(s)}
	g.pick = newChooser("The colour of the screen. Another one than was found needs a new key", s.tip, g.screens)
	g.exposure = newControl(controlSpec{
		label: "Key exposure", help: "Brighten the plate for hint and network only, in stops; what is exported keeps its own brightness. Needs a new key",
		least: -4, most: 4, step: 0.05, curve: 1, decimals: 2,
	}, s.tip, func(v float64) {
		g.change(g.exposure.step(), func(l *settings.Look) { l.KeyExposure = v })
	})
	g.smooth = newControl(controlSpec{
		label: "Chroma blur", help: "Smooth the plate's colour, not its brightness, for hint and network only, in pixels. Needs a new key",
		most: mostSmooth, step: 0.1, curve: 2, decimals: 1,
	}, s.tip, func(v float64) {
		g.change(g.smooth.step(), func(l *settings.Look) { l.ChromaSmooth = v })
	})
	g.smooth.reset.do = func() { g.smoothBy(settings.ChromaAuto) }
	g.auto = newCheck("Auto", "Smooth colour as the file needs it: 1 px where a JPEG holds it at half the size, else not at all", s.tip, func(on bool) {
		v := float64(settings.ChromaAuto)
		if !on {
			v = g.plate.ChromaAuto
		}
		g.smoothBy(v)
	})
	g.refiner = newControl(controlSpec{
		label: "Refiner", help: "How much of the network's fine detail is used: 1 is all of it, 0 its coarse result. Live: no new key",
		most: 1, step: 0.01, usual: settings.DefaultLook().Refiner, curve: 1, decimals: 2,
	}, s.tip, func(v float64) {
		g.change(g.refiner.step(), func(l *settings.Look) { l.Refiner = v })
	})
	g.set(g.look)
	g.content = foldable(s, "Key", nil, g.model.content, container.New(labelled{}, newText("Screen", sizeText, grey(greyText)), g.pick),
		container.New(column(0), g.exposure, g.smooth, container.New(indented(controlLabel), g.auto), g.refiner))
	return g
}

// mostSmooth is the most pixels that colour is smoothed by.
const mostSmooth = 10

// screens are the colours that a screen may have.
func (g *keyingGroup) screens() []*fyne.MenuItem {
	var items []*fyne.MenuItem
	for _, screen := range []settings.Screen{settings.ScreenAuto, settings.ScreenGreen, settings.ScreenBlue} {
		item := fyne.NewMenuItem(screenLabel(screen), func() {
			g.change(g.screen.step("Screen colour"), func(l *settings.Look) { l.Screen = screen })
		})
		item.Checked = screen == g.look.Screen
		items = append(items, item)
	}
	return items
}

func screenLabel(screen settings.Screen) string {
	if screen == settings.ScreenAuto {
		return "As found in the plate"
	}
	return upperFirst(string(screen))
}

// change asks for another look.
func (g *keyingGroup) change(step Step, alter func(*settings.Look)) {
	look := g.look
	alter(&look)
	g.set(look)
	g.screen.intents.Choose(step, func(c *settings.Choices) { alter(&c.Look) })
}

func (g *keyingGroup) smoothBy(v float64) {
	g.smooth.turn++
	g.change(g.smooth.step(), func(l *settings.Look) { l.ChromaSmooth = v })
}

func (g *keyingGroup) set(look settings.Look) {
	g.look = look
	g.exposure.set(look.KeyExposure)
	auto := look.ChromaSmooth == settings.ChromaAuto
	smooth := look.ChromaSmooth
	if auto {
		smooth = g.plate.ChromaAuto
	}
	g.smooth.set(smooth)
	visible(g.smooth.reset, !auto)
	g.auto.set(auto)
	g.refiner.set(look.Refiner)
}

// show draws a state and reports whether the group's height may have changed.
func (g *keyingGroup) show(s State) bool {
	g.plate = s.Plate
	if s.Choices.Look != (settings.Look{}) {
		g.set(s.Choices.Look)
	}
	label, note := screenLabel(g.look.Screen), ""
	if g.look.Screen == settings.ScreenAuto && s.Hint.Screen != "" {
		label, note = upperFirst(s.Hint.Screen), "found"
	}
	g.pick.say(label, note)
	return g.model.show(s.Model)
}

// labelled lays a control out beside its label, in the columns of a control.
type labelled struct{}

// MinSize implements fyne.Layout.
func (labelled) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(controlLabel+o[1].MinSize().Width, rowHeight)
}

// Layout implements fyne.Layout.
func (labelled) Layout(o []fyne.CanvasObject, size fyne.Size) {
	placeLabel(o[0], size)
	o[1].Move(fyne.NewPos(controlLabel-2, 0))
	o[1].Resize(fyne.NewSize(size.Width-controlLabel+2, size.Height))
}
