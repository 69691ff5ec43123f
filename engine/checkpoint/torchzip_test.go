package checkpoint

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// torchFile is a file that PyTorch itself wrote; testdata/torch/make.py says how.
func torchFile(name string) string { return filepath.Join("testdata", "torch", name) }

// stored is a tensor in expected.json: shape and elements.
type stored struct {
	shape    []int
	elements []float64
}

func (s *stored) UnmarshalJSON(raw []byte) error {
	return json.Unmarshal(raw, &[]any{&s.shape, &s.elements})
}

func TestReadsWhatPyTorchWrote(t *testing.T) {
	raw, err := os.ReadFile(torchFile("expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var files map[string]map[string]stored
	if err := json.Unmarshal(raw, &files); err != nil {
		t.Fatal(err)
	}
	for file, tensors := range files {
		t.Run(file, func(t *testing.T) {
			f, err := Open(torchFile(file))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			floats := 0
			for _, name := range f.Names() {
				tensor, _ := f.Tensor(name)
				if !tensor.DType.Float() {
					continue
				}
				floats++
				want, ok := tensors[name]
				if !ok || !slices.Equal(tensor.Shape, want.shape) {
					t.Errorf("%v: want shape %v", tensor, want.shape)
					continue
				}
				got := values(t, f, name)
				for i := range got {
					if got[i] != float32(want.elements[i]) {
						t.Errorf("%s[%d] is %g, want %g", name, i, got[i], want.elements[i])
						break
					}
				}
			}
			if floats != len(tensors) || floats == 0 {
				t.Errorf("%d floating tensors, want %d", floats, len(tensors))
			}
		})
	}
}

func TestTorchTypesAreNamed(t *testing.T) {
	f, err := Open(torchFile("types.pth"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for name, want := range map[string]DType{
		"float": Float32, "half": Float16, "bfloat16": BFloat16, "double": Float64, "long": Int64, "int": Int32,
		"short": Int16, "char": Int8, "byte": Uint8, "bool": Bool, "complex": Complex64,
	} {
		if tensor, ok := f.Tensor(name); !ok || tensor.DType != want {
			t.Errorf("%s is %v, want %v", name, tensor.DType, want)
		}
	}
	if err := f.ReadFloat32("long", make([]float32, 2)); !errors.Is(err, ErrUnsupported) {
		t.Errorf("reading integers: %v", err)
	}
}

func TestNotesOfATrainingCheckpoint(t *testing.T) {
	f, err := Open(torchFile("training.pth"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for key, want := range map[string]string{"epoch": "3", "loss": "0.5", "note": "hi", "done": "true"} {
		if got := f.Metadata()[key]; got != want {
			t.Errorf("%s is %q, want %q", key, got, want)
		}
	}
	if f.Container() != TorchZip {
		t.Errorf("container %v", f.Container())
	}
}

func TestRefusesWhatIsNoStateDict(t *testing.T) {
	for file, says := range map[string]string{
		"legacy.pth":      "before 1.6",
		"protocol4.pth":   "protocol 4",
		"wholemodule.pth": "torch.nn.modules.linear.Linear",
		"tensor.pth":      "no dict",
		"list.pth":        "no dict",
		"expanded.pth":    "overlap",
		"quantized.pth":   "torch._utils._rebuild_qtensor",
		"sparse.pth":      "torch._utils._rebuild_sparse_tensor",
		"numpy.pth":       "numpy",
		"script.pth":      "TorchScript",
	} {
		_, err := Open(torchFile(file))
		if !errors.Is(err, ErrUnsupported) || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), file) {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// Every byte of a small file flipped in turn: an error or the same tensors, but
// never a panic, and never silently other weights, since the archive has
// checksums.
func TestEveryFlippedByteIsNoticedOrHarmless(t *testing.T) {
	whole, err := os.ReadFile(torchFile("parameters.pth"))
	if err != nil {
		t.Fatal(err)
	}
	good, err := readBytes(whole)
	if err != nil {
		t.Fatal(err)
	}
	want := values(t, good, "p")
	noticed := 0
	for i := range whole {
		bad := slices.Clone(whole)
		bad[i] ^= 0x10
		f, err := readBytes(bad)
		if err != nil {
			noticed++
			continue
		}
		tensor, ok := f.Tensor("p")
		if !ok || !slices.Equal(tensor.Shape, []int{60}) {
			continue // the pickle's own bytes: a name or a size
		}
		got := make([]float32, 60)
		if err := f.ReadFloat32("p", got); err != nil {
			noticed++
			continue
		}
		if !slices.Equal(got, want) {
			t.Errorf("byte %d flipped gave other weights", i)
		}
	}
	if noticed < 240 { // the bytes of the weights alone
		t.Errorf("only %d of %d flips were noticed", noticed, len(whole))
	}
}

func TestEveryTruncationIsAnError(t *testing.T) {
	for _, name := range []string{"parameters.pth", "deflated.pth"} {
		whole, err := os.ReadFile(torchFile(name))
		if err != nil {
			t.Fatal(err)
		}
		for n := range whole {
			_, err := readBytes(whole[:n])
			var fileError *FileError
			if !errors.As(err, &fileError) {
				t.Fatalf("%s cut to %d bytes: %v", name, n, err)
			}
		}
	}
}
