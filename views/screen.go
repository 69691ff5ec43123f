//go:build !headless

package views

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Screen is everything in the window: the viewer, the drop zone while no plate is open, a banner for problems
// and the status line.
type Screen struct {
	// OnDismiss is called when the artist closes the banner.
	OnDismiss func()

	content *fyne.Container
	status  *fyne.Container
	viewer  *Viewer
	empty   *fyne.Container
	prompt  *canvas.Text
	banner  *fyne.Container
	problem *widget.Label
	plate   *widget.Label
	machine *widget.Label
}

// NewScreen returns the screen of the empty room.
func NewScreen() *Screen {
	s := &Screen{
		viewer:  NewViewer(),
		prompt:  canvas.NewText("", theme.Color(theme.ColorNameForeground)),
		problem: widget.NewLabel(""),
		plate:   widget.NewLabel(""),
		machine: widget.NewLabel(""),
	}
	s.plate.Truncation = fyne.TextTruncateEllipsis
	s.problem.Wrapping = fyne.TextWrapWord
	s.empty = s.dropZone()
	closeBanner := widget.NewButtonWithIcon("", theme.CancelIcon(), func() {
		if s.OnDismiss != nil {
			s.OnDismiss()
		}
	})
	closeBanner.Importance = widget.LowImportance
	s.banner = container.NewStack(
		canvas.NewRectangle(theme.Color(theme.ColorNameHeaderBackground)),
		container.NewBorder(nil, nil, widget.NewIcon(theme.WarningIcon()), container.NewVBox(closeBanner), s.problem),
	)
	s.status = container.NewBorder(widget.NewSeparator(), nil, nil, s.machine, s.plate)
	s.content = container.NewBorder(s.banner, s.status, nil, nil,
		container.NewStack(canvas.NewRectangle(surround), s.viewer, s.empty))
	s.Show(State{})
	return s
}

// dropZone is what the empty room shows.
func (s *Screen) dropZone() *fyne.Container {
	s.prompt.TextSize = 22
	s.prompt.Alignment = fyne.TextAlignCenter
	kinds := canvas.NewText("PNG, JPEG or TIFF", theme.Color(theme.ColorNamePlaceHolder))
	kinds.Alignment = fyne.TextAlignCenter
	frame := canvas.NewRectangle(surround)
	frame.StrokeColor = theme.Color(theme.ColorNameSeparator)
	frame.StrokeWidth = 2
	frame.CornerRadius = 12
	frame.SetMinSize(fyne.NewSize(520, 260))
	text := container.NewVBox(layout.NewSpacer(), s.prompt, kinds, layout.NewSpacer())
	return container.NewCenter(container.NewStack(frame, text))
}

// Content is what the window holds.
func (s *Screen) Content() fyne.CanvasObject { return s.content }

// Show draws a state. Call it on Fyne's goroutine.
func (s *Screen) Show(state State) {
	s.viewer.Display(state.Plate)
	s.prompt.Text = "Drop a plate here"
	if state.Opening != "" {
		s.prompt.Text = "Reading " + state.Opening
	}
	s.prompt.Refresh()
	visible(s.viewer, state.Plate != nil)
	visible(s.empty, state.Plate == nil)
	// A container lays itself out again only when it is told that its parts changed their size.
	changed := s.banner.Visible() != (state.Problem != "") || s.machine.Text != state.Machine || s.problem.Text != state.Problem
	visible(s.banner, state.Problem != "")
	s.problem.SetText(state.Problem)
	line := state.Name
	switch {
	case state.Opening != "":
		line = "Reading " + state.Opening
	case line == "":
		line = "No plate"
	case state.Details != "":
		line += ", " + state.Details
	}
	s.plate.SetText(line)
	s.machine.SetText(state.Machine)
	if changed {
		s.status.Refresh()
		s.content.Refresh()
	}
}

func visible(o fyne.CanvasObject, show bool) {
	if show {
		o.Show()
	} else {
		o.Hide()
	}
}
