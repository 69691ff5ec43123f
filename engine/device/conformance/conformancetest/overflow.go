package conformancetest

import (
	"math"
	"testing"

	"greenroom/engine/device"
	"greenroom/engine/greenformer"
	"greenroom/engine/greenformer/greenformertest"
	"greenroom/engine/program"
	"greenroom/engine/settings"
)

// Overflow runs networks with weights so large that float16 cannot hold what comes of them, in each part that is stored
// in it, where float32 still can. A device must not pass that as a key: either some output is no number, which the
// engine answers by keying in float32, or the result is right all the same.
func Overflow(t *testing.T, d device.Device) {
	t.Helper()
	const h, w = 32, 64
	c := Tiny
	half := settings.Default()
	half.BF16, half.Half = true, settings.Float16
	inputs := networkInputs(h, w)
	shown := 0
	for _, tensor := range []string{
		"encoder.model.blocks.1.proj.weight", "encoder.model.blocks.1.attn.proj.weight", "encoder.model.blocks.2.mlp.fc1.weight",
		"encoder.model.blocks.3.mlp.fc2.weight", "encoder.model.blocks.4.attn.proj.weight", "encoder.model.blocks.5.mlp.fc2.weight",
		"alpha_decoder.linear_c2.proj.weight", "fg_decoder.linear_c4.proj.weight",
		"refiner.stem.0.weight", "refiner.res1.conv1.weight", "refiner.res2.conv2.weight", "refiner.res4.conv2.weight",
	} {
		t.Run(tensor, func(t *testing.T) {
			m, err := greenformertest.Loud(c, 1, tensor, 1e6)
			if err != nil {
				t.Fatal(err)
			}
			defer m.Close()
			build := func(s settings.Settings) *program.Program {
				p, err := m.Build(greenformer.Size{H: h, W: w}, s)
				if err != nil {
					t.Fatal(err)
				}
				return p
			}
			want, _ := Execute(t, Reference(t), build(settings.Default()), inputs)
			got, _ := Execute(t, d, build(half), inputs)
			for name, values := range want {
				if n := noNumbers(values); n > 0 {
					t.Fatalf("in float32 %d values of %s are no numbers", n, name)
				}
				if noNumbers(got[name]) > 0 {
					shown++
					return
				}
			}
			for _, name := range []string{"alpha", "fg"} {
				if most, mean := Farthest(got[name], want[name]); !(mean <= 1e-2) {
					t.Errorf("%s is off by %.2g at most and %.2g on average, and does not show it", name, most, mean)
				}
			}
		})
	}
	t.Logf("%d overflows show", shown)
	if shown < 6 {
		t.Errorf("only %d networks overflow", shown)
	}
}

// noNumbers counts NaNs and infinities.
func noNumbers(values []float32) int {
	n := 0
	for _, v := range values {
		if f := float64(v); math.IsNaN(f) || math.IsInf(f, 0) {
			n++
		}
	}
	return n
}
