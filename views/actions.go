//go:build !headless

package views

import (
	"runtime"
	"slices"
	"strings"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// action is something that a key and a menu do. The list of them is the one place that says which.
type action struct {
	// menu is the menu's name; label is what the menu shows. An action with an empty label is in no menu.
	menu, label string
	// same is the label of the action that this one is another key of.
	same string
	// key with the modifiers mod, or the character, does it too. Characters are used for single letters, so that
	// they follow the keyboard's layout; a capital one is the letter with Shift.
	key  fyne.KeyName
	mod  fyne.KeyModifier
	char rune
	do   func()
	// can says whether it can be done now; nil is always. On says that it is on, in the menu; nil is never.
	can, on func() bool
	// instead says why it cannot be done, for who presses its key then; nil or empty for nothing.
	instead func() string
	// step says what it would do now, behind the label in the menu; nil for most.
	step func() string
	// once says that it is done once for a press, however long the key is held; held then says whether it still is.
	once bool
	held func() bool
	// hold is called when the key goes down and when it comes up again, instead of do; nil for most.
	hold func(down bool)
}

// actions lists what keys and menus do, in the order of the menus.
func (s *Screen) actions() []action {
	const mod, shift = fyne.KeyModifierShortcutDefault, fyne.KeyModifierShift
	in := s.intents
	list := []action{
		{menu: "File", label: "Open Plate…", key: fyne.KeyO, mod: mod, do: in.OpenPlate, once: true},
		{menu: "File", label: "Open Hint…", key: fyne.KeyO, mod: mod | shift, do: in.OpenHint, can: s.hasPlate, once: true},
		{menu: "File", label: "Open Core Matte…", do: in.OpenCore, can: s.hasPlate},
		{menu: "File", label: "Open Garbage Matte…", do: in.OpenGarbage, can: s.hasPlate},
		{menu: "File", label: "Open Background Picture…", do: in.OpenBackdrop, can: s.hasPlate},
		{menu: "File", label: "Open the Sample", do: in.OpenSample},
		{menu: "File", label: "Next Plate", key: fyne.KeyRight, mod: mod, do: func() { s.strip.step(1) }, can: func() bool { return s.strip.canStep() }},
		{menu: "File", label: "Previous Plate", key: fyne.KeyLeft, mod: mod, do: func() { s.strip.step(-1) }, can: func() bool { return s.strip.canStep() }},
		{menu: "File", label: "Close Plate", key: fyne.KeyW, mod: mod, do: func() { s.strip.close() }, can: func() bool { return s.strip.canStep() && !s.state.Strip.Running }, once: true},
		{menu: "File", label: "Export", key: fyne.KeyE, mod: mod, do: in.Export, can: func() bool { return s.hasPlate() && !s.state.Export.Running }, once: true},
		{menu: "File", label: "Save Sidecar", key: fyne.KeyS, mod: mod, do: in.SaveSidecar, can: s.hasPlate, once: true},
		{menu: "File", label: "Reveal Export", do: in.Reveal, can: func() bool { return len(s.state.Export.Written) > 0 || s.state.Export.Saved != "" }},
		{menu: "File", label: "Quit", key: fyne.KeyQ, mod: mod, do: in.Quit},
		{menu: "Edit", label: "Undo", key: fyne.KeyZ, mod: mod, do: in.Undo, can: func() bool { return s.state.Undo != "" }, step: func() string { return s.state.Undo }},
		{menu: "Edit", label: "Redo", key: fyne.KeyZ, mod: mod | shift, do: in.Redo, can: func() bool { return s.state.Redo != "" }, step: func() string { return s.state.Redo }},
		{menu: "Key", label: "Key", key: fyne.KeyR, mod: mod, do: in.Key, can: s.canKey, once: true},
		{menu: "Key", same: "Key", key: fyne.KeyReturn, do: in.Key, can: s.canKey, once: true},
		{menu: "Key", same: "Key", key: fyne.KeyEnter, do: in.Key, can: s.canKey, once: true},
		{menu: "Key", label: "Cancel", key: fyne.KeyEscape, do: in.Cancel, can: func() bool { return s.state.Key.asked() }},
		{menu: "Key", label: "Key All Plates", do: in.KeyAll, can: func() bool { return len(s.state.Strip.Plates) > 1 && s.state.Strip.NoKey == "" }},
		{menu: "Key", label: "Hint from the Screen's Colour", do: in.MakeHint, can: s.hasPlate},
	}
	for i, name := range viewNames() {
		v := View(i)
		list = append(list, action{
			menu: "View", label: name, char: rune('1' + i), do: func() { s.View(v) }, can: func() bool { return s.canView(v) },
		})
	}
	list = append(list,
		action{menu: "View", label: "What the Network Sees", do: s.ToggleSeen, can: s.canSeen},
		action{menu: "View", label: "Plate While Held", key: fyne.KeyBackTick, hold: s.viewer.Bare, do: s.toggleBare, can: s.hasPlate},
		action{menu: "View", same: "Pan While Held", key: fyne.KeySpace, hold: s.viewer.Space},
		action{menu: "View", label: "Hint Overlay", char: 'm', do: s.ToggleOverlay, can: s.canOverlay},
		action{menu: "Seams", label: "Tile Grid", char: 't', do: s.ToggleGrid, can: s.canGrid, on: func() bool { return s.seams.grid && s.canGrid() }, instead: s.noSeams},
		action{menu: "Seams", label: "Seam Heat Map", char: 'T', do: s.ToggleHeat, can: s.canAskHeat, on: s.heatShown, instead: s.noHeat},
		action{menu: "Seams", label: "Next Seam or Finding", char: 'n', do: func() { s.JumpNext(1) }, can: s.canJumpNext, instead: s.noSeams},
		action{menu: "Seams", label: "Previous Seam or Finding", char: 'N', do: func() { s.JumpNext(-1) }, can: s.canJumpNext, instead: s.noSeams},
		action{menu: "Seams", label: "Wipe Between Grids", do: s.ToggleGridWipe, can: s.canWipeGrids, on: s.gridsCompared},
		action{menu: "Seams", label: "Check Seams", do: s.CheckSeams, can: s.canCheck},
		action{menu: "Compare", label: "Wipe", char: 'w', do: s.ToggleWipe, can: s.canWipe},
		action{menu: "Compare", label: "Next Left Side", char: ',', do: s.NextLeft, can: s.wiping},
		action{menu: "Compare", label: "Next Right Side", char: '.', do: s.NextRight, can: s.wiping},
		action{menu: "Compare", label: "Turn the Wipe", char: 'W', do: s.TurnWipe, can: s.canWipe},
		action{menu: "View", label: "Fit", char: 'f', do: s.viewer.Fit, can: s.hasPlate},
		action{menu: "View", label: "Fill", char: 'h', do: s.viewer.Fill, can: s.hasPlate},
		action{menu: "View", label: "100 %", key: fyne.Key1, mod: mod, do: s.viewer.Actual, can: s.hasPlate},
		action{menu: "View", label: "Zoom In", char: '+', do: func() { s.viewer.Zoom(zoomStep) }, can: s.hasPlate},
		action{menu: "View", label: "Zoom Out", char: '-', do: func() { s.viewer.Zoom(1 / zoomStep) }, can: s.hasPlate},
		action{menu: "View", label: "Next Background", char: 'k', do: s.NextBackground, can: s.hasPlate},
		action{menu: "View", label: "Scroll Pans", do: s.toggleScroll, on: func() bool { return s.preferences.ScrollPans }},
		action{menu: "View", label: "Smooth Pixels", do: s.toggleSmooth, on: func() bool { return s.preferences.Smooth }},
		action{menu: "View", label: "Read 0..255", do: s.toggleBytes, on: func() bool { return s.preferences.Bytes }},
	)
	list = append(list, s.toolActions()...)
	list = append(list, s.markActions()...)
	list = append(list, s.channelActions()...)
	return append(list, action{menu: "Help", label: "Keyboard Shortcuts", char: '?', do: s.ToggleKeys})
}

// toolActions take and set the tools of the viewer.
func (s *Screen) toolActions() []action {
	open := s.hasPlate
	using := func(k ToolKind) func() bool { return func() bool { return s.tools.use.Kind == k } }
	return []action{
		{menu: "View", label: "Overlay Style", char: 'M', do: s.NextOverlay, can: s.canOverlay},
		{menu: "Tools", label: "Brush", char: 'd', do: s.ToggleBrush, can: open, on: using(BrushTool)},
		{menu: "Tools", label: "Pick the Screen's Colour", do: func() { s.Pick(TargetHint) }, can: open, on: func() bool { return s.tools.use == ToolUse{PickTool, TargetHint} }},
		{menu: "Tools", label: "Swap Brush", char: 'x', do: func() { s.tools.swapMode() }, can: s.painting},
		{menu: "Tools", label: "Smaller Brush, or Less Overlay", char: '[', do: func() { s.bracket(-1) }, can: open},
		{menu: "Tools", label: "Larger Brush, or More Overlay", char: ']', do: func() { s.bracket(1) }, can: open},
		{menu: "Tools", label: "Harder Brush", char: '{', do: func() { s.tools.soften(-softStep) }, can: s.painting},
		{menu: "Tools", label: "Softer Brush", char: '}', do: func() { s.tools.soften(softStep) }, can: s.painting},
	}
}

// channelActions show one channel of a picture, or a gain of mattes.
func (s *Screen) channelActions() []action {
	var list []action
	for _, c := range Channels()[1:] {
		list = append(list, action{
			menu: "Channel", label: channelLabel(c), char: []rune("?rgbay")[c],
			do: func() { s.ShowChannel(c) }, can: func() bool { return s.canChannel(c) },
		})
	}
	return append(list,
		action{menu: "Channel", label: "Blacks x16", do: func() { s.ToggleGain(GainBlacks) }, can: s.hasPlate, on: func() bool { return s.looking.gain == GainBlacks }},
		action{menu: "Channel", label: "Whites x16", do: func() { s.ToggleGain(GainWhites) }, can: s.hasPlate, on: func() bool { return s.looking.gain == GainWhites }},
		action{menu: "Channel", label: "Neutral Exposure and Gamma", do: func() { s.SetTone(Tone{}) }, can: func() bool { return !s.looking.tone.Neutral() }},
	)
}

// zoomStep is how much a key zooms.
const zoomStep = 1.25

// pressed does an action if its key counts now: behind a question none does but that which quits.
func (s *Screen) pressed(a action) {
	if !s.counts(a) {
		return
	}
	a.run()
	if a.instead != nil && !a.can() {
		s.explain(a.instead())
	}
}

// explain says something below until the pointer moves over the picture.
func (s *Screen) explain(text string) {
	if text != "" {
		s.told = true
		s.tip(text)
	}
}

// counts reports whether an action's key and its place in a menu count now.
func (s *Screen) counts(a action) bool { return !s.state.asks() || a.label == "Quit" }

// run does an action if it can be done now.
func (a action) run() {
	if a.held != nil && a.held() {
		return
	}
	if a.can == nil || a.can() {
		a.do()
	}
}

// names are the menu and the label by which an action is known where it is in no menu itself.
func (a action) names() (menu, label string) {
	if a.same != "" {
		return a.menu, a.same
	}
	return a.menu, a.label
}

// shortcut is the action's key with its modifiers, or nil.
func (a action) shortcut() fyne.Shortcut {
	if a.mod == 0 {
		return nil
	}
	return &desktop.CustomShortcut{KeyName: a.key, Modifier: a.mod}
}

// keyName names the action's key in words: "Ctrl+R", "M".
func (a action) keyName() string {
	switch {
	case a.char == '{' || a.char == '}':
		// Where Shift and a bracket give it.
		return "Shift+" + string(a.char-'{'+'[')
	case unicode.IsUpper(a.char):
		return "Shift+" + string(a.char)
	case a.char != 0:
		return strings.ToUpper(string(a.char))
	case a.key == fyne.KeyEscape:
		return "Esc"
	case a.hold != nil:
		return "hold " + string(a.key)
	case a.key == fyne.KeyEnter:
		return "Enter"
	}
	var parts []string
	if a.mod&fyne.KeyModifierShift != 0 {
		parts = append(parts, "Shift")
	}
	if a.mod&fyne.KeyModifierShortcutDefault != 0 {
		command := "Ctrl"
		if runtime.GOOS == "darwin" {
			command = "Cmd"
		}
		parts = append([]string{command}, parts...)
	}
	return strings.Join(append(parts, string(a.key)), "+")
}

// Menu makes the menus.
func (s *Screen) Menu() *fyne.MainMenu {
	if s.menu != nil {
		return s.menu
	}
	s.menu = fyne.NewMainMenu()
	for _, a := range s.table {
		if a.label == "" {
			continue
		}
		i := slices.IndexFunc(s.menu.Items, func(m *fyne.Menu) bool { return m.Label == a.menu })
		if i < 0 {
			s.menu.Items = append(s.menu.Items, fyne.NewMenu(a.menu))
			i = len(s.menu.Items) - 1
		}
		label := a.label
		if a.mod == 0 && (a.char != 0 || a.key != "") {
			// A key without a modifier in a native menu would take letters away from entries: it is only named.
			label += "   (" + a.keyName() + ")"
		}
		item := fyne.NewMenuItem(label, a.run)
		item.Shortcut = a.shortcut()
		// The toolkit would add one of its own, and moves this one to where the system has it.
		item.IsQuit = a.label == "Quit"
		s.menu.Items[i].Items = append(s.menu.Items[i].Items, item)
		s.items = append(s.items, menuItem{a, item})
	}
	s.remedies = newRemedyMenu(s.menu.Items)
	s.enableMenu()
	return s.menu
}

// menuItem is an action in a menu.
type menuItem struct {
	action
	item *fyne.MenuItem
}

// enableMenu greys out what cannot be done now, and ticks what is on.
func (s *Screen) enableMenu() {
	changed := s.remedies.show(s)
	for _, m := range s.items {
		off, on := m.can != nil && !m.can() || !s.counts(m.action), m.on != nil && m.on()
		changed = changed || m.item.Disabled != off || m.item.Checked != on
		m.item.Disabled, m.item.Checked = off, on
		if m.step != nil {
			label := strings.TrimSpace(m.label + " " + m.step())
			changed = changed || m.item.Label != label
			m.item.Label = label
		}
	}
	if changed {
		s.menu.Refresh()
	}
}

// Keys makes a canvas listen to the keys of the table.
func (s *Screen) Keys(c fyne.Canvas) {
	for _, a := range s.table {
		if sc := a.shortcut(); sc != nil {
			c.AddShortcut(sc, func(fyne.Shortcut) { s.pressed(a) })
		}
		if a.label == "Undo" {
			// The toolkit has a shortcut of its own for these keys, which it reports in the place of this one.
			c.AddShortcut(&fyne.ShortcutUndo{}, func(fyne.Shortcut) { s.pressed(a) })
		}
	}
	c.SetOnTypedRune(s.typedRune)
	c.SetOnTypedKey(s.typedKey)
	if d, ok := c.(desktop.Canvas); ok {
		d.SetOnKeyDown(func(e *fyne.KeyEvent) { s.heldKey(e, true) })
		d.SetOnKeyUp(func(e *fyne.KeyEvent) { s.heldKey(e, false) })
	}
}

// heldKey does what goes on while a key is held.
func (s *Screen) heldKey(e *fyne.KeyEvent, down bool) {
	if !down {
		s.press.release(e.Name)
	}
	for _, a := range s.table {
		if a.hold != nil && a.key == e.Name && (!down || s.counts(a) && (a.can == nil || a.can())) {
			a.hold(down)
		}
	}
}

// toggleBare shows the plate alone until it is asked for again: a menu cannot be held.
func (s *Screen) toggleBare() { s.viewer.Bare(!s.viewer.bare) }

func (s *Screen) typedRune(r rune) {
	for _, a := range s.table {
		if a.char != 0 && (a.char == r || a.char == '+' && r == '=') {
			s.pressed(a)
		}
	}
}

func (s *Screen) typedKey(e *fyne.KeyEvent) {
	if e.Name == fyne.KeyEscape && s.escape() {
		return
	}
	for _, a := range s.table {
		if a.mod == 0 && a.hold == nil && a.key != "" && a.key == e.Name {
			s.pressed(a)
		}
	}
}
