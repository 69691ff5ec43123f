package bench

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"greenroom/engine/settings"
)

// jsonReport is the object of bench --format json.
type jsonReport struct {
	Machine Machine   `json:"machine"`
	Device  string    `json:"device"`
	Model   string    `json:"model"`
	Rows    []jsonRow `json:"rows"`
}

// jsonRow is a row in JSON. The figures of a row with an error are null.
type jsonRow struct {
	Resolution int            `json:"resolution"`
	Config     string         `json:"config"`
	Settings   map[string]any `json:"settings"`
	MedianMS   *float64       `json:"median_ms"`
	MinMS      *float64       `json:"min_ms"`
	RunsMS     []float64      `json:"runs_ms"`
	PeakMB     *float64       `json:"peak_mb"`
	VsBaseline *float64       `json:"vs_baseline"`
	MatteMAE   *float64       `json:"matte_mae"`
	Error      *string        `json:"error"`
}

// rounded returns a figure with so many decimals as are worth writing.
func rounded(v float64, decimals int) float64 {
	scale := math.Pow10(decimals)
	return math.Round(v*scale) / scale
}

func figure(v float64, decimals int) *float64 {
	v = rounded(v, decimals)
	return &v
}

// json returns the row as JSON shows it.
func (row Row) json() jsonRow {
	j := jsonRow{Resolution: row.Resolution, Config: row.Name, Settings: row.Settings.Map(), RunsMS: []float64{}}
	if row.Err != "" {
		j.Error = &row.Err
		return j
	}
	j.MedianMS, j.MinMS, j.PeakMB = figure(row.MedianMS, 3), figure(row.MinMS, 3), figure(row.PeakMB(), 3)
	for _, ms := range row.RunsMS {
		j.RunsMS = append(j.RunsMS, rounded(ms, 3))
	}
	if row.VsBaseline > 0 {
		j.VsBaseline = figure(row.VsBaseline, 4)
	}
	if row.MatteMAE != nil {
		j.MatteMAE = figure(*row.MatteMAE, 7)
	}
	return j
}

// WriteJSON writes the report as one JSON object on one line.
func (r *Report) WriteJSON(out io.Writer) error {
	object := jsonReport{Machine: r.Machine, Device: r.Device.Kind, Model: r.Model, Rows: []jsonRow{}}
	for _, row := range r.Rows {
		object.Rows = append(object.Rows, row.json())
	}
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(object)
}

// WriteCSV writes one line a row under the keys of the JSON, a column a setting; runs_ms is one field with spaces
// between, and what is null in JSON is empty.
func (r *Report) WriteCSV(out io.Writer) error {
	w := csv.NewWriter(out)
	head := append([]string{"resolution", "config"}, settings.Names()...)
	head = append(head, "median_ms", "min_ms", "runs_ms", "peak_mb", "vs_baseline", "matte_mae", "error")
	if err := w.Write(head); err != nil {
		return err
	}
	for _, row := range r.Rows {
		j := row.json()
		record := []string{strconv.Itoa(j.Resolution), j.Config}
		for _, v := range settingsOf(row) {
			record = append(record, fmt.Sprint(v))
		}
		var runs []string
		for _, ms := range j.RunsMS {
			runs = append(runs, number(&ms))
		}
		record = append(record, number(j.MedianMS), number(j.MinMS), strings.Join(runs, " "), number(j.PeakMB),
			number(j.VsBaseline), number(j.MatteMAE), row.Err)
		if err := w.Write(record); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}

func number(v *float64) string {
	if v == nil {
		return ""
	}
	return strconv.FormatFloat(*v, 'f', -1, 64)
}
