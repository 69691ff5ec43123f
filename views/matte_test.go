//go:build !headless

package views

import (
	"image"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/test"

	"greenroom/engine/settings"
)

// TestEveryRowChangesTheChoicesAndComesBack moves each control, sees the choices change and stay sound, and resets it.
func TestEveryRowChangesTheChoicesAndComesBack(t *testing.T) {
	r, s := ready(t)
	r.unfold()
	before := r.asked.choices
	for _, d := range r.dials() {
		name := d.name()
		steps := len(r.asked.steps)
		var reset *resetIcon
		switch o := d.CanvasObject.(type) {
		case *control:
			o.slider.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(31, 10)}, Button: desktop.MouseButtonPrimary})
			o.slider.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(33, 10)}})
			o.slider.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(36, 10)}})
			dragged := r.asked.steps[steps:]
			if len(dragged) < 2 || slices.ContainsFunc(dragged, func(s Step) bool { return s != dragged[0] || s.Name == "" }) {
				t.Errorf("%s: a drag makes the steps %v", name, dragged)
			}
			reset = o.reset
		case *option:
			items := o.items()
			i := slices.IndexFunc(items, func(i *fyne.MenuItem) bool { return !i.Checked })
			items[i].Action()
			reset = o.reset
		case *switchRow:
			test.Tap(o.box)
			reset = o.reset
		}
		if r.asked.choices.Equal(before) {
			t.Errorf("%s changes nothing", name)
		}
		if err := r.asked.choices.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		s = r.follow(s)
		if !d.changed() {
			t.Errorf("%s does not show that it was changed", name)
		}
		if !reset.Visible() {
			t.Errorf("%s shows no reset", name)
		}
		last := r.asked.steps[len(r.asked.steps)-1]
		test.Tap(reset)
		if now := r.asked.steps[len(r.asked.steps)-1]; now == last {
			t.Errorf("%s: resetting is one step with the change", name)
		}
		if !r.asked.choices.Equal(before) || reset.Visible() {
			t.Errorf("%s does not come back: %+v", name, r.asked.choices)
		}
		s = r.follow(s)
	}
	if r.window.Canvas().Focused() != nil {
		t.Error("a row keeps the keyboard")
	}
}

func TestNumbersGoBeyondSlidersAndByPartsOfAPixel(t *testing.T) {
	r, s := ready(t)
	r.unfold()
	r.asked.choices.Backdrop, r.asked.choices.Look.Background = "/jobs/street.exr", settings.BackgroundPicture
	s = r.follow(s)
	for name, c := range map[string]struct {
		text string
		want float64
		of   func(l settings.Look) float64
	}{
		"Clip black":       {"0.7", 0.7, func(l settings.Look) float64 { return l.ClipBlack }},
		"Shrink/grow":      {"-0,37", -0.37, func(l settings.Look) float64 { return l.Grow }},
		"Soften":           {"0.125", 0.125, func(l settings.Look) float64 { return l.Soften }},
		"Despeckle":        {"90000", 90000, func(l settings.Look) float64 { return float64(l.Despeckle) }},
		"Edge extend":      {"900", 200, func(l settings.Look) float64 { return l.EdgeExtend }},
		"Background scale": {"5000", 50, func(l settings.Look) float64 { return l.Comp.Scale }},
	} {
		typeNumber(r, r.number(name).number, c.text)
		if got := c.of(r.asked.choices.Look); got != c.want {
			t.Errorf("%s: typed %q, got %v, want %v", name, c.text, got, c.want)
		}
	}
	if err := r.asked.choices.Validate(); err != nil {
		t.Error(err)
	}
	r.follow(s)
	soften := r.number("Soften")
	steps := len(r.asked.steps)
	r.window.Canvas().Focus(soften.number)
	soften.number.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if r.asked.choices.Look.Soften != 0.125 || len(r.asked.steps) != steps {
		t.Errorf("leaving the entry rounds the value to %v", r.asked.choices.Look.Soften)
	}
	typeNumber(r, soften.number, "nan")
	if r.asked.choices.Look.Soften != 0.125 {
		t.Errorf("nan makes it %v", r.asked.choices.Look.Soften)
	}
	grow := r.number("Shrink/grow").slider
	if at := grow.at(0); at != 0.5 {
		t.Errorf("0 lies at %v of the slider", at)
	}
	for _, v := range []float64{-20, -0.5, 0, 0.05, 7, 20} {
		if got := grow.valueAt(grow.at(v)); got < v-1e-9 || got > v+1e-9 {
			t.Errorf("%v comes back as %v", v, got)
		}
	}
	if got := rounded(0.1501, 0.05); got != 0.15 {
		t.Errorf("rounded to %v", got)
	}
}

// TestSectionsSayWhatIsChangedAndResetIt also while they are folded.
func TestSectionsSayWhatIsChangedAndResetIt(t *testing.T) {
	r, s := ready(t)
	before := r.asked.choices
	spill := r.panel.matte.sections[3]
	if spill.inside.Visible() || spill.note.Text != "" || spill.reset.Visible() {
		t.Fatalf("at first: open %v, %q", spill.inside.Visible(), spill.note.Text)
	}
	r.asked.choices.Look.Despill, r.asked.choices.Look.DespillLimit = 0.5, settings.DespillMax
	s = r.follow(s)
	if spill.note.Text != "2 changed" || !spill.reset.Visible() {
		t.Errorf("two changes are told as %q", spill.note.Text)
	}
	test.Tap(spill.reset)
	r.follow(s)
	if !r.asked.choices.Equal(before) || spill.note.Text != "" || r.asked.steps[len(r.asked.steps)-1].Name != "Reset Spill" {
		t.Errorf("after the reset: %+v, %q", r.asked.choices.Look, spill.note.Text)
	}
	height := r.panel.column.MinSize().Height
	test.Tap(spill.fold)
	if !spill.inside.Visible() || r.panel.column.MinSize().Height <= height {
		t.Error("the section does not open")
	}
}

func TestRowsWithoutEffectAreOffWithTheReason(t *testing.T) {
	r, s := ready(t)
	for name, c := range map[string]struct {
		alter  func(l *settings.Look)
		row    string
		reason string
	}{
		"no despeckle":    {func(l *settings.Look) { l.Despeckle = 0 }, "Despeckle by", "Despeckle is off"},
		"no despill":      {func(l *settings.Look) { l.Despill = 0 }, "Limit", "Despill is 0"},
		"neutral":         {func(l *settings.Look) { l.Despill = 0 }, "Neutral return", "Despill is 0"},
		"reference limit": {func(l *settings.Look) { l.DespillLimit = settings.DespillReference }, "Neutral return", "reference"},
	} {
		r.asked.choices = s.Choices
		c.alter(&r.asked.choices.Look)
		r.follow(s)
		steps := len(r.asked.steps)
		switch o := r.dial(c.row).CanvasObject.(type) {
		case *control:
			o.slider.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(31, 10)}, Button: desktop.MouseButtonPrimary})
			o.slider.moved(3)
			if !strings.Contains(o.whyNot, c.reason) || !o.number.Disabled() {
				t.Errorf("%s: %s says %q", name, c.row, o.whyNot)
			}
		case *option:
			test.Tap(o.pick)
			if !strings.Contains(o.pick.help, c.reason) || o.pick.menu != nil {
				t.Errorf("%s: %s says %q", name, c.row, o.pick.help)
			}
		}
		if len(r.asked.steps) != steps {
			t.Errorf("%s: %s can be changed", name, c.row)
		}
		r.asked.choices = s.Choices
		r.follow(s)
		if d := r.dial(c.row); d.can(s.Choices) != "" {
			t.Errorf("%s: %s stays off", name, c.row)
		}
	}
}

// TestMatteGroupsLookAsBefore compares the panel with the sections folded and open.
func TestMatteGroupsLookAsBefore(t *testing.T) {
	r, s := ready(t)
	panel := func(name string) {
		t.Helper()
		content := []*fyne.Container{r.panel.matte.content, r.panel.comp.content, r.panel.review.content}
		compare(t, name, r.column(t, content))
	}
	panel("matte_folded")
	r.unfold()
	r.asked.choices.Look.Grow, r.asked.choices.Look.Despill = -0.5, 0
	r.asked.choices.Look.Background, r.asked.choices.Backdrop = settings.BackgroundPicture, "/jobs/street.exr"
	r.asked.choices.Marks.Kept = []settings.KeptColour{{Colour: settings.Colour{0.2, 0.6, 0.1}, Tolerance: 0.2}}
	r.asked.choices.Marks.Core.Boxes = []settings.Box{{X1: 9, Y1: 9}}
	r.asked.choices.Garbage = "/jobs/rig.png"
	s.Matte.Garbage = BesideState{Name: "rig.png"}
	s.Matte.Bars = []settings.Box{{X1: plateW, Y1: 20}}
	s.Matte.Backdrop = BesideState{Name: "street.exr", Remarks: []Remark{{Text: "Taken for linear Rec.709, as floats are"}}}
	r.follow(s)
	panel("matte_open")
}

// column draws groups under one another, as the panel does.
func (r room) column(t *testing.T, groups []*fyne.Container) image.Image {
	t.Helper()
	list := container.New(column(margin + 2))
	for _, g := range groups {
		list.Add(g)
	}
	padded := container.New(layout.NewCustomPaddedLayout(margin, margin, margin, margin+2), list)
	w := test.NewTempWindow(t, container.NewStack(canvas.NewRectangle(grey(greyChrome)), padded))
	w.SetPadded(false)
	w.Resize(fyne.NewSize(panelWidth, padded.MinSize().Height))
	return w.Canvas().Capture()
}

// TestThePanelStaysAsWideAsItIs whatever its sections show.
func TestThePanelStaysAsWideAsItIs(t *testing.T) {
	r, s := ready(t)
	width := r.panel.column.MinSize().Width
	r.unfold()
	name := strings.Repeat("a very long name of a file ", 6) + ".png"
	r.asked.choices.Core, r.asked.choices.Backdrop, r.asked.choices.Look.Background = name, name, settings.BackgroundPicture
	r.asked.choices.Marks.Kept = []settings.KeptColour{{Tolerance: 0.2}}
	s.Matte.Core, s.Matte.Backdrop = BesideState{Name: name}, BesideState{Name: name, Reading: true}
	s.Matte.Bars = []settings.Box{{X1: plateW, Y1: 20}}
	s.Matte.Review.Findings[1].X, s.Matte.Review.Findings[1].Y, s.Matte.Review.Findings[1].Pixels = 12345, 12345, 12345678
	r.follow(s)
	if now := r.panel.column.MinSize().Width; now > width || now > panelText+6 {
		t.Errorf("from %v to %v units", width, now)
	}
}
