package bench

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode"

	"greenroom/engine/settings"
)

// History is the file in which one machine's measurements are kept, oldest first: a JSON object a line. Lines are only
// ever added, each bench's in one write, so that a reader never sees half a bench and two benches do not mix.
type History struct{ Path string }

// HistoryName is the name of a machine's history file: its words in small letters and digits, with dashes between.
func HistoryName(machine string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(machine) {
		switch {
		case r < unicode.MaxASCII && (unicode.IsLower(r) || unicode.IsDigit(r)):
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() >= 100 { // names of files have their limits
			break
		}
	}
	name := strings.Trim(b.String(), "-")
	if name == "" {
		name = "machine"
	}
	return name + ".jsonl"
}

// NewHistory returns the history of a machine below a folder, which need not be there yet.
func NewHistory(folder, machine string) History {
	return History{Path: filepath.Join(folder, "bench", HistoryName(machine))}
}

// What is read of a history: its end, in lines of a sensible length. A line takes about 700 bytes.
const (
	historyBytes = 8 << 20
	historyLine  = 1 << 16
)

// line is a measurement as the file holds it.
type line struct {
	At         time.Time      `json:"at"`
	Machine    string         `json:"machine"`
	Device     string         `json:"device"`
	Model      string         `json:"model"`
	ModelHash  string         `json:"model_sha256"`
	Resolution int            `json:"resolution"`
	Config     string         `json:"config"`
	Settings   map[string]any `json:"settings"`
	Runs       int            `json:"runs"`
	RunsMS     []float64      `json:"runs_ms"`
	MedianMS   float64        `json:"median_ms"`
	MinMS      float64        `json:"min_ms"`
	LowMS      float64        `json:"low_ms"`
	HighMS     float64        `json:"high_ms"`
	PeakBytes  int64          `json:"peak_bytes"`
	VsBaseline float64        `json:"vs_baseline,omitempty"`
	MatteMAE   *float64       `json:"matte_mae,omitempty"`
}

// Measured returns the rows that were measured, as presets and rules read them.
func (r *Report) Measured() []settings.Measured {
	var list []settings.Measured
	for _, row := range r.Rows {
		if row.Err == "" {
			list = append(list, r.measured(row))
		}
	}
	return list
}

// measured returns one row.
func (r *Report) measured(row Row) settings.Measured {
	m := settings.Measured{
		Device: r.Device.Name, Model: r.Model, ModelHash: r.ModelHash, At: r.At,
		Resolution: row.Resolution, Config: row.Name, Settings: row.Settings, Runs: len(row.RunsMS),
		MedianMS: row.MedianMS, MinMS: row.MinMS, LowMS: row.LowMS, HighMS: row.HighMS, PeakBytes: row.PeakBytes,
		VsBaseline: row.VsBaseline,
	}
	if r.Machine != nil {
		m.Machine = r.Machine.String()
	}
	if row.MatteMAE != nil {
		m.MatteMAE, m.Truth = *row.MatteMAE, true
	}
	return m
}

// Append adds the report's measured rows. On an error nothing is added.
func (h History) Append(r *Report) (err error) {
	var lines bytes.Buffer
	encoder := json.NewEncoder(&lines)
	for _, row := range r.Rows {
		if row.Err != "" {
			continue
		}
		m := r.measured(row)
		if err := encoder.Encode(line{
			At: m.At, Machine: m.Machine, Device: m.Device, Model: m.Model, ModelHash: m.ModelHash,
			Resolution: m.Resolution, Config: m.Config, Settings: m.Settings.Map(), Runs: m.Runs, RunsMS: row.RunsMS,
			MedianMS: m.MedianMS, MinMS: m.MinMS, LowMS: m.LowMS, HighMS: m.HighMS, PeakBytes: m.PeakBytes,
			VsBaseline: m.VsBaseline, MatteMAE: row.MatteMAE,
		}); err != nil {
			return fmt.Errorf("keep the measurements: %w", err)
		}
	}
	if lines.Len() == 0 {
		return nil
	}
	if err := h.add(lines.Bytes()); err != nil {
		return fmt.Errorf("keep the measurements: %w (make room, or look who may write there)", err)
	}
	return nil
}

// add writes lines at the end of the file.
func (h History) add(lines []byte) (err error) {
	if err := os.MkdirAll(filepath.Dir(h.Path), 0o777); err != nil {
		return err
	}
	if err := h.plain(); err != nil {
		return err
	}
	f, err := os.OpenFile(h.Path, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o666)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	if size > 0 {
		// What power failure or a full disk cut short stays a line of its own.
		last := make([]byte, 1)
		if _, err := f.ReadAt(last, size-1); err != nil {
			return err
		}
		if last[0] != '\n' {
			lines = append([]byte{'\n'}, lines...)
		}
	}
	if _, err := f.Write(lines); err != nil {
		return errors.Join(err, f.Truncate(size))
	}
	return f.Sync()
}

// plain is an error where the history's path names something else than a file: that could keep a reader waiting for ever.
func (h History) plain() error {
	if info, err := os.Stat(h.Path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is no file (move it away)", h.Path)
	}
	return nil
}

// Read returns the newest measurements, oldest first, and how many lines it could not use: cut short, of another
// version's settings, or not a history at all. A history that is not there yet is empty.
func (h History) Read() (list []settings.Measured, unusable int, err error) {
	if err := h.plain(); err != nil {
		return nil, 0, fmt.Errorf("read the measurements: %w", err)
	}
	f, err := os.Open(h.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, fmt.Errorf("read the measurements: %w", err)
	}
	defer f.Close()
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, 0, fmt.Errorf("read the measurements: %w", err)
	}
	start := max(0, size-historyBytes)
	if _, err := f.Seek(start, io.SeekStart); err != nil {
		return nil, 0, fmt.Errorf("read the measurements: %w", err)
	}
	list, unusable, err = readHistory(io.LimitReader(f, historyBytes), start > 0)
	if err != nil {
		return nil, 0, fmt.Errorf("read the measurements of %s: %w", h.Path, err)
	}
	return list, unusable, nil
}

// readHistory reads lines; the first is only the end of one where cut says so.
func readHistory(from io.Reader, cut bool) (list []settings.Measured, unusable int, err error) {
	reader := bufio.NewReaderSize(from, historyLine)
	for {
		text, err := reader.ReadSlice('\n')
		long := false
		for errors.Is(err, bufio.ErrBufferFull) {
			long = true
			_, err = reader.ReadSlice('\n')
		}
		if err != nil && err != io.EOF {
			return nil, 0, err
		}
		switch text = bytes.TrimSpace(text); {
		case cut:
			cut = false
		case len(text) == 0:
		case long:
			unusable++
		default:
			if m, ok := parseLine(text); ok {
				list = append(list, m)
			} else {
				unusable++
			}
		}
		if err == io.EOF {
			return list, unusable, nil
		}
	}
}

// parseLine reads a measurement. Settings must be exactly those that there are: with one more or less it would be
// unknown what ran. Only half may be missing: before it could be set, half width was bfloat16.
func parseLine(text []byte) (settings.Measured, bool) {
	var l line
	if err := json.Unmarshal(text, &l); err != nil {
		return settings.Measured{}, false
	}
	m := settings.Measured{
		Machine: l.Machine, Device: l.Device, Model: l.Model, ModelHash: l.ModelHash, At: l.At.UTC(),
		Resolution: l.Resolution, Config: l.Config, Runs: l.Runs, MedianMS: l.MedianMS, MinMS: l.MinMS,
		LowMS: l.LowMS, HighMS: l.HighMS, PeakBytes: l.PeakBytes, VsBaseline: l.VsBaseline,
	}
	if l.MatteMAE != nil {
		m.MatteMAE, m.Truth = *l.MatteMAE, true
	}
	if _, ok := l.Settings["half"]; !ok && l.Settings != nil {
		l.Settings["half"] = settings.BFloat16.String()
	}
	if len(l.Settings) != len(settings.Names()) {
		return m, false
	}
	for _, name := range settings.Names() {
		value, ok := l.Settings[name]
		if !ok || m.Settings.Set(name, fmt.Sprint(value)) != nil {
			return m, false
		}
	}
	return m, m.Validate() == nil
}
