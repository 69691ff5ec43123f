package cpu_test

import (
	"context"
	"testing"
	"time"

	"greenroom/engine/device"
	"greenroom/engine/device/conformance/conformancetest"
	"greenroom/engine/device/cpu"
	"greenroom/engine/greenformer"
	"greenroom/engine/greenformer/greenformertest"
	"greenroom/engine/settings"
)

// random returns a network of nano's size with random weights.
func random(t testing.TB, c greenformer.Config) *greenformer.Model {
	t.Helper()
	m, err := greenformertest.Model(c, 1)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// loaded returns a network with random weights, loaded for n x n pixels until the test ends, and inputs for it.
func loaded(t testing.TB, c greenformer.Config, n int) (device.Runner, map[string][]float32) {
	t.Helper()
	p, err := random(t, c).Build(greenformer.Size{H: n, W: n}, settings.Default())
	if err != nil {
		t.Fatal(err)
	}
	d := cpu.New(cpu.Options{})
	t.Cleanup(func() { d.Close() })
	r, err := d.Load(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	plate, hint := conformancetest.Picture(n, n, 4)
	return r, map[string][]float32{"plate": plate, "hint": hint}
}

// TestEverySettingAgreesWithTheUnfusedPath switches each float32 setting alone, on and off, against all off.
func TestEverySettingAgreesWithTheUnfusedPath(t *testing.T) {
	m := random(t, greenformertest.Nano)
	d := cpu.New(cpu.Options{})
	defer d.Close()
	const h, w = 96, 160
	plate, hint := conformancetest.Picture(h, w, 3)
	off := settings.Settings{Refine: settings.RefineTile}
	want, _ := run(t, d, m, off, h, w, plate, hint)

	variants := map[string]settings.Settings{"defaults": settings.Default()}
	for _, name := range []string{"slim", "stage_gc", "sdpa", "fused_decode", "gpu_preprocess", "compile"} {
		for value, base := range map[string]settings.Settings{"on": off, "off": settings.Default()} {
			s := base
			if err := s.Set(name, value); err != nil {
				t.Fatal(err)
			}
			variants[name+" "+value] = s
		}
	}
	for name, s := range variants {
		t.Run(name, func(t *testing.T) {
			got, _ := run(t, d, m, s, h, w, plate, hint)
			for _, output := range []string{"alpha", "fg"} {
				most, _ := conformancetest.Farthest(got[output], want[output])
				t.Logf("%s: %.2g", output, most)
				if !(most <= 1e-4) {
					t.Errorf("%s is off by %.3g", output, most)
				}
			}
		})
	}
}

// TestHalfWidthTakesLessMemory holds the arena and the weights of bf16 against float32's.
func TestHalfWidthTakesLessMemory(t *testing.T) {
	m := random(t, greenformertest.Nano)
	d := cpu.New(cpu.Options{})
	defer d.Close()
	plate, hint := conformancetest.Picture(128, 128, 3)
	s := settings.Default()
	_, full := run(t, d, m, s, 128, 128, plate, hint)
	s.BF16 = true
	_, half := run(t, d, m, s, 128, 128, plate, hint)
	if half.Arena >= full.Arena*3/4 || half.Weights >= full.Weights*3/4 {
		t.Errorf("half width takes %d and %d bytes beside %d and %d", half.Arena, half.Weights, full.Arena, full.Weights)
	}
}

// TestCancellingEndsARun cancels a run in the middle and expects the context's error, and the same bits from the two
// runs after it. How soon it ends is held in the engine's tests, against what a whole call takes.
func TestCancellingEndsARun(t *testing.T) {
	const n = 512
	r, in := loaded(t, greenformertest.Nano, n)
	want := map[string][]float32{"alpha": make([]float32, n*n)}
	if err := r.Run(context.Background(), in, want); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(20*time.Millisecond, cancel)
	err := r.Run(ctx, in, want)
	if err != context.Canceled {
		t.Fatalf("a cancelled run returned %v", err)
	}
	got := map[string][]float32{"alpha": make([]float32, n*n)}
	if err := r.Run(context.Background(), in, got); err != nil {
		t.Fatal(err)
	}
	again := map[string][]float32{"alpha": make([]float32, n*n)}
	if err := r.Run(context.Background(), in, again); err != nil {
		t.Fatal(err)
	}
	if most, _ := conformancetest.Farthest(got["alpha"], again["alpha"]); most != 0 {
		t.Errorf("two runs differ by %g", most)
	}
}

// TestARunAfterACancelledOneIsWhole cancels runs at every moment, the very end included, and holds the run after
// each to the right result.
func TestARunAfterACancelledOneIsWhole(t *testing.T) {
	const n = 64
	r, in := loaded(t, greenformertest.Nano, n)
	want := map[string][]float32{"alpha": make([]float32, n*n)}
	start := time.Now()
	if err := r.Run(context.Background(), in, want); err != nil {
		t.Fatal(err)
	}
	took := time.Since(start)
	got := map[string][]float32{"alpha": make([]float32, n*n)}
	for i := range 60 {
		ctx, cancel := context.WithTimeout(context.Background(), took*time.Duration(i)/50)
		err := r.Run(ctx, in, got)
		if err != nil && err != context.DeadlineExceeded {
			t.Fatal(err)
		}
		if most, _ := conformancetest.Farthest(got["alpha"], want["alpha"]); err == nil && most != 0 {
			t.Fatalf("a run that was not cancelled is off by %g", most)
		}
		cancel()
		if err := r.Run(context.Background(), in, got); err != nil {
			t.Fatal(err)
		}
		if most, _ := conformancetest.Farthest(got["alpha"], want["alpha"]); most != 0 {
			t.Fatalf("the run after a cancelled one is off by %g", most)
		}
	}
}

// TestResultsDoNotDependOnWorkers runs on one, two and five workers and expects the same bits.
func TestResultsDoNotDependOnWorkers(t *testing.T) {
	m := random(t, greenformertest.Nano)
	plate, hint := conformancetest.Picture(160, 96, 5)
	var want map[string][]float32
	for _, n := range []int{1, 2, 5} {
		d := cpu.New(cpu.Options{Threads: n})
		got, _ := run(t, d, m, settings.Default(), 160, 96, plate, hint)
		d.Close()
		if want == nil {
			want = got
		}
		for name := range want {
			if most, _ := conformancetest.Farthest(got[name], want[name]); most != 0 {
				t.Errorf("%d workers: %s differs by %g", n, name, most)
			}
		}
	}
}

// TestProgramsShareWeights loads two sizes of one network, after counting how often weights are read: all but
// the position grid are read once.
func TestProgramsShareWeights(t *testing.T) {
	m := random(t, greenformertest.Nano)
	d := cpu.New(cpu.Options{})
	defer d.Close()
	reads := make(map[string]int)
	var runners []device.Runner
	for _, n := range []int{64, 128} {
		p, err := m.Build(greenformer.Size{H: n, W: n}, settings.Default())
		if err != nil {
			t.Fatal(err)
		}
		for i, w := range p.Weights {
			p.Weights[i].Read = func(dst []float32) error {
				reads[w.Key]++
				return w.Read(dst)
			}
		}
		r, err := d.Load(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		runners = append(runners, r)
	}
	for key, n := range reads {
		if n != 1 {
			t.Errorf("%s was read %d times", key, n)
		}
	}
	if reads["encoder.model.pos_embed@16x16"] != 1 || reads["encoder.model.pos_embed@32x32"] != 1 {
		t.Errorf("position grids were read %v times", reads)
	}
	for _, r := range runners {
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func BenchmarkTile(b *testing.B) {
	for name, c := range map[string]greenformer.Config{"nano": greenformertest.Nano} {
		b.Run(name, func(b *testing.B) { benchmarkTile(b, c, 768) })
	}
}

func benchmarkTile(b *testing.B, c greenformer.Config, n int) {
	r, in := loaded(b, c, n)
	out := map[string][]float32{"alpha": make([]float32, n*n), "fg": make([]float32, 3*n*n)}
	for b.Loop() {
		if err := r.Run(context.Background(), in, out); err != nil {
			b.Fatal(err)
		}
	}
	s := r.Stats()
	for i, d := range s.Stage {
		b.ReportMetric(d.Seconds()*1000, [...]string{"pre-ms", "encoder-ms", "decoder-ms", "refiner-ms"}[i])
	}
	b.ReportMetric(float64(s.Arena)/1e6, "arena-MB")
	b.ReportMetric(float64(s.Weights)/1e6, "weights-MB")
}
