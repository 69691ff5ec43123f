package conformancetest

import (
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"greenroom/engine/checkpoint"
	"greenroom/engine/device"
	"greenroom/engine/greenformer"
	"greenroom/engine/picture/picturetest"
	"greenroom/engine/program"
	"greenroom/engine/settings"
)

// fixtureDirectory names an environment variable with the folder of the fixtures, for tests that run away from the
// repository.
const fixtureDirectory = "GREENROOM_FIXTURES"

// Fixture opens a file of the fixtures beside the repository, or skips where there are none.
func Fixture(t testing.TB, name string) *checkpoint.File {
	t.Helper()
	dir := os.Getenv(fixtureDirectory)
	if dir == "" {
		dir = picturetest.Shared(t, "fixtures")
	}
	f, err := checkpoint.Open(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// Values reads a tensor of a fixture as float32, bytes as value/255.
func Values(t testing.TB, f *checkpoint.File, name string) []float32 {
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

// Fixtures holds every map that a device makes of the fixtures' network against float64 results of the reference
// implementation, in some of the sizes that there are, [height, width], under the named of Variants or under all.
func Fixtures(t *testing.T, d device.Device, sizes [][2]int, only ...string) {
	t.Helper()
	m, err := greenformer.New(Fixture(t, "mini_a.safetensors"), "mini_a")
	if err != nil {
		t.Fatal(err)
	}
	expected := Fixture(t, "mini_a.expected.safetensors")
	for name, s := range Variants(t) {
		if len(only) > 0 && !slices.Contains(only, name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			for _, size := range sizes {
				h, w := size[0], size[1]
				fixtureSize(t, d, m, s, expected, h, w)
			}
		})
	}
}

// fixtureSize is Fixtures for one setting and size.
func fixtureSize(t *testing.T, d device.Device, m *greenformer.Model, s settings.Settings, expected *checkpoint.File, h, w int) {
	t.Helper()
	plate, hint := Values(t, expected, named(h, w, "plate_u8")), Values(t, expected, named(h, w, "hint_u8"))
	input := make([]float32, h*w*4)
	greenformer.Normalise(input, plate, hint)
	p, err := m.Build(greenformer.Size{H: h, W: w}, s)
	if err != nil {
		t.Fatal(err)
	}
	inputs := map[string][]float32{"plate": plate, "hint": hint, "input": input}
	got, _ := Execute(t, d, p, inputs)
	if s.BF16 {
		want, _ := Execute(t, Reference(t), p, inputs)
		check(t, got, want, s)
		return
	}
	want := make(map[string][]float32)
	for _, tensor := range p.Tensors {
		key := named(h, w, tensor.Name)
		if _, ok := expected.Tensor(key); ok && tensor.Role == program.Output {
			want[tensor.Name] = Values(t, expected, key)
		}
	}
	check(t, got, want, s)
	for name := range want {
		if most, _ := Farthest(got[name], want[name]); !(most <= 1e-4) {
			t.Errorf("%d x %d: %s is off by %.3g", w, h, name, most)
		}
	}
}
