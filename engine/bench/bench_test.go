package bench

import (
	"context"
	"errors"
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

func TestWhatDoesNotFitIsARowAndTheSweepGoesOn(t *testing.T) {
	f := new(fakeEngine)
	o := f.options(t, Tiles)
	o.Resolutions = []int{64, 640}
	o.Runs, o.Warmup = 1, 0
	tile := settings.Default()
	tile.Tile = 512
	plan, err := engine.Plan(o.Model, 640, 640, tile)
	if err != nil {
		t.Fatal(err)
	}
	o.Limit = plan.PeakBytes * 11 / 10
	r := mustRun(t, f, o)
	if len(r.Rows) != 20 {
		t.Fatalf("%d rows", len(r.Rows))
	}
	errs := 0
	whole640 := func(size int, s settings.Settings) bool { return size == 640 && (s.Tile == 0 || s.Tile > 640) }
	for _, row := range r.Rows {
		tooLarge := whole640(row.Resolution, row.Settings)
		if (row.Err != "") != tooLarge {
			t.Errorf("%d %s: error %q", row.Resolution, row.Name, row.Err)
		}
		if tooLarge {
			errs++
			if !strings.Contains(row.Err, "it would need") || row.MedianMS != 0 || len(row.RunsMS) != 0 || row.VsBaseline != 0 {
				t.Errorf("%+v", row)
			}
		}
		if row.Resolution == 640 && row.VsBaseline != 0 {
			t.Errorf("%s is compared with a baseline that does not fit", row.Name)
		}
	}
	if errs != 6 {
		t.Errorf("%d errors", errs)
	}
	for _, c := range f.calls {
		if whole640(c.size, c.settings) {
			t.Error("what does not fit was run")
		}
	}
}

func TestAPlateThatCannotBeDrawnIsARow(t *testing.T) {
	f := new(fakeEngine)
	o := f.options(t, Tiles)
	o.Resolutions, o.Limit = []int{4096}, 900<<20
	for _, row := range mustRun(t, f, o).Rows {
		if !strings.Contains(row.Err, "drawing its plate would need 0.9 GB") {
			t.Errorf("%s: error %q", row.Name, row.Err)
		}
	}
	if len(f.calls) != 0 {
		t.Error("something ran")
	}
}

func TestWhatFailsIsARowAndTheSweepGoesOn(t *testing.T) {
	for want, f := range map[string]*fakeEngine{
		"too little memory": {fail: func(c call) error {
			if c.settings.SDPA && c.n > 20 {
				return &engine.MemoryError{Device: "x", TileW: 64, TileH: 64, Err: errors.New("out of memory")}
			}
			return nil
		}},
		"tile 32 instead of 0, because it was full": {adjust: func(r *engine.Result) {
			if r.Used.SDPA {
				r.Used.Tile = 32
				r.Adjusted = []engine.Adjustment{{Setting: "tile", Asked: 0, Used: 32, Why: "it was full"}}
			}
		}},
		"the engine failed: oops": {fail: func(c call) error {
			if c.settings.SDPA {
				return &engine.PanicError{Value: "oops", Stack: []byte("goroutine 1\nmain.go:1")}
			}
			return nil
		}},
	} {
		var last Progress
		o := f.options(t, Key)
		o.Progress = func(p Progress) { last = p }
		r := mustRun(t, f, o)
		for _, row := range r.Rows {
			if row.Settings.SDPA != (row.Err != "") || row.Err != "" && (!strings.Contains(row.Err, want) || strings.Contains(row.Err, "\n")) {
				t.Errorf("%s: error %q, want %q", row.Name, row.Err, want)
			}
			if row.Err != "" && (row.MedianMS != 0 || row.PeakBytes != 0) {
				t.Errorf("a failed row has figures: %+v", row)
			}
			if row.Err == "" && len(row.RunsMS) != o.Runs {
				t.Errorf("%s was timed %d times", row.Name, len(row.RunsMS))
			}
		}
		if last.Doing != Finished || last.Done != last.Total || last.Share != 1 {
			t.Errorf("%s: ends with %+v", want, last)
		}
	}
}

func TestACancelledBenchTellsWhatItHas(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	f := new(fakeEngine)
	o := f.options(t, Key)
	o.Warmup = 0
	f.fail = func(c call) error {
		if c.n == 9 { // in the second of four rounds of six
			cancel()
			return ctx.Err()
		}
		return nil
	}
	r, err := Run(ctx, f, o)
	if !errors.Is(err, context.Canceled) || r == nil || len(r.Rows) != 6 {
		t.Fatalf("%+v, error %v", r, err)
	}
	runs := 0
	for _, row := range r.Rows {
		runs += len(row.RunsMS)
		if row.Err != "" || row.MedianMS != 100 || row.VsBaseline != 1 {
			t.Errorf("%+v", row)
		}
	}
	if runs != 9 || len(f.calls) != 10 {
		t.Errorf("%d runs were kept of %d", runs, len(f.calls))
	}
	r, err = Run(ctx, f, o)
	if !errors.Is(err, context.Canceled) || len(r.Rows) != 0 || len(f.calls) != 10 {
		t.Errorf("cancelled before it began: %+v, error %v", r, err)
	}
}

func TestAClosedEngineEndsTheBench(t *testing.T) {
	f := &fakeEngine{fail: func(c call) error {
		if c.n == 15 {
			return engine.ErrClosed
		}
		return nil
	}}
	r, err := Run(t.Context(), f, f.options(t, Key))
	if !errors.Is(err, engine.ErrClosed) || r == nil || len(f.calls) != 16 {
		t.Errorf("%d runs, error %v", len(f.calls), err)
	}
}

func TestProgressCountsEveryRunAndKnowsTheTimeLeft(t *testing.T) {
	f := &fakeEngine{cost: func(c call) float64 { return float64(c.size) * float64(c.size) / 100 }}
	o := f.options(t, Ablation)
	o.Resolutions, o.Truth = []int{64, 128, 64}, true
	var all []Progress
	o.Progress = func(p Progress) { all = append(all, p) }
	begin := f.clock
	mustRun(t, f, o)
	took := f.clock.Sub(begin)
	share, timed := 0.0, 0
	for i, p := range all {
		if p.Done > p.Total || p.Share < share || p.Share > 1 {
			t.Fatalf("%d: %+v after a share of %v", i, p, share)
		}
		share = p.Share
		if p.LastMS > 0 {
			timed++
		}
		if p.Done > 0 && p.Done < p.Total/2 && (p.Left < took/3 || p.Left > took+took/20) {
			t.Errorf("%d of %d: %v left, the whole takes %v", p.Done, p.Total, p.Left, took)
		}
	}
	last := all[len(all)-1]
	if last.Done != len(f.calls) || last.Total != len(f.calls) || last.Share != 1 || last.Left != 0 || timed != 2*8*4 {
		t.Errorf("ends with %+v after %d runs, %d timed", last, len(f.calls), timed)
	}
	if all[0].Left >= 0 {
		t.Errorf("knows %v at the start", all[0].Left)
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
