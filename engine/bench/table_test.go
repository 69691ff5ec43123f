package bench

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"greenroom/engine/device"
	"greenroom/engine/settings"
)

// named is a machine for tables.
type named string

func (n named) String() string { return string(n) }

func (n named) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]string{"chip": string(n)})
}

// sampleReport is a report with a row of every kind.
func sampleReport() *Report {
	mae := 0.0123456
	on := settings.Settings{SDPA: true, Overlap: 64, Refine: settings.RefineTile}
	off := on
	off.SDPA = false
	r := &Report{
		Machine: named("Test <1>, 8 GB"), Device: device.Info{Kind: "cpu", Name: "CPU"}, Model: "tiny", ModelHash: "abc",
		At: time.Date(2026, 11, 30, 12, 5, 0, 0, time.UTC), Sweep: Key, Warmup: 1, Runs: 4,
		Rows: []Row{
			{Resolution: 512, Config: Config{Name: "baseline", Settings: off, Baseline: true}, PeakBytes: 100 << 20},
			{Resolution: 512, Config: Config{Name: "sdpa", Settings: on}, PeakBytes: 50<<20 + 1<<19, MatteMAE: &mae},
			{Resolution: 1024, Config: Config{Name: "baseline", Settings: off, Baseline: true}, Err: "it would need 9.0 GB"},
		},
	}
	r.Rows[0].time([]float64{200, 220, 210, 190})
	r.Rows[1].time([]float64{100, 110, 105, 95})
	r.Rows[0].compare(r.Rows[0].RunsMS)
	r.Rows[1].compare(r.Rows[0].RunsMS)
	return r
}

func TestMarkdown(t *testing.T) {
	var out strings.Builder
	if err := sampleReport().WriteMarkdown(&out); err != nil {
		t.Fatal(err)
	}
	const want = `key sweep with tiny on cpu, Test &lt;1>, 8 GB  
4 timed runs after 1 run to warm up, configurations in turns, 2026-11-30 12:05  

### 512

| Config | Median (ms) | Min (ms) | Peak Mem (MB) | vs Baseline | Matte MAE |
|---|---:|---:|---:|---:|---:|
| baseline | 205.0 | 190.0 | 100 | 1.00x | - |
| sdpa | 102.5 | 95.0 | 50 | 2.00x | 0.01235 |

- noise of a median: 7.3 %: the range of 4 runs, too few to tell more

### 1024

| Config | Median (ms) | Min (ms) | Peak Mem (MB) | vs Baseline | Matte MAE |
|---|---:|---:|---:|---:|---:|
| baseline | error | - | - | - | - |

- baseline: not measured: it would need 9.0 GB
`
	if out.String() != want {
		t.Errorf("got\n%s", out.String())
	}
}

func TestMarkdownWithoutTruthHasTheHarnesssColumns(t *testing.T) {
	r := sampleReport()
	r.Rows[1].MatteMAE = nil
	var out strings.Builder
	if err := r.WriteMarkdown(&out); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "\n| Config | Median (ms) | Min (ms) | Peak Mem (MB) | vs Baseline |\n|---|---:|---:|---:|---:|\n") {
		t.Errorf("got\n%s", out.String())
	}
}

func TestTableShowsNoiseAndWhatItWas(t *testing.T) {
	r := sampleReport()
	r.Held = []Setting{{"compile", "on"}}
	changes := []*Change{nil, {WasMS: 110.7, At: time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC), Ratio: 1.08}, nil}
	var out strings.Builder
	if err := r.WriteTable(&out, changes); err != nil {
		t.Fatal(err)
	}
	const want = `key sweep with tiny on cpu, Test <1>, 8 GB
4 timed runs after 1 run to warm up, configurations in turns, 2026-11-30 12:05
held in all of them: compile on

512 x 512
Config    Median (ms)  ±      Min (ms)  Peak Mem (MB)  vs Baseline  Matte MAE  Before
baseline  205.0        7.3 %  190.0     100            1.00x        -          
sdpa      102.5        7.3 %  95.0      50             2.00x        0.01235    was 111 ms on 2026-11-20: 1.08x
  noise of a median: 7.3 %: the range of 4 runs, too few to tell more

1024 x 1024
Config    Median (ms)  ±  Min (ms)  Peak Mem (MB)  vs Baseline  Matte MAE  Before
baseline  error        -  -         -              -            -          
  baseline: not measured: it would need 9.0 GB
`
	if out.String() != want {
		t.Errorf("got\n%s", out.String())
	}
}

func TestJSON(t *testing.T) {
	var out strings.Builder
	if err := sampleReport().WriteJSON(&out); err != nil {
		t.Fatal(err)
	}
	set := func(sdpa string) string {
		return `{"bf16":false,"compile":false,"frame":0,"fused_decode":false,"gpu_preprocess":false,"half":"bfloat16","overlap":64,"refine":"tile","sdpa":` +
			sdpa + `,"slim":false,"stage_gc":false,"tile":0}`
	}
	want := `{"machine":{"chip":"Test \u003c1\u003e, 8 GB"},"device":"cpu","model":"tiny","rows":[` +
		`{"resolution":512,"config":"baseline","settings":` + set("false") + `,"median_ms":205,"min_ms":190,"runs_ms":[200,220,210,190],"peak_mb":100,"vs_baseline":1,"matte_mae":null,"error":null},` +
		`{"resolution":512,"config":"sdpa","settings":` + set("true") + `,"median_ms":102.5,"min_ms":95,"runs_ms":[100,110,105,95],"peak_mb":50.5,"vs_baseline":2,"matte_mae":0.0123456,"error":null},` +
		`{"resolution":1024,"config":"baseline","settings":` + set("false") + `,"median_ms":null,"min_ms":null,"runs_ms":[],"peak_mb":null,"vs_baseline":null,"matte_mae":null,"error":"it would need 9.0 GB"}]}` + "\n"
	if out.String() != want {
		t.Errorf("got\n%s", out.String())
	}
}

func TestAnEmptyReportIsWhole(t *testing.T) {
	r := sampleReport()
	r.Rows = nil
	var out strings.Builder
	if err := r.WriteJSON(&out); err != nil || !strings.Contains(out.String(), `"rows":[]`) {
		t.Errorf("%s, error %v", out.String(), err)
	}
	if err := errors.Join(r.WriteTable(&out, nil), r.WriteMarkdown(&out), r.WriteCSV(&out)); err != nil {
		t.Error(err)
	}
}

func TestCSVHasAColumnAKey(t *testing.T) {
	r := sampleReport()
	r.Rows[2].Err = `a "strange", error`
	var out strings.Builder
	if err := r.WriteCSV(&out); err != nil {
		t.Fatal(err)
	}
	records, err := csv.NewReader(strings.NewReader(out.String())).ReadAll()
	if err != nil || len(records) != 4 {
		t.Fatalf("%q, error %v", records, err)
	}
	wantHead := []string{
		"resolution", "config", "slim", "stage_gc", "sdpa", "bf16", "fused_decode", "gpu_preprocess", "compile", "tile",
		"overlap", "frame", "refine", "half", "median_ms", "min_ms", "runs_ms", "peak_mb", "vs_baseline", "matte_mae", "error",
	}
	if !slices.Equal(records[0], wantHead) {
		t.Errorf("head %q", records[0])
	}
	want := []string{
		"512", "sdpa", "false", "false", "true", "false", "false", "false", "false", "0", "64", "0", "tile", "bfloat16",
		"102.5", "95", "100 110 105 95", "50.5", "2", "0.0123456", "",
	}
	if !slices.Equal(records[2], want) {
		t.Errorf("row %q", records[2])
	}
	if last := records[3]; last[14] != "" || last[16] != "" || last[20] != `a "strange", error` {
		t.Errorf("row with an error %q", last)
	}
}

func TestAnInterruptedBenchSaysHowFarItCame(t *testing.T) {
	r := sampleReport()
	for want, runs := range map[string][2]int{
		"4 timed runs after": {4, 4}, "2 of 4 timed runs after": {2, 2}, "2 to 3 of 4 timed runs after": {3, 2},
	} {
		for i, n := range runs {
			r.Rows[i].time([]float64{1, 2, 3, 4}[:n])
		}
		if got := r.head()[1]; !strings.HasPrefix(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// full is an output without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no room") }

func TestWritersReportAFullDisk(t *testing.T) {
	r := sampleReport()
	for name, err := range map[string]error{
		"table": r.WriteTable(full{}, nil), "markdown": r.WriteMarkdown(full{}), "json": r.WriteJSON(full{}), "csv": r.WriteCSV(full{}),
	} {
		if err == nil || !strings.Contains(err.Error(), "no room") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestNotesSayWhatCannotBeToldFromTheBaseline(t *testing.T) {
	r := sampleReport()
	r.Rows[1].time([]float64{201, 215, 215, 189})
	r.Rows[1].compare(r.Rows[0].RunsMS)
	if list := notes(r.at(512)); len(list) != 2 || list[1] != "as fast as the baseline within the noise: sdpa" {
		t.Errorf("%q", list)
	}
	r.Rows[1].time([]float64{100, 200, 110, 105})
	if list := notes(r.at(512)); !strings.Contains(strings.Join(list, "\n"), "keeps this machine busy") {
		t.Errorf("%q", list)
	}
	for i := range r.Rows {
		r.Rows[i].time([]float64{100})
		r.Rows[i].VsBaseline = 0
	}
	if list := notes(r.at(512)); len(list) == 0 || !strings.Contains(list[0], "one run cannot tell") {
		t.Errorf("of one run each: %q", list)
	}
}
