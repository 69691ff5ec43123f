package cpu_test

import (
	"os"
	"path/filepath"
	"testing"

	"greenroom/engine/checkpoint"
	"greenroom/engine/checkpoint/checkpointtest"
	"greenroom/engine/device/conformance/conformancetest"
	"greenroom/engine/device/cpu"
	"greenroom/engine/greenformer"
	"greenroom/engine/greenformer/greenformertest"
	"greenroom/engine/settings"
)

// TestEveryLayoutOfThePublishedSizeGivesTheSameMatte writes one network of the published size with random
// weights in each layout that checkpoints come in, loads each file, keys with it, and compares.
func TestEveryLayoutOfThePublishedSizeGivesTheSameMatte(t *testing.T) {
	if testing.Short() {
		t.Skip("writes three files of 400 MB")
	}
	c := greenformertest.BasePlus
	weights := greenformertest.Random(c, 9)
	dir := t.TempDir()
	d := cpu.New(cpu.Options{})
	defer d.Close()
	const n = 64
	plate, hint := conformancetest.Picture(n, n, 10)

	var want map[string][]float32
	for _, layout := range []struct {
		file  string
		write func(f *os.File) error
	}{
		{"torch.safetensors", func(f *os.File) error { return checkpoint.WriteSafetensors(f, weights, nil) }},
		{"mlx.safetensors", func(f *os.File) error {
			return checkpoint.WriteSafetensors(f, greenformertest.MLX(weights), nil)
		}},
		{"torch.pth", func(f *os.File) error {
			return checkpointtest.WriteTorchZip(f, weights, checkpointtest.TorchOptions{
				Wrap: "state_dict", Prefix: "_orig_mod.",
			})
		}},
	} {
		path := filepath.Join(dir, layout.file)
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := layout.write(f); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		file, err := checkpoint.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		m, err := greenformer.New(file, layout.file)
		if err != nil {
			t.Fatal(err)
		}
		if m.Config != c {
			t.Fatalf("%s: read as %+v", layout.file, m.Config)
		}
		got, _ := run(t, d, m, settings.Default(), n, n, plate, hint)
		m.Close()
		os.Remove(path)
		if want == nil {
			want = got
		}
		for _, name := range []string{"alpha", "fg"} {
			if most, _ := conformancetest.Farthest(got[name], want[name]); most != 0 {
				t.Errorf("%s: %s differs by %g", layout.file, name, most)
			}
		}
	}
}
