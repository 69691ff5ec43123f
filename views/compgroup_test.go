//go:build !headless

package views

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"greenroom/engine/settings"
)

func TestCompShowsTheRowsOfItsBackground(t *testing.T) {
	r, s := ready(t)
	g := r.panel.comp
	choose := func(value settings.Background) {
		for _, item := range g.background.items() {
			if strings.HasPrefix(item.Label, map[settings.Background]string{
				settings.BackgroundColour: "Colour", settings.BackgroundPicture: "Picture", settings.BackgroundGrey: "Grey",
			}[value]) {
				item.Action()
			}
		}
		s = r.follow(s)
	}
	choose(settings.BackgroundGrey)
	if r.asked.choices.Look.Background != settings.BackgroundGrey || g.plain.Visible() || g.picture.Visible() {
		t.Errorf("grey: %q, rows %v %v", r.asked.choices.Look.Background, g.plain.Visible(), g.picture.Visible())
	}
	choose(settings.BackgroundColour)
	if !g.plain.Visible() || g.picture.Visible() {
		t.Error("a colour has no rows")
	}
	r.window.Canvas().Focus(g.hex)
	g.hex.SetText("#1e90ff")
	g.hex.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	s = r.follow(s)
	if got := r.number("Background Green").slider.value; got < 143.999 || got > 144.001 || hexOf(r.asked.choices.Look.Comp.Colour) != "#1e90ff" {
		t.Errorf("green %v, colour %v", got, r.asked.choices.Look.Comp.Colour)
	}
	choose(settings.BackgroundPicture)
	if !slices.Contains(r.asked.names, "open backdrop") || r.asked.choices.Look.Background != settings.BackgroundColour || g.background.value != "colour" {
		t.Errorf("without a picture: asked %q, %q is shown", r.asked.names, g.background.value)
	}
	r.asked.choices.Backdrop = "/jobs/street.exr"
	s.Matte.Backdrop = BesideState{Name: "street.exr", Remarks: []Remark{{Text: "Taken for linear Rec.709"}}}
	s = r.follow(s)
	choose(settings.BackgroundPicture)
	if r.asked.choices.Look.Background != settings.BackgroundPicture || !g.picture.Visible() || g.name.Text != "street.exr" || !g.remarks.content.Visible() {
		t.Errorf("with one: %q, rows %v", r.asked.choices.Look.Background, g.picture.Visible())
	}
	tap(g.remove)
	if r.follow(s); r.asked.choices.Backdrop != "" || r.asked.choices.Look.Background != settings.BackgroundChecker {
		t.Errorf("after removing it: %+v", r.asked.choices)
	}
}

func TestColoursAreReadAsTheyAreWritten(t *testing.T) {
	for text, want := range map[string]string{
		"#1e90ff": "#1e90ff", "1E90FF": "#1e90ff", " #fff ": "#ffffff", "f80": "#ff8800", "30, 144, 255": "#1e90ff",
		"rgb(30,144,255)": "#1e90ff", "0 0 0": "#000000",
		"": "", "#12345": "", "red": "", "1,2": "", "300,0,0": "", "-1,0,0": "", "#1234567": "", "+ff": "",
	} {
		c, ok := parseColour(text)
		if ok != (want != "") || ok && hexOf(c) != want {
			t.Errorf("%q is %v, %v, want %q", text, c, ok, want)
		}
	}
}
