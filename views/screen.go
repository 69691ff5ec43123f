//go:build !headless

package views

import (
	"fmt"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
)

// Screen is everything in the window. It draws a State, raises Intents, and keeps only what concerns looking: the
// view, the overlay, the zoom. All its methods are called on Fyne's goroutine.
type Screen struct {
	intents Intents
	state   State
	view    View
	overlay bool
	// from is the view that the overlay was turned on from; -1 when it was the plate.
	from View
	// wish is the view of a key in which the plate before was looked at, until this one has a key; -1 for none.
	wish View
	// seams is how seams are looked at; told says that the last words about one are still shown.
	seams seamLook
	told  bool
	// finding is the one of the matte check that was jumped to; noFinding is none. Presses count what buttons changed.
	finding, presses int
	// looking is how the layers are looked at beside that; preferences go for every plate, and OnPreference is told of
	// changes of them.
	looking      looking
	preferences  Preferences
	OnPreference func(Preferences)
	// folds are those of the panel; OnFold is told when one was opened or folded away.
	folds  []*fold
	OnFold func()

	table []action
	// press is the last key that is not to repeat; now is the clock for it.
	press press
	now   func() time.Time
	menu  *fyne.MainMenu
	items []menuItem
	// remedies are those in the menu.
	remedies *remedyMenu

	content  *fyne.Container
	viewer   *Viewer
	toolbar  *toolbar
	panel    *panel
	bottom   *bottomBar
	empty    *emptyRoom
	banner   *banner
	question *questionCard
	keys     *keySheet
	licence  *licenceSheet
	tools    *toolbox
	strip    *stripBar
	work     *fyne.Container
}

// NewScreen returns the screen of the empty room.
func NewScreen(intents Intents) *Screen {
	s := &Screen{intents: intents, viewer: NewViewer(), overlay: true, from: noView, seams: newSeamLook(), finding: noFinding, now: time.Now}
	s.table = s.oncePress(s.actions())
	s.bottom = newBottomBar(s)
	s.tools = newToolbox(s)
	s.toolbar = newToolbar(s)
	s.panel = newPanel(s)
	s.strip = newStripBar(s)
	s.empty = newEmptyRoom(s)
	s.banner = newBanner(intents, s.tip, func() { s.content.Refresh() })
	s.question = newQuestionCard(intents)
	s.keys = newKeySheet(s)
	s.licence = newLicenceSheet(s)
	s.viewer.OnSight = s.toolbar.sight
	s.viewer.OnPoint = func(x, y int, ok bool) {
		if s.told {
			s.told = false
			s.tip("")
		}
		text := ""
		if ok {
			text = s.readout(x, y)
		}
		s.bottom.point(text)
	}
	s.work = container.NewBorder(nil, nil, nil, s.panel.content,
		container.NewBorder(nil, s.strip.content, nil, nil, container.NewStack(s.viewer, s.tools.strip.content)))
	middle := container.NewStack(canvas.NewRectangle(grey(surroundGrey)), s.work, s.empty.content, s.question.content, s.licence.content, s.keys.content)
	s.content = container.New(frameLayout{}, s.toolbar.content, s.banner.content, middle, s.bottom.content)
	s.Show(State{})
	return s
}

// Content is what the window holds.
func (s *Screen) Content() fyne.CanvasObject { return s.content }

// Show draws a state.
func (s *Screen) Show(state State) {
	before := s.state
	s.state = state
	switch {
	case state.Plate.Name == "":
		s.view = ViewPlate
	case before.Layers.Plate != state.Layers.Plate:
		s.wish, s.tools.back = noView, noView
		if s.view.ofKey() {
			s.wish = s.view
		}
		s.view, s.overlay, s.from = ViewPlate, true, noView
		s.looking.wipe.On = false
		s.grant()
	case !s.view.ofKey() && newKey(before, state) && !before.Key.Running && !state.Key.Running:
		// It was made before.
		s.grant()
	case !s.view.ofKey() && newKey(before, state):
		// The tiles are to be seen as they come.
		if s.seams.heat {
			s.seams.under = s.view
		}
		s.view = ViewMatte
	case !s.canView(s.view):
		s.view = ViewPlate
	}
	if before.Layers.Plate != state.Layers.Plate || !before.Choices.Equal(state.Choices) {
		s.panel.held = false
	}
	s.showSeams(before)
	state = s.state
	s.showReview(before)
	s.compareSecond(before)
	open := s.hasPlate()
	visible(s.work, open)
	visible(s.empty.content, !open)
	s.empty.show(state)
	grown := s.toolbar.show(s)
	grown = s.strip.show(state.Strip) || grown
	s.block(before.asks(), state.asks())
	s.panel.show(state)
	s.bottom.show(state)
	s.tools.show(before, state)
	// A card that was hidden has no place yet: the whole is laid out anew.
	asked := s.question.show(state.Question)
	asked = s.licence.show(state.Model.Licence) || asked
	if s.banner.show(state.Problem) || asked || grown {
		s.content.Refresh()
	}
	s.look()
}

// grant shows the view of a key that the plate before was looked at in, once there is a key.
func (s *Screen) grant() {
	if s.wish != noView && s.canView(s.wish) {
		s.view, s.wish = s.wish, noView
	}
}

// asks reports whether something lies over the viewer that wants an answer.
func (s State) asks() bool { return s.Question != nil || s.Model.Licence != nil }

// block keeps the keyboard away from what is behind a question or a licence: Tab would else find it there.
func (s *Screen) block(before, now bool) {
	if before == now {
		return
	}
	if on := fyne.CurrentApp().Driver().CanvasForObject(s.content); on != nil && on.Focused() != nil {
		on.Unfocus()
	}
	for _, part := range []fyne.CanvasObject{s.toolbar.content, s.tools.strip.content, s.panel.content, s.strip.content, s.bottom.content, s.banner.content, s.empty.content} {
		keepOff(part, now)
	}
}

// newKey reports whether the first that can be seen of a key has come.
func newKey(before, now State) bool {
	a, b := before.Layers.Key, now.Layers.Key
	return b != nil && a != b && (a == nil || now.Key.Running)
}

// look shows the layers in the chosen view.
func (s *Screen) look() {
	if s.seams.heat && (s.view == ViewStatus || s.statusBeside()) {
		// Its colours would be taken for those of the status.
		s.seams.heat, s.seams.from = false, noView
	}
	// The heat map is over the bare plate.
	look := s.lookNow()
	s.viewer.Display(s.layers(), look)
	s.viewer.Lay(s.seamLayer())
	s.panel.review.look(s)
	s.toolbar.look(s, look)
	if s.panel.seams.look(s.seams, s.state.Seams) {
		s.panel.layOut()
	}
	if s.menu != nil {
		s.enableMenu()
	}
	if s.seams.reveal {
		s.seams.reveal = false
		s.panel.reveal(s.panel.seams.content)
	}
}

// View changes to a view, if there is something to see in it.
func (s *Screen) View(v View) {
	if s.canView(v) {
		s.view, s.from, s.wish, s.tools.back = v, noView, noView, noView
		s.seams.from, s.seams.start, s.seams.under = noView, noView, noView
		s.look()
	}
}

// noView is no view at all.
const noView = View(-1)

// ToggleOverlay shows the hint over the plate, or not. From a view of something else it goes to the plate with the
// overlay on, and then back to where it came from.
func (s *Screen) ToggleOverlay() {
	switch {
	case s.view != ViewPlate:
		s.from, s.view, s.overlay = s.view, ViewPlate, true
	case s.from != noView && s.canView(s.from):
		s.view, s.from, s.overlay = s.from, noView, false
	default:
		s.from, s.overlay = noView, !s.overlay
	}
	s.look()
}

// canOverlay reports whether the hint can be laid over the plate: not under a heat map.
func (s *Screen) canOverlay() bool { return s.hasPlate() && !s.heatShown() }

func (s *Screen) hasPlate() bool { return s.state.Layers.Plate != nil }

func (s *Screen) canKey() bool {
	return s.state.Key.Ready && !s.state.Key.asked() && !s.state.asks()
}

// canView reports whether there is something to see in a view.
func (s *Screen) canView(v View) bool {
	switch {
	case v == ViewPlate:
		return s.hasPlate()
	case v == ViewHint:
		return s.state.Layers.Hint != nil
	case v == ViewSeen:
		return s.hasPlate() && s.state.NoSeen == ""
	}
	return s.state.Layers.Key != nil
}

// escape puts the topmost thing away and reports whether there was one: the sheet of keys, a question, then the key that
// runs or waits, which is the caller's to cancel, then measuring or a check of seams, then a tool, then a problem.
func (s *Screen) escape() bool {
	switch {
	case s.keys.content.Visible():
		s.ToggleKeys()
	case s.state.Question != nil:
		s.intents.Answer(-1)
	case s.state.Model.Licence != nil:
		s.intents.AcceptLicence(false)
	case s.state.Key.asked():
		return false
	case s.state.Strip.Running:
		s.intents.StopStrip()
	case s.state.Setup.Measure.Running:
		s.intents.StopMeasuring()
	case s.state.Seams.Checking:
		s.intents.StopChecking()
	case s.tools.use.Kind != NoTool:
		s.PutToolAway()
	case s.state.Problem != nil:
		s.intents.Dismiss()
	default:
		return false
	}
	return true
}

// tip shows a sentence about what the pointer is over.
func (s *Screen) tip(text string) { s.bottom.tip(text) }

// keyOf names the key of the action with a label, for sentences: " (Ctrl+R)".
func (s *Screen) keyOf(label string) string {
	for _, a := range s.table {
		if a.label == label && (a.key != "" || a.char != 0) {
			return " (" + a.keyName() + ")"
		}
	}
	return ""
}

// percent writes a zoom.
func percent(zoom float64) string {
	if zoom < 0.1 {
		return fmt.Sprintf("%.1f %%", 100*zoom)
	}
	return fmt.Sprintf("%.0f %%", 100*zoom)
}

// frameLayout stacks toolbar, banner, middle and bottom bar; the middle takes what the others leave.
type frameLayout struct{}

// MinSize implements fyne.Layout.
func (frameLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	size := fyne.NewSize(0, 0)
	for _, c := range o {
		if c.Visible() {
			m := c.MinSize()
			size = fyne.NewSize(fyne.Max(size.Width, m.Width), size.Height+m.Height)
		}
	}
	return size
}

// Layout implements fyne.Layout.
func (frameLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	place := func(c fyne.CanvasObject, y, h float32) {
		c.Move(fyne.NewPos(0, y))
		c.Resize(fyne.NewSize(size.Width, h))
	}
	top := o[0].MinSize().Height
	place(o[0], 0, top)
	if o[1].Visible() {
		// The first pass tells the banner its width, by which it finds its height.
		place(o[1], top, o[1].MinSize().Height)
		height := o[1].MinSize().Height
		place(o[1], top, height)
		top += height
	}
	bottom := o[3].MinSize().Height
	place(o[3], size.Height-bottom, bottom)
	place(o[2], top, size.Height-bottom-top)
}
