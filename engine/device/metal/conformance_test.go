//go:build linux && (amd64 || arm64)

package metal

import (
	"testing"

	"greenroom/engine/device/conformance/conformancetest"
	"greenroom/engine/device/gpu"
	"greenroom/engine/device/kernels"
)

// TestMetalConforms runs programs through the host and the stand-in, kernels in Metal's language and all: first the
// device's own test of every kernel, then random ops and a network, against the reference.
func TestMetalConforms(t *testing.T) {
	s := newStandin(t)
	d, err := gpu.New(t.Context(), s.open(nil), gpu.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	all, err := kernels.Open()
	if err != nil {
		t.Fatal(err)
	}
	tested := map[string]bool{"blend": true, "divide": true} // no program has them
	for _, k := range d.Tested().Kernels {
		tested[k.Name] = true
		if k.Failure != "" {
			t.Errorf("kernel %s: %s", k.Name, k.Failure)
		}
	}
	for _, k := range all.All() {
		if !tested[k.Name] {
			t.Errorf("kernel %s was not tested", k.Name)
		}
	}
	if testing.Short() {
		return
	}
	t.Run("ops", func(t *testing.T) { conformancetest.Ops(t, d, 7, 30) })
	t.Run("network", func(t *testing.T) { conformancetest.Network(t, d, conformancetest.Tiny, 32, 32) })
}
