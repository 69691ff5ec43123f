//go:build !headless

package views

import (
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
)

// exportGroup chooses what an export writes and states what the pixels will mean.
type exportGroup struct {
	content *fyne.Container
	choice  ExportChoice
	used    ExportFormat

	key, matte, fg, comp *check
	formats              []*button
	channels, depth      *chooser
	overwrite            *check
	folder               *canvas.Text
	files                *paragraph
	usual                *button
	export               *button
	reveal               *button
	written              *paragraph
	done                 *fyne.Container
	// to says in short what is written where, while the rest is folded away.
	to   *paragraph
	fold *fold
	// closed holds it. What was written stands in its place.
	closed *fyne.Container
}

// besideFolder is the width of text beside the button that chooses a folder.
const besideFolder = panelText - 84

// exportFormats are the formats in the order of their buttons.
func exportFormats() []ExportFormat { return []ExportFormat{ExportPNG, ExportTIFF, ExportEXR} }

func newExportGroup(s *Screen) *exportGroup {
	g := &exportGroup{to: newParagraph(panelText, sizeSmall, grey(greyQuiet))}
	change := func(alter func(*ExportChoice)) {
		alter(&g.choice)
		s.intents.SetExport(g.choice)
	}
	pass := func(label, help string, field func(*ExportChoice) *bool) *check {
		return newCheck(label, help, s.tip, func(on bool) { change(func(c *ExportChoice) { *field(c) = on }) })
	}
	g.key = pass("Key", "The foreground with the matte as its alpha", func(c *ExportChoice) *bool { return &c.Key })
	g.matte = pass("Matte", "The matte alone, linear", func(c *ExportChoice) *bool { return &c.Matte })
	g.fg = pass("FG", "The foreground without the matte", func(c *ExportChoice) *bool { return &c.FG })
	g.comp = pass("Comp", "", func(c *ExportChoice) *bool { return &c.Comp })
	g.overwrite = pass("Overwrite", "Replace files of the same names; otherwise the next version is written", func(c *ExportChoice) *bool { return &c.Overwrite })
	format := container.NewHBox()
	for _, f := range exportFormats() {
		b := newButton(f.Title(), flatButton, func() { change(func(c *ExportChoice) { c.Format = f }) }).helps(formatHelp(f), s.tip)
		g.formats = append(g.formats, b)
		format.Add(b)
	}
	g.channels = newChooser("", s.tip, func() []*fyne.MenuItem {
		var items []*fyne.MenuItem
		for _, y := range []bool{false, true} {
			item := fyne.NewMenuItem(matteChannels(y), func() { change(func(c *ExportChoice) { c.MatteY = y }) })
			item.Checked = y == g.choice.MatteY
			items = append(items, item)
		}
		return items
	})
	g.depth = newChooser("", s.tip, func() []*fyne.MenuItem {
		var items []*fyne.MenuItem
		for _, other := range []bool{false, true} {
			item := fyne.NewMenuItem(depthWords(g.used, other), func() {
				change(func(c *ExportChoice) { *depthOf(g.used, c) = other })
			})
			item.Checked = *depthOf(g.used, &g.choice) == other
			items = append(items, item)
		}
		return items
	})
	g.folder = newText("", sizeSmall, grey(greyQuiet))
	choose := newButton("Folder…", plainButton, s.intents.ChooseFolder).helps("Choose where to write, for this and the next plates", s.tip)
	g.usual = newButton("Usual", flatButton, s.intents.UsualFolder).helps("Write into keys/ beside each plate again", s.tip)
	g.usual.Hide()
	g.files = newParagraph(besideFolder, sizeSmall, grey(greyQuiet))
	g.export = newButton("Export", mainButton, s.intents.Export).helps("", s.tip)
	g.reveal = newButton("Reveal", plainButton, s.intents.Reveal).helps("Show the written files in their folder", s.tip)
	g.written = newParagraph(besideFolder, sizeSmall, grey(greyText))
	g.done = container.NewBorder(nil, nil, g.written, container.New(atTop{}, g.reveal))
	g.done.Hide()
	inside := container.New(column(5),
		container.NewHBox(g.key, spacer(4, 1), g.matte, spacer(4, 1), g.fg, spacer(4, 1), g.comp),
		container.NewBorder(nil, nil, container.NewHBox(newText("Matte as", sizeText, grey(greyText)), container.New(fixedWidth(70), g.channels)),
			container.NewHBox(newText("Bits", sizeText, grey(greyText)), container.New(fixedWidth(92), g.depth))),
		container.NewBorder(nil, nil, container.New(column(1), g.folder, g.files), container.New(atTop{}, container.New(column(2), choose, g.usual))),
		container.NewHBox(g.overwrite))
	inside.Hide()
	f := s.newFold("Export", false, "What is written and where, or only the button", inside)
	f.title.TextStyle.Bold = true
	hair := canvas.NewRectangle(grey(greyLine))
	hair.SetMinSize(fyne.NewSize(0, 1))
	g.fold = f
	g.closed = container.New(column(0), g.to)
	unfold := f.do
	f.do = func(open bool) {
		// What it says stands in the rows, too.
		visible(g.closed, !open && !g.done.Visible())
		unfold(open)
	}
	g.content = container.New(column(5), container.NewBorder(nil, nil, f, format), hair, inside, g.closed, g.done, g.export)
	return g
}

// depthOf is the choice of the bits of a sample in a format, and depthWords names it.
func depthOf(f ExportFormat, c *ExportChoice) *bool {
	if f == ExportEXR {
		return &c.Float
	}
	return &c.Comp8
}

func depthWords(f ExportFormat, other bool) string {
	switch {
	case f == ExportEXR && other:
		return "32, float"
	case f == ExportEXR:
		return "16, half"
	case other:
		return "8 in comp"
	}
	return "16"
}

func formatHelp(f ExportFormat) string {
	switch f {
	case ExportTIFF:
		return "TIFF, 16 bits a sample, straight"
	case ExportEXR:
		return "OpenEXR in half floats, linear light; the key premultiplied"
	}
	return "PNG, 16 bits a sample, straight"
}

// matteChannels names where an OpenEXR file has the matte.
func matteChannels(y bool) string {
	if y {
		return "Y"
	}
	return "RGBA"
}

func (g *exportGroup) show(s State) bool {
	e := s.Export
	g.choice = e.ExportChoice
	g.key.set(e.Key)
	g.matte.set(e.Matte)
	g.fg.set(e.FG)
	g.comp.set(e.Comp && e.NoComp == "")
	g.comp.enable(e.NoComp == "")
	g.comp.help = "The foreground over the background, as the view Comp shows it"
	if e.NoComp != "" {
		g.comp.help = e.NoComp
	}
	for i, f := range exportFormats() {
		g.formats[i].turn(f == e.Used)
	}
	g.channels.say(matteChannels(e.MatteY && e.NoMatteY == ""), "")
	g.channels.enable(e.NoMatteY == "")
	g.channels.help = "Where an OpenEXR file has the matte: in R, G, B and A alike, or in the one channel Y"
	if e.NoMatteY != "" {
		g.channels.help = e.NoMatteY
	}
	g.used = e.Used
	g.depth.say(depthWords(e.Used, *depthOf(e.Used, &e.ExportChoice) && e.NoDepth == ""), "")
	g.depth.enable(e.NoDepth == "")
	g.depth.help = "Bits of a sample: half floats are enough for a key; a comp to be looked at may have 8"
	if e.NoDepth != "" {
		g.depth.help = e.NoDepth
	}
	g.overwrite.set(e.Overwrite)
	changed := g.to.say(exportLine(e), grey(greyQuiet))
	changed = changed || g.usual.Visible() != e.OwnFolder
	visible(g.usual, e.OwnFolder)
	say(g.folder, shorten("To "+e.Folder, besideFolder, sizeSmall, fyne.TextStyle{}), grey(greyQuiet))
	text := nameLines(e.Files, besideFolder)
	if e.Exists && e.Overwrite && text != "" {
		text += "\nreplacing what is there"
	}
	changed = g.files.say(text, grey(greyQuiet)) || changed
	label := "Export"
	if e.Running {
		label = "Exporting"
	}
	note := e.Contract
	if e.Note != "" {
		note = e.Note
	}
	changed = g.export.say(label, shorten(note, panelText-2*margin, sizeSmall, fyne.TextStyle{})) || changed
	g.export.help = "Write the files"
	if e.Note != "" {
		g.export.help += ": " + e.Contract
	}
	if e.WhyNot != "" {
		g.export.help = e.WhyNot
	}
	g.export.enable(e.Ready && !e.Running)
	written := ""
	if n := len(e.Written); n > 0 {
		written = "Wrote " + e.Written[0]
		if n > 1 {
			written += fmt.Sprintf(" and %d more", n-1)
		}
	}
	if e.Saved != "" {
		written = strings.TrimPrefix(written+"\nSaved "+shorten(e.Saved, besideFolder-40, sizeSmall, fyne.TextStyle{}), "\n")
	}
	changed = g.written.say(written, grey(greyText)) || changed
	if g.done.Visible() != (written != "") {
		visible(g.done, written != "")
		visible(g.closed, written == "" && !g.fold.open)
		changed = true
	}
	return changed
}

// exportLine says which files are written and where, in a line.
func exportLine(e ExportState) string {
	if len(e.Files) == 0 {
		return ""
	}
	names := e.Files[0]
	if n := len(e.Files); n > 1 {
		names += fmt.Sprintf(" and %d more", n-1)
	}
	names += " in "
	// Of the folder the end is left, and something of it always.
	const leastFolder = 60
	names = shorten(names, panelText-leastFolder, sizeSmall, fyne.TextStyle{})
	return names + shorten(e.Folder, panelText-textWidth(names, sizeSmall, fyne.TextStyle{}), sizeSmall, fyne.TextStyle{})
}

// nameLines writes names under one another, each shortened to a width; of more than a few the rest is counted.
func nameLines(names []string, width float32) string {
	const most = 2
	var lines []string
	for i, n := range names {
		if i == most-1 && len(names) > most {
			lines = append(lines, fmt.Sprintf("and %d more", len(names)-i))
			break
		}
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
