//go:build !headless

package views

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

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
