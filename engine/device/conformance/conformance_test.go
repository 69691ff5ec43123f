package conformance_test

import (
	"testing"

	"greenroom/engine/device/conformance/conformancetest"
	"greenroom/engine/device/cpu"
)

// TestProcessorConforms holds the processor's fast kernels against its portable ones.
func TestProcessorConforms(t *testing.T) {
	d := cpu.New(cpu.Options{})
	defer d.Close()
	if testing.Short() {
		conformancetest.Ops(t, d, 1, 60)
		return
	}
	t.Run("ops", func(t *testing.T) { conformancetest.Ops(t, d, 1, 400) })
	t.Run("network", func(t *testing.T) { conformancetest.Network(t, d, conformancetest.Tiny, 64, 96) })
	t.Run("overflow", func(t *testing.T) { conformancetest.Overflow(t, d) })
	t.Run("fixtures", func(t *testing.T) { conformancetest.Fixtures(t, d, [][2]int{{96, 160}}) })
}
