package gpu_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"greenroom/engine/device"
	"greenroom/engine/device/conformance/conformancetest"
	"greenroom/engine/device/gpu"
	"greenroom/engine/device/kernels"
	"greenroom/engine/greenformer"
	"greenroom/engine/greenformer/greenformertest"
	"greenroom/engine/program"
	"greenroom/engine/settings"
)

// faulty is a host that fails on demand, and counts what it gave.
type faulty struct {
	gpu.Host
	// limit changes what the host says it can do, where not nil.
	limit func(*gpu.Limits)
	// allocations is how many more succeed, runs likewise; negative for no end.
	allocations, runs int
	// spoil names a kernel that does nothing.
	spoil string
	// during, where not nil, is called before every run.
	during func()

	held, recordings int
}

func newFaulty(h gpu.Host) *faulty { return &faulty{Host: h, allocations: -1, runs: -1} }

func (f *faulty) Limits() gpu.Limits {
	l := f.Host.Limits()
	if f.limit != nil {
		f.limit(&l)
	}
	return l
}

func (f *faulty) Allocate(bytes int64) (gpu.Buffer, error) {
	if f.allocations == 0 {
		return nil, fmt.Errorf("allocate %d: %w", bytes, device.ErrOutOfMemory)
	}
	f.allocations--
	b, err := f.Host.Allocate(bytes)
	if err == nil {
		f.held++
	}
	return b, err
}

func (f *faulty) Free(b gpu.Buffer) {
	f.held--
	f.Host.Free(b)
}

func (f *faulty) Record(steps []gpu.Step) (gpu.Recording, error) {
	var kept []gpu.Step
	for _, s := range steps {
		if s.Call.Kernel != f.spoil {
			kept = append(kept, s)
		}
	}
	r, err := f.Host.Record(kept)
	if err == nil {
		f.recordings++
	}
	return r, err
}

func (f *faulty) Release(r gpu.Recording) {
	f.recordings--
	f.Host.Release(r)
}

func (f *faulty) Run(r gpu.Recording) ([program.Stages]time.Duration, error) {
	if f.during != nil {
		f.during()
	}
	if f.runs == 0 {
		return [program.Stages]time.Duration{}, fmt.Errorf("wait for the GPU: %w", device.ErrLost)
	}
	f.runs--
	return f.Host.Run(r)
}

// small builds a program of the smallest network.
func small(t testing.TB, s settings.Settings) (*program.Program, map[string][]float32) {
	t.Helper()
	return tiny(t, s, 32, 64)
}

// tiny builds a program of the smallest network for a size.
func tiny(t testing.TB, s settings.Settings, h, w int) (*program.Program, map[string][]float32) {
	t.Helper()
	m, err := greenformertest.Model(conformancetest.Tiny, 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	p, err := m.Build(greenformer.Size{H: h, W: w}, s)
	if err != nil {
		t.Fatal(err)
	}
	plate, hint := conformancetest.Picture(h, w, 3)
	return p, map[string][]float32{"plate": plate, "hint": hint}
}

// TestNoMemoryAtAnyMomentIsAnErrorToTry fails every allocation in turn, and expects an error that says so, nothing
// held, and a device that still works.
func TestNoMemoryAtAnyMomentIsAnErrorToTry(t *testing.T) {
	f := newFaulty(software(t))
	d := gpu.Untested(f)
	defer d.Close()
	for _, gc := range []bool{false, true} {
		s := settings.Default()
		s.StageGC = gc
		p, inputs := small(t, s)
		try := func() error {
			r, err := d.Load(context.Background(), p)
			if err != nil {
				return err
			}
			defer r.Close()
			return r.Run(context.Background(), inputs, outputs(p))
		}
		failures := 0
		for n := 0; ; n++ {
			f.allocations = n
			err := try()
			if f.held != 0 || f.recordings != 0 {
				t.Fatalf("stage_gc %v: %d buffers and %d recordings are left after %v", gc, f.held, f.recordings, err)
			}
			if err == nil {
				break
			}
			failures++
			if !errors.Is(err, device.ErrOutOfMemory) || errors.Is(err, device.ErrLost) {
				t.Fatalf("stage_gc %v: allocation %d failed with %v", gc, n, err)
			}
		}
		if failures < 3 {
			t.Errorf("stage_gc %v: only %d allocations", gc, failures)
		}
	}
}

// TestLittleFreeMemoryIsRefusedBeforeAnythingIsTaken loads where the driver says that nothing fits.
func TestLittleFreeMemoryIsRefusedBeforeAnythingIsTaken(t *testing.T) {
	f := newFaulty(software(t))
	f.limit = func(l *gpu.Limits) { l.Memory = 1000 }
	f.allocations = 0
	d := gpu.Untested(f)
	defer d.Close()
	p, _ := small(t, settings.Default())
	if _, err := d.Load(context.Background(), p); !errors.Is(err, device.ErrOutOfMemory) || !strings.Contains(err.Error(), "free GPU memory") {
		t.Errorf("loaded with %v", err)
	}
}

// TestALostDeviceSaysSoAndAnotherWorks loses the device at the first run and at a later one.
func TestALostDeviceSaysSoAndAnotherWorks(t *testing.T) {
	for _, after := range []int{0, 2} {
		f := newFaulty(software(t))
		d := gpu.Untested(f)
		s := settings.Default()
		s.Compile = false // many runs
		p, inputs := small(t, s)
		r, err := d.Load(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		f.runs = after
		if err := r.Run(context.Background(), inputs, outputs(p)); !errors.Is(err, device.ErrLost) {
			t.Fatalf("lost after %d runs: %v", after, err)
		}
		f.runs = -1
		if err := r.Run(context.Background(), inputs, outputs(p)); !errors.Is(err, device.ErrLost) {
			t.Errorf("a run on a lost device: %v", err)
		}
		if _, err := d.Load(context.Background(), p); !errors.Is(err, device.ErrLost) {
			t.Errorf("a load on a lost device: %v", err)
		}
		if err := d.Close(); err != nil || f.held != 0 || f.recordings != 0 {
			t.Errorf("closed with %v, %d buffers and %d recordings left", err, f.held, f.recordings)
		}
	}
	d := gpu.Untested(software(t))
	defer d.Close()
	p, inputs := small(t, settings.Default())
	conformancetest.Execute(t, d, p, inputs)
}

// TestCancellingEndsARun cancels before each piece of work in turn and expects the context's error, and a right result
// from the run after.
func TestCancellingEndsARun(t *testing.T) {
	f := newFaulty(software(t))
	d := gpu.Untested(f)
	defer d.Close()
	s := settings.Default()
	s.Compile = false
	p, inputs := small(t, s)
	want, _ := conformancetest.Execute(t, d, p, inputs)
	r, err := d.Load(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, n := range []int{0, 1, 7} {
		ctx, cancel := context.WithCancel(context.Background())
		done := 0
		f.during = func() {
			if done++; done == n+1 {
				cancel()
			}
		}
		if err := r.Run(ctx, inputs, outputs(p)); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled in piece %d: %v", n, err)
		}
		if done != n+1 {
			t.Errorf("cancelled in piece %d, ended after %d", n, done)
		}
		cancel()
	}
	f.during = nil
	got := outputs(p)
	if err := r.Run(context.Background(), inputs, got); err != nil {
		t.Fatal(err)
	}
	for name := range got {
		if most, _ := conformancetest.Farthest(got[name], want[name]); most != 0 {
			t.Errorf("after cancelled runs %s is off by %g", name, most)
		}
	}
}

// TestSmallBuffersAndBindingsChangeNothing runs a network with bindings smaller than its maps and with arenas over
// many buffers: kernels then see windows of rows.
func TestSmallBuffersAndBindingsChangeNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("a processor takes seconds for it")
	}
	f := newFaulty(software(t))
	d := gpu.Untested(f)
	p, inputs := tiny(t, settings.Default(), 64, 128)
	want, _ := conformancetest.Execute(t, d, p, inputs)
	d.Close()

	for name, limit := range map[string]func(*gpu.Limits){
		"bindings": func(l *gpu.Limits) { l.MaxBinding = 300 << 10 },
		"buffers":  func(l *gpu.Limits) { l.MaxAllocation = 1 << 20 },
	} {
		t.Run(name, func(t *testing.T) {
			f := newFaulty(software(t))
			f.limit = limit
			d := gpu.Untested(f)
			defer d.Close()
			got, _ := conformancetest.Execute(t, d, p, inputs)
			for _, name := range []string{"alpha", "fg"} {
				if most, _ := conformancetest.Farthest(got[name], want[name]); !(most <= 1e-5) {
					t.Errorf("%s is off by %g", name, most)
				}
			}
		})
	}
}

// TestKernelsThatAreTooLargeAreNotUsed says that workgroups may be small: the ops for which all kernels are larger cannot
// run, and the others do.
func TestKernelsThatAreTooLargeAreNotUsed(t *testing.T) {
	f := newFaulty(software(t))
	f.limit = func(l *gpu.Limits) { l.Threads = 16 }
	d := gpu.Untested(f)
	defer d.Close()
	p, _ := small(t, settings.Default())
	if _, err := d.Load(context.Background(), p); !errors.Is(err, kernels.ErrNoKernel) {
		t.Errorf("loaded with %v", err)
	}
}

// TestTooSmallBindingsAskForTiles binds so little that nothing can run.
func TestTooSmallBindingsAskForTiles(t *testing.T) {
	f := newFaulty(software(t))
	f.limit = func(l *gpu.Limits) { l.MaxBinding = 256 }
	d := gpu.Untested(f)
	defer d.Close()
	p, _ := small(t, settings.Default())
	if _, err := d.Load(context.Background(), p); !errors.Is(err, device.ErrOutOfMemory) || !errors.Is(err, kernels.ErrTooLarge) {
		t.Errorf("loaded with %v", err)
	}
}

// TestAFailingKernelIsReplaced has one kernel do nothing, which the self-test finds and keeps, and one that has no other.
func TestAFailingKernelIsReplaced(t *testing.T) {
	if testing.Short() {
		t.Skip("a processor takes seconds for it")
	}
	dir := t.TempDir()
	f := newFaulty(software(t))
	f.spoil = "gemm_64x64"
	options := gpu.Options{CacheDir: dir, Version: "1"}
	d, err := gpu.New(context.Background(), f, options)
	if err != nil {
		t.Fatal(err)
	}
	if got := d.Tested().Replaced(); len(got) != 1 || got[0] != f.spoil {
		t.Errorf("replaced %v", got)
	}
	p, inputs := small(t, settings.Default())
	conformancetest.Execute(t, d, p, inputs)
	d.Close()

	kept, err := filepath.Glob(filepath.Join(dir, "selftest-*.json"))
	if err != nil || len(kept) != 1 {
		t.Fatalf("kept %v, %v", kept, err)
	}
	// A second start runs nothing, and still knows.
	f = newFaulty(software(t))
	f.during = func() { t.Error("a tested device was tested again") }
	if d, err = gpu.New(context.Background(), f, options); err != nil {
		t.Fatal(err)
	}
	if got := d.Tested().Replaced(); len(got) != 1 {
		t.Errorf("the second start replaced %v", got)
	}
	d.Close()

	// What was kept and makes no sense is not believed.
	for _, nonsense := range []string{"", "{", `{"Kernels":[{"Name":"no such kernel"}],"Rate":1}`, `{"Kernels":[{"Name":"gemm_any"}],"Rate":-1}`} {
		if err := os.WriteFile(kept[0], []byte(nonsense), 0o644); err != nil {
			t.Fatal(err)
		}
		f = newFaulty(software(t))
		f.spoil = "activate"
		_, err := gpu.New(context.Background(), f, options)
		var wrong *gpu.KernelError
		if !errors.As(err, &wrong) || len(wrong.Kernels) != 1 || wrong.Kernels[0] != f.spoil {
			t.Errorf("%s does nothing: %v", f.spoil, err)
		}
		f.Close()
	}
}

// TestPlanSaysWhatARunTakes compares the plan's bytes with what a run reports.
func TestPlanSaysWhatARunTakes(t *testing.T) {
	d := gpu.Untested(software(t))
	defer d.Close()
	for _, s := range widths() {
		p, inputs := small(t, s)
		arena, weights, scratch, err := gpu.PlanBytes(p)
		if err != nil {
			t.Fatal(err)
		}
		_, stats := conformancetest.Execute(t, d, p, inputs)
		if stats.Arena != arena || stats.Weights != weights || stats.Scratch != scratch {
			t.Errorf("planned %d, %d and %d bytes, took %d, %d and %d", arena, weights, scratch, stats.Arena, stats.Weights, stats.Scratch)
		}
		var sum time.Duration
		for _, d := range stats.Stage {
			sum += d
		}
		if sum <= 0 {
			t.Errorf("the stages took %v", stats.Stage)
		}
	}
}

// TestLentWeightsChangeNothing uploads the position grid in every run, to a place among the tensors, in programs with the
// sum folded into the gather and without.
func TestLentWeightsChangeNothing(t *testing.T) {
	for _, compile := range []bool{true, false} {
		s := settings.Default()
		s.Compile = compile
		p, inputs := small(t, s)
		kept := gpu.Untested(software(t))
		want, before := conformancetest.Execute(t, kept, p, inputs)
		kept.Close()
		lending := gpu.Lending(software(t), 1)
		got, after := conformancetest.Execute(t, lending, p, inputs)
		lending.Close()
		for _, name := range []string{"alpha", "fg"} {
			if most, _ := conformancetest.Farthest(got[name], want[name]); most != 0 {
				t.Errorf("compile %v: %s is off by %g", compile, name, most)
			}
		}
		if grid := int64(8 * 16 * 16 * 4); before.Weights-after.Weights != grid || after.Arena != before.Arena {
			t.Errorf("compile %v: weights take %d and %d bytes, a grid %d; tensors %d and %d", compile, before.Weights, after.Weights, grid, before.Arena, after.Arena)
		}
	}
}
