package presets

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"greenroom/engine/settings"
)

// citation is one piece of a rule's evidence: what it claims, and the rows of the reports that show it. The text that
// an artist reads is made from the rows, so that it cannot say what they do not.
type citation struct {
	// Claim is what Row shows, compared with Than where the claim compares:
	//
	//	slower, faster   the ratio of their times is By
	//	same time        their times differ by less than sameTime
	//	less memory      the ratio of their peaks is By
	//	same memory      their peaks differ by less than sameTime
	//	fastest          Row is the fastest of its table
	//	takes            Row takes at least AtLeast milliseconds
	//	holds            Row's peak is at least AtLeast, in the report's unit
	//
	// None: Note says what there is instead of rows.
	Claim   string  `toml:"claim"`
	Row     string  `toml:"row"`
	Than    string  `toml:"than"`
	By      float64 `toml:"by"`
	AtLeast float64 `toml:"at_least"`
	Note    string  `toml:"note"`
}

// sameTime is how far two figures may lie apart to be called the same, as a share of the greater.
const sameTime = 0.03

// text checks the claim against the rows and puts it into words.
func (c citation) text(e evidence) (string, error) {
	if c.Claim == "" {
		if c.Note == "" || c.Row != "" || c.Than != "" {
			return "", fmt.Errorf("a piece of evidence needs a claim and a row, or a note alone")
		}
		return c.Note, nil
	}
	row, ok := e.byName[c.Row]
	if !ok {
		return "", fmt.Errorf("no row is called %q", c.Row)
	}
	switch c.Claim {
	case "fastest":
		return c.best(row, e)
	case "takes", "holds":
		return c.single(row)
	}
	than, ok := e.byName[c.Than]
	if !ok {
		return "", fmt.Errorf("no row is called %q", c.Than)
	}
	return c.pair(row, than)
}

// single checks and words a claim about one row.
func (c citation) single(row Row) (string, error) {
	value, text := row.MedianMS, "takes "+row.timeText()
	if c.Claim == "holds" {
		value, text = row.peak(), "holds "+row.peakText()
	}
	if c.AtLeast <= 0 || value < c.AtLeast {
		return "", fmt.Errorf("%s: %v is not at least %v", row.Name(), value, c.AtLeast)
	}
	return fmt.Sprintf("%s: %s %s", row.where(), row.Config, text) + c.afterwards(row), nil
}

// best checks and words a claim that a row is the fastest of its table.
func (c citation) best(row Row, e evidence) (string, error) {
	others := 0
	for _, other := range e.byName {
		if other.Report != row.Report || other.Table != row.Table || other.Machine != row.Machine || other.Resolution != row.Resolution {
			continue
		}
		if others++; other.MedianMS < row.MedianMS {
			return "", fmt.Errorf("%s: %s is faster", row.Name(), other.Name())
		}
	}
	if others < 2 {
		return "", fmt.Errorf("%s: its table has no other row", row.Name())
	}
	return fmt.Sprintf("%s: %s %s: the fastest of %d", row.where(), row.Config, row.timeText(), others) + c.afterwards(row), nil
}

// pair checks and words a claim that compares two rows.
func (c citation) pair(row, than Row) (string, error) {
	if row.Report != than.Report || row.Table != than.Table {
		return "", fmt.Errorf("%s and %s are of different tables", row.Name(), than.Name())
	}
	mine, theirs := row.timeText(), than.timeText()
	if c.Claim == "less memory" || c.Claim == "same memory" {
		mine, theirs = row.peakText(), than.peakText()
	}
	outcome, err := c.outcome(row, than)
	if err != nil {
		return "", fmt.Errorf("%s and %s: %w", row.Name(), than.Name(), err)
	}
	this, other := row.Config, than.Config
	if name, on, ok := oneApart(this, other); ok {
		this, other = name+" on", "off"
		if !on {
			this, other = name+" off", "on"
		}
	}
	return fmt.Sprintf("%s: %s %s, %s %s: %s", row.where(), this, mine, other, theirs, outcome) + c.afterwards(row), nil
}

// outcome checks what a comparison claims, and puts it into words: "4.5x slower", "same time".
func (c citation) outcome(row, than Row) (string, error) {
	switch c.Claim {
	case "slower":
		return c.ratio(row.MedianMS / than.MedianMS)
	case "faster":
		return c.ratio(than.MedianMS / row.MedianMS)
	case "less memory":
		return c.ratio(than.peak() / row.peak())
	case "same time":
		return c.same(row.MedianMS, than.MedianMS)
	case "same memory":
		return c.same(row.peak(), than.peak())
	}
	return "", fmt.Errorf("there is no claim %q", c.Claim)
}

func (c citation) ratio(ratio float64) (string, error) {
	if math.IsInf(ratio, 0) || math.IsNaN(ratio) || ratio <= 1 || math.Abs(ratio/c.By-1) > 0.01 {
		return "", fmt.Errorf("%.3f times, not %v", ratio, c.By)
	}
	return times(ratio) + " " + c.Claim, nil
}

func (c citation) same(a, b float64) (string, error) {
	apart := math.Abs(a-b) / max(a, b)
	if c.By != 0 || !(apart < sameTime) {
		return "", fmt.Errorf("not the same: %.1f %% apart", 100*apart)
	}
	return c.Claim, nil
}

// oneApart returns the setting in which two configurations differ, and whether the first has it on; false where they
// differ in more or in something else.
func oneApart(a, b string) (name string, on, ok bool) {
	names := func(config string) []string {
		if config == "baseline" || config == "all off" {
			return nil
		}
		return strings.Split(config, "+")
	}
	more, less := names(a), names(b)
	if on = len(more) > len(less); !on {
		more, less = less, more
	}
	if len(more) != len(less)+1 {
		return "", false, false
	}
	for _, n := range more {
		if !slices.Contains(less, n) {
			if name != "" {
				return "", false, false
			}
			name = n
		}
	}
	return name, on, slices.Contains(settings.Names(), name)
}

// afterwards is what the report notes about a row's table.
func (c citation) afterwards(row Row) string {
	if row.Note != "" {
		return " (" + row.Note + ")"
	}
	return ""
}

// times writes a ratio: "3.2x", "1.05x", "12x".
func times(ratio float64) string {
	switch {
	case ratio < 2:
		return fmt.Sprintf("%.2fx", ratio)
	case ratio < 20:
		return fmt.Sprintf("%.1fx", ratio)
	}
	return fmt.Sprintf("%.0fx", ratio)
}
