//go:build !headless

package views

import (
	"image"
	"image/draw"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/test"

	"greenroom/engine/colour"
	"greenroom/engine/tiling"
)

func (a *asked) CheckSeams()                     { a.note("check seams") }
func (a *asked) StopChecking()                   { a.note("stop checking") }
func (a *asked) UseRemedy(setting, value string) { a.note("remedy " + setting + " " + value) }

// seamBands are those of two columns and two rows on the drawn plate.
func seamBands() []Band {
	return []Band{
		{image.Rect(256, 0, 352, 224), true}, {image.Rect(256, 136, 352, plateH), true},
		{image.Rect(0, 136, 352, 224), false}, {image.Rect(256, 136, plateW, 224), false},
	}
}

// seamHeat is a bump of 12 steps at the given pixel, and a faint band.
func seamHeat(at image.Point) *Heat {
	return NewHeat(drawn(plateW, plateH, 1, func(x, y, _ int) float32 {
		dx, dy := float32(x-at.X), float32(y-at.Y)
		v := max(0, 12-(dx*dx+dy*dy)/20)
		if x >= 256 && x < 352 {
			v = max(v, 2)
		}
		return v / 255
	}))
}

// seamState is the room with a key in four tiles whose seams were measured by the run itself.
func seamState() State {
	s := doneState()
	bands := seamBands()
	s.Seams = SeamState{
		Bands: bands, About: "4 borders, measured where tiles overlap.",
		List: []Seam{
			{Band: bands[1], Mean: 1.24, P99: 9.1, Worst: 12, At: image.Pt(300, 290)},
			{Band: bands[0], Mean: 0.8, P99: 2, Worst: 2, At: image.Pt(270, 20)},
			{Band: bands[2], Mean: 0.1, P99: 0.4, Worst: 0.9, At: image.Pt(100, 150)},
		},
		Heat: seamHeat(image.Pt(300, 290)), NoSecond: "Check the seams first", Left: -1,
		Remedies: []Remedy{
			{Setting: "overlap", Value: "128", Label: "Overlap 128", Cost: "about 6 s, 1.1 GB", Note: "4 of 9 tiles stay as they are; the network runs on the others"},
			{Setting: "tile", Value: "512", Label: "Tile 512", Cost: "about 9 s, 2.1 GB", WhyNot: "it does not fit"},
			{Setting: "refine", Value: "frame", Label: "Refine: frame", Cost: "about 14 s, 1.6 GB"},
		},
	}
	return s
}

// checkedState is seamState after a check: the second key is brighter, and known in the right half of the upper part.
func checkedState() State {
	s := seamState()
	matte, fg := keyImages()
	for i := range matte.Pix {
		matte.Pix[i] = 1 - matte.Pix[i]
	}
	s.Seams.Checked, s.Seams.NoSecond, s.Seams.Second = true, "", NewKey(matte, fg, colour.SRGB)
	s.Seams.Known = []image.Rectangle{image.Rect(0, 0, plateW, plateH/2)}
	s.Seams.WhyNot = "The seams of this key have been checked"
	return s
}

// withSeams is a room in which a state is shown and drawn.
func withSeams(t *testing.T, s State) room {
	t.Helper()
	r := newRoom(t, 1280, 800, 1)
	r.Show(s)
	r.render()
	r.Show(s)
	r.View(ViewMatte)
	return r
}

func TestSeamsAreListedTheWorstFirstAndJumpedTo(t *testing.T) {
	r := withSeams(t, seamState())
	g := r.panel.seams
	first := g.places.rows[0]
	if got := []string{first.cells[0].Text, first.cells[1].Text, first.cells[2].Text, first.cells[3].Text}; !slices.Equal(got, []string{"|  x 300, y 290", "1.2", "9.1", "12.0"}) {
		t.Errorf("the first row says %q", got)
	}
	c := r.window.Canvas()
	middle := func(what string, want image.Point) {
		t.Helper()
		p := r.viewer.place()
		x, y := p.picture(float64(r.viewer.w)/2, float64(r.viewer.h)/2)
		if p.zoom != 1 || x < float64(want.X)-1 || x > float64(want.X)+1 || y < float64(want.Y)-1 || y > float64(want.Y)+1 {
			t.Errorf("%s: zoom %v, %v, %v in the middle, want %v", what, p.zoom, x, y, want)
		}
	}
	for i, step := range []struct{ key, at string }{{"n", "0"}, {"n", "1"}, {"n", "2"}, {"n", "0"}, {"N", "2"}, {"N", "1"}} {
		test.TypeOnCanvas(c, step.key)
		which := int(step.at[0] - '0')
		middle("key "+step.key, r.state.Seams.List[which].At)
		if r.seams.chosen != which || !g.places.rows[which].button.on {
			t.Errorf("step %d: seam %d is chosen", i, r.seams.chosen)
		}
	}
	tap(g.places.rows[0].button)
	middle("a tap on the list", image.Pt(300, 290))
	if got := r.bottom.readout.Text; !strings.HasPrefix(got, "Seam 1 of 3, x 300 y 290") || !strings.Contains(got, "worst 12.0") {
		t.Errorf("told %q", got)
	}
	tap(g.previous)
	middle("Previous", image.Pt(100, 150))
	tap(g.next)
	middle("Next", image.Pt(300, 290))
	// Other seams are another list.
	other := seamState()
	other.Layers.Plate = r.state.Layers.Plate
	other.Seams.List = other.Seams.List[:1]
	r.Show(other)
	if r.seams.chosen != -1 || len(g.places.rows) != 1 || g.places.rows[0].button.on {
		t.Errorf("seam %d of another list is chosen, %d rows", r.seams.chosen, len(g.places.rows))
	}
}

func TestSeamKeysTurnWhatTheyNameOnAndOff(t *testing.T) {
	r := withSeams(t, checkedState())
	c, g := r.window.Canvas(), r.panel.seams
	type state struct{ grid, heat, wipe bool }
	shown := func() state {
		l, w := r.viewer.seams, r.viewer.look.Wipe
		return state{l.Grid, l.Heat != nil, w.On && w.Right.Second}
	}
	for _, step := range []struct {
		do   func()
		want state
		view View
	}{
		{func() { test.TypeOnCanvas(c, "t") }, state{grid: true}, ViewMatte},
		{func() { test.TypeOnCanvas(c, "T") }, state{grid: true, heat: true}, ViewPlate},
		{func() { test.TypeOnCanvas(c, "T") }, state{grid: true}, ViewMatte},
		{func() { test.TypeOnCanvas(c, "w") }, state{grid: true, wipe: true}, ViewMatte},
		{func() { test.Tap(g.grid) }, state{wipe: true}, ViewMatte},
		{func() { test.TypeOnCanvas(c, "5") }, state{wipe: true}, ViewComp},
		{func() { test.Tap(g.wipe) }, state{}, ViewComp},
		{func() { test.Tap(g.heat) }, state{heat: true}, ViewPlate},
		{func() { test.TypeOnCanvas(c, "3") }, state{heat: true}, ViewMatte},
		{func() { test.Tap(g.heat) }, state{}, ViewMatte},
		{func() { test.TypeOnCanvas(c, "1"); test.Tap(g.wipe) }, state{wipe: true}, ViewMatte},
	} {
		step.do()
		if got := shown(); got != step.want || r.view != step.view {
			t.Errorf("shown %+v in view %d, want %+v in %d", got, r.view, step.want, step.view)
		}
		if l := shown(); g.grid.on != r.seams.grid || g.heat.on != l.heat || g.wipe.on != l.wipe || g.scale.Visible() != l.heat {
			t.Errorf("the boxes say %v %v %v, scale %v", g.grid.on, g.heat.on, g.wipe.on, g.scale.Visible())
		}
	}
	// The overlay would hide under the heat map.
	r.View(ViewPlate)
	r.ToggleHeat()
	test.TypeOnCanvas(c, "m")
	if r.viewer.look.Overlay || !r.toolbar.overlay.disabled || !r.heatShown() {
		t.Error("the overlay can be turned on under the heat map")
	}
	r.ToggleHeat()
	if r.toolbar.overlay.disabled {
		t.Error("the overlay stays off after the heat map")
	}
}

func TestSeamControlsAreDisabledWithTheirReason(t *testing.T) {
	s := seamState()
	const why = "One tile covers the plate: there are no seams"
	s.Seams = SeamState{About: why + ".", NoHeat: why, NoSecond: why, WhyNot: why, Left: -1}
	r := withSeams(t, s)
	g := r.panel.seams
	for name, key := range map[string]string{"grid": "t", "heat": "T", "next": "n", "previous": "N"} {
		test.TypeOnCanvas(r.window.Canvas(), key)
		if !r.viewer.seams.empty() || r.viewer.sight != (Sight{}) {
			t.Errorf("%s does something", name)
		}
	}
	for _, c := range []*check{g.heat, g.wipe} {
		test.Tap(c)
		if !c.disabled || c.help != why {
			t.Errorf("%s: disabled %v, says %q", c.title.Text, c.disabled, c.help)
		}
	}
	tap(g.start)
	tap(g.next)
	if len(r.asked.names) > 0 || g.start.help != why || !g.grid.disabled || g.places.table.Visible() || g.remedies.Visible() {
		t.Errorf("asked %q, the button says %q", r.asked.names, g.start.help)
	}
	for label, off := range map[string]bool{"Check Seams": true, "Tile Grid   (T)": true, "Seam Heat Map   (Shift+T)": true, "Previous Seam or Finding   (Shift+N)": true, "Fit   (F)": false} {
		found := false
		for _, m := range r.Menu().Items {
			for _, i := range m.Items {
				if i.Label == label {
					found = true
					if i.Disabled != off {
						t.Errorf("the menu's %q is disabled: %v", label, i.Disabled)
					}
				}
			}
		}
		if !found {
			t.Errorf("no menu has %q", label)
		}
	}
}

func TestShiftTChecksSeamsThatWereNotChecked(t *testing.T) {
	unseen := seamState() // a refiner over the frame saw nothing twice
	unseen.Seams.Heat, unseen.Seams.NoHeat, unseen.Seams.List = nil, "Check the seams first", nil
	refused := seamState()
	refused.Seams.WhyNot = "A check needs 9.0 GB, and this machine has 8.0 GB for it"
	brought := checkedState() // a check that came back with its key, without its pictures
	brought.Seams.Heat, brought.Seams.Second, brought.Seams.WhyNot = nil, nil, ""
	brought.Seams.NoHeat, brought.Seams.NoSecond = "Check the seams again", "Check the seams again"
	for name, c := range map[string]struct {
		state State
		asked int
		heat  bool
	}{
		"brought back":        {brought, 1, false},
		"measured by the run": {seamState(), 1, true},
		"not measured":        {unseen, 1, false},
		"checked":             {checkedState(), 0, true},
		"refused":             {refused, 0, true},
	} {
		r := withSeams(t, c.state)
		test.TypeOnCanvas(r.window.Canvas(), "T")
		if n := len(r.asked.names); n != c.asked || r.heatShown() != c.heat || r.panel.seams.heat.on != c.heat {
			t.Errorf("%s: asked %q, heat map %v, box %v", name, r.asked.names, r.heatShown(), r.panel.seams.heat.on)
		}
	}
	// What the check finds is shown when it has ended.
	r := withSeams(t, unseen)
	test.TypeOnCanvas(r.window.Canvas(), "T")
	running := unseen
	running.Layers.Plate = r.state.Layers.Plate
	running.Seams.Checking, running.Seams.WhyNot = true, "The seams are being checked"
	r.Show(running)
	test.TypeOnCanvas(r.window.Canvas(), "T")
	ended := checkedState()
	ended.Layers.Plate = r.state.Layers.Plate
	r.Show(ended)
	if !r.heatShown() || len(r.asked.names) != 1 {
		t.Errorf("after the check the heat map is shown: %v, asked %q", r.heatShown(), r.asked.names)
	}
}

func TestSeamsAreCheckedStoppedAndRemedied(t *testing.T) {
	r := withSeams(t, seamState())
	g := r.panel.seams
	tap(g.start)
	s := seamState()
	s.Layers.Plate = r.state.Layers.Plate
	s.Seams.Checking, s.Seams.WhyNot = true, "The seams are being checked"
	s.Seams.Done, s.Seams.All, s.Seams.Left = 2, 6, 8*time.Second
	r.Show(s)
	if g.words.Text != "2 of 6 tiles, 8 s left" || !g.running.Visible() || r.bottom.status.Text != "Checking seams: 2 of 6 tiles, 8 s left" {
		t.Errorf("progress %q, below %q", g.words.Text, r.bottom.status.Text)
	}
	tap(g.start)
	tap(g.stop)
	r.typedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	done := checkedState()
	done.Layers.Plate = s.Layers.Plate
	r.Show(done)
	if !r.heatShown() || g.running.Visible() {
		t.Error("what the check found is not shown")
	}
	tap(g.offers[0].use)
	tap(g.offers[1].use) // disabled
	tap(g.offers[2].use)
	if g.offers[1].use.help != "it does not fit" || !strings.HasPrefix(g.offers[0].use.help, "4 of 9 tiles stay") || g.offers[0].cost.text != "about 6 s, 1.1 GB" {
		t.Errorf("the remedies say %q and %q", g.offers[1].use.help, g.offers[0].cost.text)
	}
	if want := []string{"check seams", "stop checking", "stop checking", "remedy overlap 128", "remedy refine frame"}; !slices.Equal(r.asked.names, want) {
		t.Errorf("asked %q, want %q", r.asked.names, want)
	}
}

// TestACheckIsSeenAndStoppedInTheBottomBar as a key is.
func TestACheckIsSeenAndStoppedInTheBottomBar(t *testing.T) {
	r := withSeams(t, seamState())
	s := seamState()
	s.Layers.Plate = r.state.Layers.Plate
	s.Seams.Checking, s.Seams.Done, s.Seams.All = true, 2, 8
	s.Key.Ready = false
	r.Show(s)
	if b := r.bottom; b.gauge.part != 0.25 || b.key.label != "Cancel   Esc" || b.key.disabled {
		t.Errorf("the bar shows %v and %q, disabled %v", b.gauge.part, b.key.label, b.key.disabled)
	}
	tap(r.bottom.key)
	if !slices.Equal(r.asked.names, []string{"stop checking"}) {
		t.Errorf("asked %q", r.asked.names)
	}
	s.Seams.Checking = false
	r.Show(s)
	if r.bottom.gauge.part >= 0 || r.bottom.key.label == "Cancel   Esc" {
		t.Errorf("after it the bar shows %v and %q", r.bottom.gauge.part, r.bottom.key.label)
	}
}

// TestACheckLeavesTheViewThatWasChosenMeanwhile.
func TestACheckLeavesTheViewThatWasChosenMeanwhile(t *testing.T) {
	r := withSeams(t, seamState())
	s := seamState()
	s.Layers.Plate = r.state.Layers.Plate
	s.Seams.Checking = true
	r.Show(s)
	test.TypeOnCanvas(r.window.Canvas(), "5")
	done := checkedState()
	done.Layers.Plate = s.Layers.Plate
	r.Show(done)
	if r.view != ViewComp || r.heatShown() {
		t.Errorf("view %d, heat map %v", r.view, r.heatShown())
	}
}

func TestWipeIsDraggedAndShowsTheSecondKeyWhereItIsKnown(t *testing.T) {
	r := withSeams(t, checkedState())
	v := r.viewer
	red := func(x, y int) uint8 {
		p := v.place().device(image.Rect(x, y, x+1, y+1)).Min
		return v.painter.out.RGBAAt(p.X, p.Y).R
	}
	look := func(what string, left, right, unknown uint8) {
		t.Helper()
		v.draw(v.w, v.h)
		if a, b, c := red(40, 40), red(600, 40), red(600, 320); a != left || b != right || c != unknown {
			t.Errorf("%s: left %d, right %d, below %d", what, a, b, c)
		}
	}
	look("off", 0, 0, 0)
	r.ToggleGridWipe()
	look("on", 0, 255, 0)
	drag := func(from, by float32) {
		v.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(from+by, 50)}, Dragged: fyne.NewDelta(by, 0)})
	}
	middle := v.Size().Width / 2
	sight := v.sight
	drag(middle+2, -50)
	drag(middle-48, -middle+48)
	v.DragEnd()
	if v.sight != sight {
		t.Error("dragging the line pans the picture")
	}
	look("dragged to the left", 255, 255, 0)
	for at, want := range map[image.Point]string{{X: 40, Y: 40}: "matte 1.000", {X: 40, Y: 320}: "matte 0.000"} {
		if got := r.readout(at.X, at.Y); !strings.Contains(got, want) {
			t.Errorf("%v reads %q, want %s", at, got, want)
		}
	}
	drag(300, 10)
	v.DragEnd()
	if v.sight == sight {
		t.Error("dragging elsewhere does not pan")
	}
	if v.look.Wipe.At != 0 {
		t.Errorf("dragging elsewhere moves the line to %v", v.look.Wipe.At)
	}
}

// TestSeamsLookAsBefore compares the viewer with grid, heat map and wipe, and the group, with pictures that were looked at.
func TestSeamsLookAsBefore(t *testing.T) {
	s := checkedState()
	look := Look{View: ViewComp, Unit: 1}
	for name, l := range map[string]SeamLayer{
		"seams_grid": {Grid: true, Bands: s.Seams.Bands, Marked: true, Mark: image.Pt(300, 290)},
		"seams_heat": {Bands: s.Seams.Bands, Heat: s.Seams.Heat, Scale: tiling.DefaultHeatScale()},
	} {
		p := NewPainter()
		p.Draw(360, 210, s.Layers, Sight{}, look)
		p.DrawSeams(l, s.Layers, Sight{}, look)
		compare(t, name, p.out)
	}
	look.Wipe = Wipe{On: true, Right: Side{Second: true}, At: 0.4}
	s.Layers.Second = &Second{Key: s.Seams.Second, Known: s.Seams.Known}
	p := NewPainter()
	p.Draw(360, 210, s.Layers, Sight{}, look)
	p.DrawWipe(s.Layers, look)
	compare(t, "seams_wipe", p.out)
	for name, scale := range map[string]float32{"seams_legend": 1, "seams_legend_2x": 2} {
		r := newRoom(t, 1024, 700, scale)
		r.Show(s)
		r.ToggleHeat()
		r.render() // tells the zoom its viewport
		back := r.viewer.overlay.heat.back
		at := fyne.CurrentApp().Driver().AbsolutePositionForObject(back).SubtractXY(badgeGap, 40)
		size := back.Size().AddWidthHeight(80, 48)
		crop := image.Rect(int(at.X*scale), int(at.Y*scale), int((at.X+size.Width)*scale), int((at.Y+size.Height)*scale))
		cut := image.NewRGBA(image.Rectangle{Max: crop.Size()})
		draw.Draw(cut, cut.Rect, r.render(), crop.Min, draw.Src)
		compare(t, name, cut)
	}
	for name, state := range map[string]State{"seams_group": seamState(), "seams_group_heat": checkedState()} {
		r := newRoom(t, panelWidth, 200, 1)
		g := r.panel.seams
		r.window.SetContent(container.New(layout.NewCustomPaddedLayout(margin, margin, margin, margin+2), g.content))
		r.Show(state)
		if name == "seams_group_heat" {
			r.Show(state)
			r.ToggleHeat()
			r.ShowSeam(1)
		}
		r.window.Resize(fyne.NewSize(panelWidth, g.content.MinSize().Height+2*margin))
		compare(t, name, r.render())
	}
}
