package settings

import (
	"math"
	"strings"
	"testing"
)

func TestMeasuredRowsThatNoBenchCanHaveFound(t *testing.T) {
	sound := Measured{Resolution: 512, Runs: 10, MedianMS: 120, MinMS: 110, LowMS: 119, HighMS: 121, Settings: Default()}
	if err := sound.Validate(); err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(*Measured){
		"resolution":  func(m *Measured) { m.Resolution = 0 },
		"resolution ": func(m *Measured) { m.Resolution = MaxSize + 1 },
		"runs":        func(m *Measured) { m.Runs = 0 },
		"median_ms":   func(m *Measured) { m.MedianMS = math.NaN() },
		"median_ms ":  func(m *Measured) { m.MedianMS, m.HighMS = math.Inf(1), 0 },
		"min_ms":      func(m *Measured) { m.MinMS = 120.5 },
		"high_ms":     func(m *Measured) { m.HighMS = 119.5 },
		"low_ms":      func(m *Measured) { m.LowMS = 0 },
		"peak_bytes":  func(m *Measured) { m.PeakBytes = -1 },
		"vs_baseline": func(m *Measured) { m.VsBaseline = math.NaN() },
		"matte_mae":   func(m *Measured) { m.MatteMAE = math.NaN() },
		"tile is 33":  func(m *Measured) { m.Settings.Tile = 33 },
	} {
		m := sound
		change(&m)
		if err := m.Validate(); err == nil || !strings.Contains(err.Error(), strings.TrimSpace(want)) {
			t.Errorf("%s: %v", want, err)
		}
	}
}
