package settings

import (
	"math"
	"strings"
	"testing"
)

func TestTheDefaultLookIsValid(t *testing.T) {
	if err := DefaultLook().Validate(); err != nil {
		t.Fatal(err)
	}
}

func TestLooksAreRefusedByName(t *testing.T) {
	nan := math.NaN()
	for want, change := range map[string]func(*Look){
		"key exposure": func(l *Look) { l.KeyExposure = 4.5 }, "exposure is": func(l *Look) { l.KeyExposure = nan },
		"refiner": func(l *Look) { l.Refiner = 1.1 }, "clip black": func(l *Look) { l.ClipBlack = nan },
		"clip white": func(l *Look) { l.ClipWhite = 2 }, "under white": func(l *Look) { l.ClipBlack = 0.98 },
		"gamma": func(l *Look) { l.Gamma = 0 }, "shrink/grow": func(l *Look) { l.Grow = -20.5 },
		"soften": func(l *Look) { l.Soften = nan }, "despeckle is": func(l *Look) { l.Despeckle = -1 },
		"despeckle by": func(l *Look) { l.DespeckleBy = "" }, "edge colour": func(l *Look) { l.EdgeColour = "screen" },
		"edge extend": func(l *Look) { l.EdgeExtend = 201 }, "despill is": func(l *Look) { l.Despill = -1 },
		"average, max, screen or reference": func(l *Look) { l.DespillLimit = "least" },
		"neutral return":                    func(l *Look) { l.NeutralReturn = 1.5 }, "screen is": func(l *Look) { l.Screen = "red" },
		"chroma smooth": func(l *Look) { l.ChromaSmooth = -0.5 }, "background is": func(l *Look) { l.Background = "red" },
		"placement": func(l *Look) { l.Comp.Placement = "" }, "scale": func(l *Look) { l.Comp.Scale = 0 },
		"exposure": func(l *Look) { l.Comp.Exposure = 11 }, "offset x": func(l *Look) { l.Comp.OffsetX = math.Inf(1) },
		"blend": func(l *Look) { l.Comp.Blend = "add" }, "background blue": func(l *Look) { l.Comp.Colour[2] = nan },
	} {
		l := DefaultLook()
		change(&l)
		if err := l.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", want, err)
		}
	}
}
