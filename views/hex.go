//go:build !headless

package views

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"greenroom/engine/settings"
)

// hexEntry is an entry for a colour as it is written elsewhere: "#1e90ff", "fff" or "30, 144, 255".
type hexEntry struct {
	typedEntry
	colour settings.Colour
	do     func(settings.Colour)
}

func newHexEntry(do func(settings.Colour)) *hexEntry {
	h := &hexEntry{do: do}
	h.begin(h, func() string { return hexOf(h.colour) }, h.read)
	h.show()
	return h
}

// set shows a colour, sRGB-encoded, 0..1, unless another is being typed.
func (h *hexEntry) set(c settings.Colour) {
	h.colour = c
	h.follow()
}

// read takes what was typed.
func (h *hexEntry) read(text string) {
	if c, ok := parseColour(text); ok && hexOf(c) != hexOf(h.colour) {
		h.colour = c
		h.do(c)
	}
}

// hexOf writes a colour, sRGB-encoded, 0..1, as web pages do.
func hexOf(c settings.Colour) string {
	r, g, b := bytesOf(c)
	return fmt.Sprintf("#%02x%02x%02x", r, g, b)
}

// bytesOf returns a colour, 0..1, in steps of 8 bits.
func bytesOf(c settings.Colour) (r, g, b uint8) {
	byteOf := func(v float64) uint8 { return uint8(math.Max(0, math.Min(math.Round(255*v), 255))) }
	return byteOf(c[0]), byteOf(c[1]), byteOf(c[2])
}

// parseColour reads a colour as it is written elsewhere, sRGB-encoded; ok is false where it is none.
func parseColour(text string) (c settings.Colour, ok bool) {
	text = strings.TrimSpace(text)
	parts := strings.FieldsFunc(strings.TrimSuffix(strings.TrimPrefix(text, "rgb("), ")"), func(r rune) bool { return r == ',' || r == ' ' })
	if len(parts) == 3 {
		for i, p := range parts {
			v, err := strconv.ParseUint(p, 10, 8)
			if err != nil {
				return c, false
			}
			c[i] = float64(v) / 255
		}
		return c, true
	}
	text = strings.TrimPrefix(text, "#")
	digits := len(text) / 3
	v, err := strconv.ParseUint(text, 16, 32)
	if err != nil || digits*3 != len(text) || digits < 1 || digits > 2 {
		return c, false
	}
	most := uint64(1)<<(4*digits) - 1
	for i := range c {
		c[2-i] = float64(v&most) / float64(most)
		v >>= 4 * digits
	}
	return c, true
}
