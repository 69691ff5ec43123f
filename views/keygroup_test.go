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

	"greenroom/engine/colour"
	"greenroom/engine/settings"
)

func (a *asked) ChooseModel(name string) { a.note("model " + name) }
func (a *asked) OpenModel()              { a.note("open model") }
func (a *asked) FetchModel(name string)  { a.note("fetch " + name) }
func (a *asked) ReadLicence()            { a.note("read licence") }
func (a *asked) StopFetching()           { a.note("stop fetching") }
func (a *asked) StartFresh()             { a.note("start fresh") }
func (a *asked) SaveSidecar()            { a.note("save sidecar") }
func (a *asked) DismissRestored()        { a.note("dismiss restored") }
func (a *asked) AcceptLicence(yes bool) {
	if yes {
		a.note("accept licence")
	} else {
		a.note("refuse licence")
	}
}

// models are those of a machine that has fetched none.
func models() ModelState {
	return ModelState{
		Name: "nano", Label: "Nano", About: "Knows green and blue screens.",
		Choices: []ModelChoice{{"nano", "Nano (built in)"}, {"/jobs/mine.pth", "mine.pth"}},
		Offers:  []ModelChoice{{"corridorkey-v1", "Get CorridorKey 1.0 (green, 0.4 GB)…"}},
	}
}

// licence is what stands before a download.
func licence() *Licence {
	return &Licence{
		Title: "Get CorridorKey 1.0", About: "Corridor Digital's green-screen model. The download has 0.4 GB.", Name: "CC BY-NC-SA 4.0",
		Text:   strings.Repeat("You may key pictures with the weights, also for paid work. You may not sell them. ", 5),
		URL:    "https://example.org/licence",
		Accept: "I have read the licence and accept it.",
	}
}

// TestEveryControlOfAKeyAltersItsChoice changes each and looks at what is asked for.
func TestEveryControlOfAKeyAltersItsChoice(t *testing.T) {
	r := newRoom(t, 1280, 800, 1)
	s := openState()
	s.Model, s.Hint.Screen, s.Plate.ChromaAuto = models(), "green", 1
	r.Show(s)
	r.asked.choices = s.Choices
	g := r.panel.key
	if g.pick.label != "Green" || g.pick.note != "found" || g.smooth.number.Text != "1.0" || !g.auto.on {
		t.Errorf("shown: %q, smoothed by %q, auto %v", g.pick.label, g.smooth.number.Text, g.auto.on)
	}
	choose(t, g.pick, "Blue")
	typeNumber(r, g.exposure.number, "1.5")
	typeNumber(r, g.smooth.number, "2.5")
	typeNumber(r, g.refiner.number, "0.25")
	want := settings.DefaultLook()
	want.Screen, want.KeyExposure, want.ChromaSmooth, want.Refiner = settings.ScreenBlue, 1.5, 2.5, 0.25
	if got := r.asked.choices.Look; got != want {
		t.Errorf("asked for %+v", got)
	}
	if g.auto.on || !g.smooth.reset.Visible() {
		t.Error("a number of pixels leaves auto on")
	}
	if slices.Contains(r.asked.steps, Step{}) {
		t.Errorf("steps without a name: %v", r.asked.steps)
	}
	test.Tap(g.smooth.reset)
	if got := r.asked.choices.Look.ChromaSmooth; got != settings.ChromaAuto {
		t.Errorf("reset to %v", got)
	}
	test.Tap(g.auto)
	if got := r.asked.choices.Look.ChromaSmooth; got != 1 {
		t.Errorf("auto turned off: %v", got)
	}
	typeNumber(r, g.exposure.number, "99")
	if got := r.asked.choices.Look.KeyExposure; got != 4 {
		t.Errorf("key exposure %v", got)
	}
}

func TestModelsAreChosenOpenedAndFetched(t *testing.T) {
	r := newRoom(t, 1280, 800, 1)
	s := openState()
	s.Model = models()
	r.Show(s)
	rows := r.panel.key.model
	for _, item := range rows.items() {
		if item.Action != nil {
			item.Action()
		}
	}
	want := []string{"model nano", "model /jobs/mine.pth", "open model", "fetch corridorkey-v1"}
	if !slices.Equal(r.asked.names, want) {
		t.Errorf("asked %q", r.asked.names)
	}
	s.Model.Fetch = &FetchState{Words: "Getting CorridorKey 1.0: 0.1 GB of 0.4 GB, 12 s left", Part: 0.25}
	s.Model.Busy = "This machine is being measured"
	r.Show(s)
	if !rows.running.Visible() || rows.gauge.part != 0.25 || !rows.pick.disabled || rows.pick.help != s.Model.Busy {
		t.Error("a download is not shown, or a model can be chosen while the machine is measured")
	}
	if last := rows.items()[4]; !last.Disabled {
		t.Errorf("a second download can be begun: %q", last.Label)
	}
	tap(rows.stop)
	if got := r.asked.names[len(r.asked.names)-1]; got != "stop fetching" {
		t.Errorf("asked %q", got)
	}
}

// TestALicenceIsAcceptedBeforeAnythingIsFetched: the button waits for the tick, Esc refuses, and nothing else can be done
// meanwhile by keys.
func TestALicenceIsAcceptedBeforeAnythingIsFetched(t *testing.T) {
	r := newRoom(t, 1024, 700, 1)
	s := openState()
	s.Model = models()
	s.Model.Licence = licence()
	r.Show(s)
	tap(r.licence.fetch)
	if len(r.asked.names) > 0 {
		t.Errorf("asked %q before the licence was accepted", r.asked.names)
	}
	r.typedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	test.Tap(r.licence.accept)
	tap(r.licence.fetch)
	r.typedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if want := []string{"accept licence", "refuse licence"}; !slices.Equal(r.asked.names, want) {
		t.Errorf("asked %q", r.asked.names)
	}
	size := r.licence.content.Objects[0].(*container.Scroll).Content.MinSize()
	if room := r.licence.content.Size(); size.Height > room.Height || size.Width > room.Width {
		t.Errorf("the sheet is %v, and there are %v", size, room)
	}
	s.Model.Licence = nil
	r.Show(s)
	if r.licence.content.Visible() {
		t.Error("the sheet stays")
	}
}

func TestThePlatesSpaceAndLayerAreChosen(t *testing.T) {
	r := newRoom(t, 1280, 800, 1)
	s := openState()
	s.Plate.Space, s.Plate.SpaceNote, s.Plate.Guess = "sRGB", "guessed", "sRGB"
	s.Plate.NoLayers = "A PNG file has no layers"
	r.Show(s)
	g := r.panel.plate
	if g.layerRow.Visible() {
		t.Error("a layer is shown of a file that has none")
	}
	s.Plate.NoLayers, s.Plate.Layer = "The file has one layer", "RGB"
	r.Show(s)
	if !g.layer.disabled || g.layer.help != s.Plate.NoLayers || !g.layerRow.Visible() {
		t.Errorf("the only layer can be chosen, or without a reason: %q", g.layer.help)
	}
	if n := len(g.spaces()); n != len(colour.Spaces())+2 {
		t.Errorf("%d spaces", n)
	}
	choose(t, g.space, "ACEScg")
	if got := r.asked.choices.Space; got != string(colour.ACEScg) {
		t.Errorf("asked for the space %q", got)
	}
	choose(t, g.space, "As the file says: sRGB")
	if got := r.asked.choices.Space; got != "" {
		t.Errorf("then for %q", got)
	}
	s.Plate.NoLayers, s.Plate.Layers, s.Plate.Layer = "", []string{"RGBA", "diffuse"}, "RGBA"
	r.Show(s)
	choose(t, g.layer, "diffuse")
	if got := r.asked.choices.Layer; got != "diffuse" || g.layer.disabled {
		t.Errorf("asked for the layer %q", got)
	}
	s.Key.Running = true
	r.Show(s)
	if !g.layer.disabled || !g.space.disabled {
		t.Error("the plate can be read anew while it is keyed")
	}
}

func TestWhatWasBroughtBackCanBePutAway(t *testing.T) {
	r := newRoom(t, 1280, 800, 1)
	s := openState()
	r.Show(s)
	before := r.panel.plate.content.MinSize().Height
	s.Plate.Restored = "As you left it on 30 November at 14:02."
	r.Show(s)
	if h := r.panel.plate.content.MinSize().Height; h <= before {
		t.Errorf("the word takes no place: %v", h)
	}
	for _, b := range r.panel.plate.back.Objects[1].(*fyne.Container).Objects[:2] {
		tap(b.(*button))
	}
	if want := []string{"start fresh", "dismiss restored"}; !slices.Equal(r.asked.names, want) {
		t.Errorf("asked %q", r.asked.names)
	}
}

// TestTheBannerFoldsItsDetailsAway: they are read when they are asked for, and closed again for the next problem.
func TestTheBannerFoldsItsDetailsAway(t *testing.T) {
	r := newRoom(t, 1024, 700, 1)
	s := failedState()
	s.Problem.Details = ""
	r.Show(s)
	r.render()
	plain := r.banner.content.Size().Height
	if r.banner.fold.Visible() {
		t.Error("there is something to open where there are no details")
	}
	next := *s.Problem
	next.What, next.Details = "Cannot use another.png", "cannot use /jobs/a/another.png: "+strings.Repeat("it is of another shape, ", 12)
	s.Problem = &next
	r.Show(s)
	r.render()
	closed := r.banner.content.Size().Height
	test.Tap(r.banner.fold)
	r.render()
	if open := r.banner.content.Size().Height; !(plain < closed && closed < open) || r.banner.details.text != next.Details {
		t.Errorf("heights %v, %v, %v", plain, closed, open)
	}
	third := next
	third.What = "Cannot use a third.png"
	s.Problem = &third
	r.Show(s)
	if r.banner.fold.open || r.banner.details.Visible() {
		t.Error("the next problem's details are open at once")
	}
}

// TestEveryControlOfAnExport changes each and looks at what is asked for; what cannot be chosen says why.
func TestEveryControlOfAnExport(t *testing.T) {
	r := newRoom(t, 1024, 700, 1)
	s := doneState()
	r.Show(s)
	g := r.panel.export
	if !g.comp.disabled || g.comp.help != s.Export.NoComp || !g.channels.disabled || g.channels.help != s.Export.NoMatteY ||
		!g.depth.disabled || g.depth.help != s.Export.NoDepth {
		t.Errorf("comp %q, channels %q", g.comp.help, g.channels.help)
	}
	if !g.formats[0].on || g.formats[2].on || g.usual.Visible() {
		t.Error("not the format that is used, or a folder of the artist's own")
	}
	s.Export.NoComp, s.Export.NoMatteY, s.Export.NoDepth, s.Export.OwnFolder, s.Export.Used = "", "", "", true, ExportPNG
	r.Show(s)
	choose(t, g.depth, "8 in comp")
	s.Export.Used = ExportEXR
	r.Show(s)
	for _, c := range []*check{g.key, g.matte, g.fg, g.comp, g.overwrite} {
		test.Tap(c)
	}
	test.Tap(g.formats[2])
	choose(t, g.channels, "Y")
	choose(t, g.depth, "32, float")
	if want := (ExportChoice{FG: true, Comp: true, Format: ExportEXR, Float: true, MatteY: true, Overwrite: true}); r.asked.out != want {
		t.Errorf("asked for %+v", r.asked.out)
	}
	// Folded away it says the same in short.
	closed := g.content.MinSize().Height
	if !strings.Contains(g.to.text, "shot_010_key.png and 1 more in ") || !strings.HasSuffix(g.to.text, "keys") || g.folder.Text == "" {
		t.Errorf("in short: %q", g.to.text)
	}
	test.Tap(g.fold)
	if h := g.content.MinSize().Height; h < closed+80 {
		t.Errorf("%v high when it is open, %v when it is not", h, closed)
	}
	tap(g.usual)
	if got := r.asked.names[len(r.asked.names)-1]; got != "usual folder" {
		t.Errorf("asked %q", got)
	}
}

// TestKeyExportAndLicenceLookAsBefore compares each alone.
func TestKeyExportAndLicenceLookAsBefore(t *testing.T) {
	for _, c := range []struct {
		name  string
		width float32
		// shown returns what is compared.
		shown func(r room) fyne.CanvasObject
		state func(s *State)
	}{
		{"key_group", panelWidth, func(r room) fyne.CanvasObject { return r.panel.key.content }, func(s *State) {
			s.Choices.Look.KeyExposure, s.Choices.Look.ChromaSmooth = 1.5, 2
			s.Model.Fetch = &FetchState{Words: "Getting CorridorKey 1.0: 120 MB of 380 MB, 35 s left", Part: 0.32}
		}},
		{"export", panelWidth, func(r room) fyne.CanvasObject { return r.panel.export.content }, func(s *State) {
			e := &s.Export
			e.Used, e.Contract, e.NoComp, e.NoDepth, e.NoMatteY, e.OwnFolder = ExportEXR, "premultiplied linear, half EXR", "", "", "", true
			e.Comp, e.Files = true, []string{"shot_010_key_v002.exr", "shot_010_matte_v002.exr", "shot_010_comp_v002.exr"}
		}},
		{"restored", panelWidth, func(r room) fyne.CanvasObject { return r.panel.plate.content }, func(s *State) {
			s.Plate.Restored = "As you left it on 30 November at 14:02. rough.png has changed since: it is taken as it is now."
			s.Plate.Layer, s.Plate.Layers, s.Plate.NoLayers = "RGBA", []string{"RGBA", "cam"}, ""
		}},
		{"licence", licenceWidth, func(r room) fyne.CanvasObject { return r.licence.content }, func(s *State) { s.Model.Licence = licence() }},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRoom(t, c.width, 200, 1)
			s := doneState()
			c.state(&s)
			part := c.shown(r)
			r.window.SetContent(container.New(layout.NewCustomPaddedLayout(margin, margin, margin, margin+2), part))
			r.Show(s)
			if c.name == "export" {
				test.Tap(r.panel.export.fold)
			}
			height, width := part.MinSize().Height, float32(0)
			if c.name == "licence" {
				height = r.licence.content.Objects[0].(*container.Scroll).Content.MinSize().Height + gap
				width = 2*margin + 2*gap
			}
			r.window.Resize(fyne.NewSize(c.width+width, height+2*margin))
			compare(t, c.name, r.render())
		})
	}
}

// TestTheExportButtonStaysWhereItIs when it has written, and the folded group takes no more room by it than a row.
func TestTheExportButtonStaysWhereItIs(t *testing.T) {
	r := newRoom(t, 1024, 700, 1)
	r.Show(openState())
	s := doneState()
	s.Export.Written = nil
	r.Show(s)
	r.render()
	g := r.panel.export
	at := func() fyne.Position { return fyne.CurrentApp().Driver().AbsolutePositionForObject(g.export) }
	before, height := at(), g.content.MinSize().Height
	s.Export.Written = []string{"shot_010_key.png", "shot_010_matte.png"}
	r.Show(s)
	r.render()
	if at() != before || !g.done.Visible() {
		t.Errorf("the button goes from %v to %v", before, at())
	}
	if more := g.content.MinSize().Height - height; more > 16 {
		t.Errorf("the group is %v higher", more)
	}
	test.Tap(g.fold)
	test.Tap(g.fold)
	if g.closed.Visible() {
		t.Error("what will be written stands beside what was written")
	}
}
