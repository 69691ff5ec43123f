package gpu_test

import (
	"errors"
	"testing"

	"greenroom/engine/device/conformance/conformancetest"
	"greenroom/engine/device/gpu"
	"greenroom/engine/device/vulkan"
)

// software opens the Vulkan driver that runs on the processor, or skips where there is none. Where the validation layer
// is installed, anything that it finds fails the test.
func software(t testing.TB) *vulkan.Host {
	t.Helper()
	o := vulkan.Options{Name: "llvmpipe", Validate: func(message string) { t.Errorf("validation: %s", message) }}
	h, err := vulkan.Open(o)
	if errors.Is(err, vulkan.ErrNoLayer) {
		o.Validate = nil
		h, err = vulkan.Open(o)
	}
	if errors.Is(err, vulkan.ErrNoLoader) || errors.Is(err, vulkan.ErrNoDevice) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// TestVulkanConforms holds the kernels, run by a Vulkan driver on the processor, against the reference, in shapes that
// such a driver computes in a second; TestRealGPUConforms takes larger ones, and all fixtures.
func TestVulkanConforms(t *testing.T) {
	d := gpu.Untested(software(t))
	defer d.Close()
	if testing.Short() {
		conformancetest.Ops(t, d, 1, 60)
		return
	}
	t.Run("ops", func(t *testing.T) { conformancetest.Ops(t, d, 1, 300) })
	t.Run("network", func(t *testing.T) { conformancetest.Network(t, d, conformancetest.Tiny, 32, 64) })
	t.Run("overflow", func(t *testing.T) { conformancetest.Overflow(t, d) })
	t.Run("fixtures", func(t *testing.T) {
		conformancetest.Fixtures(t, d, [][2]int{{96, 160}}, "all off", "defaults", "defaults and float16")
	})
}
