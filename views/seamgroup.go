//go:build !headless

package views

import (
	"fmt"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"

	"greenroom/engine/tiling"
)

// seamGroup shows the borders between tiles: how far the tiles are apart, where, and what makes it less.
type seamGroup struct {
	content *fyne.Container
	screen  *Screen
	about   *paragraph

	grid, heat, wipe *check
	scale            *fyne.Container
	threshold, full  *control

	places *placeList

	previous, next *button
	jump           *fyne.Container
	start, stop    *button
	running        *fyne.Container
	words          *canvas.Text
	gauge          *gauge

	remedyTitle *canvas.Text
	remedies    *fyne.Container
	offers      []*remedyRow
}

// The ends of the heat map's scale, in 8-bit steps: what is faintly seen, and what was measured at worst.
const (
	mostThreshold, leastFull, mostFull = 8, 0.5, 128
	// heatApart is how far the ends of the scale are from one another at least.
	heatApart = 0.25
)

// seamNumber is the width of a number in the list.
const seamNumber = 48

func newSeamGroup(s *Screen) *seamGroup {
	g := &seamGroup{
		screen: s, about: newParagraph(panelText, sizeSmall, grey(greyQuiet)),
		places: newPlaceList(s, seamNumber, s.ShowSeam, "Border (8-bit steps)", "mean", "99 %", "worst"),
		words:  newText("", sizeSmall, grey(greyQuiet)), gauge: newGauge(),
	}
	g.grid = newCheck("Grid", "", s.tip, func(bool) { s.ToggleGrid() })
	g.heat = newCheck("Heat map", "", s.tip, func(bool) { s.ToggleHeat() })
	g.wipe = newCheck("Wipe", "", s.tip, func(bool) { s.ToggleGridWipe() })
	usual := tiling.DefaultHeatScale()
	g.threshold = newControl(controlSpec{
		label: "Threshold", help: "Differences up to this many 8-bit steps are not shown", most: mostThreshold, step: 0.05,
		usual: usual.Threshold, curve: 2, decimals: 2,
	}, s.tip, func(v float64) {
		s.scaleHeat(tiling.HeatScale{Threshold: v, Full: max(s.seams.scale.Full, v+heatApart)})
	})
	g.full = newControl(controlSpec{
		label: "Brightest", help: "Differences from this many 8-bit steps on are as bright as can be", least: leastFull, most: mostFull, step: 0.5,
		usual: usual.Full, curve: 3, decimals: 1,
	}, s.tip, func(v float64) {
		s.scaleHeat(tiling.HeatScale{Threshold: min(s.seams.scale.Threshold, v-heatApart), Full: v})
	})
	g.scale = container.New(column(0), g.threshold, g.full)
	g.scale.Hide()

	g.previous = newButton("Previous", plainButton, func() { s.JumpSeam(-1) }).helps("Show the seam before at 100 %"+s.keyOf("Previous Seam or Finding"), s.tip)
	g.next = newButton("Next", plainButton, func() { s.JumpSeam(1) }).helps("Show the next seam at 100 %"+s.keyOf("Next Seam or Finding"), s.tip)
	g.start = newButton("Check seams", plainButton, s.CheckSeams).helps("", s.tip)
	g.stop = newButton("Stop", plainButton, s.intents.StopChecking).helps("Stop checking (Esc)", s.tip)
	g.jump = container.NewHBox(g.previous, g.next)
	g.running = container.New(column(4), container.NewBorder(nil, nil, container.NewCenter(g.words), g.stop), g.gauge.content)
	g.running.Hide()

	g.remedyTitle = newText("Remedies: one click sets it and keys again", sizeSmall, grey(greyQuiet))
	g.remedies = container.New(column(2), g.remedyTitle)
	g.remedies.Hide()

	g.content = foldable(s, "Seams", nil, g.about,
		container.NewHBox(g.grid, spacer(2, 0), g.heat, spacer(2, 0), g.wipe), g.scale, g.places.table, g.places.more,
		container.NewBorder(nil, nil, g.start, g.jump), g.running, g.remedies)
	return g
}

// show draws a state and reports whether the group's height may have changed.
func (g *seamGroup) show(state State) bool {
	m := state.Seams
	changed := g.about.say(m.About, grey(greyQuiet))
	changed = g.list(m, state.Key.Running) || changed

	help := "Key the borders once more on a grid shifted by half a tile, and see how far the two are apart"
	if m.WhyNot != "" {
		help = m.WhyNot
	}
	g.start.help = help
	g.start.enable(m.WhyNot == "")
	changed = changed || g.running.Visible() != m.Checking
	visible(g.running, m.Checking)
	g.gauge.count(m.Checking, m.Done, m.All)
	say(g.words, shorten(CheckProgress(m), panelText-76, sizeSmall, fyne.TextStyle{}), grey(greyQuiet))
	return g.offer(m) || changed
}

// list writes the borders.
func (g *seamGroup) list(m SeamState, keying bool) bool {
	n := min(len(m.List), placesShown)
	if n == 0 && (m.Checking || keying) {
		// Those of the key before leave their room to those that are to come.
		return g.places.show(len(g.places.rows), func(int) ([]string, string) { return make([]string, 4), "" }, "")
	}
	more := ""
	if len(m.List) > n {
		more = fmt.Sprintf("%d fainter ones are not listed; Next goes on to them.", len(m.List)-n)
	}
	return g.places.show(n, func(i int) ([]string, string) { return m.List[i].row() }, more)
}

// row is what the list shows of a border, and its tooltip.
func (s Seam) row() (words []string, help string) {
	direction := "—"
	if s.Upright {
		direction = "|"
	}
	at := fmt.Sprintf("%s  x %d, y %d", direction, s.At.X, s.At.Y)
	return []string{at, steps(s.Mean), steps(s.P99), steps(s.Worst)}, "Show at 100 %: " + s.words()
}

// offer writes the remedies.
func (g *seamGroup) offer(m SeamState) bool {
	n := len(m.Remedies)
	changed := len(g.offers) != n
	for len(g.offers) < n {
		row := newRemedyRow(g.screen)
		g.offers = append(g.offers, row)
		g.remedies.Add(row.content)
	}
	if len(g.offers) > n {
		g.offers = slices.Clip(g.offers[:n])
		g.remedies.Objects = slices.Clip(g.remedies.Objects[:1+n])
	}
	for i, row := range g.offers {
		row.show(m.Remedies[i])
	}
	visible(g.remedies, n > 0)
	return changed
}

// remediesAt is how far under the top of the panel's column the remedies lie.
func (g *seamGroup) remediesAt() float32 {
	inside := g.content.Objects[len(g.content.Objects)-1]
	return g.content.Position().Y + inside.Position().Y + g.remedies.Position().Y
}

// look marks what is shown.
func (g *seamGroup) look(l seamLook, m SeamState) (changed bool) {
	noGrid := ""
	if len(m.Bands) == 0 {
		noGrid = "There is no grid: one tile covers the plate, or none is planned yet"
	}
	turn := func(c *check, on bool, why, help string) {
		c.help = help
		if why != "" {
			c.help = why
		}
		c.enable(why == "")
		c.set(on && why == "")
	}
	s := g.screen
	turn(g.grid, l.grid, noGrid, "Show the tiles, striped where they overlap"+s.keyOf("Tile Grid"))
	noHeat := m.NoHeat
	if s.canAskHeat() {
		noHeat = ""
	}
	turn(g.heat, s.heatShown(), noHeat, "Show where tiles disagree, over the picture, and check the seams first"+s.keyOf("Seam Heat Map"))
	turn(g.wipe, s.gridsWiped(), m.NoSecond, "Compare the key, left of a line, with that on the other grid; drag the line"+s.keyOf("Wipe Between Grids"))
	// What is to come back soon does not move what lies under it.
	heat := l.heat && !s.keysWiped() && (m.NoHeat == "" || m.Checking || s.state.Key.Running)
	changed = g.scale.Visible() != heat
	visible(g.scale, heat)
	g.threshold.set(l.scale.Threshold)
	g.full.set(l.scale.Full)
	g.places.choose(l.chosen)
	g.previous.enable(len(m.List) > 0)
	g.next.enable(len(m.List) > 0)
	return changed
}

// CheckProgress says how far a check of the seams is.
func CheckProgress(m SeamState) string {
	if m.Doing != "" || m.All == 0 {
		return m.Doing
	}
	text := fmt.Sprintf("%d of %d tiles", m.Done, m.All)
	if m.Left >= 0 && m.Done > 0 {
		text += ", " + timeLeft(m.Left)
	}
	return text
}

// words says where a border lies and how far the tiles are apart there.
func (s Seam) words() string {
	return fmt.Sprintf("x %d y %d: mean %s, 99 %% of pixels under %s, worst %s (8-bit steps)",
		s.At.X, s.At.Y, steps(s.Mean), steps(s.P99), steps(s.Worst))
}

// steps writes a difference in 8-bit steps.
func steps(v float64) string {
	if v >= 99.95 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.1f", v)
}
