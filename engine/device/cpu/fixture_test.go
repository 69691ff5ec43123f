package cpu_test

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"greenroom/engine/checkpoint"
	"greenroom/engine/device"
	"greenroom/engine/device/cpu"
	"greenroom/engine/greenformer"
	"greenroom/engine/program"
	"greenroom/engine/settings"
)

// fixture opens a checkpoint beside the repository, or skips where there is none.
func fixture(t testing.TB, name string) *checkpoint.File {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		dir = filepath.Dir(dir)
	}
	path := filepath.Join(filepath.Dir(dir), "shared", "fixtures", name)
	if _, err := os.Stat(path); err != nil {
		t.Skip("the fixtures are not beside the repository")
	}
	f, err := checkpoint.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// mini opens the tiny network of the fixtures.
func mini(t testing.TB) *greenformer.Model {
	t.Helper()
	m, err := greenformer.New(fixture(t, "mini_a.safetensors"), "mini_a")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// values reads a tensor of a fixture as float32, bytes as value/255.
func values(t testing.TB, f *checkpoint.File, name string) []float32 {
	t.Helper()
	info, ok := f.Tensor(name)
	if !ok {
		t.Fatalf("no fixture tensor %s", name)
	}
	v := make([]float32, info.Elements())
	if info.DType == checkpoint.Uint8 {
		for i, x := range raw(t, f, name) {
			v[i] = float32(x) / 255
		}
		return v
	}
	if err := f.ReadFloat32(name, v); err != nil {
		t.Fatal(err)
	}
	return v
}

// raw reads the bytes of a safetensors tensor, whatever their type.
func raw(t testing.TB, f *checkpoint.File, name string) []byte {
	t.Helper()
	all, err := os.ReadFile(f.Name())
	if err != nil {
		t.Fatal(err)
	}
	start := 8 + binary.LittleEndian.Uint64(all)
	var header map[string]struct {
		Offsets [2]uint64 `json:"data_offsets"`
	}
	if err := json.Unmarshal(all[8:start], &header); err != nil {
		t.Fatal(err)
	}
	o := header[name].Offsets
	return all[start+o[0] : start+o[1]]
}

// farthest returns the largest and the mean difference; NaN is infinitely far.
func farthest(got, want []float32) (most, mean float64) {
	for i := range want {
		d := math.Abs(float64(got[i]) - float64(want[i]))
		if math.IsNaN(d) {
			return math.Inf(1), math.Inf(1)
		}
		most = max(most, d)
		mean += d / float64(len(want))
	}
	return most, mean
}

// run builds, loads and runs the network once and returns every output.
func run(t testing.TB, d device.Device, m *greenformer.Model, s settings.Settings, h, w int, plate, hint []float32) (map[string][]float32, device.Stats) {
	t.Helper()
	p, err := m.Build(greenformer.Size{H: h, W: w}, s)
	if err != nil {
		t.Fatal(err)
	}
	r, err := d.Load(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	in := map[string][]float32{"plate": plate, "hint": hint}
	if !s.GPUPreprocess {
		x := make([]float32, h*w*4)
		greenformer.Normalise(x, plate, hint)
		in = map[string][]float32{"input": x}
	}
	out := make(map[string][]float32)
	for _, tensor := range p.Tensors {
		if tensor.Role == program.Output {
			out[tensor.Name] = make([]float32, tensor.Rows*tensor.Cols)
			for i := range out[tensor.Name] {
				out[tensor.Name][i] = float32(math.NaN())
			}
		}
	}
	// Twice: what a first run leaves behind must not show in the second.
	for range 2 {
		if err := r.Run(context.Background(), in, out); err != nil {
			t.Fatal(err)
		}
	}
	layout, err := program.Plan(p)
	if err != nil {
		t.Fatal(err)
	}
	stats := r.Stats()
	if stats.Arena != layout.Peak {
		t.Errorf("the arena took %d bytes, the plan says %d", stats.Arena, layout.Peak)
	}
	if want := cpu.WeightBytes(p); stats.Weights != want {
		t.Errorf("weights took %d bytes, the plan says %d", stats.Weights, want)
	}
	return out, stats
}

// TestNetworkEqualsTheReferenceImplementation holds every map of the network against float64 results of the
// reference implementation, for square and oblong inputs, unfused and fused, portable and fast.
func TestNetworkEqualsTheReferenceImplementation(t *testing.T) {
	m, expected := mini(t), fixture(t, "mini_a.expected.safetensors")
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
					values(t, expected, key("plate_u8")), values(t, expected, key("hint_u8")))
				for _, name := range []string{
					"feature1", "feature2", "feature3", "feature4",
					"alpha_logits", "fg_logits", "delta", "alpha", "fg",
				} {
					got, ok := out[name]
					if !ok {
						t.Fatalf("no output %s", name)
					}
					most, _ := farthest(got, values(t, expected, key(name)))
					t.Logf("%s: %.2g", key(name), most)
					if !(most <= 1e-4) {
						t.Errorf("%s is off by %.3g", key(name), most)
					}
				}
			}
		})
	}
}
