//go:build !headless

package views

import (
	"image"
	"slices"
	"testing"

	"fyne.io/fyne/v2/test"

	"greenroom/engine/colour"
	"greenroom/engine/settings"
)

// dials are all rows of the groups after the network.
func (r room) dials() []dial {
	var list []dial
	for _, s := range r.panel.matte.sections {
		list = append(list, s.dials...)
	}
	return slices.Concat(list, []dial{r.panel.comp.blend}, r.panel.comp.colours, r.panel.comp.places)
}

// name is what a row is called in the window.
func (d dial) name() string {
	switch o := d.CanvasObject.(type) {
	case *control:
		return o.name
	case *option:
		return o.spec.label
	case *switchRow:
		return o.box.title.Text
	}
	return ""
}

// dial returns the row of a name.
func (r room) dial(name string) dial {
	for _, d := range r.dials() {
		if d.name() == name {
			return d
		}
	}
	panic("no row is called " + name)
}

// number returns the control of a name.
func (r room) number(name string) *control { return r.dial(name).CanvasObject.(*control) }

// follow shows what was asked for, as the app does.
func (r room) follow(s State) State {
	s.Choices = r.asked.choices
	r.Show(s)
	return s
}

// ready is a room with a key, whose choices are those that are shown.
func ready(t *testing.T) (room, State) {
	t.Helper()
	r := newRoom(t, 1280, 800, 1)
	open := openState()
	r.Show(open)
	s := keyedState()
	s.Layers.Plate, s.Layers.Hint = open.Layers.Plate, open.Layers.Hint
	// Each row is seen once, so that it has a size.
	for _, b := range []settings.Background{settings.BackgroundColour, settings.BackgroundPicture, settings.BackgroundChecker} {
		s.Choices.Look.Background = b
		r.Show(s)
	}
	r.asked.choices = s.Choices
	return r, s
}

// unfold opens the sections of the matte group.
func (r room) unfold() {
	for _, s := range append(r.panel.matte.sections, r.panel.matte.marks.section) {
		if !s.inside.Visible() {
			test.Tap(s.fold)
		}
	}
}

// keyedState is the room with a key whose matte was looked over.
func keyedState() State {
	s := doneState()
	s.Export.Written = nil
	s.Matte.Space = colour.SRGB
	s.Matte.Review = ReviewState{
		Known: true, Translucent: 7.25, Solid: 11.5, Clear: 81.25,
		Findings: []MatteFinding{
			{Kind: "Core hole", Text: "Core hole at 320,170: 12 pixels under 1, down to 0.412", X: 320, Y: 170, Worst: 0.412, Amount: "61.2", Box: image.Rect(318, 168, 322, 172), Pixels: 12},
			{Kind: "Screen residue", Text: "Screen residue at 60,40: 2210 pixels over 0, up to 0.061", X: 60, Y: 40, Worst: 0.061, Amount: "48.7", Box: image.Rect(20, 10, 120, 90), Pixels: 2210},
			{Kind: "Cut by the frame", Text: "The subject is cut by the frame at 300,359: 44 pixels", X: 300, Y: 359, Worst: 1, Amount: "44.0", Box: image.Rect(300, 359, 344, 360), Pixels: 44},
		},
	}
	return s
}
