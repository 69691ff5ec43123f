package gpu_test

import (
	"context"
	"testing"

	"greenroom/engine/device/gpu"
	"greenroom/engine/device/kernels"
)

// TestSelfTestTriesEveryKernel runs the self-test on the software driver, which passes, and expects a result for every
// kernel that a program can reach.
func TestSelfTestTriesEveryKernel(t *testing.T) {
	if testing.Short() {
		t.Skip("a processor takes seconds for it")
	}
	d := gpu.Untested(software(t))
	defer d.Close()
	r, err := d.SelfTest(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if names := r.Replaced(); len(names) > 0 {
		t.Errorf("kernels failed: %v", r.Kernels)
	}
	tried := make(map[string]bool)
	for _, k := range r.Kernels {
		t.Logf("%-20s %.2g of %.2g", k.Name, k.Difference, k.Allowed)
		tried[k.Name] = true
	}
	set, err := kernels.Open()
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range set.All() {
		// Tiles of a frame are blended outside of programs.
		frame := k.Name == "blend" || k.Name == "divide"
		if !tried[k.Name] && !frame {
			t.Errorf("kernel %s is not tested", k.Name)
		}
	}
}
