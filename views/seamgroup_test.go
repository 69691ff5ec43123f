//go:build !headless

package views

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

func TestShiftTBringsTheSeamsIntoView(t *testing.T) {
	r := withSeams(t, seamState())
	g, scroll := r.panel.seams.content, r.panel.scroll
	seen := func() bool {
		top := g.Position().Y + margin
		return top >= scroll.Offset.Y && top < scroll.Offset.Y+scroll.Size().Height/2
	}
	if seen() {
		t.Fatal("the seams are in view at first")
	}
	test.TypeOnCanvas(r.window.Canvas(), "T")
	if !seen() || r.window.Canvas().Focused() != nil {
		t.Errorf("the seams lie at %v, the panel at %v, focus %v", g.Position().Y, scroll.Offset.Y, r.window.Canvas().Focused())
	}
	// While the check runs the artist goes elsewhere; what it finds is brought into view.
	running := seamState()
	running.Layers.Plate = r.state.Layers.Plate
	running.Seams.Checking, running.Seams.WhyNot = true, "The seams are being checked"
	r.Show(running)
	scroll.ScrollToTop()
	r.Show(running)
	done := checkedState()
	done.Layers.Plate = r.state.Layers.Plate
	r.Show(done)
	if !seen() {
		t.Errorf("after the check the seams lie at %v, the panel at %v", g.Position().Y, scroll.Offset.Y)
	}
	// A check that was not asked for here, and a map that is put away, leave the panel alone.
	scroll.ScrollToTop()
	r.Show(running)
	r.Show(done)
	test.TypeOnCanvas(r.window.Canvas(), "T")
	if scroll.Offset.Y != 0 {
		t.Errorf("the panel scrolls to %v", scroll.Offset.Y)
	}
}

func TestKeysOfSeamsSayWhyThereAreNone(t *testing.T) {
	s := seamState()
	const why = "Keyed as one tile: there are no seams"
	s.Seams = SeamState{About: why, None: why, NoHeat: why, NoSecond: why, WhyNot: why, Left: -1}
	r := withSeams(t, s)
	for _, key := range []string{"t", "T", "n", "N"} {
		r.tip("")
		test.TypeOnCanvas(r.window.Canvas(), key)
		if got := r.bottom.readout.Text; got != why {
			t.Errorf("%s says %q", key, got)
		}
	}
	r.viewer.OnPoint(10, 10, true)
	if got := r.bottom.readout.Text; got == why {
		t.Error("it is still said over the picture")
	}
	// Where something is done nothing is said.
	other := seamState()
	other.Layers.Plate = r.state.Layers.Plate
	r.Show(other)
	test.TypeOnCanvas(r.window.Canvas(), "t")
	if got := r.bottom.readout.Text; got == why || !r.seams.grid {
		t.Errorf("T says %q", got)
	}
}

func TestVerdictOfACheckStaysInTheStatusLine(t *testing.T) {
	s := checkedState()
	s.Seams.Verdict = "Seams checked. Worst border: 99 % under 8.4 steps, before 23.8"
	s.Key.Summary = "Keyed in 9 s, 4 tiles"
	if got, _ := statusLine(s); got != s.Seams.Verdict+". "+s.Key.Summary {
		t.Errorf("it says %q", got)
	}
	s.Key.Stale = "the hint has changed"
	if got, _ := statusLine(s); got != "Out of date: the hint has changed" {
		t.Errorf("out of date it says %q", got)
	}
}

func TestMenuOfSeamsOffersRemediesAndTicksWhatIsOn(t *testing.T) {
	r := withSeams(t, checkedState())
	i := slices.IndexFunc(r.Menu().Items, func(m *fyne.Menu) bool { return m.Label == "Seams" })
	menu := r.Menu().Items[i]
	item := func(label string) *fyne.MenuItem {
		t.Helper()
		for _, m := range menu.Items {
			if strings.HasPrefix(m.Label, label) {
				return m
			}
		}
		t.Fatalf("no item %q", label)
		return nil
	}
	if m := item("Overlap 128"); m.Label != "Overlap 128:  about 6 s, 1.1 GB" || m.Disabled {
		t.Errorf("offered %q, disabled %v", m.Label, m.Disabled)
	}
	if m := item("Tile 512"); m.Label != "Tile 512:  it does not fit" || !m.Disabled {
		t.Errorf("offered %q, disabled %v", m.Label, m.Disabled)
	}
	if !item("Check Seams").Disabled {
		t.Error("checked seams can be checked")
	}
	item("Refine: frame").Action()
	if !slices.Equal(r.asked.names, []string{"remedy refine frame"}) {
		t.Errorf("asked %q", r.asked.names)
	}
	ticks := func() (on []bool) {
		for _, label := range []string{"Tile Grid", "Seam Heat Map", "Wipe Between Grids"} {
			on = append(on, item(label).Checked)
		}
		return on
	}
	for _, step := range []struct {
		do   func()
		want []bool
	}{
		{r.ToggleGrid, []bool{true, false, false}},
		{r.ToggleHeat, []bool{true, true, false}},
		{r.ToggleGridWipe, []bool{true, false, true}},
		{r.ToggleGridWipe, []bool{true, true, false}},
	} {
		step.do()
		if got := ticks(); !slices.Equal(got, step.want) {
			t.Errorf("ticked %v, want %v", got, step.want)
		}
	}
	// Remedies that are not offered any more go.
	other := checkedState()
	other.Layers.Plate = r.state.Layers.Plate
	other.Seams.Remedies = other.Seams.Remedies[2:]
	n := len(menu.Items)
	r.Show(other)
	if len(menu.Items) != n-2 || slices.ContainsFunc(menu.Items, func(m *fyne.MenuItem) bool { return strings.HasPrefix(m.Label, "Overlap") }) {
		t.Errorf("%d items of %d", len(menu.Items), n)
	}
}

func TestRemediesStayWhereTheyAreWhileOneIsUsed(t *testing.T) {
	s := checkedState()
	s.Variants = nil
	r := withSeams(t, s)
	r.ToggleHeat()
	g := r.panel.seams
	at := func() float32 {
		return fyne.CurrentApp().Driver().AbsolutePositionForObject(g.remedyTitle).Y
	}
	r.panel.scroll.ScrollToOffset(fyne.NewPos(0, g.remediesAt()-200))
	before := at()
	tap(g.offers[0].use)
	next := seamState()
	next.Layers.Plate = r.state.Layers.Plate
	next.Seams.About = "4 borders. Checking them, as those of the key before were, which takes a second line, and a third one."
	next.Seams.List, next.Seams.Heat, next.Seams.NoHeat = nil, nil, "The seams are being checked"
	next.Seams.Checking, next.Seams.All = true, 8
	next.Hint.Remarks = []Remark{{Text: "A sentence that makes a group above higher than it was before."}}
	r.Show(next)
	if r.panel.scroll.Offset.Y == 0 || at() < before-1 || at() > before+1 {
		t.Errorf("the remedies went from %v to %v", before, at())
	}
	if !g.scale.Visible() || len(g.places.rows) != len(s.Seams.List) || g.places.rows[0].cells[2].Text != "" {
		t.Errorf("sliders %v, %d rows, the first says %q", g.scale.Visible(), len(g.places.rows), g.places.rows[0].cells[2].Text)
	}
	// After the artist has scrolled they are as all else.
	r.panel.scroll.OnScrolled(r.panel.scroll.Offset)
	offset := r.panel.scroll.Offset.Y
	next.Hint.Remarks = nil
	r.Show(next)
	if r.panel.scroll.Offset.Y != offset {
		t.Errorf("the panel scrolls from %v to %v", offset, r.panel.scroll.Offset.Y)
	}
}
