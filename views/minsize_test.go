//go:build !headless

package views

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
)

// TestNothingOpenMakesTheWindowLarger: the toolkit makes a window larger by what it holds, and never smaller again. A
// screen of 1280 x 720 pixels at a scale of 1.25 has 1024 x 576 units.
func TestNothingOpenMakesTheWindowLarger(t *testing.T) {
	most := fyne.NewSize(1000, 560)
	long := strings.Repeat("A sentence that goes on for as long as it can. ", 12)
	for _, c := range []struct {
		name string
		open func(r room, s *State)
	}{
		{"nothing", func(room, *State) {}},
		{"the sheet of keys", func(r room, _ *State) { r.ToggleKeys() }},
		{"a question", func(_ room, s *State) {
			s.Question = &Question{Title: "Which?", Detail: long, Answers: []Answer{{Label: "This", Detail: "It"}, {Label: "That"}}}
		}},
		{"a licence", func(_ room, s *State) {
			s.Model.Licence = &Licence{Title: "A model", About: long, Text: long, Accept: "I accept", URL: "https://example.org"}
		}},
		{"the brush", func(r room, _ *State) { r.Paint(TargetHint) }},
		{"a banner with its details", func(r room, s *State) {
			s.Problem = &Problem{What: "It went wrong", Why: long, Fix: "do it again", Button: "Again", Details: long + long}
		}},
		{"the export", func(r room, s *State) {
			s.Export.Written, s.Export.Saved = []string{"a.png", "b.png"}, "a.toml"
			r.panel.export.fold.pressed()
		}},
	} {
		r := newRoom(t, 1024, 576, 1.25)
		r.Show(openState())
		s := doneState()
		s.Strip.Plates = stripState().Strip.Plates
		c.open(r, &s)
		r.Show(s)
		if s.Problem != nil {
			r.banner.fold.pressed()
		}
		r.render()
		keep(t, "small "+c.name, r.render())
		if got := r.Content().MinSize(); got.Width > most.Width || got.Height > most.Height {
			t.Errorf("with %s the window needs %v, more than %v", c.name, got, most)
		}
		// All at once.
		if c.name == "a banner with its details" {
			r.ToggleKeys()
			r.Paint(TargetHint)
			r.panel.export.fold.pressed()
			keep(t, "small all", r.render())
			if got := r.Content().MinSize(); got.Width > most.Width || got.Height > most.Height {
				t.Errorf("with all of it the window needs %v, more than %v", got, most)
			}
		}
	}
}

// TestCardsScrollWhereThereIsNoRoom: all of a sheet can be reached in a small window, and it is whole in a large one.
func TestCardsScrollWhereThereIsNoRoom(t *testing.T) {
	for _, c := range []struct {
		height  float32
		scrolls bool
	}{{576, true}, {1200, false}} {
		r := newRoom(t, 1024, c.height, 1)
		r.Show(openState())
		r.ToggleKeys()
		r.render()
		sheet := r.keys.content.Objects[0]
		if sheet.Position().Y < 0 || sheet.Position().Y+sheet.Size().Height > r.keys.content.Size().Height {
			t.Errorf("%v units high: the sheet of %v lies at %v", c.height, sheet.Size(), sheet.Position())
		}
		if got := sheet.Size().Height < r.keys.card().MinSize().Height-4; got != c.scrolls {
			t.Errorf("%v units high: the sheet scrolls: %v", c.height, got)
		}
	}
}
