package command

import (
	"bytes"
	"context"
	"encoding/csv"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"greenroom/engine/bench"
	"greenroom/presets"
)

// benchAt keeps the history of a bench below a folder of the test's. It works where the folder for settings goes by
// the environment, as on Linux; elsewhere the test is skipped.
func benchAt(t *testing.T) (history string) {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", dir)
	t.Setenv("HOME", dir)
	t.Setenv("AppData", dir)
	h, err := userHistory("x")
	if err != nil || !strings.HasPrefix(h.Path, dir) {
		t.Skipf("the folder for settings is not the test's: %v, %v", h, err)
	}
	return filepath.Dir(h.Path)
}

func TestTheUsersHistoryLiesInTheFolderForSettings(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the folder is the system's")
	}
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", dir)
	h, err := userHistory("A, 1 GB")
	if err != nil || h.Path != filepath.Join(dir, "greenroom", "bench", "a-1-gb.jsonl") {
		t.Errorf("%v, error %v", h, err)
	}
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("HOME", "")
	if _, err := userHistory("A"); err == nil || !strings.Contains(err.Error(), "settings") {
		t.Errorf("error %v", err)
	}
}

// quick is the shortest bench that there is.
func quick(arguments ...string) []string {
	return append([]string{"bench", "--sweep", "key", "--resolution", "64", "--warmup", "0", "--runs", "1"}, arguments...)
}

func TestBenchWritesTheJSONOfTheDesign(t *testing.T) {
	benchAt(t)
	got := greenroom(t, quick("--truth", "--format", "json", "--set", "compile=on")...)
	if got.code != exitDone || got.err != "" {
		t.Fatalf("%+v", got)
	}
	o := decodeLines(t, got.out)[0]
	if !slices.Equal(keysOf(o), []string{"device", "machine", "model", "rows"}) || o["device"] != "cpu" || o["model"] != "nano" {
		t.Errorf("%v", o)
	}
	if m := keysOf(o["machine"].(map[string]any)); !slices.Contains(m, "chip") || !slices.Contains(m, "memory_gb") {
		t.Errorf("machine %v", m)
	}
	rows := o["rows"].([]any)
	want := []string{
		"baseline", "bf16+fused_decode", "slim+stage_gc+sdpa+gpu_preprocess",
		"slim+stage_gc+sdpa+bf16+fused_decode+gpu_preprocess", "sdpa", "stage_gc",
	}
	if len(rows) != len(want) {
		t.Fatalf("%d rows", len(rows))
	}
	for i, r := range rows {
		row := r.(map[string]any)
		keys := []string{"config", "error", "matte_mae", "median_ms", "min_ms", "peak_mb", "resolution", "runs_ms", "settings", "vs_baseline"}
		if !slices.Equal(keysOf(row), keys) || row["config"] != want[i] || row["error"] != nil || row["resolution"] != 64.0 {
			t.Errorf("%v", row)
		}
		if row["settings"].(map[string]any)["compile"] != true {
			t.Errorf("%s: compile is not held", want[i])
		}
		if !(row["median_ms"].(float64) > 0) || !(row["peak_mb"].(float64) > 0) || !(row["matte_mae"].(float64) > 0) || len(row["runs_ms"].([]any)) != 1 {
			t.Errorf("%v", row)
		}
	}
}

func TestBenchRemembersAndShowsTheChange(t *testing.T) {
	history := benchAt(t)
	if got := greenroom(t, quick("--format", "markdown")...); got.code != exitDone || got.err != "" || strings.Contains(got.out, "was ") ||
		!strings.Contains(got.out, "| Config | Median (ms) | Min (ms) | Peak Mem (MB) | vs Baseline |") {
		t.Fatalf("%+v", got)
	}
	today := time.Now().UTC().Format(time.DateOnly)
	got := greenroom(t, quick()...)
	if got.code != exitDone || strings.Count(got.out, "was ") != 6 || !strings.Contains(got.out, " ms on "+today[:8]) {
		t.Errorf("%+v", got)
	}
	got = greenroom(t, quick("--format", "csv")...)
	records, err := csv.NewReader(strings.NewReader(got.out)).ReadAll()
	if err != nil || len(records) != 7 || strings.Count(got.err, ", was ") != 6 {
		t.Errorf("%+v, error %v", got, err)
	}
	files, err := filepath.Glob(filepath.Join(history, "*.jsonl"))
	if err != nil || len(files) != 1 {
		t.Fatalf("files %v, error %v", files, err)
	}
	data, err := os.ReadFile(files[0])
	if err != nil || bytes.Count(data, []byte("\n")) != 3*6 {
		t.Errorf("%d lines, error %v", bytes.Count(data, []byte("\n")), err)
	}
	// A history that was damaged is told of, and spoils nothing.
	if err := os.WriteFile(files[0], append([]byte("\x00\x1b[2J\n"), data...), 0o666); err != nil {
		t.Fatal(err)
	}
	got = greenroom(t, quick()...)
	if got.code != exitDone || strings.Count(got.out, "was ") != 6 || !strings.Contains(got.err, "1 lines of") || strings.Contains(got.err, "\x1b") {
		t.Errorf("%+v", got)
	}
}

func TestBenchRunsWithoutAPlaceToRemember(t *testing.T) {
	history := benchAt(t)
	if err := os.MkdirAll(filepath.Dir(history), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(history, nil, 0o666); err != nil { // where the folder would be
		t.Fatal(err)
	}
	got := greenroom(t, quick()...)
	if got.code != exitDone || !strings.Contains(got.out, "baseline") || !strings.Contains(got.err, "measurements") {
		t.Errorf("%+v", got)
	}
}

func TestBenchRefusesWhatCannotBeMeasured(t *testing.T) {
	benchAt(t)
	for says, arguments := range map[string][]string{
		"not one of ablation": {"--sweep", "quick"},
		"not one of table":    {"--format", "xml"},
		"runs is 0":           {"--runs", "0"},
		"warmup is -1":        {"--warmup", "-1"},
		"resolution is 16":    {"--resolution", "64,16"},
		"no setting":          {"--set", "speed=on"},
		"write NAME=VALUE":    {"--set", "sdpa"},
		"tiles sweep sets":    {"--sweep", "tiles", "--set", "tile=64"},
		"unexpected argument": {"plate.png"},
	} {
		got := greenroom(t, quick(arguments...)...)
		if got.code != exitUsage || !strings.Contains(got.err, says) || got.out != "" {
			t.Errorf("%s: %+v", says, got)
		}
	}
	if got := greenroom(t, quick("--model", "nono")...); got.code != exitFailed || !strings.Contains(got.err, "nono") {
		t.Errorf("%+v", got)
	}
}

// stopping is an error stream on which a bench's progress is drawn, and that interrupts it at some point.
type stopping struct {
	bytes.Buffer
	at   string
	stop func()
}

func (s *stopping) Write(b []byte) (int, error) {
	if bytes.Contains(b, []byte(s.at)) {
		s.stop()
	}
	return s.Buffer.Write(b)
}

func TestAnInterruptedBenchWritesWhatItHas(t *testing.T) {
	history := benchAt(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var out bytes.Buffer
	drawn := &stopping{at: " 9 of ", stop: cancel}
	code := run(ctx, quick("--runs", "3", "--format", "json"), Streams{Out: &out, Err: drawn, Live: true})
	if code != exitInterrupted || !strings.HasSuffix(drawn.String(), "greenroom: interrupted\n") {
		t.Fatalf("exit %d, %s", code, drawn)
	}
	runs := 0
	for _, r := range decodeLines(t, out.String())[0]["rows"].([]any) {
		runs += len(r.(map[string]any)["runs_ms"].([]any))
	}
	if runs != 9 {
		t.Errorf("%d runs are told of, 9 were over", runs)
	}
	files, err := filepath.Glob(filepath.Join(history, "*.jsonl"))
	if err != nil || len(files) != 1 {
		t.Errorf("kept in %v, error %v", files, err)
	}
}

func TestBenchProgressIsOneShortLine(t *testing.T) {
	p := bench.Progress{
		Doing: bench.WarmingUp, Resolution: 1024, Config: "slim+stage_gc+sdpa+bf16+fused_decode+gpu_preprocess",
		Done: 37, Total: 176, Share: 0.25, Left: 250 * time.Second,
	}
	if got := benchLine("bench", p); !strings.HasPrefix(got, "bench  [#####---------------] 37 of 176 runs, 4m10s left: warming up 1024, slim+stage_gc+") {
		t.Error(got)
	}
	var drawn bytes.Buffer
	b := newBar(Streams{Err: &drawn, Live: true}, "bench")
	b.benching(p)
	b.benching(bench.Progress{Doing: bench.Drawing, Resolution: 64, Left: -1})
	b.clear()
	for _, line := range strings.Split(drawn.String(), "\r") {
		if len(line) > 79 {
			t.Errorf("%d bytes: %q", len(line), line)
		}
	}
	quiet := newBar(Streams{Err: &drawn}, "bench")
	drawn.Reset()
	quiet.benching(p)
	if drawn.Len() != 0 {
		t.Errorf("drawn without a terminal: %q", drawn.String())
	}
}

// TestABenchThatMeasuredNothingFails: a script must see it, whatever the format.
func TestABenchThatMeasuredNothingFails(t *testing.T) {
	benchAt(t)
	for _, format := range []string{"table", "json"} {
		var out, err bytes.Buffer
		code := run(t.Context(), quick("--format", format, "--device", "cpu"), Streams{Out: &out, Err: &err, detector: tinyMachine{}})
		if code != exitFailed || !strings.Contains(err.String(), "nothing could be measured: of 64, baseline it says: it would need") {
			t.Errorf("%s: code %d, %s", format, code, err.String())
		}
		if !strings.Contains(out.String(), "it would need") {
			t.Errorf("%s: the rows are missing: %s", format, out.String())
		}
	}
}

// tinyMachine has too little memory for any key.
type tinyMachine struct{}

func (tinyMachine) Machine() (presets.Machine, error) {
	return presets.Machine{Chip: "Tiny", GPU: &presets.GPU{Name: "Small", WorkingSet: 1 << 20, Discrete: true}}, nil
}
