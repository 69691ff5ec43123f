package settings

import (
	"fmt"
	"math"
	"time"
)

// Measured is what a bench on one machine found for some settings: one row of its table.
type Measured struct {
	// Machine is the machine in words, as presets.Machine.String writes it: rows of other machines do not count here.
	Machine string `toml:"machine"`
	// Device is the name of the device that ran, as device.Info has it.
	Device string `toml:"device"`
	// Model is the model's name, and ModelHash the SHA-256 of its weights in hexadecimal.
	Model     string `toml:"model"`
	ModelHash string `toml:"model_sha256"`
	// At is when the bench began, in UTC and whole seconds: rows of one bench have the same time, and only those
	// are compared with each other.
	At time.Time `toml:"at"`
	// Resolution is the edge of the square plate in pixels.
	Resolution int `toml:"resolution"`
	// Config is the bench's name for the settings: "baseline", "slim+sdpa", "tiled 768/64+compile".
	Config string `toml:"config"`
	// Settings are what ran.
	Settings Settings `toml:"settings"`
	// Runs is how many timed runs stand behind the times, warm-ups not counted.
	Runs int `toml:"runs"`
	// MedianMS and MinMS are of the timed runs, in milliseconds. LowMS and HighMS are the interval in which the true
	// median lies with 95 % confidence; both are 0 where it was not worked out.
	MedianMS float64 `toml:"median_ms"`
	MinMS    float64 `toml:"min_ms"`
	LowMS    float64 `toml:"low_ms,omitempty"`
	HighMS   float64 `toml:"high_ms,omitempty"`
	// PeakBytes is the most memory that the key held, by the device's own account.
	PeakBytes int64 `toml:"peak_bytes"`
	// VsBaseline is the baseline's time over this row's, paired run by run; 0 where the bench had no baseline.
	VsBaseline float64 `toml:"vs_baseline,omitempty"`
	// MatteMAE is the matte's mean absolute error on drawn plates with exact mattes, where Truth says that it was
	// measured.
	MatteMAE float64 `toml:"matte_mae,omitzero"`
	Truth    bool    `toml:"truth,omitempty"`
}

// Validate reports the first value that no bench can have found. NaN is refused everywhere.
func (m Measured) Validate() error {
	positive := func(v float64) bool { return v > 0 && !math.IsInf(v, 1) }
	switch {
	case m.Resolution < 1 || m.Resolution > MaxSize:
		return fmt.Errorf("resolution is %d: it goes from 1 to %d", m.Resolution, MaxSize)
	case m.Runs < 1:
		return fmt.Errorf("runs is %d: a time needs at least one", m.Runs)
	case !positive(m.MedianMS):
		return fmt.Errorf("median_ms is %v: it is a time over 0", m.MedianMS)
	case !positive(m.MinMS) || m.MinMS > m.MedianMS:
		return fmt.Errorf("min_ms is %v: it is a time over 0 and at most the median", m.MinMS)
	case (m.LowMS != 0 || m.HighMS != 0) && !(positive(m.LowMS) && positive(m.HighMS) && m.LowMS <= m.MedianMS && m.MedianMS <= m.HighMS):
		return fmt.Errorf("low_ms and high_ms are %v and %v: the median lies between them", m.LowMS, m.HighMS)
	case m.PeakBytes < 0:
		return fmt.Errorf("peak_bytes is %d: it cannot be negative", m.PeakBytes)
	case m.VsBaseline != 0 && !positive(m.VsBaseline):
		return fmt.Errorf("vs_baseline is %v: it is over 0", m.VsBaseline)
	case !(m.MatteMAE >= 0 && m.MatteMAE <= 1):
		return fmt.Errorf("matte_mae is %v: it goes from 0 to 1", m.MatteMAE)
	}
	return m.Settings.Validate()
}
