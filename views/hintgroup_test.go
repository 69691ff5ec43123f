//go:build !headless

package views

import (
	"image/color"
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"greenroom/engine/settings"
)

// chromaState is the room with a hint from the screen's colour.
func chromaState() State {
	s := openState()
	s.Hint = HintState{Source: "From the green screen"}
	return s
}

// opened unfolds the hint's adjustments and its overlay.
func (r room) opened() *hintEditor {
	test.Tap(r.panel.hint.edit.section.fold)
	return r.panel.hint.edit
}

func TestControlsOfTheHintAskForTheirEdit(t *testing.T) {
	r := newRoom(t, 1280, 800, 1)
	state := chromaState()
	r.Show(state)
	e := r.opened()
	if !e.section.inside.Visible() {
		t.Fatal("the adjustments stay folded away")
	}
	e.grow.slider.change(-4.5)
	e.soften.slider.change(6)
	e.strength.slider.change(0.3)
	test.Tap(e.invert)
	want := settings.HintEdit{Strength: 0.3, Invert: true, Grow: -4.5, Soften: 6}
	if r.asked.choices.Edit != want {
		t.Errorf("asked for %+v, want %+v", r.asked.choices.Edit, want)
	}
	if i := slices.IndexFunc(r.asked.steps, func(s Step) bool { return s.Name == "" }); i >= 0 {
		t.Errorf("step %d has no name", i)
	}
	state.Choices.Edit = want
	r.Show(state)
	if text := e.section.note.Text; text != "4 changed" {
		t.Errorf("the section says %q", text)
	}
	keep(t, "hint_adjust", r.render())
	if !e.channel.disabled || e.strength.whyNot != "" {
		t.Error("a hint from the screen has a channel, or no strength")
	}
	state.Hint = HintState{Source: "From a.png", FromFile: true, Channel: settings.ChannelGrey}
	r.Show(state)
	if e.channel.disabled || e.strength.whyNot == "" || e.channel.note != "grey" {
		t.Errorf("a hint from a file: channel %v (%q), strength %q", !e.channel.disabled, e.channel.note, e.strength.whyNot)
	}
	items := e.channels()
	if !items[0].Checked || !items[1].Disabled || items[3].Disabled {
		t.Errorf("the channels are %+v", items)
	}
	items[3].Action()
	if r.asked.choices.Edit.Channel != settings.ChannelRed {
		t.Errorf("asked for %+v", r.asked.choices.Edit)
	}
}

func TestRemarksOfTheHintHaveAFix(t *testing.T) {
	r := newRoom(t, 1280, 800, 1)
	state := openState()
	edit := settings.HintEdit{Invert: true}
	state.Hint.Remarks = []Remark{
		{Text: "The hint looks inverted", Warning: true, Fix: Fix{Button: "Invert", Edit: edit}},
		{Text: "The hint is empty", Warning: true, Fix: Fix{Button: "Make it from the screen", FromScreen: true}},
		{Text: "The hint is full", Warning: true, Fix: Fix{Button: "Open a hint…", Open: true}},
		{Text: "The screen is green"},
	}
	r.Show(state)
	keep(t, "hint_faults", r.render())
	buttons := r.panel.hint.remarks.buttons()
	if len(buttons) != 3 {
		t.Fatalf("%d buttons", len(buttons))
	}
	for _, b := range buttons {
		tap(b)
	}
	if r.asked.choices.Edit != edit || !slices.Equal(r.asked.names, []string{"choose", "make hint", "open hint"}) {
		t.Errorf("asked %q for %+v", r.asked.names, r.asked.choices.Edit)
	}
}

func TestSamplesAreShownAndTakenAway(t *testing.T) {
	r := newRoom(t, 1280, 800, 1)
	state := chromaState()
	r.Show(state)
	if r.panel.hint.samples.content.Visible() {
		t.Error("samples are shown where there are none")
	}
	r.asked.choices.Marks.Samples = []settings.Colour{{0.1, 0.6, 0.2}, {0.2, 0.7, 0.3}, {0.1, 0.5, 0.2}}
	state.Hint.Samples = []color.NRGBA{{26, 153, 51, 255}, {51, 179, 77, 255}, {26, 128, 51, 255}}
	r.Show(state)
	squares := r.panel.hint.samples.swatches.Objects
	if len(squares) != 3 || !r.panel.hint.samples.content.Visible() {
		t.Fatalf("%d samples", len(squares))
	}
	keep(t, "hint_samples", r.render())
	test.Tap(squares[1].(*sample))
	if got := r.asked.choices.Marks.Samples; len(got) != 2 || got[0][1] != 0.6 || got[1][1] != 0.5 {
		t.Errorf("left are %v", got)
	}
	tap(r.panel.hint.samples.clear)
	if n := len(r.asked.choices.Marks.Samples); n != 0 {
		t.Errorf("%d samples are left", n)
	}
}

func TestTheOverlayIsChosenInTheGroupAndByKeys(t *testing.T) {
	r := newRoom(t, 1280, 800, 1)
	var told []Preferences
	r.OnPreference = func(p Preferences) { told = append(told, p) }
	r.Show(openState())
	o := r.panel.hint.overlay
	o.style.items()[2].Action()
	o.colour.items()[1].Action()
	o.opacity.slider.change(0.8)
	want := OverlayLook{Contour, OverlayCyan, 0.8}
	if r.viewer.look.Tint != want || len(told) != 3 || told[2].Overlay != want {
		t.Errorf("the viewer looks by %+v, told %+v", r.viewer.look.Tint, told)
	}
	if o.style.label != "Contour" || o.colour.label != "Cyan" {
		t.Errorf("the group says %q and %q", o.style.label, o.colour.label)
	}
	r.typedRune('M')
	if got := r.viewer.look.Tint; got.Style != TintOutside || got.Colour != OverlayCyan {
		t.Errorf("Shift+M gives %+v", got)
	}
	r.typedRune('m')
	r.typedRune('M')
	if got := r.viewer.look; !got.Overlay || got.Tint.Style != TintOutside {
		t.Errorf("Shift+M without an overlay gives %+v", got)
	}
	r.Prefer(Preferences{Overlay: OverlayLook{TintInside, OverlayWhite, 0.3}})
	if o.style.label != "Tint inside" || r.viewer.look.Tint.Colour != OverlayWhite {
		t.Errorf("as it was last time: %q, %+v", o.style.label, r.viewer.look.Tint)
	}
}

// buttons are those of the remarks.
func (r *remarks) buttons() []*button {
	var list []*button
	for _, o := range r.content.Objects {
		if row, ok := o.(*fyne.Container); ok {
			list = append(list, row.Objects[0].(*button))
		}
	}
	return list
}
