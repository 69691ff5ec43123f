package bench

import (
	"fmt"
	"time"

	"greenroom/engine/settings"
)

// Change is how a row compares with the last time that the same was measured.
type Change struct {
	// WasMS is the median of that time, in milliseconds, and At its date.
	WasMS float64
	At    time.Time
	// Ratio is WasMS over what it is now: over 1 is faster now.
	Ratio float64
}

// String says it in words: "was 1243 ms on 2026-11-20: 1.08x".
func (c Change) String() string {
	decimals := 0
	if c.WasMS < 100 {
		decimals = 1
	}
	return fmt.Sprintf("was %.*f ms on %s: %.2fx", decimals, c.WasMS, c.At.Format(time.DateOnly), c.Ratio)
}

// Compare holds every row against the newest earlier measurement of the same machine, device, model, resolution and
// settings; nil where there is none. Earlier are measurements in the order of a history, read before the report was
// added to it.
func (r *Report) Compare(earlier []settings.Measured) []*Change {
	changes := make([]*Change, len(r.Rows))
	for i, row := range r.Rows {
		if row.Err != "" {
			continue
		}
		now := r.measured(row)
		for _, was := range earlier {
			if same(was, now) {
				changes[i] = &Change{WasMS: was.MedianMS, At: was.At, Ratio: was.MedianMS / now.MedianMS}
			}
		}
	}
	return changes
}

// same reports whether two rows measured the same thing.
func same(a, b settings.Measured) bool {
	return a.Machine == b.Machine && a.Device == b.Device && a.ModelHash == b.ModelHash &&
		a.Resolution == b.Resolution && a.Settings == b.Settings
}
