package presets

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/BurntSushi/toml"
)

//go:embed evidence.toml
var evidenceText string

// Report is a published set of measurements of the reference engine.
type Report struct {
	// ID is what rows and messages call it: "wave 2".
	ID    string `toml:"id"`
	Title string `toml:"title"`
	// Date is the day of the report.
	Date time.Time `toml:"date"`
	// Method says how it was measured.
	Method string `toml:"method"`
}

// Row is one measurement of a report. A figure that the report does not give is 0.
type Row struct {
	// Report is the report's ID, Table one of its tables.
	Report, Table string
	// Machine is what was measured: "M1 Ultra 128 GB".
	Machine string
	// Resolution is the edge of the square plate in pixels.
	Resolution int
	// Note is what the report says about the table: that the machine swapped.
	Note string

	// Config is the report's name of the settings.
	Config string `toml:"config"`
	// MedianMS is in milliseconds; with MedianHighMS it is the range of several configurations.
	MedianMS     float64 `toml:"median_ms"`
	MedianHighMS float64 `toml:"median_high_ms"`
	MinMS        float64 `toml:"min_ms"`
	// PeakMB and PeakGB are the peak memory in the unit that the report gives; at most one is set.
	PeakMB float64 `toml:"peak_mb"`
	PeakGB float64 `toml:"peak_gb"`
	// AlphaMAE is the matte's mean absolute error on plates with exact mattes.
	AlphaMAE float64 `toml:"alpha_mae"`
}

// Name is what rules call the row: REPORT/TABLE/MACHINE/RESOLUTION/CONFIG.
func (r Row) Name() string {
	return strings.Join([]string{r.Report, r.Table, r.Machine, strconv.Itoa(r.Resolution), r.Config}, "/")
}

// table is one table of evidence.toml: rows that share all but their configuration.
type table struct {
	Report     string `toml:"report"`
	Name       string `toml:"name"`
	Machine    string `toml:"machine"`
	Resolution int    `toml:"resolution"`
	Method     string `toml:"method"`
	Note       string `toml:"note"`
	Rows       []Row  `toml:"rows"`
}

// evidence is evidence.toml.
type evidence struct {
	Reports []Report `toml:"report"`
	Tables  []table  `toml:"table"`

	byName map[string]Row
}

// Evidence returns the reports and every row of them, in the order of the reports' tables.
func Evidence() ([]Report, []Row, error) {
	e, err := readEvidence()
	if err != nil {
		return nil, nil, err
	}
	var rows []Row
	for _, t := range e.Tables {
		for _, r := range t.Rows {
			rows = append(rows, e.byName[t.row(r).Name()])
		}
	}
	return slices.Clone(e.Reports), rows, nil
}

var readEvidence = sync.OnceValues(func() (evidence, error) { return parseEvidence(evidenceText) })

// parseEvidence reads rows and refuses unknown keys, rows of no report, and figures that cannot be.
func parseEvidence(text string) (evidence, error) {
	fail := func(format string, values ...any) (evidence, error) {
		return evidence{}, fmt.Errorf("read the reports' measurements: "+format, values...)
	}
	e := evidence{byName: map[string]Row{}}
	meta, err := toml.Decode(text, &e)
	if err != nil {
		return fail("%w", err)
	}
	if extra := meta.Undecoded(); len(extra) > 0 {
		return fail("unknown key %q", extra[0].String())
	}
	for _, t := range e.Tables {
		if !slices.ContainsFunc(e.Reports, func(r Report) bool { return r.ID == t.Report }) {
			return fail("no report is called %q", t.Report)
		}
		for _, r := range t.Rows {
			r = t.row(r)
			if err := r.check(); err != nil {
				return fail("row %s: %w", r.Name(), err)
			}
			if _, ok := e.byName[r.Name()]; ok {
				return fail("row %s is there twice", r.Name())
			}
			e.byName[r.Name()] = r
		}
	}
	return e, nil
}

// row fills in what a row shares with its table.
func (t table) row(r Row) Row {
	r.Report, r.Table, r.Machine, r.Resolution, r.Note = t.Report, t.Name, t.Machine, t.Resolution, t.Note
	return r
}

func (r Row) check() error {
	switch {
	case r.Table == "" || r.Machine == "" || r.Resolution <= 0 || r.Config == "":
		return fmt.Errorf("it needs a table, a machine, a resolution and a configuration")
	case !(r.MedianMS > 0):
		return fmt.Errorf("its median is %v ms", r.MedianMS)
	case r.MinMS < 0 || r.MinMS > r.MedianMS:
		return fmt.Errorf("its minimum is %v ms and its median %v ms", r.MinMS, r.MedianMS)
	case r.MedianHighMS != 0 && r.MedianHighMS < r.MedianMS:
		return fmt.Errorf("it goes from %v to %v ms", r.MedianMS, r.MedianHighMS)
	case r.PeakMB < 0 || r.PeakGB < 0 || r.PeakMB > 0 && r.PeakGB > 0 || r.AlphaMAE < 0:
		return fmt.Errorf("its peak or its error cannot be")
	}
	return nil
}

// peak is the peak memory for comparisons between rows of one table, in any unit.
func (r Row) peak() float64 { return r.PeakMB + r.PeakGB }

func (r Row) timeText() string {
	if r.MedianHighMS > 0 {
		return fmt.Sprintf("%v to %v ms", r.MedianMS, r.MedianHighMS)
	}
	return fmt.Sprintf("%v ms", r.MedianMS)
}

func (r Row) peakText() string {
	if r.PeakGB > 0 {
		return fmt.Sprintf("%v GB", r.PeakGB)
	}
	return fmt.Sprintf("%v MB", r.PeakMB)
}

// where says what the row was measured on, and by which report. Its times are the reference engine's, not Greenroom's.
func (r Row) where() string {
	return fmt.Sprintf("reference engine (%s), %s at %d", r.Report, r.Machine, r.Resolution)
}
