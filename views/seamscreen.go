//go:build !headless

package views

import (
	"fmt"
	"image"
	"slices"

	"greenroom/engine/tiling"
)

// seamLook is how the artist looks at seams. What cannot be shown now is kept for when it can.
type seamLook struct {
	grid, heat bool
	scale      tiling.HeatScale
	// chosen is the seam of the list that was jumped to; -1 is none.
	chosen int
	// next says that the keys for the next seam or finding go through the seams: what was turned on or clicked last decides.
	next bool
	// start is the view in which a check of the seams began; noView where another was chosen since.
	start View
	// from is the view that the heat map was turned on from; noView when it was the plate.
	from View
	// under is the view that the heat map lay over when a wipe between grids, or the next key's tiles, hid it and showed the
	// key; noView when nothing did.
	under View
	// asked says that a check was asked for here and has not ended, and reveal that the group is to be brought into view.
	asked, reveal bool
}

func newSeamLook() seamLook {
	return seamLook{scale: tiling.DefaultHeatScale(), chosen: -1, from: noView, start: noView, under: noView}
}

// showSeams follows a new state: another plate forgets where the artist was, and other seams which one was chosen; a check
// that has ended is shown, unless another view was chosen meanwhile. Under the heat map a key that was made after a
// checked one is checked too: what its own run knows is another measure.
func (s *Screen) showSeams(before State) {
	now := s.state.Seams
	if before.Layers.Plate != s.state.Layers.Plate {
		scale := s.seams.scale
		s.seams = newSeamLook()
		s.seams.scale = scale
		return
	}
	if !slices.Equal(before.Seams.List, now.List) {
		s.seams.chosen = -1
	}
	if s.seams.heat && now.Follow && s.canCheck() {
		s.intents.CheckSeams()
		// Until that has begun the other measure is not to flash up.
		m := &s.state.Seams
		m.List, m.Heat, m.NoHeat, m.Checking = nil, nil, "The seams are being checked", true
		m.WhyNot = m.NoHeat
		return
	}
	if s.heatShown() {
		s.unhideHeat()
	}
	if now.Checking && !before.Seams.Checking {
		s.seams.start = s.view
	}
	if before.Seams.Checking && !now.Checking {
		s.seams.reveal = s.seams.asked && now.Second != nil
		s.seams.asked = false
	}
	if before.Seams.Checking && now.Second != nil && now.Heat != nil && !s.seams.heat && s.view == s.seams.start {
		s.ToggleHeat()
	}
}

func (s *Screen) canGrid() bool { return len(s.state.Seams.Bands) > 0 }
func (s *Screen) canHeat() bool {
	return s.hasPlate() && s.state.Seams.NoHeat == "" && s.state.Seams.Heat != nil
}
func (s *Screen) canWipeGrids() bool {
	return s.state.Seams.NoSecond == "" && s.state.Seams.Second != nil && s.state.Layers.Key != nil
}
func (s *Screen) canJump() bool { return len(s.state.Seams.List) > 0 }

// canAskHeat reports whether there is a heat map, or a check can make one.
func (s *Screen) canAskHeat() bool { return s.canHeat() || s.hasPlate() && s.canCheck() }

// noSeams says that there can be no seams, and noHeat why there is no heat map, in the open plate.
func (s *Screen) noSeams() string { return s.state.Seams.None }

func (s *Screen) noHeat() string {
	m := s.state.Seams
	if m.None != "" || !s.hasPlate() {
		return m.None
	}
	return m.NoHeat
}

// CheckSeams has the seams of the key checked. When that has ended the group is brought into view.
func (s *Screen) CheckSeams() {
	s.seams.asked = true
	s.intents.CheckSeams()
}

func (s *Screen) canCheck() bool { return s.state.Seams.WhyNot == "" && !s.state.asks() }

// ToggleGrid shows the tiles and their overlaps over the picture, or not.
func (s *Screen) ToggleGrid() {
	s.seams.grid = !s.seams.grid
	s.nextBySight()
	s.look()
}

// ToggleHeat shows the heat map over the plate, or not. From another view it goes to the plate, and then back to where it
// came from; the other views can be chosen under it. Seams that have not been checked are: the check's heat map is shown
// when it has ended, until then what the key's own run knows.
func (s *Screen) ToggleHeat() {
	l := &s.seams
	if m := s.state.Seams; !s.heatShown() && !(m.Checked && m.Heat != nil) && s.canCheck() {
		s.CheckSeams()
	}
	if !s.canHeat() {
		s.look()
		return
	}
	l.heat, l.under = !s.heatShown(), noView
	l.reveal = l.heat && s.canJump()
	if s.statusBeside() || l.heat && s.gridsWiped() {
		s.looking.wipe.On = false
	}
	s.nextBySight()
	switch {
	case l.heat && s.view != ViewPlate:
		l.from, s.view = s.view, ViewPlate
	case !l.heat && l.from != noView && s.view == ViewPlate && s.canView(l.from):
		s.view, l.from = l.from, noView
	default:
		l.from = noView
	}
	s.look()
}

// nextBySight hands the keys for the next seam or finding to the seams while something is shown of them.
func (s *Screen) nextBySight() {
	s.seams.next = s.seams.grid || s.seams.heat || s.gridsWiped()
}

// statusBeside reports whether a wipe shows the status.
func (s *Screen) statusBeside() bool {
	w := s.looking.wipe
	return w.On && w.Right == Side{View: ViewStatus}
}

// scaleHeat changes the heat map's scale.
func (s *Screen) scaleHeat(scale tiling.HeatScale) {
	s.seams.scale = scale
	s.look()
}

// JumpSeam shows the seam that is so many places further down the list, and begins again at its end.
func (s *Screen) JumpSeam(by int) {
	n := len(s.state.Seams.List)
	if n == 0 {
		return
	}
	next := s.seams.chosen + by
	if s.seams.chosen < 0 && by < 0 {
		next = n - 1
	}
	s.ShowSeam((next%n + n) % n)
}

// ShowSeam shows a seam of the list at 100 %, its farthest pixel in the middle.
func (s *Screen) ShowSeam(i int) {
	list := s.state.Seams.List
	if i < 0 || i >= len(list) {
		return
	}
	s.seams.chosen, s.seams.next, s.finding = i, true, noFinding
	at := list[i].At
	s.viewer.LookAt(float64(at.X)+0.5, float64(at.Y)+0.5, 1)
	s.look()
	s.explain(fmt.Sprintf("Seam %d of %d, %s", i+1, len(list), list[i].words()))
}

// seamLayer is what lies over the picture.
func (s *Screen) seamLayer() SeamLayer {
	m, l := s.state.Seams, s.seams
	layer := SeamLayer{Grid: l.grid && s.canGrid(), Bands: m.Bands, Scale: l.scale}
	if s.heatShown() {
		layer.Heat, layer.Checked = m.Heat, m.Checked
	} else if l.heat && m.Checking && m.Heat == nil {
		layer.Wait = "Checking seams: " + CheckProgress(m)
	}
	if l.chosen >= 0 && l.chosen < len(m.List) && (layer.Grid || layer.Heat != nil) {
		layer.Marked, layer.Mark = true, m.List[l.chosen].At
	}
	if list := s.state.Matte.Review.Findings; s.finding >= 0 && s.finding < len(list) {
		layer.Marked, layer.Mark = true, image.Pt(list[s.finding].X, list[s.finding].Y)
	}
	return layer
}

// heatShown reports whether the heat map is shown now: not over a wipe between two keys, both sides of which it would
// cover alike.
func (s *Screen) heatShown() bool { return s.seams.heat && s.canHeat() && !s.keysWiped() }

// gridsCompared reports whether the key is compared with that on the other grid.
func (s *Screen) gridsCompared() bool { return s.canWipeGrids() && s.gridsWiped() }

// keysWiped reports whether two keys are compared.
func (s *Screen) keysWiped() bool {
	return s.gridsWiped() && slices.Contains(s.sides(), Side{Second: true})
}
