package cpu_test

import (
	"fmt"
	"testing"

	"greenroom/engine/device"
	"greenroom/engine/device/conformance/conformancetest"
	"greenroom/engine/device/cpu"
	"greenroom/engine/greenformer"
	"greenroom/engine/settings"
)

// mini opens the tiny network of the fixtures.
func mini(t testing.TB) *greenformer.Model {
	t.Helper()
	m, err := greenformer.New(conformancetest.Fixture(t, "mini_a.safetensors"), "mini_a")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// run builds the network and returns every output of a run.
func run(t testing.TB, d device.Device, m *greenformer.Model, s settings.Settings, h, w int, plate, hint []float32) (map[string][]float32, device.Stats) {
	t.Helper()
	p, err := m.Build(greenformer.Size{H: h, W: w}, s)
	if err != nil {
		t.Fatal(err)
	}
	input := make([]float32, h*w*4)
	greenformer.Normalise(input, plate, hint)
	out, stats := conformancetest.Execute(t, d, p, map[string][]float32{"plate": plate, "hint": hint, "input": input})
	if want := cpu.WeightBytes(p); stats.Weights != want {
		t.Errorf("weights took %d bytes, the plan says %d", stats.Weights, want)
	}
	return out, stats
}

// TestNetworkEqualsTheReferenceImplementation holds every map of the network against float64 results of the
// reference implementation, for square and oblong inputs, unfused and fused, portable and fast.
func TestNetworkEqualsTheReferenceImplementation(t *testing.T) {
	m, expected := mini(t), conformancetest.Fixture(t, "mini_a.expected.safetensors")
	unfused := settings.Settings{Refine: settings.RefineTile}
	fused := settings.Default()
	fused.Slim = false
	for _, c := range []struct {
		name     string
		options  cpu.Options
		settings settings.Settings
	}{
		{"reference", cpu.Options{Scalar: true, Threads: 1}, unfused},
		{"unfused", cpu.Options{}, unfused},
		{"fused, portable", cpu.Options{Scalar: true}, fused},
		{"fused", cpu.Options{}, fused},
		{"fused, three workers", cpu.Options{Threads: 3}, fused},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := cpu.New(c.options)
			defer d.Close()
			for _, size := range [][2]int{{128, 128}, {192, 192}, {96, 160}} {
				key := func(name string) string { return fmt.Sprintf("%dx%d.%s", size[0], size[1], name) }
				out, _ := run(t, d, m, c.settings, size[0], size[1],
					conformancetest.Values(t, expected, key("plate_u8")), conformancetest.Values(t, expected, key("hint_u8")))
				for _, name := range []string{
					"feature1", "feature2", "feature3", "feature4",
					"alpha_logits", "fg_logits", "delta", "alpha", "fg",
				} {
					got, ok := out[name]
					if !ok {
						t.Fatalf("no output %s", name)
					}
					most, _ := conformancetest.Farthest(got, conformancetest.Values(t, expected, key(name)))
					t.Logf("%s: %.2g", key(name), most)
					if !(most <= 1e-4) {
						t.Errorf("%s is off by %.3g", key(name), most)
					}
				}
			}
		})
	}
}
