package command

import (
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf8"

	"greenroom/app/keying"
)

// bar draws a plate's progress on one line of the terminal.
type bar struct {
	out   io.Writer // nil where there is no terminal
	label string
	width int // of the line that is drawn, in runes
}

func newBar(streams Streams, label string) *bar {
	if !streams.Live {
		return &bar{}
	}
	return &bar{out: streams.Err, label: label}
}

// show draws the line anew.
func (b *bar) show(p keying.Progress) {
	if b.out == nil {
		return
	}
	b.draw(barLine(b.label, p))
}

// clear removes the line.
func (b *bar) clear() {
	if b.out != nil && b.width > 0 {
		b.draw("")
		fmt.Fprint(b.out, "\r")
	}
}

// draw writes over what is there; the old line's rest is blanked.
func (b *bar) draw(line string) {
	width := utf8.RuneCountInString(line)
	fmt.Fprintf(b.out, "\r%s%s", line, strings.Repeat(" ", max(0, b.width-width)))
	b.width = width
}

// barLine is the line for a moment: "plate.png  keying  [#####---------------] 1 of 4 tiles, 9 s left".
func barLine(label string, p keying.Progress) string {
	line := label + "  " + p.Doing
	if p.Tiles == 0 || p.Doing != "keying" {
		return line
	}
	const cells = 20
	done := cells * p.Tile / p.Tiles
	line += fmt.Sprintf("  [%s%s] %d of %d tiles", strings.Repeat("#", done), strings.Repeat("-", cells-done), p.Tile, p.Tiles)
	if p.Left > 0 && p.Tile < p.Tiles {
		line += fmt.Sprintf(", %.0f s left", math.Ceil(p.Left.Seconds()))
	}
	return line
}
