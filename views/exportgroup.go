//go:build !headless

package views

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
)

// exportGroup chooses what an export writes and states what the pixels will mean.
type exportGroup struct {
	content        *fyne.Container
	choice         ExportChoice
	key, matte, fg *check
	png, tiff      *button
	overwrite      *check
	folder         *canvas.Text
	files          *paragraph
	export         *button
	reveal         *button
	written        *paragraph
	done           *fyne.Container
}

// besideFolder is the width of text beside the button that chooses a folder.
const besideFolder = panelText - 84

func newExportGroup(s *Screen) *exportGroup {
	g := &exportGroup{}
	change := func(alter func(*ExportChoice)) {
		alter(&g.choice)
		s.intents.SetExport(g.choice)
	}
	g.key = newCheck("Key", "The foreground with the matte as its alpha", s.tip, func(on bool) {
		change(func(c *ExportChoice) { c.Key = on })
	})
	g.matte = newCheck("Matte", "The matte in grey, linear", s.tip, func(on bool) {
		change(func(c *ExportChoice) { c.Matte = on })
	})
	g.fg = newCheck("FG", "The foreground without the matte", s.tip, func(on bool) {
		change(func(c *ExportChoice) { c.FG = on })
	})
	g.png = newButton("PNG", flatButton, func() { change(func(c *ExportChoice) { c.TIFF = false }) }).
		helps("PNG, 16 bits a sample", s.tip)
	g.tiff = newButton("TIFF", flatButton, func() { change(func(c *ExportChoice) { c.TIFF = true }) }).
		helps("TIFF, 16 bits a sample", s.tip)
	g.overwrite = newCheck("Overwrite", "Replace files of the same names; otherwise the next version is written", s.tip, func(on bool) {
		change(func(c *ExportChoice) { c.Overwrite = on })
	})
	g.folder = newText("", sizeSmall, grey(greyQuiet))
	choose := newButton("Folder…", plainButton, s.intents.ChooseFolder).helps("Choose where to write", s.tip)
	g.files = newParagraph(besideFolder, sizeSmall, grey(greyQuiet))
	g.export = newButton("Export", mainButton, s.intents.Export).helps("", s.tip)
	g.reveal = newButton("Reveal", plainButton, s.intents.Reveal).helps("Show the written files in their folder", s.tip)
	g.written = newParagraph(besideFolder, sizeSmall, grey(greyText))
	g.done = container.NewBorder(nil, nil, g.written, container.New(atTop{}, g.reveal))
	g.done.Hide()
	passes := container.NewHBox(g.key, spacer(4, 1), g.matte, spacer(4, 1), g.fg)
	format := container.NewHBox(g.png, g.tiff)
	g.content = group("Export", format,
		container.NewBorder(nil, nil, container.NewHBox(passes, spacer(4, 1), g.overwrite), nil),
		container.NewBorder(nil, nil, container.New(column(1), g.folder, g.files), container.New(atTop{}, choose)),
		g.export, g.done,
	)
	return g
}

func (g *exportGroup) show(s State) bool {
	e := s.Export
	g.choice = e.ExportChoice
	g.key.set(e.Key)
	g.matte.set(e.Matte)
	g.fg.set(e.FG)
	g.png.turn(!e.TIFF)
	g.tiff.turn(e.TIFF)
	g.overwrite.set(e.Overwrite)
	say(g.folder, shorten("To "+e.Folder, besideFolder, sizeSmall, fyne.TextStyle{}), grey(greyQuiet))
	text := nameLines(e.Files, besideFolder)
	if e.Exists && e.Overwrite && text != "" {
		text += "\nreplacing what is there"
	}
	changed := g.files.say(text, grey(greyQuiet))
	label := "Export"
	if e.Running {
		label = "Exporting"
	}
	changed = g.export.say(label, e.Contract) || changed
	g.export.help = "Write the files"
	if e.WhyNot != "" {
		g.export.help = e.WhyNot
	}
	g.export.enable(e.Ready && !e.Running)
	written := ""
	if len(e.Written) > 0 {
		written = "Written:\n" + nameLines(e.Written, besideFolder)
	}
	changed = g.written.say(written, grey(greyText)) || changed
	if g.done.Visible() != (len(e.Written) > 0) {
		visible(g.done, len(e.Written) > 0)
		changed = true
	}
	return changed
}

// nameLines writes names under one another, each shortened to a width.
func nameLines(names []string, width float32) string {
	var lines []string
	for _, n := range names {
		lines = append(lines, shorten(n, width, sizeSmall, fyne.TextStyle{}))
	}
	return strings.Join(lines, "\n")
}

// atTop gives its only object the least height, at the top.
type atTop struct{}

// MinSize implements fyne.Layout.
func (atTop) MinSize(o []fyne.CanvasObject) fyne.Size { return o[0].MinSize() }

// Layout implements fyne.Layout.
func (atTop) Layout(o []fyne.CanvasObject, size fyne.Size) {
	o[0].Resize(fyne.NewSize(size.Width, o[0].MinSize().Height))
}
