//go:build !headless

package views

import (
	"strconv"
	"strings"
)

// number is an entry for a number.
type number struct {
	typedEntry
	// decimals is how many places are shown.
	decimals int
	value    float64
	do       func(float64)
}

func newNumber(decimals int, do func(float64)) *number {
	n := &number{decimals: decimals, do: do}
	n.begin(n, n.shown, n.read)
	return n
}

// set shows a value, unless another is being typed.
func (n *number) set(v float64) {
	n.value = v
	n.follow()
}

// shown is the value as it is shown.
func (n *number) shown() string { return decimals(n.value, n.decimals) }

// decimals writes a number with so many decimals. What comes out as 0 has no sign.
func decimals(v float64, places int) string {
	text := strconv.FormatFloat(v, 'f', places, 64)
	if zero := strings.TrimLeft(text, "-"); strings.Trim(zero, "0.") == "" {
		return zero
	}
	return text
}

// read takes what was typed. What is shown may be less than the value: only what was typed counts.
func (n *number) read(text string) {
	v, err := strconv.ParseFloat(strings.Replace(strings.TrimSpace(text), ",", ".", 1), 64)
	if err == nil && v-v == 0 && v != n.value && text != n.shown() {
		n.do(v)
	}
}
