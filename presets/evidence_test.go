package presets

import (
	"math"
	"strings"
	"testing"
)

func TestEveryRowOfTheReportsIsThere(t *testing.T) {
	reports, rows, err := Evidence()
	if err != nil {
		t.Fatal(err)
	}
	if len(reports) != 2 || reports[0].Date.Format("2006-01-02") != "2026-03-09" || reports[1].Date.Format("2006-01-02") != "2026-07-16" {
		t.Errorf("reports %+v", reports)
	}
	counts := map[string]int{}
	peaks, errors := 0, 0
	for _, r := range rows {
		counts[r.Report+" "+r.Table+" "+r.Machine]++
		if r.peak() > 0 {
			peaks++
		}
		if r.AlphaMAE > 0 {
			errors++
		}
	}
	for table, want := range map[string]int{
		"wave 2 ablation Apple Silicon":   3 * 8,
		"wave 2 tiles Apple Silicon":      5,
		"fleet toggles M1 Ultra 128 GB":   4,
		"fleet toggles M3 Ultra 256 GB":   4,
		"fleet engine M1 Ultra 128 GB":    5,
		"fleet engine M3 Ultra 256 GB":    5,
		"fleet baselines M1 Ultra 128 GB": 3,
		"fleet baselines M3 Ultra 256 GB": 3,
		"fleet baselines M4 Pro 24 GB":    3,
		"fleet ablation M1 Ultra 128 GB":  3 * 8,
		"fleet ablation M3 Ultra 256 GB":  3 * 8,
		"fleet ablation M4 Pro 24 GB":     3 * 3,
	} {
		if counts[table] != want {
			t.Errorf("%s has %d rows, want %d", table, counts[table], want)
		}
		delete(counts, table)
	}
	if len(counts) > 0 {
		t.Errorf("more tables: %v", counts)
	}
	if wantPeaks, wantErrors := 24+5+10+8+8, 10; peaks != wantPeaks || errors != wantErrors {
		t.Errorf("%d peaks and %d errors, want %d and %d", peaks, errors, wantPeaks, wantErrors)
	}
}

// TestTheReportsAgreeWithThemselves: the fleet report gives its baselines twice, the ranges of the M4 Pro bracket
// swapping, and every ablation has the all-off row.
func TestTheReportsAgreeWithThemselves(t *testing.T) {
	e, err := readEvidence()
	if err != nil {
		t.Fatal(err)
	}
	for name, r := range e.byName {
		if r.Table != "baselines" {
			continue
		}
		twin := strings.Replace(strings.Replace(name, "/baselines/", "/ablation/", 1), "/all off", "/baseline", 1)
		if other, ok := e.byName[twin]; !ok || math.Abs(other.MedianMS-r.MedianMS) > 1 {
			t.Errorf("%s is %v ms, and %s %v ms", name, r.MedianMS, twin, other.MedianMS)
		}
	}
	// Spot checks against the reports' own figures.
	for name, want := range map[string][4]float64{
		"wave 2/ablation/Apple Silicon/512/baseline":                                              {119.6, 118.3, 2419, 0},
		"wave 2/tiles/Apple Silicon/2048/tiled 768/64":                                            {3344, 3311, 2302, 0},
		"fleet/engine/M1 Ultra 128 GB/2048/tiled 1024/64+compile":                                 {5864, 0, 3.7, 0.00915},
		"fleet/ablation/M1 Ultra 128 GB/2048/slim+sdpa+bf16+fused_decode+gpu_preprocess":          {33137.8, 0, 27245, 0},
		"fleet/ablation/M3 Ultra 256 GB/1024/slim+stage_gc+sdpa+bf16+fused_decode+gpu_preprocess": {390.9, 0, 0, 0},
		"fleet/ablation/M4 Pro 24 GB/2048/slim+sdpa+bf16+fused_decode+gpu_preprocess":             {20994.5, 0, 0, 0},
		"wave 2/ablation/Apple Silicon/2048/slim+stage_gc+bf16+fused_decode+gpu_preprocess":       {5771.3, 5643.0, 26689, 0},
		"fleet/ablation/M4 Pro 24 GB/512/with stage_gc, any":                                      {266, 0, 0, 0},
		"fleet/toggles/M3 Ultra 256 GB/2048/bf16+sdpa":                                            {1767, 0, 0, 0},
		"fleet/ablation/M1 Ultra 128 GB/2048/stage_gc+sdpa+bf16+fused_decode+gpu_preprocess":      {6274.1, 0, 26661, 0},
		"wave 2/ablation/Apple Silicon/1024/slim+stage_gc+sdpa+fused_decode+gpu_preprocess":       {686.0, 682.7, 3673, 0},
		"fleet/ablation/M3 Ultra 256 GB/512/slim+stage_gc+sdpa+fused_decode+gpu_preprocess":       {96.3, 0, 0, 0},
		"fleet/engine/M3 Ultra 256 GB/2048/tiled 512/64":                                          {2760, 0, 2.2, 0.00821},
		"fleet/baselines/M4 Pro 24 GB/2048/all off":                                               {23147, 0, 0, 0},
		"fleet/ablation/M1 Ultra 128 GB/512/slim+stage_gc+sdpa+bf16+fused_decode+gpu_preprocess":  {193.8, 0, 0, 0},
		"wave 2/ablation/Apple Silicon/1024/slim+stage_gc+sdpa+bf16+gpu_preprocess":               {675.3, 667.7, 3673, 0},
		"wave 2/ablation/Apple Silicon/512/slim+sdpa+bf16+fused_decode+gpu_preprocess":            {120, 119.2, 2413, 0},
		"fleet/ablation/M3 Ultra 256 GB/2048/slim+sdpa+bf16+fused_decode+gpu_preprocess":          {1790.1, 0, 27245, 0},
	} {
		r, ok := e.byName[name]
		if got := [4]float64{r.MedianMS, r.MinMS, r.peak(), r.AlphaMAE}; !ok || got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

func TestEvidenceThatIsNotSound(t *testing.T) {
	const head = "[[report]]\nid = 'r'\n[[table]]\nreport = 'r'\nname = 't'\nmachine = 'm'\nresolution = 512\n"
	for want, text := range map[string]string{
		"unknown key":      "speed = 1",
		"no report":        "[[table]]\nreport = 'x'",
		"there twice":      head + "rows = [{config = 'a', median_ms = 1.0}, {config = 'a', median_ms = 2.0}]",
		"its median":       head + "rows = [{config = 'a'}]",
		"its median is":    head + "rows = [{config = 'a', median_ms = nan}]",
		"its minimum":      head + "rows = [{config = 'a', median_ms = 1.0, min_ms = 2.0}]",
		"it goes from":     head + "rows = [{config = 'a', median_ms = 2.0, median_high_ms = 1.0}]",
		"its peak":         head + "rows = [{config = 'a', median_ms = 2.0, peak_mb = 1.0, peak_gb = 1.0}]",
		"a configuration":  head + "rows = [{median_ms = 2.0}]",
		"measurements: to": "x",
	} {
		if _, err := parseEvidence(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

func TestCitationsSayWhatTheirRowsSay(t *testing.T) {
	e, err := parseEvidence(`
		[[report]]
		id = "r"
		[[table]]
		report = "r"
		name = "t"
		machine = "m"
		resolution = 512
		note = "it swaps"
		rows = [
			{ config = "a", median_ms = 100.0, peak_mb = 300 },
			{ config = "b", median_ms = 450.0, peak_mb = 100 },
			{ config = "c", median_ms = 102.0, peak_mb = 306 },
		]
		[[table]]
		report = "r"
		name = "other"
		machine = "m"
		resolution = 512
		rows = [{ config = "a", median_ms = 450.0 }]`)
	if err != nil {
		t.Fatal(err)
	}
	row := func(config string) string { return "r/t/m/512/" + config }
	for want, c := range map[string]citation{
		"reference engine (r), m at 512: b 450 ms, a 100 ms: 4.5x slower (it swaps)":      {Claim: "slower", Row: row("b"), Than: row("a"), By: 4.5},
		"reference engine (r), m at 512: a 100 ms, b 450 ms: 4.5x faster (it swaps)":      {Claim: "faster", Row: row("a"), Than: row("b"), By: 4.5},
		"reference engine (r), m at 512: c 102 ms, a 100 ms: same time (it swaps)":        {Claim: "same time", Row: row("c"), Than: row("a")},
		"reference engine (r), m at 512: b 100 MB, a 300 MB: 3.0x less memory (it swaps)": {Claim: "less memory", Row: row("b"), Than: row("a"), By: 3},
		"reference engine (r), m at 512: c 306 MB, a 300 MB: same memory (it swaps)":      {Claim: "same memory", Row: row("c"), Than: row("a")},
		"reference engine (r), m at 512: b takes 450 ms (it swaps)":                       {Claim: "takes", Row: row("b"), AtLeast: 400},
		"reference engine (r), m at 512: a holds 300 MB (it swaps)":                       {Claim: "holds", Row: row("a"), AtLeast: 300},
		"reference engine (r), m at 512: a 100 ms: the fastest of 3 (it swaps)":           {Claim: "fastest", Row: row("a")},
		"none yet": {Note: "none yet"},
	} {
		if got, err := c.text(e); err != nil || got != want {
			t.Errorf("%q, %v; want %q", got, err, want)
		}
	}
	for name, c := range map[string]citation{
		"nothing":           {},
		"a note with a row": {Note: "n", Row: row("a")},
		"no row":            {Claim: "takes", Row: row("x"), AtLeast: 1},
		"no other row":      {Claim: "slower", Row: row("a"), Than: row("x"), By: 2},
		"no such claim":     {Claim: "nicer", Row: row("a"), Than: row("b"), By: 2},
		"another ratio":     {Claim: "slower", Row: row("b"), Than: row("a"), By: 4},
		"no ratio":          {Claim: "slower", Row: row("b"), Than: row("a")},
		"the wrong way":     {Claim: "slower", Row: row("a"), Than: row("b"), By: 0.22},
		"not the same":      {Claim: "same time", Row: row("a"), Than: row("b")},
		"same, by a ratio":  {Claim: "same time", Row: row("a"), Than: row("c"), By: 1},
		"no peaks":          {Claim: "less memory", Row: "r/other/m/512/a", Than: "r/other/m/512/a", By: 1},
		"other tables":      {Claim: "slower", Row: "r/other/m/512/a", Than: row("a"), By: 4.5},
		"not that much":     {Claim: "takes", Row: row("a"), AtLeast: 101},
		"no threshold":      {Claim: "takes", Row: row("a")},
		"not the fastest":   {Claim: "fastest", Row: row("c")},
		"the only one":      {Claim: "fastest", Row: "r/other/m/512/a"},
	} {
		if got, err := c.text(e); err == nil {
			t.Errorf("%s: accepted as %q", name, got)
		}
	}
}

func TestConfigurationsThatDifferInOneSettingAreToldByIt(t *testing.T) {
	for _, c := range []struct {
		a, b, name string
		on, ok     bool
	}{
		{"sdpa", "all off", "sdpa", true, true},
		{"baseline", "bf16", "bf16", false, true},
		{"slim+sdpa+bf16", "slim+bf16", "sdpa", true, true},
		{"slim+bf16", "slim+sdpa+bf16", "sdpa", false, true},
		{"slim+sdpa", "slim+bf16", "", false, false},
		{"slim+sdpa+bf16", "baseline", "", false, false},
		{"tiled 512/64+compile", "tiled 512/64", "compile", true, true},
		{"full frame", "all off", "", false, false},
		{"slim", "slim", "", false, false},
	} {
		name, on, ok := oneApart(c.a, c.b)
		if ok != c.ok || ok && (name != c.name || on != c.on) {
			t.Errorf("%s, %s: %q, %v, %v", c.a, c.b, name, on, ok)
		}
	}
}

// TestEveryRuleRestsOnRows: all rules but two cite rows, and those two say that there are none.
func TestEveryRuleRestsOnRows(t *testing.T) {
	book, err := readRules()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range book.Rules {
		rows := 0
		for _, c := range r.Evidence {
			if c.Row != "" {
				rows++
			}
		}
		if without := r.Name == "this model in tiles" || r.Name == "other machines"; (rows == 0) != without {
			t.Errorf("rule %q cites %d rows", r.Name, rows)
		}
		if len(r.texts) != len(r.Evidence) {
			t.Errorf("rule %q has %d pieces of evidence and %d texts", r.Name, len(r.Evidence), len(r.texts))
		}
	}
}
