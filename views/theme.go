//go:build !headless

package views

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

// Theme is the window's look: dark and neutral, because artists judge edges against it. Every grey has equal
// red, green and blue.
type Theme struct{}

// surround is the grey around a plate.
var surround = color.NRGBA{0x1c, 0x1c, 0x1c, 0xff}

// Color implements fyne.Theme.
func (Theme) Color(name fyne.ThemeColorName, _ fyne.ThemeVariant) color.Color {
	grey := func(v uint8) color.Color { return color.NRGBA{v, v, v, 0xff} }
	switch name {
	case theme.ColorNameBackground, theme.ColorNameOverlayBackground, theme.ColorNameMenuBackground:
		return grey(0x26)
	case theme.ColorNameInputBackground, theme.ColorNameHeaderBackground:
		return grey(0x2e)
	case theme.ColorNameButton:
		return grey(0x3a)
	case theme.ColorNameSeparator, theme.ColorNameInputBorder:
		return grey(0x44)
	case theme.ColorNameForeground:
		return grey(0xe2)
	case theme.ColorNameDisabled, theme.ColorNamePlaceHolder:
		return grey(0x8c)
	case theme.ColorNamePrimary:
		return grey(0xb8)
	}
	return theme.DefaultTheme().Color(name, theme.VariantDark)
}

// Font implements fyne.Theme.
func (Theme) Font(style fyne.TextStyle) fyne.Resource { return theme.DefaultTheme().Font(style) }

// Icon implements fyne.Theme.
func (Theme) Icon(name fyne.ThemeIconName) fyne.Resource { return theme.DefaultTheme().Icon(name) }

// Size implements fyne.Theme.
func (Theme) Size(name fyne.ThemeSizeName) float32 { return theme.DefaultTheme().Size(name) }
