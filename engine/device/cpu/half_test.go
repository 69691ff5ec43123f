package cpu_test

import (
	"math"
	"path/filepath"
	"testing"

	"greenroom/engine/checkpoint"
	"greenroom/engine/device/conformance/conformancetest"
	"greenroom/engine/device/cpu"
	"greenroom/engine/greenformer"
	"greenroom/engine/settings"
	"greenroom/engine/truth"
)

// TestHalfWidthKeepsTheKey holds bf16 with the embedded model on drawn plates against float32. In bfloat16 the matte is
// within 2e-2 and 2e-3 on average, the foreground within 3e-2 and 3e-3, the matte's true error within 3e-4; in float16,
// with three more bits, within an eighth of it. The foreground counts where it is seen, at a matte over 0.01.
func TestHalfWidthKeepsTheKey(t *testing.T) {
	t.Run("bfloat16", func(t *testing.T) { keepsTheKey(t, settings.BFloat16, 1) })
	t.Run("float16", func(t *testing.T) { keepsTheKey(t, settings.Float16, 1./8) })
}

// keepsTheKey is TestHalfWidthKeepsTheKey for one format, within a part of what bfloat16 is allowed.
func keepsTheKey(t *testing.T, format settings.Half, part float64) {
	file, err := checkpoint.Open(filepath.Join("..", "..", "..", "assets", "models", "nano.safetensors"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := greenformer.New(file, "nano")
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	d := cpu.New(cpu.Options{})
	defer d.Close()
	const n = 384
	scenes := truth.Set(n)
	for _, scene := range []truth.Scene{scenes[0], scenes[len(scenes)-1]} {
		plate := scene.Draw()
		full := settings.Default()
		half := full
		half.BF16, half.Half = true, format
		want, _ := run(t, d, m, full, n, n, plate.RGB.Pix, plate.Hint.Pix)
		got, _ := run(t, d, m, half, n, n, plate.RGB.Pix, plate.Hint.Pix)

		most, mean := conformancetest.Farthest(got["alpha"], want["alpha"])
		t.Logf("%s: matte %.2g at most, %.2g on average", scene.Name(), most, mean)
		if !(most <= 2e-2*part && mean <= 2e-3*part) {
			t.Errorf("%s: the matte is off by %.3g at most and %.3g on average", scene.Name(), most, mean)
		}
		if most == 0 {
			t.Errorf("%s: the matte is the same: nothing was stored in half width", scene.Name())
		}
		var seen, worst, sum float64
		for i, a := range want["alpha"] {
			if a <= 0.01 {
				continue
			}
			for c := 3 * i; c < 3*i+3; c++ {
				d := math.Abs(float64(got["fg"][c]) - float64(want["fg"][c]))
				worst, sum, seen = max(worst, d), sum+d, seen+1
			}
		}
		t.Logf("%s: foreground %.2g at most, %.2g on average", scene.Name(), worst, sum/seen)
		if !(worst <= 3e-2*part && sum/seen <= 3e-3*part) {
			t.Errorf("%s: the foreground is off by %.3g at most and %.3g on average", scene.Name(), worst, sum/seen)
		}
		_, before := conformancetest.Farthest(want["alpha"], plate.Matte.Pix)
		_, after := conformancetest.Farthest(got["alpha"], plate.Matte.Pix)
		if moved := math.Abs(after - before); !(moved <= 3e-4*part) {
			t.Errorf("%s: the true error moves from %.5f to %.5f", scene.Name(), before, after)
		}
	}
}
