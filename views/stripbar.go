//go:build !headless

package views

import (
	"fmt"
	"runtime"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
)

// stripBar is the strip under the viewer: the plates at hand, and what can be done with several of them. It is hidden
// with one plate.
type stripBar struct {
	screen  *Screen
	state   StripState
	content *fyne.Container
	scroll  *container.Scroll
	row     *fyne.Container
	cells   []*stripCell
	// chosen are the IDs of the plates that were chosen.
	chosen map[int]bool

	key, export *button
	look        *chooser
}

// stripButtons is the width of the buttons beside the plates.
const stripButtons = 128

func newStripBar(s *Screen) *stripBar {
	b := &stripBar{screen: s, chosen: map[int]bool{}}
	b.row = container.New(layout.NewCustomPaddedHBoxLayout(2))
	b.scroll = container.NewHScroll(b.row)
	b.key = newButton("Key all", plainButton, func() {
		if b.state.Running {
			s.intents.StopStrip()
		} else {
			s.intents.KeyAll()
		}
	}).helps("", s.tip)
	b.export = newButton("Export all", plainButton, s.intents.ExportAll).helps("", s.tip)
	b.look = newChooser("Give the look of the open plate to others: what was painted on them stays", s.tip, b.targets)
	b.look.say("Copy look to", "")
	buttons := container.New(layout.NewCustomPaddedVBoxLayout(3), b.key, b.look, b.export)
	side := container.New(layout.NewCustomPaddedLayout(4, 4, gap, margin), container.New(fixedWidth(stripButtons), buttons))
	hair := canvas.NewRectangle(grey(greyTrough))
	hair.SetMinSize(fyne.NewSize(0, 1))
	plates := container.New(layout.NewCustomPaddedLayout(2, 2, 4, 0), b.scroll)
	b.content = container.NewStack(canvas.NewRectangle(grey(greyChrome)),
		container.NewBorder(hair, nil, nil, side, plates))
	b.content.Hide()
	return b
}

// show draws a state and reports whether the strip has come or gone.
func (b *stripBar) show(state StripState) bool {
	b.state = state
	for id := range b.chosen {
		if !slices.ContainsFunc(state.Plates, func(p StripPlate) bool { return p.ID == id }) {
			delete(b.chosen, id)
		}
	}
	shown := len(state.Plates) > 1
	if shown {
		b.plates()
		b.buttons()
	}
	if b.content.Visible() == shown {
		return false
	}
	visible(b.content, shown)
	return true
}

// plates draws the cells. The open one is brought into sight when another was.
func (b *stripBar) plates() {
	before := 0
	if i := b.openAt(); i >= 0 && i < len(b.cells) && b.cells[i].plate.Open {
		before = b.cells[i].plate.ID
	}
	for len(b.cells) < len(b.state.Plates) {
		b.cells = append(b.cells, newStripCell(b))
	}
	if b.cells = b.cells[:len(b.state.Plates)]; len(b.row.Objects) != len(b.cells) {
		b.row.Objects = nil
		for _, c := range b.cells {
			b.row.Objects = append(b.row.Objects, c)
		}
		b.row.Refresh()
		b.scroll.Refresh()
	}
	for i, p := range b.state.Plates {
		b.cells[i].show(p, b.state.NoSwitch != "", b.chosen[p.ID])
	}
	if i := b.openAt(); i >= 0 && b.state.Plates[i].ID != before {
		b.reveal(i)
	}
}

// openAt returns where the open plate is; -1 for nowhere.
func (b *stripBar) openAt() int {
	return slices.IndexFunc(b.state.Plates, func(p StripPlate) bool { return p.Open })
}

// reveal scrolls so that a cell is in sight.
func (b *stripBar) reveal(i int) {
	left := float32(i) * (cellWidth + 2)
	x, width := b.scroll.Offset.X, b.scroll.Size().Width
	switch {
	case width <= 0:
		return
	case left < x:
		x = left
	case left+cellWidth > x+width:
		x = left + cellWidth - width
	default:
		return
	}
	b.scroll.Offset.X = x
	b.scroll.Refresh()
}

// buttons says what can be done with several plates.
func (b *stripBar) buttons() {
	s := b.state
	label, help := "Key all", "Key every plate that has no key of now, one after another; keys are kept"
	switch {
	case s.Running:
		label, help = fmt.Sprintf("Stop   %d of %d", s.Done, s.All), "Stop after what is done (Esc): keys and files that are there stay"
	case s.NoKey != "":
		help = s.NoKey
	}
	b.key.say(label, "")
	b.key.help = help
	b.key.enable(s.Running || s.NoKey == "")
	b.export.help = "Write the keys of all plates as chosen under Export, each to its own folder"
	if s.NoExport != "" {
		b.export.help = s.NoExport
	}
	b.export.enable(s.NoExport == "")
	b.look.enable(!s.Running)
}

// targets are those that a look can be given to.
func (b *stripBar) targets() []*fyne.MenuItem {
	var others, chosen []int
	for _, p := range b.state.Plates {
		if p.Open {
			continue
		}
		others = append(others, p.ID)
		if b.chosen[p.ID] {
			chosen = append(chosen, p.ID)
		}
	}
	give := func(ids []int) func() { return func() { b.screen.intents.CopyLook(ids) } }
	all := fyne.NewMenuItem(fmt.Sprintf("All others (%d)", len(others)), give(others))
	some := fyne.NewMenuItem(fmt.Sprintf("The chosen ones (%d)", len(chosen)), give(chosen))
	if len(chosen) == 0 {
		some.Label, some.Disabled = "The chosen ones (choose with "+modifierName()+"-click)", true
	}
	return []*fyne.MenuItem{all, some}
}

// modifierName is what the key is called that chooses.
func modifierName() string {
	if runtime.GOOS == "darwin" {
		return "Cmd"
	}
	return "Ctrl"
}

// open asks for a plate, unless it is the open one or none can be opened now.
func (b *stripBar) open(p StripPlate) {
	if b.state.NoSwitch == "" && !p.Open {
		b.screen.intents.SwitchTo(p.ID)
	}
}

// choose chooses a plate, or not any more.
func (b *stripBar) choose(id int) {
	if b.chosen[id] = !b.chosen[id]; !b.chosen[id] {
		delete(b.chosen, id)
	}
	b.plates()
}

// step opens the next plate, or the one before; after the last comes the first.
func (b *stripBar) step(by int) {
	n := len(b.state.Plates)
	if i := b.openAt(); i >= 0 {
		b.open(b.state.Plates[(i+by+n)%n])
	}
}

// canStep reports whether another plate can be opened.
func (b *stripBar) canStep() bool { return len(b.state.Plates) > 1 && b.state.NoSwitch == "" }

// close takes the open plate out.
func (b *stripBar) close() {
	if i := b.openAt(); i >= 0 {
		b.screen.intents.ClosePlate(b.state.Plates[i].ID)
	}
}

// tell shows a sentence while the pointer is over something.
func (b *stripBar) tell(there bool, text string) {
	if !there {
		text = ""
	}
	b.screen.tip(text)
}

// StripProgress says how far what is done with several plates is: "Keying plate 2 of 5: 3 of 9 tiles, 12 s left".
func StripProgress(s StripState) string {
	doing := "Keying"
	if s.Exporting {
		doing = "Exporting"
	}
	text := fmt.Sprintf("%s plate %d of %d", doing, min(s.Done+1, s.All), s.All)
	for _, p := range s.Plates {
		if p.Mark == MarkRunning && p.Words != "" {
			text += ": " + p.Name + ", " + strings.ToLower(p.Words[:1]) + p.Words[1:]
		}
	}
	if s.Left >= 0 {
		text += ", " + timeLeft(s.Left)
	}
	return text
}
