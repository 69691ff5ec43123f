//go:build !headless

package views

import (
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"greenroom/engine/settings"
)

// asked is an Intents that notes what was asked for.
type asked struct {
	names   []string
	choices settings.Choices
	steps   []Step
	out     ExportChoice
}

func (a *asked) Choose(step Step, alter func(*settings.Choices)) {
	a.note("choose")
	a.steps = append(a.steps, step)
	alter(&a.choices)
}

func (a *asked) Pick(t Target, at settings.Point) {
	a.note(fmt.Sprintf("pick %d %v,%v", t, at.X, at.Y))
}

func (a *asked) note(name string)         { a.names = append(a.names, name) }
func (a *asked) OpenPlate()               { a.note("open plate") }
func (a *asked) OpenHint()                { a.note("open hint") }
func (a *asked) OpenPath(path string)     { a.note("open " + path) }
func (a *asked) OpenSample()              { a.note("open sample") }
func (a *asked) MakeHint()                { a.note("make hint") }
func (a *asked) Key()                     { a.note("key") }
func (a *asked) Cancel()                  { a.note("cancel") }
func (a *asked) Undo()                    { a.note("undo") }
func (a *asked) Redo()                    { a.note("redo") }
func (a *asked) SetExport(e ExportChoice) { a.note("export choice"); a.out = e }
func (a *asked) ChooseFolder()            { a.note("folder") }
func (a *asked) UsualFolder()             { a.note("usual folder") }
func (a *asked) Export()                  { a.note("export") }
func (a *asked) Reveal()                  { a.note("reveal") }
func (a *asked) Fix()                     { a.note("fix") }
func (a *asked) Dismiss()                 { a.note("dismiss") }
func (a *asked) Answer(i int)             { a.note("answer " + string(rune('0'+i))) }
func (a *asked) OpenCore()                { a.note("open core") }
func (a *asked) OpenGarbage()             { a.note("open garbage") }
func (a *asked) OpenBackdrop()            { a.note("open backdrop") }

func (a *asked) Quit() { a.note("quit") }

// room is a screen in a window of Fyne's software driver.
type room struct {
	*Screen
	asked  *asked
	window fyne.Window
}

func newRoom(t *testing.T, w, h, scale float32) room {
	t.Helper()
	test.NewTempApp(t).Settings().SetTheme(Theme{})
	r := room{asked: &asked{}}
	r.Screen = NewScreen(r.asked)
	r.window = test.NewTempWindow(t, r.Content())
	r.window.SetPadded(false)
	r.window.Canvas().(test.WindowlessCanvas).SetScale(scale)
	r.window.Resize(fyne.NewSize(w, h))
	r.Keys(r.window.Canvas())
	return r
}

// render draws the window.
func (r room) render() image.Image { return r.window.Canvas().Capture() }

// keep writes a picture into the folder that GREENROOM_RENDERS names, to be looked at.
func keep(t *testing.T, name string, m image.Image) {
	t.Helper()
	dir := os.Getenv("GREENROOM_RENDERS")
	if dir == "" {
		return
	}
	f, err := os.Create(filepath.Join(dir, name+".png"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := png.Encode(f, m); err != nil {
		t.Fatal(err)
	}
}

// tap presses a button as the mouse would.
func tap(b *button) { test.Tap(b) }

func TestButtonsRaiseTheirIntents(t *testing.T) {
	r := newRoom(t, 1280, 800, 1)
	r.Show(emptyState())
	tap(r.empty.sample)
	tap(r.empty.recents.Objects[1].(*fyne.Container).Objects[0].(*button))
	r.Show(openState())
	tap(r.toolbar.hint)
	tap(r.panel.hint.make)
	tap(r.bottom.key)
	tap(r.panel.export.export) // nothing to export yet
	running := openState()
	running.Key.Running = true
	r.Show(running)
	tap(r.bottom.key)
	r.Show(doneState())
	tap(r.panel.export.export)
	tap(r.panel.export.reveal)
	want := []string{"open sample", "open /a", "open hint", "make hint", "key", "cancel", "export", "reveal"}
	if !slices.Equal(r.asked.names, want) {
		t.Errorf("asked %q, want %q", r.asked.names, want)
	}
}

func TestKeysDoWhatTheTableSays(t *testing.T) {
	r := newRoom(t, 1280, 800, 1)
	c := r.window.Canvas()
	r.Show(openState())
	r.Show(doneState())
	r.render()
	for i := range viewNames() {
		test.TypeOnCanvas(c, string(rune('1'+i)))
		if r.view != View(i) {
			t.Errorf("key %d shows view %d", i+1, r.view)
		}
	}
	test.TypeOnCanvas(c, "m")
	if r.view != ViewPlate || !r.overlay {
		t.Errorf("M from the comp: view %d, overlay %v", r.view, r.overlay)
	}
	test.TypeOnCanvas(c, "m")
	if r.view != ViewStatus || r.overlay {
		t.Errorf("M again: view %d, overlay %v", r.view, r.overlay)
	}
	test.TypeOnCanvas(c, "1")
	test.TypeOnCanvas(c, "m")
	test.TypeOnCanvas(c, "m")
	if r.view != ViewPlate || r.overlay {
		t.Errorf("M twice on the plate: view %d, overlay %v", r.view, r.overlay)
	}
	r.viewer.Actual()
	test.TypeOnCanvas(c, "f")
	if r.viewer.sight != (Sight{}) {
		t.Errorf("F leaves the sight at %+v", r.viewer.sight)
	}
	for _, a := range r.table {
		if sc := a.shortcut(); sc != nil {
			c.(fyne.Shortcutable).TypedShortcut(sc)
		}
	}
	test.TypeOnCanvas(c, "x")
	r.typedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	r.typedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if want := []string{"open plate", "open hint", "export", "save sidecar", "quit", "key", "key"}; !slices.Equal(r.asked.names, want) {
		t.Errorf("asked %q, want %q", r.asked.names, want)
	}
	if r.viewer.sight.Zoom != 1 {
		t.Errorf("100 %% zooms to %v", r.viewer.sight.Zoom)
	}
}

// TestTabFindsNothingBehindAQuestion: entries behind the card cannot be typed in.
func TestTabFindsNothingBehindAQuestion(t *testing.T) {
	r := newRoom(t, 1280, 800, 1)
	s := openState()
	r.Show(s)
	r.render()
	c := r.window.Canvas()
	c.Focus(r.number("Clip black").number)
	s.Question = &Question{Title: "Which?", Answers: []Answer{{Label: "This"}}}
	r.Show(s)
	if c.Focused() != nil {
		t.Errorf("%T keeps the keyboard", c.Focused())
	}
	for range 100 {
		c.FocusNext()
		if b, ok := c.Focused().(*button); !ok || b.label != "This" && b.label != "Cancel   Esc" {
			t.Fatalf("Tab finds %T behind the question", c.Focused())
		}
	}
	s.Question = nil
	r.Show(s)
	c.FocusNext()
	if c.Focused() == nil {
		t.Error("Tab finds nothing after the question")
	}
}

// TestEscapePutsAwayWhatIsOnTop: a question before the key that runs or waits, and a problem last.
func TestEscapePutsAwayWhatIsOnTop(t *testing.T) {
	r := newRoom(t, 1280, 800, 1)
	escape := func(s State) {
		r.Show(s)
		r.typedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	}
	s := failedState()
	s.Question = &Question{Title: "What is x.png?", Answers: []Answer{{Label: "A new plate"}, {Label: "The hint"}}}
	s.Key.Running = true
	escape(s)
	s.Question = nil
	escape(s)
	s.Key.Running, s.Key.Waiting = false, true
	escape(s)
	s.Key.Waiting = false
	escape(s)
	if want := []string{"answer /", "cancel", "cancel", "dismiss"}; !slices.Equal(r.asked.names, want) {
		t.Errorf("asked %q, want %q", r.asked.names, want)
	}
}

// TestEscapePutsTheToolAwayBeforeTheBanner: the tool is what the artist has in hand.
func TestEscapePutsTheToolAwayBeforeTheBanner(t *testing.T) {
	r := newRoom(t, 1280, 800, 1)
	r.Show(failedState())
	r.Paint(TargetHint)
	r.typedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if r.Using().Kind != NoTool || len(r.asked.names) != 0 {
		t.Errorf("the first Esc leaves %v and asks %q", r.Using(), r.asked.names)
	}
	r.typedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if !slices.Equal(r.asked.names, []string{"dismiss"}) {
		t.Errorf("the second Esc asks %q", r.asked.names)
	}
}

// TestKeysWaitBehindAQuestion: letters, shortcuts and menus change nothing behind a card.
func TestKeysWaitBehindAQuestion(t *testing.T) {
	for name, ask := range map[string]func(*State){
		"question": func(s *State) { s.Question = &Question{Title: "Which?", Answers: []Answer{{Label: "This"}}} },
		"licence":  func(s *State) { s.Model.Licence = licence() },
	} {
		r := newRoom(t, 1280, 800, 1)
		r.Show(openState())
		s := doneState()
		ask(&s)
		menu := r.Menu()
		r.Show(s)
		view := r.view
		c := r.window.Canvas()
		for _, a := range r.table {
			if a.char != 0 {
				test.TypeOnCanvas(c, string(a.char))
			}
			if sc := a.shortcut(); sc != nil && a.label != "Quit" {
				c.(fyne.Shortcutable).TypedShortcut(sc)
			}
		}
		// A letter goes on to the window from a button of the card, too.
		c.FocusNext()
		test.TypeOnCanvas(c, "5")
		if r.view != view || len(r.asked.names) != 0 || r.Using().Kind != NoTool || r.keys.content.Visible() {
			t.Errorf("behind a %s: view %d, asked %q, tool %v", name, r.view, r.asked.names, r.Using())
		}
		for _, m := range menu.Items {
			for _, item := range m.Items {
				if !item.Disabled && item.Label != "Quit" {
					t.Errorf("behind a %s the menu offers %q", name, item.Label)
				}
			}
		}
		r.typedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
		if len(r.asked.names) != 1 {
			t.Errorf("Esc asks %q", r.asked.names)
		}
	}
}

// TestNothingIsKeyedBehindAQuestion: Ctrl+R and Return wait for the answer.
func TestNothingIsKeyedBehindAQuestion(t *testing.T) {
	r := newRoom(t, 1280, 800, 1)
	s := failedState()
	s.Key.Ready, s.Key.Running = true, false
	r.Show(s)
	if !r.canKey() {
		t.Fatal("a plate that is ready cannot be keyed")
	}
	s.Question = &Question{Title: "What is x.png?", Answers: []Answer{{Label: "A new plate"}, {Label: "The hint"}}}
	r.Show(s)
	r.typedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if len(r.asked.names) != 0 {
		t.Errorf("asked %q", r.asked.names)
	}
}

func TestQuestionIsAskedInTheEmptyRoomToo(t *testing.T) {
	for _, s := range []State{emptyState(), openState()} {
		r := newRoom(t, 1280, 800, 1)
		s.Question = &Question{Title: "What is old_matte.png?", Answers: []Answer{{Label: "A plate", Detail: "Open it"}}}
		r.Show(s)
		r.render()
		test.TapCanvas(r.window.Canvas(), fyne.NewPos(640, 400))
		if !slices.Equal(r.asked.names, []string{"answer 0"}) {
			t.Errorf("a tap on the answer in the middle asks %q", r.asked.names)
		}
	}
}

func TestMenusComeFromTheTable(t *testing.T) {
	r := newRoom(t, 1280, 800, 1)
	menu := r.Menu()
	find := func(label string) *fyne.MenuItem {
		for _, m := range menu.Items {
			for _, i := range m.Items {
				if i.Label == label {
					return i
				}
			}
		}
		t.Fatalf("no menu has %q", label)
		return nil
	}
	if find("Open Plate…").Disabled || !find("Key").Disabled || !find("Export").Disabled || !find("Matte   (3)").Disabled {
		t.Error("the empty room's menus are wrong")
	}
	r.Show(openState())
	if find("Key").Disabled || find("Fit   (F)").Disabled || !find("Matte   (3)").Disabled {
		t.Error("the menus of an open plate are wrong")
	}
	find("Matte   (3)").Action()
	find("Key").Action()
	// What an export still needs is said when it is asked for.
	find("Export").Action()
	if want := []string{"key", "export"}; !slices.Equal(r.asked.names, want) {
		t.Errorf("asked %q, want %q", r.asked.names, want)
	}
	for _, a := range r.table {
		if a.label == "" {
			continue
		}
		label := a.label
		if a.char != 0 || a.key != "" && a.mod == 0 {
			label += "   (" + a.keyName() + ")"
		}
		find(label)
	}
}

func TestViewFollowsTheKey(t *testing.T) {
	r := newRoom(t, 1280, 800, 1)
	open := openState()
	r.Show(open)
	if r.view != ViewPlate || !r.overlay {
		t.Fatalf("a new plate is shown in view %d", r.view)
	}
	half := halfState()
	half.Layers.Plate = open.Layers.Plate
	r.Show(half)
	if r.view != ViewMatte {
		t.Errorf("the first tile is shown in view %d", r.view)
	}
	r.View(ViewPlate)
	done := doneState()
	done.Layers.Plate = open.Layers.Plate
	r.Show(done)
	if r.view != ViewPlate {
		t.Error("the view was taken from the artist")
	}
	r.View(ViewComp)
	r.Show(openState())
	if r.view != ViewPlate {
		t.Errorf("the next plate is shown in view %d", r.view)
	}
}

func TestControlsChangeTheLook(t *testing.T) {
	r := newRoom(t, 1280, 800, 1)
	r.Show(openState())
	usual := settings.DefaultLook()
	r.asked.choices.Look = usual
	white := r.number("Clip white")
	white.slider.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(0, 10)}, Button: desktop.MouseButtonPrimary})
	if r.asked.choices.Look.ClipWhite != 0.5 || r.asked.choices.Look.ClipBlack != usual.ClipBlack || !white.reset.Visible() {
		t.Errorf("the slider's left end: %+v", r.asked.choices.Look)
	}
	black := r.number("Clip black")
	typeNumber(r, black.number, "0,5")
	if r.asked.choices.Look.ClipBlack != 0.5 || r.asked.choices.Look.ClipWhite != 0.51 {
		t.Errorf("black over white: %v, %v", r.asked.choices.Look.ClipBlack, r.asked.choices.Look.ClipWhite)
	}
	if err := r.asked.choices.Look.Validate(); err != nil {
		t.Error(err)
	}
	typeNumber(r, black.number, "nonsense")
	if black.number.Text != "0.500" {
		t.Errorf("nonsense left %q", black.number.Text)
	}
	test.Tap(black.reset)
	test.Tap(white.reset)
	test.Tap(r.dial("Source detail").CanvasObject.(*switchRow).box)
	usual.SourceDetail = false
	if r.asked.choices.Look != usual || black.reset.Visible() {
		t.Errorf("after resetting: %+v", r.asked.choices.Look)
	}
	if r.window.Canvas().Focused() != nil {
		t.Error("a control keeps the keyboard")
	}
}

// typeNumber types into an entry and leaves it with Return.
func typeNumber(r room, n *number, text string) {
	r.window.Canvas().Focus(n)
	n.SetText(text)
	n.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
}

func TestExportChoicesAreAskedFor(t *testing.T) {
	r := newRoom(t, 1280, 800, 1)
	s := doneState()
	r.Show(s)
	g := r.panel.export
	test.Tap(g.fg)
	test.Tap(g.formats[1])
	test.Tap(g.overwrite)
	if want := (ExportChoice{Key: true, Matte: true, FG: true, Format: ExportTIFF, Overwrite: true}); r.asked.out != want {
		t.Errorf("asked for %+v", r.asked.out)
	}
	if g.export.detail != "straight sRGB, 16-bit PNG" {
		t.Errorf("the button says %q", g.export.detail)
	}
}

func TestWheelZoomsAtThePointerAndDragPans(t *testing.T) {
	r := newRoom(t, 1280, 800, 2)
	r.Show(openState())
	r.render()
	v := r.viewer
	at := fyne.NewPos(300, 200)
	var x0, y0, x1, y1 int
	v.OnPoint = func(x, y int, _ bool) { x1, y1 = x, y }
	v.MouseIn(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: at}})
	x0, y0 = x1, y1
	before := v.place().zoom
	scroll := func(dx, dy float32) {
		v.Scrolled(&fyne.ScrollEvent{PointEvent: fyne.PointEvent{Position: at}, Scrolled: fyne.NewDelta(dx, dy)})
	}
	scroll(0, 1000)
	if got := v.place().zoom / before; got < 1.0999 || got > 1.1001 {
		t.Errorf("one event zooms by %v", got)
	}
	for range 12 {
		scroll(0, notch)
	}
	if x1-x0 > 1 || x0-x1 > 1 || y1-y0 > 1 || y0-y1 > 1 {
		t.Errorf("the pixel under the pointer went from %d,%d to %d,%d", x0, y0, x1, y1)
	}
	zoom := v.place().zoom
	left := v.place().left
	v.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: at}, Dragged: fyne.NewDelta(10, 0)})
	if moved := v.place().left - left; moved != 20 {
		t.Errorf("dragging by 10 units moves the picture by %v device pixels at scale 2", moved)
	}
	scroll(20, 0)
	if v.place().zoom != zoom || v.place().left == left+20 {
		t.Error("sideways scrolling does not pan")
	}
}

func TestReadoutSaysWhatIsUnderThePointer(t *testing.T) {
	l := doneState().Layers
	for bytes, want := range map[bool]string{
		false: "x 320   y 180    plate  0.604  0.263  0.171  hint 1.000  matte 1.000  fg  0.604  0.263  0.171",
		true:  "x 320   y 180    plate 204.0 140.2 114.8  hint 255.0  matte 255.0  fg 204.0 140.2 114.8",
	} {
		if got := l.Readout(plateW/2, plateH/2, bytes); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	half := halfState().Layers
	if got, want := half.Readout(600, 5, true), "x 600   y 5      plate  30.6 158.1  51.0  hint   0.0"; got != want {
		t.Errorf("a missing tile: %q, want %q", got, want)
	}
	if got := (Layers{}).Readout(0, 0, false); got != "" {
		t.Errorf("no plate: %q", got)
	}
}

func TestProgressIsToldInWords(t *testing.T) {
	for want, k := range map[string]KeyState{
		"3 of 9 tiles, 12 s left":   {Tile: 3, Tiles: 9, Left: 12 * time.Second},
		"0 of 9 tiles":              {Tiles: 9, Left: -1},
		"1 of 20 tiles, 4 min left": {Tile: 1, Tiles: 20, Left: 4 * time.Minute},
		"Keying in one tile":        {Tiles: 1, Left: -1},
		"Loading the model":         {Doing: "Loading the model", Tiles: 9},
	} {
		if got := Progress(k); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestAKeyThatWaitsIsSeenAndTakenBack: it goes before what is said of the key before.
func TestAKeyThatWaitsIsSeenAndTakenBack(t *testing.T) {
	r := newRoom(t, 1280, 800, 1)
	s := doneState()
	s.Key.Ready, s.Key.Stale, s.Key.WhyNot = true, "the hint has changed", "Finding the hint, then keying"
	r.Show(s)
	if r.bottom.statusText != "Out of date: the hint has changed" || r.bottom.status.Color != amber() || !r.canKey() {
		t.Errorf("before it is asked for: %q", r.bottom.statusText)
	}
	s.Key.Waiting = true
	r.Show(s)
	if r.bottom.statusText != s.Key.WhyNot || r.bottom.status.Color == amber() || r.canKey() {
		t.Errorf("while it waits: %q, another can be asked for: %v", r.bottom.statusText, r.canKey())
	}
	if label := r.bottom.key.label; label != "Cancel   Esc" {
		t.Errorf("the button says %q", label)
	}
	tap(r.bottom.key)
	if !slices.Equal(r.asked.names, []string{"cancel"}) {
		t.Errorf("asked %q", r.asked.names)
	}
}

func TestTextIsWrappedAndShortened(t *testing.T) {
	style := fyne.TextStyle{}
	text := "a hint of another shape than the plate's " + strings.Repeat("x", 200)
	for _, l := range wrap(text, 120, sizeText, style) {
		if w := textWidth(l, sizeText, style); w > 120 {
			t.Errorf("%q is %v wide", l, w)
		}
	}
	name := "a very long name of a plate with its number 0017.tif"
	short := shorten(name, 150, sizeText, style)
	if textWidth(short, sizeText, style) > 150 || !strings.HasSuffix(short, "17.tif") || !strings.HasPrefix(short, "a very") {
		t.Errorf("shortened to %q", short)
	}
	if got := shorten("x.png", 150, sizeText, style); got != "x.png" {
		t.Errorf("a short name became %q", got)
	}
}

func TestStatusEndsBeforeTheKeyButton(t *testing.T) {
	r := newRoom(t, 1024, 700, 1)
	s := openState()
	s.Machine = strings.Repeat("Intel Xeon Platinum 8480C ", 12)
	s.Key.Ready, s.Key.WhyNot = false, strings.Repeat("A hint is needed to key ", 12)
	r.Show(s)
	for _, line := range []*canvas.Text{r.bottom.status, r.bottom.detail} {
		end := line.Position().X + line.MinSize().Width
		if !strings.HasSuffix(line.Text, "…") || end > r.bottom.words.Size().Width {
			t.Errorf("%q ends at %v of %v", line.Text, end, r.bottom.words.Size().Width)
		}
	}
	r.Show(openState())
	if got := r.bottom.status.Text; got != "Ready to key" {
		t.Errorf("then %q", got)
	}
}
