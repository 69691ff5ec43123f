package engine_test

import (
	"context"
	"errors"
	"testing"

	"greenroom/engine"
	"greenroom/engine/device/choose"
	"greenroom/engine/device/vulkan"
	"greenroom/engine/settings"
)

// TestGPUKeysAsTheProcessorDoes keys on the Vulkan driver that runs on the processor, which is slow: one small plate,
// tiled.
func TestGPUKeysAsTheProcessorDoes(t *testing.T) {
	if testing.Short() {
		t.Skip("testing the kernels first takes long on a processor")
	}
	gpu, err := engine.New(context.Background(), engine.Options{Device: "vulkan:llvmpipe"})
	if errors.Is(err, vulkan.ErrNoLoader) || errors.Is(err, vulkan.ErrNoDevice) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := gpu.Close(); err != nil {
			t.Error(err)
		}
	})
	if u := gpu.Using(); u.Kind != choose.Vulkan || !u.GPU() || u.Why != "" || u.Memory <= 0 {
		t.Errorf("using %+v", u)
	}
	processor, m := newEngine(t), randomModel(t, mini)
	j := job(m, 170, 90)
	j.Settings.Tile, j.Settings.Overlap = 96, 32
	want, got := key(t, processor, j), key(t, gpu, j)
	if d := max(apart(t, got.Matte.Pix, want.Matte.Pix), apart(t, got.FG.Pix, want.FG.Pix)); d > 1e-4 {
		t.Errorf("the key is %v off", d)
	}
	if got.Device.Kind != choose.Vulkan || got.Why != "" || len(got.Adjusted) > 0 {
		t.Errorf("it ran on %+v (%s), adjusted %v", got.Device, got.Why, got.Adjusted)
	}
	p, err := engine.PlanGPU(m, 170, 90, j.Settings)
	if err != nil {
		t.Fatal(err)
	}
	// What a plan leaves out is the measure of the seams.
	if more := got.PeakBytes - p.PeakBytes; more < 0 || more > 100<<10 || p.DeviceBytes() != p.PeakBytes-p.PictureBytes {
		t.Errorf("planned %d bytes (%+v), took %d", p.PeakBytes, p, got.PeakBytes)
	}
	// Tiles that the whole network ran on are recalled for a refiner over the frame.
	frame := j
	frame.Settings.Refine = settings.RefineFrame
	want = key(t, gpu, frame)
	j.Keep, frame.Keep = 1<<28, 1<<28
	key(t, gpu, j)
	got = key(t, gpu, frame)
	if d := max(apart(t, got.Matte.Pix, want.Matte.Pix), apart(t, got.FG.Pix, want.FG.Pix)); d > 1e-6 || got.Recalled != got.Finished {
		t.Errorf("the key of %d recalled tiles is %v off", got.Recalled, d)
	}
}
