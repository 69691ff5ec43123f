//go:build !headless

package views

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"greenroom/engine/settings"
)

// matteGroup holds the controls after the network: none of them runs it.
type matteGroup struct {
	content  *fyne.Container
	sections []*section
	marks    *marksSection
	kept     *keptSection
}

func newMatteGroup(s *Screen) *matteGroup {
	g := &matteGroup{marks: newMarksSection(s), kept: newKeptSection(s)}
	g.sections = []*section{
		newSection(s, "Matte", true, "Black and white points, and specks", matteDials(s)),
		newSection(s, "Edge", false, "Where the matte's edge lies and how soft it is", edgeDials(s)),
		newSection(s, "Foreground", false, "Where the foreground's colour comes from", foregroundDials(s)),
		newSection(s, "Spill", false, "The screen's light on the subject", spillDials(s), g.kept.content),
	}
	parts := container.New(column(4))
	for _, t := range g.sections {
		parts.Add(t.content)
	}
	parts.Add(g.marks.content)
	g.content = foldable(s, "Matte and spill", nil, parts)
	g.show(State{Choices: settings.Choices{Look: settings.DefaultLook()}})
	return g
}

// show draws a state and reports whether the group's height may have changed.
func (g *matteGroup) show(s State) bool {
	if s.Choices.Look == (settings.Look{}) {
		return false
	}
	for _, t := range g.sections {
		t.show(s.Choices)
	}
	changed := g.kept.show(s)
	return g.marks.show(s) || changed
}

// tool marks which tool is in use.
func (g *matteGroup) tool(u ToolUse) {
	g.marks.core.tool(u)
	g.marks.garbage.tool(u)
	g.kept.tool(u)
}

// apart is how far the clip's white point is over its black point at least.
const apart = 0.01

// matteDials are the rows for the matte's values.
func matteDials(s *Screen) []dial {
	// A black point over the white one pushes it, and the other way round.
	black := choiceDial(s, controlSpec{
		label: "Clip black", help: "Matte values up to this become exactly 0", most: 0.5, high: 1 - apart, step: 0.005, curve: 1.5, decimals: 3,
	}, func(c *settings.Choices) float64 { return c.Look.ClipBlack }, func(c *settings.Choices, v float64) {
		c.Look.ClipBlack, c.Look.ClipWhite = v, max(c.Look.ClipWhite, v+apart)
	})
	white := choiceDial(s, controlSpec{
		label: "Clip white", help: "Matte values from this on become exactly 1", least: 0.5, low: apart, most: 1, high: 1, step: 0.005, curve: 1, decimals: 3,
	}, func(c *settings.Choices) float64 { return c.Look.ClipWhite }, func(c *settings.Choices, v float64) {
		c.Look.ClipWhite, c.Look.ClipBlack = v, min(c.Look.ClipBlack, v-apart)
	})
	gamma := numberDial(s, controlSpec{
		label: "Gamma", help: "Over 1 brightens the middle of the matte, under 1 darkens it; 0 and 1 stay", least: 0.2, most: 5, step: 0.01,
		curve: 2, decimals: 2,
	}, func(l *settings.Look) *float64 { return &l.Gamma })
	specks := wholeDial(s, controlSpec{
		label: "Despeckle", help: "Faint lonely islands smaller than this are removed, in pixels of a plate 1920 wide; 0 is off",
		most: 20000, high: 10_000_000, step: 50, curve: 3,
	}, func(l *settings.Look) *int { return &l.Despeckle })
	way := wordDial(s, optionSpec{
		label: "Despeckle by", help: "How specks are found.",
		words: []optionWord{
			{string(settings.DespeckleIslands), "Islands", "removes faint islands, touches nothing else"},
			{string(settings.DespeckleReference), "Reference", "as the reference tool, also cuts into veils"},
		},
	}, func(l *settings.Look) *settings.Despeckling { return &l.DespeckleBy }).only(func(c settings.Choices) string {
		if c.Look.Despeckle == 0 {
			return "Despeckle is off"
		}
		return ""
	})
	return []dial{black, white, gamma, specks, way}
}

// edgeDials are the rows for the matte's edge.
func edgeDials(s *Screen) []dial {
	return []dial{
		numberDial(s, controlSpec{
			label: "Shrink/grow", help: "Moves the matte's edge by parts of a pixel: inwards under 0, outwards over 0", least: -20, most: 20, step: 0.05,
			curve: 2, decimals: 2,
		}, func(l *settings.Look) *float64 { return &l.Grow }),
		numberDial(s, controlSpec{
			label: "Soften", help: "Blurs the matte by a Gaussian of this standard deviation in pixels", most: 50, step: 0.05, curve: 3, decimals: 2,
		}, func(l *settings.Look) *float64 { return &l.Soften }),
	}
}

// foregroundDials are the rows for the foreground's colour.
func foregroundDials(s *Screen) []dial {
	return []dial{
		checkDial(s, "Source detail", "Take the foreground from the plate itself where the matte is solid: grain and detail stay as they were shot",
			func(l *settings.Look) *bool { return &l.SourceDetail }),
		wordDial(s, optionSpec{
			label: "Edge colour", help: "Where the colour of edges comes from.",
			words: []optionWord{
				{string(settings.EdgeNetwork), "Network", "clean, as the network made it"},
				{string(settings.EdgePlate), "Unmixed plate", "the plate without its screen, keeps strands and grain"},
			},
		}, func(l *settings.Look) *settings.EdgeColour { return &l.EdgeColour }),
		numberDial(s, controlSpec{
			label: "Edge extend", help: "Carries the edge's colour outwards by so many pixels, so that growing and softening pull in no screen; 0 is off",
			most: 200, step: 0.5, curve: 2, decimals: 1,
		}, func(l *settings.Look) *float64 { return &l.EdgeExtend }),
	}
}

// spillDials are the rows for despill.
func spillDials(s *Screen) []dial {
	off := func(c settings.Choices) string {
		if c.Look.Despill == 0 {
			return "Despill is 0: nothing is taken out"
		}
		return ""
	}
	return []dial{
		numberDial(s, controlSpec{
			label: "Despill", help: "How much of the screen's colour is taken out of the foreground", most: 1, step: 0.01, curve: 1, decimals: 2,
		}, func(l *settings.Look) *float64 { return &l.Despill }),
		wordDial(s, optionSpec{
			label: "Limit", help: "How much of the screen's colour may stay.",
			words: []optionWord{
				{string(settings.DespillAverage), "Average", "the mean of the two other channels"},
				{string(settings.DespillMax), "Max", "the greater of the two others, gentler"},
				{string(settings.DespillScreen), "Screen", "the mean, by subtracting the screen's own colour"},
				{string(settings.DespillReference), "Reference", "as the reference tool, may turn edges magenta"},
			},
		}, func(l *settings.Look) *settings.DespillLimit { return &l.DespillLimit }).only(off),
		numberDial(s, controlSpec{
			label: "Neutral return", help: "How much of the brightness that despill takes comes back as grey", most: 1, step: 0.01, curve: 1, decimals: 2,
		}, func(l *settings.Look) *float64 { return &l.NeutralReturn }).only(func(c settings.Choices) string {
			if c.Look.DespillLimit == settings.DespillReference {
				return "The reference limit returns half of the spill by itself"
			}
			return off(c)
		}),
	}
}
