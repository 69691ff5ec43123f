package bench

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"greenroom/engine/settings"
)

// head says what was measured, in lines.
func (r *Report) head() []string {
	device := r.Device.Kind
	if r.Device.Name != "" && !strings.EqualFold(r.Device.Name, r.Device.Kind) {
		device += " (" + r.Device.Name + ")"
	}
	first := fmt.Sprintf("%s sweep with %s on %s", r.Sweep, r.Model, device)
	if r.Machine != nil {
		first += ", " + r.Machine.String()
	}
	how := fmt.Sprintf("%s%s after %s to warm up, configurations in turns, %s",
		r.cutShort(), count(r.Runs, "timed run"), count(r.Warmup, "run"), r.At.Format("2006-01-02 15:04"))
	lines := []string{first, how}
	if len(r.Held) > 0 {
		var held []string
		for _, h := range r.Held {
			held = append(held, h.Name+" "+h.Value)
		}
		lines = append(lines, "held in all of them: "+strings.Join(held, ", "))
	}
	return lines
}

// cutShort says of a bench that was interrupted how many runs the rows have: "2 to 3 of "; else it is empty.
func (r *Report) cutShort() string {
	fewest, most := r.Runs, 0
	for _, row := range r.Rows {
		if row.Err == "" {
			fewest, most = min(fewest, len(row.RunsMS)), max(most, len(row.RunsMS))
		}
	}
	switch {
	case fewest == r.Runs:
		return ""
	case fewest == most:
		return fmt.Sprintf("%d of ", most)
	}
	return fmt.Sprintf("%d to %d of ", fewest, most)
}

// count is a number of things in words.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// resolutions lists those that have rows, in order.
func (r *Report) resolutions() []int {
	var list []int
	for _, row := range r.Rows {
		if !slices.Contains(list, row.Resolution) {
			list = append(list, row.Resolution)
		}
	}
	return list
}

// at returns the rows of a resolution.
func (r *Report) at(resolution int) []Row {
	var rows []Row
	for _, row := range r.Rows {
		if row.Resolution == resolution {
			rows = append(rows, row)
		}
	}
	return rows
}

// scored reports whether any row has an error of the matte.
func (r *Report) scored() bool {
	return slices.ContainsFunc(r.Rows, func(row Row) bool { return row.MatteMAE != nil })
}

// cells are a row's figures as tables show them.
func (row Row) cells(scored bool) []string {
	cells := []string{row.Name, "-", "-", "-", "-"}
	mae := "-"
	if row.Err == "" {
		cells = []string{
			row.Name, fmt.Sprintf("%.1f", row.MedianMS), fmt.Sprintf("%.1f", row.MinMS),
			fmt.Sprintf("%.0f", row.PeakMB()), "-",
		}
		if row.VsBaseline > 0 {
			cells[4] = fmt.Sprintf("%.2fx", row.VsBaseline)
		}
		if row.MatteMAE != nil {
			mae = fmt.Sprintf("%.5f", *row.MatteMAE)
		}
	} else {
		cells[1] = "error"
	}
	if scored {
		cells = append(cells, mae)
	}
	return cells
}

// PeakMB is PeakBytes in MB of 2^20 bytes.
func (row Row) PeakMB() float64 { return float64(row.PeakBytes) / (1 << 20) }

// columns are the tables' columns.
func columns(scored bool) []string {
	names := []string{"Config", "Median (ms)", "Min (ms)", "Peak Mem (MB)", "vs Baseline"}
	if scored {
		names = append(names, "Matte MAE")
	}
	return names
}

// busy is the noise of a median, as a share of it, over which a quiet machine is out of the question.
const busy = 0.2

// notes say what the figures of a resolution are worth, and what went wrong, each in a sentence.
func notes(rows []Row) []string {
	var list []string
	var least, most *Row
	var alike []string
	for i := range rows {
		row := &rows[i]
		if row.Err != "" {
			continue
		}
		if least == nil || row.Noise() < least.Noise() {
			least = row
		}
		if most == nil || row.Noise() > most.Noise() {
			most = row
		}
		if row.LikeBaseline() {
			alike = append(alike, row.Name)
		}
	}
	switch {
	case most == nil:
	case len(most.RunsMS) < 2:
		list = append(list, "noise of a median: unknown: one run cannot tell; ask for more runs")
	default:
		means := "the true median lies there with 95 % confidence"
		if runs := len(most.RunsMS); runs < enough {
			means = fmt.Sprintf("the range of %s, too few to tell more", count(runs, "run"))
		}
		noise := fmt.Sprintf("%.1f %%", 100*most.Noise())
		if least != most {
			noise = fmt.Sprintf("%.1f %% (%s) to %s (%s)", 100*least.Noise(), least.Name, noise, most.Name)
		}
		list = append(list, fmt.Sprintf("noise of a median: %s: %s", noise, means))
		if most.Noise() > busy {
			list = append(list, "something else keeps this machine busy: measure again when it is quiet")
		}
	}
	if len(alike) > 0 {
		list = append(list, "as fast as the baseline within the noise: "+strings.Join(alike, ", "))
	}
	for _, row := range rows {
		if row.Err != "" {
			list = append(list, fmt.Sprintf("%s: not measured: %s", row.Name, row.Err))
		}
	}
	return list
}

// WriteMarkdown writes a table for each resolution, with the reference harness's columns.
func (r *Report) WriteMarkdown(out io.Writer) error {
	w := &writer{out: out}
	for _, line := range r.head() {
		w.printf("%s  \n", inline(line))
	}
	for _, resolution := range r.resolutions() {
		rows, scored := r.at(resolution), r.scored()
		w.printf("\n### %d\n\n| %s |\n|%s\n", resolution, strings.Join(columns(scored), " | "),
			"---|"+strings.Repeat("---:|", len(columns(scored))-1))
		for _, row := range rows {
			w.printf("| %s |\n", strings.Join(row.cells(scored), " | "))
		}
		w.printf("\n")
		for _, note := range notes(rows) {
			w.printf("- %s\n", inline(note))
		}
	}
	return w.err
}

// inline keeps names of models and devices from being read as markup.
func inline(text string) string {
	return strings.NewReplacer("|", "\\|", "<", "&lt;", "*", "\\*", "`", "'", "\n", " ").Replace(text)
}

// WriteTable writes tables for people: those of WriteMarkdown with the noise of each row, and what it was before.
// Changes go by the rows' places, as Compare returns them; nil shows none.
func (r *Report) WriteTable(out io.Writer, changes []*Change) error {
	w := &writer{out: out}
	for _, line := range r.head() {
		w.printf("%s\n", line)
	}
	for _, resolution := range r.resolutions() {
		scored := r.scored()
		w.printf("\n%d x %d\n", resolution, resolution)
		table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		names := columns(scored)
		fmt.Fprintf(table, "%s\t%s\n", strings.Join(slices.Insert(names, 2, "±"), "\t"), before(changes))
		for i, row := range r.Rows {
			if row.Resolution != resolution {
				continue
			}
			noise := "-"
			if row.Err == "" && len(row.RunsMS) > 1 {
				noise = fmt.Sprintf("%.1f %%", 100*row.Noise())
			}
			was := ""
			if i < len(changes) && changes[i] != nil {
				was = changes[i].String()
			}
			fmt.Fprintf(table, "%s\t%s\n", strings.Join(slices.Insert(row.cells(scored), 2, noise), "\t"), was)
		}
		if err := table.Flush(); err != nil {
			return err
		}
		for _, note := range notes(r.at(resolution)) {
			w.printf("  %s\n", note)
		}
	}
	return w.err
}

// before is the title of the last column, where any row has something there.
func before(changes []*Change) string {
	for _, c := range changes {
		if c != nil {
			return "Before"
		}
	}
	return ""
}

// writer keeps the first error.
type writer struct {
	out io.Writer
	err error
}

func (w *writer) Write(b []byte) (int, error) {
	if w.err != nil {
		return 0, w.err
	}
	n, err := w.out.Write(b)
	w.err = err
	return n, err
}

func (w *writer) printf(format string, values ...any) { fmt.Fprintf(w, format, values...) }

// settingsOf returns a row's settings by name, in settings.Names' order.
func settingsOf(row Row) []any {
	var values []any
	for _, name := range settings.Names() {
		v, _ := row.Settings.Get(name)
		values = append(values, v)
	}
	return values
}
