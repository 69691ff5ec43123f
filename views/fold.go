//go:build !headless

package views

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// fold is a title that opens and closes what lies under it, with an arrow that says which. The keyboard comes to it by
// Tab alone.
type fold struct {
	widget.BaseWidget
	reach
	do    func(open bool)
	open  bool
	help  string
	tell  func(string)
	title *canvas.Text
	arrow *widget.Icon
	// mark is around the arrow while the keyboard is here.
	mark *canvas.Rectangle
	// name tells it from the other folds of the panel; usual is whether it is open at first.
	name  string
	usual bool
}

func newFold(label string, open bool, help string, tell func(string), do func(open bool)) *fold {
	f := &fold{do: do, open: open, name: label, usual: open, help: help, tell: tell, title: newText(label, sizeText, grey(greyText))}
	f.arrow = widget.NewIcon(foldIcon(open))
	f.mark = canvas.NewRectangle(color.Transparent)
	f.mark.StrokeColor, f.mark.CornerRadius = grey(greyFocus), 3
	f.reach = reach{of: f, press: f.pressed, said: explain(tell, func() string { return f.help })}
	f.ExtendBaseWidget(f)
	return f
}

func foldIcon(open bool) fyne.Resource {
	if open {
		return theme.NewColoredResource(theme.MenuDropDownIcon(), theme.ColorNamePlaceHolder)
	}
	return theme.NewColoredResource(theme.MenuExpandIcon(), theme.ColorNamePlaceHolder)
}

// Tapped implements fyne.Tappable.
func (f *fold) Tapped(*fyne.PointEvent) {
	f.clicked()
	f.pressed()
}

// Refresh implements fyne.Widget.
func (f *fold) Refresh() {
	f.title.Color = grey(greyText)
	if f.there {
		f.title.Color = grey(greyFocus)
	}
	f.mark.StrokeWidth = focusWidth(f.there)
	f.BaseWidget.Refresh()
}

func (f *fold) pressed() {
	f.set(!f.open)
	f.do(f.open)
}

// set shows it as open, or not, without calling do.
func (f *fold) set(open bool) {
	if f.open != open {
		f.open = open
		f.arrow.SetResource(foldIcon(open))
	}
}

// MouseIn implements desktop.Hoverable.
func (f *fold) MouseIn(*desktop.MouseEvent) { f.tell(f.help) }

// MouseMoved implements desktop.Hoverable.
func (f *fold) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (f *fold) MouseOut() { f.tell("") }

// CreateRenderer implements fyne.Widget.
func (f *fold) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(container.New(foldCells{}, f.title, f.arrow, f.mark))
}

// foldArrow is the edge of the arrow.
const foldArrow = 16

// foldCells lays out a title with its arrow behind it, so that titles stay in line with those that do not fold.
type foldCells struct{}

// MinSize implements fyne.Layout.
func (foldCells) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(o[0].MinSize().Width+foldArrow+4, 22)
}

// Layout implements fyne.Layout.
func (foldCells) Layout(o []fyne.CanvasObject, size fyne.Size) {
	m := o[0].MinSize()
	o[0].Resize(m)
	o[0].Move(fyne.NewPos(0, (size.Height-m.Height)/2))
	o[1].Resize(fyne.NewSquareSize(foldArrow))
	o[1].Move(fyne.NewPos(m.Width+2, (size.Height-foldArrow)/2))
	o[2].Resize(o[1].Size())
	o[2].Move(o[1].Position())
}

// foldable is a group that folds away under its title.
func foldable(s *Screen, title string, beside fyne.CanvasObject, parts ...fyne.CanvasObject) *fyne.Container {
	inside := container.New(column(5), parts...)
	f := s.newFold(title, true, "Fold "+title+" away, or open it", inside)
	f.title.TextStyle.Bold = true
	hair := canvas.NewRectangle(grey(greyLine))
	hair.SetMinSize(fyne.NewSize(0, 1))
	return container.New(column(5), container.NewBorder(nil, nil, f, beside), hair, inside)
}

// newFold returns a fold of a part of the panel. How it stands is kept from one time to the next by its title of the beginning.
func (s *Screen) newFold(title string, open bool, help string, part fyne.CanvasObject) *fold {
	f := newFold(title, open, help, s.tip, func(open bool) {
		visible(part, open)
		s.panel.layOut()
		if s.OnFold != nil {
			s.OnFold()
		}
	})
	s.folds = append(s.folds, f)
	return f
}

// Folds returns the folds that do not stand as usual, by their titles, and whether they are open.
func (s *Screen) Folds() map[string]bool {
	var folds map[string]bool
	for _, f := range s.folds {
		if f.open != f.usual {
			if folds == nil {
				folds = map[string]bool{}
			}
			folds[f.name] = f.open
		}
	}
	return folds
}

// Fold opens folds and folds them away as they were. Call it on Fyne's goroutine.
func (s *Screen) Fold(folds map[string]bool) {
	for _, f := range s.folds {
		if open, ok := folds[f.name]; ok && open != f.open {
			f.pressed()
		}
	}
}
