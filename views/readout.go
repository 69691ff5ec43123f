package views

import (
	"fmt"
	"strings"

	"greenroom/engine/colour"
)

// Readout says in words what the layers hold at a pixel of the plate: in linear light, or in bytes as a display shows it
// in steps of 8 bits. Mattes and hints are no light: they are 0..1 or 0..255. Each number has its place, so that they do not
// dance while the pointer moves.
func (l Layers) Readout(x, y int, bytes bool) string {
	if l.Plate == nil {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "x %-5d y %-5d", x, y)
	writeColour(&b, "plate", l.Plate.At(x, y), l.Plate.linear, bytes)
	if l.Hint != nil && l.Hint.bounds() == l.Plate.bounds() {
		writeMatte(&b, "hint", l.Hint.At(x, y)[0], bytes)
	}
	if k := l.Key; k != nil {
		k.mu.RLock()
		defer k.mu.RUnlock()
		if k.has(x, y) {
			matte, fg := k.at(x, y)
			writeMatte(&b, "matte", matte, bytes)
			writeColour(&b, "fg", fg, k.fg.linear, bytes)
		}
	}
	return b.String()
}

func writeMatte(b *strings.Builder, name string, v float32, bytes bool) {
	if bytes {
		fmt.Fprintf(b, "  %s %5.1f", name, v*255)
		return
	}
	fmt.Fprintf(b, "  %s %5.3f", name, v)
}

func writeColour(b *strings.Builder, name string, v []float32, linear, bytes bool) {
	fmt.Fprintf(b, "  %s", name)
	for _, c := range v {
		switch {
		case bytes && linear:
			fmt.Fprintf(b, " %5.1f", 255*colour.LinearToSRGB(c))
		case bytes:
			fmt.Fprintf(b, " %5.1f", 255*c)
		case linear:
			fmt.Fprintf(b, " %6.3f", c)
		default:
			fmt.Fprintf(b, " %6.3f", colour.SRGBToLinear(c))
		}
	}
}
