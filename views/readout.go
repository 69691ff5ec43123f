package views

import (
	"fmt"
	"strings"
)

// Readout says in words what the layers hold at a pixel of the plate.
func (l Layers) Readout(x, y int) string {
	if l.Plate == nil {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "x %-5d y %-5d", x, y)
	colours(&b, "plate", l.Plate.At(x, y))
	if l.Hint != nil {
		fmt.Fprintf(&b, "   hint %.3f", l.Hint.At(x, y)[0])
	}
	if k := l.Key; k != nil {
		k.mu.RLock()
		defer k.mu.RUnlock()
		if k.has(x, y) {
			matte, fg := k.at(x, y)
			fmt.Fprintf(&b, "   matte %.3f", matte)
			colours(&b, "fg", fg)
		}
	}
	return b.String()
}

func colours(b *strings.Builder, name string, v []float32) {
	fmt.Fprintf(b, "   %s %.3f %.3f %.3f", name, v[0], v[1], v[2])
}
