package gpu

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"greenroom/engine/device"
	"greenroom/engine/device/conformance"
	"greenroom/engine/device/cpu"
	"greenroom/engine/device/kernels"
)

// KernelError says that a GPU computes an op wrongly with every kernel that there is for it, so that the device cannot
// be used.
type KernelError struct {
	// Device is the GPU, Case what was computed, Kernels what was tried.
	Device, Case string
	Kernels      []string
	// Err is why the last kernel was refused.
	Err error
}

func (e *KernelError) Error() string {
	return fmt.Sprintf("%s fails its self-test: %s with kernel %v: %v (update the GPU's driver, or use the CPU)", e.Device, e.Case, e.Kernels, e.Err)
}

func (e *KernelError) Unwrap() error { return e.Err }

// KernelResult is what the self-test showed of a kernel.
type KernelResult struct {
	Name string
	// Difference is how far its results were from the reference's at most, Allowed how far they may be, both as a
	// part of the largest value.
	Difference, Allowed float64
	// Failure says why the kernel is not used; empty where it is.
	Failure string
}

// Report is the result of a self-test.
type Report struct {
	// Kernels lists every kernel that was tried, by name.
	Kernels []KernelResult
	// Rate is about how many operations a second the device showed.
	Rate float64
	// Took is how long the test took, compiling included.
	Took time.Duration
}

// Replaced names the kernels that failed and whose work others do.
func (r Report) Replaced() []string {
	var names []string
	for _, k := range r.Kernels {
		if k.Failure != "" {
			names = append(names, k.Name)
		}
	}
	return names
}

// errWrong is why a kernel is refused whose results are too far from the reference's.
var errWrong = errors.New("its results are wrong")

// SelfTest tries every kernel on small, odd shapes against the processor, and keeps the result for the next start. A
// kernel that fails is not used any more; the next for its op takes its place. It returns a *KernelError where none is
// left, and a wrapped device.ErrLost where the device stops working. Programs loaded before keep the kernels that they
// have.
func (d *Device) SelfTest(ctx context.Context) (Report, error) {
	r, err := d.selfTest(ctx)
	if err != nil {
		return r, err
	}
	d.report = r
	// Without the file the next start tests again, which is no reason to fail this one.
	_ = writeReport(d.kept, r)
	return r, nil
}

// Tested returns the result of the self-test, of this start or an earlier one.
func (d *Device) Tested() Report { return d.report }

func (d *Device) selfTest(ctx context.Context) (Report, error) {
	start := time.Now()
	t := tester{device: d, proven: make(map[string]bool), results: make(map[string]*KernelResult)}
	d.onlyFitting()
	reference := cpu.New(cpu.Options{Scalar: true})
	defer reference.Close()
	for _, c := range conformance.SelfTest() {
		want, err := c.Run(ctx, reference)
		if err != nil {
			return t.report(start), err
		}
		if err := t.try(ctx, c, want); err != nil {
			return t.report(start), err
		}
	}
	if err := d.measure(ctx); err != nil {
		return t.report(start), err
	}
	return t.report(start), nil
}

// tester is a self-test under way.
type tester struct {
	device  *Device
	proven  map[string]bool
	results map[string]*KernelResult
}

func (t *tester) report(start time.Time) Report {
	r := Report{Rate: t.device.rate, Took: time.Since(start)}
	for _, k := range t.results {
		r.Kernels = append(r.Kernels, *k)
	}
	slices.SortFunc(r.Kernels, func(a, b KernelResult) int {
		if a.Name < b.Name {
			return -1
		}
		return 1
	})
	return r
}

// try runs a case with the first kernels that are left, until they are right.
func (t *tester) try(ctx context.Context, c conformance.Case, want map[string][]float32) error {
	d := t.device
	var tried []string
	var failure error
	for {
		used, err := t.kernels(c)
		if err != nil {
			if failure == nil {
				failure = err
			}
			return &KernelError{Device: d.Info().Name, Case: c.Name, Kernels: tried, Err: failure}
		}
		got, err := c.Run(ctx, d)
		if err != nil && (ctx.Err() != nil || errors.Is(err, device.ErrLost) || errors.Is(err, device.ErrOutOfMemory)) {
			return fmt.Errorf("test the kernels: %w", err)
		}
		far := math.Inf(1)
		if err == nil {
			far = conformance.Compare(got, want)
		}
		if err == nil && !(far <= c.Allowed) {
			err = fmt.Errorf("%w: off by %.2g of the largest, %.2g are allowed", errWrong, far, c.Allowed)
		}
		if err == nil {
			t.pass(used, far, c.Allowed)
			return nil
		}
		failure = err
		suspect := t.suspect(c, used)
		tried = append(tried, suspect)
		d.without[suspect] = true
		t.results[suspect] = &KernelResult{Name: suspect, Difference: far, Allowed: c.Allowed, Failure: err.Error()}
	}
}

// kernels lists the kernels that the case would run with now, those of its own op last.
func (t *tester) kernels(c conformance.Case) ([]string, error) {
	ops, err := lower(c.Program, t.device.kernelLimits())
	if err != nil {
		return nil, err
	}
	var names []string
	for i := range ops {
		for j := range ops[i].calls {
			if n := ops[i].calls[j].Kernel; !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
	}
	return names, nil
}

// pass notes that kernels were right.
func (t *tester) pass(used []string, far, allowed float64) {
	for _, n := range used {
		t.proven[n] = true
		k := t.results[n]
		if k == nil {
			k = &KernelResult{Name: n}
			t.results[n] = k
		}
		if k.Allowed == 0 || far/allowed > k.Difference/k.Allowed {
			k.Difference, k.Allowed = far, allowed
		}
	}
}

// suspect returns the kernel to blame for a wrong case: the first that never was right; if all were, in other shapes,
// the first that the op itself runs with, which is not a copy.
func (t *tester) suspect(c conformance.Case, used []string) string {
	for _, n := range used {
		if !t.proven[n] {
			return n
		}
	}
	copies := t.copies()
	for _, n := range used {
		if !slices.Contains(copies, n) {
			return n
		}
	}
	return used[0]
}

// copies lists the kernels that copy and convert.
func (t *tester) copies() []string {
	calls, err := kernels.Concat{X: []kernels.Operand{kernels.Dense(1, 1, 0)}, Y: kernels.Dense(1, 1, 0)}.Calls(kernels.Limits{})
	if err != nil {
		return nil
	}
	return []string{calls[0].Kernel}
}

// measure learns how fast the device is, within about a tenth of a second.
func (d *Device) measure(ctx context.Context) error {
	if d.limits.Software {
		return nil
	}
	heavy := conformance.Heavy(2e9)
	for range 3 {
		if _, err := heavy.Run(ctx, d); err != nil {
			return fmt.Errorf("measure the GPU: %w", err)
		}
	}
	return nil
}
