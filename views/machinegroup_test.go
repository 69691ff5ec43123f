//go:build !headless

package views

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/test"
)

func (a *asked) UsePreset(name string)         { a.note("use " + name) }
func (a *asked) RevertPreset()                 { a.note("revert") }
func (a *asked) SavePreset()                   { a.note("save") }
func (a *asked) SavePresetAs()                 { a.note("save as") }
func (a *asked) DuplicatePreset()              { a.note("duplicate") }
func (a *asked) ImportPreset()                 { a.note("import") }
func (a *asked) RevealPreset()                 { a.note("reveal preset") }
func (a *asked) SetSetting(name, value string) { a.note(name + " " + value) }
func (a *asked) Measure()                      { a.note("measure") }
func (a *asked) StopMeasuring()                { a.note("stop measuring") }
func (a *asked) SaveMeasured()                 { a.note("save measured") }
func (a *asked) PreviewAs(machine string)      { a.note("preview " + machine) }
func (a *asked) PreviewOther()                 { a.note("preview other") }
func (a *asked) Tell(text string)              { a.note("tell " + text) }
func (a *asked) Untell()                       { a.note("untell") }

// withMachine is a room with a plate on a machine.
func withMachine(t *testing.T, m MachineState) room {
	t.Helper()
	r := newRoom(t, 1280, 800, 1)
	s := openState()
	r.Show(s)
	r.render()
	s.Setup = m
	r.Show(s)
	return r
}

// row finds a setting's row.
func (r room) row(name string) *settingRow {
	g := r.panel.machine
	for _, row := range append(slices.Concat(g.toggles, g.frames), g.tile, g.overlap) {
		if row.name == name {
			return row
		}
	}
	return nil
}

// TestMachineGroupLooksAsBefore compares the group alone, for four machines.
func TestMachineGroupLooksAsBefore(t *testing.T) {
	for _, c := range []struct {
		name  string
		state MachineState
		// open are what is unfolded: "" is Advanced, else the reasons of a setting.
		open []string
	}{
		{"machine_m4pro24", smallMac(), []string{"tile"}},
		{"machine_m3ultra256", largeMac(), []string{""}},
		{"machine_linux", plainPC(), nil},
		{"machine_h200", gpuPC(), []string{"", "slim"}},
		{"machine_measured", measuredMac(), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRoom(t, panelWidth, 200, 1)
			s := openState()
			s.Setup = c.state
			g := r.panel.machine
			r.window.SetContent(container.New(layout.NewCustomPaddedLayout(margin, margin, margin, margin+2), g.content))
			r.Show(s)
			for _, name := range c.open {
				if name == "" {
					test.Tap(g.fold)
				} else {
					tap(r.row(name).why)
				}
			}
			r.window.Canvas().Unfocus() // a cursor blinks
			r.window.Resize(fyne.NewSize(panelWidth, g.content.MinSize().Height+2*margin))
			compare(t, c.name, r.render())
		})
	}
}

// choose takes a line of a chooser's menu; a line that cannot be chosen is told as an error.
func choose(t *testing.T, c *chooser, label string) {
	t.Helper()
	for _, item := range c.items() {
		if item.Label == label {
			if item.Disabled {
				t.Errorf("%q cannot be chosen", label)
				return
			}
			item.Action()
			return
		}
	}
	t.Errorf("no line %q", label)
}

func TestMachineControlsRaiseTheirIntents(t *testing.T) {
	r := withMachine(t, largeMac())
	g := r.panel.machine
	choose(t, g.preset.pick, "lantern, hair")
	tap(g.preset.save)
	tap(g.preset.revert)
	choose(t, g.preset.more, "Save as…")
	choose(t, g.preset.more, "Duplicate…")
	choose(t, g.preset.more, "Import…")
	choose(t, g.preset.more, "Reveal the File")
	choose(t, g.tile.pick, "512")
	choose(t, g.overlap.pick, "128")
	choose(t, r.row("frame").pick, "2048")
	for _, row := range g.toggles {
		test.Tap(row.toggle)
	}
	tap(g.measure.start)
	choose(t, g.preview, "Apple M1, 8 GB")
	choose(t, g.preview, "Another machine…")
	choose(t, g.preview, "This machine")
	want := []string{
		"use lantern, hair", "save", "revert", "save as", "duplicate", "import", "reveal preset", "tile 512", "overlap 128",
		"frame 2048", "slim off", "stage_gc on", "sdpa on", "bf16 on", "fused_decode off", "gpu_preprocess off", "compile off",
		"measure", "preview Apple M1, 8 GB", "preview other", "preview ",
	}
	if !slices.Equal(r.asked.names, want) {
		t.Errorf("asked %q\nwant  %q", r.asked.names, want)
	}
}

func TestNothingChangesWhileTheMachineIsBusy(t *testing.T) {
	for name, m := range map[string]MachineState{"measuring": plainPC(), "preview": gpuPC()} {
		r := withMachine(t, m)
		g := r.panel.machine
		tap(g.preset.save)
		tap(g.preset.revert)
		tap(g.measure.start)
		for _, row := range slices.Concat(g.toggles, g.frames, []*settingRow{g.tile, g.overlap}) {
			if row.toggle != nil {
				test.Tap(row.toggle)
				if row.toggle.help != m.Busy {
					t.Errorf("%s: %s says %q", name, row.name, row.toggle.help)
				}
				continue
			}
			test.Tap(row.pick)
			if row.pick.help != m.Busy {
				t.Errorf("%s: %s says %q", name, row.name, row.pick.help)
			}
		}
		test.Tap(g.preset.pick)
		if len(r.asked.names) > 0 || r.window.Canvas().Overlays().Top() != nil {
			t.Errorf("%s: asked %q, menu %v", name, r.asked.names, r.window.Canvas().Overlays().Top())
		}
		if g.preset.save.help != m.Busy || g.measure.start.help != m.Busy {
			t.Errorf("%s: the buttons say %q and %q", name, g.preset.save.help, g.measure.start.help)
		}
	}
}

func TestPreviewGoesBackAndMeasuringStops(t *testing.T) {
	r := withMachine(t, gpuPC())
	g := r.panel.machine
	back := g.notice.Objects[1].(*fyne.Container).Objects[0].(*button)
	tap(back)
	r.Show(func() State { s := openState(); s.Setup = plainPC(); return s }())
	if g.notice.Visible() || g.measure.start.Visible() || !g.measure.running.Visible() {
		t.Error("measuring looks like a preview, or as if it had not begun")
	}
	if got := g.measure.words.Text; !strings.HasPrefix(got, "4 of 15: tiled 512/64 at 1024") {
		t.Errorf("progress %q", got)
	}
	tap(g.measure.stop)
	r.Show(func() State { s := openState(); s.Setup = measuredMac(); return s }())
	tap(g.measure.save)
	if want := []string{"preview ", "stop measuring", "save measured"}; !slices.Equal(r.asked.names, want) {
		t.Errorf("asked %q, want %q", r.asked.names, want)
	}
}

func TestLockedChoicesSayWhy(t *testing.T) {
	r := withMachine(t, smallMac())
	g := r.panel.machine
	whole := g.tile.pick.items()[0]
	if !whole.Disabled || whole.Icon == nil {
		t.Error("the whole frame can be chosen")
	}
	if got := g.locked.shown; len(got) != 1 || got[0].Text != "Whole frame locked: "+swaps+"." {
		t.Errorf("said %+v", got)
	}
	compile := r.row("compile")
	test.Tap(compile.toggle)
	if len(r.asked.names) > 0 || !strings.Contains(compile.toggle.help, swaps) || !compile.lock.Visible() {
		t.Errorf("a required toggle: asked %q, says %q, lock %v", r.asked.names, compile.toggle.help, compile.lock.Visible())
	}
	if row := r.row("refine"); !row.pick.disabled || !strings.Contains(row.pick.help, "not with tiles") {
		t.Errorf("refine: disabled %v, says %q", row.pick.disabled, row.pick.help)
	}
}

func TestGroupsFoldAway(t *testing.T) {
	r := withMachine(t, smallMac())
	open := r.panel.column.MinSize().Height
	for _, content := range []*fyne.Container{r.panel.matte.content, r.panel.machine.content} {
		head := content.Objects[0].(*fyne.Container).Objects[0].(*fold)
		inside := content.Objects[2]
		test.Tap(head)
		if inside.Visible() || r.panel.column.MinSize().Height >= open {
			t.Errorf("%s does not fold away", head.title.Text)
		}
		test.Tap(head)
		if !inside.Visible() || r.panel.column.MinSize().Height != open {
			t.Errorf("%s does not open again", head.title.Text)
		}
	}
}

func TestWhyShowsRuleAndEvidence(t *testing.T) {
	r := withMachine(t, smallMac())
	g := r.panel.machine
	before := g.content.MinSize().Height
	tap(g.tile.why)
	if !g.tile.because.content.Visible() || g.content.MinSize().Height <= before {
		t.Fatal("nothing unfolds")
	}
	var said []string
	for _, o := range g.tile.because.content.Objects {
		if c, ok := o.(*fyne.Container); ok {
			said = append(said, c.Objects[0].(*paragraph).text)
		}
	}
	text := strings.Join(said, "\n")
	for _, part := range []string{"Required.", "24 GB tiles", "20 to 24 s a frame", "26.7 GB"} {
		if !strings.Contains(text, part) {
			t.Errorf("%q does not say %q", text, part)
		}
	}
	tap(g.tile.why)
	if g.content.MinSize().Height != before {
		t.Error("it does not fold away")
	}
}

func TestAskedAndUsedAreToldApart(t *testing.T) {
	r := withMachine(t, smallMac())
	if row := r.row("tile"); row.used.Text != "" {
		t.Errorf("tile as asked says %q", row.used.Text)
	}
	m := plainPC()
	s := openState()
	s.Setup = m
	s.Plan.Adjusted = []Adjusted{{"tile", "1024", "512", "it would not fit"}}
	r.Show(s)
	row := r.row("tile")
	if row.pick.label != "1024" || row.used.Text != "512" || row.used.Color != amber() {
		t.Errorf("asked %q, used %q in %v", row.pick.label, row.used.Text, row.used.Color)
	}
	if got := r.panel.machine.adjusted.shown; len(got) != 1 || !strings.Contains(got[0].Text, "it would not fit") {
		t.Errorf("said %+v", got)
	}
	if row := r.row("slim"); row.used.Text != "on" {
		t.Errorf("slim is used %q", row.used.Text)
	}
}

func TestAskedForALine(t *testing.T) {
	r := withMachine(t, measuredMac())
	a := r.panel.machine.ask
	c := r.window.Canvas()
	if c.Focused() != a.entry || a.entry.Text != "M4 Pro, 24 GB, measured" {
		t.Fatalf("focused %v, text %q", c.Focused(), a.entry.Text)
	}
	test.Type(a.entry, "k") // what was offered is selected: typing replaces it
	a.entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	a.entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	tap(a.give)
	if want := []string{"tell k", "untell", "tell k"}; !slices.Equal(r.asked.names, want) {
		t.Errorf("asked %q, want %q", r.asked.names, want)
	}
	r.Show(func() State { s := openState(); s.Setup = smallMac(); return s }())
	if a.content.Visible() || c.Focused() != nil {
		t.Errorf("still asked: %v, focused %v", a.content.Visible(), c.Focused())
	}
}

func TestMenusOfTheMachineGroupStayInside(t *testing.T) {
	r := newRoom(t, 1024, 700, 1)
	s := openState()
	s.Setup = smallMac()
	s.Setup.Preset.Choices = append(s.Setup.Preset.Choices, PresetChoice{Name: strings.Repeat("a very long name of a preset ", 12)})
	for range 60 {
		s.Setup.Preset.Choices = append(s.Setup.Preset.Choices, PresetChoice{Name: "another"})
	}
	r.Show(s)
	c := r.window.Canvas()
	for _, pick := range []*chooser{r.panel.machine.preset.pick, r.panel.machine.preview, r.panel.machine.tile.pick} {
		test.Tap(pick)
		menu := pick.menu
		if menu == nil || c.Overlays().Top() == nil {
			t.Fatal("no menu opened")
		}
		at, size := menu.Position(), menu.Size()
		if at.X < 0 || at.Y < 0 || at.X+size.Width > 1024 || at.Y+size.Height > 700 {
			t.Errorf("a menu lies at %v, %v", at, size)
		}
		menu.Hide()
	}
}
