package app

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"greenroom/engine/imageio/disktest"
	"greenroom/views"
)

// prompt calls f as the window would and expects it to return although a disk does not answer.
func prompt(t *testing.T, what string, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); f() }()
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		t.Fatalf("%s waits for a disk that does not answer", what)
	}
}

// TestASlowFolderDoesNotHoldTheWindowUp asks for everything that can be asked for with a network share that never
// answers. Every call returns at once, the window can be drawn, and the next plate opens from a disk that answers.
func TestASlowFolderDoesNotHoldTheWindowUp(t *testing.T) {
	w := newTested(t)
	w.Start()
	first := savePlate(t, "shot.png", 60, 40)
	w.Open(first)
	s := w.ready(t)
	share := disktest.Silent(t)
	there := filepath.Join(share, "plate.png")

	prompt(t, "the list of plates", func() { w.Recall(remembered{Recents: []string{there, first}}); w.show(w.State()) })
	prompt(t, "a hint", func() { w.UseHint(there) })
	prompt(t, "the export's folder", func() { w.SetFolder(share) })
	prompt(t, "the export's choice", func() { w.SetExport(views.ExportChoice{Key: true}) })
	prompt(t, "showing it", func() { w.show(w.State()) })
	prompt(t, "a plate", func() { w.Open(there) })
	prompt(t, "showing what is opened", func() {
		if v := w.show(w.State()); v.Opening != "plate.png" {
			t.Errorf("it says that it opens %q", v.Opening)
		}
	})
	prompt(t, "a plate of before", func() { w.Reopen(there) })
	prompt(t, "plate and hint", func() { w.OpenBoth(there, there) })
	prompt(t, "dropping a folder", func() { w.Drop([]string{share}) })
	prompt(t, "dropping two files", func() { w.Drop([]string{there, first}) })
	prompt(t, "the look", func() { w.setLook(s.Choices.Look) })
	prompt(t, "dismissing", w.Dismiss)

	// The plate of before is still open, and another one overtakes what hangs.
	if w.State().Plate != s.Plate {
		t.Error("the open plate is gone")
	}
	second := savePlate(t, "second.png", 60, 40)
	w.Open(second)
	w.until(t, "the next plate", func(s State) bool { return s.Plate.Path == second && s.Hint != nil && s.Opening == "" })

	// The watch over a plate whose share has gone hangs by itself.
	w.change(func(s *State) {
		gone := *s.Plate
		gone.Path = there
		s.Plate = &gone
	})
	w.Watch(time.Millisecond)
	prompt(t, "the watch", func() { w.Focus(true); time.Sleep(10 * time.Millisecond); w.Focus(false); w.Focus(true) })
	prompt(t, "closing", func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
}

// mayBeCalled are the functions of package os that do not touch a disk.
var mayBeCalled = []string{"Getenv", "UserHomeDir", "UserConfigDir", "IsNotExist"}

// TestTheWindowsGoroutineTouchesNoFiles reads the code that runs on the window's goroutine: what answers the views,
// what turns a state into what they draw, and they themselves. None of it calls what may wait for a disk, but on a
// goroutine of its own.
func TestTheWindowsGoroutineTouchesNoFiles(t *testing.T) {
	var sources []string
	for _, pattern := range []string{"window.go", "*_room.go", "firstsize.go", "show.go", "*_show.go", filepath.Join("..", "views", "*.go")} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %v, %v", pattern, found, err)
		}
		sources = append(sources, slices.DeleteFunc(found, func(p string) bool { return strings.HasSuffix(p, "_test.go") })...)
	}
	for _, path := range sources {
		for _, call := range diskCalls(t, path, nil) {
			t.Errorf("%s calls %s on the window's goroutine", path, call)
		}
	}
	// That it finds them at all.
	code := `package p
	func a() { os.Stat("x"); go func() { os.Open("x") }(); r.ask(func() { os.Create("x") }, nil); o.Names(); imageio.Open("x", l) }`
	if got := diskCalls(t, "code.go", code); !slices.Equal(got, []string{"os.Stat", "o.Names", "imageio.Open"}) {
		t.Errorf("found %v", got)
	}
}

// diskCalls lists the calls in a file that may wait for a disk and do not run on a goroutine of their own.
func diskCalls(t *testing.T, path string, source any) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			return false
		case *ast.CallExpr:
			f, ok := n.Fun.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			of, _ := f.X.(*ast.Ident)
			name := f.Sel.Name
			switch {
			case name == "ask":
				return false // room.ask calls what it is given on a goroutine of its own
			case of == nil:
			case of.Name == "os" && !slices.Contains(mayBeCalled, name),
				of.Name == "imageio", of.Name == "exec", of.Name == "dialogs",
				of.Name == "hint" && name == "Beside",
				of.Name == "filepath" && slices.Contains([]string{"Abs", "EvalSymlinks", "Glob", "Walk", "WalkDir"}, name),
				of.Name == "keying" && (strings.HasPrefix(name, "Open") || name == "WrittenByUs" || name == "ReadLike"),
				name == "CheckNames", name == "Names" && of.Name != "settings":
				found = append(found, of.Name+"."+name)
			}
		}
		return true
	})
	return found
}
