//go:build !headless

package views

import (
	"image/color"
	"testing"

	"greenroom/engine/colour"
)

// contrast is the ratio of two colours by WCAG 2.2: (L1 + 0.05) / (L2 + 0.05) of their relative luminances.
func contrast(a, b color.NRGBA) float64 {
	light := func(c color.NRGBA) float64 {
		linear := func(v uint8) float64 { return float64(colour.SRGBToLinear(float32(v) / 255)) }
		return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
	}
	l1, l2 := light(a), light(b)
	return (max(l1, l2) + 0.05) / (min(l1, l2) + 0.05)
}

func TestTextStandsOutFromWhatIsBehindIt(t *testing.T) {
	for _, c := range []struct {
		name       string
		text, back color.NRGBA
	}{
		{"text on the chrome", grey(greyText), grey(greyChrome)},
		{"text on a button", grey(greyText), grey(greyRaised)},
		{"text on a button under the pointer", grey(greyText), grey(greyHover)},
		{"text on a button that is on", grey(greyText), grey(0x55)},
		{"text in an entry", grey(greyText), grey(greyTrough)},
		{"quiet text on the chrome", grey(greyQuiet), grey(greyChrome)},
		{"quiet text around the plate", grey(greyQuiet), grey(surroundGrey)},
		{"text of the main button", grey(greyOnLight), grey(greyAccent)},
		{"small text of the main button", grey(0x48), grey(greyAccent)},
		{"warnings", amber(), grey(greyChrome)},
		{"the line around what the keyboard is at", grey(greyFocus), grey(greyChrome)},
	} {
		if got := contrast(c.text, c.back); got < 4.5 {
			t.Errorf("%s: %.1f to 1, want 4.5", c.name, got)
		}
	}
}
