package gpu_test

import (
	"errors"
	"testing"

	"greenroom/engine/device/conformance/conformancetest"
	"greenroom/engine/device/gpu"
	"greenroom/engine/device/vulkan"
)

// software opens the Vulkan driver that runs on the processor, or skips where there is none.
func software(t testing.TB) *vulkan.Host {
	t.Helper()
	h, err := vulkan.Open(vulkan.Options{Name: "llvmpipe"})
	if errors.Is(err, vulkan.ErrNoLoader) || errors.Is(err, vulkan.ErrNoDevice) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// TestVulkanConforms holds the kernels, run by a Vulkan driver on the processor, against the reference.
func TestVulkanConforms(t *testing.T) {
	d := gpu.Untested(software(t))
	defer d.Close()
	t.Run("ops", func(t *testing.T) { conformancetest.Ops(t, d, 1, 300) })
	t.Run("network", func(t *testing.T) { conformancetest.Network(t, d, conformancetest.Tiny, 64, 96) })
	t.Run("fixtures", func(t *testing.T) { conformancetest.Fixtures(t, d, [][2]int{{96, 160}}) })
}
