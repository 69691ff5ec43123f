//go:build !headless

package views

import (
	"fmt"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"

	"greenroom/engine/settings"
)

// machineGroup shows this machine, the preset and the settings that it keys with, what they cost and why.
type machineGroup struct {
	content *fyne.Container
	screen  *Screen
	state   MachineState

	preview         *chooser
	name, details   *paragraph
	notice          *fyne.Container
	noticeText      *paragraph
	preset          *presetRows
	ask             *askLine
	tile, overlap   *settingRow
	locked          *remarks
	adjusted        *remarks
	memory          *memoryGauge
	time            *wordsRow
	fold            *fold
	advanced        *fyne.Container
	toggles, frames []*settingRow
	notes           *remarks
	measure         *measureRows
}

// settingHelp says what each setting does.
func settingHelp(name string) string {
	switch name {
	case "slim":
		return "Keep only the matte, the foreground and the coarse result, not every intermediate map"
	case "stage_gc":
		return "Release memory between the stages of the network"
	case "sdpa":
		return "Attention in one piece; scores are never stored"
	case "bf16":
		return "Half-width numbers in most of the network"
	case "fused_decode":
		return "Both decoders folded into one matrix a scale"
	case "gpu_preprocess":
		return "Prepare the plate on the device"
	case "compile":
		return "Fuse small steps; record the program once and replay it"
	case "tile":
		return "Key in square tiles of so many pixels, or the whole frame in one call"
	case "overlap":
		return "How many pixels two neighbouring tiles share"
	case "frame":
		return "Resize the plate to N x N for the network and the result back, or keep the plate's size"
	case "refine":
		return "Where the refiner runs: in each tile, or once over the whole frame"
	case "half":
		return "Which half-width numbers bf16 stores: bfloat16 has the larger range, float16 rounds eight times finer"
	}
	return ""
}

// frameNames are the settings under Advanced that are no toggles.
func frameNames() []string { return []string{"frame", "refine", "half"} }

func newMachineGroup(s *Screen) *machineGroup {
	g := &machineGroup{
		screen: s, locked: newRemarks(), adjusted: newRemarks(), notes: newRemarks(),
		name:    newParagraph(panelText, sizeText, grey(greyText)),
		details: newParagraph(panelText, sizeSmall, grey(greyQuiet)),
		preset:  newPresetRows(s), ask: newAskLine(s.intents),
		memory: newMemoryGauge(), time: newWordsRow("Time"), measure: newMeasureRows(s),
	}
	g.preview = newChooser("Show what another machine would get; keys are not run with it", s.tip, g.previews)
	g.preview.flat = true
	g.preview.say("Preview as", "")
	g.noticeText = newParagraph(panelText-64, sizeSmall, amber())
	back := newButton("Back", plainButton, func() { s.intents.PreviewAs("") }).helps("Show this machine again", s.tip)
	g.notice = container.NewBorder(nil, nil, g.noticeText, container.New(atTop{}, back))
	g.notice.Hide()

	g.tile = newSettingRow(s, "tile", "Tile")
	g.overlap = newSettingRow(s, "overlap", "Overlap")
	table := container.New(column(0))
	head := container.New(settingCells{tableLabel, tableControl}, newText("Setting", sizeSmall, grey(greyQuiet)), newText("Asked", sizeSmall, grey(greyQuiet)),
		newText("Used", sizeSmall, grey(greyQuiet)), spacer(0, 0))
	table.Add(head)
	for _, name := range settings.Names() {
		switch {
		case name == "tile" || name == "overlap":
		case slices.Contains(frameNames(), name):
			row := newTableRow(s, name, false)
			g.frames = append(g.frames, row)
			table.Add(row.content)
		default:
			row := newTableRow(s, name, true)
			g.toggles = append(g.toggles, row)
			table.Add(row.content)
		}
	}
	g.advanced = table
	g.advanced.Hide()
	g.fold = s.newFold("Advanced", false, "Every setting, as asked and as used, and why", g.advanced)

	g.content = foldable(s, "Machine", container.New(fixedWidth(104), g.preview),
		container.New(column(1), g.name, g.details), g.notice, g.preset.content, g.ask.content,
		container.New(column(1), g.tile.content, g.overlap.content), g.locked.content, g.adjusted.content, g.notes.content,
		g.memory.content, g.time.content, g.fold, g.advanced, g.measure.content)
	return g
}

// previews are the machines that can be looked at.
func (g *machineGroup) previews() []*fyne.MenuItem {
	in := g.screen.intents
	this := fyne.NewMenuItem("This machine", func() { in.PreviewAs("") })
	this.Checked = !g.state.Preview
	items := []*fyne.MenuItem{this, fyne.NewMenuItemSeparator()}
	for _, name := range g.state.Others {
		item := fyne.NewMenuItem(name, func() { in.PreviewAs(name) })
		item.Checked = g.state.Preview && g.state.Name == name
		items = append(items, item)
	}
	return append(items, fyne.NewMenuItemSeparator(), fyne.NewMenuItem("Another machine…", in.PreviewOther))
}

// show draws a state and reports whether the group's height may have changed.
func (g *machineGroup) show(s State) bool {
	m := s.Setup
	g.state = m
	changed := g.name.say(m.Name, grey(greyText))
	changed = g.details.say(m.Details, grey(greyQuiet)) || changed
	notice := ""
	if m.Preview {
		notice = "Preview of another machine. Keys go on running as this machine does."
	}
	changed = g.noticeText.say(notice, amber()) || changed
	visible(g.notice, m.Preview)
	changed = g.preset.show(m) || changed
	changed = g.ask.show(m.Ask) || changed
	changed = g.tile.show(m.setting("tile"), m.Busy) || changed
	changed = g.overlap.show(m.setting("overlap"), m.Busy) || changed
	for _, row := range slices.Concat(g.toggles, g.frames) {
		changed = row.show(m.setting(row.name), m.Busy) || changed
	}
	var locked []Remark
	for _, text := range m.setting("tile").locked() {
		locked = append(locked, Remark{Text: text + "."})
	}
	changed = g.locked.show(locked) || changed
	changed = g.adjusted.show(adjustedRemarks(s, m)) || changed
	changed = g.memory.show(m.Memory) || changed
	changed = g.time.show(m.Time) || changed
	var notes []Remark
	for _, text := range m.Notes {
		notes = append(notes, Remark{Text: text})
	}
	changed = g.notes.show(notes) || changed
	return g.measure.show(m.Measure, m.Preview) || changed
}

// adjustedRemarks say which settings are not as they were asked for.
func adjustedRemarks(s State, m MachineState) []Remark {
	list := s.Plan.Adjusted
	if m.Preview {
		list = m.Adjusted
	}
	var rows []Remark
	for _, a := range list {
		rows = append(rows, Remark{Text: fmt.Sprintf("%s: asked %s, using %s. Why: %s.", upperFirst(a.Setting), a.Asked, a.Used, a.Why)})
	}
	return rows
}

// measureRows start measuring this machine, show how far that is, and what came of it.
type measureRows struct {
	content *fyne.Container
	start   *button
	stop    *button
	save    *button
	running *fyne.Container
	words   *canvas.Text
	gauge   *gauge
	table   *fyne.Container
	rows    []MeasuredRow
	result  *paragraph
	offer   *fyne.Container
}

func newMeasureRows(s *Screen) *measureRows {
	r := &measureRows{
		words: newText("", sizeSmall, grey(greyQuiet)), gauge: newGauge(), table: container.New(column(2)),
		result: newParagraph(panelText, sizeSmall, grey(greyText)),
	}
	r.start = newButton("Measure this machine", plainButton, s.intents.Measure).helps("", s.tip)
	r.stop = newButton("Stop", plainButton, s.intents.StopMeasuring).helps("Stop measuring; what was measured so far is kept", s.tip)
	r.save = newButton("Save as preset…", plainButton, s.intents.SaveMeasured).
		helps("Make a preset of the fastest settings that were measured", s.tip)
	r.running = container.New(column(4), container.NewBorder(nil, nil, container.NewCenter(r.words), r.stop), r.gauge.content)
	r.running.Hide()
	r.offer = container.NewHBox(r.save)
	r.offer.Hide()
	r.content = container.New(column(5), container.NewHBox(r.start), r.running, r.table, r.result, r.offer)
	return r
}

func (r *measureRows) show(m MeasureState, preview bool) bool {
	changed := r.running.Visible() != m.Running || r.offer.Visible() != m.Offer || r.start.Visible() == m.Running
	help := "Time this machine with the open model, so that times are its own and the best settings can become a preset"
	if m.WhyNot != "" {
		help = m.WhyNot
	}
	r.start.help = help
	r.start.enable(m.WhyNot == "" && !m.Running)
	visible(r.start, !m.Running)
	visible(r.running, m.Running)
	r.gauge.count(m.Running, m.Done, m.All)
	say(r.words, shorten(measuring(m), panelText-76, sizeSmall, fyne.TextStyle{}), grey(greyQuiet))
	visible(r.offer, m.Offer && !preview)
	if !slices.Equal(r.rows, m.Rows) {
		r.rows = slices.Clone(m.Rows)
		r.draw()
		changed = true
	}
	return r.result.say(m.Result, grey(greyText)) || changed
}

// draw writes what was measured.
func (r *measureRows) draw() {
	r.table.Objects = nil
	for _, row := range r.rows {
		if row.Failed {
			p := newParagraph(panelText, sizeSmall, grey(greyQuiet))
			p.say(row.Name+": "+row.Time, grey(greyQuiet))
			r.table.Objects = append(r.table.Objects, p)
			continue
		}
		r.table.Objects = append(r.table.Objects, container.New(measuredCells{},
			newText(shorten(row.Name, measuredName, sizeSmall, fyne.TextStyle{}), sizeSmall, grey(greyQuiet)),
			newText(row.Time, sizeSmall, grey(greyText)), newText(row.Memory, sizeSmall, grey(greyQuiet))))
	}
	visible(r.table, len(r.rows) > 0)
	r.table.Refresh()
}

// measuring says how far it is.
func measuring(m MeasureState) string {
	text := m.Doing
	if m.All > 0 {
		text = fmt.Sprintf("%d of %d", m.Done, m.All)
		if m.Doing != "" {
			text += ": " + m.Doing
		}
	}
	if m.Left >= 0 && m.Done > 0 {
		text += ", " + timeLeft(m.Left)
	}
	return text
}

// measuredCells lays out name, time and memory, the latter two against the right.
type measuredCells struct{}

const (
	measuredName = 160
	measuredTime = 62
)

// MinSize implements fyne.Layout.
func (measuredCells) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(measuredName+2*measuredTime, o[0].MinSize().Height)
}

// Layout implements fyne.Layout.
func (measuredCells) Layout(o []fyne.CanvasObject, size fyne.Size) {
	o[0].Resize(o[0].MinSize())
	right := size.Width
	for _, c := range []fyne.CanvasObject{o[2], o[1]} {
		m := c.MinSize()
		c.Resize(m)
		c.Move(fyne.NewPos(right-m.Width, 0))
		right -= measuredTime
	}
}
