//go:build !headless

package views

import (
	"fmt"
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"

	"greenroom/engine/colour"
	"greenroom/engine/settings"
)

// compGroup says what lies behind the key in a comp, and how the two are mixed.
type compGroup struct {
	content    *fyne.Container
	background *option
	blend      dial

	// plain are the rows of a colour, picture those of a picture.
	plain   *fyne.Container
	swatch  *canvas.Rectangle
	hex     *hexEntry
	colours []dial

	picture *fyne.Container
	name    *canvas.Text
	remove  *button
	remarks *remarks
	places  []dial
}

func newCompGroup(s *Screen) *compGroup {
	g := &compGroup{remarks: newRemarks()}
	g.background = newOption(optionSpec{
		label: "Background", help: "What lies behind the key in the comp" + s.keyOf("Next Background") + ".", usual: string(settings.BackgroundChecker),
		words: []optionWord{
			{string(settings.BackgroundChecker), "Checker", ""}, {string(settings.BackgroundBlack), "Black", ""},
			{string(settings.BackgroundGrey), "Grey", "middle grey, 18 %"}, {string(settings.BackgroundWhite), "White", ""},
			{string(settings.BackgroundColour), "Colour", ""}, {string(settings.BackgroundPicture), "Picture", ""},
		},
	}, s.tip, func(value string) {
		if value == string(settings.BackgroundPicture) && s.state.Choices.Backdrop == "" {
			g.background.set(string(s.state.Choices.Look.Background))
			s.intents.OpenBackdrop()
			return
		}
		s.intents.Choose(s.step("Background"), func(c *settings.Choices) { c.Look.Background = settings.Background(value) })
	})
	g.blend = wordDial(s, optionSpec{
		label: "Blend", help: "The light in which key and background are mixed.",
		words: []optionWord{
			{string(settings.BlendLinear), "Linear light", "as cameras and compositors do"},
			{string(settings.BlendDisplay), "As Photoshop", "mixes display values, edges turn darker"},
		},
	}, func(l *settings.Look) *settings.Blend { return &l.Comp.Blend })
	g.colourRows(s)
	g.pictureRows(s)
	g.content = foldable(s, "Comp", nil, container.New(column(0), g.background, g.plain, g.picture, g.blend.CanvasObject))
	return g
}

// colourRows makes the rows of a plain colour.
func (g *compGroup) colourRows(s *Screen) {
	g.swatch = newSwatch()
	g.hex = newHexEntry(func(c settings.Colour) {
		s.intents.Choose(s.step("Background colour"), func(choices *settings.Choices) { choices.Look.Comp.Colour = c })
	})
	for i, name := range []string{"Red", "Green", "Blue"} {
		g.colours = append(g.colours, choiceDial(s, controlSpec{
			label: name, name: "Background " + name, help: name + " of the background, sRGB-encoded in steps of 8 bits", most: 255, step: 1, curve: 1,
		}, func(c *settings.Choices) float64 { return 255 * c.Look.Comp.Colour[i] }, func(c *settings.Choices, v float64) { c.Look.Comp.Colour[i] = v / 255 }))
	}
	g.plain = container.New(column(0), container.New(hexRow{}, newText("Hex or R, G, B", sizeText, grey(greyText)), container.NewThemeOverride(g.hex, compact{}), g.swatch))
	for _, d := range g.colours {
		g.plain.Add(d.CanvasObject)
	}
	g.plain.Hide()
}

// pictureRows makes the rows of a picture.
func (g *compGroup) pictureRows(s *Screen) {
	g.name = newText("", sizeText, grey(greyText))
	open := newButton("Open…", plainButton, s.intents.OpenBackdrop).helps("Open a picture as the background", s.tip)
	g.remove = newButton("Remove", plainButton, func() {
		s.intents.Choose(s.step("Remove the background picture"), func(c *settings.Choices) {
			c.Backdrop, c.BackdropSpace, c.Look.Background = "", "", settings.DefaultLook().Background
		})
	}).helps("Take the background picture away", s.tip)
	open.pad, g.remove.pad = narrowPad, narrowPad
	words := []optionWord{{"", "As the file says", ""}}
	for _, space := range colour.Spaces() {
		words = append(words, optionWord{string(space), space.Title(), ""})
	}
	shift := func(name string, axis func(c *settings.Comp) *float64) dial {
		return numberDial(s, controlSpec{
			label: name, name: "Background " + name, help: "Moves the background, in pixels of the plate", least: -4096, most: 4096, low: -100_000, high: 100_000,
			step: 1, curve: 3,
		}, func(l *settings.Look) *float64 { return axis(&l.Comp) })
	}
	g.places = []dial{
		choiceOption(s, optionSpec{label: "Space", help: "What the picture's numbers mean.", words: words},
			func(c *settings.Choices) string { return c.BackdropSpace }, func(c *settings.Choices, v string) { c.BackdropSpace = v }),
		wordDial(s, optionSpec{
			label: "Placement", help: "How the picture is laid under the plate.",
			words: []optionWord{
				{string(settings.PlaceFit), "Fit", "all of it is seen"}, {string(settings.PlaceFill), "Fill", "covers the whole frame"},
				{string(settings.PlaceActual), "1:1", "its own pixels"},
			},
		}, func(l *settings.Look) *settings.Placement { return &l.Comp.Placement }),
		choiceDial(s, controlSpec{
			label: "Scale, %", name: "Background scale", help: "Enlarges the background about the frame's middle", least: 10, most: 800, low: 1, high: 10_000,
			step: 1, curve: 3,
		}, func(c *settings.Choices) float64 { return 100 * c.Look.Comp.Scale }, func(c *settings.Choices, v float64) { c.Look.Comp.Scale = v / 100 }),
		shift("Offset x", func(c *settings.Comp) *float64 { return &c.OffsetX }),
		shift("Offset y", func(c *settings.Comp) *float64 { return &c.OffsetY }),
		numberDial(s, controlSpec{
			label: "Exposure", name: "Background exposure", help: "Brightens the background, in stops", least: -6, most: 6, low: -10, high: 10, step: 0.05, curve: 1,
			decimals: 2,
		}, func(l *settings.Look) *float64 { return &l.Comp.Exposure }),
	}
	g.picture = container.New(column(0), container.NewBorder(nil, nil, container.NewCenter(g.name), container.NewHBox(open, g.remove)), g.remarks.content)
	for _, d := range g.places {
		g.picture.Add(d.CanvasObject)
	}
	g.picture.Hide()
}

// pictureName is the width of the picture's name beside its two buttons.
const pictureName = panelText - 150

// show draws a state and reports whether the group's height may have changed.
func (g *compGroup) show(s State) bool {
	c := s.Choices
	if c.Look == (settings.Look{}) {
		return false
	}
	g.background.set(string(c.Look.Background))
	plain, picture := c.Look.Background == settings.BackgroundColour, c.Look.Background == settings.BackgroundPicture
	changed := g.plain.Visible() != plain || g.picture.Visible() != picture
	visible(g.plain, plain)
	visible(g.picture, picture)
	g.blend.show(c)
	for _, d := range append(g.colours, g.places...) {
		d.show(c)
	}
	g.hex.set(c.Look.Comp.Colour)
	red, green, blue := bytesOf(c.Look.Comp.Colour)
	fillSwatch(g.swatch, color.NRGBA{red, green, blue, 255})
	name := s.Matte.Backdrop.Name
	if s.Matte.Backdrop.Reading {
		name = "Reading " + name
	}
	say(g.name, shorten(name, pictureName, sizeText, fyne.TextStyle{}), grey(greyText))
	return g.remarks.show(s.Matte.Backdrop.Remarks) || changed
}

// hexRow lays out a label, an entry and a swatch in line with the rows of numbers.
type hexRow struct{}

// MinSize implements fyne.Layout.
func (hexRow) MinSize([]fyne.CanvasObject) fyne.Size { return controlRow{}.MinSize(nil) }

// Layout implements fyne.Layout.
func (hexRow) Layout(o []fyne.CanvasObject, size fyne.Size) {
	placeLabel(o[0], size)
	right := size.Width - controlReset
	const entry = 96
	o[1].Move(fyne.NewPos(right-entry, 1))
	o[1].Resize(fyne.NewSize(entry, size.Height-2))
	o[2].Move(fyne.NewPos(controlLabel, 4))
	o[2].Resize(fyne.NewSize(right-entry-gap-controlLabel, size.Height-8))
}

// newSwatch returns a patch of a colour.
func newSwatch() *canvas.Rectangle {
	r := canvas.NewRectangle(color.Transparent)
	r.StrokeColor, r.StrokeWidth, r.CornerRadius = grey(greyTrough), 1, 3
	r.SetMinSize(fyne.NewSquareSize(16))
	return r
}

// fillSwatch changes a patch's colour.
func fillSwatch(r *canvas.Rectangle, c color.NRGBA) {
	if r.FillColor != color.Color(c) {
		r.FillColor = c
		r.Refresh()
	}
}

// rgbWords writes a colour as numbers between 0 and 255.
func rgbWords(c color.NRGBA) string { return fmt.Sprintf("%d, %d, %d", c.R, c.G, c.B) }
