//go:build !headless

package views

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// reviewGroup lists what was found about the finished matte, the worst first by how much matte is wrong, and cuts by the frame last. It judges nothing and blocks nothing.
type reviewGroup struct {
	content        *fyne.Container
	screen         *Screen
	about          *paragraph
	places         *placeList
	previous, next *button
	// blacks and whites show the matte under a gain, status in flat colours.
	blacks, whites, status *button
}

// findingNumber is the width of a number in the list.
const findingNumber = 54

func newReviewGroup(s *Screen) *reviewGroup {
	g := &reviewGroup{
		screen: s, about: newParagraph(panelText, sizeSmall, grey(greyQuiet)),
		places: newPlaceList(s, findingNumber, s.ShowFinding, "Finding", "wrong px", "matte"),
	}
	g.previous = newButton("Previous", plainButton, func() { s.JumpFinding(-1) }).helps("Show the finding before"+s.keyOf("Previous Seam or Finding"), s.tip)
	g.next = newButton("Next", plainButton, func() { s.JumpFinding(1) }).helps("Show the next finding"+s.keyOf("Next Seam or Finding"), s.tip)
	g.blacks = newButton("Blacks x16", plainButton, func() { s.slam(GainBlacks) }).
		helps("Show sixteen times the matte: what is left on the screen lights up", s.tip)
	g.whites = newButton("Whites x16", plainButton, func() { s.slam(GainWhites) }).
		helps("Show the matte sixteen times as far from 1: what is missing in the core turns dark", s.tip)
	g.status = newButton("Status", plainButton, func() { s.View(ViewStatus) }).
		helps("Show what is exactly black or white, and what is to be looked at"+s.keyOf("Status"), s.tip)
	g.content = foldable(s, "Matte check", container.NewHBox(g.previous, g.next), g.about, g.places.table, g.places.more,
		container.NewHBox(g.blacks, g.whites, g.status))
	return g
}

// slam shows the matte under a gain, or as it is where that is on already.
func (s *Screen) slam(gain MatteGain) {
	shown := s.view == ViewMatte && s.looking.gain == gain
	if s.looking.gain != gain || shown {
		s.ToggleGain(gain)
	}
	if !shown {
		s.View(ViewMatte)
	}
}

// show draws a state and reports whether the group's height may have changed.
func (g *reviewGroup) show(state State) bool {
	m := state.Matte.Review
	changed := g.about.say(m.words(), grey(greyQuiet))
	n := min(len(m.Findings), placesShown)
	more := ""
	if rest := len(m.Findings) - n; rest > 0 {
		more = fmt.Sprintf("%d smaller ones are not listed; Next goes on to them.", rest)
	}
	if m.More > 0 {
		more += fmt.Sprintf(" Beyond those there are %d.", m.More)
	}
	changed = g.places.show(n, func(i int) ([]string, string) { return m.Findings[i].row() }, more) || changed
	for _, b := range []*button{g.previous, g.next} {
		b.enable(len(m.Findings) > 0)
	}
	for _, b := range []*button{g.blacks, g.whites, g.status} {
		b.enable(state.Layers.Key != nil)
	}
	return changed
}

// look marks what is shown.
func (g *reviewGroup) look(s *Screen) {
	g.places.choose(s.finding)
	g.status.turn(s.view == ViewStatus)
	g.blacks.turn(s.view == ViewMatte && s.looking.gain == GainBlacks)
	g.whites.turn(s.view == ViewMatte && s.looking.gain == GainWhites)
}

// words says what is known in all.
func (m ReviewState) words() string {
	switch {
	case !m.Known && m.Checking:
		return "Looking over the matte"
	case !m.Known:
		return m.WhyNot
	}
	text := fmt.Sprintf("%s translucent, %s solid, %s clear.", share(m.Translucent), share(m.Solid), share(m.Clear))
	if len(m.Findings) == 0 {
		text += " No hole in the core, nothing left on the screen."
	}
	if m.Checking {
		text += " Checking again."
	}
	return text
}

// share writes a share in percent; what is there is never 0.
func share(percent float64) string {
	if percent > 0 && percent < 0.05 {
		return "under 0.1 %"
	}
	return fmt.Sprintf("%.1f %%", percent)
}

// row is what the list shows of a finding, and its tooltip.
func (f MatteFinding) row() (words []string, help string) {
	at := fmt.Sprintf("%s  x %d, y %d", f.Kind, f.X, f.Y)
	return []string{at, f.Amount, decimals(f.Worst, 3)}, "Show it: " + f.Text
}
