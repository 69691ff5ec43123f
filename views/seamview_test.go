//go:build !headless

package views

import (
	"image"
	"slices"
	"testing"

	"greenroom/engine/colour"
	"greenroom/engine/tiling"
)

func TestHeatMapHasALegend(t *testing.T) {
	r := withSeams(t, seamState())
	l := r.viewer.overlay.heat
	said := func() (words []string) {
		for _, t := range append(l.ticks[:], l.title, l.foot) {
			if t.Visible() {
				words = append(words, t.Text)
			}
		}
		return words
	}
	if len(said()) > 0 || l.back.Visible() {
		t.Errorf("without a heat map it says %q", said())
	}
	r.ToggleHeat()
	if got := said(); !slices.Equal(got, []string{"0", "4", "8 and more", "Tiles apart, in 8-bit steps", "between tiles that overlap; to 0.5 not shown"}) {
		t.Errorf("the legend says %q", got)
	}
	ramp := func(part float64) uint8 {
		m := l.ramp.Image.(*image.RGBA)
		c := m.RGBAAt(int(part*float64(m.Rect.Dx())), m.Rect.Dy()/2)
		return max(c.R, c.G, c.B)
	}
	if ramp(0.03) != 0 || ramp(0.3) < 60 || ramp(0.97) < 250 {
		t.Errorf("the ramp goes from %d over %d to %d", ramp(0.03), ramp(0.3), ramp(0.97))
	}
	checked := checkedState()
	checked.Layers.Plate = r.state.Layers.Plate
	r.Show(checked)
	r.scaleHeat(tiling.HeatScale{Threshold: 1.25, Full: 13})
	if got := said(); !slices.Equal(got, []string{"0", "6.5", "13 and more", "Tiles apart, in 8-bit steps", "between two grids; to 1.25 not shown"}) {
		t.Errorf("after the check it says %q", got)
	}
	r.viewer.Bare(true)
	if len(said()) > 0 {
		t.Errorf("over the bare plate it says %q", said())
	}
	r.viewer.Bare(false)
	// The next key is being checked.
	checked.Seams.Checked, checked.Seams.Heat, checked.Seams.NoHeat = false, nil, "The seams are being checked"
	checked.Seams.Checking, checked.Seams.Done, checked.Seams.All = true, 2, 6
	r.Show(checked)
	if got := said(); !slices.Equal(got, []string{"Checking seams: 2 of 6 tiles"}) {
		t.Errorf("while the next key is checked it says %q", got)
	}
}

func TestWipeBetweenGridsHidesTheHeatMapUntilItEnds(t *testing.T) {
	r := withSeams(t, checkedState())
	g := r.panel.seams
	type state struct {
		heat, wipe bool
		view       View
	}
	shown := func() state {
		return state{r.viewer.seams.Heat != nil, r.viewer.look.Wipe.On && r.viewer.look.Wipe.Right.Second, r.view}
	}
	for i, step := range []struct {
		do   func()
		want state
	}{
		{r.ToggleHeat, state{heat: true}},
		{r.ToggleGridWipe, state{wipe: true, view: ViewMatte}},
		{r.ToggleGridWipe, state{heat: true}},
		{r.ToggleGridWipe, state{wipe: true, view: ViewMatte}},
		{r.ToggleWipe, state{heat: true}},
		{r.ToggleGridWipe, state{wipe: true, view: ViewMatte}},
		{r.ToggleHeat, state{heat: true}}, // asked for: the wipe ends
		{r.ToggleHeat, state{view: ViewMatte}},
		{r.ToggleGridWipe, state{wipe: true, view: ViewMatte}},
		{r.ToggleGridWipe, state{view: ViewMatte}},
	} {
		step.do()
		if got := shown(); got != step.want {
			t.Errorf("step %d: %+v, want %+v", i, got, step.want)
		}
		if s := shown(); g.heat.on != s.heat || g.wipe.on != s.wipe {
			t.Errorf("step %d: the boxes say %v, %v", i, g.heat.on, g.wipe.on)
		}
	}
}

func TestHeatMapLiesOverTheSameViewAfterTheNextKey(t *testing.T) {
	for _, leaves := range []bool{false, true} {
		s := checkedState()
		r := withSeams(t, s)
		r.View(ViewPlate)
		r.ToggleHeat()
		s.Layers.Plate = r.state.Layers.Plate
		running := s
		running.Key.Running, running.Seams.Heat, running.Seams.NoHeat = true, nil, "Key the plate first"
		matte, fg := keyImages()
		running.Layers.Key, running.Layers.Tiles = NewKey(matte, fg, colour.SRGB), 1
		r.Show(running)
		if r.view != ViewMatte {
			t.Fatalf("the tiles come in view %d", r.view)
		}
		want := ViewPlate
		if leaves {
			r.View(ViewComp)
			want = ViewComp
		}
		r.Show(s)
		if r.view != want || !r.heatShown() {
			t.Errorf("after the key the view is %d, want %d, heat map %v", r.view, want, r.heatShown())
		}
	}
}

func TestKeyAfterACheckedOneIsCheckedUnderTheHeatMap(t *testing.T) {
	next := seamState()
	next.Seams.Follow = true
	refused := next
	refused.Seams.WhyNot = "A key is being made"
	for name, c := range map[string]struct {
		state State
		heat  bool
		asked int
	}{
		"heat map":    {next, true, 1},
		"no heat map": {next, false, 0},
		"not now":     {refused, true, 0},
		"run alone":   {seamState(), true, 0},
	} {
		before := checkedState()
		r := withSeams(t, before)
		if c.heat {
			r.ToggleHeat()
		}
		c.state.Layers.Plate = r.state.Layers.Plate
		r.Show(c.state)
		if n := len(r.asked.names); n != c.asked {
			t.Errorf("%s: asked %q", name, r.asked.names)
		}
		// Until the check has begun, what the run measured does not flash up.
		if shown := r.viewer.seams.Heat != nil || r.panel.seams.places.rows[0].cells[0].Text != ""; shown != (c.asked == 0) {
			t.Errorf("%s: the run's own measure is shown: %v", name, shown)
		}
	}
}
