package bench

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"greenroom/engine"
	"greenroom/engine/settings"
	"greenroom/engine/truth"
)

// mustRun runs a bench that has to work.
func mustRun(t *testing.T, f *fakeEngine, o Options) *Report {
	t.Helper()
	r, err := Run(t.Context(), f, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// order lists the configurations in the order in which they ran, with how often in a row.
func order(f *fakeEngine, configs []Config) []string {
	var list []string
	for i, c := range f.calls {
		if i+1 < len(f.calls) && f.calls[i+1].since > 0 {
			continue
		}
		for _, k := range configs {
			if k.Settings == c.settings {
				list = append(list, fmt.Sprintf("%s x%d", k.Name, c.since+1))
			}
		}
	}
	return list
}

func TestConfigurationsTakeTurns(t *testing.T) {
	f := new(fakeEngine)
	o := f.options(t, Key)
	o.Held = []Setting{{"gpu_preprocess", "off"}, {"fused_decode", "off"}, {"slim", "off"}}
	o.Runs = 3
	r := mustRun(t, f, o)
	configs, err := Key.Configs(o.Held)
	if err != nil {
		t.Fatal(err)
	}
	// Two warm-ups and a timed run; then one that settles and a timed one, but for the one at the turn, which the
	// engine still holds.
	want := []string{
		"baseline x3", "bf16 x3", "stage_gc+sdpa x3", "stage_gc+sdpa+bf16 x3", "sdpa x3", "stage_gc x4",
		"sdpa x2", "stage_gc+sdpa+bf16 x2", "stage_gc+sdpa x2", "bf16 x2", "baseline x3",
		"bf16 x2", "stage_gc+sdpa x2", "stage_gc+sdpa+bf16 x2", "sdpa x2", "stage_gc x2",
	}
	if got := order(f, configs); !slices.Equal(got, want) {
		t.Errorf("ran %q", got)
	}
	for _, row := range r.Rows {
		if len(row.RunsMS) != 3 {
			t.Errorf("%s was timed %d times", row.Name, len(row.RunsMS))
		}
	}
}

// speeds gives some configurations a time of their own.
func speeds(s settings.Settings) float64 {
	ms := 200.0
	if s.SDPA {
		ms /= 2
	}
	if s.StageGC {
		ms *= 1.6
	}
	return ms
}

func TestRatiosStandWhereTheMachineDoesNot(t *testing.T) {
	// The machine slows down by a factor of ten in the course of the bench, in steps that grow at random.
	f := new(fakeEngine)
	random := rand.New(rand.NewPCG(3, 4))
	slow := 1.0
	f.cost = func(c call) float64 {
		if c.since == 0 {
			slow *= 1 + 0.07*random.Float64()
		}
		return slow * speeds(c.settings)
	}
	o := f.options(t, Key)
	o.Runs = 11
	r := mustRun(t, f, o)
	if slow < 5 {
		t.Fatalf("the machine slowed down by %.1f only", slow)
	}
	base := speeds(settings.Settings{})
	for _, row := range r.Rows {
		want := base / speeds(row.Settings)
		if math.Abs(row.VsBaseline/want-1) > 0.1 {
			t.Errorf("%s: %.3fx, want %.3fx", row.Name, row.VsBaseline, want)
		}
		if row.VsLow > want || row.VsHigh < want {
			t.Errorf("%s: %.3fx to %.3fx does not hold %.3fx", row.Name, row.VsLow, row.VsHigh, want)
		}
		if row.LikeBaseline() != (want == 1 && !row.Baseline) {
			t.Errorf("%s: like the baseline: %v", row.Name, row.LikeBaseline())
		}
	}
}

func TestRatiosAreExactWhereRoundsAreEven(t *testing.T) {
	f := new(fakeEngine)
	o := f.options(t, Key)
	o.Warmup, o.Runs = 0, 5
	f.cost = func(c call) float64 { return float64(1+c.n/6) * speeds(c.settings) } // six configurations a round
	r := mustRun(t, f, o)
	for _, row := range r.Rows {
		if want := 200 / speeds(row.Settings); math.Abs(row.VsBaseline-want) > 1e-12 || row.VsLow != row.VsHigh {
			t.Errorf("%s: %v (%v to %v), want %v", row.Name, row.VsBaseline, row.VsLow, row.VsHigh, want)
		}
		if want := 3 * speeds(row.Settings); row.MedianMS != want || row.MinMS != want/3 {
			t.Errorf("%s: median %v, min %v", row.Name, row.MedianMS, row.MinMS)
		}
	}
}

func TestWhatWasJustLoadedIsNotTimed(t *testing.T) {
	f := &fakeEngine{cost: func(c call) float64 {
		if c.since == 0 {
			return 5 * speeds(c.settings)
		}
		return speeds(c.settings)
	}}
	for _, row := range mustRun(t, f, f.options(t, Ablation)).Rows {
		if row.MedianMS != speeds(row.Settings) || row.HighMS != row.MedianMS {
			t.Errorf("%s: %v", row.Name, row.RunsMS)
		}
	}
}

func TestBenchesAgreeWithinTheNoiseTheyState(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	f := &fakeEngine{cost: func(c call) float64 { return speeds(c.settings) * (1 + 0.2*random.ExpFloat64()) }}
	o := f.options(t, Key)
	o.Runs, o.Warmup = 10, 0
	agree, rows := 0, 0
	first := mustRun(t, f, o)
	for range 20 {
		second := mustRun(t, f, o)
		for i, row := range first.Rows {
			other := second.Rows[i]
			rows++
			if other.LowMS <= row.HighMS && row.LowMS <= other.HighMS {
				agree++
			}
		}
		first = second
	}
	// Two 95 % intervals of one quantity meet more often than 95 % of the time.
	if share := float64(agree) / float64(rows); share < 0.95 {
		t.Errorf("%.1f %% of repeated rows agree within the noise", 100*share)
	}
}

func TestTruthIsTheMeanErrorOverTheDrawnPlates(t *testing.T) {
	f := new(fakeEngine) // its mattes are the hints
	o := f.options(t, Key)
	o.Truth, o.Runs = true, 1
	r := mustRun(t, f, o)
	want := 0.0
	scenes := truthScenes(64)
	if len(scenes) != 4 {
		t.Fatalf("%d scenes", len(scenes))
	}
	for _, s := range scenes {
		p := s.Draw()
		want += truth.MAE(p.Hint, p.Matte) / 4
	}
	for _, row := range r.Rows {
		if row.MatteMAE == nil || math.Abs(*row.MatteMAE-want) > 1e-12 || want == 0 {
			t.Errorf("%s: error %v, want %v", row.Name, row.MatteMAE, want)
		}
	}
	o.Truth = false
	for _, row := range mustRun(t, f, o).Rows {
		if row.MatteMAE != nil {
			t.Errorf("%s: an error that was not asked for", row.Name)
		}
	}
}

func TestBadOptionsAreRefused(t *testing.T) {
	f := new(fakeEngine)
	for want, change := range map[string]func(*Options){
		"no model":     func(o *Options) { o.Model = nil },
		"runs is 0":    func(o *Options) { o.Runs = 0 },
		"warmup is -1": func(o *Options) { o.Warmup = -1 },
		"0 resolution": func(o *Options) { o.Resolutions = nil },
		"is 16":        func(o *Options) { o.Resolutions = []int{512, 16} },
		"is 20000":     func(o *Options) { o.Resolutions = []int{20000} },
		"no sweep":     func(o *Options) { o.Sweep = "" },
		"no setting":   func(o *Options) { o.Held = []Setting{{"x", "on"}} },
	} {
		o := f.options(t, Key)
		change(&o)
		if r, err := Run(t.Context(), f, o); err == nil || r != nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", want, err)
		}
	}
	if len(f.calls) != 0 {
		t.Error("something ran")
	}
}

// A bench of the real engine: what half width and slim outputs save shows in the peak.
func TestTheEngineIsMeasured(t *testing.T) {
	e, err := engine.New(t.Context(), engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	o := new(fakeEngine).options(t, Key)
	o.Now, o.Warmup, o.Runs, o.Truth = time.Now, 1, 2, true
	r, err := Run(t.Context(), e, o)
	if err != nil || len(r.Rows) != 6 || r.Device.Kind != "cpu" {
		t.Fatalf("%+v, error %v", r, err)
	}
	peaks := map[string]int64{}
	for _, row := range r.Rows {
		peaks[row.Name] = row.PeakBytes
		if row.Err != "" || len(row.RunsMS) != 2 || !(row.MinMS > 0) || !(row.VsBaseline > 0) || row.MatteMAE == nil {
			t.Errorf("%+v", row)
		}
	}
	if !(peaks["slim+stage_gc+sdpa+gpu_preprocess"] < peaks["stage_gc"]) || !(peaks["bf16+fused_decode"] < peaks["baseline"]) {
		t.Errorf("peaks %v", peaks)
	}
}
