package checkpointtest

import (
	"archive/zip"
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"greenroom/engine/checkpoint"
)

func random(name string, dtype checkpoint.DType, shape ...int) checkpoint.Weights {
	t := checkpoint.Weights{Tensor: checkpoint.Tensor{Name: name, Shape: shape, DType: dtype}}
	t.Data = make([]float32, t.Elements())
	source := rand.New(rand.NewPCG(1, uint64(len(name))))
	for i := range t.Data {
		// Eight bits of fraction: exact in every type that can be written.
		t.Data[i] = float32(source.IntN(256)-128) / 64
	}
	return t
}

func someTensors() []checkpoint.Weights {
	return []checkpoint.Weights{
		random("stem.weight", checkpoint.Float32, 5, 3, 2, 4),
		random("stem.bias", checkpoint.Float16, 5),
		random("body.weight", checkpoint.BFloat16, 7, 300),
		random("big", checkpoint.Float32, 70000),
		random("scalar", checkpoint.Float32),
		random("none", checkpoint.Float32, 0, 3),
	}
}

func written(t *testing.T, tensors []checkpoint.Weights, options TorchOptions) []byte {
	t.Helper()
	var file bytes.Buffer
	if err := WriteTorchZip(&file, tensors, options); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

func opened(t *testing.T, file []byte) *checkpoint.File {
	t.Helper()
	f, err := checkpoint.Read(bytes.NewReader(file), int64(len(file)), "written.pth")
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestWriteTorchZipRoundTrip(t *testing.T) {
	for name, options := range map[string]TorchOptions{
		"plain":      {},
		"wrapped":    {Wrap: "state_dict", Notes: map[string]string{"greenformer.heads": "2", "note": "x"}},
		"model":      {Wrap: "model", Root: "CorridorKey_v1.0"},
		"compiled":   {Wrap: "model_state_dict", Prefix: "_orig_mod."},
		"parallel":   {Prefix: "module._orig_mod.", Parameters: true},
		"deflated":   {Deflate: true},
		"transposed": {Columns: map[string]bool{"stem.weight": true, "body.weight": true, "scalar": true}},
		"both":       {Deflate: true, Columns: map[string]bool{"stem.weight": true, "body.weight": true}},
	} {
		t.Run(name, func(t *testing.T) {
			f := opened(t, written(t, someTensors(), options))
			for _, want := range someTensors() {
				got, ok := f.Tensor(want.Name)
				if !ok || got.DType != want.DType || !slices.Equal(got.Shape, want.Shape) {
					t.Errorf("%v came back as %v", want.Tensor, got)
					continue
				}
				dst := make([]float32, got.Elements())
				if err := f.ReadFloat32(want.Name, dst); err != nil {
					t.Error(err)
				}
				if !slices.Equal(dst, want.Data) {
					t.Errorf("the elements of %v changed", got)
				}
			}
			if len(f.Names()) != len(someTensors()) {
				t.Errorf("names %q", f.Names())
			}
			for key, want := range options.Notes {
				if got := f.Metadata()[key]; got != want {
					t.Errorf("note %s is %q, want %q", key, got, want)
				}
			}
		})
	}
}

func TestStoragesAreAligned(t *testing.T) {
	file := written(t, someTensors(), TorchOptions{})
	archive, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range archive.File {
		if at, err := entry.DataOffset(); err != nil || at%storageAlignment != 0 {
			t.Errorf("%s begins at %d (%v)", entry.Name, at, err)
		}
	}
	if !bytes.Equal(file, written(t, someTensors(), TorchOptions{})) {
		t.Error("the same tensors gave other bytes")
	}
}

func TestWriteTorchZipRefuses(t *testing.T) {
	if err := WriteTorchZip(&bytes.Buffer{}, someTensors(), TorchOptions{Notes: map[string]string{"a": "b"}}); err == nil {
		t.Error("notes without a dict to hold them were accepted")
	}
	long := random("long", checkpoint.Int64, 2)
	if err := WriteTorchZip(&bytes.Buffer{}, []checkpoint.Weights{long}, TorchOptions{}); err == nil || !strings.Contains(err.Error(), "I64") {
		t.Errorf("an integer tensor: %v", err)
	}
}

// A checkpoint of hundreds of megabytes must not be in memory twice.
func TestReadingNeedsLittleMoreThanTheTensor(t *testing.T) {
	tensor := random("w", checkpoint.Float32, 1024, 3, 512)
	dst := make([]float32, len(tensor.Data))
	for name, options := range map[string]TorchOptions{
		"stored":     {},
		"transposed": {Columns: map[string]bool{"w": true}},
		"deflated":   {Deflate: true, Columns: map[string]bool{"w": true}},
	} {
		f := opened(t, written(t, []checkpoint.Weights{tensor}, options))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if err := f.ReadFloat32("w", dst); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		if spent := after.TotalAlloc - before.TotalAlloc; spent > 1<<20 {
			t.Errorf("%s: %d bytes allocated to read %d", name, spent, 4*len(dst))
		}
		if !slices.Equal(dst, tensor.Data) {
			t.Errorf("%s: other elements", name)
		}
	}
}

func TestReadersMayShareAFile(t *testing.T) {
	f := opened(t, written(t, someTensors(), TorchOptions{Deflate: true}))
	results := make(chan error)
	const readers = 8
	for range readers {
		go func() {
			var problems []error
			for _, want := range someTensors() {
				dst := make([]float32, len(want.Data))
				problems = append(problems, f.ReadFloat32(want.Name, dst))
				if !slices.Equal(dst, want.Data) {
					problems = append(problems, errors.New(want.Name+" differs"))
				}
			}
			results <- errors.Join(problems...)
		}()
	}
	for range readers {
		if err := <-results; err != nil {
			t.Error(err)
		}
	}
}

func TestFiniteValuesSurvive(t *testing.T) {
	tensor := random("x", checkpoint.Float32, 4)
	copy(tensor.Data, []float32{math.MaxFloat32, -math.SmallestNonzeroFloat32, 0, 1e-20})
	f := opened(t, written(t, []checkpoint.Weights{tensor}, TorchOptions{}))
	dst := make([]float32, 4)
	if err := f.ReadFloat32("x", dst); err != nil || !slices.Equal(dst, tensor.Data) {
		t.Errorf("%v %v", dst, err)
	}
}
