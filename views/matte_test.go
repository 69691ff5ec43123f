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

	"greenroom/engine/colour"
	"greenroom/engine/settings"
)

// dials are all rows of the groups after the network.
func (r room) dials() []dial {
	var list []dial
	for _, s := range r.panel.matte.sections {
		list = append(list, s.dials...)
	}
	return slices.Concat(list, []dial{r.panel.comp.blend}, r.panel.comp.colours, r.panel.comp.places)
}

// name is what a row is called in the window.
func (d dial) name() string {
	switch o := d.CanvasObject.(type) {
	case *control:
		return o.name
	case *option:
		return o.spec.label
	case *switchRow:
		return o.box.title.Text
	}
	return ""
}

// dial returns the row of a name.
func (r room) dial(name string) dial {
	for _, d := range r.dials() {
		if d.name() == name {
			return d
		}
	}
	panic("no row is called " + name)
}

// number returns the control of a name.
func (r room) number(name string) *control { return r.dial(name).CanvasObject.(*control) }

// follow shows what was asked for, as the app does.
func (r room) follow(s State) State {
	s.Choices = r.asked.choices
	r.Show(s)
	return s
}

// ready is a room with a key, whose choices are those that are shown.
func ready(t *testing.T) (room, State) {
	t.Helper()
	r := newRoom(t, 1280, 800, 1)
	open := openState()
	r.Show(open)
	s := keyedState()
	s.Layers.Plate, s.Layers.Hint = open.Layers.Plate, open.Layers.Hint
	// Each row is seen once, so that it has a size.
	for _, b := range []settings.Background{settings.BackgroundColour, settings.BackgroundPicture, settings.BackgroundChecker} {
		s.Choices.Look.Background = b
		r.Show(s)
	}
	r.asked.choices = s.Choices
	return r, s
}

// unfold opens the sections of the matte group.
func (r room) unfold() {
	for _, s := range append(r.panel.matte.sections, r.panel.matte.marks.section) {
		if !s.inside.Visible() {
			test.Tap(s.fold)
		}
	}
}

// keyedState is the room with a key whose matte was looked over.
func keyedState() State {
	s := doneState()
	s.Export.Written = nil
	s.Matte.Space = colour.SRGB
	s.Matte.Review = ReviewState{
		Known: true, Translucent: 7.25, Solid: 11.5, Clear: 81.25,
		Findings: []MatteFinding{
			{Kind: "Core hole", Text: "Core hole at 320,170: 12 pixels under 1, down to 0.412", X: 320, Y: 170, Worst: 0.412, Amount: "61.2", Box: image.Rect(318, 168, 322, 172), Pixels: 12},
			{Kind: "Screen residue", Text: "Screen residue at 60,40: 2210 pixels over 0, up to 0.061", X: 60, Y: 40, Worst: 0.061, Amount: "48.7", Box: image.Rect(20, 10, 120, 90), Pixels: 2210},
			{Kind: "Cut by the frame", Text: "The subject is cut by the frame at 300,359: 44 pixels", X: 300, Y: 359, Worst: 1, Amount: "44.0", Box: image.Rect(300, 359, 344, 360), Pixels: 44},
		},
	}
	return s
}

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

func TestBarsBecomeGarbageByOneClick(t *testing.T) {
	r, s := ready(t)
	m := r.panel.matte.marks
	if m.bars.Visible() {
		t.Error("a plate without bars has them proposed")
	}
	old := settings.Box{X0: 3, Y0: 4, X1: 5, Y1: 6}
	r.asked.choices.Marks.Garbage.Boxes = []settings.Box{old}
	s.Matte.Bars = []settings.Box{{X1: plateW, Y1: 20}, {Y0: 340, X1: plateW, Y1: plateH}}
	s = r.follow(s)
	if !m.bars.Visible() || len(r.asked.choices.Marks.Garbage.Boxes) != 1 {
		t.Fatal("bars are not proposed, or were taken")
	}
	tap(m.bars.Objects[1].(*button))
	if want := append([]settings.Box{old}, s.Matte.Bars...); !slices.Equal(r.asked.choices.Marks.Garbage.Boxes, want) {
		t.Errorf("garbage %v", r.asked.choices.Marks.Garbage.Boxes)
	}
	s.Matte.Bars = nil
	s = r.follow(s)
	if m.bars.Visible() || m.garbage.text != "3 boxes" || m.section.note.Text != "garbage" {
		t.Errorf("then: %q, %q", m.garbage.text, m.section.note.Text)
	}
	tap(m.garbage.clear)
	if r.follow(s); !r.asked.choices.Marks.Garbage.Empty() || !m.garbage.clear.disabled {
		t.Errorf("after clearing: %+v", r.asked.choices.Marks.Garbage)
	}
}

func TestCoreAndGarbageFilesAreNamedAndCleared(t *testing.T) {
	r, s := ready(t)
	m := r.panel.matte.marks
	for _, row := range []*regionRow{m.core, m.garbage} {
		tap(row.content.Objects[0].(*fyne.Container).Objects[1].(*fyne.Container).Objects[3].(*button))
	}
	if want := []string{"open core", "open garbage"}; !slices.Equal(r.asked.names, want) {
		t.Errorf("asked %q, want %q", r.asked.names, want)
	}
	r.asked.choices.Core = "/jobs/core.png"
	r.asked.choices.Marks.Core.Strokes = []settings.Stroke{{Points: []settings.Point{{X: 1, Y: 1}}, Size: 5, Value: 1}}
	s.Matte.Core = BesideState{Name: "core.png", Remarks: []Remark{{Text: "Resized"}}}
	s = r.follow(s)
	if m.core.text != "1 stroke, core.png" || !m.core.remarks.content.Visible() {
		t.Errorf("the row says %q", m.core.text)
	}
	s.Matte.Core = BesideState{Name: "core.png", Reading: true}
	if s = r.follow(s); m.core.text != "1 stroke, reading core.png" {
		t.Errorf("while it is read: %q", m.core.text)
	}
	tap(m.core.clear)
	if !r.asked.choices.Marks.Core.Empty() || r.asked.choices.Core != "" {
		t.Errorf("after clearing: %+v", r.asked.choices)
	}
}

func TestKeptColoursAreListedChangedAndForgotten(t *testing.T) {
	r, s := ready(t)
	r.unfold()
	k := r.panel.matte.kept
	kept := []settings.KeptColour{
		{Colour: settings.Colour{0.2, 0.6, 0.1}, Tolerance: settings.DefaultTolerance}, {Colour: settings.Colour{1, 1, 0}, Tolerance: 0.2},
	}
	r.asked.choices.Marks.Kept = kept
	r.asked.choices.Marks.KeptStrokes = []settings.Stroke{{Points: []settings.Point{{X: 1, Y: 1}}, Size: 5, Value: 1}}
	s = r.follow(s)
	if len(k.rows) != 2 || rgbWords(displayed(kept[0].Colour, colour.SRGB)) != "51, 153, 26" || !strings.Contains(k.about.Text, "1 stroke") {
		t.Fatalf("%d rows, %q", len(k.rows), k.about.Text)
	}
	if light := displayed(kept[0].Colour, colour.LinearRec709); light.R <= 51 {
		t.Errorf("in linear light it looks as %v", light)
	}
	typeNumber(r, k.rows[1].tolerance.number, "0.3")
	if r.asked.choices.Marks.Kept[1].Tolerance != 0.3 || kept[1].Tolerance != 0.2 || r.asked.choices.Marks.Kept[0] != kept[0] {
		t.Errorf("kept %v, before %v", r.asked.choices.Marks.Kept, kept)
	}
	s = r.follow(s)
	tap(k.rows[0].remove)
	s = r.follow(s)
	if len(r.asked.choices.Marks.Kept) != 1 || len(k.rows) != 1 || k.rows[0].tolerance.slider.value != 0.3 || len(kept) != 2 {
		t.Errorf("after forgetting one: %v", r.asked.choices.Marks.Kept)
	}
	tap(k.clear)
	if r.follow(s); len(r.asked.choices.Marks.Kept)+len(r.asked.choices.Marks.KeptStrokes)+len(k.rows) != 0 || !k.clear.disabled {
		t.Errorf("after clearing: %+v", r.asked.choices.Marks)
	}
}

func TestCompShowsTheRowsOfItsBackground(t *testing.T) {
	r, s := ready(t)
	g := r.panel.comp
	choose := func(value settings.Background) {
		for _, item := range g.background.items() {
			if strings.HasPrefix(item.Label, map[settings.Background]string{
				settings.BackgroundColour: "Colour", settings.BackgroundPicture: "Picture", settings.BackgroundGrey: "Grey",
			}[value]) {
				item.Action()
			}
		}
		s = r.follow(s)
	}
	choose(settings.BackgroundGrey)
	if r.asked.choices.Look.Background != settings.BackgroundGrey || g.plain.Visible() || g.picture.Visible() {
		t.Errorf("grey: %q, rows %v %v", r.asked.choices.Look.Background, g.plain.Visible(), g.picture.Visible())
	}
	choose(settings.BackgroundColour)
	if !g.plain.Visible() || g.picture.Visible() {
		t.Error("a colour has no rows")
	}
	r.window.Canvas().Focus(g.hex)
	g.hex.SetText("#1e90ff")
	g.hex.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	s = r.follow(s)
	if got := r.number("Background Green").slider.value; got < 143.999 || got > 144.001 || hexOf(r.asked.choices.Look.Comp.Colour) != "#1e90ff" {
		t.Errorf("green %v, colour %v", got, r.asked.choices.Look.Comp.Colour)
	}
	choose(settings.BackgroundPicture)
	if !slices.Contains(r.asked.names, "open backdrop") || r.asked.choices.Look.Background != settings.BackgroundColour || g.background.value != "colour" {
		t.Errorf("without a picture: asked %q, %q is shown", r.asked.names, g.background.value)
	}
	r.asked.choices.Backdrop = "/jobs/street.exr"
	s.Matte.Backdrop = BesideState{Name: "street.exr", Remarks: []Remark{{Text: "Taken for linear Rec.709"}}}
	s = r.follow(s)
	choose(settings.BackgroundPicture)
	if r.asked.choices.Look.Background != settings.BackgroundPicture || !g.picture.Visible() || g.name.Text != "street.exr" || !g.remarks.content.Visible() {
		t.Errorf("with one: %q, rows %v", r.asked.choices.Look.Background, g.picture.Visible())
	}
	tap(g.remove)
	if r.follow(s); r.asked.choices.Backdrop != "" || r.asked.choices.Look.Background != settings.BackgroundChecker {
		t.Errorf("after removing it: %+v", r.asked.choices)
	}
}

func TestColoursAreReadAsTheyAreWritten(t *testing.T) {
	for text, want := range map[string]string{
		"#1e90ff": "#1e90ff", "1E90FF": "#1e90ff", " #fff ": "#ffffff", "f80": "#ff8800", "30, 144, 255": "#1e90ff",
		"rgb(30,144,255)": "#1e90ff", "0 0 0": "#000000",
		"": "", "#12345": "", "red": "", "1,2": "", "300,0,0": "", "-1,0,0": "", "#1234567": "", "+ff": "",
	} {
		c, ok := parseColour(text)
		if ok != (want != "") || ok && hexOf(c) != want {
			t.Errorf("%q is %v, %v, want %q", text, c, ok, want)
		}
	}
}

func TestFindingsAreListedAndJumpedTo(t *testing.T) {
	r, s := ready(t)
	g := r.panel.review
	if g.about.text != "7.2 % translucent, 11.5 % solid, 81.2 % clear." || len(g.places.rows) != 3 {
		t.Errorf("%q, %d rows", g.about.text, len(g.places.rows))
	}
	r.View(ViewPlate)
	tap(g.places.rows[0].button)
	if at := r.viewer.sight; at.X != 320.5 || at.Y != 170.5 || at.Zoom != 4 || r.view != ViewMatte {
		t.Errorf("a small hole is shown at %+v in view %d", at, r.view)
	}
	if l := r.seamLayer(); !l.Marked || l.Mark != image.Pt(320, 170) || !strings.Contains(r.bottom.readout.Text, "Finding 1 of 3") {
		t.Errorf("marked %v at %v, told %q", l.Marked, l.Mark, r.bottom.readout.Text)
	}
	r.View(ViewStatus)
	tap(g.next)
	if at := r.viewer.sight; at.X != 60.5 || at.Zoom != 1 || r.view != ViewStatus || !g.places.rows[1].button.on {
		t.Errorf("the next is shown at %+v in view %d", at, r.view)
	}
	tap(g.blacks)
	if r.looking.gain != GainBlacks || r.view != ViewMatte {
		t.Errorf("blacks x16: gain %d in view %d", r.looking.gain, r.view)
	}
	r.View(ViewComp)
	tap(g.blacks)
	if r.looking.gain != GainBlacks || r.view != ViewMatte {
		t.Errorf("blacks x16 from the comp: gain %d in view %d", r.looking.gain, r.view)
	}
	tap(g.whites)
	if r.looking.gain != GainWhites {
		t.Errorf("whites x16: gain %d", r.looking.gain)
	}
	tap(g.whites)
	if r.looking.gain != GainNone {
		t.Errorf("whites x16 again: gain %d", r.looking.gain)
	}
	tap(g.status)
	if r.view != ViewStatus || !g.status.on {
		t.Errorf("status shows view %d", r.view)
	}
	s.Matte.Review = ReviewState{WhyNot: "Key the plate first."}
	if r.Show(s); len(g.places.rows) != 0 || r.finding != noFinding || !g.next.disabled || g.about.text != "Key the plate first." {
		t.Errorf("without a review: %d rows, %q", len(g.places.rows), g.about.text)
	}
}

// TestToolsAreTakenFromTheGroup presses each tool's button, and marks something with it.
func TestToolsAreTakenFromTheGroup(t *testing.T) {
	r, s := ready(t)
	r.unfold()
	g := r.panel.matte
	for use, b := range map[ToolUse]*button{
		{BrushTool, TargetCore}: g.marks.core.brush, {BoxTool, TargetCore}: g.marks.core.box, {BrushTool, TargetGarbage}: g.marks.garbage.brush,
		{BoxTool, TargetGarbage}: g.marks.garbage.box, {PickTool, TargetKept}: g.kept.pick, {BrushTool, TargetKept}: g.kept.brush,
	} {
		tap(b)
		if r.Using() != use || !b.on {
			t.Errorf("%q takes %v, on %v", b.help, r.Using(), b.on)
		}
		before := r.asked.choices
		names := len(r.asked.names)
		tool := r.viewer.tool
		tool.Down(ToolPoint{X: 100, Y: 100})
		tool.Move(ToolPoint{X: 140, Y: 120})
		tool.Up(ToolPoint{X: 140, Y: 120})
		if use.Kind == PickTool {
			if len(r.asked.names) == names {
				t.Errorf("%v picks nothing", use)
			}
		} else if r.asked.choices.Marks.Equal(before.Marks) {
			t.Errorf("%v marks nothing", use)
		}
		r.asked.choices = before
		tap(b)
		if r.Using() != (ToolUse{}) || b.on {
			t.Errorf("%q again leaves %v", b.help, r.Using())
		}
	}
	r.follow(s)
}

// TestMenusTakeTheToolsOfTheGroup takes each from its menu.
func TestMenusTakeTheToolsOfTheGroup(t *testing.T) {
	r, _ := ready(t)
	list := r.markActions()
	for _, a := range r.table {
		if slices.Contains([]string{"Open Core Matte…", "Open Garbage Matte…", "Open Background Picture…"}, a.label) {
			a.run()
		}
	}
	if want := []string{"open core", "open garbage", "open backdrop"}; !slices.Equal(r.asked.names, want) {
		t.Errorf("asked %q, want %q", r.asked.names, want)
	}
	for _, a := range list {
		a.run()
		if !a.on() || r.Using().title() == "" {
			t.Errorf("%s takes %v", a.label, r.Using())
		}
	}
	if got := len(list); got != 6 {
		t.Errorf("%d tools", got)
	}
}

// TestUndoKeysAreHeardAsTheToolkitReportsThem holds the shortcut that the driver makes of Ctrl+Z.
func TestUndoKeysAreHeardAsTheToolkitReportsThem(t *testing.T) {
	r, s := ready(t)
	s.Undo = "Box"
	r.Show(s)
	r.window.Canvas().(fyne.Shortcutable).TypedShortcut(&fyne.ShortcutUndo{})
	if !slices.Equal(r.asked.names, []string{"undo"}) {
		t.Errorf("asked %q", r.asked.names)
	}
}

// TestNGoesToWhatWasTurnedOnLast: the grid and the heat map hand N to the seams, a finding hands it back.
func TestNGoesToWhatWasTurnedOnLast(t *testing.T) {
	for _, key := range []string{"t", "T"} {
		r, s := ready(t)
		c := r.window.Canvas()
		checked := checkedState()
		s.Seams = checked.Seams
		r.Show(s)
		test.TypeOnCanvas(c, "n") // to a finding
		test.TypeOnCanvas(c, key)
		test.TypeOnCanvas(c, "n")
		if r.finding != noFinding || r.seams.chosen != 0 {
			t.Errorf("after %s: finding %d, seam %d", key, r.finding, r.seams.chosen)
		}
		tap(r.panel.review.next)
		test.TypeOnCanvas(c, "n")
		if r.finding != 1 || r.seams.chosen != -1 {
			t.Errorf("after %s and Next: finding %d, seam %d", key, r.finding, r.seams.chosen)
		}
	}
}

// TestFindingsShowWhatTheyAreRankedBy, and no matte has a minus before a zero.
func TestFindingsShowWhatTheyAreRankedBy(t *testing.T) {
	r, s := ready(t)
	row := r.panel.review.places.rows[0]
	if got := row.cells[1].Text; got != s.Matte.Review.Findings[0].Amount || got == "" {
		t.Errorf("the first finding is wrong by %q", got)
	}
	words, _ := MatteFinding{Kind: "Core hole", Worst: -0.0003}.row()
	if words[2] != "0.000" {
		t.Errorf("a matte of a little under 0 is %q", words[2])
	}
}

// TestNGoesThroughSeamsWhileTheyAreLookedAt and through findings else.
func TestNGoesThroughSeamsWhileTheyAreLookedAt(t *testing.T) {
	r, s := ready(t)
	c := r.window.Canvas()
	test.TypeOnCanvas(c, "n")
	if r.finding != 0 || r.seams.chosen != -1 {
		t.Errorf("without seams: finding %d, seam %d", r.finding, r.seams.chosen)
	}
	s.Seams.List = []Seam{{At: image.Pt(300, 100)}, {At: image.Pt(310, 200)}}
	r.Show(s)
	test.TypeOnCanvas(c, "n")
	if r.finding != 1 || r.seams.chosen != -1 {
		t.Errorf("with seams that nobody looks at: finding %d, seam %d", r.finding, r.seams.chosen)
	}
	r.ShowSeam(0)
	test.TypeOnCanvas(c, "n")
	if r.finding != noFinding || r.seams.chosen != 1 {
		t.Errorf("after a seam: finding %d, seam %d", r.finding, r.seams.chosen)
	}
	tap(r.panel.review.places.rows[2].button)
	test.TypeOnCanvas(c, "N")
	if r.finding != 1 || r.seams.chosen != -1 {
		t.Errorf("after a finding: finding %d, seam %d", r.finding, r.seams.chosen)
	}
	s.Matte.Review.Findings = nil
	r.Show(s)
	test.TypeOnCanvas(c, "N")
	if r.finding != noFinding || r.seams.chosen != 1 {
		t.Errorf("without findings: finding %d, seam %d", r.finding, r.seams.chosen)
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
