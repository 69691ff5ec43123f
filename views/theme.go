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

// The one scale of type sizes.
const (
	sizeSmall = 11
	sizeText  = 13
	sizeTitle = 16
	sizeLarge = 22
)

// Distances, in units of the window.
const (
	gap        = 8
	margin     = 12
	rowHeight  = 26
	barHeight  = 40
	panelWidth = 312
)

// The greys by what they are for, sRGB-encoded.
const (
	greyTrough  = 0x17
	greyChrome  = 0x26
	greySunk    = 0x30
	greyLine    = 0x38
	greyRaised  = 0x3e
	greyHover   = 0x4b
	greyOff     = 0x68
	greyQuiet   = 0xa0
	greyText    = 0xe2
	greyAccent  = 0xd0
	greyOnLight = 0x18
	greyFocus   = 0xff
)

// focusWidth is the width of the line around what the keyboard is at.
func focusWidth(there bool) float32 {
	if there {
		return 2
	}
	return 0
}

// grey is a neutral colour.
func grey(v uint8) color.NRGBA { return color.NRGBA{v, v, v, 0xff} }

// amber is the colour of warnings, the only one in the chrome. A word or an icon always goes with it.
func amber() color.NRGBA { return color.NRGBA{0xe0, 0xb0, 0x58, 0xff} }

// Color implements fyne.Theme.
func (Theme) Color(name fyne.ThemeColorName, _ fyne.ThemeVariant) color.Color {
	switch name {
	case theme.ColorNameBackground:
		return grey(greyChrome)
	case theme.ColorNameOverlayBackground, theme.ColorNameMenuBackground, theme.ColorNameHeaderBackground:
		return grey(greySunk)
	case theme.ColorNameInputBackground:
		return grey(greyTrough)
	case theme.ColorNameButton, theme.ColorNameSeparator, theme.ColorNameInputBorder:
		return grey(greyLine)
	case theme.ColorNameForeground:
		// Over the chrome this is greyText. Menus draw shortcuts with 95 % of this alpha in 16 bits, of which the
		// toolkit keeps the lower byte: of an opaque colour next to nothing would be left.
		return color.NRGBA{0xf0, 0xf0, 0xf0, 0xf0}
	case theme.ColorNameDisabled, theme.ColorNamePlaceHolder:
		return grey(greyOff)
	case theme.ColorNamePrimary:
		return grey(greyAccent)
	case theme.ColorNameHover, theme.ColorNamePressed, theme.ColorNameFocus:
		return color.NRGBA{0xff, 0xff, 0xff, 0x18}
	case theme.ColorNameSelection:
		return color.NRGBA{0xff, 0xff, 0xff, 0x30}
	case theme.ColorNameScrollBar:
		return color.NRGBA{0xff, 0xff, 0xff, 0x40}
	case theme.ColorNameScrollBarBackground, theme.ColorNameShadow:
		return color.NRGBA{0, 0, 0, 0x40}
	}
	return theme.DefaultTheme().Color(name, theme.VariantDark)
}

// Font implements fyne.Theme.
func (Theme) Font(style fyne.TextStyle) fyne.Resource { return theme.DefaultTheme().Font(style) }

// Icon implements fyne.Theme.
func (Theme) Icon(name fyne.ThemeIconName) fyne.Resource { return theme.DefaultTheme().Icon(name) }

// Size implements fyne.Theme.
func (Theme) Size(name fyne.ThemeSizeName) float32 {
	switch name {
	case theme.SizeNameText:
		return sizeText
	case theme.SizeNameCaptionText:
		return sizeSmall
	case theme.SizeNameSubHeadingText:
		return sizeTitle
	case theme.SizeNameHeadingText:
		return sizeLarge
	case theme.SizeNameInnerPadding:
		return 6
	case theme.SizeNameInlineIcon:
		return 16
	case theme.SizeNameLineSpacing:
		return 3
	case theme.SizeNameInputRadius, theme.SizeNameSelectionRadius:
		return 3
	case theme.SizeNameScrollBar:
		return 8
	}
	return theme.DefaultTheme().Size(name)
}
