package bench

import (
	"time"

	"greenroom/engine/device"
)

// Row is what was measured of one configuration at one resolution.
type Row struct {
	// Resolution is the edge of the square plate in pixels.
	Resolution int
	Config
	// RunsMS are the timed runs in milliseconds, in their order: the network on all tiles with what surrounds it, as
	// engine.Seconds.Key counts it, without loading.
	RunsMS          []float64
	MedianMS, MinMS float64
	// LowMS and HighMS hold the true median with 95 % confidence where there are at least six runs; with fewer they
	// are the fastest and the slowest run.
	LowMS, HighMS float64
	// PeakBytes is the most memory that a run held, by the accounts of device and engine: the device's arena, scratch
	// and weights, the tile going in and out, the pictures being blended.
	PeakBytes int64
	// VsBaseline is the baseline's time over this one's; over 1 is faster. It is the median of the ratios of runs
	// that followed each other in the same round, so that a machine that slows down on the way does not enter it.
	// VsLow and VsHigh are its interval, as LowMS and HighMS. All are 0 where there is nothing to compare.
	VsBaseline, VsLow, VsHigh float64
	// MatteMAE is the mean absolute error of the matte, 0..1, over the plates of truthScenes; nil where it was not
	// asked for.
	MatteMAE *float64
	// Err says why there is no measurement: then all figures are 0.
	Err string
}

// Noise is how far the true median may lie from the measured one, as a share of it.
func (r Row) Noise() float64 {
	if r.MedianMS == 0 {
		return 0
	}
	return max(r.HighMS-r.MedianMS, r.MedianMS-r.LowMS) / r.MedianMS
}

// LikeBaseline reports whether the row's time cannot be told from the baseline's: the interval of their ratio holds 1.
func (r Row) LikeBaseline() bool {
	return !r.Baseline && r.VsBaseline > 0 && r.VsLow <= 1 && r.VsHigh >= 1
}

// time fills in what follows from the timed runs.
func (r *Row) time(runs []float64) {
	r.RunsMS, r.MedianMS = runs, median(runs)
	r.LowMS, r.HighMS = interval(runs)
	for i, ms := range runs {
		if i == 0 || ms < r.MinMS {
			r.MinMS = ms
		}
	}
}

// compare fills in what follows from the baseline's runs, which are of the same rounds, in the same order.
func (r *Row) compare(baseline []float64) {
	var ratios []float64
	for i := range min(len(baseline), len(r.RunsMS)) {
		if r.RunsMS[i] > 0 {
			ratios = append(ratios, baseline[i]/r.RunsMS[i])
		}
	}
	r.VsBaseline = median(ratios)
	r.VsLow, r.VsHigh = interval(ratios)
}

// Report is what a bench found.
type Report struct {
	// Machine is the machine that ran it, from Options.
	Machine Machine
	Device  device.Info
	// Model is the model's name, ModelHash the SHA-256 of its file in hex.
	Model, ModelHash string
	// At is when the bench began, in UTC and whole seconds.
	At           time.Time
	Sweep        Sweep
	Held         []Setting
	Warmup, Runs int
	// Rows are in the order of resolutions and of the sweep. A bench that was cancelled has those that were timed at
	// least once, and those that failed.
	Rows []Row
}

// Machine is a machine in words. It is written to JSON as it encodes itself.
type Machine interface{ String() string }
