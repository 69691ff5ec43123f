//go:build !headless

package views

import (
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2"
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

// typeNumber types into an entry and leaves it with Return.
func typeNumber(r room, n *number, text string) {
	r.window.Canvas().Focus(n)
	n.SetText(text)
	n.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
}
